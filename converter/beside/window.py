"""A writer of sitemaps that lets only news through."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from converter import registry
from converter.issues import Report, ignore
from converter.model import Entry, Feed
from converter.options import WriteOptions
from converter.seams import Part, Rendered
from converter.values import dates

__all__ = ["Window"]

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


class Window:
    """Entries to `url` elements, those that get a block of news; remembers the newest other one."""

    def __init__(self, options: WriteOptions) -> None:
        """Begin a sitemap.

        Raises:
            OptionError: the name or the language of the publication cannot be.
        """
        self._newest: tuple[datetime, Entry] | None = None
        self.anew(options)

    def anew(self, options: WriteOptions) -> Window:
        """Forget everything: another walk counts."""
        self._now = options.now
        self._writer = registry.by_name("sitemap").writing(options)
        self.head, self.tail = self._writer.head, self._writer.tail
        self._newest = None
        return self

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        """Render an article; None: it is none."""
        rendered = self._writer.entry(entry, report)
        if rendered is None or rendered.news:
            return rendered
        chosen = dates.lastmod(entry.published, entry.updated, policy="auto", now=self._now).moment
        instant = _NEVER if chosen is None else chosen.instant
        if self._newest is None or instant > self._newest[0]:
            self._newest = instant, entry
        return None

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Say nothing: the writer of the whole sitemap does."""

    def newest_page(self) -> Part | None:
        """Give a part of nothing but the newest page, without news; None: there is no page.

        The schema wants a `url` in every sitemap, and the guideline lets articles that have grown
        too old stay, without their block of news.
        """
        page = self._newest and self._writer.entry(self._newest[1], ignore)
        if not page:
            return None
        head, tail = self.head(Feed(), page.prefixes), self.tail(Feed())
        return Part(
            number=1,
            chunks=iter((head, page.body, tail)),
            entries=1,
            images=page.images,
            videos=page.videos,
            news=0,
            raw_bytes=len(head) + len(page.body) + len(tail),
        )
