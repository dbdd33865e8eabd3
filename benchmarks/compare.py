"""Compare the output, issues and counts of the conversions of two checkouts.

    python -m benchmarks.compare OLD NEW [--documents DIR] [--only TEXT] [--without-messages]

The documents are the cases, samples and generated feeds (`coincidences`) of this checkout, and
those of the folders that `--documents` names. Each is converted to all targets with several
options, with one job and with many. Every difference is listed; the exit code is 1 if there is one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

import click

from benchmarks import coincidences

ROOT: Final = Path(__file__).parents[1]
NOW_EPOCH: Final = "1768478400"  # 2026-01-15T12:00:00Z
TARGETS: Final = ("sitemap", "txt", "rss", "mrss", "atom")
BASE: Final[Mapping[str, Any]] = {"base_url": "https://ex.com/blog/feed.xml"}

#: Sets of options; each is tried with every document and target.
OPTIONS: Final[Sequence[Mapping[str, Any]]] = (
    {},
    {"jobs": 1},
    {"sort": "url", "max_entries": 25},
    {"sort": "newest", "since": "2026-01-03"},
    {"include": ["/"], "exclude": ["nothing-has-this"], "host": "ex.com", "unify_host": True},
    {"legacy_tags": True, "scan_html": True, "keep_tracking": True, "pretty": True},
)
#: Options that only sitemaps know.
SITEMAP_OPTIONS: Final[Sequence[Mapping[str, Any]]] = (
    {"news": "The Example Times", "news_language": "en", "mobile": True, "priority": "0.8"},
    {"limit_urls": 40, "sitemap_url": "https://ex.com/out.sitemap"},
    {"update": True},
)


@dataclass(frozen=True)
class Conversion:
    """One conversion that both checkouts do."""

    name: str
    sources: Sequence[str]
    to: str
    options: Mapping[str, Any]
    existing: Sequence[str] = ()

    def __str__(self) -> str:
        """Return the document, the target and the options: what `--only` searches."""
        words = " ".join(f"{key}={value!r}" for key, value in self.options.items())
        return f"{self.name} -> {self.to} {words}".rstrip()


@dataclass
class Checkout:
    """A checkout, and the process that converts with it."""

    root: Path
    folder: Path
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        """Start the process."""
        environment = os.environ | {"PYTHONPATH": str(self.root), "SOURCE_DATE_EPOCH": NOW_EPOCH}
        self.process = subprocess.Popen(
            [sys.executable, "-P", ROOT / "benchmarks" / "conversions.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def begin(self, number: int, conversion: Conversion) -> Path:
        """Start a conversion in the process, and return the folder of its results."""
        folder = self.folder / str(number)
        task = {
            "folder": str(folder),
            "sources": conversion.sources,
            "to": conversion.to,
            "options": conversion.options,
            "existing": conversion.existing,
        }
        pipe = _pipe(self.process.stdin)
        pipe.write(json.dumps(task) + "\n")
        pipe.flush()
        return folder

    def finish(self) -> None:
        """Wait until the conversion is done.

        Raises:
            click.ClickException: the process has ended.
        """
        if not _pipe(self.process.stdout).readline():
            raise click.ClickException(f"{self.root}: the process that converts has ended")

    def close(self) -> None:
        """End the process."""
        _pipe(self.process.stdin).close()
        self.process.wait()
        _pipe(self.process.stdout).close()


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None  # noqa: S101  it was asked for
    return pipe


def conversions(work: Path, folders: Iterable[Path]) -> Iterator[Conversion]:
    """Yield a conversion of every document to every target with every set of options."""
    samples = sorted(str(path) for path in (ROOT / "samples").iterdir())
    for name, sources, own in documents(work, folders):
        for target in TARGETS:
            for options in (*OPTIONS, *(SITEMAP_OPTIONS if target == "sitemap" else ())):
                existing = samples[:1] if options.get("update") else ()
                yield Conversion(name, sources, target, {**own, **options}, existing)
    for target in TARGETS:
        for options in OPTIONS:
            yield Conversion("all samples", samples, target, {**BASE, **options})


def documents(
    work: Path, folders: Iterable[Path]
) -> Iterator[tuple[str, Sequence[str], Mapping[str, Any]]]:
    """Yield a name, the sources and the options of each case, and of each single document."""
    for toml in sorted((ROOT / "tests" / "cases").glob("*/case.toml")):
        own = dict(BASE) | tomllib.loads(toml.read_text("utf-8")).get("options", {})
        own["base_url"] = own["base_url"] or None
        own.pop("to", None)  # every document is converted to every target
        sources = sorted(str(path) for path in toml.parent.glob("source[.-]*"))
        yield f"cases/{toml.parent.name}", sources, own
    for path in sorted((ROOT / "samples").iterdir()):
        yield f"samples/{path.name}", [str(path)], BASE
    for path in coincidences.write_all(work):
        yield path.name, [str(path)], BASE
    for folder in folders:
        for path in sorted(path for path in folder.iterdir() if path.suffix != ".md"):
            yield f"{folder.name}/{path.name}", [str(path)], BASE


def differences(old: Path, new: Path, *, with_messages: bool) -> Iterator[str]:
    """Yield the first difference of each file of two folders of results."""
    names = sorted({path.name for side in (old, new) for path in side.iterdir()})
    for name in names:
        sides = [side / name for side in (old, new)]
        if missing := [side for side in sides if not side.exists()]:
            yield f"{name}: only with the {'new' if old / name in missing else 'old'} checkout"
            continue
        before, after = (_lines(side, with_messages=with_messages) for side in sides)
        if before != after:
            yield f"{name}: {_first_difference(before, after)}"


def _lines(path: Path, *, with_messages: bool) -> list[bytes]:
    if path.name != "outcome.json":
        return path.read_bytes().split(b"\n")
    outcome = json.loads(path.read_bytes())
    issues = outcome.pop("issues")
    told = [issue if with_messages else issue[:-1] for issue in issues]
    if "error" in outcome and not with_messages:
        outcome["error"] = outcome["error"].partition(":")[0]
    parts = [*sorted(outcome.items()), *told]
    return [json.dumps(part, ensure_ascii=False).encode() for part in parts]


def _first_difference(old: Sequence[bytes], new: Sequence[bytes]) -> str:
    for number, (before, after) in enumerate(zip_longest(old, new), 1):
        if before != after:
            return f"line {number}\n    old: {_shown(before)}\n    new: {_shown(after)}"
    return "equal"


def _shown(line: bytes | None) -> str:
    return "(no line)" if line is None else line[:600].decode("utf-8", "backslashreplace")


_folder = click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path)


@click.command()
@click.argument("old", type=_folder)
@click.argument("new", type=_folder)
@click.option(
    "--documents", "folders", type=_folder, multiple=True, help="A folder of more documents."
)
@click.option(
    "--only", default="", metavar="TEXT", help="Run only conversions whose name contains TEXT."
)
@click.option("--without-messages", is_flag=True, help="Ignore the texts of issues and errors.")
def program(
    *, old: Path, new: Path, folders: tuple[Path, ...], only: str, without_messages: bool
) -> None:
    """Convert the same documents with the checkouts OLD and NEW; list each difference."""
    count = different = 0
    with TemporaryDirectory() as temporary:
        work = Path(temporary)
        sides = [Checkout(root, work / name) for root, name in ((old, "old"), (new, "new"))]
        for count, conversion in enumerate(
            (it for it in conversions(work, folders) if only in str(it)), 1
        ):
            results = [side.begin(count, conversion) for side in sides]
            for side in sides:
                side.finish()
            if found := list(differences(*results, with_messages=not without_messages)):
                different += 1
                click.echo(f"{conversion}\n  " + "\n  ".join(found))
            for folder in results:
                shutil.rmtree(folder)
        for side in sides:
            side.close()
    click.echo(f"{count} conversions, {different} with a difference")
    sys.exit(1 if different or not count else 0)


if __name__ == "__main__":
    program(prog_name="python -m benchmarks.compare")
