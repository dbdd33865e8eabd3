"""The command `check`: checks sources, writes the findings, and returns the exit code."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from converter import __version__
from converter.checks.checker import Checker, CheckOptions
from converter.checks.reports import REPORTS
from converter.checks.reports.base import CheckReport
from converter.checks.reports.github import step_summary
from converter.checks.rule import Finding
from converter.checks.rules import RULES, selected
from converter.cli.click_options import set_options
from converter.cli.exit_codes import Exit, error_message, exit_code_of
from converter.cli.output import print_line, print_message, print_text, use_color, write_data
from converter.conversion import clock
from converter.errors import OptionError
from converter.issues import Severity
from converter.options import CheckCommandOptions
from converter.options.parsing import CHECK_OPTIONS, parse, take_options
from converter.publish.publisher import temporary_file

_STANDARD = "-"

#: Of the exit codes of several sources, the first one counts.
_ORDER = (Exit.USAGE, Exit.SINK, Exit.LIMIT, Exit.DOCUMENT, Exit.SOURCE, Exit.FOUND)


def check(ctx: click.Context) -> Exit:
    """Check the sources of the command line.

    Raises:
        ConverterError: an option is refused, or the output cannot be written.
        click.UsageError: there is no source.
    """
    options = set_options(ctx, CHECK_OPTIONS)
    color = use_color(options.pop("color", None))
    is_quiet = options.pop("quiet", False)
    options.pop("config", None)
    command = take_options(CheckCommandOptions, options)
    if command.list_rules or command.explain:
        print_text(_explained(command.explain) if command.explain else _list())
        return Exit.DONE
    if not ctx.params["source"] and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError("there is no SOURCE; name a file, or - for standard input.")
    sources = ctx.params["source"] or (_STANDARD,)
    run_options = parse(options, command.now.instant if command.now else clock.now())
    check_options = CheckOptions(
        rules=selected(
            _words(command.select), _words(command.ignore), command.profiles or ("google", "bing")
        ),
        now=run_options.transforms.now,
        sitemap_url=run_options.transforms.sitemap_url,
        fetch=run_options.fetch,
        limits=run_options.read.limits,
    )
    findings: deque[Finding] = deque()
    report = REPORTS[command.format](__version__, command.max_per_rule)
    with ExitStack() as closing:
        checker = Checker(check_options, findings.append, temporary_file, closing)
        write_data(_chunks(checker, sources, findings, report), command.output)
    for error in checker.errors:
        print_message("error", error_message(error) or "", color=color)
    if not is_quiet:
        print_line(report.totals.sentence(checker.sources))
    _write_step_summary(report, checker, command)
    codes = {exit_code_of(error) for error in checker.errors}
    if _has_failed(report, command):
        codes.add(Exit.FOUND)
    return next((code for code in _ORDER if code in codes), Exit.DONE)


def _words(values: Iterable[str]) -> list[str]:
    """Split values that name several rules with commas."""
    return [word.strip() for value in values for word in value.split(",") if word.strip()]


def _chunks(
    checker: Checker, sources: Sequence[str], findings: deque[Finding], report: CheckReport
) -> Iterator[bytes]:
    """Check the sources, and yield the report."""

    def texts() -> Iterator[str]:
        yield from report.begin()
        for _ in checker.check_each(sources):
            while findings:
                yield from report.add(findings.popleft())
        yield from report.end(checker.sources)

    for text in texts():
        yield text.encode("utf-8", "backslashreplace")


def _has_failed(report: CheckReport, command: CheckCommandOptions) -> bool:
    if command.fail_on == "never":
        return False
    least = Severity[command.fail_on.upper()]
    return any(severity >= least for severity in report.totals.severities)


def _write_step_summary(
    report: CheckReport, checker: Checker, command: CheckCommandOptions
) -> None:
    """Append a table to the summary of a workflow step of GitHub."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if command.format == "github" and path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(step_summary(report.totals, checker.sources))


def _list() -> str:
    """Return all rules, one on each line."""
    width = max(map(len, RULES))
    return "\n".join(
        f"{rule.code:<{width}}  {rule.severity.word:<7}  {rule.title}"
        + ("" if rule.is_default else " (only with --select)")
        for rule in RULES.values()
    )


def _explained(code: str) -> str:
    rule = RULES.get(code)
    if rule is None:
        raise OptionError(f'--explain: there is no rule "{code}"; see feed2sitemap check --list')
    return "\n".join(
        (
            f"{rule.code} ({rule.severity.word}): {rule.title}.",
            "",
            f"Why it matters: {rule.why}",
            f"Fix: {rule.fix}",
            f"Source: {rule.source}",
        )
    )
