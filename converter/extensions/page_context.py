"""The page that the sitemap extensions write about, and its issues."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed, Moment, Text
from converter.options import WriteOptions
from converter.values import dates, text

_NO_FEED: Final = Feed()


def readable(value: Text | str | None) -> str | None:
    """Return a text as plain text on one line; None if nothing is left of it."""
    if value is None:
        return None
    if isinstance(value, str):
        return text.plain(value, is_html=False) or None
    return text.plain(value.value, is_html=value.is_html) or None


def w3c_date(moment: Moment | None) -> str | None:
    """Return a date in W3C format; None for no date, a year or a month (mapping 1.3)."""
    return None if moment is None or moment.is_partial else dates.to_w3c(moment)


@dataclass(slots=True, eq=False)
class PageContext:
    """One entry on its way into a sitemap."""

    entry: Entry
    loc: str
    options: WriteOptions
    report: Report
    _reported: set[tuple[Code, str, str]] = field(default_factory=set)
    _left_out: list[Issue] = field(default_factory=list)
    _published: Moment | Literal[False] | None = False
    """False: not yet asked for."""

    @property
    def feed(self) -> Feed:
        """The header of the entry's document."""
        return self.entry.feed or _NO_FEED

    def published(self) -> Moment | None:
        """Return the date of publication; None if it lies ahead, or is a year or a month only."""
        if self._published is False:
            options = self.options
            self._published, notes = dates.choose_lastmod(
                self.entry.published, None, policy="published", now=options.now
            )
            if options.lastmod in {"updated", "none"}:  # else `lastmod` has reported it
                self.warn_all(notes, "published")
        return self._published

    def warn(self, code: Code, message: str, path: str, line: int | None = None) -> None:
        """Report an issue of this page; once, also if several videos share its cause."""
        key = (code, message, path)
        if key not in self._reported:
            self._reported.add(key)
            line = line or self.entry.line
            self.report(Issue(code=code, message=message, line=line, path=path, entry=self.loc))

    def leave_out(self, item: str, why: str, line: int | None = None) -> None:
        """Note a video or an image that is not written; `report_left_out` reports it."""
        code, message, line = Code.DROPPED_FIELD, f"{why}; left out", line or self.entry.line
        issue = Issue(code=code, message=message, line=line, path=item, entry=self.loc)
        self._left_out.append(issue)

    def report_left_out(self) -> None:
        """Report the videos and images that are not written as lost, so that they are counted."""
        for issue in self._left_out:
            self.report(issue)

    def warn_all(self, notes: Iterable[tuple[Code, str]], path: str) -> None:
        """Report what a value function noted."""
        for code, message in notes:
            self.warn(code, message, path)

    def shortened(self, value: str, limit: int, path: str) -> str:
        """Cut a text at a word, with an ellipsis, to a number of code points."""
        if len(value) <= limit:
            return value
        self._report_cut(value, limit, path)
        return text.shorten(value, limit)

    def clipped(self, value: str, limit: int, path: str) -> str:
        """Cut a name hard: an ellipsis would make another name of it."""
        if len(value) <= limit:
            return value
        self._report_cut(value, limit, path)
        return value[:limit].rstrip()

    def _report_cut(self, value: str, limit: int, path: str) -> None:
        self.warn(Code.TEXT_CUT, f"{len(value):,} characters cut to {limit:,}", path)
