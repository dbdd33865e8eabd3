"""Where the time of a conversion goes: the functions, and the modules, that take most of it."""

from __future__ import annotations

import cProfile
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from types import CodeType

import click

import converter
from converter.cli import main

__all__ = ["profiled"]

ROOT = Path(converter.__file__).parents[1]

#: What is not written in Python, and not told apart by modules.
BUILT_IN = "built-in"


def profiled(words: Sequence[str], *, rows: int = 20) -> Iterator[str]:
    """Run our program in this process, and tell in lines what took the time.

    The profiler makes calls dearer than they are, and sees neither other threads nor the inside
    of lxml, whose time counts for whoever called it.

    Raises:
        click.ClickException: the program failed, so the profile means nothing.
    """
    profile = cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        code = profile.runcall(main, words)
    if code:
        raise click.ClickException(f"our own program failed: exit {code}")
    entries = sorted(profile.getstats(), key=lambda entry: entry.inlinetime, reverse=True)
    total_s = sum(entry.inlinetime for entry in entries)
    yield f"{total_s:.2f} s under the profiler"
    yield f"\n{'own s':>8} {'share':>6} {'calls':>11}  function"
    for entry in entries[:rows]:
        own_s = entry.inlinetime
        yield f"{own_s:8.3f} {own_s / total_s:6.1%} {entry.callcount:11,}  {_name(entry.code)}"
    modules: defaultdict[str, float] = defaultdict(float)
    for entry in entries:
        modules[_module(entry.code)] += entry.inlinetime
    yield f"\n{'own s':>8} {'share':>6}  module"
    for module, own_s in sorted(modules.items(), key=lambda row: -row[1])[:rows]:
        yield f"{own_s:8.3f} {own_s / total_s:6.1%}  {module}"


def _name(code: CodeType | str) -> str:
    if isinstance(code, str):
        return code
    return f"{_module(code)}:{code.co_firstlineno} {code.co_qualname}"


def _module(code: CodeType | str) -> str:
    if isinstance(code, str):
        return BUILT_IN
    path = Path(code.co_filename)
    if path.is_relative_to(ROOT / "converter"):
        return ".".join(path.relative_to(ROOT).with_suffix("").parts)
    name = path.stem if path.stem != "__init__" else path.parent.name
    return name.replace(" ", "-").strip("<>")
