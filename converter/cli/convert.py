"""The command `convert`: from click's context to the library, and back to people."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from converter.cli import ENVIRONMENT_PREFIX
from converter.cli.config_file import CONFIG_NOTE
from converter.cli.exit_codes import Exit
from converter.cli.options import distance, set_options
from converter.cli.output import (
    IssuePrinter,
    complain,
    losses_table,
    on_terminal,
    say,
    summary,
    wants_colour,
)
from converter.cli.progress import Bar
from converter.errors import OptionError, SourceError
from converter.issues import Severity, printable
from converter.options.parsing import COMMAND_OPTIONS, OPTIONS, parse_command

if TYPE_CHECKING:
    from converter.options import CommandOptions

_STANDARD = "-"


def convert(ctx: click.Context) -> Exit:
    """Convert as the command line says.

    Raises:
        ConverterError: as the library does.
        click.UsageError: options that contradict each other.
    """
    command = parse_command(set_options(ctx, COMMAND_OPTIONS))
    sources = ctx.params["source"] or (_STANDARD,)
    if not ctx.params["source"] and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError("there is no SOURCE; name a file, or - for standard input.")
    options = set_options(ctx, (option for option in OPTIONS if option not in COMMAND_OPTIONS))
    options.setdefault("jobs", _cores())
    if command.losses or command.report:
        options["count_fields"] = True
    least, colour = _least(ctx, command), wants_colour(command.color)
    shows_summary = least < Severity.ERROR
    if CONFIG_NOTE in ctx.meta and shows_summary:
        complain("note", ctx.meta[CONFIG_NOTE], colour=colour)

    from converter import api  # imports lxml, which a refused option does not need

    _resume_gc()
    _refuse_as_source(sources, command.output)
    _refuse_other_format(ctx)
    bar = Bar()
    with _json_report(command, sources, options) as report:
        printer = IssuePrinter(least=least, colour=colour, clear=bar.clear, report=report)
        try:
            result = api.convert(
                sources,
                command.output,
                report=printer,
                progress=bar if _wants_bar(command, least) else None,
                **options,
            )
        finally:
            bar.clear()
            printer.close()
        is_clean = printer.worst < Severity.WARNING or not command.strict
        code = Exit.DONE if is_clean else Exit.FOUND
        if report is not None:
            report.conclude(result, code)
    if shows_summary:
        for sentence in result.found:
            complain("note", sentence, colour=colour)
        say(summary(result, dry_run=ctx.params["dry_run"], has_table=command.losses))
    has_table = shows_summary or distance(ctx, "losses") <= distance(ctx, "quiet")
    for line in losses_table(result) if command.losses and has_table else ():
        say(line)
    return code


def _resume_gc() -> None:
    """Collect garbage again, but not among what is there already: code, which stays."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _cores() -> int:
    """Count the cores that this process may use, as far as --jobs goes."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(cores, 256)


def _least(ctx: click.Context, command: CommandOptions) -> Severity:
    """Return the least severity to print; of --quiet and --verbose the one set nearer wins."""
    order = distance(ctx, "quiet") - distance(ctx, "verbose")
    if command.quiet and command.verbose and order == 0:
        raise click.UsageError("--quiet and --verbose contradict each other.")
    if command.quiet and not (command.verbose and order > 0):
        return Severity.ERROR
    return Severity.INFO if command.verbose else Severity.WARNING


def _wants_bar(command: CommandOptions, least: Severity) -> bool:
    if command.progress is None:
        return on_terminal() and least < Severity.ERROR
    return command.progress


def _json_report(command: CommandOptions, sources: tuple[str, ...], options: dict[str, Any]) -> Any:
    """Begin the report, if there is to be one, where it replaces no other file of the run."""
    if command.report is None:
        return nullcontext()
    if command.report == _STANDARD:
        raise click.UsageError("--report needs a file: standard output is for data.")
    from converter.cli.json_report import JsonReport
    from converter.publish.file_names import with_gz
    from converter.publish.path_conflicts import check_paths

    names = ("news_output", "robots", "cache")
    check_paths(
        {
            "--report": command.report,
            **{f"--{name.replace('_', '-')}": options.get(name) for name in names},
        },
        with_gz(command.output, options.get("gzip", False)),
        (*sources, *options.get("merge", ())),
        split_hosts=options.get("split_hosts", False),
    )
    return JsonReport(command.report, sources)


def _refuse_as_source(sources: tuple[str, ...], target: str) -> None:
    """Raise SourceError if the last of several sources is probably meant as the output."""
    last = sources[-1]
    if len(sources) == 1 or target != _STANDARD or os.path.lexists(last) or "://" in last:
        return
    from converter.formats.registry import FORMATS
    from converter.values.media_types import format_extension

    if any(format_extension(last) in row.extensions for row in FORMATS.values() if row.writer):
        shown = printable(last)
        raise SourceError(
            f"{shown}: there is no such file. If it is the output: did you mean -o {shown}?"
        )


def _refuse_other_format(ctx: click.Context) -> None:
    """Raise OptionError for `-t rss` where a file of options names `sitemap.xml` as the output."""
    to, output = ctx.params["to"], ctx.params["output"]
    if output in {None, _STANDARD} or distance(ctx, "to") >= distance(ctx, "output"):
        return
    from converter.formats import registry

    row = registry.by_name(to)
    usual = os.environ.get(f"{ENVIRONMENT_PREFIX}_TO") or (ctx.default_map or {}).get("to")
    meant = registry.by_name(usual) if usual else registry.target_of(output)
    if row.read is not meant.read:  # Media RSS is RSS
        raise OptionError(
            f"--to {row.name} does not fit --output {printable(output)}, which was set for "
            f"{meant.title}; name an output for this run with -o, or - for standard output"
        )
