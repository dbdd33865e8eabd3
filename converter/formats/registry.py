"""The table of all formats, and the format of a document or of an output's name.

The choices of the command line, detection and the tables in the docs are made from it.
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
from converter.formats.base import Format, import_and_call
from converter.issues import printable
from converter.values.lazy_regex import lazy_regex
from converter.values.media_types import format_extension
from converter.xml import detect as detect_xml

_read_json = partial(import_and_call, "converter.formats.jsonfeed.read", "read")
_salvage = partial(import_and_call, "converter.formats.fallback", "read", atom.FORMAT.read)

#: Every format. What a run does not read or write is not imported.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        it.name: it
        for it in (
            replace(rss.FORMAT, salvage=_salvage),
            replace(rss.MRSS, salvage=_salvage),
            replace(atom.FORMAT, salvage=_salvage),
            replace(jsonfeed.FORMAT, read=partial(_read_json, atom.FORMAT.read)),
            urllist.FORMAT,
            urltable.FORMAT,
            sitemap.FORMAT,
        )
    }
)
#: Further extensions of a format: `.xml` fits any XML, and Media RSS is RSS.
_OTHER_EXTENSIONS: Mapping[str, tuple[str, ...]] = {
    "rss": (".xml",),
    "mrss": (".xml", ".rss"),
    "atom": (".xml",),
}
_WANTED = "wanted a feed (RSS, RDF, Atom, JSON Feed), a sitemap or a list of URLs"


class _Unsupported(NamedTuple):
    """Content that is no document of ours, and what to do about it."""

    what: str
    advice: str = "Check that it is the right file"


_FORCE = "If it is one all the same, name it with --from"
_UNPACK = "Unpack it first"

#: The first bytes of other kinds of files; from the specifications of these.
_MAGIC: tuple[tuple[bytes, _Unsupported], ...] = (
    (b"\x1f\x8b", _Unsupported("gzip within gzip", "Unpack it once before")),
    (b"PK\x03\x04", _Unsupported("a ZIP archive or an office document", _UNPACK)),
    (b"BZh", _Unsupported("a bzip2 archive", _UNPACK)),
    (b"\xfd7zXZ", _Unsupported("an xz archive", _UNPACK)),
    (b"\x28\xb5\x2f\xfd", _Unsupported("a zstd archive", _UNPACK)),
    (b"7z\xbc\xaf", _Unsupported("a 7z archive", _UNPACK)),
    (b"Rar!\x1a\x07", _Unsupported("a RAR archive", _UNPACK)),
    (b"LZIP", _Unsupported("an lzip archive", _UNPACK)),
    (b"\x04\x22\x4d\x18", _Unsupported("an LZ4 archive", _UNPACK)),
    (b"\x1f\x9d", _Unsupported("a file packed by compress (.Z)", _UNPACK)),
    (b"\xd0\xcf\x11\xe0", _Unsupported("an office document")),
    (b"PK\x05\x06", _Unsupported("an empty ZIP archive")),
    (b"%PDF-", _Unsupported("a PDF document")),
    (b"\x89PNG", _Unsupported("a PNG image")),
    (b"\xff\xd8\xff", _Unsupported("a JPEG image")),
    (b"GIF8", _Unsupported("a GIF image")),
    (b"\x7fELF", _Unsupported("a program (ELF)")),
    (b"MZ\x90", _Unsupported("a program (Windows)")),
    (b"SQLite format 3", _Unsupported("an SQLite database")),
)
#: Documents with other roots.
_ROOTS: Mapping[str, _Unsupported] = {
    "opml": _Unsupported("an OPML list (the root is <opml>)", "Take the feeds that it names"),
    "rdf": _Unsupported(
        "RDF without RSS (the root is <RDF>, without a channel or a namespace of RSS)"
    ),
    "entry": _Unsupported("a single Atom entry (the root is <entry>)", "Put it into a <feed>"),
    "envelope": _Unsupported("a SOAP message (the root is <Envelope>)"),
    "svg": _Unsupported("an SVG image (the root is <svg>)"),
}
#: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
_TAR_MAGIC_AT = 257
_PROLOGUE = lazy_regex(r"\s*<[?!]")
_CONTROL = lazy_regex(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def by_name(name: str, option: str = "--to") -> Format:
    """Return a format by its name, which `option` gives.

    Raises:
        OptionError: no format has this name.
    """
    if found := FORMATS.get(name.lower()):
        return found
    names = ", ".join(FORMATS)
    raise OptionError(f'{option}: "{printable(name)}" is no format; choose one of {names}')


def writable(target: Format) -> Format:
    """Return a format that has a writer.

    Raises:
        OptionError: it has no writer.
    """
    if target.writer is not None:
        return target
    names = ", ".join(other.name for other in FORMATS.values() if other.writer)
    raise OptionError(
        f"{target.title} cannot be written in this version; "
        f"choose another format with --to ({names})"
    )


def target_of(
    path: str | os.PathLike[str] | None, name: str | None = None, *, option: str = "--output"
) -> Format:
    """Return the format of an output: by its name, else by its extension, else a sitemap.

    Args:
        path: of the output, also with `.gz` at its end; None for a stream.
        name: the value of `--to`, if it is set.
        option: the option that gives the path.

    Raises:
        OptionError: the format is unknown or has no writer; or the extension belongs to another
            format or, without a name, to no format.
    """
    shown = os.fsdecode(path or "")
    extension = format_extension(shown)
    written = [it for it in FORMATS.values() if it.writer]
    owner = next((it for it in written if extension in it.extensions), None)
    target = writable(owner or sitemap.FORMAT if name is None else by_name(name))
    if extension and owner is None and name is None:
        others = ", ".join(
            f"{it.extensions[0]} for {it.name}" for it in written if it is not target
        )
        raise OptionError(
            f"{option} {printable(shown)}: no format that can be written has the extension "
            f"{extension}; for {target.title} write {option} {_renamed(shown, target)} ({others}), "
            "or name the format with --to"
        )
    if owner and extension not in (*target.extensions, *_OTHER_EXTENSIONS.get(target.name, ())):
        raise OptionError(
            f"{option} {printable(shown)}: {extension} is for {owner.title}, and the format is "
            f"{target.title} (--to {target.name}); write {option} {_renamed(shown, target)}"
        )
    return target


def _renamed(path: str, target: Format) -> str:
    """Return a path with the extension of a format instead of its own, also of `a.xml.zip`."""
    plain = path[:-3] if path.lower().endswith(".gz") else path
    stem = plain[: -len(format_extension(path))]
    if any(format_extension(stem) in other.extensions for other in FORMATS.values()):
        stem = stem[: -len(format_extension(stem))]
    return printable(stem + target.extensions[0] + path[len(plain) :])


# -- detection --------------------------------------------------------------------------------


def detect(
    prefix: bytes, *, name: str, media_type: str | None = None, extension: str | None = None
) -> Format:
    """Return the format of a document by its content, else its media type, else its extension.

    The media type and the extension count only if the content shows nothing: HTML in `x.rss` is
    HTML.

    Raises:
        UnknownFormatError: no format claims it, or two do.
    """
    shown = printable(name)
    if other := _binary(prefix):  # the prefix of an archive may show a document in it
        raise UnknownFormatError(_message(shown, other))
    claims = _claims(prefix)
    if len(claims) == 1:
        return claims[0]
    if claims:
        titles = " and ".join(claim.title for claim in claims)
        names = " or ".join(claim.name for claim in claims)
        raise UnknownFormatError(f"{shown}: this could be {titles}. Choose with --from {names}")
    if _likely(media_type, None) is jsonfeed.FORMAT and detect_xml.is_json(prefix):
        return jsonfeed.FORMAT
    other = _json_or_html(prefix) or _other_root(prefix)
    if other is None:
        likely = _likely(media_type, extension)
        other = _unusable_text(prefix, likely)
        if likely and not other:
            return likely
    other = other or _Unsupported("neither markup nor URLs on lines of their own", _FORCE)
    raise UnknownFormatError(_message(shown, other))


def check_forced(prefix: bytes, forced: Format, *, name: str | None = None) -> None:
    """Check the format of `--from` against the content.

    Raises:
        DocumentError: the content is certainly something else; the message names both.
    """
    shown = printable(name or "the source")
    claims = [] if _binary(prefix) else _claims(prefix)
    if any(claim.read is forced.read for claim in claims):
        return
    if claims:
        raise DocumentError(
            f"{shown}: --from says {forced.title}, but the content is {claims[0].title}. "
            f"Leave --from out, or use --from {claims[0].name}"
        )
    if forced is jsonfeed.FORMAT and detect_xml.is_json(prefix):
        return
    other = _binary(prefix) or _json_or_html(prefix)
    if other is None:  # readers of feeds may find entries under another root
        is_list = forced is urllist.FORMAT
        other = _other_root(prefix) if is_list else _unusable_text(prefix, forced)
    if other:
        raise DocumentError(_message(shown, other, f"--from says {forced.title}, but this is "))


def _claims(prefix: bytes) -> list[Format]:
    return [it for it in FORMATS.values() if it.read and it.sniff and it.sniff(prefix)]


def _likely(media_type: str | None, extension: str | None) -> Format | None:
    media, extension = (media_type or "").partition(";")[0].strip().lower(), extension or ""
    # .xml is the extension of our sitemaps, and of any XML
    readable = [it for it in FORMATS.values() if it.read and it is not sitemap.FORMAT]
    by_media = (it for it in readable if media in it.media_types)
    by_extension = (it for it in readable if extension.lower() in it.extensions)
    return next(by_media, None) or next(by_extension, None)


def _binary(prefix: bytes) -> _Unsupported | None:
    """Recognise files that are certainly no documents by their first bytes."""
    if prefix[_TAR_MAGIC_AT:].startswith(b"ustar"):
        member = printable(prefix[:100].partition(b"\0")[0].decode("utf-8", "replace"))
        advice = "Unpack it (tar -xf) and name the right file"
        return _Unsupported(f'a tar archive (it begins with "{member}")', advice)
    return next((other for magic, other in _MAGIC if prefix.startswith(magic)), None)


def _json_or_html(prefix: bytes) -> _Unsupported | None:
    if detect_xml.is_json(prefix):
        return _Unsupported("JSON that is not a JSON Feed (no version of one)")
    if not detect_xml.is_html(prefix):
        return None
    from converter.xml import html  # needs lxml, and lists do not

    feeds = html.feed_links(prefix, None)
    if not feeds:
        return _Unsupported("an HTML page", "Look in it for a link to the feed")
    named = " and ".join(printable(feed, 500) for feed in feeds[:3])
    return _Unsupported(f"an HTML page, which names as its feed {named}", "Fetch that instead")


def _other_root(prefix: bytes) -> _Unsupported | None:
    if root := detect_xml.find_root(prefix):
        other = _Unsupported(f"XML of another kind (the root is <{printable(root.name)}>)", _FORCE)
        return _ROOTS.get(root.lower_name, other)
    text = detect_xml.decode_head(prefix)
    if _PROLOGUE.match(text):
        return _Unsupported("XML without a root element")
    return _Unsupported("binary data") if _CONTROL.search(text) else None


def _unusable_text(prefix: bytes, likely: Format | None) -> _Unsupported | None:
    """Return what is wrong with text that is no markup; an empty list is a list, prose is not."""
    is_list = likely is urllist.FORMAT
    if not detect_xml.decode_head(prefix).strip():
        what = "nothing but white space" if prefix else "empty (0 bytes)"
        return (
            None if is_list else _Unsupported(what, "Check the program that should have written it")
        )
    if is_list and urllist.is_prose(prefix):
        return _Unsupported("text, and no line of it is a URL", _FORCE)
    return None


def _message(shown: str, other: _Unsupported, found: str = "") -> str:
    return f"{shown}: {found}{other.what}; {_WANTED}. {other.advice}"
