"""Profile a conversion, and count its function calls per entry."""

from __future__ import annotations

import cProfile
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from types import CodeType, FrameType

import click

import converter
from benchmarks.data import SourceFile
from converter.cli import main

ROOT = Path(converter.__file__).parents[1]

#: The module of all functions that are not written in Python.
BUILT_IN = "built-in"


def profiled(words: Sequence[str], *, rows: int = 20) -> Iterator[str]:
    """Run the program in this process; yield lines with the most expensive functions.

    The profiler overstates the cost of calls. It sees neither other threads nor functions inside
    lxml, whose time counts for the caller.

    Raises:
        click.ClickException: the program failed, so the profile means nothing.
    """
    profile = cProfile.Profile()
    profile.runcall(_convert, words)
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


def _convert(words: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        code = main(words)
    if code:
        raise click.ClickException(f"feed2sitemap failed: exit {code}")


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


# -- frames -----------------------------------------------------------------------------------

#: Functions by their modules; the first pattern that matches counts. Value functions, and rules
#: that a table calls for an element or a field, are work for what is present, not overhead.
_SORTS = {
    "values": re.compile(r"converter\.(values|model)\..+|converter\.xml\.(extract|escape)"),
    "rules": re.compile(r"converter\.(extensions|formats\..+\.read)\b.*"),
    "frames": re.compile(r"converter\b.*"),
}


def frames_per_entry(few: SourceFile, many: SourceFile, target: str) -> Iterator[str]:
    """Yield lines with the calls of each function per entry; resumed generators count.

    The difference of two conversions is divided by the difference of their numbers of entries.
    """
    words = ("-t", target, "-o", "written", "--jobs", "1", "-q")
    _entered(str(few.path), *words)  # imports, and patterns that are compiled when they are used
    more, less = (_entered(str(made.path), *words) for made in (many, few))
    entries = many.entries - few.entries
    rates = {function: (times - less[function]) / entries for function, times in more.items()}
    for sort in reversed(_SORTS):
        found = {function: rate for function, rate in rates.items() if _sort(function[0]) == sort}
        yield f"{sum(found.values()):8.2f}  {sort} an entry"
        for (module, name), rate in sorted(found.items(), key=lambda row: -row[1]):
            if rate >= 0.01:
                yield f"{rate:12.2f}  {module} {name}"


def _entered(*words: str) -> Counter[tuple[str, str]]:
    """Count the functions that a conversion enters, by module and name."""
    counts: Counter[tuple[str, str]] = Counter()

    def count(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            counts[str(frame.f_globals.get("__name__")), _function(frame)] += 1

    sys.setprofile(count)
    try:
        _convert(words)
    finally:
        sys.setprofile(None)
    return counts


def _function(frame: FrameType) -> str:
    """Name a function; a method that `dataclasses` generated gets the name of its class."""
    if frame.f_code.co_filename != "<string>" or not frame.f_locals:
        return frame.f_code.co_qualname
    return f"{type(next(iter(frame.f_locals.values()))).__name__}.{frame.f_code.co_name}"


def _sort(module: str) -> str | None:
    return next((sort for sort, pattern in _SORTS.items() if pattern.fullmatch(module)), None)
