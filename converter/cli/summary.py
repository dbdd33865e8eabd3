"""The summary line of a run, and the table of `--losses`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from converter.cli.output import visible

if TYPE_CHECKING:
    from converter.conversion.result import LeftOut, Result


def summary_line(result: Result, *, dry_run: bool, has_table: bool = False) -> str:
    """Return the summary of a run; `has_table`: the table of losses follows."""
    news = [file for file in result.files if file.kind.startswith("news")]
    written = [file.path for file in result.files if file not in news]
    first, position = _main_file([*written, *result.kept])
    name = "standard output" if first == "-" else visible(first)
    unchanged = "unchanged, " if result.unchanged else ""
    parts = (
        f"{name}: {unchanged}{position}{_counts(result, bool(news), dry_run=dry_run)}",
        *_changes(result, dry_run=dry_run),
        *(f"{visible(file.path)}: {_plural(result.news, 'news article')}" for file in news[:1]),
        *_left_out(result.left_out, has_table=has_table),
    )
    return "; ".join(parts)


def _main_file(paths: Sequence[str]) -> tuple[str, str]:
    """Return the index of the other files, or else the first, and a note which it is."""
    first = min(paths, key=lambda path: (len(path.removesuffix(".gz")), path))
    others = [path for path in paths if path != first]
    stem, _ = os.path.splitext(first.removesuffix(".gz"))
    if others and all(path.startswith(f"{stem}-") for path in others):
        return first, f"index of {_plural(len(others), 'file')}, "
    return first, f"first of {_plural(len(paths), 'file')}, " if others else ""


def _counts(result: Result, has_news_file: bool, *, dry_run: bool) -> str:
    articles = 0 if has_news_file else result.news
    counts = {"video": result.videos, "image": result.images, "news article": articles}
    items = [_plural(result.urls, "URL")]
    items += [_plural(count, noun) for noun, count in counts.items() if count]
    sources = [_plural(result.sources if result.named is None else result.named, "source")]
    sources += (_plural(count, kind) for kind, count in result.read_apart.items())
    if result.unchanged_sources:
        sources.append(f"{result.unchanged_sources:,} unchanged")
    changes = {"added": result.added, "changed": result.renewed, "removed": result.dropped}
    changed = ", ".join(f"{count:,} {verb}" for verb, count in changes.items() if count)
    changed = f"{changed}; " if changed and not dry_run else ""
    return f"{', '.join(items)} ({changed}from {', '.join(sources)})"


def _changes(result: Result, *, dry_run: bool) -> Iterator[str]:
    if dry_run:
        change = {None: "be created", True: "change", False: "not change"}[result.changed]
        if result.changed and result.added is not None:
            changed, removed = result.renewed or 0, result.dropped or 0
            change = f"add {result.added:,}, change {changed:,}, remove {removed:,}"
        yield f"dry run: would {change}"
    elif result.unchanged and not (result.files or result.robots):
        yield "nothing was written"
    if result.removed:
        files = _plural(len(result.removed), "stale file")
        yield f"{'would remove' if dry_run else 'removed'} {files}"
    if result.robots:
        verb, participle = ("create", "created") if result.robots_created else ("renew", "renewed")
        yield f"would {verb} robots.txt" if dry_run else f"robots.txt {participle}"


def _left_out(rows: Sequence[LeftOut], *, has_table: bool) -> Iterator[str]:
    """Yield the items that are not in the output, and a format of the same family with them."""
    if not rows:
        return
    rescued = [row for row in rows if row.kept_by]
    has_reasons = has_table or rescued == list(rows)
    yield f"left out: {_items(rows)}{'' if has_reasons else ' (--losses shows why)'}"
    formats = rescued[0].kept_by if rescued else ()
    for name in formats:
        if all(name in row.kept_by for row in rescued):
            yield f"-t {name} keeps {'them' if rescued == list(rows) else _items(rescued)}"
            return


def _items(rows: Iterable[LeftOut]) -> str:
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.item] += row.number
    return ", ".join(_plural(number, item) for item, number in counts.items())


def _plural(count: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun == "entry" else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def losses_table(result: Result) -> Iterator[str]:
    """Yield the lines of `--losses`: items left out, then lost or altered fields."""
    from converter.cli.formats_table import aligned

    if result.left_out:
        rows = [(row.item, f"{row.number:,}", _reason(row)) for row in result.left_out]
        yield from aligned([("LEFT OUT", "COUNT", "WHY"), *rows])
    fields = []
    for name in sorted({*result.lost, *result.altered}):
        altered, lost = result.altered.get(name, 0), result.lost.get(name, 0)
        kept = max(result.present.get(name, 0) - altered - lost, 0)
        fields.append((visible(name), f"{kept:,}", f"{altered:,}", f"{lost:,}"))
    if fields:
        yield from aligned([("FIELD", "KEPT", "ALTERED", "LOST"), *fields])
    elif not result.left_out:
        yield "nothing was left out, altered or lost"


def _reason(row: LeftOut) -> str:
    return f"{row.why}; -t {row.kept_by[0]} keeps it" if row.kept_by else row.why
