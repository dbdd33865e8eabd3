"""Reads a document ahead of its reader, and casts the entries for which there is a mould.

It stands between a stream and a reader. What it cannot cast, it passes on to the letter; a run of
entries that it cast is one short entry there, and as many line breaks. So the reader sees every
header field, every entry that is not like the others and every fault, where they stand; and the
run comes out of the reader in its place.

It keeps to what is plain about a document: UTF-8, no DOCTYPE, entries without a prefix, one beside
the other. Anything else in their row, and the rest goes the plain way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import BinaryIO, Final, TypeAlias

from converter.model import Entry
from converter.moulds.learn import School, agrees, learn
from converter.moulds.mould import Mould, Note
from converter.record import field, record
from converter.seams import Ready

__all__ = ["Caster", "MouldBroken"]

#: So much goes the plain way first: small documents altogether.
_FIRST_BYTES: Final = 64 * 1024
_SLICE_BYTES: Final = 256 * 1024
_MOST_CARRIED_BYTES: Final = 16 * 1024 * 1024

_MOST_MOULDS: Final = 48
#: Attempts to make a mould, before those that were made must have proven their worth.
_FREE_LESSONS: Final = 24
_CASTS_FOR_A_LESSON: Final = 200

#: How many casts of a mould are compared with the plain way, and how often one is later.
_PROOFS: Final = 3
_PROOF_EVERY: Final = 8192

#: What XML does not allow, in UTF-8; the line ends of other systems are looked at apart. Looking
#: for one byte after the other is faster than any way of looking for all.
_REFUSED: Final = (
    *(bytes((code,)) for code in (*range(9), 11, 12, *range(14, 32))),
    b"\xef\xbf\xbe",
    b"\xef\xbf\xbf",
)

_DECLARATION: Final = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*[\"']([^\"']*)")
_ENCODINGS: Final = frozenset({b"utf-8", b"us-ascii", b"ascii"})
_SPACES: Final = " \t\n"


class MouldBroken(Exception):  # noqa: N818  no fault of the document: nobody outside sees it
    """A cast was not what it should be, or the document is broken: all of it goes the plain way."""


_Found: TypeAlias = tuple[str, str, Mould, int, int]
"""Page and text of an entry, and where in the slice its markup begins, or white space before it,
and ends."""


@record(frozen=False, kw_only=False)
class _Run:
    """Casts that stand side by side."""

    found: list[_Found] = field(default_factory=list)
    noted: list[tuple[int, tuple[Note, ...]]] = field(default_factory=list)
    """Those of which something is said."""


class Caster:
    """A stream in which entries that are like the others stand no more."""

    def __init__(
        self,
        stream: BinaryIO,
        tag: str,
        placeholder: str,
        school: Callable[[str], School | None],
        excluded: Container[str],
    ) -> None:
        """Begin.

        Args:
            stream: the document.
            tag: of its entries.
            placeholder: the markup of an entry with the id `%d`, as `Ready` are asked for.
            school: makes the school of a document that begins like this, to its first entry.
            excluded: pages that are to go the plain way.
        """
        self.casts = 0
        self._stream = stream
        self._placeholder = placeholder
        self._make_school = school
        self._excluded = excluded
        self._school: School | None = None
        self._starts = re.compile(rf"<{tag}(?=[\s>])")
        self._end = f"</{tag}>"
        self._landmark = re.compile(
            rf"<!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>|<!|</{tag}\s*>|<{tag}(?=[\s/>])", re.DOTALL
        )
        self._runs: dict[int, Ready] = {}
        self._number = 0
        self._begin()

    def _begin(self) -> None:
        self._is_off = False
        self._has_begun = False
        self._carried = b""
        self._head, self._head_lines = "", 1
        self._line = 1
        self._shapes: list[tuple[Callable[[str, int], re.Match[str] | None], list[Mould]]] = []
        """What matches a pattern, and the moulds that have it; the last one used first."""
        self._known: set[tuple[re.Pattern[str], bool]] = set()
        self._lessons = 0

    # -- the stream ---------------------------------------------------------------------------

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go back to the beginning; not once something was taken out: what follows would differ."""
        if self.casts:
            raise MouldBroken
        self._begin()
        return self._stream.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        """Give what the reader shall see next; a little more or less than it asks for."""
        if not self._has_begun:
            return self._first()
        while not self._is_off:
            more = self._stream.read(_SLICE_BYTES)
            data = self._carried + more
            cut = data.rfind(self._end.encode()) + len(self._end)
            if not more or (cut < len(self._end) and len(data) > _MOST_CARRIED_BYTES):
                self._is_off, self._carried = True, data
            elif cut < len(self._end):
                self._carried = data
            else:
                self._carried = data[cut:]
                return self._reduced(data[:cut])
        carried, self._carried = self._carried, b""
        return carried or self._stream.read(size)

    def take(self, number: int) -> Ready | None:
        """Give the run whose placeholder came out of the reader."""
        return self._runs.pop(number, None)

    # -- the beginning ------------------------------------------------------------------------

    def _first(self) -> bytes:
        """Pass the first entries on as they are: the header must be known before one is learnt."""
        self._has_begun = True
        data = self._stream.read(_FIRST_BYTES)
        cut = data.rfind(self._end.encode()) + len(self._end)
        text = self._decoded(data[:cut])
        if len(data) < _FIRST_BYTES or cut < len(self._end) or text is None:
            self._is_off = True
            return data
        declaration = _DECLARATION.match(data)
        encoding = declaration[1] if declaration else None
        first = self._first_entry(text)
        if first is None or (encoding and encoding.lower() not in _ENCODINGS):
            self._is_off = True
            return data
        at: int | None = first
        while at is not None and at < len(text):
            at = self._behind(text, at)
        self._is_off = at is None
        self._head, self._carried = text[:first], data[cut:]
        self._head_lines = 1 + self._head.count("\n")
        self._line += text.count("\n")
        return data[:cut]

    def _first_entry(self, text: str) -> int | None:
        """Find the first entry; None: it cannot be told."""
        for landmark in self._landmark.finditer(text):
            if landmark[0] == "<!" or landmark[0].startswith("</"):
                return None
            if self._starts.match(text, landmark.start()):
                return landmark.start()
        return None

    def _behind(self, text: str, at: int) -> int | None:
        """Find the end of an entry and the white space behind it; None: it is no plain one."""
        if not self._starts.match(text, at):
            return None
        for landmark in self._landmark.finditer(text, at + 1):
            if landmark[0].startswith("</"):
                end = landmark.end()
                while end < len(text) and text[end] in _SPACES:
                    end += 1
                return end
            if not landmark[0].endswith(">"):
                return None  # an entry in an entry, or something without an end
        return None

    def _decoded(self, data: bytes) -> str | None:
        """Give text that XML allows, with its line ends; None: it is not as plain as that."""
        if any(refused in data for refused in _REFUSED):
            return None
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return None
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        return None if "\r" in text else text

    # -- casting ------------------------------------------------------------------------------

    def _reduced(self, data: bytes) -> bytes:
        """Give a slice without the entries that were cast."""
        text = self._decoded(data)
        if self._school is None:
            self._school = self._make_school(self._head)
        if text is None or self._school is None:
            self._is_off = True
            return data
        kept: list[str] = []
        at = 0
        while at < len(text):
            run, begin = _Run(), at
            at = self._cast_all(text, at, run)
            kept.append(self._placed(run, text, begin, at))
            if at < len(text):
                behind = self._passed(text, at)
                kept.append(text[at:behind])
                self._line += kept[-1].count("\n")
                at = behind
        return "".join(kept).encode()

    def _passed(self, text: str, at: int) -> int:
        """Let an entry go the plain way, and learn of it; give where it ends."""
        start = len(text) - len(text[at:].lstrip(_SPACES)) if text[at] in _SPACES else at
        behind = self._behind(text, start) if start < len(text) else start
        if behind is None:
            self._is_off = True
            return len(text)
        self._learn(text[start:behind].rstrip(_SPACES))
        return behind

    def _cast_all(self, text: str, at: int, run: _Run) -> int:
        """Cast entries one after the other; give where the first stands that cannot be."""
        if self._is_off:
            return at
        pages, excluded, found = self._taught.pages, self._excluded, run.found
        while True:
            for place, (match, moulds) in enumerate(self._shapes):
                fit = match(text, at)
                if fit is None:
                    continue
                values = fit.groups()
                for mould in moulds:
                    if (cast := mould.cast(values, pages)) is not None:
                        break
                else:
                    continue
                break
            else:
                return at
            loc, body, notes = cast
            if loc in excluded:
                return at
            if place:
                self._shapes.insert(0, self._shapes.pop(place))
            if mould.proven < _PROOFS or not (self.casts + len(found)) % _PROOF_EVERY:
                self._prove(mould, fit[0].lstrip(_SPACES))
            if notes:
                run.noted.append((len(found), notes))
            end = fit.end()
            found.append((loc, body, mould, at, end))
            at = end

    def _learn(self, markup: str) -> None:
        """Make a mould of an entry that none fits, as long as moulds are worth what they cost."""
        paid = self.casts // _CASTS_FOR_A_LESSON + _FREE_LESSONS
        if self._lessons >= paid or len(self._known) >= _MOST_MOULDS:
            return
        self._lessons += 1
        mould = learn(markup, self._taught)
        if mould is None or (mould.pattern, mould.is_cleaned) in self._known:
            return
        self._known.add((mould.pattern, mould.is_cleaned))
        for match, moulds in self._shapes:
            if moulds[0].pattern == mould.pattern:
                moulds.append(mould)
                return
        self._shapes.insert(0, (mould.pattern.match, [mould]))

    def _prove(self, mould: Mould, markup: str) -> None:
        """Compare a cast with what the plain way gives.

        Raises:
            MouldBroken: they differ.
        """
        mould.proven += 1
        expected = self._taught.teach(markup)
        if expected is None or not agrees(mould, markup, expected, self._taught):
            raise MouldBroken

    @property
    def _taught(self) -> School:
        if self._school is None:
            raise TypeError("nothing is cast before there is a school")
        return self._school

    def _placed(self, run: _Run, text: str, begin: int, end: int) -> str:
        """Put a run away, and give what stands in its place."""
        lines = text.count("\n", begin, end)
        if not run.found:
            self._line += lines
            return "\n" * lines
        self._number += 1
        self._runs[self._number] = self._ready(run, text)
        self.casts += len(run.found)
        self._line += lines
        return self._placeholder % self._number + "\n" * lines

    def _ready(self, run: _Run, text: str) -> Ready:
        first_line, first = self._line, run.found[0][3]
        head_lines, school = self._head_lines, self._taught
        locs, texts, moulds, begins, ends = zip(*run.found, strict=True)

        counted = [first, first_line]

        def line_of(number: int) -> int:
            """Count on from where was counted to; mostly they are asked for in order."""
            begin = begins[number]
            markup = text[begin : ends[number]]
            begin += len(markup) - len(markup.lstrip(_SPACES))
            if begin < counted[0]:
                counted[:] = first, first_line
            counted[:] = begin, counted[1] + text.count("\n", counted[0], begin)
            return counted[1]

        def entry_of(number: int) -> Entry:
            markup = text[begins[number] : ends[number]].lstrip(_SPACES)
            outcome = school.teach("\n" * (line_of(number) - head_lines) + markup)
            if outcome is None:
                raise MouldBroken
            return outcome.entry

        return Ready(
            locs=list(locs),
            texts=list(texts),
            images=[mould.images for mould in moulds],
            videos=[mould.videos for mould in moulds],
            prefixes=frozenset().union(*{mould.prefixes for mould in moulds}),
            origins=[mould.origin for mould in moulds],
            lost=[mould.lost for mould in moulds],
            issues=tuple(
                issue
                for number, notes in run.noted
                for issue in school.issues_of(notes, line_of(number), locs[number])
            ),
            line_of=line_of,
            entry_of=entry_of,
        )
