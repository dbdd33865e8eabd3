"""The command `convert`: calls the library with click's parameters, and prints the result."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from converter.cli.click_options import precedence, set_options
from converter.cli.exit_codes import Exit
from converter.cli.output import IssuePrinter, on_terminal, print_line, print_message, use_color
from converter.cli.summary import losses_table, summary_line
from converter.errors import OptionError, SourceError
from converter.issues import Severity, printable
from converter.options import CommandOptions
from converter.options.parsing import KEYWORDS, OPTIONS, take_options

if TYPE_CHECKING:
    from converter.cli.json_report import JsonReport

_STANDARD = "-"


def convert(ctx: click.Context) -> Exit:
    """Convert the sources of the command line and print the summary.

    Raises:
        ConverterError: as the library does.
        click.UsageError: options that contradict each other.
    """
    options = set_options(ctx, OPTIONS)
    ctx.find_root().color = options.get("color")  # for an error message
    command = take_options(CommandOptions, options)
    sources = ctx.params["source"] or (_STANDARD,)
    if not ctx.params["source"] and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError("there is no SOURCE; name a file, or - for standard input.")
    options.setdefault("jobs", _count_cores())
    if command.losses or command.report:
        options["count_fields"] = True
    least, color = _least_severity(ctx, command), use_color(command.color)
    shows_summary = least < Severity.ERROR
    has_bar = on_terminal() and shows_summary if command.progress is None else command.progress

    from converter import api  # imports lxml, which a refused option does not need

    _enable_gc()
    _check_last_source(sources, command.output)
    _check_configured_output(ctx)
    with _open_report(command, sources, options) as report:
        printer = IssuePrinter(least=least, color=color, report=report)
        try:
            result = api.convert(
                sources,
                command.output,
                report=printer,
                progress=printer.bar if has_bar else None,
                **options,
            )
        finally:
            printer.close()
        is_refused = command.strict and printer.worst >= Severity.WARNING
        code = Exit.FOUND if is_refused else Exit.DONE
        if report is not None:
            report.add_result(result, code)
    if shows_summary:
        for sentence in result.found:
            print_message("note", sentence, color=color)
        is_dry = options.get("dry_run", False)
        print_line(summary_line(result, dry_run=is_dry, has_table=command.losses))
    has_table = shows_summary or precedence(ctx, "losses") <= precedence(ctx, "quiet")
    for line in losses_table(result) if command.losses and has_table else ():
        print_line(line)
    return code


def _enable_gc() -> None:
    """Enable the garbage collector, but not for the objects of imported modules."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _count_cores() -> int:
    """Return the number of cores that this process may use, at most the maximum of --jobs."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(cores, 256)


def _least_severity(ctx: click.Context, command: CommandOptions) -> Severity:
    """Return the least severity to print; --quiet wins over --verbose of the same precedence."""
    quiet, verbose = precedence(ctx, "quiet"), precedence(ctx, "verbose")
    if command.quiet and (quiet <= verbose or not command.verbose):
        return Severity.ERROR
    return Severity.INFO if command.verbose else Severity.WARNING


def _open_report(
    command: CommandOptions, sources: tuple[str, ...], options: dict[str, Any]
) -> AbstractContextManager[JsonReport | None]:
    """Open the report, if one is requested and its path is no other file of the run."""
    if command.report is None:
        return nullcontext()
    if command.report == _STANDARD:
        raise click.UsageError("--report needs a file: standard output is for data.")
    from converter.cli.json_report import open_report
    from converter.publish.file_names import with_gz
    from converter.publish.path_conflicts import check_paths

    names = ("news_output", "robots", "cache")
    paths = {KEYWORDS[name].long: options.get(name) for name in names}
    check_paths(
        {"--report": command.report, **paths},
        with_gz(command.output, options.get("gzip", False)),
        (*sources, *options.get("merge", ())),
        split_hosts=options.get("split_hosts", False),
    )
    return open_report(command.report, sources)


def _check_last_source(sources: tuple[str, ...], target: str) -> None:
    """Raise SourceError if the last of several sources is probably meant as the output."""
    last = sources[-1]
    is_missing = last != _STANDARD and "://" not in last and not os.path.lexists(last)
    if is_missing and len(sources) > 1 and target == _STANDARD:
        name = printable(last)
        raise SourceError(
            f"{name}: the file does not exist. For an output: did you mean -o {name}?"
        )


def _check_configured_output(ctx: click.Context) -> None:
    """Raise OptionError if only the format, not the output of a file or variable, is replaced."""
    to, output = ctx.params["to"], ctx.params["output"]
    if output not in {None, _STANDARD} and precedence(ctx, "to") < precedence(ctx, "output"):
        raise OptionError(
            f"--to {printable(to)} may not fit --output {printable(output)}, which is set for all "
            "runs; name an output for this run with -o, or - for standard output"
        )
