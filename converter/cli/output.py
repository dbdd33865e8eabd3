"""What people read on standard error: an issue a line, and one line of summary."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from converter.cli import PROGRAM
from converter.errors import SinkError
from converter.issues import Code, Issue, Report, Severity, printable

if TYPE_CHECKING:
    from converter.conversion.result import LeftOut, Result

#: A line that nobody would read to its end is cut; the JSON report holds the whole of it.
_LONGEST = 600

#: Issues of one code that are printed before the rest is only counted.
_PER_CODE = 10

#: https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters
_RED, _YELLOW, _CYAN = 31, 33, 36
_COLOURS = {Severity.INFO: _CYAN, Severity.WARNING: _YELLOW, Severity.ERROR: _RED}


def visible(text: str) -> str:
    r"""Show control characters as `\x1b`, and no passwords: a feed must not steer a terminal."""
    return printable(text, _LONGEST)


def on_terminal() -> bool:
    """Whether standard error is a terminal."""
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


def write(text: str) -> None:
    """Print text that is `visible` to standard error, if there is one."""
    click.echo(text, nl=False, err=True, color=True)


def say(line: str) -> None:
    """Print a line to standard error, whatever it holds."""
    write(f"{printable(line, sys.maxsize)}\n")


def print_text(text: str) -> None:
    """Print to standard output.

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
    """Print what is not an issue of a source: `feed2sitemap: error: …`."""
    styled = _styled(word, _RED if word == "error" else _CYAN) if colour else word
    first, *more = (visible(line) for line in message.splitlines() or [""])
    write("\n".join((f"{PROGRAM}: {styled}: {first}", *more, "")))


def _styled(word: str, colour: int) -> str:
    return f"\x1b[{colour}m{word}\x1b[0m"


def issue_line(issue: Issue, *, colour: bool = False) -> str:
    """Return a line whose place an editor can open: `blog.rss:118: warning [code] message`."""
    place = visible(issue.source) if issue.source is not None else PROGRAM
    if issue.line is not None:
        place = f"{place}:{issue.line}"
    word = issue.severity.word
    if colour:
        word = _styled(word, _COLOURS[issue.severity])
    return f"{place}: {word} [{issue.code}] {visible(issue.message)}"


class IssuePrinter:
    """Prints issues, at most 10 of a code unless all are wanted, and counts the others.

    Args:
        least: issues below this severity are not printed; `INFO` prints every issue.
        colour: colour the severities.
        clear: removes a progress bar; called before a line is printed.
        report: receives every issue as well.
    """

    def __init__(
        self, *, least: Severity, colour: bool, clear: Callable[[], None], report: Report | None
    ) -> None:
        self.worst = Severity.INFO
        self._least = least
        self._per_code = sys.maxsize if least is Severity.INFO else _PER_CODE
        self._colour = colour
        self._clear = clear
        self._report = report
        self._seen: Counter[Code] = Counter()

    @property
    def most(self) -> int | None:
        """The number of issues of a code that are needed; None: all. `issue_buffer` reads this."""
        return _PER_CODE if self._report is None and self._least > Severity.INFO else None

    def __call__(self, issue: Issue) -> None:
        self.worst = max(self.worst, issue.severity)
        if self._report is not None:
            self._report(issue)
        if issue.severity < self._least:
            return
        self._seen[issue.code] += 1
        if self._seen[issue.code] <= self._per_code:
            self._clear()
            write(issue_line(issue, colour=self._colour) + "\n")

    def more(self, code: Code, number: int) -> None:
        """Count issues of a code that are not shown."""
        if code in self._seen:
            self._seen[code] += number

    def close(self) -> None:
        """Print how many were not printed."""
        for code, count in self._seen.items():
            if count > self._per_code:
                say(f"… and {count - self._per_code:,} more of [{code}]")


# -- the summary and the table of losses ------------------------------------------------------


def summary(result: Result, *, dry_run: bool, has_table: bool = False) -> str:
    """Sum up a run in one line.

    Args:
        result: of the run.
        dry_run: nothing was published.
        has_table: the table of losses is printed too.
    """
    news = [file for file in result.files if file.kind.startswith("news")]
    pages = [file.path for file in result.files if file not in news]
    paths = [*pages, *result.kept]
    index = _index(paths)
    # The file that other programs will ask for: an index, else the first of the files.
    first = index or min([*pages[:1], *result.kept[:1]], key=lambda path: (len(path), path))
    spread = f"first of {_plural(len(paths), 'file')}, " if len(paths) > 1 else ""
    if index is not None:
        spread = f"index of {_plural(len(paths) - 1, 'file')}, "
    name = "standard output" if first == "-" else visible(first)
    unchanged = "unchanged, " if result.unchanged else ""
    contents = _contents(result, dry_run=dry_run, has_news_file=bool(news))
    parts = (
        f"{name}: {unchanged}{spread}{contents}",
        *_verdict(result, dry_run=dry_run),
        *(f"{visible(file.path)}: {_plural(result.news, 'news article')}" for file in news[:1]),
        *_robots(result, dry_run=dry_run),
        *_left_out(result.left_out, has_table=has_table),
    )
    return "; ".join(parts)


def _index(paths: Sequence[str]) -> str | None:
    """Return the file that lists all the others, whether it was written or stayed as it was.

    Only its name distinguishes one that stayed; a list in parts has none.
    """
    from converter.publish.file_names import FileNames

    if len(paths) == 1:
        return None
    shortest = min(paths, key=lambda path: len(path.removesuffix(".gz")))
    own, *names = map(os.path.basename, [shortest, *paths])
    parts = FileNames(own)
    return shortest if all(name == own or parts.is_part(name) for name in names) else None


def _contents(result: Result, *, dry_run: bool, has_news_file: bool) -> str:
    articles = 0 if has_news_file else result.news
    counts = {"video": result.videos, "image": result.images, "news article": articles}
    items = [_plural(result.urls, "URL")]
    items += [_plural(count, word) for word, count in counts.items() if count]
    sources = [_plural(result.sources if result.named is None else result.named, "source")]
    sources += (_plural(count, kind) for kind, count in result.read_apart.items())
    if result.unchanged_sources:
        sources.append(f"{result.unchanged_sources:,} unchanged")
    changes = {"added": result.added, "changed": result.renewed, "removed": result.dropped}
    changed = ", ".join(f"{count:,} {word}" for word, count in changes.items() if count)
    changed = f"{changed}; " if changed and not dry_run else ""
    return f"{', '.join(items)} ({changed}from {', '.join(sources)})"


def _verdict(result: Result, *, dry_run: bool) -> Iterator[str]:
    if dry_run:
        would = {None: "be created", True: "change", False: "not change"}[result.changed]
        if result.changed and result.added is not None:
            renewed, dropped = result.renewed or 0, result.dropped or 0
            would = f"add {result.added:,}, change {renewed:,}, remove {dropped:,}"
        yield f"dry run: would {would}"
    elif result.unchanged and not (result.files or result.robots):
        yield "nothing was written"
    if result.removed:
        names = _plural(len(result.removed), "stale file")
        yield f"{'would remove' if dry_run else 'removed'} {names}"


def _robots(result: Result, *, dry_run: bool) -> Iterator[str]:
    if result.robots:
        would, done = ("create", "created") if result.robots_created else ("renew", "renewed")
        yield f"would {would} robots.txt" if dry_run else f"robots.txt {done}"


def _left_out(rows: Sequence[LeftOut], *, has_table: bool) -> Iterator[str]:
    """Name what is not in the output, and the format of the same family that would hold it."""
    if not rows:
        return
    elsewhere = [row for row in rows if row.kept_by]
    is_explained = has_table or len(elsewhere) == len(rows)
    yield f"left out: {_items(rows)}" + ("" if is_explained else " (--losses shows why)")
    if not elsewhere:
        return
    able = [name for name in elsewhere[0].kept_by if all(name in row.kept_by for row in elsewhere)]
    if able:
        yield f"-t {able[0]} keeps {'them' if elsewhere == list(rows) else _items(elsewhere)}"


def _items(rows: Iterable[LeftOut]) -> str:
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.item] += row.number
    return ", ".join(_plural(number, item) for item, number in counts.items())


def _plural(count: int, noun: str) -> str:
    many = f"{noun[:-1]}ies" if noun == "entry" else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


def losses_table(result: Result) -> Iterator[str]:
    """Yield the lines of `--losses`: what was left out and why, then each field lost or altered."""
    from converter.cli.formats_table import aligned

    if result.left_out:
        rows = [(row.item, f"{row.number:,}", _why(row)) for row in result.left_out]
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


def _why(row: LeftOut) -> str:
    return f"{row.why}; -t {row.kept_by[0]} keeps it" if row.kept_by else row.why
