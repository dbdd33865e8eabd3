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
from converter.formats.base import Content, Format, import_and_call
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
_WANTED = "wanted a feed (RSS, RDF, Atom, JSON Feed), a sitemap or a list of URLs"
_FORCE = "If it is one all the same, name it with --from"

#: The first bytes of archives, images and programs, which may show a document in them.
_MAGIC = (
    *(b"\x1f\x8b", b"\x1f\x9d", b"PK\x03\x04", b"PK\x05\x06", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf"),
    *(
        b"\x28\xb5\x2f\xfd",
        b"\x04\x22\x4d\x18",
        b"Rar!\x1a\x07",
        b"LZIP",
        b"\xd0\xcf\x11\xe0",
        b"%PDF-",
    ),
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x7fELF", b"MZ\x90", b"SQLite format 3"),
)
#: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
_TAR_MAGIC_AT = 257
_PROLOGUE = lazy_regex(r"\s*<[?!]")
_CONTROL = lazy_regex(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class _Content(NamedTuple):
    """What the content of a document is that no format claims, and what to do about it."""

    kind: Content
    what: str
    advice: str = "Check that it is the right file"

    def refusal(self, name: str, found: str = "") -> str:
        """Return the message about a document that cannot be read."""
        return f"{name}: {found}{self.what}; {_WANTED}. {self.advice}"


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
        known = ", ".join(f"{it.extensions[0]} for {it.name}" for it in reversed(written))
        raise OptionError(
            f"{option} {printable(shown)}: no format that can be written has the extension "
            f"{extension}; use {known}, or name the format with --to"
        )
    if owner and extension not in (*target.extensions, *target.other_extensions):
        raise OptionError(
            f"{option} {printable(shown)}: {extension} is for {owner.title}, and the format is "
            f"{target.title} (--to {target.name}); use {target.extensions[0]}"
        )
    return target


# -- detection --------------------------------------------------------------------------------


def detect(
    prefix: bytes, *, name: str, media_type: str | None = None, extension: str | None = None
) -> Format:
    """Return the format of a document by its content, else its media type, else its extension.

    The media type and the extension count only if the content shows nothing: HTML in `x.rss` is
    HTML.

    Raises:
        UnknownFormatError: no format claims it.
    """
    shown = printable(name)
    claims = _claims(prefix)
    if claims:
        return claims[0]
    content, likely = _content(prefix), _likely(media_type, extension)
    if likely and content.kind in {"text", "nothing"} and content.kind in likely.contents:
        return likely
    raise UnknownFormatError(content.refusal(shown))


def check_forced(prefix: bytes, forced: Format, *, name: str | None = None) -> None:
    """Check the format of `--from` against the content.

    Raises:
        DocumentError: the content is certainly something else; the message names both.
    """
    shown, claims = printable(name or "the source"), _claims(prefix)
    if any(claim.read is forced.read for claim in claims):
        return
    if claims:
        raise DocumentError(
            f"{shown}: --from says {forced.title}, but the content is {claims[0].title}. "
            f"Leave --from out, or use --from {claims[0].name}"
        )
    content = _content(prefix)
    if content.kind not in forced.contents:
        found = f"--from says {forced.title}, but this is "
        raise DocumentError(content.refusal(shown, found))


def _claims(prefix: bytes) -> list[Format]:
    if _is_packed(prefix):
        return []
    return [it for it in FORMATS.values() if it.read and it.sniff and it.sniff(prefix)]


def _likely(media_type: str | None, extension: str | None) -> Format | None:
    media, extension = (media_type or "").partition(";")[0].strip().lower(), extension or ""
    readable = [it for it in FORMATS.values() if it.read]
    by_media = (it for it in readable if media in it.media_types)
    by_extension = (it for it in readable if extension.lower() in it.extensions)
    return next(by_media, None) or next(by_extension, None)


def _is_packed(prefix: bytes) -> bool:
    """Recognise files that are certainly no documents by their first bytes."""
    return prefix.startswith(_MAGIC) or prefix[_TAR_MAGIC_AT:].startswith(b"ustar")


def _content(prefix: bytes) -> _Content:
    """Return what the content of a document is that no format claims."""
    text = detect_xml.decode_head(prefix)
    root = detect_xml.find_root(prefix)
    if _is_packed(prefix) or (root is None and _CONTROL.search(text)):
        what = "a binary file, such as an archive, an image or an office document"
        return _Content("binary", what, "Unpack an archive first (gunzip, unzip, tar -xf)")
    if detect_xml.is_json(prefix):
        return _Content("json", "JSON that is not a JSON Feed (no version of one)")
    if detect_xml.is_html(prefix):
        return _html(prefix)
    if root is not None:
        root_name = printable(root.name)
        return _Content("xml", f"XML of another kind (the root is <{root_name}>)", _FORCE)
    if _PROLOGUE.match(text):
        return _Content("xml", "XML without a root element")
    if not text.strip():
        what = "nothing but white space" if prefix else "empty (0 bytes)"
        return _Content("nothing", what, "Check the program that should have written it")
    return _Content("text", "neither markup nor URLs on lines of their own", _FORCE)


def _html(prefix: bytes) -> _Content:
    from converter.xml import html  # needs lxml, and lists do not

    feeds = html.feed_links(prefix, None)
    if not feeds:
        return _Content("html", "an HTML page", "Look in it for a link to the feed")
    named = " and ".join(printable(feed, 500) for feed in feeds[:3])
    return _Content("html", f"an HTML page, which names as its feed {named}", "Fetch that instead")
