"""What every sitemap extension is told of the page that it speaks of, and how it reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed, Moment, Text
from converter.options import WriteOptions
from converter.values import dates, text

__all__ = ["Page", "readable", "w3c_date"]

_NO_FEED: Final = Feed()


def readable(value: Text | str | None) -> str | None:
    """Give a text as plain text on one line; None if nothing is left of it."""
    if value is None:
        return None
    if isinstance(value, str):
        return text.plain(value, is_html=False) or None
    return text.plain(value.value, is_html=value.is_html) or None


def w3c_date(moment: Moment | None) -> str | None:
    """Give a date as the extensions want it; None for none, a year or a month (mapping 1.3)."""
    return None if moment is None or moment.is_partial else dates.to_w3c(moment)


@dataclass(slots=True)
class Page:
    """One entry on its way into a sitemap."""

    entry: Entry
    loc: str
    options: WriteOptions
    report: Report
    _told: set[tuple[Code, str, str]] = field(default_factory=set)
    _left_out: list[Issue] = field(default_factory=list)

    @property
    def feed(self) -> Feed:
        """The header of the entry's document."""
        return self.entry.feed or _NO_FEED

    def published(self) -> Moment | None:
        """Give the entry's publication, if it may stand in a sitemap.

        As with `lastmod`, a future one may not, nor may a year or a month.
        """
        options = self.options
        moment, notes = dates.lastmod(
            self.entry.published, None, policy="published", now=options.now
        )
        if options.lastmod in {"updated", "none"}:  # else lastmod has told it already
            self.tell_all(notes, "published")
        return moment

    def tell(self, code: Code, message: str, path: str, line: int | None = None) -> None:
        """Report an issue of this page; once, also if several videos share its cause."""
        key = (code, message, path)
        if key in self._told:
            return
        self._told.add(key)
        self.report(
            Issue(
                code=code,
                message=message,
                line=line or self.entry.line,
                path=path,
                entry=self.loc,
            )
        )

    def leave_out(self, item: str, why: str, line: int | None = None) -> None:
        """Remember a video or an image that is not written; see `report_left_out`."""
        line = line or self.entry.line
        message = f"{why}; left out"
        issue = Issue(code=Code.DROPPED_FIELD, message=message, line=line, path=item)
        self._left_out.append(replace(issue, entry=self.loc))

    def report_left_out(self) -> None:
        """Report as lost what is not written, each once, so that it is counted."""
        for issue in self._left_out:
            self.report(issue)

    def tell_all(self, notes: Iterable[tuple[Code, str]], path: str) -> None:
        """Report what a value function noted."""
        for code, message in notes:
            self.tell(code, message, path)

    def shortened(self, value: str, limit: int, path: str) -> str:
        """Cut a text at a word, with an ellipsis, to a number of code points."""
        if len(value) <= limit:
            return value
        self._tell_cut(value, limit, path)
        return text.cut(value, limit)

    def clipped(self, value: str, limit: int, path: str) -> str:
        """Cut a name hard: an ellipsis would make another name of it."""
        if len(value) <= limit:
            return value
        self._tell_cut(value, limit, path)
        return value[:limit].rstrip()

    def _tell_cut(self, value: str, limit: int, path: str) -> None:
        self.tell(Code.TEXT_CUT, f"{len(value):,} characters cut to {limit:,}", path)
