"""Writes JSON Feed 1.1: https://www.jsonfeed.org/version/1.1/.

What it requires and the input lacks is made from other fields, and reported (mapping 4.5).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from converter.extensions.element_writer import ElementWriter, language
from converter.extensions.mediarss.write import files_of, first_picture
from converter.extensions.page_context import to_plain_text
from converter.extensions.required_feed_fields import (
    RequiredFields,
    entry_authors,
    report_added_time,
    without_future,
)
from converter.formats.base import Rendered
from converter.issues import Code, Issue, Report
from converter.model import Audio, Entry, Feed, Image, Moment, Person, Text, Video
from converter.options import WriteOptions
from converter.values import dates, media_types, urls

_VERSION: Final = "https://jsonfeed.org/version/1.1"


class JsonFeedWriter:
    """Entries to items."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options
        self._required = RequiredFields(options)
        self._supplied: list[Issue] = []

    def entry(self, entry: Entry, report: Report, /) -> Rendered:
        """Render one item; one without `url` is an item too."""
        writer = ElementWriter.for_entry(entry, report)
        self._required.collect(entry)
        item: dict[str, Any] = {
            "id": self._required.id(entry, writer, iri=False),
            "url": writer.url(entry.loc, "url"),
            "external_url": _external_url(entry, writer),
            "title": entry.title and writer.inline(entry.title, "title"),
            **self._texts(entry, writer),
            "date_published": self._date(entry.published, "date_published", writer),
            "date_modified": self._date(entry.updated, "date_modified", writer),
            "authors": _authors(entry_authors(entry), writer),
            "tags": [tag for it in entry.categories if (tag := writer.inline(it.text, "tags"))],
            "language": language(entry.lang),
        }
        images, videos = self._add_media(item, entry, writer)
        return Rendered(self._rendered(item, "    "), images=images, videos=videos)

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the feed up to its first item."""
        self._supplied = []
        writer = ElementWriter(self._supplied.append)
        required, options = self._required, self._options
        hubs = [writer.url(link.href, "hubs") for link in feed.links if link.rel == "hub"]
        pages = (writer.url(link.href, "next_url") for link in feed.links if link.rel == "next")
        header = {
            "version": _VERSION,
            "title": required.feed_title(feed, writer),
            "home_page_url": writer.url(options.link or feed.link, "home_page_url"),
            "feed_url": options.self_url,
            "description": options.description or feed.description,
            "next_url": next(pages, None),
            "icon": writer.url(feed.image, "icon"),
            "authors": _authors(required.feed_authors(feed, writer), writer),
            "language": language(feed.lang),
            "hubs": [{"type": "WebSub", "url": url} for url in hubs if url],
        }
        start = self._rendered(header, "").rstrip(b"}\n")
        return start + (b',\n  "items": [\n' if options.pretty else b',"items":[\n')

    def tail(self, feed: Feed, /) -> bytes:
        """Render the end."""
        return b"\n  ]\n}\n" if self._options.pretty else b"\n]}\n"

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report what the header was supplied with."""
        for issue in self._supplied:
            report(issue)

    def _rendered(self, members: dict[str, Any], indent: str) -> bytes:
        present = {name: value for name, value in members.items() if value not in (None, "", [])}
        if not self._options.pretty:
            return _encoded(json.dumps(present, ensure_ascii=False, separators=(",", ":")))
        text = json.dumps(present, ensure_ascii=False, indent=2)
        return _encoded("\n".join(indent + line for line in text.split("\n")))

    def _texts(self, entry: Entry, writer: ElementWriter) -> dict[str, str | None]:
        """Render the content; without one, the summary is the content."""
        summary, content = entry.summary, entry.content
        if content is None:
            summary, content = None, summary
        if content is None:
            content = next(
                (it.description for it in entry.videos if to_plain_text(it.description)), None
            )
            content = content or Text(entry.title or "")
            message = "neither content nor summary; what is known of the entry is written"
            writer.warn(Code.SUPPLIED_DESCRIPTION, message, "content_text")
        name = "content_html" if content.is_html else "content_text"
        value = writer.html(content) if content.is_html else content.value
        # one of the two must be there, even if it is empty
        return {name: value or " ", "summary": writer.plain(summary, "summary")}

    def _date(self, moment: Moment | None, name: str, writer: ElementWriter) -> str | None:
        moment = without_future(moment, name, writer, self._options.now)
        if moment is None:
            return None
        report_added_time(moment, name, writer)
        return dates.to_rfc3339(moment)

    # -- media --------------------------------------------------------------------------------

    def _add_media(
        self, item: dict[str, Any], entry: Entry, writer: ElementWriter
    ) -> tuple[int, int]:
        """Add the image and the attachments; return how many images and videos are written."""
        attachments: list[dict[str, Any]] = []
        first = first_picture(entry)
        images = videos = 0
        videos_: tuple[Video, ...] = entry.videos if self._options.videos else ()
        media: tuple[Video | Audio, ...] = (*videos_, *entry.audios)
        for medium in media:
            written = list(_attachments(medium, writer))
            videos += bool(written) and isinstance(medium, Video)
            attachments += written
        for image in entry.images if self._options.images else ():
            if image is first:
                item["image"] = writer.url(image.url, "image")
                images += bool(item["image"])
            else:
                written = list(_attachments(image, writer))
                images += bool(written)
                attachments += written
        item["attachments"] = attachments
        return images, videos


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _external_url(entry: Entry, writer: ElementWriter) -> str | None:
    related = (link.href for link in entry.links if link.rel == "related")
    return writer.url(next(related, None), "external_url")


def _authors(people_: Iterable[Person], writer: ElementWriter) -> list[dict[str, str]]:
    found = []
    for person in people_:
        author = {"name": to_plain_text(person.name), "url": writer.url(person.uri, "authors/url")}
        if stated := {name: value for name, value in author.items() if value}:
            found.append(stated)
    return found


def _attachments(
    medium: Video | Audio | Image, writer: ElementWriter
) -> Iterator[dict[str, str | float]]:
    """Yield an attachment for each file of a known type."""
    title = to_plain_text(medium.title)
    for file in files_of(medium):
        url, mime = writer.url(file.url, "attachments"), file.mime or media_types.mime_of(file.url)
        if url and mime and urls.is_http(url):
            duration_s = file.duration_s
            if duration_s is None and not isinstance(medium, Image):
                duration_s = medium.duration_s
            attachment = {
                "url": url,
                "mime_type": mime,
                "title": title,
                "size_in_bytes": file.size_bytes or None,
                "duration_in_seconds": None if duration_s is None else _number(duration_s),
            }
            yield {name: value for name, value in attachment.items() if value is not None}


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else float(value)
