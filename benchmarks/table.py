"""Write results into the tables of docs/performance.md, between comments that mark them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from benchmarks.data import MB
from benchmarks.peers import PEERS
from benchmarks.results import Cost, Measure, Outcome, Results
from benchmarks.workloads import ONE_JOB, TWO_JOBS

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"

#: A table of the page: its name and content.
_PART = re.compile(
    r"(<!-- ([a-z-]+): written by `python -m benchmarks table` -->\n).*?(<!-- end -->)", re.DOTALL
)
MIB = 1024 * 1024

#: The maximum of peak memory, plus `BYTES_PER_URL` for the digests that find duplicates.
BASE_BYTES: Mapping[str, int] = MappingProxyType({ONE_JOB: 64 * MIB, TWO_JOBS: 110 * MIB})
BYTES_PER_URL = 130


def rendered(page: str, results: Results) -> str:
    """Return the page with all its tables replaced."""

    def written(part: re.Match[str]) -> str:
        lines = "\n".join(PARTS[part[2]](results)).strip()
        return f"{part[1]}\n{lines or 'Not measured in this run.'}\n\n{part[3]}"

    return _PART.sub(written, page)


# -- cells ------------------------------------------------------------------------------------


def _table(head: str, rows: Iterable[Iterable[str]], *, words: int = 1) -> Iterator[str]:
    """Format a table, if it has rows; all but the first `words` columns are numbers."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if lines:
        yield f"| {head} |"
        yield "|---" * words + "|---:" * (head.count("|") + 1 - words) + "|"
        yield from lines


def _seconds(seconds: float) -> str:
    """Format seconds with three significant digits."""
    return f"{seconds:.{3 if seconds < 1 else 2 if seconds < 10 else 1}f}"


def _mib(size_bytes: float) -> str:
    return f"{size_bytes / MIB:,.0f}"


def _megabytes(size_bytes: float) -> str:
    size = size_bytes / MB
    return f"{size:.{1 if size < 10 else 0}f}"


def _verdict(*, is_reached: bool) -> str:
    return "yes" if is_reached else "**no**"


def _allowed_bytes(outcome: Outcome, run: str) -> int:
    return BASE_BYTES[run] + BYTES_PER_URL * outcome.entries


def _is_within_memory(outcome: Outcome) -> bool:
    return all(outcome.costs[run].peak_bytes <= _allowed_bytes(outcome, run) for run in BASE_BYTES)


def _what(outcome: Outcome) -> str:
    """Return the name of a conversion with the size of its source."""
    size = f"{outcome.entries:,} entries"
    if outcome.source_bytes >= MB / 10:
        size = f"{_megabytes(outcome.source_bytes)} MB, {size}"
    return f"{outcome.title} ({size})"


def _titled(title: str, rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Put a title before the first row, and an empty cell before the others."""
    for row in rows:
        yield title, *row
        title = ""


def _of(results: Results, group: str) -> list[Outcome]:
    return [outcome for outcome in results.outcomes if outcome.group == group]


# -- parts ------------------------------------------------------------------------------------


def _machine(results: Results) -> Iterator[str]:
    for fact, value in results.machine.items():
        yield f"- {fact}: {value}"
    peers = dict.fromkeys(f"{name.split()[0]} {of}" for name, of in results.peers.items())
    yield f"- Others: {', '.join(peers) or 'none'}"
    yield f"- Measured on {results.date}, in {results.repeat} rounds"
    if results.scale != 1:
        yield f"- Sources of {results.scale:g} times their full size"
    yield from (f"- {sentence}" for sentence in results.absent)


def _peers(_results: Results) -> Iterator[str]:
    yield from (f"- {name} {peer.title}" for name, peer in PEERS.items() if " " not in name)


def _conversions(results: Results) -> Iterator[str]:
    return _table(
        "conversion | program | seconds | processor seconds | peak MiB",
        (row for outcome in _of(results, "conversions") for row in _costs(outcome)),
        words=2,
    )


def _costs(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    return _titled(
        _what(outcome), ((name, *_figures(cost)) for name, cost in outcome.costs.items())
    )


def _figures(cost: Cost) -> tuple[str, str, str]:
    return _seconds(cost.wall_s), _seconds(cost.cpu_s), _mib(cost.peak_bytes)


def _aims(results: Results, group: str) -> Iterator[str]:
    return _table(
        "conversion | run | compared with | measured by | ratio | at most | aim | reached",
        (row for outcome in _of(results, group) for row in _titled(_what(outcome), _held(outcome))),
        words=4,
    )


def _held(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    """Compare each run with its maximum cost."""
    for aim in outcome.aims:
        ratio = outcome.ratio(aim)
        if ratio is None:
            continue
        reached = _verdict(is_reached=ratio <= aim.must)
        if aim.aim is not None and ratio <= aim.aim:
            reached = "yes, and the aim"
        yield (
            aim.run,
            aim.compared_with,
            _MEASURES[aim.by],
            f"{ratio:.{3 if ratio < 0.1 else 2}f}",
            f"{aim.must:.3g}",
            "" if aim.aim is None else f"{aim.aim:g}",
            reached,
        )


_MEASURES: Mapping[Measure, str] = MappingProxyType(
    {"wall_s": "wall time", "cpu_s": "processor time"}
)


def _growth(results: Results) -> Iterator[str]:
    titles = {outcome.title for outcome in _of(results, "growth")}
    return _table(
        "source | MB | entries | seconds | entries/s | MB/s | growth | peak MiB | at most"
        " | two jobs: seconds | two jobs: peak MiB | at most | reached",
        _grown(outcome for outcome in results.outcomes if outcome.title in titles),
    )


def _grown(outcomes: Iterable[Outcome]) -> Iterator[tuple[str, ...]]:
    """Yield sources by kind and size, with the growth of time divided by that of size."""
    smaller: Outcome | None = None
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.title, outcome.entries)):
        one, two = outcome.costs[ONE_JOB], outcome.costs[TWO_JOBS]
        growth = ""
        if smaller and outcome.title == smaller.title:
            times = outcome.source_bytes / smaller.source_bytes
            growth = f"{one.wall_s / smaller.costs[ONE_JOB].wall_s / times:.2f}"
        smaller = outcome
        yield (
            outcome.title,
            _megabytes(outcome.source_bytes),
            f"{outcome.entries:,}",
            _seconds(one.wall_s),
            f"{outcome.entries / one.wall_s:,.0f}",
            _megabytes(outcome.source_bytes / one.wall_s),
            growth,
            _mib(one.peak_bytes),
            _mib(_allowed_bytes(outcome, ONE_JOB)),
            _seconds(two.wall_s),
            _mib(two.peak_bytes),
            _mib(_allowed_bytes(outcome, TWO_JOBS)),
            _verdict(is_reached=_is_within_memory(outcome)),
        )


def _pairs(results: Results) -> Iterator[str]:
    """Yield a row for each source format, with a column for each target format."""
    rows: dict[str, dict[str, str]] = {}
    for outcome in _of(results, "pairs"):
        read, written = outcome.title.split(" to ")
        one, two = outcome.costs[ONE_JOB], outcome.costs[TWO_JOBS]
        shown = f"{_mib(one.peak_bytes)}, {_mib(two.peak_bytes)} in {_seconds(one.wall_s)} s"
        is_reached = _is_within_memory(outcome)
        rows.setdefault(read, {})[written] = shown if is_reached else f"**{shown}**"
    columns = dict.fromkeys(written for row in rows.values() for written in row)
    return _table(
        " | ".join(("from, to", *columns)),
        ((read, *(row.get(column, "") for column in columns)) for read, row in rows.items()),
    )


def _start_up(results: Results) -> Iterator[str]:
    return _table(
        "command | seconds | processor seconds | peak MiB",
        (
            (name, *_figures(cost))
            for outcome in _of(results, "start-up")
            for name, cost in outcome.costs.items()
        ),
    )


PARTS: Mapping[str, Callable[[Results], Iterator[str]]] = MappingProxyType(
    {
        "machine": _machine,
        "peers": _peers,
        "aims": partial(_aims, group="conversions"),
        "cliffs": partial(_aims, group="cliffs"),
        "conversions": _conversions,
        "growth": _growth,
        "pairs": _pairs,
        "start-up": _start_up,
    }
)
