"""Writes Media RSS, the same inside RSS and Atom: https://www.rssboard.org/media-rss.

Each object has all the elements that hold for it, so that nothing is inherited: elements of the
item would hold for its other objects too.
"""

from __future__ import annotations

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
        of_videos = [write_elements.period_and_live(each, entry, writer) for each in entry.videos]
        if len(set(of_videos)) == 1:  # Google reads it from the item
            of_item, of_videos = of_videos[0], [""] * len(of_videos)
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


def _video(video: Video, extra: str, entry: Entry, writer: ElementWriter) -> str:
    """Write a video; `extra` follows the elements that every video may have."""
    inner = write_elements.video_elements(video, entry, writer) + extra
    if xml := _object(video, inner, writer):
        return xml
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
    return _object(audio, inner, writer)


def _image(image: Image, writer: ElementWriter) -> str:
    inner = (
        write_elements.plain_text("media:title", image.title, writer)
        + write_elements.plain_text("media:description", image.caption, writer)
        + write_elements.license_link(image.license, writer)
    )
    if image.geo and all(word.name != "media:location" for word in image.words):
        inner += writer.empty("media:location", (("description", image.geo),))
    inner += write_elements.extra_elements(image.words, writer)
    return _object(image, inner, writer)


def _object(medium: Video | Audio | Image, inner: str, writer: ElementWriter) -> str:
    """Write an object: a group only for two renditions or more, as validators demand.

    If no rendition has a duration, the one of the object's URL gets the object's duration.
    """
    files = files_of(medium)
    if not isinstance(medium, Image) and all(file.duration_s is None for file in files):
        url, length_s = medium.content_url, medium.duration_s
        files = [replace(file, duration_s=length_s) if file.url == url else file for file in files]
    contents = [
        dict(CONTENT.attributes_of(file), url=url)
        for file in files
        if (url := writer.url(file.url, "media:content"))
    ]
    if not contents:
        return ""
    if len(contents) == 1:
        attributes = contents[0].items()
        if not inner:
            return writer.empty("media:content", attributes)
        return writer.element("media:content", inner, attributes)
    for later in [each for each in contents if each.get("isDefault")][1:]:
        del later["isDefault"]  # only the first default of a group counts
    elements = [writer.empty("media:content", each.items()) for each in contents]
    return writer.element("media:group", "".join(elements) + inner)


# -- files ------------------------------------------------------------------------------------


def files_of(medium: Video | Audio | Image) -> list[Rendition]:
    """Return the files of a video, a sound or a picture, the one of its own URL among them."""
    if isinstance(medium, Image):
        mime = media_types.mime_of(medium.url)
        return [medium.rendition or Rendition(medium.url, Kind.IMAGE, mime)]
    kind = Kind.VIDEO if isinstance(medium, Video) else Kind.AUDIO
    url = medium.content_url
    known = [each if each.kind else replace(each, kind=kind) for each in medium.renditions]
    if url and url not in [each.url for each in known]:
        known.insert(0, Rendition(url, kind, media_types.mime_of(url)))
    return known


def enclosures(entry: Entry, options: WriteOptions) -> list[Rendition]:
    """Return the enclosures of the input, else the best video, audio or picture."""
    videos = [files_of(video) for video in entry.videos] if options.videos else []
    audios = [files_of(audio) for audio in entry.audios]
    pictures = [files_of(image) for image in entry.images] if options.images else []
    files = [file for files in (*videos, *audios, *pictures) for file in files]
    if enclosed := [file for file in files if file.from_enclosure]:
        return enclosed
    for renditions in videos:
        if best := best_rendition.best(renditions):
            return [best]
    for audio in entry.audios[:1]:
        return [file for file in audios[0] if file.url == audio.content_url]
    return pictures[0] if pictures else []


def first_picture(entry: Entry) -> Image | None:
    """Return the first image that is not an enclosure."""
    files = ((image, image.rendition) for image in entry.images)
    return next((image for image, file in files if not (file and file.from_enclosure)), None)
