"""The files of a media object: `media:content`, `media:group`, and enclosures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from converter.model import Audio, Entry, Kind, Rendition, Video
from converter.options import WriteOptions
from converter.values import mediatypes
from converter.vocab.media import best_rendition
from converter.vocab.media.write.attributes import count, number, positive
from converter.vocab.sheet import Attributes, Sheet

__all__ = ["all_of", "enclosures", "usable", "wrapped"]

#: Values of `media:content@expression`: lower case only.
_EXPRESSIONS: Final = frozenset({"sample", "full", "nonstop"})


# -- renditions -------------------------------------------------------------------------------


def _medium(rendition: Rendition) -> str | None:
    """Give the medium in lower case; what only plays in a page is none that Media RSS knows."""
    kind = rendition.kind
    return kind.value if kind not in {None, Kind.PLAYER} else None


def _expression(rendition: Rendition) -> str | None:
    return rendition.expression if rendition.expression in _EXPRESSIONS else None


#: The attributes of `media:content`, in the order of the specification, `url` before them.
_CONTENT: Final[tuple[tuple[str, Callable[[Rendition], str | None]], ...]] = (
    ("fileSize", lambda r: positive(r.size_bytes)),  # 0 is an error for validators
    ("type", lambda r: r.mime),
    ("medium", _medium),
    ("isDefault", lambda r: "true" if r.is_default else None),
    ("expression", _expression),
    ("bitrate", lambda r: number(r.bitrate_kbps)),
    ("framerate", lambda r: number(r.framerate)),
    ("samplingrate", lambda r: number(r.samplingrate_khz)),
    ("channels", lambda r: count(r.channels)),
    ("duration", lambda r: number(r.duration_s)),
    ("height", lambda r: positive(r.height)),
    ("width", lambda r: positive(r.width)),
    ("lang", lambda r: r.lang),
)


def _attributes(rendition: Rendition) -> Attributes:
    rest = [(name, value(rendition)) for name, value in _CONTENT]
    return [("url", rendition.url), *rest]


def usable(renditions: Iterable[Rendition], sheet: Sheet) -> Iterator[Rendition]:
    """Give the renditions that have an absolute URL."""
    for rendition in renditions:
        if url := sheet.url(rendition.url, "media:content"):
            yield rendition if url == rendition.url else replace(rendition, url=url)


def all_of(
    renditions: Sequence[Rendition], url: str | None, kind: Kind, duration_s: float | None
) -> list[Rendition]:
    """Give an object's renditions, the one that only its URL tells of among them.

    Each is of the object's kind, which its URL may not show; and the object's length goes to
    the rendition that was chosen, where no rendition has one.
    """
    known = [each if each.kind else replace(each, kind=kind) for each in renditions]
    if url and all(rendition.url != url for rendition in known):
        known.insert(0, Rendition(url=url, kind=kind, mime=mediatypes.mime_of(url)))
    if duration_s is None or any(rendition.duration_s is not None for rendition in known):
        return known
    for at, rendition in enumerate(known):
        if rendition.url == url:
            known[at] = replace(rendition, duration_s=duration_s)
    return known


def wrapped(renditions: Sequence[Rendition], inner: str, sheet: Sheet) -> str:
    """Write an object: a group only for two renditions or more, as validators demand."""
    if len(renditions) == 1:
        attributes = _attributes(renditions[0])
        return sheet.element("media:content", inner, attributes) or sheet.empty(
            "media:content", attributes
        )
    files = [
        sheet.empty("media:content", _attributes(each)) for each in _with_one_default(renditions)
    ]
    return sheet.element("media:group", "".join(files) + inner) if files else ""


def _with_one_default(renditions: Iterable[Rendition]) -> Iterator[Rendition]:
    """Keep the first default of a group, which is the one that counts."""
    has_default = False
    for rendition in renditions:
        yield replace(rendition, is_default=False) if has_default else rendition
        has_default |= rendition.is_default


# -- enclosures -------------------------------------------------------------------------------


def enclosures(entry: Entry, options: WriteOptions) -> list[Rendition]:
    """Give the enclosures of the input, else the best video, audio or picture there is."""
    videos = entry.videos if options.videos else ()
    images = entry.images if options.images else ()
    pictures = [image.rendition or Rendition(url=image.url, kind=Kind.IMAGE) for image in images]
    objects_ = chain(
        (video.renditions for video in videos), (audio.renditions for audio in entry.audios)
    )
    files = [*chain.from_iterable(objects_), *pictures]
    if given := [rendition for rendition in files if rendition.from_enclosure]:
        return given
    return list(_best(videos, entry.audios, pictures))[:1]


def _best(
    videos: Iterable[Video], audios: Iterable[Audio], pictures: Iterable[Rendition]
) -> Iterator[Rendition]:
    for video in videos:
        if best := best_rendition.best(video.renditions):
            yield best
        elif video.content_url:
            yield Rendition(url=video.content_url, kind=Kind.VIDEO)
    for audio in audios:
        known = (rendition for rendition in audio.renditions if rendition.url == audio.content_url)
        yield next(known, Rendition(url=audio.content_url, kind=Kind.AUDIO))
    yield from pictures
