"""Reads lists by the block: lines that are published as they stand are not looked at one by one.

Most lines of a list begin with one of a few origins, and go on with characters of which there is
nothing to say: a block is such lines if no other character is left of it, and the origins are as
many as the lines. The others are taken one at a time, as the reader and the passes take them.

What is written of a page is learnt of an example that went the plain way (`Stencil`).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress, count
from operator import not_
from string import ascii_letters, digits
from typing import BinaryIO, Final, NamedTuple, cast

from converter.issues import Issue, Report, ignore
from converter.model import Entry, Feed
from converter.moulds.captions import Captions
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.passes.hygiene import hygiene
from converter.seams import Attentive, Document, Format, Lines, Listed, Raw, Reader, Ready
from converter.values import urls

__all__ = ["ListDocument", "Stencil", "by_block"]


#: What a clean URL may hold behind its origin, besides letters and digits.
_MARKS: Final = ("-._~:@!$&'()*+,;=/", "?", "%2F")
#: Those that may stand anywhere behind the origin, but for a dot behind a slash. Not there: what
#: may begin a session id or a query.
_QUIET: Final = "-._~:@!$&'*+,=/"

#: Longer lines are looked at one by one; there are far shorter limits than this for URLs.
_MOST_CHARS: Final = 1000
#: So many origins are looked for one after the other in a block.
_MOST_COMMON: Final = 3
#: So many are remembered.
_MOST_ORIGINS: Final = 10_000

#: Parts that have room for any page, however it is written.
_ROOMY_BYTES: Final = 64 * 1024

_NOT_LINE_FEED: Final = re.compile(rb"[^\n]+")


class Stencil(NamedTuple):
    """How a page of which nothing else is known is written."""

    before: str
    behind: str
    prefixes: frozenset[str]
    changed: tuple[tuple[str, str], ...]
    """Characters, and what is written in their place, one after the other."""

    @classmethod
    def of(
        cls, target: Format, passes: PassOptions, write: WriteOptions, rules: urls.Rules
    ) -> Stencil | None:
        """Learn it; None: more depends on a page than its own text, or on the other pages."""
        is_tight = write.limit_bytes is not None and write.limit_bytes < _ROOMY_BYTES
        if (passes.sort or target.order) == "url" or target.writer is None or is_tight:
            return None
        writer = target.writer(write)
        if isinstance(writer, Attentive):
            return None
        losses, feed = target.losses(write), Feed(format="txt")

        def render(loc: str) -> tuple[str, frozenset[str]] | None:
            issues: list[Issue] = []
            entry = Entry(loc=loc, line=1, feed=feed)
            rendered = writer.entry(entry, issues.append)
            is_changed = list(hygiene([entry], rules, issues.append)) != [entry]
            if is_changed or rendered is None or any(losses.of(entry)) or rendered.news or issues:
                return None
            return rendered.body.decode(), rendered.prefixes

        return cls._learnt(render)

    @classmethod
    def _learnt(cls, render: Callable[[str], tuple[str, frozenset[str]] | None]) -> Stencil | None:
        import secrets  # only where a list is read by the block

        token = secrets.token_hex(16)
        marks = [*_MARKS[0], *_MARKS[1:]]
        rendered = render(f"https://{token}.example/{token}{_between(marks, token)}")
        if rendered is None:
            return None
        text, prefixes = rendered
        pieces = text.split(token)
        if len(pieces) != len(marks) + 3:
            return None
        before, _, *written, behind = pieces
        pairs = zip(marks, written, strict=True)
        changed = tuple((mark, text) for mark, text in pairs if mark != text)
        stencil = cls(before.removesuffix("https://"), behind, prefixes, changed)
        proof = "http://a.example:8080/" + ascii_letters + digits + "".join(_MARKS) + "=a&b"
        return stencil if render(proof) == (stencil.cast(proof), prefixes) else None

    def cast(self, loc: str) -> str:
        """Give all that is written of one page."""
        return f"{self.before}{self.text(loc)}{self.behind}"

    def text(self, loc: str) -> str:
        """Give what is written of a page between `before` and `behind`."""
        for mark, text in self.changed:
            if mark in loc:
                loc = loc.replace(mark, text)
        return loc

    @property
    def quiet(self) -> bytes:
        """Characters that are written as they are, and never make a URL unclean."""
        marks = "".join(mark for mark in _QUIET if self.text(mark) == mark)
        return (ascii_letters + digits + marks).encode()


#: Pages as they are: something is made of them when all are known.
_BARE: Final = Stencil("", "", frozenset(), ())


def _between(marks: list[str], token: str) -> str:
    return "".join(f"{mark}{token}" for mark in marks)


def by_block(
    given: Raw,
    target: Format,
    passes: PassOptions,
    write: WriteOptions,
    excluded: Collection[str],
) -> Reader:
    """Give what reads a list by the block; if its pages are not all written alike, by the line.

    Args:
        given: the list.
        target: what is written.
        passes: what is done to its pages.
        write: as for the writer.
        excluded: pages that are to come as entries.
    """
    rules = urls.Rules.of(passes)
    stencil = Stencil.of(target, passes, write, rules)
    captions = None if stencil else Captions.of(target, passes, write, rules)
    stencil = _BARE if captions else stencil

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        if stencil is None or given.lines is None:
            return given.reader(stream, options, report)
        lines = partial(given.lines, options)
        document = ListDocument(stream, lines, stencil, rules, excluded)
        document.captioned = captions.runs if captions else None
        return cast("Document", document)

    return read


class ListDocument:
    """A list, of which most comes in runs."""

    children: tuple[str, ...] = ()
    is_late: bool = False
    captioned: Callable[[Listed], Iterator[Ready | Entry]] | None = None
    """As in `Listed`."""

    def __init__(
        self,
        stream: BinaryIO,
        lines: Callable[[Report], Lines],
        stencil: Stencil,
        rules: urls.Rules,
        excluded: Collection[str],
    ) -> None:
        """Begin.

        Args:
            stream: the list.
            lines: begins a walk over it.
            stencil: says how a page is written.
            rules: for cleaning URLs.
            excluded: pages that are to come as entries.
        """
        self._issues: list[Issue] = []
        self._stream = stream
        self._begin = lines
        self._lines = lines(self._issues.append)
        self._stencil = stencil
        self._rules = rules
        self._excluded = excluded
        self._origins = _Origins(self._is_clean, stencil.quiet)
        self._refused = 0

    @property
    def feed(self) -> Feed:
        """What lists have of a header: where they were read."""
        return self._lines.feed

    @property
    def entries(self) -> Iterator[Entry | Listed]:
        """Walk over it."""
        found = 0
        for first, lines in self._lines.blocks(self._stream):
            if self._issues:  # of the whole block: they come before those of its lines
                yield self._run([], [], range(0))
            run = self._block(first, lines)
            found += len(run.locs) + run.refused
            yield from self._parted(run) if self._excluded else (run,)
        self._lines.conclude(found)

    def stand(self, pages: Mapping[int, str]) -> bool:
        """Read it again; say whether these pages stand on these lines."""
        try:
            return self._stand(pages)
        except OSError:
            return False  # whoever reads it all again will say why

    def _stand(self, pages: Mapping[int, str]) -> bool:
        numbers = sorted(pages, reverse=True)
        again = self._begin(ignore)
        for first, lines in again.blocks(self._stream):
            behind = first + len(lines)
            while numbers and numbers[-1] < behind:
                number = numbers.pop()
                line = lines[number - first]
                if line != pages[number]:
                    loc = again.loc(line, number)
                    if loc is None or urls.page(loc, self._rules).url != pages[number]:
                        return False
            if not numbers:
                return True
        return False

    # -- one block ----------------------------------------------------------------------------

    def _block(self, first: int, lines: list[str]) -> Listed:
        """Make a run of a block."""
        odd, counts = self._origins.odd(lines)
        locs, texts, gone = lines, lines, []
        if odd:
            locs, texts = lines.copy(), lines.copy()
        for place in odd:
            loc = self._page(lines[place], first + place)
            if loc is None:
                gone.append(place)
            else:
                locs[place] = loc
                texts[place] = self._stencil.text(loc)
        if counts is not None:
            counts.subtract([_origin(lines[place]) for place in odd])
            counts.update([_origin(locs[place]) for place in set(odd).difference(gone)])
        run = self._run(locs, texts, range(first, first + len(lines)))
        if gone:
            run.drop(gone)
        run.origins = self._origins.settled(counts, run.locs)
        return run

    def _page(self, line: str, number: int) -> str | None:
        """Give the page of a line, and note what there is to say of it."""
        loc = self._lines.loc(line, number)
        if loc is None:
            return None
        clean, notes = urls.page(loc, self._rules)
        if notes:
            name, source = clean or urls.shown(loc)[1:-1], self.feed.source
            for code, message in notes:
                self._issues.append(
                    Issue(code=code, message=message, line=number, entry=name, source=source)
                )
        if clean is None:
            self._refused += 1
        return clean

    def _is_clean(self, url: str) -> bool:
        """Say whether a line that holds this URL is published as it stands."""
        issues: list[Issue] = []
        is_read = self._begin(issues.append).loc(url, 1) == url
        return is_read and not issues and urls.page(url, self._rules) == (url, ())

    def _run(self, locs: list[str], texts: list[str], lines: Sequence[int]) -> Listed:
        """Make a run, with all that was noted since the last one."""
        issues, refused = self._issues.copy(), self._refused
        self._issues.clear()
        self._refused = 0
        return Listed(
            locs=locs,
            texts=texts,
            before=self._stencil.before,
            behind=self._stencil.behind,
            prefixes=self._stencil.prefixes,
            lines=lines,
            feed=self.feed,
            refused=refused,
            issues=issues,
            stand=self.stand,
            captioned=self.captioned,
        )

    def _parted(self, run: Listed) -> Iterator[Entry | Listed]:
        """Cut the pages out of a run that are to come as entries."""
        issues, start = deque(run.issues), 0
        for place, loc in enumerate(run.locs):
            if loc in self._excluded:
                yield self._part(run, start, place, issues)
                yield run.entry_of(place)
                start = place + 1
        yield self._part(run, start, len(run.locs), issues)

    def _part(self, run: Listed, start: int, stop: int, issues: deque[Issue]) -> Listed:
        """Give a stretch of a run, with the issues up to the line behind it."""
        if stop < len(run.locs):
            while issues and (issues[0].line or 0) <= run.lines[stop]:
                self._issues.append(issues.popleft())
        else:
            self._issues.extend(issues)
        part = self._run(run.locs[start:stop], run.texts[start:stop], run.lines[start:stop])
        part.origins = self._origins.settled(None, part.locs)
        part.refused = 0 if start else run.refused
        return part


class _Origins:
    """Schemes and hosts: which lines can be trusted for theirs, and how many there are of each."""

    def __init__(self, is_clean: Callable[[str], bool], quiet: bytes) -> None:
        """Begin without any.

        Args:
            is_clean: says whether a URL is published as it stands.
            quiet: characters that may stand behind an origin.
        """
        self._is_clean = is_clean
        self._quiet = quiet
        self._known: dict[str, bool] = {}
        """Whether they are clean."""
        self._common: list[str] = []
        self._counted: set[str] = set()
        """Those that an earlier run had."""

    def odd(self, lines: list[str]) -> tuple[list[int], Counter[str] | None]:
        """Give the places of lines that must be looked at one by one.

        Also the origins of all lines, if they are easily counted.
        """
        block = ("\n" + "\n".join(_in_ascii(lines))).encode()
        odd, skipped = set(), 1
        for found in _NOT_LINE_FEED.finditer(block.translate(None, self._quiet)):
            odd.add(found.start() - skipped)
            skipped += len(found[0])
        if b"/." in block:
            odd.update(place for place, line in enumerate(lines) if "/." in line)
        if max(map(len, lines), default=0) > _MOST_CHARS:
            odd.update(place for place, line in enumerate(lines) if len(line) > _MOST_CHARS)
        counts = Counter({origin: block.count(f"\n{origin}/".encode()) for origin in self._common})
        if counts.total() == len(lines):
            return sorted(odd), counts
        odd.update(place for place, line in enumerate(lines) if not self._is_trusted(line))
        return sorted(odd), None

    def _is_trusted(self, line: str) -> bool:
        end = line.find("/", len("https://"))
        origin = line[:end]
        if end < 0:
            return False
        known = self._known.get(origin)
        if known is None:
            known = self._is_clean(f"{origin}/")
            if len(self._known) >= _MOST_ORIGINS:
                self._known.clear()
            self._known[origin] = known
            if known and len(self._common) < _MOST_COMMON:
                self._common.append(origin)
        return known

    def settled(self, counts: Counter[str] | None, locs: list[str]) -> Mapping[str, int]:
        """Give the origins of a run, in the order in which they come if there is any new one."""
        if counts is None or not self._counted.issuperset(+counts):
            counts = Counter([_origin(loc) for loc in locs])
            if len(self._counted) < _MOST_ORIGINS:
                self._counted.update(counts)
        return +counts


def _in_ascii(lines: list[str]) -> list[str]:
    """Put something else in the place of what is not ASCII; it is as little quiet as that."""
    found = lines
    for place in compress(count(), map(not_, map(str.isascii, lines))):
        if found is lines:
            found = lines.copy()
        found[place] = lines[place].encode("ascii", "replace").decode()
    return found


def _origin(url: str) -> str:
    """Cut scheme, host and port from a clean URL."""
    return url[: url.index("/", len("https://"))]
