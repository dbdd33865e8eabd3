"""The command `diff`: compares two sides, writes the changes, and returns the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from typing import cast

import click

from converter.cli.click_options import set_options
from converter.cli.exit_codes import Exit
from converter.cli.output import (
    IssuePrinter,
    print_line,
    print_message,
    use_color,
    write_data,
)
from converter.conversion import clock
from converter.differences.change import SHOWN_KINDS, Change, ChangeKind, DiffTotals
from converter.differences.comparison import Comparison
from converter.differences.options import DEFAULT_FIELDS, DiffOptions
from converter.differences.reports import REPORTS
from converter.issues import Severity, printable
from converter.options import DiffCommandOptions, RunOptions
from converter.options.parsing import DIFF_OPTIONS, parse, take_options
from converter.publish.publisher import temporary_file
from converter.values import numbers

#: The kinds that `txt` shows by default: those for a crawler or a cache.
_OF_TXT = frozenset({"added", "changed"})


def diff(ctx: click.Context) -> Exit:
    """Compare the two sides of the command line.

    Raises:
        ConverterError: an option is refused, or a side cannot be read; nothing is written then.
        click.UsageError: there are not two sides.
    """
    options = set_options(ctx, DIFF_OPTIONS)
    color, is_quiet = use_color(options.pop("color", None)), options.pop("quiet", False)
    options.pop("config", None)
    command = take_options(DiffCommandOptions, options)
    old, new = _sides(ctx, command)
    printer = IssuePrinter(
        least=Severity.ERROR if is_quiet else Severity.WARNING, color=color, report=None
    )
    with ExitStack() as closing:
        closing.callback(printer.close)
        run = parse(options, clock.now())
        comparison = Comparison(_diff_options(command, run), temporary_file, closing)
        changes = comparison.changes(old, new, printer)
        first = list(islice(changes, 1))  # all errors come before it
        _write(chain(first, changes), comparison.totals, command)
    totals = comparison.totals
    if not is_quiet:
        _print_notes(totals, old == new, color=color)
        print_line(totals.sentence())
    return Exit.FOUND if _has_failed(totals, command.fail_if_removed) else Exit.DONE


def _sides(
    ctx: click.Context, command: DiffCommandOptions
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    named = ctx.params["source"]
    if command.old and command.new and not named:
        return command.old, command.new
    if len(named) != 2 or command.old or command.new:
        raise click.UsageError(
            f"wanted two sources, OLD and NEW, found {len(named)}. A side of several sources is "
            "written as --old A --old B --new C."
        )
    return (named[0],), (named[1],)


def _diff_options(command: DiffCommandOptions, run: RunOptions) -> DiffOptions:
    """Return the options of the comparison; some values hold several words with commas."""
    only = frozenset(_words(command.only)) or (_OF_TXT if command.format == "txt" else SHOWN_KINDS)
    return DiffOptions(
        run=run,
        compare=tuple(_words(command.compare)) or DEFAULT_FIELDS,
        lastmod_order=command.lastmod_order,
        map_host=command.map_host,
        map_url=command.map_url,
        raw=command.raw,
        only=cast("frozenset[ChangeKind]", only),
        from_old=command.from_old,
        from_new=command.from_new,
        allow_truncated=command.allow_truncated,
        memory_bytes=command.max_in_memory,
    )


def _words(values: Iterable[str]) -> list[str]:
    return [word.strip() for value in values for word in value.split(",") if word.strip()]


def _write(changes: Iterator[Change], totals: DiffTotals, command: DiffCommandOptions) -> None:
    if command.summary:
        for _ in changes:
            pass
        return
    texts = REPORTS[command.format](changes, totals)
    write_data((text.encode("utf-8", "backslashreplace") for text in texts), command.output)


def _print_notes(totals: DiffTotals, is_same_source: bool, *, color: bool) -> None:
    if is_same_source:
        print_message("note", "OLD and NEW are the same source", color=color)
    for name, side in (("old", totals.old), ("new", totals.new)):
        if not side.urls:
            sources = ", ".join(map(printable, side.names))
            print_message("warning", f"the {name} side has no pages ({sources})", color=color)
    if totals.not_compared:
        fields = ", ".join(totals.not_compared)
        message = f"not compared, because not both formats hold them: {fields}"
        print_message("note", message, color=color)


def _has_failed(totals: DiffTotals, limit: str | None) -> bool:
    """Return True if the sides differ, or with `--fail-if-removed` if too many are removed."""
    if limit is None:
        return totals.is_different
    most = numbers.percentage(limit)
    removed = totals.removed_percent if limit.strip().endswith("%") else totals.kinds["removed"]
    return removed > most
