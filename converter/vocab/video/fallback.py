"""What a page lends to its videos where they say nothing themselves (mapping 3.7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from converter.model import Feed, Moment, Person, Podcast, Text
from converter.values import text, urls
from converter.vocab.page import Page, readable

__all__ = ["Fallback"]

_NO_PODCAST: Final = Podcast()


class Fallback:
    """Worked out when it is first asked for, and once for all videos of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._entry = page.entry
        self.podcast: Podcast = page.entry.podcast or _NO_PODCAST
        self.channel: Podcast = page.feed.podcast or _NO_PODCAST

    @property
    def feed(self) -> Feed:
        return self._page.feed

    @cached_property
    def title(self) -> str | None:
        return readable(self._entry.title)

    @cached_property
    def description(self) -> str | None:
        """`itunes:summary`, the entry's summary, its content, `itunes:subtitle`."""
        return (
            _podcast_text(self.podcast.summary)
            or readable(self._entry.summary)
            or readable(self._entry.content)
            or _podcast_text(self.podcast.subtitle)
        )

    @cached_property
    def picture(self) -> str | None:
        """The first `<img>` of the entry, else the header's image; both are not cleaned yet."""
        for source in (self._entry.content, self._entry.summary):
            for url in _pictures(source):
                if (usable := urls.media(url).url) is not None:
                    return usable
        image = self.feed.image
        return None if image is None else urls.media(image).url

    @cached_property
    def published(self) -> Moment | None:
        return self._page.published()

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """`itunes:keywords`, else the categories; a category is one tag."""
        categories = (readable(category.text) for category in self._entry.categories)
        return self.podcast.keywords or tuple(text for text in categories if text)

    @cached_property
    def uploader(self) -> Person | None:
        """`itunes:author`, else the entry's author, else the header's.

        RSS has no author of a channel: `managingEditor` and `webMaster` made no videos.
        """
        feed = self.feed
        people = [
            Person(name=self.podcast.author),
            *self._entry.authors,
            Person(name=self.channel.author),
            *(feed.authors if feed.format != "rss" else ()),
        ]
        return next((person for person in people if readable(person.name)), None)

    @property
    def duration_s(self) -> float | None:
        """`itunes:duration`: of several videos it says nothing."""
        return self.podcast.duration_s if len(self._entry.videos) == 1 else None


def _podcast_text(value: str | None) -> str | None:
    """Read `itunes:summary` and its like: plain by their specification, HTML by habit."""
    return None if value is None else text.title(value) or None


def _pictures(source: Text | None) -> Iterator[str]:
    if source is None or not source.is_html:
        return
    for reference in text.images(source.value):
        if (url := urls.resolve(reference, source.base).url) is not None:
            yield url
