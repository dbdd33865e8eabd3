"""Reads a feed that is broken beyond repair as XML, with feedparser.

It needs the document in memory, knows no lines, and loses the structure of Media RSS. feedparser
fetches, sanitises and resolves nothing here: https://feedparser.readthedocs.io/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO, Final, TypeAlias

from converter.errors import DocumentError, LimitError
from converter.extensions.atom_constructs import parse_author
from converter.formats.base import SimpleDocument
from converter.issues import Code, Issue, Report
from converter.model import (
    Audio,
    Category,
    Entry,
    Feed,
    Image,
    Kind,
    Moment,
    Person,
    Rendition,
    Text,
    Video,
)
from converter.options import ReadOptions
from converter.values import dates, media_types, numbers, text, urls
from converter.xml.repair import Findings, repair

#: feedparser follows a declaration; the repaired bytes are always UTF-8.
_DECLARATION: Final = b'<?xml version="1.0" encoding="utf-8"?>'

#: How feedparser's names of versions begin.
_FORMATS: Final = ("rss", "atom")

_ENTRIES: Final = frozenset({"item", "entry"})

#: feedparser keeps some 700 bytes for each.
_MOST_TAGS: Final = 100_000

_PLAIN_TYPES: Final = frozenset({"text/plain", "text"})

#: A result of feedparser as a plain dict: its own class returns `published`, and warns, for a
#: missing `updated`.
_Found: TypeAlias = Mapping[str, Any]


_MEDIA: Final[Mapping[Kind | None, Callable[[Rendition], Video | Image | Audio]]] = {
    Kind.VIDEO: lambda file: Video(content_url=file.url, renditions=(file,)),
    Kind.PLAYER: lambda file: Video(player_url=file.url, renditions=(file,)),
    Kind.AUDIO: lambda file: Audio(content_url=file.url, renditions=(file,)),
    Kind.IMAGE: lambda file: Image(url=file.url, rendition=file),
}


def read(stream: BinaryIO, options: ReadOptions, report: Report) -> SimpleDocument:
    """Read a feed that is broken beyond repair as XML.

    Raises:
        DocumentError: feedparser finds no feed in it either, or no entries.
        LimitError: repaired, it is larger than `limits.max_repair_bytes`, or has too many tags.
    """
    document = _whole(stream, options.limits.max_repair_bytes)
    found = _parsed(document)
    format_name = _format(found)
    entries = [dict(entry) for entry in found.get("entries", ())]
    is_cut = _breaks_off(document)
    if is_cut:
        entries = entries[:-1]
    if format_name is None or not entries:
        raise DocumentError("broken beyond repair: also as tag soup, it holds no whole entry")
    report(
        Issue(
            code=Code.XML_REPAIRED,
            message="read as tag soup by feedparser; Media RSS and the lines of entries are lost",
        )
    )
    if is_cut:
        message = f"the document breaks off; whole entries before that are used: {len(entries)}"
        report(Issue(code=Code.XML_BROKEN, message=message))
    builder = _ModelBuilder(options, report)
    feed = builder.feed(dict(found.get("feed", {})), format_name)
    return SimpleDocument(feed, (builder.entry(entry, feed) for entry in entries))


def _whole(stream: BinaryIO, limit: int) -> bytes:
    """Return the document with repaired bytes, and without a DOCTYPE, which could name files."""
    chunks, size, tags = [_DECLARATION], 0, 0
    for chunk in repair(stream, _ENTRIES, Findings()):
        size += len(chunk)
        tags += chunk.count(b"<")
        if size > limit or tags > _MOST_TAGS:
            over = f"{limit:,} bytes" if size > limit else f"{_MOST_TAGS:,} tags"
            raise LimitError(
                f"it is broken beyond repair as XML, and with more than {over} too large to be "
                "read as tag soup. Close its tags, or fetch it again",
                limit="max_repair_bytes",
            )
        chunks.append(chunk)
    return b"".join(chunks)


def _breaks_off(document: bytes) -> bool:
    """Return True if the last entry has no end tag."""
    folded = document.lower()
    start, end = (
        max(folded.rfind(mark + name) for name in (b"item", b"entry")) for mark in (b"<", b"</")
    )
    return start > end


def _parsed(document: bytes) -> _Found:
    import feedparser

    try:
        found = feedparser.parse(
            BytesIO(document), sanitize_html=False, resolve_relative_uris=False
        )
    except Exception as error:  # feedparser raises many kinds of errors
        raise DocumentError(f"broken beyond repair, also for feedparser: {error!r:.200}") from error
    return dict(found)


def _format(found: _Found) -> str | None:
    version = str(found.get("version") or "")
    return next((name for name in _FORMATS if version.startswith(name)), None)


class _ModelBuilder:
    """Turns feedparser's dictionaries into the model."""

    def __init__(self, options: ReadOptions, report: Report) -> None:
        self._options = options
        self._report = report
        self._base = options.base_url or options.source_url

    def feed(self, found: _Found, format_name: str) -> Feed:
        """Return the header; its link is the base where there is no other."""
        link = self._url(found, "link")
        self._base = self._base or link
        return Feed(
            format=format_name,
            title=_title(found),
            link=link,
            id=_string(found, "id"),
            description=_string(found, "subtitle"),
            lang=_string(found, "language"),
            published=self._moment(found, "published"),
            updated=self._moment(found, "updated"),
            authors=_authors(found),
            categories=_categories(found),
            generator=_string(found, "generator"),
            copyright=_string(found, "rights"),
        )

    def entry(self, found: _Found, feed: Feed) -> Entry:
        media = list(self._media(found))
        return Entry(
            loc=self._page(found, media),
            id=_string(found, "id"),
            title=_title(found),
            summary=_text(found.get("summary_detail")),
            content=next(map(_text, found.get("content", ())), None),
            published=self._moment(found, "published", feed.lang),
            updated=self._moment(found, "updated", feed.lang),
            authors=_authors(found),
            categories=_categories(found),
            videos=tuple(medium for medium in media if isinstance(medium, Video)),
            images=tuple(medium for medium in media if isinstance(medium, Image)),
            audios=tuple(medium for medium in media if isinstance(medium, Audio)),
            comments=self._url(found, "comments"),
            feed=feed,
        )

    def _page(self, found: _Found, media: Iterable[Video | Image | Audio]) -> str | None:
        """Return the first link that is a page and no file of the entry (mapping 3.1)."""
        files = {
            medium.url if isinstance(medium, Image) else medium.content_url for medium in media
        }
        alternates = (
            link for link in found.get("links", ()) if link.get("rel", "alternate") == "alternate"
        )
        for link in ({"href": found.get("link")}, *alternates):
            url = self._url(link, "href")
            if (
                url
                and urls.is_http(url)
                and url not in files
                and not media_types.is_media_file(url)
            ):
                return url
        return None

    def _media(self, found: _Found) -> Iterator[Video | Image | Audio]:
        for link in found.get("links", ()):
            url = self._url(link, "href") if link.get("rel") == "enclosure" else None
            if url is None:
                continue
            kind = media_types.kind_of(url, mime=link.get("type"))
            rendition = Rendition(
                url=url,
                kind=kind,
                mime=link.get("type"),
                size_bytes=_size_bytes(link),
                from_enclosure=True,
            )
            if kind in _MEDIA:
                yield _MEDIA[kind](rendition)
            else:
                message = f'enclosure "{url[:60]}" is no video, sound or picture; left out'
                self._warn((Code.MEDIA_UNCLASSIFIED, message), "enclosure")

    def _url(self, found: _Found, key: str) -> str | None:
        reference = _string(found, key)
        if reference is None:
            return None
        resolved = urls.resolve(reference, self._base)
        for note in resolved.notes:
            self._warn(note, "link" if key == "href" else key)
        return resolved.url

    def _moment(self, found: _Found, key: str, lang: str | None = None) -> Moment | None:
        """Read a date from its text, because feedparser misreads many (mapping 7.1)."""
        value = _string(found, key)
        if value is None:
            return None
        reading = dates.parse(value, assume_tz=self._options.assume_tz, lang=lang)
        for note in reading.notes:
            self._warn(note, key)
        return reading.moment

    def _warn(self, note: tuple[Code, str], path: str) -> None:
        code, message = note
        self._report(Issue(code=code, message=message, path=path))


def _string(found: _Found, key: str) -> str | None:
    value = found.get(key)
    return value.strip() or None if isinstance(value, str) else None


def _title(found: _Found) -> str | None:
    title = _text(found.get("title_detail"))
    if title is None:
        return None
    return (
        text.title(title.value) if title.is_html else text.plain(title.value, is_html=False)
    ) or None


def _text(detail: _Found | None) -> Text | None:
    if not detail or not detail.get("value"):
        return None
    return Text(value=detail["value"], is_html=detail.get("type") not in _PLAIN_TYPES)


def _authors(found: _Found) -> tuple[Person, ...]:
    """Return the authors; feedparser cuts a mail address in the RSS `author` in two."""
    author = _string(found, "author")
    people = [
        Person(name=person.get("name"), email=person.get("email"), uri=person.get("href"))
        for person in found.get("authors", ())
        if person
    ]
    if author and "@" in author and len(people) <= 1:
        return (parse_author(author),)
    return tuple(people)


def _categories(found: _Found) -> tuple[Category, ...]:
    return tuple(
        Category(term=tag["term"], label=tag.get("label"), scheme=tag.get("scheme"))
        for tag in found.get("tags", ())
        if tag.get("term")
    )


def _size_bytes(link: _Found) -> int | None:
    """Return the length of a file; None if it is absent or unreadable."""
    try:
        return numbers.size_bytes(link.get("length") or "")
    except ValueError:
        return None
