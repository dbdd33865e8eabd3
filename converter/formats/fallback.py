"""Reads a feed that is broken beyond repair as XML, with feedparser.

What feedparser finds is translated to Atom. It needs the document in memory, knows no lines, and
loses the structure of Media RSS. It fetches, sanitises and resolves nothing here:
https://feedparser.readthedocs.io/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any, BinaryIO, Final, TypeAlias

from converter.errors import DocumentError, LimitError
from converter.formats import generated_atom
from converter.formats.base import SimpleDocument
from converter.formats.generated_atom import ReadAtom, link
from converter.issues import Code, Issue, Report
from converter.model import Audio, Entry, Image, Video
from converter.options import ReadOptions
from converter.xml.escape import text_element
from converter.xml.repair import Findings, repair

#: feedparser follows a declaration; the repaired bytes are always UTF-8.
_DECLARATION: Final = b'<?xml version="1.0" encoding="utf-8"?>'

#: How feedparser's names of versions begin.
_FORMATS: Final = ("rss", "atom")

_ENTRIES: Final = frozenset({"item", "entry"})

#: feedparser keeps some 700 bytes for each.
_MOST_TAGS: Final = 100_000

_PLAIN_TYPES: Final = frozenset({"text/plain", "text"})

#: The keys of feedparser's texts, and the elements of Atom that say the same.
_PLAIN: Final = (
    ("id", "id"),
    ("published", "published"),
    ("updated", "updated"),
    ("generator", "generator"),
    ("rights", "rights"),
    ("language", "dc:language"),
)
_TEXTS: Final = (
    ("title_detail", "title"),
    ("subtitle_detail", "subtitle"),
    ("summary_detail", "summary"),
)

#: A result of feedparser as a plain dict: its own class returns `published`, and warns, for a
#: missing `updated`.
_Found: TypeAlias = Mapping[str, Any]


def read(
    read_atom: ReadAtom, stream: BinaryIO, options: ReadOptions, report: Report, /
) -> SimpleDocument:
    """Read a feed that is broken beyond repair as XML.

    Raises:
        DocumentError: feedparser finds no feed in it either, or no entries.
        LimitError: repaired, it is larger than `limits.max_repair_bytes`, or has too many tags.
    """
    document = _whole(stream, options.limits.max_repair_bytes)
    found = _parsed(document)
    version = str(found.get("version") or "")
    format_name = next((name for name in _FORMATS if version.startswith(name)), None)
    entries = [dict(entry) for entry in found.get("entries", ())]
    is_cut = _breaks_off(document)
    if is_cut:
        entries = entries[:-1]
    if format_name is None or not entries:
        raise DocumentError("broken beyond repair: also as tag soup, it holds no whole entry")
    message = "read as tag soup by feedparser; Media RSS and the lines of entries are lost"
    report(Issue(code=Code.XML_REPAIRED, message=message))
    if is_cut:
        message = f"the document breaks off; whole entries before that are used: {len(entries)}"
        report(Issue(code=Code.XML_BROKEN, message=message))
    atom = generated_atom.stream_of(partial(_atom, dict(found.get("feed", {})), entries))
    read = read_atom(atom, options, lambda issue: report(replace(issue, line=None)), format_name)
    entries_read = [_without_lines(entry) for entry in read.entries]
    return SimpleDocument(read.feed, iter(entries_read))


def _without_lines(entry: Entry) -> Entry:
    """Remove the lines of an entry, which are those of the translation."""
    entry.line = None
    media: tuple[Video | Image | Audio, ...] = (*entry.videos, *entry.images, *entry.audios)
    for medium in media:
        medium.line = None
    return entry


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


# -- what feedparser's values are in Atom -------------------------------------------------------


def _atom(feed: _Found, entries: Iterable[_Found]) -> Iterator[str]:
    yield generated_atom.START + _elements(feed)
    for entry in entries:
        yield f"<entry>{_elements(entry)}</entry>"
    yield generated_atom.END


def _elements(found: _Found) -> str:
    """Translate the values that a header or an entry may have."""
    xml = "".join(text_element(name, found.get(key)) for key, name in _PLAIN)
    xml += "".join(_text(name, found.get(key)) for key, name in _TEXTS)
    xml += "".join(_text("content", detail) for detail in found.get("content", ())[:1])
    for one in ({"rel": "alternate", "href": found.get("link")}, *found.get("links", ())):
        attributes = ((key, one.get(key)) for key in ("type", "length", "hreflang", "title"))
        xml += link(one.get("rel", "alternate"), one.get("href"), *attributes)
    xml += link("replies", found.get("comments"))
    for tag in found.get("tags", ()):
        attributes = ((key, tag.get(key)) for key in ("term", "scheme", "label"))
        xml += text_element("category", "", attributes)
    return xml + _authors(found)


def _text(name: str, detail: _Found | None) -> str:
    """Translate a text with its type."""
    detail = detail or {}
    kind = None if detail.get("type") in _PLAIN_TYPES else "html"
    return text_element(name, detail.get("value"), (("type", kind),))


def _authors(found: _Found) -> str:
    """Translate the authors; feedparser cuts a mail address in the RSS `author` in two."""
    author, people = found.get("author") or "", list(filter(None, found.get("authors", ())))
    if "@" in author and len(people) <= 1:
        return text_element("author", author)
    keys = (("name", "name"), ("email", "email"), ("href", "uri"))
    inner = ("".join(text_element(to, it.get(key)) for key, to in keys) for it in people)
    return "".join(f"<author>{person}</author>" for person in inner)
