"""The programs that are compared with ours: how they are found and run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Self, TypeAlias

HERE = Path(__file__).parent

Command: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeerPaths:
    """Where other programs may be: Python interpreters, and a `node_modules`."""

    pythons: tuple[str, ...]
    modules: Path | None

    @classmethod
    def given(cls, python: str | None, node: str | None) -> Self:
        """Return the paths that the user named, and the present interpreter."""
        modules = Path(node).absolute() if node else None
        if modules and modules.name != "node_modules":
            modules /= "node_modules"
        return cls((python, sys.executable) if python else (sys.executable,), modules)


@dataclass(frozen=True, slots=True)
class Found:
    """A program that can be run: the source is the last argument of its command."""

    command: Command
    version: str


@dataclass(frozen=True, slots=True)
class Peer:
    """A program that does part of our work, or one way to run it."""

    title: str
    find: Callable[[PeerPaths], Found | None]
    #: How to install it.
    advice: str


def find(name: str, paths: PeerPaths) -> Found | str:
    """Find a program; if it is missing, return how to install it."""
    peer = PEERS[name]
    return peer.find(paths) or f"{name} is left out: {peer.advice}"


def _answer(*command: str) -> str:
    """Return the output of a program; nothing if it fails or is missing."""
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout + done.stderr


def _python(package: str, title: str) -> Peer:
    program = str(HERE / f"read_with_{package}.py")
    asked = f"import importlib.metadata as m; print(m.version({package!r}))"

    def look(paths: PeerPaths) -> Found | None:
        said = ((python, _answer(python, "-c", asked)) for python in paths.pythons)
        answers = (Found((python, program), version.strip()) for python, version in said if version)
        return next(answers, None)

    return Peer(title, look, f"`pip install {package}` for the interpreter of --peers-python")


def _node(package: str, title: str, program: str, *options: str) -> Peer:
    def look(paths: PeerPaths) -> Found | None:
        node, modules = shutil.which("node"), paths.modules
        if not node or not modules or not (modules / package).is_dir():
            return None
        manifest = json.loads((modules / package / "package.json").read_text("utf-8"))
        words = (word.format(here=HERE, modules=modules) for word in (program, *options))
        return Found((node, *words), manifest["version"])

    return Peer(title, look, f"`npm install {package}` into the folder of --node-modules")


def _xmllint(_paths: PeerPaths) -> Found | None:
    said = re.search(r"libxml version (\d+)", _answer("xmllint", "--version"))
    return said and Found(("xmllint", "--stream", "--noout"), said[1])


_SITEMAP_JS = ("sitemap", "makes sitemaps, and removes no duplicates")
_CLI = "{modules}/sitemap/dist/esm/cli.js"
_INDEX = ("--index", "--limit=50000", "--index-base-url=https://www.example.com/")

#: In the order of the tables.
PEERS: Mapping[str, Peer] = MappingProxyType(
    {
        "xmllint": Peer(
            "checks that it is XML (`--stream --noout`): the limit of libxml2",
            _xmllint,
            "install libxml2-utils, or whatever has `xmllint` on this system",
        ),
        "lxml": _python("lxml", "walks over the entries and reads nothing of them"),
        "feedparser": _python("feedparser", "reads the feed"),
        "fastfeedparser": _python("fastfeedparser", "reads the feed"),
        "advertools": _python("advertools", "reads the sitemap"),
        "feedsmith": _node(
            "feedsmith", "reads the feed", "{here}/read_with_feedsmith.cjs", "{modules}"
        ),
        "sitemap.js": _node(*_SITEMAP_JS, _CLI),
        "sitemap.js --index": _node(*_SITEMAP_JS, _CLI, *_INDEX),
        "sitemap.js --gzip": _node(*_SITEMAP_JS, _CLI, *_INDEX, "--gzip"),
    }
)
