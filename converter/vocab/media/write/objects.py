"""An entry's videos, audios and pictures, written as media objects."""

from __future__ import annotations

from typing import Final, NamedTuple

from converter.model import Audio, Entry, Image, Kind, Rendition, Video
from converter.options import WriteOptions
from converter.values import mediatypes
from converter.vocab.media.write import elements
from converter.vocab.media.write.files import all_of, number, usable, wrapped
from converter.vocab.sheet import ElementWriter

__all__ = ["Objects", "objects"]


class Objects(NamedTuple):
    """An entry's media objects, written."""

    xml: str
    images: int
    videos: int


_NO_OBJECTS: Final = Objects("", 0, 0)


def objects(entry: Entry, writer: ElementWriter, options: WriteOptions) -> Objects:
    """Write every media object of an entry."""
    if not (entry.videos or entry.audios or entry.images or entry.podcast):
        return _NO_OBJECTS
    of_item, videos = "", []
    if entry.videos and options.videos:
        of_item, of_videos = _validity(entry, writer)
        pairs = zip(entry.videos, of_videos, strict=True)
        videos = [xml for video, own in pairs if (xml := _video(video, own, entry, writer))]
    xml = "".join([*videos, *(_audio(audio, entry, writer) for audio in entry.audios)])
    images: list[str] = []
    if options.images:
        images = _images(entry, writer)
        xml += "".join(images)
        if entry.podcast and not entry.videos and not entry.audios:
            xml += elements.thumbnails(entry.podcast.images, writer)
    return Objects(xml + of_item, len(images), len(videos))


def _validity(entry: Entry, writer: ElementWriter) -> tuple[str, list[str]]:
    """Write what Google reads from the item: there if it is the same for all videos.

    Returns:
        What the item says, and what each video says.
    """
    of_item, of_videos = "", [""] * len(entry.videos)
    for write in (elements.valid, elements.live):
        written = [write(video, entry, writer) for video in entry.videos]
        if len(set(written)) == 1:
            of_item += written[0]
        else:
            of_videos = [before + own for before, own in zip(of_videos, written, strict=True)]
    return of_item, of_videos


def _video(video: Video, own: str, entry: Entry, writer: ElementWriter) -> str:
    """Write a video; `own` goes behind the elements of every video."""
    given = all_of(video.renditions, video.content_url, Kind.VIDEO, video.duration_s)
    renditions = usable(given, writer)
    inner = elements.of_video(video, entry, writer) + own
    if renditions:
        return wrapped(renditions, inner, writer)
    if "<media:player" in inner:  # what a content without a URL must have
        length = (("medium", "video"), ("duration", number(video.duration_s)))
        return writer.element("media:content", inner, length)
    writer.leave_out("video", "a video has neither file nor player")
    return ""


def _audio(audio: Audio, entry: Entry, writer: ElementWriter) -> str:
    given = all_of(audio.renditions, audio.content_url, Kind.AUDIO, audio.duration_s)
    artwork = entry.podcast.images if entry.podcast else ()
    inner = (
        elements.plain("media:title", audio.title, writer)
        + elements.plain("media:description", audio.description, writer)
        + elements.thumbnails(audio.thumbnails or artwork, writer)
        + elements.words(audio.words, writer)
    )
    return wrapped(usable(given, writer), inner, writer)


def _images(entry: Entry, writer: ElementWriter) -> list[str]:
    images = [xml for image in entry.images if (xml := _image(image, writer))]
    for _ in range(len(entry.images) - len(images)):
        writer.leave_out("image", "its URL cannot be used")
    return images


def _image(image: Image, writer: ElementWriter) -> str:
    rendition = image.rendition or Rendition(
        url=image.url, kind=Kind.IMAGE, mime=mediatypes.mime_of(image.url)
    )
    inner = (
        elements.plain("media:title", image.title, writer)
        + elements.plain("media:description", image.caption, writer)
        + elements.license_of(image.license, writer)
    )
    if image.geo and all(word.name != "media:location" for word in image.words):
        inner += writer.empty("media:location", (("description", image.geo),))
    inner += elements.words(image.words, writer)
    return wrapped(usable((rendition,), writer), inner, writer)
