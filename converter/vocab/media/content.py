"""`media:content` and enclosures as renditions (mapping 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from converter.issues import Code, printable
from converter.model import Kind, Rendition
from converter.values import mediatypes, numbers
from converter.vocab.context import Context
from converter.vocab.media.objects import MediaScope, RenditionElement
from converter.xml import take
from converter.xml.take import Element

__all__ = ["content", "enclosure_of"]

#: `podcast:medium` values whose enclosures are videos (mapping 3.6, row 8).
_VIDEO_MEDIUMS: Final = frozenset({"video", "film", "course"})


def content(element: Element, context: Context, scope: MediaScope) -> Rendition:
    """Read `media:content`; attribute names are matched without regard to case.

    Without a URL it is a video unless its type or medium says otherwise: it plays, but cannot be
    fetched.
    """
    given = take.attributes(element)
    url = context.url(given["url"], element, "media:content") if "url" in given else None
    kind = _kind(url, given, element, context, scope) if url else _kind_without_url(given)
    fields = {
        field: read(given[name], element, context)
        for name, (field, read) in _ATTRIBUTES.items()
        if name in given
    }
    return Rendition(
        url=url or "",
        kind=kind,
        mime=given.get("type"),
        medium=given.get("medium"),
        lang=given.get("lang"),
        **fields,
    )


def _kind(
    url: str, given: Mapping[str, str], element: Element, context: Context, scope: MediaScope
) -> Kind | None:
    mime, podcast = given.get("type"), scope.feed_podcast
    kind = mediatypes.kind_of(
        url,
        mime=mime,
        medium=given.get("medium"),
        height=given.get("height"),
        duration=given.get("duration"),
        video_medium_hint=podcast is not None and podcast.medium in _VIDEO_MEDIUMS,
    )
    if kind is None:
        code = Code.MEDIA_UNCLASSIFIED
        message = f'what "{printable(url, 80)}" is cannot be told by type, medium or extension'
        if mediatypes.is_torrent(url, mime):
            code = Code.MEDIA_PASSED_OVER
            message = f'"{printable(url, 80)}" only leads to its file, by BitTorrent'
        local = take.local_name(element)
        path = f"media:{local}" if local == "content" else local
        context.tell(code, f"{message}; passed over", element, path)
    return kind


def _kind_without_url(given: Mapping[str, str]) -> Kind:
    kind = mediatypes.kind_of("", mime=given.get("type"), medium=given.get("medium"))
    return Kind.VIDEO if kind in {None, Kind.PLAYER} else kind


# -- attributes: from text to value ---------------------------------------------------------


def _real(text: str, element: Element, context: Context) -> float | None:
    return context.real(text, element, "media:content")


def _whole(text: str, element: Element, context: Context) -> int | None:
    return context.whole(text, element, "media:content")


def _pixels(text: str, element: Element, context: Context) -> int | None:
    try:
        return numbers.pixels(text) or None
    except ValueError:
        context.not_a_number(text, element, "media:content")
        return None


def _seconds(text: str, element: Element, context: Context) -> float | None:
    return context.clock(text, element, "media:content@duration")


def _size(text: str, element: Element, context: Context) -> int | None:
    try:
        return numbers.size_bytes(text)
    except ValueError:
        message = f'"{text[:60]}" is not a size in bytes; left out'
        context.tell(Code.NUMBER_UNREADABLE, message, element, "media:content@fileSize")
        return None


def _is_true(text: str, *_: object) -> bool:
    return text.lower() == "true"


def _lower(text: str, *_: object) -> str:
    return text.lower()


_Read: TypeAlias = Callable[[str, Element, Context], Any]

#: Attribute of `media:content` in lower case -> field of `Rendition`, and how it is read.
_ATTRIBUTES: Final[Mapping[str, tuple[str, _Read]]] = {
    "bitrate": ("bitrate_kbps", _real),
    "framerate": ("framerate", _real),
    "samplingrate": ("samplingrate_khz", _real),
    "isdefault": ("is_default", _is_true),
    "expression": ("expression", _lower),
    "width": ("width", _pixels),
    "height": ("height", _pixels),
    "channels": ("channels", _whole),
    "duration": ("duration_s", _seconds),
    "filesize": ("size_bytes", _size),
}


# -- enclosures -----------------------------------------------------------------------------


def enclosure_of(
    element: Element, url_attribute: str, context: Context, scope: MediaScope
) -> RenditionElement | None:
    """Read RSS `enclosure` or an Atom link `rel="enclosure"`."""
    given = take.attributes(element)
    text = given.get(url_attribute) or given.get("url") or given.get("href")
    url = context.url(text, element, "enclosure") if text else None
    if url is None:
        context.count_unread_element(element, scope.names[element.tag])
        return None
    length = given.get("length")
    rendition = Rendition(
        url=url,
        kind=_kind(url, given, element, context, scope),
        mime=given.get("type"),
        size_bytes=_size(length, element, context) if length else None,
        title=given.get("title"),
        lang=given.get("hreflang"),
        from_enclosure=True,
    )
    return RenditionElement(rendition, element)
