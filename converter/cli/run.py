"""One run of `convert`: from click's context to the library, and back to people."""

from __future__ import annotations

import gc
import os
import re
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from converter.cli import ENVIRONMENT_PREFIX
from converter.cli.config import CONFIG_NOTE, CONFIG_PLACE
from converter.cli.exits import Exit
from converter.cli.progress import Bar
from converter.cli.terminal import (
    IssuePrinter,
    complain,
    losses_table,
    on_terminal,
    say,
    summary,
    wants_colour,
)
from converter.errors import OptionError, SourceError
from converter.issues import Severity, printable
from converter.options.table import OPTIONS

if TYPE_CHECKING:
    from converter.api import ConvertOptions
    from converter.cli.jsonreport import JsonReport

__all__ = ["convert"]

_STANDARD = "-"

#: Where an option can be set; the first wins.
_PRECEDENCE = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
    ParameterSource.DEFAULT,
)


def convert(ctx: click.Context) -> Exit:
    """Convert as the command line says.

    Raises:
        ConverterError: as the library does.
        click.UsageError: options that contradict each other.
    """
    given = ctx.params
    sources, target = _streams(given["source"], given["output"])
    _refuse_empty(ctx)
    _refuse_overwriting(ctx, sources, target)
    least = _least(ctx)
    colour = wants_colour(given["color"])
    if CONFIG_NOTE in ctx.meta and least < Severity.ERROR:
        complain("note", ctx.meta[CONFIG_NOTE], colour=colour)

    bar = Bar()
    options = _options(ctx)
    options["jobs"] = _cores() if given["jobs"] is None else given["jobs"]
    if given["losses"] or given["report"]:
        options["count_fields"] = True
    with _ledger(given["report"], sources) as ledger:
        printer = IssuePrinter(least=least, colour=colour, clear=bar.clear, ledger=ledger)
        progress = bar if _wants_bar(given["progress"], least) else None
        try:
            from converter import api  # imports lxml, which a refused option does not need

            _resume_gc()
            _refuse_as_source(sources, target)
            _refuse_other_format(ctx)
            result = api.convert(sources, target, report=printer, progress=progress, **options)
        except OptionError as error:
            raise _with_origins(error, ctx) from error
        finally:
            bar.clear()
            printer.close()
        found = given["strict"] and printer.worst >= Severity.WARNING
        code = Exit.FOUND if found else Exit.DONE
        if ledger is not None:
            ledger.conclude(result, code)
    if least < Severity.ERROR:
        for sentence in result.found:
            complain("note", sentence, colour=colour)
        say(summary(result, dry_run=given["dry_run"], has_table=given["losses"]))
    for line in losses_table(result) if _wants_table(ctx, least) else ():
        say(line)
    return code


def _resume_gc() -> None:
    """Collect garbage again, but not among what is there already: code, which stays."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _cores() -> int:
    """Count the cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ledger(
    path: str | None, sources: tuple[str, ...]
) -> AbstractContextManager[JsonReport | None]:
    if not path:
        return nullcontext()
    from converter.cli.jsonreport import JsonReport

    return JsonReport(path, sources)


def _streams(named: tuple[str, ...], output: str | None) -> tuple[tuple[str, ...], str]:
    """Let the standard streams stand for what was not named."""
    if not named and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError("there is no SOURCE; name a file, or - for standard input.")
    return named or (_STANDARD,), _STANDARD if output is None else output


def _refuse_as_source(sources: tuple[str, ...], target: str) -> None:
    """Ask whether the last of several sources is meant as the output.

    Raises:
        SourceError: it is not there, and is called as an output is.
    """
    last = sources[-1]
    if len(sources) == 1 or target != _STANDARD or os.path.lexists(last) or "://" in last:
        return
    from converter.registry import FORMATS
    from converter.values.mediatypes import format_extension

    if any(format_extension(last) in row.extensions for row in FORMATS.values() if row.writer):
        shown = printable(last)
        raise SourceError(
            f"{shown}: there is no such file. If it is the output: did you mean -o {shown}?"
        )


def _place(ctx: click.Context, name: str) -> int:
    """Rank where an option was set: the command line is 0, the default last."""
    return _PRECEDENCE.index(ctx.get_parameter_source(name) or ParameterSource.DEFAULT)


def _refuse_other_format(ctx: click.Context) -> None:
    """Refuse `-t rss` where a file of options names `sitemap.xml` as the output.

    Raises:
        OptionError: the output was named elsewhere, and for another format.
    """
    to, output = ctx.params["to"], ctx.params["output"]
    if output in {None, _STANDARD} or _place(ctx, "to") >= _place(ctx, "output"):
        return
    from converter import registry

    row = registry.by_name(to)
    usual = os.environ.get(f"{ENVIRONMENT_PREFIX}_TO") or (ctx.default_map or {}).get("to")
    meant = registry.by_name(usual) if usual else registry.target_of(output)
    if row.read is not meant.read:  # Media RSS is RSS
        raise OptionError(
            f"--to {row.name} does not go with --output {printable(output)}, which was named for "
            f"{meant.title}; name an output for this run with -o, or - for standard output"
        )


def _with_origins(error: OptionError, ctx: click.Context) -> OptionError:
    """Add where the options in the message were set, if it was not on the command line."""
    message = str(error)
    named = dict.fromkeys(re.findall(r"--([a-z][a-z-]*[a-z])", message))
    for word in named:
        name = word.replace("-", "_")
        match ctx.get_parameter_source(name):
            case ParameterSource.ENVIRONMENT:
                message += f" (--{word} was set in {ENVIRONMENT_PREFIX}_{name.upper()})"
            case ParameterSource.DEFAULT_MAP:
                message += f" (--{word} was set in {ctx.meta[CONFIG_PLACE]})"
    return OptionError(message)


def _refuse_empty(ctx: click.Context) -> None:
    """Refuse an empty value, as of `--report "$FILE"`, where it would count as no value.

    Raises:
        OptionError: there is one.
    """
    for option in OPTIONS:
        if not option.allows_empty and ctx.params[option.name] == "":
            error = OptionError(
                f"{option.long}: the value is empty; give one, or leave {option.long} out"
            )
            raise _with_origins(error, ctx)


def _refuse_overwriting(ctx: click.Context, sources: tuple[str, ...], output: str) -> None:
    """Refuse a report in the place of another file of the run; the library checks the others."""
    params = ctx.params
    if params["report"] is None:
        return
    if params["report"] == _STANDARD:
        raise click.UsageError("--report needs a file: standard output is for data.")
    from converter.edge.sinks.places import Places

    named = ("gzip", "split_hosts", "report", "news_output", "robots", "cache")
    given = {name: params[name] for name in named}
    try:
        Places(sources=sources, merged=params["merge"], output=output, **given).check()
    except OptionError as error:
        raise _with_origins(error, ctx) from error


def _least(ctx: click.Context) -> Severity:
    """Give the least severity to print; of --quiet and --verbose the one set nearer wins."""
    quiet, verbose = ctx.params["quiet"], ctx.params["verbose"]
    if quiet and verbose:
        order = _place(ctx, "quiet") - _place(ctx, "verbose")
        if order == 0:
            raise click.UsageError("--quiet and --verbose contradict each other.")
        quiet, verbose = order < 0, order > 0
    if quiet:
        return Severity.ERROR
    return Severity.INFO if verbose else Severity.WARNING


def _wants_table(ctx: click.Context, least: Severity) -> bool:
    """Whether to print the table of losses; --quiet prevents it where it is set nearer."""
    if not ctx.params["losses"] or least < Severity.ERROR:
        return bool(ctx.params["losses"])
    return _place(ctx, "losses") <= _place(ctx, "quiet")


def _wants_bar(option: bool | None, least: Severity) -> bool:
    return on_terminal() and least < Severity.ERROR if option is None else option


def _options(ctx: click.Context) -> ConvertOptions:
    """Give the keywords that were set somewhere: the library has its own defaults."""
    given: dict[str, Any] = {
        option.keyword: ctx.params[option.name]
        for option in OPTIONS
        if not option.cli_only
        and ctx.get_parameter_source(option.name) is not ParameterSource.DEFAULT
    }
    if given.get("format", "").lower() == "auto":
        del given["format"]
    return cast("ConvertOptions", given)
