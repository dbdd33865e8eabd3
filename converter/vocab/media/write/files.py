"""The files of a media object: `media:content`, `media:group`, and enclosures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from typing import Final

from converter.model import Audio, Entry, Kind, Rendition, Video
from converter.options import WriteOptions
from converter.values import mediatypes
from converter.vocab.media import best_rendition
from converter.vocab.sheet import Attributes, ElementWriter

__all__ = ["all_of", "count", "enclosures", "number", "positive", "usable", "wrapped"]

#: Values of `media:content@expression`: lower case only.
_EXPRESSIONS: Final = frozenset({"sample", "full", "nonstop"})


# -- attributes -------------------------------------------------------------------------------


def number(value: float | Decimal | None) -> str | None:
    """Write a number without an exponent, and without trailing zeros."""
    if value is None or not isfinite(value):
        return None
    digits = str(value)
    if "e" in digits or "E" in digits:
        digits = f"{Decimal(digits):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def count(value: int | None) -> str | None:
    """Write a whole number, however large."""
    return None if value is None else str(value)


def positive(value: int | None) -> str | None:
    """Write a size; validators take 0 for an error."""
    return str(value) if value and value > 0 else None


def _attributes(rendition: Rendition) -> Attributes:
    """Return the attributes of `media:content`, in the order of the specification."""
    kind, expression = rendition.kind, rendition.expression
    # a player is no medium of Media RSS
    medium = None if kind is None or kind is Kind.PLAYER else kind.value
    return (
        ("url", rendition.url),
        ("fileSize", positive(rendition.size_bytes)),
        ("type", rendition.mime),
        ("medium", medium),
        ("isDefault", "true" if rendition.is_default else None),
        ("expression", expression if expression in _EXPRESSIONS else None),
        ("bitrate", number(rendition.bitrate_kbps)),
        ("framerate", number(rendition.framerate)),
        ("samplingrate", number(rendition.samplingrate_khz)),
        ("channels", count(rendition.channels)),
        ("duration", number(rendition.duration_s)),
        ("height", positive(rendition.height)),
        ("width", positive(rendition.width)),
        ("lang", rendition.lang),
    )


# -- renditions -------------------------------------------------------------------------------


def usable(renditions: Iterable[Rendition], writer: ElementWriter) -> list[Rendition]:
    """Return the renditions that have an absolute URL."""
    return [
        rendition if url == rendition.url else replace(rendition, url=url)
        for rendition in renditions
        if (url := writer.url(rendition.url, "media:content"))
    ]


def all_of(
    renditions: Iterable[Rendition], url: str | None, kind: Kind, duration_s: float | None
) -> list[Rendition]:
    """Return an object's renditions, with one for its URL if none has that.

    Each is of the object's kind, which its URL may not show; and the object's length goes to
    the rendition that was chosen, where no rendition has one.
    """
    known = [each if each.kind else replace(each, kind=kind) for each in renditions]
    if url and url not in [each.url for each in known]:
        known.insert(0, Rendition(url=url, kind=kind, mime=mediatypes.mime_of(url)))
    if duration_s is None:
        return known
    for each in known:
        if each.duration_s is not None:
            return known
    return [replace(each, duration_s=duration_s) if each.url == url else each for each in known]


def wrapped(renditions: Sequence[Rendition], inner: str, writer: ElementWriter) -> str:
    """Write an object: a group only for two renditions or more, as validators demand."""
    if not renditions:
        return ""
    if len(renditions) == 1:
        attributes = _attributes(renditions[0])
        if not inner:
            return writer.empty("media:content", attributes)
        return writer.element("media:content", inner, attributes)
    files = ""
    has_default = False
    for rendition in renditions:
        # the first default of a group is the one that counts
        is_second = has_default and rendition.is_default
        written = replace(rendition, is_default=False) if is_second else rendition
        files += writer.empty("media:content", _attributes(written))
        has_default = has_default or rendition.is_default
    return writer.element("media:group", files + inner)


# -- enclosures -------------------------------------------------------------------------------


def enclosures(entry: Entry, options: WriteOptions) -> list[Rendition]:
    """Return the enclosures of the input, else the best video, audio or picture."""
    videos = entry.videos if options.videos else ()
    images = entry.images if options.images else ()
    files: list[Rendition] = []
    for video in videos:
        files += video.renditions
    for audio in entry.audios:
        files += audio.renditions
    pictures = [image.rendition or Rendition(url=image.url, kind=Kind.IMAGE) for image in images]
    given = [rendition for rendition in (*files, *pictures) if rendition.from_enclosure]
    return given or _best(videos, entry.audios, pictures)


def _best(
    videos: Sequence[Video], audios: Sequence[Audio], pictures: list[Rendition]
) -> list[Rendition]:
    """Return the one file of an entry without enclosures, if there is any."""
    for video in videos:
        if best := best_rendition.best(video.renditions):
            return [best]
        if video.content_url:
            return [Rendition(url=video.content_url, kind=Kind.VIDEO)]
    if not audios:
        return pictures[:1]
    url = audios[0].content_url
    known = [rendition for rendition in audios[0].renditions if rendition.url == url]
    return known[:1] or [Rendition(url=url, kind=Kind.AUDIO)]
