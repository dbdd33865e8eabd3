"""Writes JSON Feed 1.1: https://www.jsonfeed.org/version/1.1/.

Members that it requires and the input lacks are made from other fields, and reported (mapping 4.5).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

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
from converter.issues import Code, Report
from converter.model import Audio, Entry, Feed, Image, Moment, Person, Text, Video
from converter.options import WriteOptions
from converter.values import dates, media_types, urls


class JsonFeedWriter:
    """Writes entries as items."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options
        self._required = RequiredFields(options)
        self.finish = self._required.finish

    def entry(self, entry: Entry, report: Report, /) -> Rendered:
        """Render one item, also without `url`."""
        writer = ElementWriter.for_entry(entry, report)
        self._required.collect(entry)
        related = [link.href for link in entry.links if link.rel == "related"]
        options, picture = self._options, first_picture(entry)
        image = writer.url(picture.url, "image") if picture and options.images else None
        others = (it for it in entry.images if it is not picture)
        videos = _attachments(entry.videos if options.videos else (), writer)
        audios = _attachments(entry.audios, writer)
        images = _attachments(others if options.images else (), writer)
        item = {
            "id": self._required.id(entry, writer, iri=False),
            "url": writer.url(entry.loc, "url"),
            "external_url": writer.url(related[0], "external_url") if related else None,
            "title": entry.title and writer.inline(entry.title, "title"),
            **_texts(entry, writer),
            "date_published": self._date(entry.published, "date_published", writer),
            "date_modified": self._date(entry.updated, "date_modified", writer),
            "authors": _authors(entry_authors(entry), writer),
            "tags": [tag for it in entry.categories if (tag := writer.inline(it.text, "tags"))],
            "language": language(entry.lang),
            "image": image,
            "attachments": list(chain.from_iterable((*videos, *audios, *images))),
        }
        body = self._encode(item, "    ")
        return Rendered(body, images=len(images) + bool(image), videos=len(videos))

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the feed up to its first item."""
        writer, options = self._required.header_writer(), self._options
        hubs = [writer.url(link.href, "hubs") for link in feed.links if link.rel == "hub"]
        pages = (writer.url(link.href, "next_url") for link in feed.links if link.rel == "next")
        header = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": self._required.feed_title(feed, writer),
            "home_page_url": writer.url(options.link or feed.link, "home_page_url"),
            "feed_url": options.self_url,
            "description": options.description or feed.description,
            "next_url": next(pages, None),
            "icon": writer.url(feed.image, "icon"),
            "authors": _authors(self._required.feed_authors(feed, writer), writer),
            "language": language(feed.lang),
            "hubs": [{"type": "WebSub", "url": url} for url in hubs if url],
        }
        start = self._encode(header, "").rstrip(b"}\n")
        return start + (b',\n  "items": [\n' if options.pretty else b',"items":[\n')

    def tail(self, feed: Feed, /) -> bytes:
        """Render the end."""
        return b"\n  ]\n}\n" if self._options.pretty else b"\n]}\n"

    def _encode(self, members: dict[str, Any], indent: str) -> bytes:
        members = _present(members)
        if self._options.pretty:
            text = json.dumps(members, ensure_ascii=False, indent=2).replace("\n", f"\n{indent}")
        else:
            text = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
        return (indent * self._options.pretty + text).encode("utf-8", "replace")

    def _date(self, moment: Moment | None, name: str, writer: ElementWriter) -> str | None:
        moment = without_future(moment, name, writer, self._options.now)
        if moment is None:
            return None
        report_added_time(moment, name, writer)
        return dates.to_rfc3339(moment)


def _present(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value not in (None, "", [])}


def _texts(entry: Entry, writer: ElementWriter) -> dict[str, str | None]:
    """Render the summary and the content; without a content, the summary is the content."""
    summary, content = entry.summary, entry.content
    if content is None or content == summary:
        summary, content = None, summary
    if content is None:
        texts = (video.description for video in entry.videos if to_plain_text(video.description))
        content = next(texts, None) or Text(entry.title or "")
        message = "neither content nor summary; what is known of the entry is written"
        writer.warn(Code.SUPPLIED_DESCRIPTION, message, "content_text")
    name = "content_html" if content.is_html else "content_text"
    value = writer.html(content) if content.is_html else content.value
    # the format requires one of the two, even if it is empty
    return {name: value or " ", "summary": writer.plain(summary, "summary")}


def _authors(authors: Iterable[Person], writer: ElementWriter) -> list[dict[str, Any]]:
    members = ((to_plain_text(it.name), writer.url(it.uri, "authors/url")) for it in authors)
    return [_present({"name": name, "url": url}) for name, url in members if name or url]


def _attachments(
    media: Iterable[Video | Audio | Image], writer: ElementWriter
) -> list[list[dict[str, Any]]]:
    """Render the files of a known type of each medium that has such files."""
    return list(filter(None, (list(_files(medium, writer)) for medium in media)))


def _files(medium: Video | Audio | Image, writer: ElementWriter) -> Iterator[dict[str, Any]]:
    for file in files_of(medium):
        url, mime = writer.url(file.url, "attachments"), file.mime or media_types.mime_of(file.url)
        seconds = file.duration_s
        if seconds is None and not isinstance(medium, Image):
            seconds = medium.duration_s
        attachment = {
            "url": url,
            "mime_type": mime,
            "title": to_plain_text(medium.title),
            "size_in_bytes": file.size_bytes or None,
            "duration_in_seconds": _number(seconds),
        }
        if url and mime and urls.is_http(url):
            yield _present(attachment)


def _number(value: float | None) -> float | None:
    return int(value) if value is not None and value % 1 == 0 else value
