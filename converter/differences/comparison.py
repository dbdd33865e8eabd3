"""Compare two sides: read and sort both, then walk through them in step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from converter.differences.change import Change, ChangeKind, DiffTotals, FieldChange
from converter.differences.fields import comparable, compare, is_same_moment, lastmod_of
from converter.differences.options import DiffOptions
from converter.differences.rows import RowFormat
from converter.differences.sides import Page, Side
from converter.errors import OptionError
from converter.formats.base import Spool
from converter.issues import Report
from converter.model import Entry
from converter.sources.source import SourceSpec


class Comparison:
    """One comparison.

    Attributes:
        totals: complete when all changes are read.
    """

    def __init__(self, options: DiffOptions, spool: Spool, closing: ExitStack) -> None:
        self._options = options
        self._rows = RowFormat(options.fields)
        self._old = Side(options, self._rows, spool, closing)
        self._new = Side(options, self._rows, spool, closing)
        self._has_parts = False
        """The values of images and videos are compared."""
        self.totals = DiffTotals(old=self._old.totals, new=self._new.totals)

    def changes(
        self, old: Sequence[SourceSpec], new: Sequence[SourceSpec], report: Report
    ) -> Iterator[Change]:
        """Read both sides, then yield the changes in the order of the bytes of their URLs.

        Raises:
            ConverterError: a source cannot be read, or breaks off; before the first change.
        """
        if "-" in old and "-" in new:
            raise OptionError("standard input (-) can be one side only; name a file as the other")
        self._old.read(old, report, is_old=True)
        self._new.read(new, report, is_old=False)
        formats = self._old.totals.formats, self._new.totals.formats
        wanted, totals = self._options.fields, self.totals
        totals.compared = comparable(wanted, *formats)
        totals.not_compared = tuple(name for name in wanted if name not in totals.compared)
        self._has_parts = len(formats[0] | formats[1]) == 1
        only, kinds = self._options.only, totals.kinds
        for url, before, after in _in_step(self._old.pages(), self._new.pages()):
            kind, differing = self._compared(url, before, after)
            kinds[kind] += 1
            if kind in only:
                yield Change(kind=kind, url=url, fields=differing)

    def _compared(
        self, url: str, before: bytes | None, after: bytes | None
    ) -> tuple[ChangeKind, tuple[FieldChange, ...]]:
        if before == after:
            return "same", ()
        if before is None:
            return "added", ()
        if after is None:
            return "removed", ()
        old, new = self._rows.load(url, before), self._rows.load(url, after)
        differing = compare(old, new, self.totals.compared, with_parts=self._has_parts)
        if "lastmod" in self.totals.compared and _differ_in_precision(old, new):
            self.totals.less_precise += 1
        if not differing:
            return "same", ()
        is_older = self._options.lastmod_order == "newer" and _is_older(old, new, differing)
        return "older" if is_older else "changed", differing


def _in_step(
    old: Iterator[Page], new: Iterator[Page]
) -> Iterator[tuple[str, bytes | None, bytes | None]]:
    """Yield each URL with its rows; None: the side does not have the page."""
    before, after = next(old, None), next(new, None)
    while before and after:
        if before[0] == after[0]:
            yield before[0], before[1], after[1]
            before, after = next(old, None), next(new, None)
        elif before[0] < after[0]:  # code points are in the order of their UTF-8
            yield before[0], before[1], None
            before = next(old, None)
        else:
            yield after[0], None, after[1]
            after = next(new, None)
    while before:
        yield before[0], before[1], None
        before = next(old, None)
    while after:
        yield after[0], None, after[1]
        after = next(new, None)


def _is_older(old: Entry, new: Entry, differing: Sequence[FieldChange]) -> bool:
    """Return True if the lastmod went back."""
    before, after = lastmod_of(old), lastmod_of(new)
    is_dated = any(change.field == "lastmod" for change in differing)
    return bool(is_dated and before and after and after.instant < before.instant)


def _differ_in_precision(old: Entry, new: Entry) -> bool:
    before, after = lastmod_of(old), lastmod_of(new)
    if before is None or after is None or before.precision == after.precision:
        return False
    return is_same_moment(before, after)
