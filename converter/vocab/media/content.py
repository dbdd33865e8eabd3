"""`media:content` and enclosures as renditions (mapping 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from converter.issues import Code, printable
from converter.model import Kind, Rendition
from converter.values import mediatypes, numbers
from converter.vocab.context import Context
from converter.vocab.media.objects import MediaScope
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
    rendition = Rendition(
        url=url or "",
        kind=_kind(url, given, element, context, scope) if url else _kind_without_url(given),
        mime=given.get("type"),
        medium=given.get("medium"),
        lang=given.get("lang"),
    )
    _set_fields(rendition, _OF_CONTENT, given, element, context)
    return rendition


def enclosure_of(
    element: Element, url_attribute: str, context: Context, scope: MediaScope
) -> Rendition | None:
    """Read RSS `enclosure` or an Atom link `rel="enclosure"`."""
    given = take.attributes(element)
    text = given.get(url_attribute) or given.get("url") or given.get("href")
    url = context.url(text, element, "enclosure") if text else None
    if url is None:
        context.count_unread_element(element, scope.names[element.tag])
        return None
    rendition = Rendition(
        url=url,
        kind=_kind(url, given, element, context, scope),
        mime=given.get("type"),
        title=given.get("title"),
        lang=given.get("hreflang"),
        from_enclosure=True,
    )
    if "length" in given:
        _set_fields(rendition, _OF_ENCLOSURE, given, element, context)
    return rendition


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


# -- attributes -----------------------------------------------------------------------------


def _set_fields(
    rendition: Rendition,
    rows: Sequence[_Row],
    given: Mapping[str, str],
    element: Element,
    context: Context,
) -> None:
    """Set the fields that these attributes state; report what cannot be read."""
    for name, field, read in rows:
        if name in given:
            try:
                setattr(rendition, field, read(given[name]))
            except ValueError:
                code, wanted, path = _UNREADABLE.get(name, _NOT_A_NUMBER)
                message = f'"{given[name][:60]}" is not {wanted}; left out'
                context.tell(code, message, element, path)


def _pixels(text: str) -> int | None:
    return numbers.pixels(text) or None


def _is_true(text: str) -> bool:
    return text.lower() == "true"


_Row: TypeAlias = tuple[str, str, Callable[[str], Any]]
"""An attribute in lower case, the field of `Rendition`, and how it is read."""

_OF_CONTENT: Final[Sequence[_Row]] = (
    ("bitrate", "bitrate_kbps", numbers.real),
    ("framerate", "framerate", numbers.real),
    ("samplingrate", "samplingrate_khz", numbers.real),
    ("isdefault", "is_default", _is_true),
    ("expression", "expression", str.lower),
    ("width", "width", _pixels),
    ("height", "height", _pixels),
    ("channels", "channels", numbers.whole),
    ("duration", "duration_s", numbers.duration_s),
    ("filesize", "size_bytes", numbers.size_bytes),
)
_OF_ENCLOSURE: Final[Sequence[_Row]] = (("length", "size_bytes", numbers.size_bytes),)

_NOT_A_NUMBER: Final = (Code.NUMBER_UNREADABLE, "a number", "media:content")
_NOT_A_SIZE: Final = (Code.NUMBER_UNREADABLE, "a size in bytes", "media:content@fileSize")
_UNREADABLE: Final = {
    "duration": (Code.DURATION_UNREADABLE, "a length of time", "media:content@duration"),
    "filesize": _NOT_A_SIZE,
    "length": _NOT_A_SIZE,
}
