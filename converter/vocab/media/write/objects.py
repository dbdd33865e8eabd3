"""An entry's videos, audios and pictures, written as media objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from converter.model import Audio, Entry, Image, Kind, Rendition
from converter.options import WriteOptions
from converter.values import mediatypes
from converter.vocab.media.write.attributes import number
from converter.vocab.media.write.files import all_of, usable, wrapped
from converter.vocab.media.write.rows import (
    OF_ITEM,
    VIDEO,
    Clip,
    is_shared,
    license_of,
    plain,
    thumbnails,
    words,
)
from converter.vocab.sheet import Sheet

__all__ = ["Objects", "objects"]


class Objects(NamedTuple):
    """An entry's media objects, written."""

    xml: str
    images: int
    videos: int


def objects(entry: Entry, sheet: Sheet, options: WriteOptions) -> Objects:
    """Write every media object of an entry."""
    clips = [Clip(video, entry, sheet) for video in entry.videos] if options.videos else []
    shared = [told for told in OF_ITEM if is_shared(told, clips)]
    own = [told for told in OF_ITEM if told not in shared]
    videos = [xml for clip in clips if (xml := _video(clip, own))]
    audios = [xml for audio in entry.audios if (xml := _audio(audio, entry, sheet))]
    shown = entry.images if options.images else ()
    images = [xml for image in shown if (xml := _image(image, sheet))]
    for _ in range(len(shown) - len(images)):
        sheet.leave_out("image", "its URL cannot be used")
    artwork = ""
    if entry.podcast and options.images and not entry.videos and not entry.audios:
        artwork = thumbnails(entry.podcast.images, sheet)
    xml = "".join([*videos, *audios, *images, artwork, *(told(clips[0]) for told in shared)])
    return Objects(xml, images=len(images), videos=len(videos))


# -- objects ----------------------------------------------------------------------------------


def _video(clip: Clip, rows: Sequence[Callable[[Clip], str]]) -> str:
    """Write a video with these rows besides those of every video."""
    video, sheet = clip.video, clip.sheet
    given = all_of(video.renditions, video.content_url, Kind.VIDEO, video.duration_s)
    renditions = list(usable(given, sheet))
    inner = "".join(row(clip) for row in (*VIDEO, *rows))
    if renditions:
        return wrapped(renditions, inner, sheet)
    if "<media:player" in inner:  # what a content without a URL must have
        length = (("medium", "video"), ("duration", number(video.duration_s)))
        return sheet.element("media:content", inner, length)
    sheet.leave_out("video", "a video has neither file nor player")
    return ""


def _audio(audio: Audio, entry: Entry, sheet: Sheet) -> str:
    given = all_of(audio.renditions, audio.content_url, Kind.AUDIO, audio.duration_s)
    artwork = entry.podcast.images if entry.podcast else ()
    inner = (
        plain("media:title", audio.title, sheet),
        plain("media:description", audio.description, sheet),
        thumbnails(audio.thumbnails or artwork, sheet),
        words(audio.words, sheet),
    )
    return wrapped(list(usable(given, sheet)), "".join(inner), sheet)


def _image(image: Image, sheet: Sheet) -> str:
    rendition = image.rendition or Rendition(
        url=image.url, kind=Kind.IMAGE, mime=mediatypes.mime_of(image.url)
    )
    is_placed = any(word.name == "media:location" for word in image.words)
    inner = (
        plain("media:title", image.title, sheet),
        plain("media:description", image.caption, sheet),
        license_of(image.license, sheet),
        sheet.empty("media:location", (("description", image.geo),))
        if image.geo and not is_placed
        else "",
        words(image.words, sheet),
    )
    return wrapped(list(usable([rendition], sheet)), "".join(inner), sheet)
