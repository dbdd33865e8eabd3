"""Cleans lines of a list by the slice; one by one only those that are not published as they are.

Most lines of a list begin with one of a few origins, and go on with characters of which there is
nothing to say: a slice is such lines if no other character is left of it, and the origins are as
many as the lines. The others are taken one at a time, as the reader and the passes take them.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from converter.issues import Code, Issue, Report
from converter.moulds.stencil import Stencil
from converter.seams import Joined, Lines
from converter.values import urls

__all__ = ["Note", "Sieve", "Sifted", "origin_of"]

#: Longer lines are looked at one by one; there are far shorter limits than this for URLs.
_MOST_CHARS: Final = 1000
#: So many origins are looked for one after the other in a slice.
_MOST_COMMON: Final = 3
#: So many are remembered.
_MOST_ORIGINS: Final = 10_000

_NOT_LINE_FEED: Final = re.compile(rb"[^\n]+")

Note: TypeAlias = tuple[Code, str, int, str | None]
"""What there is to say of a line: code, message, line, page."""


class Sifted(NamedTuple):
    """What was in a slice; made of little that is quickly sent from process to process."""

    lines: int
    """How many there were."""
    locs: Sequence[str]
    gone: list[int]
    """The places of lines that hold no page that can be published."""
    texts: dict[int, str]
    """What is written of a page, by its place in `locs`, where that is not the page itself."""
    origins: Mapping[str, int]
    """As in `Listed`."""
    notes: list[Note]
    """Their lines are counted from the first of the slice, which is 1."""
    refused: int
    digests: array[int] | None = None

    @property
    def written(self) -> Sequence[str]:
        """What is written of the pages."""
        if isinstance(self.locs, Joined):
            return self.locs.written
        if not self.texts:
            return self.locs
        texts = [*self.locs]
        for place, text in self.texts.items():
            texts[place] = text
        return texts


class Sieve:
    """Knows which origins can be trusted."""

    def __init__(
        self,
        lines: Callable[[Report], Lines],
        stencil: Stencil,
        rules: urls.Rules,
        longest: int,
    ) -> None:
        """Begin.

        Args:
            lines: begins a walk over the list.
            stencil: says how a page is written.
            rules: for cleaning URLs.
            longest: lines of more characters are no URLs.
        """
        self.lines = lines(self._tell)
        self._begin = lines
        self._stencil = stencil
        self._quiet = stencil.quiet
        self._rules = rules
        self._most_chars = min(_MOST_CHARS, longest)
        self._notes: list[Note] = []
        self._refused = 0
        self._is_known: dict[str, bool] = {}
        """Origins, and whether they are clean."""
        self._common: list[str] = []
        self._counted: set[str] = set()
        """Those that an earlier slice had."""

    def sift(self, data: bytes) -> Sifted:
        """Clean the lines of a slice."""
        lines = self.lines.split(data)
        odd, counts = self._odd(data, lines)
        locs, gone, texts = lines, [], {}
        if odd:
            locs = lines.copy()
            for place in odd:
                loc = self._page(lines[place], place + 1)
                if loc is None:
                    gone.append(place)
                    continue
                locs[place] = loc
                text = self._stencil.text(loc)
                if text != loc:
                    texts[place - len(gone)] = text
        if counts is not None:
            left = set(odd).difference(gone)
            counts.update([origin_of(locs[place]) for place in left])
        for place in reversed(gone):
            del locs[place]
        notes, refused = self._notes.copy(), self._refused
        self._notes.clear()
        self._refused = 0
        origins = self._settled(counts, locs)
        return Sifted(len(lines), locs, gone, texts, origins, notes, refused)

    def strike(self, data: bytes) -> Sifted | None:
        """Clean the lines of a slice for another process; None: that must do it.

        Of bytes that are no UTF-8 there is something to say only where they come first. What is
        written of the pages is joined here: that process does no more with most of it.
        """
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
        sifted = self.sift(data)
        digests = array("q", list(map(hash, sifted.locs)))
        others = {place: sifted.locs[place] for place in sifted.texts}
        around = self._stencil.before, self._stencil.behind
        joined = Joined.of(sifted.written, around, others)
        return sifted._replace(locs=joined, texts={}, digests=digests)

    # -- lines that are looked at --------------------------------------------------------------

    def _tell(self, issue: Issue) -> None:
        self._notes.append((issue.code, issue.message, issue.line or 0, issue.entry))

    def _page(self, line: str, number: int) -> str | None:
        """Give the page of a line, and note what there is to say of it."""
        loc = self.lines.loc(line, number)
        if loc is None:
            return None
        clean, notes = urls.page(loc, self._rules)
        if notes:
            name = clean or urls.shown(loc)[1:-1]
            self._notes += [(code, message, number, name) for code, message in notes]
        if clean is None:
            self._refused += 1
        return clean

    # -- lines that are not --------------------------------------------------------------------

    def _odd(self, data: bytes, lines: list[str]) -> tuple[list[int], Counter[str] | None]:
        """Give the places of lines that must be looked at one by one.

        Also the origins of all others, if they are easily counted.
        """
        odd, skipped = set(), 0
        for found in _NOT_LINE_FEED.finditer(data.translate(None, self._quiet)):
            odd.add(found.start() - skipped)
            skipped += len(found[0])
        if b"/." in data:
            odd.update(place for place, line in enumerate(lines) if "/." in line)
        if max(map(len, lines)) > self._most_chars:
            odd.update(place for place, line in enumerate(lines) if len(line) > self._most_chars)
        counts = self._count(b"\n" + data)
        if odd:
            apart = "\n".join(["", *[lines[place] for place in odd]])
            counts.subtract(self._count(apart.encode("utf-8", "surrogateescape")))
        if counts.total() + len(odd) == len(lines):
            return sorted(odd), counts
        odd.update(place for place, line in enumerate(lines) if not self._is_trusted(line))
        return sorted(odd), None

    def _count(self, block: bytes) -> Counter[str]:
        return Counter({origin: block.count(f"\n{origin}/".encode()) for origin in self._common})

    def _is_trusted(self, line: str) -> bool:
        end = line.find("/", len("https://"))
        origin = line[:end]
        if end < 0:
            return False
        known = self._is_known.get(origin)
        if known is None:
            known = self._is_clean(f"{origin}/")
            if len(self._is_known) >= _MOST_ORIGINS:
                self._is_known.clear()
            self._is_known[origin] = known
            if known and len(self._common) < _MOST_COMMON:
                self._common.append(origin)
        return known

    def _is_clean(self, url: str) -> bool:
        """Say whether a line that holds this URL is published as it stands."""
        issues: list[Issue] = []
        is_read = self._begin(issues.append).loc(url, 1) == url
        return is_read and not issues and urls.page(url, self._rules) == (url, ())

    def _settled(self, counts: Counter[str] | None, locs: Iterable[str]) -> Mapping[str, int]:
        """Give the origins of a slice, in the order in which they come if there is any new one."""
        if counts is None or not self._counted.issuperset(+counts):
            counts = Counter(map(origin_of, locs))
            if len(self._counted) < _MOST_ORIGINS:
                self._counted.update(counts)
        return +counts


def origin_of(url: str) -> str:
    """Cut scheme, host and port from a clean URL."""
    return url[: url.index("/", len("https://"))]
