"""A page's values for videos without their own (mapping 3.7)."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from converter.model import Person, Podcast, Text
from converter.values import text, urls
from converter.vocab.page import PageContext, readable

__all__ = ["PageDefaults"]

_NO_PODCAST: Final = Podcast()


class PageDefaults:
    """What reads long texts or lists is computed once for all videos of the page."""

    def __init__(self, page: PageContext) -> None:
        self._entry = page.entry
        self.feed = page.feed
        self.podcast: Podcast = page.entry.podcast or _NO_PODCAST
        self.channel: Podcast = page.feed.podcast or _NO_PODCAST

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
    def thumbnail(self) -> str | None:
        """The first `<img>` of the entry, else the header's image; neither is cleaned yet."""
        for source in (self._entry.content, self._entry.summary):
            if source is not None and (url := _first_image(source)) is not None:
                return url
        image = self.feed.image
        return None if image is None else urls.media(image).url

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """`itunes:keywords`, else the categories; a category is one tag."""
        if self.podcast.keywords:
            return self.podcast.keywords
        categories = [readable(category.text) for category in self._entry.categories]
        return tuple(name for name in categories if name)

    @property
    def duration_s(self) -> float | None:
        """`itunes:duration`, if the page has only one video."""
        return self.podcast.duration_s if len(self._entry.videos) == 1 else None

    @cached_property
    def uploader(self) -> Person | None:
        """`itunes:author`, else the entry's author, else the header's.

        RSS has no author of a channel: `managingEditor` and `webMaster` made no videos.
        """
        if readable(self.podcast.author):
            return Person(name=self.podcast.author)
        for person in self._entry.authors:
            if readable(person.name):
                return person
        if readable(self.channel.author):
            return Person(name=self.channel.author)
        if self.feed.format != "rss":
            for person in self.feed.authors:
                if readable(person.name):
                    return person
        return None


def _podcast_text(value: str | None) -> str | None:
    """Read `itunes:summary` and its like: plain by their specification, HTML by habit."""
    return None if value is None else text.title(value) or None


def _first_image(source: Text) -> str | None:
    if not source.is_html:
        return None
    for reference in text.images(source.value):
        url = urls.resolve(reference, source.base).url
        if url is not None and (usable := urls.media(url).url) is not None:
            return usable
    return None
