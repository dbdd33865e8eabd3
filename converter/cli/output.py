"""Prints issues, messages and a progress bar to standard error, escaped and perhaps colored."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable

import click

from converter.cli import PROGRAM
from converter.errors import SinkError
from converter.issues import Code, Issue, Report, Severity, printable

#: The number of issues per code that are printed; further ones are counted.
_MAX_PER_CODE = 10

#: Of the progress bar.
_DELAY_S, _INTERVAL_S = 1.0, 0.1
_CELLS = 24

_COLORS = {"note": "cyan", "info": "cyan", "warning": "yellow", "error": "red"}


def visible(text: str) -> str:
    r"""Escape control characters as `\x1b`, hide passwords, and cut a long text."""
    return printable(text, 600)  # the JSON report has messages in full


def on_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return os.environ.get("TERM") != "dumb" and sys.stderr is not None and sys.stderr.isatty()


def use_color(option: bool | None) -> bool:
    """Return whether to print colors: the option, NO_COLOR, FORCE_COLOR, else on a terminal.

    Sources: https://no-color.org, https://force-color.org (set and not empty).
    """
    if option is not None:
        return option
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or on_terminal()


def print_raw(text: str) -> None:
    """Print escaped text to standard error."""
    click.echo(text, nl=False, err=True, color=True)


def print_line(line: str) -> None:
    """Escape a line and print it to standard error."""
    print_raw(f"{printable(line, sys.maxsize)}\n")


def print_text(text: str) -> None:
    """Print to standard output.

    Raises:
        BrokenPipeError: the reader has closed the pipe.
        SinkError: writing failed, for example because the device is full.
    """
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SinkError(f"standard output: {error.strerror}") from error


def write_data(chunks: Iterable[bytes], output: str) -> None:
    """Write data to standard output (`-`) at once, or publish a file when it is complete.

    Raises:
        BrokenPipeError: the reader has closed the pipe.
        SinkError: writing failed.
    """
    if output != "-":
        from converter.publish.target import open_target

        with open_target(output) as publisher:
            staged = publisher.stage(iter(chunks), compress=False)
            publisher.publish([(publisher.name, staged)])
        return
    try:
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SinkError(f"standard output: {error.strerror}") from error


def print_message(word: str, message: str, *, color: bool = False) -> None:
    """Print a message of the program: `feed2sitemap: error: …`."""
    print_raw(f"{PROGRAM}: {_styled(word, color=color)}: {visible(message)}\n")


def _styled(word: str, *, color: bool) -> str:
    return click.style(word, fg=_COLORS[word]) if color else word


def issue_line(issue: Issue, *, color: bool = False) -> str:
    """Return an issue as one line: `blog.rss:118: warning [code] message`."""
    place = visible(issue.source) if issue.source is not None else PROGRAM
    if issue.line is not None:
        place = f"{place}:{issue.line}"
    word = _styled(issue.severity.word, color=color)
    return f"{place}: {word} [{issue.code}] {visible(issue.message)}"


class ProgressBar:
    """Redraws one line once a run has taken a second; call `clear` before printing another."""

    def __init__(self) -> None:
        self._due_s = time.monotonic() + _DELAY_S
        self._width = 0

    def __call__(self, done_bytes: int, total_bytes: int | None) -> None:
        now_s = time.monotonic()
        if now_s < self._due_s:
            return
        self._due_s = now_s + _INTERVAL_S
        line = _bar(done_bytes / 1e6, (total_bytes or 0) / 1e6)
        print_raw(f"\r{line:<{self._width}}")
        self._width = len(line)

    def clear(self) -> None:
        """Remove the bar until its next update."""
        if self._width:
            print_raw(f"\r{'':<{self._width}}\r")
            self._width = 0


def _bar(done_mb: float, total_mb: float) -> str:
    if not total_mb:
        return f"{done_mb:,.1f} MB read"
    share = min(done_mb / total_mb, 1.0)
    cells = "#" * int(share * _CELLS)
    return f"[{cells:-<{_CELLS}}] {share:4.0%}  {done_mb:,.1f} of {total_mb:,.1f} MB"


class IssuePrinter:
    """Prints issues and counts those above 10 per code; with `least=INFO` it prints all.

    Args:
        least: the least severity to print.
        color: whether severities are colored.
        report: also receives every issue.

    Attributes:
        worst: the highest severity of the issues so far.
        bar: the progress bar, which is removed before a line is printed.
    """

    def __init__(self, *, least: Severity, color: bool, report: Report | None) -> None:
        self.worst = Severity.INFO
        self.bar = ProgressBar()
        self._least = least
        self._per_code = sys.maxsize if least is Severity.INFO else _MAX_PER_CODE
        self._color = color
        self._report = report
        self._seen: Counter[Code] = Counter()

    @property
    def most(self) -> int | None:
        """The number of issues per code that are used, or None for all; see `IssueBuffer`."""
        return _MAX_PER_CODE if self._report is None and self._least > Severity.INFO else None

    def __call__(self, issue: Issue) -> None:
        self.worst = max(self.worst, issue.severity)
        if self._report is not None:
            self._report(issue)
        if issue.severity < self._least:
            return
        self._seen[issue.code] += 1
        if self._seen[issue.code] <= self._per_code:
            self.bar.clear()
            print_raw(issue_line(issue, color=self._color) + "\n")

    def more(self, code: Code, number: int) -> None:
        """Count further issues of a code, without their messages."""
        if code in self._seen:
            self._seen[code] += number

    def close(self) -> None:
        """Remove the bar; print the number of issues that were not printed."""
        self.bar.clear()
        for code, count in self._seen.items():
            if count > self._per_code:
                print_line(f"… and {count - self._per_code:,} more of [{code}]")
