"""What people read on standard error: an issue a line, and one line of summary."""

from __future__ import annotations

import codecs
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from converter.cli import PROGRAM
from converter.errors import SinkError
from converter.issues import Code, Issue, Report, Severity, printable

if TYPE_CHECKING:
    from converter.api import LeftOut, OutputFile, Result

__all__ = [
    "IssuePrinter",
    "complain",
    "issue_line",
    "losses_table",
    "on_terminal",
    "say",
    "show",
    "summary",
    "visible",
    "wants_colour",
    "write",
]

#: A line that nobody would read to its end is cut; the JSON report holds the whole of it.
_LONGEST = 600

#: Issues of one code that are printed before the rest is only counted.
_PER_CODE = 10

#: https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters
_RED, _YELLOW, _CYAN = 31, 33, 36
_COLOURS = {Severity.INFO: _CYAN, Severity.WARNING: _YELLOW, Severity.ERROR: _RED}


def visible(text: str, *, cut: bool = True) -> str:
    r"""Show control characters as `\x1b`, and no passwords: a feed must not steer a terminal."""
    return printable(text, _LONGEST if cut else sys.maxsize)


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
    """Print a line to standard error, whatever it holds."""
    write(f"{visible(line, cut=False)}\n")


def write(text: str) -> None:
    """Print to standard error, if there is one; what calls it has made the text `visible`.

    Where a stream does not take all of Unicode, click knows what to do.
    """
    if sys.stderr is None:
        return
    if os.name == "nt" or codecs.lookup(sys.stderr.encoding or "utf-8").name == "ascii":
        import click

        click.echo(text, nl=False, err=True, color=True)
        return
    sys.stderr.write(text)
    sys.stderr.flush()


def show(text: str) -> None:
    """Print to standard output what was asked for.

    Raises:
        BrokenPipeError: nobody reads it any more.
        SinkError: the device is full, or worse.
    """
    import click

    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SinkError(f"standard output: {error.strerror}") from error


def complain(word: str, message: str, *, colour: bool = False) -> None:
    """Print what is no issue of a source: `feed2sitemap: error: …`."""
    styled = _styled(word, _RED if word == "error" else _CYAN) if colour else word
    first, *more = (visible(line) for line in message.splitlines() or [""])
    write("\n".join((f"{PROGRAM}: {styled}: {first}", *more, "")))


def _styled(word: str, colour: int) -> str:
    return f"\x1b[{colour}m{word}\x1b[0m"


def issue_line(issue: Issue, *, colour: bool = False) -> str:
    """Say it so that an editor can open the place: `blog.rss:118: warning [code] message`."""
    place = visible(issue.source) if issue.source is not None else PROGRAM
    if issue.line is not None:
        place = f"{place}:{issue.line}"
    word = issue.severity.word
    if colour:
        word = _styled(word, _COLOURS[issue.severity])
    return f"{place}: {word} [{issue.code}] {visible(issue.message)}"


class IssuePrinter:
    """Prints the issues that were asked for, of each code a few, and counts the others."""

    def __init__(
        self,
        *,
        least: Severity,
        colour: bool,
        clear: Callable[[], None],
        ledger: Report | None,
    ) -> None:
        """Get ready.

        Args:
            least: issues below this severity are not printed; `INFO` prints every issue.
            colour: severities are coloured.
            clear: called before a line is printed; takes away a progress bar.
            ledger: receives every issue as well.
        """
        self.worst = Severity.INFO
        self._least = least
        self._per_code = sys.maxsize if least is Severity.INFO else _PER_CODE
        self._colour = colour
        self._clear = clear
        self._ledger = ledger
        self._seen: Counter[Code] = Counter()

    @property
    def most(self) -> int | None:
        """The number of issues of a code that are needed; None: all. `ledger` reads this."""
        return _PER_CODE if self._ledger is None and self._least > Severity.INFO else None

    def __call__(self, issue: Issue) -> None:
        self.worst = max(self.worst, issue.severity)
        if self._ledger is not None:
            self._ledger(issue)
        if issue.severity < self._least:
            return
        self._seen[issue.code] += 1
        if self._seen[issue.code] > self._per_code:
            return
        self._clear()
        write(issue_line(issue, colour=self._colour) + "\n")

    def more(self, code: Code, number: int) -> None:
        """Count issues of a code that are not shown."""
        if code in self._seen:
            self._seen[code] += number

    def close(self) -> None:
        """Say how many were not printed."""
        for code, count in self._seen.items():
            if count > self._per_code:
                say(f"… and {count - self._per_code:,} more of [{code}]")


def summary(result: Result, *, dry_run: bool, has_table: bool = False) -> str:
    """Sum up a run in one line.

    Args:
        result: of the run.
        dry_run: nothing was published.
        has_table: the table of losses is printed too.
    """
    details = [*_verdict(result, dry_run=dry_run), *_beside(result, dry_run=dry_run)]
    details += _left_out(result.left_out, has_table=has_table)
    return "; ".join((f"{_target(result)}: {_contents(result, dry_run=dry_run)}", *details))


def _left_out(rows: Sequence[LeftOut], *, has_table: bool) -> Iterator[str]:
    """Say what is not in the output, and which format of the same family would hold it."""
    if not rows:
        return
    elsewhere = [row for row in rows if row.kept_by]
    is_explained = has_table or len(elsewhere) == len(rows)
    yield f"left out: {_items(rows)}" + ("" if is_explained else " (--losses shows why)")
    if not elsewhere:
        return
    able = (name for name in elsewhere[0].kept_by if all(name in row.kept_by for row in elsewhere))
    if (target := next(able, None)) is not None:
        kept = "them" if len(elsewhere) == len(rows) else _items(elsewhere)
        yield f"-t {target} keeps {kept}"


def _items(rows: Iterable[LeftOut]) -> str:
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.item] += row.number
    return ", ".join(_plural(number, item) for item, number in counts.items())


def losses_table(result: Result) -> Iterator[str]:
    """Give the lines of `--losses`: what was left out and why, then each field lost or altered."""
    from converter.cli.matrix import aligned

    if result.left_out:
        rows = [(row.item, f"{row.number:,}", _why(row)) for row in result.left_out]
        yield from aligned([("LEFT OUT", "COUNT", "WHY"), *rows])
    fields = sorted({*result.lost, *result.altered})
    if fields:
        yield from aligned([("FIELD", "KEPT", "ALTERED", "LOST"), *_fields(result, fields)])
    if not fields and not result.left_out:
        yield "nothing was left out, altered or lost"


def _why(row: LeftOut) -> str:
    return f"{row.why}; -t {row.kept_by[0]} keeps it" if row.kept_by else row.why


def _fields(result: Result, names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    for name in names:
        altered, lost = result.altered.get(name, 0), result.lost.get(name, 0)
        kept = max(result.present.get(name, 0) - altered - lost, 0)
        yield visible(name), f"{kept:,}", f"{altered:,}", f"{lost:,}"


def _target(result: Result) -> str:
    """Name the file that other programs will ask for: an index, else the first of the files."""
    first = [*(file.path for file in _set(result)[:1]), *result.kept[:1]]
    path = _index(result) or min(first, key=lambda path: (len(path), path))
    return "standard output" if path == "-" else visible(path)


def _index(result: Result) -> str | None:
    """Give the file that lists all the others, whether it was written or stayed as it was.

    Nothing but its name tells of one that stayed; a list in parts has none.
    """
    from converter.edge.sinks.names import Names

    paths = [*(file.path for file in _set(result)), *result.kept]
    if len(paths) == 1:
        return None
    shortest = min(paths, key=lambda path: len(path.removesuffix(".gz")))
    own, *names = map(os.path.basename, [shortest, *paths])
    parts = Names(own)
    return shortest if all(name == own or parts.is_part(name) for name in names) else None


def _set(result: Result) -> tuple[OutputFile, ...]:
    """Give the files that were written, but for those of news apart."""
    return tuple(file for file in result.files if not file.kind.startswith("news"))


def _contents(result: Result, *, dry_run: bool) -> str:
    articles = 0 if len(_set(result)) < len(result.files) else result.news
    counts = {"video": result.videos, "image": result.images, "news article": articles}
    told = [_plural(result.urls, "URL")]
    told += [_plural(count, word) for word, count in counts.items() if count]
    sources = [_plural(result.sources if result.named is None else result.named, "source")]
    sources += (_plural(count, kind) for kind, count in result.read_apart.items())
    if result.unchanged_sources:
        sources.append(f"{result.unchanged_sources:,} unchanged")
    same = "unchanged, " if result.unchanged else ""
    changes = {"added": result.added, "changed": result.renewed, "removed": result.dropped}
    changed = ", ".join(f"{count:,} {word}" for word, count in changes.items() if count)
    changed = f"{changed}; " if changed and not dry_run else ""
    return f"{same}{_spread(result)}{', '.join(told)} ({changed}from {', '.join(sources)})"


def _spread(result: Result) -> str:
    count = len(_set(result)) + len(result.kept)
    if _index(result) is not None:
        return f"index of {_plural(count - 1, 'file')}, "
    return f"first of {_plural(count, 'file')}, " if count > 1 else ""


def _verdict(result: Result, *, dry_run: bool) -> Iterator[str]:
    if dry_run:
        yield f"dry run: would {_would(result)}"
    elif result.unchanged and not (result.files or result.robots):
        yield "nothing was written"
    if result.removed:
        names = _plural(len(result.removed), "stale file")
        yield f"{'would remove' if dry_run else 'removed'} {names}"


def _would(result: Result) -> str:
    if result.added is None or not result.changed:
        return {None: "be created", True: "change", False: "not change"}[result.changed]
    return f"add {result.added:,}, change {result.renewed or 0:,}, remove {result.dropped or 0:,}"


def _beside(result: Result, *, dry_run: bool) -> Iterator[str]:
    """Tell of the files that are published beside the output."""
    news = [file for file in result.files if file.kind.startswith("news")]
    if news:
        yield f"{visible(news[0].path)}: {_plural(result.news, 'news article')}"
    if result.robots:
        would, done = ("create", "created") if result.robots_created else ("renew", "renewed")
        yield f"would {would} robots.txt" if dry_run else f"robots.txt {done}"


def _plural(count: int, noun: str) -> str:
    many = f"{noun[:-1]}ies" if noun == "entry" else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"
