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
from functools import cache
from typing import BinaryIO, Final

from converter.errors import MouldBroken
from converter.model import Entry
from converter.moulds import sizes
from converter.moulds.crew import Crew, can_fork
from converter.moulds.layout import SPACES, Layout, decoded
from converter.moulds.learn import learn
from converter.moulds.mould import parted
from converter.moulds.press import Gap, Press, Run, Struck
from converter.moulds.school import School
from converter.seams import Ready

__all__ = ["Caster"]

_SLICE_BYTES: Final = 256 * 1024
_MOST_CARRIED_BYTES: Final = 4 * 1024 * 1024

#: So many slices are done before others are asked for help: they know what was learnt till then.
_SLICES_ALONE: Final = 12
#: So many entries that others did not know and this process did are worth telling them.
_MOST_UNKNOWN: Final = 2_000

_MOST_MOULDS: Final = 48
#: Attempts to make a mould, before those that were made must have proven their worth.
_FREE_LESSONS: Final = 24
_CASTS_FOR_A_LESSON: Final = 200

_DECLARATION: Final = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*[\"']([^\"']*)")
_ENCODINGS: Final = frozenset({b"utf-8", b"us-ascii", b"ascii"})


class Caster:
    """A stream in which entries that are like the others stand no more."""

    def __init__(
        self,
        stream: BinaryIO,
        tag: str,
        placeholder: str,
        school: Callable[[str], School | None],
        excluded: Container[str],
        jobs: int = 1,
    ) -> None:
        """Begin.

        Args:
            stream: the document.
            tag: of its entries.
            placeholder: the markup of an entry that names the run `%d`.
            school: makes the school of a document that begins like this, to its first entry.
            excluded: pages that are to go the plain way.
            jobs: how many processes may work.
        """
        self.casts = 0
        self._stream = stream
        self._layout = Layout(tag)
        self._placeholder = placeholder
        self._make_school = school
        self._excluded = excluded
        self._jobs = jobs
        self._runs: dict[int, Ready] = {}
        self._number = 0
        self._crew: Crew[Struck | None] | None = None
        self._begin()

    def _begin(self) -> None:
        self._is_off = False
        self._has_begun = False
        self._carried = b""
        self._head = ""
        self._line = 1
        self._press: Press | None = None
        self._lessons = self._slices_done = self._unknown = 0

    # -- the stream ---------------------------------------------------------------------------

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go back to the beginning; not once something was taken out: what follows would differ."""
        if self.casts:
            raise MouldBroken
        self.close()
        self._begin()
        return self._stream.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        """Give what the reader shall see next; a little more or less than it asks for."""
        if not self._has_begun:
            return self._first()
        while not self._is_off:
            self._ask_for_help()
            if self._crew is not None and self._press is not None:
                handed = self._handed(self._crew, self._press)
                if handed is not None:
                    return handed
            if self._crew is None:
                data = self._slice()
                return self._rest(size) if data is None else self._reduced(data)
        return self._rest(size)

    def _rest(self, size: int) -> bytes:
        carried, self._carried = self._carried, b""
        return carried or self._stream.read(size)

    def take(self, number: int) -> Ready | None:
        """Give the run whose placeholder came out of the reader."""
        return self._runs.pop(number, None)

    def conclude(self) -> None:
        """See that nothing was lost, once the reader has come to its end.

        Raises:
            MouldBroken: the reader left a placeholder out.
        """
        if self._runs:
            raise MouldBroken

    def close(self) -> None:
        """Let the other processes go."""
        if self._crew is not None:
            self._crew.dismiss()
            self._crew = None

    # -- slices -------------------------------------------------------------------------------

    def _first(self) -> bytes:
        """Pass the first entries on as they are: the header must be known before one is learnt."""
        self._has_begun = True
        data = self._stream.read(sizes.FIRST_BYTES)
        cut = self._layout.cut(data)
        text = decoded(data[:cut])
        declared = _DECLARATION.match(data)
        is_utf_8 = declared is None or declared[1].lower() in _ENCODINGS
        first = self._layout.first(text) if text and is_utf_8 else None
        if len(data) < sizes.FIRST_BYTES or text is None or first is None:
            self._is_off = True
            return data
        at: int | None = first
        while at is not None and at < len(text):
            at = self._layout.behind(text, at)
        self._is_off = at is None
        self._head, self._carried = text[:first], data[cut:]
        self._line += text.count("\n")
        return data[:cut]

    def _slice(self) -> bytes | None:
        """Read whole entries; None: there are no more, or they are too long."""
        while True:
            more = self._stream.read(_SLICE_BYTES)
            data = self._carried + more
            cut = self._layout.cut(data)
            self._carried = data[cut:]
            if cut:
                return data[:cut]
            if not more or len(data) > _MOST_CARRIED_BYTES:
                return None

    def _reduced(self, data: bytes) -> bytes:
        """Give a slice without the entries that were cast."""
        self._slices_done += 1
        if self._press is None:
            school = self._make_school(self._head)
            if school is None:
                self._is_off = True
                return data
            self._press = Press(self._layout, school, self._excluded)
        text = decoded(data)
        if text is None:
            self._is_off = True
            return data
        kept: list[str] = []
        at = 0
        while at < len(text):
            run = self._press.run(text, at)
            if run.casts:
                kept.append(self._placed(run, self._press, lambda: text))
                at = run.end
            if at < len(text):
                gap = self._press.gap(text, at)
                kept.append(self._passed(gap, self._press))
                at += len(gap.markup)
        return "".join(kept).encode()

    # -- the help of others -------------------------------------------------------------------

    def _ask_for_help(self) -> None:
        """Have slices struck by other processes, once the moulds are known that they will need."""
        press = self._press
        if self._jobs < 2 or press is None or self._slices_done < _SLICES_ALONE:
            return
        if self._crew is not None and self._unknown >= _MOST_UNKNOWN and not self._crew.is_busy:
            self.close()
        if self._crew is None and can_fork():
            self._unknown = 0
            self._crew = Crew(self._jobs, press.strike)

    def _handed(self, crew: Crew[Struck | None], press: Press) -> bytes | None:
        """Give the next slice that was struck; None: there are no more, or nobody strikes them."""
        is_wanted = self._unknown < _MOST_UNKNOWN
        while is_wanted and crew.has_room and (data := self._slice()) is not None:
            crew.give(data)
        if not crew.is_busy:
            if is_wanted:
                self.close()
                self._jobs = 1
            return None
        data, struck = crew.next()
        while is_wanted and crew.has_room and (more := self._slice()) is not None:
            crew.give(more)
        if struck is None:
            self._is_off = True
            kept = [data]
        else:
            text = cache(lambda: decoded(data) or "")
            kept = [self._joined(part, text, press).encode() for part in struck]
        if self._is_off:
            self._carried = crew.dismiss() + self._carried
        return b"".join(kept)

    def _joined(self, part: Run | Gap, text: Callable[[], str], press: Press) -> str:
        """Put away what others did; what they did not know, this process may know since."""
        if isinstance(part, Run):
            return self._placed(part, press, text)
        run = press.run(part.markup, 0)
        if run.end < len(part.markup):
            return self._passed(part, press)
        self._unknown += 1
        return self._placed(run, press, lambda: part.markup)

    def _passed(self, gap: Gap, press: Press) -> str:
        """Let an entry go the plain way, and learn of it."""
        self._line += gap.markup.count("\n")
        paid = self.casts // _CASTS_FOR_A_LESSON + _FREE_LESSONS
        markup = gap.markup.strip(SPACES)
        if gap.is_last:
            self._is_off = True
        elif markup and self._lessons < paid and len(press.moulds) < _MOST_MOULDS:
            self._lessons += 1
            if mould := learn(markup, press.school):
                press.add(mould)
        return gap.markup

    # -- runs ---------------------------------------------------------------------------------

    def _placed(self, run: Run, press: Press, text: Callable[[], str]) -> str:
        """Put a run away, and give what stands in its place."""
        self._number += 1
        self._runs[self._number] = self._ready(run, press, text)
        self.casts += len(run.casts)
        self._line += run.lines
        return self._placeholder % self._number + "\n" * run.lines

    def _ready(self, run: Run, press: Press, text: Callable[[], str]) -> Ready:
        school = press.school
        moulds = [press.moulds[number] for number in run.moulds]
        locs, filled, notes = zip(*run.casts, strict=True)
        texts, traces = parted(moulds, filled)
        line_of = _lines(run, text, self._line)

        ends = [*run.begins[1:], run.end]

        def markup_of(number: int) -> str:
            return text()[run.begins[number] : ends[number]].strip(SPACES)

        return Ready(
            locs=list(locs),
            texts=list(texts),
            images=[mould.images for mould in moulds],
            videos=[mould.videos for mould in moulds],
            prefixes=[mould.prefixes for mould in moulds],
            origins=[mould.origin for mould in moulds],
            lost=[mould.lost for mould in moulds],
            traces=list(traces),
            issues=tuple(
                issue
                for number, noted in enumerate(notes)
                if noted
                for issue in school.issues_of(noted, line_of(number), locs[number])
            ),
            line_of=line_of,
            markup_of=markup_of,
            read=self._again,
        )

    def _again(self, markup: str, line: int) -> Entry:
        """Read an entry the plain way that was cast already."""
        outcome = None
        if self._press is not None:
            lines = line - 1 - self._head.count("\n")
            outcome = self._press.school.teach("\n" * lines + markup)
        if outcome is None:
            raise MouldBroken
        return outcome.entry


def _lines(run: Run, text: Callable[[], str], first_line: int) -> Callable[[int], int]:
    """Give what tells an entry's line; it counts on from where it was asked last."""
    counted = [run.begins[0], first_line]

    def line_of(number: int) -> int:
        given, begin = text(), run.begins[number]
        while given[begin] in SPACES:
            begin += 1
        if begin < counted[0]:
            counted[:] = run.begins[0], first_line
        counted[:] = begin, counted[1] + given.count("\n", counted[0], begin)
        return counted[1]

    return line_of
