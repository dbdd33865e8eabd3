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


def to_plain_text(value: Text | str | None) -> str | None:
    """Return a text as plain text on one line; None if nothing is left of it."""
    if value is None:
        return None
    if isinstance(value, str):
        return text.plain(value, is_html=False) or None
    return text.plain(value.value, is_html=value.is_html) or None


def to_w3c(moment: Moment | None) -> str | None:
    """Return a date in W3C format; None for no date, a year or a month (mapping 1.3)."""
    return None if moment is None or moment.is_partial else dates.to_w3c(moment)


@dataclass(slots=True, eq=False)
class WrittenItem:
    """The issues of an entry or a header that is written."""

    report: Report
    line: int | None = None
    label: str | None = None
    """How issues name the entry."""
    source: str | None = None
    """The name of the document that it comes from."""
    _reported: set[tuple[Code, str, str]] = field(default_factory=set)

    def warn(self, code: Code, message: str, path: str, line: int | None = None) -> None:
        """Report an issue; once, even if several videos have the same."""
        key = (code, message, path)
        if key not in self._reported:
            self._reported.add(key)
            self._report(code, message, path, line)

    def leave_out(self, item: str, why: str, line: int | None = None) -> None:
        """Report a video or an image that is not written as lost, so that it is counted."""
        self._report(Code.DROPPED_FIELD, f"{why}; left out", item, line)

    def _report(self, code: Code, message: str, path: str, line: int | None) -> None:
        self.report(
            Issue(
                code=code,
                message=message,
                line=line or self.line,
                path=path,
                entry=self.label,
                source=self.source,
            )
        )


@dataclass(slots=True, eq=False, kw_only=True)
class PageContext(WrittenItem):
    """An entry that is written to a sitemap, with its options and issues."""

    entry: Entry
    loc: str
    options: WriteOptions
    _published: Moment | Literal[False] | None = False
    """False: not determined yet."""

    @property
    def feed(self) -> Feed:
        """The header of the entry's document."""
        return self.entry.feed or _NO_FEED

    def published(self) -> Moment | None:
        """Return the date of publication; None if it is in the future, a year or a month."""
        if self._published is False:
            options = self.options
            self._published, notes = dates.choose_lastmod(
                self.entry.published, None, policy="published", now=options.now
            )
            if options.lastmod in {"updated", "none"}:  # else `lastmod` has reported it
                self.warn_all(notes, "published")
        return self._published

    def warn_all(self, notes: Iterable[tuple[Code, str]], path: str) -> None:
        """Report the notes of a value function."""
        for code, message in notes:
            self.warn(code, message, path)

    def shorten(self, value: str, limit: int, path: str, *, at_word: bool = True) -> str:
        """Cut a text to a number of code points, and report it.

        Args:
            value: the text.
            limit: code points.
            path: of the issue.
            at_word: cut between words, and add an ellipsis; False for a name, which would become
                another one.
        """
        if len(value) <= limit:
            return value
        self.warn(Code.TEXT_CUT, f"{len(value):,} characters cut to {limit:,}", path)
        return text.shorten(value, limit) if at_word else value[:limit].rstrip()
