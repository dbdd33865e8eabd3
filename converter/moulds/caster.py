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
from collections.abc import Callable, Collection
from typing import BinaryIO, Final

from converter.errors import MouldBroken
from converter.issues import Issue
from converter.model import Entry
from converter.moulds import sizes
from converter.moulds.crew import Crew, can_fork
from converter.moulds.layout import SPACES, Layout, decoded, start_of
from converter.moulds.learn import learn
from converter.moulds.mould import parted
from converter.moulds.press import Gap, Press, Run, Struck, lines_before
from converter.moulds.school import School, moved
from converter.moulds.slices import Slices
from converter.seams import Ready

__all__ = ["Caster"]

#: So many slices are done before others are asked for help: they know what was learnt till then.
_SLICES_ALONE: Final = 4
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
        excluded: Collection[str],
        jobs: int = 1,
        *,
        are_held: bool = False,
    ) -> None:
        """Begin.

        Args:
            stream: the document.
            tag: of its entries.
            placeholder: the markup of an entry that names the run `%d`.
            school: makes the school of a document that begins like this, to its first entry.
            excluded: pages that are to go the plain way.
            jobs: how many processes may work.
            are_held: as for `Slices`.
        """
        self.casts = 0
        self._stream = stream
        self._layout = Layout(tag)
        self._placeholder = placeholder
        self._make_school = school
        self._excluded = excluded
        self._jobs = jobs
        self._are_held = are_held
        self._runs: dict[int, Ready] = {}
        self._number = 0
        self._crew: Crew[Struck | None] | None = None
        self._begin()

    def _begin(self) -> None:
        self._is_off = False
        self._has_begun = False
        self._looked_into: tuple[bytes | None, str] = (None, "")
        self._slices = Slices(self._stream, self._layout, are_held=self._are_held)
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
                mark = self._slices.marked()
                return self._slices.rest(size) if mark is None else self._reduced(mark)
        return self._slices.rest(size)

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
        data, more = self._slices.first(sizes.FIRST_BYTES)
        text = decoded(data)
        declared = _DECLARATION.match(data)
        is_utf_8 = declared is None or declared[1].lower() in _ENCODINGS
        first = self._layout.first(text) if text and is_utf_8 else None
        if len(data) + len(more) < sizes.FIRST_BYTES or text is None or first is None:
            self._is_off = True
            return data or self._slices.rest(len(more))
        at: int | None = first
        while at is not None and at < len(text):
            at = self._layout.behind(text, start_of(text, at))
        self._is_off = at is None
        self._head = text[:first]
        self._line += text.count("\n")
        return data

    def _reduced(self, mark: bytes) -> bytes:
        """Give a slice without the entries that were cast."""
        self._slices_done += 1
        data = self._slices.read(mark)
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
            for part in self._press.struck(text, at):
                if isinstance(part, Run):
                    kept.append(self._placed(part, self._press, mark))
                    at = part.begins[-1]
                    continue
                kept.append(part.markup)
                at += len(part.markup)
                if self._is_new(part, self._press):
                    break  # what follows may be like it
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
            strike, slices = press.strike, self._slices
            at_once = 2 if slices.are_spans else 1
            self._crew = Crew(self._jobs, lambda mark: strike(slices.read(mark)), at_once)

    def _handed(self, crew: Crew[Struck | None], press: Press) -> bytes | None:
        """Give the next slice that was struck; None: there are no more, or nobody strikes them."""
        is_wanted = self._unknown < _MOST_UNKNOWN
        if is_wanted:
            self._share_out(crew)
        if not crew.is_busy:
            if is_wanted:
                self.close()
                self._jobs = 1
            return None
        mark, struck = crew.next()
        if is_wanted:
            self._share_out(crew)
        if struck is None:
            self._is_off = True
            kept = [self._slices.read(mark)]
        else:
            kept = [self._joined(part, press, mark).encode() for part in struck]
        if self._is_off:
            self._slices.unmark(crew.dismiss())
        return b"".join(kept)

    def _share_out(self, crew: Crew[Struck | None]) -> None:
        while crew.has_room and (mark := self._slices.marked()) is not None:
            crew.give(mark)

    def _joined(self, part: Run | Gap, press: Press, mark: bytes) -> str:
        """Put away what others did; what they did not know, this process may know since."""
        if isinstance(part, Run):
            return self._placed(part, press, mark)
        run, *more = press.struck(part.markup)
        if more or isinstance(run, Gap):
            self._is_new(part, press)
            return part.markup
        self._unknown += 1
        begins = [part.begin + begin for begin in run.begins]
        return self._placed(run._replace(begins=begins), press, mark)

    def _is_new(self, gap: Gap, press: Press) -> bool:
        """Learn of an entry that goes the plain way; say whether there is a new mould now."""
        self._line += gap.markup.count("\n")
        paid = self.casts // _CASTS_FOR_A_LESSON + _FREE_LESSONS
        markup = gap.markup.strip(SPACES)
        if gap.is_last:
            self._is_off = True
        elif (
            markup
            and not gap.is_excluded
            and self._lessons < paid
            and len(press.moulds) < _MOST_MOULDS
        ):
            self._lessons += 1
            if mould := learn(markup, press.school):
                return press.add(mould)
        return False

    # -- runs ---------------------------------------------------------------------------------

    def _placed(self, run: Run, press: Press, mark: bytes) -> str:
        """Put a run of a slice away, and give what stands in its place."""
        self._number += 1
        self._runs[self._number] = self._ready(run, press, mark)
        self.casts += len(run.moulds)
        self._line += run.breaks
        return self._placeholder % self._number + "\n" * run.breaks

    def _ready(self, run: Run, press: Press, mark: bytes) -> Ready:
        first, locs = self._line, run.locs.split("\n")
        widths = [press.moulds[number].width for number in run.moulds]
        texts, *told = parted(run.filled, widths)
        moments, ids, updates, *messages = told or ([], [], [])
        return Ready(
            locs=locs,
            texts=texts,
            moulds=run.moulds,
            common=[mould.common for mould in press.moulds],
            moments=moments,
            ids=ids,
            updates=updates,
            messages=list(zip(*messages, strict=True)) if messages else [()] * len(moments),
            issues=tuple(
                [
                    Issue(
                        code=code,
                        message=message,
                        line=first + run.lines[number],
                        entry=locs[number],
                        source=press.school.source,
                    )
                    for number, noted in sorted(run.notes.items())
                    for code, message in noted
                ]
            ),
            line_of=lambda number: first + self._breaks(run, mark, number),
            markup_of=self._markups(run, mark),
            read=self._again,
        )

    def _breaks(self, run: Run, mark: bytes, number: int) -> int:
        """Give the line breaks before an entry; for most, nobody wants to know."""
        if number not in run.lines:
            text = self._text(mark)
            run.lines.update(lines_before(text, run.begins, range(len(run.moulds)))[0])
        return run.lines[number]

    def _text(self, mark: bytes) -> str:
        """Read a slice again; who asks for one entry of it, asks for others."""
        if self._looked_into[0] != mark:
            self._looked_into = mark, decoded(self._slices.read(mark)) or ""
        return self._looked_into[1]

    def _markups(self, run: Run, mark: bytes) -> Callable[[int], str]:
        """Give what tells an entry's markup: where it stands, if that can be read again."""
        begins = run.begins
        if self._slices.are_spans:
            span = mark.decode()
            return lambda number: f"{begins[number]} {begins[number + 1]} {span}"
        return lambda number: self._text(mark)[begins[number] : begins[number + 1]].strip(SPACES)

    def _again(self, markup: str, line: int) -> Entry:
        """Read an entry the plain way that was cast already."""
        if self._slices.are_spans:
            begin, end, mark = markup.split(" ", 2)
            markup = self._text(mark.encode())[int(begin) : int(end)].strip(SPACES)
        outcome = None if self._press is None else self._press.school.teach(markup)
        if outcome is None:
            raise MouldBroken
        return moved(outcome.entry, line)
