"""Writes Media RSS, the same inside RSS and Atom: https://www.rssboard.org/media-rss.

Each object has all the elements that hold for it, so that nothing is inherited: elements of the
item would hold for its other objects too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from converter.extensions.element_writer import ElementWriter
from converter.extensions.mediarss import best_rendition, write_elements
from converter.extensions.mediarss.schema import CONTENT, number
from converter.model import Audio, Entry, Image, Kind, Rendition, Video
from converter.options import WriteOptions
from converter.values import media_types


class MediaElements(NamedTuple):
    """The XML of an entry's media objects, and how many they are."""

    xml: str
    images: int
    videos: int


_NO_MEDIA: Final = MediaElements("", 0, 0)


def media_elements(entry: Entry, writer: ElementWriter, options: WriteOptions) -> MediaElements:
    """Write every media object of an entry."""
    if not (entry.videos or entry.audios or entry.images or entry.podcast):
        return _NO_MEDIA
    of_item, videos = "", []
    if entry.videos and options.videos:
        of_item, of_videos = _period_and_live(entry, writer)
        pairs = zip(entry.videos, of_videos, strict=True)
        videos = [
            written for video, extra in pairs if (written := _video(video, extra, entry, writer))
        ]
    xml = "".join([*videos, *(_audio(audio, entry, writer) for audio in entry.audios)])
    images: list[str] = []
    if options.images:
        images = [written for image in entry.images if (written := _image(image, writer))]
        for _ in range(len(entry.images) - len(images)):
            writer.leave_out("image", "its URL cannot be used")
        xml += "".join(images)
        if entry.podcast and not entry.videos and not entry.audios:
            xml += write_elements.thumbnails(entry.podcast.images, writer)
    return MediaElements(xml + of_item, len(images), len(videos))


def _period_and_live(entry: Entry, writer: ElementWriter) -> tuple[str, list[str]]:
    """Write what Google reads from the item: once if it is the same for all videos.

    Returns:
        The elements of the item, and those of each video.
    """
    of_item, of_videos = "", [""] * len(entry.videos)
    for write in (write_elements.validity, write_elements.live):
        written = [write(video, entry, writer) for video in entry.videos]
        if len(set(written)) == 1:
            of_item += written[0]
        else:
            of_videos = [before + xml for before, xml in zip(of_videos, written, strict=True)]
    return of_item, of_videos


def _video(video: Video, extra: str, entry: Entry, writer: ElementWriter) -> str:
    """Write a video; `extra` follows the elements that every video may have."""
    renditions = _usable(_renditions(video, Kind.VIDEO), writer)
    inner = write_elements.video_elements(video, entry, writer) + extra
    if renditions:
        return _object(renditions, inner, writer)
    if "<media:player" in inner:  # required in a content without a URL
        length = None if video.duration_s is None else number(video.duration_s)
        attributes = (("medium", "video"), ("duration", length))
        return writer.element("media:content", inner, attributes)
    writer.leave_out("video", "a video has neither file nor player")
    return ""


def _audio(audio: Audio, entry: Entry, writer: ElementWriter) -> str:
    artwork = entry.podcast.images if entry.podcast else ()
    inner = (
        write_elements.plain_text("media:title", audio.title, writer)
        + write_elements.plain_text("media:description", audio.description, writer)
        + write_elements.thumbnails(audio.thumbnails or artwork, writer)
        + write_elements.extra_elements(audio.words, writer)
    )
    return _object(_usable(_renditions(audio, Kind.AUDIO), writer), inner, writer)


def _image(image: Image, writer: ElementWriter) -> str:
    rendition = image.rendition
    if rendition is None:
        rendition = Rendition(image.url, Kind.IMAGE, media_types.mime_of(image.url))
    inner = (
        write_elements.plain_text("media:title", image.title, writer)
        + write_elements.plain_text("media:description", image.caption, writer)
        + write_elements.license_link(image.license, writer)
    )
    if image.geo and all(word.name != "media:location" for word in image.words):
        inner += writer.empty("media:location", (("description", image.geo),))
    inner += write_elements.extra_elements(image.words, writer)
    return _object(_usable((rendition,), writer), inner, writer)


# -- renditions -------------------------------------------------------------------------------


def _renditions(media: Video | Audio, kind: Kind) -> list[Rendition]:
    """Return the renditions of a video or audio, the one of its own URL among them.

    A rendition of unknown kind gets that of the object. If no rendition has a duration, the one
    of the object's URL gets the object's duration.
    """
    url, duration_s = media.content_url, media.duration_s
    known = [each if each.kind else replace(each, kind=kind) for each in media.renditions]
    if url and url not in [each.url for each in known]:
        known.insert(0, Rendition(url, kind, media_types.mime_of(url)))
    if duration_s is None or any(each.duration_s is not None for each in known):
        return known
    return [replace(each, duration_s=duration_s) if each.url == url else each for each in known]


def _usable(renditions: Iterable[Rendition], writer: ElementWriter) -> list[Rendition]:
    """Return the renditions that have an absolute URL."""
    return [
        rendition if url == rendition.url else replace(rendition, url=url)
        for rendition in renditions
        if (url := writer.url(rendition.url, "media:content"))
    ]


def _object(renditions: Sequence[Rendition], inner: str, writer: ElementWriter) -> str:
    """Write an object: a group only for two renditions or more, as validators demand."""
    if not renditions:
        return ""
    if len(renditions) == 1:
        attributes = CONTENT.attributes_of(renditions[0])
        if not inner:
            return writer.empty("media:content", attributes)
        return writer.element("media:content", inner, attributes)
    files = ""
    has_default = False
    for rendition in renditions:
        # only the first default of a group counts
        is_second = has_default and rendition.is_default
        written = replace(rendition, is_default=False) if is_second else rendition
        files += writer.empty("media:content", CONTENT.attributes_of(written))
        has_default = has_default or rendition.is_default
    return writer.element("media:group", files + inner)


# -- enclosures -------------------------------------------------------------------------------


def enclosures(entry: Entry, options: WriteOptions) -> list[Rendition]:
    """Return the enclosures of the input, else the best video, audio or picture."""
    videos = entry.videos if options.videos else ()
    images = entry.images if options.images else ()
    pictures = [image.rendition or Rendition(image.url, Kind.IMAGE) for image in images]
    objects: tuple[Video | Audio, ...] = (*videos, *entry.audios)
    files = [rendition for each in objects for rendition in each.renditions]
    enclosed = [rendition for rendition in (*files, *pictures) if rendition.from_enclosure]
    return enclosed or _best(videos, entry.audios, pictures)


def _best(
    videos: Sequence[Video], audios: Sequence[Audio], pictures: list[Rendition]
) -> list[Rendition]:
    """Return the best file of an entry without enclosures, if it has any file."""
    for video in videos:
        if best := best_rendition.best(video.renditions):
            return [best]
        if video.content_url:
            return [Rendition(video.content_url, Kind.VIDEO)]
    if not audios:
        return pictures[:1]
    url = audios[0].content_url
    known = [rendition for rendition in audios[0].renditions if rendition.url == url]
    return known[:1] or [Rendition(url, Kind.AUDIO)]


# -- attachments of JSON Feed -----------------------------------------------------------------


def files_of(medium: Video | Audio | Image) -> tuple[Rendition, ...]:
    """Return the files of a video, a sound or a picture."""
    if isinstance(medium, Image):
        return (medium.rendition or Rendition(medium.url),)
    if medium.renditions or not medium.content_url:
        return medium.renditions
    return (Rendition(medium.content_url),)


def first_picture(entry: Entry) -> Image | None:
    """Return the first image that is not an enclosure."""
    files = ((image, image.rendition) for image in entry.images)
    return next((image for image, file in files if not (file and file.from_enclosure)), None)
