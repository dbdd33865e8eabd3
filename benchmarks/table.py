"""Writes results into the page that shows them, between marks that say so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from benchmarks.data import MB
from benchmarks.peers import PEERS
from benchmarks.results import Cost, Outcome, Results

__all__ = ["PAGE", "PARTS", "rendered"]

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"

#: A part of the page: its name, and what it holds.
_PART = re.compile(
    r"(<!-- ([a-z-]+): written by `python -m benchmarks table` -->\n).*?(<!-- end -->)", re.DOTALL
)
MIB = 1024 * 1024

#: Peak memory that we aim for: this, and so much for each URL, to know it when it comes again.
BASE_BYTES = 64 * MIB
BYTES_PER_URL = 130


def rendered(page: str, results: Results) -> str:
    """Give the page with all its parts written anew."""

    def written(part: re.Match[str]) -> str:
        lines = "\n".join(PARTS[part[2]](results)).strip()
        return f"{part[1]}\n{lines or 'Not measured in this run.'}\n\n{part[3]}"

    return _PART.sub(written, page)


# -- cells ------------------------------------------------------------------------------------


def _table(head: str, rows: Iterable[Iterable[str]], *, words: int = 1) -> Iterator[str]:
    """Show rows, if there are any; but for their first `words` columns they are figures."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if lines:
        yield f"| {head} |"
        yield "|---" * words + "|---:" * (head.count("|") + 1 - words) + "|"
        yield from lines


def _seconds(seconds: float) -> str:
    """Give three digits that mean something."""
    return f"{seconds:.{3 if seconds < 1 else 2 if seconds < 10 else 1}f}"


def _mib(size_bytes: float) -> str:
    return f"{size_bytes / MIB:,.0f}"


def _megabytes(size_bytes: float) -> str:
    size = size_bytes / MB
    return f"{size:.{1 if size < 10 else 0}f}"


def _verdict(*, is_reached: bool) -> str:
    return "yes" if is_reached else "**no**"


def _allowed_bytes(outcome: Outcome) -> int:
    return BASE_BYTES + BYTES_PER_URL * outcome.entries


def _of(results: Results, *groups: str) -> list[Outcome]:
    return [outcome for outcome in results.outcomes if outcome.group in groups]


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
        "conversion | program | seconds | of processors | peak MiB | ours ÷ theirs | aim | reached",
        (row for outcome in _of(results, "conversions") for row in _programs(outcome)),
        words=2,
    )


def _programs(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    """Show our run, and below it the others with how much of their time ours is."""
    size = f"{_megabytes(outcome.source_bytes)} MB, {outcome.entries:,} entries"
    if outcome.source_bytes < MB / 10:
        size = f"{outcome.entries:,} entries"
    for name, cost in outcome.costs.items():
        if cost is outcome.ours:
            yield f"{outcome.title} ({size})", f"**{name}**", *_figures(cost), "", "", ""
        else:
            yield "", name, *_figures(cost), *_held(outcome, name)


def _figures(cost: Cost) -> tuple[str, str, str]:
    return _seconds(cost.wall_s), _seconds(cost.cpu_s), _mib(cost.peak_bytes)


def _held(outcome: Outcome, rival: str) -> tuple[str, str, str]:
    """Give how much of a rival's time ours is, how much we aim for, and whether it is reached."""
    ratio = outcome.ours.wall_s / outcome.costs[rival].wall_s
    aim = outcome.aims.get(rival)
    shown = f"{ratio:.{3 if ratio < 0.1 else 2}f}"
    if aim is None:
        return shown, "", ""
    return shown, f"≤ {aim:g}", _verdict(is_reached=ratio <= aim)


def _growth(results: Results) -> Iterator[str]:
    return _table(
        "source | MB | entries | seconds | entries/s | MB/s | growth | peak MiB | aim | reached",
        _grown(_of(results, "growth", "memory")),
    )


def _grown(outcomes: Iterable[Outcome]) -> Iterator[tuple[str, ...]]:
    """Show sources of a kind by their size, and how time grew: 1 is as the size did."""
    smaller: Outcome | None = None
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.title, outcome.entries)):
        ours, allowed = outcome.ours, _allowed_bytes(outcome)
        growth = ""
        if smaller and outcome.group == smaller.group and outcome.title == smaller.title:
            times = outcome.source_bytes / smaller.source_bytes
            growth = f"{ours.wall_s / smaller.ours.wall_s / times:.2f}"
        if outcome.group == "growth":  # the others lie too close to one another
            smaller = outcome
        yield (
            outcome.title,
            _megabytes(outcome.source_bytes),
            f"{outcome.entries:,}",
            _seconds(ours.wall_s),
            *_speed(outcome),
            growth,
            _mib(ours.peak_bytes),
            f"≤ {_mib(allowed)}",
            _verdict(is_reached=ours.peak_bytes <= allowed),
        )


def _speed(outcome: Outcome) -> tuple[str, str]:
    wall_s = outcome.ours.wall_s
    return f"{outcome.entries / wall_s:,.0f}", _megabytes(outcome.source_bytes / wall_s)


def _expect(results: Results) -> Iterator[str]:
    """Show the largest source of each kind, where start-up counts for least."""
    by_size = sorted(_of(results, "growth"), key=lambda outcome: outcome.entries)
    largest = {outcome.title: outcome for outcome in by_size}
    return _table(
        "source | entries a second | MB a second | peak MiB | of how many entries",
        (
            (title, *_speed(outcome), _mib(outcome.ours.peak_bytes), f"{outcome.entries:,}")
            for title, outcome in sorted(largest.items())
        ),
    )


def _pairs(results: Results) -> Iterator[str]:
    """Show a row for each format that is read, a column for each that is written."""
    rows: dict[str, dict[str, str]] = {}
    for outcome in _of(results, "pairs"):
        read, written = outcome.title.split(" to ")
        peak = outcome.ours.peak_bytes
        shown = f"{_mib(peak)} in {_seconds(outcome.ours.wall_s)} s"
        is_reached = peak <= _allowed_bytes(outcome)
        rows.setdefault(read, {})[written] = shown if is_reached else f"**{shown}**"
    columns = dict.fromkeys(written for row in rows.values() for written in row)
    return _table(
        " | ".join(("from, to", *columns)),
        ((read, *(row.get(column, "") for column in columns)) for read, row in rows.items()),
    )


def _profiles(results: Results) -> Iterator[str]:
    return _table(
        "conversion | where the time goes",
        (
            (
                outcome.title,
                ", ".join(f"{module} {share:.0%}" for module, share in outcome.profile.items()),
            )
            for outcome in _of(results, "conversions")
            if outcome.profile
        ),
        words=2,
    )


def _start_up(results: Results) -> Iterator[str]:
    return _table(
        "command | seconds | of processors | peak MiB",
        ((outcome.title, *_figures(outcome.ours)) for outcome in _of(results, "start-up")),
    )


PARTS: Mapping[str, Callable[[Results], Iterator[str]]] = MappingProxyType(
    {
        "machine": _machine,
        "expect": _expect,
        "peers": _peers,
        "conversions": _conversions,
        "growth": _growth,
        "profiles": _profiles,
        "pairs": _pairs,
        "start-up": _start_up,
    }
)
