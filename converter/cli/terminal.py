"""What people read on standard error: an issue a line, and one line of summary."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from converter.cli.identity import PROGRAM
from converter.errors import SinkError
from converter.issues import Code, Issue, Severity, printable

if TYPE_CHECKING:
    from converter.api import OutputFile, Result

__all__ = [
    "IssuePrinter",
    "complain",
    "issue_line",
    "on_terminal",
    "say",
    "show",
    "summary",
    "visible",
    "wants_colour",
]

#: A line that nobody would read to its end is cut; the JSON report holds the whole of it.
_LONGEST = 600

_COLOURS: Mapping[Severity, str] = MappingProxyType(
    {Severity.INFO: "cyan", Severity.WARNING: "yellow", Severity.ERROR: "red"}
)


def visible(text: str) -> str:
    r"""Show control characters as `\x1b`: a feed must not be able to steer a terminal."""
    return printable(text, _LONGEST)


def on_terminal() -> bool:
    """Whether somebody may be looking at standard error."""
    if os.environ.get("TERM") == "dumb":
        return False
    return sys.stderr is not None and sys.stderr.isatty()


def wants_colour(option: bool | None) -> bool:
    """Whether to colour: the option, else NO_COLOR, else FORCE_COLOR, else on a terminal.

    Sources: https://no-color.org, https://force-color.org (set and not empty).
    """
    if option is not None:
        return option
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or on_terminal()


def say(line: str) -> None:
    """Print to standard error, if there is one; the line holds only colours of our own."""
    click.echo(line, err=True, color=True)


def show(text: str) -> None:
    """Print to standard output what was asked for.

    Raises:
        BrokenPipeError: nobody reads it any more.
        SinkError: the device is full, or worse.
    """
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SinkError(f"standard output: {error.strerror}") from error


def complain(word: str, message: str, *, colour: bool = False) -> None:
    """Print what is no issue of a source: `feed2sitemap: error: …`."""
    styled = click.style(word, fg="red" if word == "error" else "cyan") if colour else word
    first, *more = (visible(line) for line in message.splitlines() or [""])
    say("\n".join((f"{PROGRAM}: {styled}: {first}", *more)))


def issue_line(issue: Issue, *, colour: bool = False) -> str:
    """Say it so that an editor can open the place: `blog.rss:118: warning [code] message`."""
    place = visible(issue.source) if issue.source is not None else PROGRAM
    if issue.line is not None:
        place = f"{place}:{issue.line}"
    word = issue.severity.word
    if colour:
        word = click.style(word, fg=_COLOURS[issue.severity])
    return f"{place}: {word} [{issue.code}] {visible(issue.message)}"


class IssuePrinter:
    """Prints the issues that were asked for, of each code a few, and counts the others."""

    def __init__(
        self,
        *,
        least: Severity,
        per_code: int | None,
        colour: bool = False,
        clear: Callable[[], None] = lambda: None,
    ) -> None:
        """Get ready.

        Args:
            least: what matters less is not printed.
            per_code: None prints every issue.
            colour: severities are coloured.
            clear: called before a line is printed; takes away a progress bar.
        """
        self._least = least
        self._per_code = per_code
        self._colour = colour
        self._clear = clear
        self._seen: Counter[Code] = Counter()

    def __call__(self, issue: Issue) -> None:
        if issue.severity < self._least:
            return
        self._seen[issue.code] += 1
        if self._per_code is not None and self._seen[issue.code] > self._per_code:
            return
        self._clear()
        say(issue_line(issue, colour=self._colour))

    def close(self) -> None:
        """Say how many were not printed."""
        if self._per_code is None:
            return
        for code, count in self._seen.items():
            if count > self._per_code:
                say(f"… and {count - self._per_code:,} more of [{code}]")


def summary(result: Result, *, report: str | None, dry_run: bool) -> str:
    """Tell a whole run in one line.

    Args:
        result: of the run.
        report: the file that holds the details; None: there is none yet.
        dry_run: nothing was published.
    """
    line = f"{_target(result.files)}: {_contents(result)}"
    details = [*_verdict(result, dry_run=dry_run)]
    missing = [f"{result.skipped:,} skipped"] if result.skipped else []
    if kept := _not_kept(result):
        missing.append(kept)
    if missing:
        hint = f"see {visible(report)}" if report is not None else "--report for details"
        details.append(f"{', '.join(missing)} ({hint})")
    return "; ".join((line, *details))


def _not_kept(result: Result) -> str:
    """Say how many fields are not in the output, and how many not as they were."""
    lost = f"{_plural(len(result.lost), 'field')} not kept" if result.lost else ""
    if not result.altered:
        return lost
    altered = f"{len(result.altered):,} altered" if lost else _plural(len(result.altered), "field")
    return f"{lost}, {altered}" if lost else f"{altered} altered"


def _target(files: tuple[OutputFile, ...]) -> str:
    """Name the file that other programs will ask for."""
    path = files[0].path
    return "standard output" if path == "-" else visible(path)


def _contents(result: Result) -> str:
    counts = (
        (result.urls, "URL", True),
        (result.videos, "video", False),
        (result.images, "image", False),
        (result.news, "news article", False),
    )
    told = [_plural(count, word) for count, word, always in counts if count or always]
    spread = _spread(result.files)
    return f"{spread}{', '.join(told)} from {_plural(result.sources, 'source')}"


def _spread(files: tuple[OutputFile, ...]) -> str:
    if len(files) < 2:
        return ""
    indexes = sum(file.kind == "index" for file in files)
    rest = _plural(len(files) - indexes, "file")
    if files[0].kind == "index" and indexes == 1:
        return f"index of {rest}, "
    return f"first of {_plural(len(files), 'file')}, "


def _verdict(result: Result, *, dry_run: bool) -> Iterator[str]:
    if dry_run:
        would = {None: "be created", True: "change", False: "not change"}[result.changed]
        yield f"dry run: would {would}"
    if result.removed:
        names = _plural(len(result.removed), "stale file")
        yield f"{'would remove' if dry_run else 'removed'} {names}"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
