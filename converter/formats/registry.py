"""Knows every format, one row each, and which of them a document or a file name is.

A format that is not in this table does not exist; the command line's choices, detection and the
matrix of formats all walk it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from converter.errors import DocumentError, OptionError, UnknownFormatError
from converter.formats import atom, jsonfeed, rss, sitemap, urllist, urltable
from converter.formats.base import Format, call
from converter.issues import printable
from converter.values.lazy_regex import lazy_regex
from converter.values.media_types import format_extension
from converter.xml import detect as xml_detect

_salvage = partial(call, "converter.formats.fallback", "read")

#: Every format. What a run does not read or write is not imported.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        row.name: row
        for row in (
            replace(rss.FORMAT, salvage=_salvage),
            replace(rss.MRSS, salvage=_salvage),
            replace(atom.FORMAT, salvage=_salvage),
            jsonfeed.FORMAT,
            urllist.FORMAT,
            urltable.FORMAT,
            sitemap.FORMAT,
        )
    }
)
#: Extensions that a format may have beside its own: `.xml` fits any XML, and Media RSS is RSS.
_ALSO: Mapping[str, tuple[str, ...]] = {
    "rss": (".xml",),
    "mrss": (".xml", ".rss"),
    "atom": (".xml",),
}
_WANTED = "wanted a feed (RSS, RDF, Atom, JSON Feed), a sitemap or a list of URLs"


class _Found(NamedTuple):
    """What a document is instead, and what to do about it."""

    what: str
    advice: str = "Check that it is the right file"


_FORCED = "If it is one all the same, name it with --from"
_UNPACKED = "Unpack it first"

#: What files begin with, and what they are then; from the formats' own specifications.
_MAGIC: tuple[tuple[bytes, _Found], ...] = (
    (b"\x1f\x8b", _Found("gzip within gzip", "Unpack it once before")),
    (b"PK\x03\x04", _Found("a ZIP archive or an office document", _UNPACKED)),
    (b"BZh", _Found("a bzip2 archive", _UNPACKED)),
    (b"\xfd7zXZ", _Found("an xz archive", _UNPACKED)),
    (b"\x28\xb5\x2f\xfd", _Found("a zstd archive", _UNPACKED)),
    (b"7z\xbc\xaf", _Found("a 7z archive", _UNPACKED)),
    (b"Rar!\x1a\x07", _Found("a RAR archive", _UNPACKED)),
    (b"LZIP", _Found("an lzip archive", _UNPACKED)),
    (b"\x04\x22\x4d\x18", _Found("an LZ4 archive", _UNPACKED)),
    (b"\x1f\x9d", _Found("a file packed by compress (.Z)", _UNPACKED)),
    (b"\xd0\xcf\x11\xe0", _Found("an office document")),
    (b"PK\x05\x06", _Found("an empty ZIP archive")),
    (b"%PDF-", _Found("a PDF document")),
    (b"\x89PNG", _Found("a PNG image")),
    (b"\xff\xd8\xff", _Found("a JPEG image")),
    (b"GIF8", _Found("a GIF image")),
    (b"\x7fELF", _Found("a program (ELF)")),
    (b"MZ\x90", _Found("a program (Windows)")),
    (b"SQLite format 3", _Found("an SQLite database")),
)
#: What documents with these roots are.
_ROOTS: Mapping[str, _Found] = {
    "opml": _Found("an OPML list (the root is <opml>)", "Take the feeds that it names"),
    "rdf": _Found("RDF without RSS (the root is <RDF>, without a channel or a namespace of RSS)"),
    "entry": _Found("a single Atom entry (the root is <entry>)", "Put it into a <feed>"),
    "envelope": _Found("a SOAP message (the root is <Envelope>)"),
    "svg": _Found("an SVG image (the root is <svg>)"),
}
#: Digits of numbers in the header of a tar archive, and its length.
_OCTAL = b"01234567"
_TAR_BYTES = 512
_PROLOGUE = lazy_regex(r"\s*<[?!]")
_CONTROL = lazy_regex(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def by_name(name: str, option: str = "--to") -> Format:
    """The row of a name, as `--from` and `--to` give it.

    Raises:
        OptionError: there is none.
    """
    if row := FORMATS.get(name.lower()):
        return row
    names = ", ".join(FORMATS)
    raise OptionError(f'{option}: "{printable(name)}" is no format; choose one of {names}')


def writable(row: Format) -> Format:
    """The row itself.

    Raises:
        OptionError: it has no writer.
    """
    if row.writer is not None:
        return row
    able = ", ".join(other.name for other in FORMATS.values() if other.writer)
    raise OptionError(
        f"{row.title} cannot be written in this version; choose another format with --to ({able})"
    )


def target_of(
    path: str | os.PathLike[str] | None, name: str | None = None, *, option: str = "--output"
) -> Format:
    """Choose the format of an output: as `--to` says, else by its extension, else a sitemap.

    Args:
        path: of the output, also with `.gz` at its end; None: it has none.
        name: as `--to` gives it; None: nobody does.
        option: the one that names the path.

    Raises:
        OptionError: there is no such format, or it has no writer; or the extension is that of
            another format, or, without a name, of none.
    """
    shown = os.fsdecode(path or "")
    extension = format_extension(shown)
    written = [row for row in FORMATS.values() if row.writer]
    owner = next((row for row in written if extension in row.extensions), None)
    row = writable(owner or sitemap.FORMAT if name is None else by_name(name))
    if extension and owner is None and name is None:
        others = ", ".join(f"{it.extensions[0]} for {it.name}" for it in written if it is not row)
        raise OptionError(
            f"{option} {printable(shown)}: no format that can be written has the extension "
            f"{extension}; for {row.title} write {option} {_respelt(shown, row)} ({others}), "
            "or name the format with --to"
        )
    if owner is not None and extension not in (*row.extensions, *_ALSO.get(row.name, ())):
        raise OptionError(
            f"{option} {printable(shown)}: {extension} is for {owner.title}, and the format is "
            f"{row.title} (--to {row.name}); write {option} {_respelt(shown, row)}"
        )
    return row


def _respelt(path: str, row: Format) -> str:
    """Give the name of an output the extension of its format: of `a.csv` and `a.xml.zip`, too."""
    plain = path[:-3] if path.lower().endswith(".gz") else path
    stem = plain[: -len(format_extension(path))]
    if any(format_extension(stem) in other.extensions for other in FORMATS.values()):
        stem = stem[: -len(format_extension(stem))]
    return printable(stem + row.extensions[0] + path[len(plain) :])


def detect(
    prefix: bytes, *, name: str, media_type: str | None = None, extension: str | None = None
) -> Format:
    """Which format a document is: by its content, then by its media type, then by its extension.

    The names decide only where the content shows nothing at all: HTML in `x.rss` is HTML.

    Raises:
        UnknownFormatError: no format claims it, or two do.
    """
    shown = printable(name)
    if found := _file(prefix):  # an archive may show what is in it
        raise UnknownFormatError(_sentence(shown, "", found))
    claims = _claims(prefix)
    if len(claims) == 1:
        return claims[0]
    if claims:
        titles = " and ".join(row.title for row in claims)
        names = " or ".join(row.name for row in claims)
        raise UnknownFormatError(f"{shown}: this could be {titles}. Say which with --from {names}")
    row = _named(media_type, None)
    if row is jsonfeed.FORMAT and xml_detect.is_json(prefix):
        return row
    found = _kind(prefix) or _other_root(prefix)
    if found is None:
        row = _named(media_type, extension)
        found = _nothing(prefix, row)
        if row and not found:
            return row
    found = found or _Found("neither markup nor URLs on lines of their own", _FORCED)
    raise UnknownFormatError(_sentence(shown, "", found))


def claimed(prefix: bytes, row: Format, *, name: str | None = None) -> None:
    """Hold what was said with `--from` against the content.

    Raises:
        DocumentError: the content is surely something else; both are named.
    """
    shown = printable(name or "the source")
    claims = [] if _file(prefix) else _claims(prefix)
    if any(claim.read is row.read for claim in claims):
        return
    if claims:
        raise DocumentError(
            f"{shown}: --from says {row.title}, but the content is {claims[0].title}. "
            f"Leave --from out, or say --from {claims[0].name}"
        )
    if row is jsonfeed.FORMAT and xml_detect.is_json(prefix):
        return
    is_list = row is urllist.FORMAT
    # a reader of feeds may yet make something of another root, or of none
    found = _file(prefix) or _kind(prefix)
    found = found or (_other_root(prefix) if is_list else _nothing(prefix, row))
    if found:
        raise DocumentError(_sentence(shown, f"--from says {row.title}, but this is ", found))


def _claims(prefix: bytes) -> list[Format]:
    rows = FORMATS.values()
    return [row for row in rows if row.read and row.sniff and row.sniff(prefix)]


def _named(media_type: str | None, extension: str | None) -> Format | None:
    media = (media_type or "").partition(";")[0].strip().lower()
    # .xml is what we write sitemaps to, but anybody's extension
    readable = [row for row in FORMATS.values() if row.read and row is not sitemap.FORMAT]
    by_media = (row for row in readable if media in row.media_types)
    by_extension = (row for row in readable if (extension or "").lower() in row.extensions)
    return next(by_media, None) or next(by_extension, None)


def _nothing(prefix: bytes, row: Format | None) -> _Found | None:
    """What is wrong with content that shows nothing; an empty list is a list, prose is none."""
    is_list = row is urllist.FORMAT
    if not xml_detect.decode_head(prefix).strip():
        what = "nothing but white space" if prefix else "empty (0 bytes)"
        return None if is_list else _Found(what, "Check what should have filled it")
    if is_list and urllist.is_prose(prefix):
        return _Found("text, and no line of it is a URL", _FORCED)
    return None


def _file(prefix: bytes) -> _Found | None:
    """What file it is by the bytes that it begins with: surely no document of ours."""
    if _is_tar(prefix):
        member = printable(prefix[:100].partition(b"\0")[0].decode("utf-8", "replace"))
        advice = "Unpack it (tar -xf) and name the file that is meant"
        return _Found(f'a tar archive (it begins with "{member}")', advice)
    return next((found for magic, found in _MAGIC if prefix.startswith(magic)), None)


def _is_tar(prefix: bytes) -> bool:
    """Whether it begins with a header of tar, by its magic or, before POSIX, by its checksum.

    Source: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
    """
    header = prefix[:_TAR_BYTES]
    if header[257:262] == b"ustar":
        return True
    digits = header[148:156].strip(b" \0")
    if len(header) < _TAR_BYTES or not digits.isdigit() or digits.translate(None, _OCTAL):
        return False
    return int(digits, 8) == sum(header) - sum(header[148:156]) + 8 * ord(" ")


def _kind(prefix: bytes) -> _Found | None:
    """What document of another kind it is, as far as that shows without a parser."""
    if xml_detect.is_json(prefix):
        return _Found("JSON that is no JSON Feed (no version of one)")
    if not xml_detect.is_html(prefix):
        return None
    feeds = xml_detect.linked_feeds(prefix)
    if not feeds:
        return _Found("an HTML page", "Look in it for a link to the feed")
    named = " and ".join(printable(feed, 500) for feed in feeds[:3])
    return _Found(f"an HTML page, which names as its feed {named}", "Fetch that instead")


def _other_root(prefix: bytes) -> _Found | None:
    if root := xml_detect.find_root(prefix):
        other = _Found(f"XML of another kind (the root is <{printable(root.name)}>)", _FORCED)
        return _ROOTS.get(root.lower_name, other)
    text = xml_detect.decode_head(prefix)
    if _PROLOGUE.match(text):
        return _Found("XML without a root element")
    return _Found("binary data") if _CONTROL.search(text) else None


def _sentence(shown: str, said: str, found: _Found) -> str:
    return f"{shown}: {said}{found.what}; {_WANTED}. {found.advice}"
