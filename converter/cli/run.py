"""One run of `convert`: from the words that were parsed to the library, and back to people."""

from __future__ import annotations

import os
import re
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, cast

from converter.cli import collector
from converter.cli.exits import Exit
from converter.cli.identity import VARIABLES
from converter.cli.progress import Bar
from converter.cli.said import COMMAND_LINE, ELSEWHERE, ENVIRONMENT, MisuseError, Said
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
from converter.issues import Code, Issue, Report, Severity, printable

if TYPE_CHECKING:
    from converter.api import ConvertOptions
    from converter.cli.jsonreport import JsonReport

__all__ = ["convert"]

_STANDARD = "-"

#: Issues of one code that are printed before the rest is only counted.
_PER_CODE = 10

#: Options whose empty value the library takes for none.
_NEVER_EMPTY = ("to", "report", "cache", "news_output", "robots", "loc_template")

#: What the command line keeps to itself.
_OURS = frozenset(
    (
        *("source", "output", "config", "strict", "report", "losses"),
        *("quiet", "verbose", "progress", "color"),
    )
)

#: What the library calls by another name.
_RENAMED = {
    "from": "format",
    "header": "headers",
    "keep_param": "keep_params",
    "drop_param": "drop_params",
}


class _Reporter:
    """Hands issues on, and remembers how bad it got."""

    def __init__(self, printer: IssuePrinter, ledger: Report | None) -> None:
        self._printer = printer
        self._ledger = ledger
        self.worst = Severity.INFO

    @property
    def most(self) -> int | None:
        """How many of each code anybody wants to see; `ledger.Brief` tells more."""
        return self._printer.per_code if self._ledger is None else None

    def __call__(self, issue: Issue) -> None:
        self.worst = max(self.worst, issue.severity)
        self._printer(issue)
        if self._ledger is not None:
            self._ledger(issue)

    def more(self, code: Code, number: int) -> None:
        """Take the number of those that are not shown."""
        self._printer.more(code, number)


def convert(said: Said) -> Exit:
    """Convert as the command line says.

    Raises:
        ConverterError: as the library does.
        MisuseError: words that contradict each other.
    """
    words = said.words
    sources, target = _streams(words["source"], words["output"])
    _refuse_empty(said)
    _refuse_overwriting(said, sources, target)
    least = _least(said)
    colour = wants_colour(words["color"])
    if said.note is not None and least < Severity.ERROR:
        complain("note", said.note, colour=colour)

    bar = Bar()
    options = _options(said)
    options["jobs"] = _cores() if words["jobs"] is None else words["jobs"]
    per_code = None if least is Severity.INFO else _PER_CODE
    if words["losses"] or words["report"]:
        options["count_fields"] = True
    printer = IssuePrinter(least=least, per_code=per_code, colour=colour, clear=bar.clear)
    with _ledger(words["report"], sources) as ledger:
        reporter = _Reporter(printer, ledger)
        progress = bar if _wants_bar(words["progress"], least) else None
        try:
            from converter import api  # brings lxml: not before the words are known to be right

            collector.resume()
            _refuse_as_source(sources, target)
            _refuse_other_format(said)
            result = api.convert(sources, target, report=reporter, progress=progress, **options)
        except OptionError as error:
            raise _with_origins(error, said) from error
        finally:
            bar.clear()
            printer.close()
        found = words["strict"] and reporter.worst >= Severity.WARNING
        code = Exit.FOUND if found else Exit.DONE
        if ledger is not None:
            ledger.conclude(result, code)
    if least < Severity.ERROR:
        for sentence in result.found:
            complain("note", sentence, colour=colour)
        say(summary(result, dry_run=words["dry_run"], has_table=words["losses"]))
    for line in losses_table(result) if _wants_table(said, least) else ():
        say(line)
    return code


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
        raise MisuseError("there is no SOURCE; name a file, or - for standard input.")
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
    from converter.values.extensions import extension_of

    if any(extension_of(last) in row.extensions for row in FORMATS.values() if row.writer):
        shown = printable(last)
        raise SourceError(
            f"{shown}: there is no such file. If it is the output: did you mean -o {shown}?"
        )


def _refuse_other_format(said: Said) -> None:
    """Refuse `-t rss` where a file of options names `sitemap.xml` as the output.

    Raises:
        OptionError: the output was named elsewhere, and for another format.
    """
    to, output = said.words["to"], said.words["output"]
    is_nearer = said.places.get("to", ELSEWHERE) < said.places.get("output", COMMAND_LINE)
    if output == _STANDARD or not is_nearer:
        return
    from converter import registry

    row = registry.by_name(to)
    usual = said.usual_to
    meant = registry.by_name(usual) if usual else registry.target_of(output)
    if row.read is not meant.read:  # Media RSS is RSS
        raise OptionError(
            f"--to {row.name} does not go with --output {printable(output)}, which was named for "
            f"{meant.title}; name an output for this run with -o, or - for standard output"
        )


def _with_origins(error: OptionError, said: Said) -> OptionError:
    """Say of options that the message names, and the command line does not, who has set them."""
    message = str(error)
    named = dict.fromkeys(re.findall(r"--([a-z][a-z-]*[a-z])", message))
    for word in named:
        name = word.replace("-", "_")
        place = said.places.get(name, COMMAND_LINE)
        if place != COMMAND_LINE:
            where = f"{VARIABLES}_{name.upper()}" if place == ENVIRONMENT else said.config
            message += f" (--{word} was set in {where})"
    return OptionError(message)


def _refuse_empty(said: Said) -> None:
    """Refuse an empty value, as of `--report "$FILE"`, where it would count as no value.

    Raises:
        OptionError: there is one.
    """
    for name in _NEVER_EMPTY:
        if said.words[name] == "":
            option = f"--{name.replace('_', '-')}"
            error = OptionError(f"{option}: the value is empty; give one, or leave {option} out")
            raise _with_origins(error, said)


def _refuse_overwriting(said: Said, sources: tuple[str, ...], output: str) -> None:
    """Refuse a report in the place of another file of the run; the library checks the others."""
    words = said.words
    if words["report"] is None:
        return
    if words["report"] == _STANDARD:
        raise MisuseError("--report needs a file: standard output is for data.")
    from converter.edge.sinks.places import Places

    named = ("gzip", "split_hosts", "report", "news_output", "robots", "cache")
    given = {name: words[name] for name in named}
    try:
        Places(sources=sources, merged=words["merge"], output=output, **given).check()
    except OptionError as error:
        raise _with_origins(error, said) from error


def _least(said: Said) -> Severity:
    """What is still printed; of --quiet and --verbose the one that was said closer by counts."""
    quiet, verbose = said.words["quiet"], said.words["verbose"]
    if quiet and verbose:
        ranks = [said.places.get(name, ELSEWHERE) for name in ("quiet", "verbose")]
        if ranks[0] == ranks[1]:
            raise MisuseError("--quiet and --verbose contradict each other.")
        quiet, verbose = ranks[0] < ranks[1], ranks[1] < ranks[0]
    if quiet:
        return Severity.ERROR
    return Severity.INFO if verbose else Severity.WARNING


def _wants_table(said: Said, least: Severity) -> bool:
    """Whether to print the table of losses; --quiet where it was said closer by is against it."""
    if not said.words["losses"] or least < Severity.ERROR:
        return bool(said.words["losses"])
    return said.places["losses"] <= said.places["quiet"]


def _wants_bar(option: bool | None, least: Severity) -> bool:
    return on_terminal() and least < Severity.ERROR if option is None else option


def _options(said: Said) -> ConvertOptions:
    """Keep what somebody asked for: the library has its own defaults."""
    asked: dict[str, Any] = {
        _RENAMED.get(name, name): value
        for name, value in said.words.items()
        if name in said.places and name not in _OURS
    }
    if asked.get("format", "").lower() == "auto":
        del asked["format"]
    return cast("ConvertOptions", asked)
