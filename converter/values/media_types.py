"""Classifies media URLs by player pattern, type, medium and extension (mapping 3.6)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from converter.model import Kind
from converter.values.lazy_regex import lazy_regex

#: Kind, and type by extension. Types are IANA's, else the usual ones:
#: https://www.iana.org/assignments/media-types/
_TABLE = """
video mp4=video/mp4 m4v=video/x-m4v mov=video/quicktime webm=video/webm mkv=video/x-matroska
video avi=video/x-msvideo wmv=video/x-ms-wmv asf=video/x-ms-asf mpg=video/mpeg mpeg=video/mpeg
video m2v=video/mpeg 3gp=video/3gpp 3g2=video/3gpp2 ogv=video/ogg flv=video/x-flv f4v=video/x-f4v
video vob=video/x-ms-vob rm=application/vnd.rn-realmedia ram=audio/x-pn-realaudio divx=video/divx
video xap=application/x-silverlight-app m3u8=application/vnd.apple.mpegurl
video m3u=application/x-mpegurl mpd=application/dash+xml ts=video/mp2t
image jpg=image/jpeg jpeg=image/jpeg jpe=image/jpeg png=image/png gif=image/gif webp=image/webp
image avif=image/avif svg=image/svg+xml bmp=image/bmp tif=image/tiff tiff=image/tiff heic=image/heic
image ico=image/vnd.microsoft.icon
audio mp3=audio/mpeg m4a=audio/mp4 aac=audio/aac oga=audio/ogg ogg=audio/ogg opus=audio/ogg
audio flac=audio/flac wav=audio/wav wma=audio/x-ms-wma aiff=audio/aiff
"""
_FILES = {
    name: (Kind(kind), mime)
    for kind, *files in map(str.split, _TABLE.strip().splitlines())
    for name, mime in (file.split("=") for file in files)
}

#: Google's list of video files (mapping 2.2), with the other extension of MPEG:
#: https://developers.google.com/search/docs/appearance/video
_GOOGLE_LIST = """
3gp 3g2 asf avi divx m2v m3u m3u8 m4v mkv mov mp4 mpeg mpg ogv qvt ram rm vob webm wmv xap
"""
_Files: TypeAlias = tuple[frozenset[str], frozenset[str]]
"""Types and extensions of a group of files."""


def _files(mimes: str, extensions: str) -> _Files:
    return frozenset(mimes.split()), frozenset(extensions.split())


_LISTED = _files(
    "application/mp4 application/x-matroska video/avi video/m4v "
    + " ".join(_FILES[name][1] for name in _GOOGLE_LIST.split() if name in _FILES),
    _GOOGLE_LIST,
)
_FLASH = _files("application/x-shockwave-flash", "swf")
_TORRENT = _files("application/x-bittorrent", "torrent")
#: Flash video and DASH: not on Google's list, though in Google's samples.
_UNLISTED = _files("video/x-flv video/flv video/x-f4v application/dash+xml", "flv f4v mpd")
#: Extensions of URLs that are not pages.
_NO_PAGES = frozenset({*_FILES, "swf"})

_PLAYER_MIMES = {"application/x-shockwave-flash", "text/html", "application/xhtml+xml"}
_VIDEO_MIMES = """
application/x-mpegurl application/vnd.apple.mpegurl application/dash+xml application/mp4
application/x-matroska application/vnd.rn-realmedia
"""
#: Kind by type, or by the part of it before the slash.
_KIND_OF_MIME = {kind.value: kind for kind in (Kind.VIDEO, Kind.AUDIO, Kind.IMAGE)} | dict.fromkeys(
    _VIDEO_MIMES.split(), Kind.VIDEO
)
_MEDIUMS = {kind.value: kind for kind in Kind if kind is not Kind.PLAYER}

_YOUTUBE = r"(?:https?:)?//(?:[a-z0-9-]+\.)*(?:youtube(?:-nocookie)?\.com/{0}|youtu\.be/{1})"
#: A page of YouTube is a player, never a file, whatever medium the feed states.
_PLAYER = lazy_regex(
    _YOUTUBE.format(r"(?:embed/|v/|shorts/|live/|watch\?)", "")
    + r"|(?:https?:)?//(?:player\.vimeo\.com/video/|(?:www\.)?dailymotion\.com/embed/"
    r"|(?:[a-z-]+\.)?facebook\.com/plugins/video)",
    re.IGNORECASE | re.ASCII,
)
#: An id has eleven characters; so have the words for a playlist and a channel.
_YOUTUBE_ID = lazy_regex(
    _YOUTUBE.format(r"(?:embed/|v/|shorts/|live/|watch\?(?:[^#]*&)?v=)", "")
    + r"(?!(?:videoseries|live_stream)\b)([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])",
    re.IGNORECASE | re.ASCII,
)
#: The extension of the last path segment.
_EXTENSION = re.compile(
    r"(?:(?:[^/?#:]*+:)?//[^/?#]*+)?+(?:[^?#]*/)?+[^/?#;]+\.([A-Za-z0-9]++)(?=[;?#]|\Z)"
)
_FORMAT_PARAMETER = lazy_regex(
    r"[?&;](?:format|fmt|ext|extension)=\.?([A-Za-z0-9]{2,5})(?=[&;#]|\Z)", re.IGNORECASE | re.ASCII
)


def kind_of(url: str, *, mime: str | None = None, medium: str | None = None) -> Kind | None:
    """Return the kind of a URL by the rows of mapping 3.6, in their order; None if unknown.

    Args:
        url: absolute.
        mime: as declared; parameters and case are ignored.
        medium: `media:content@medium`; an unknown value is ignored.
    """
    declared, lowered = _essence(mime), url.lower()
    if declared in _PLAYER_MIMES or (".swf" in lowered and extension(url) == "swf"):
        return Kind.PLAYER
    may_play = "youtu" in lowered or "vimeo" in lowered or "motion" in lowered
    if (may_play or "facebook" in lowered) and _PLAYER.match(url):  # the pattern takes far longer
        return Kind.PLAYER
    if medium and (kind := _MEDIUMS.get(medium.strip().lower())):
        return kind
    if declared == "application/ogg" and extension(url) == "ogv":
        return Kind.VIDEO
    of_mime = _KIND_OF_MIME.get(declared) or _KIND_OF_MIME.get(declared.partition("/")[0])
    if of_mime:
        return of_mime
    file = _FILES.get(_file_extension(url))
    return file[0] if file else None


@lru_cache(maxsize=256)  # several steps ask for each file
def extension(url: str) -> str:
    """Return the extension of a URL's path in lower case, without the dot; "" if absent."""
    found = _EXTENSION.match(url)
    return found[1].lower() if found else ""


def format_extension(path: str) -> str:
    """Return the suffix of a file name without `.gz`: `.rss` for `a/x.RSS` and `x.rss.gz`.

    The import of pathlib would take as long as converting twenty entries.
    """
    name = path.rstrip("/").rpartition("/")[2].lower().removesuffix(".gz")
    stem, _, end = name.rpartition(".")
    return f".{end}" if stem and end else ""


def is_media_file(url: str) -> bool:
    """Return True if a URL has the extension of a media or Flash file, and so is not a page."""
    if "?" in url or "#" in url or ";" in url:
        return extension(url) in _NO_PAGES
    # the first test is enough for nearly all pages
    return url.rpartition(".")[2].lower() in _NO_PAGES and extension(url) in _NO_PAGES


def mime_of(url: str) -> str | None:
    """Return the type of a URL's extension; None if it is unknown."""
    file = _FILES.get(_file_extension(url))
    return file[1] if file else None


def is_listed(mime: str | None, url: str) -> bool:
    """Return True if Google lists this type of video, by its type or extension."""
    return _is_in(_LISTED, mime, _file_extension(url)) and not is_unlisted(mime, url)


def is_unlisted(mime: str | None, url: str) -> bool:
    """Return True for Flash video and DASH."""
    return _is_in(_UNLISTED, mime, _file_extension(url))


def is_flash(url: str, mime: str | None) -> bool:
    """Return True for a Flash application, which browsers no longer play."""
    return _is_in(_FLASH, mime, extension(url))


def is_torrent(url: str, mime: str | None) -> bool:
    """Return True for a torrent, which only leads to the file."""
    return _is_in(_TORRENT, mime, extension(url))


def _is_in(files: _Files, mime: str | None, suffix: str) -> bool:
    mimes, extensions = files
    return _essence(mime) in mimes or suffix in extensions


def youtube_id(url: str) -> str | None:
    """Return the id of a YouTube video from the URL of its page or player."""
    found = _YOUTUBE_ID.match(url)
    return found[1] if found else None


def youtube_player(video_id: str) -> str:
    """Return the URL of YouTube's player, as in Google's sample (mapping 3.9)."""
    return f"https://www.youtube.com/embed/{video_id}"


def youtube_thumbnail(video_id: str) -> str:
    """Return the URL of the thumbnail that each YouTube video has (mapping 3.7)."""
    return f"https://i.ytimg.com/vi/{video_id}/hqdefault.jpg"


@lru_cache(maxsize=16)  # a feed repeats its types; hostile ones may be long
def _essence(mime: str | None) -> str:
    """Return a type in lower case, without parameters."""
    return mime.partition(";")[0].strip().lower() if mime else ""


def _file_extension(url: str) -> str:
    """Return the extension of the path, else that of `format=.mp4` in the query."""
    suffix = extension(url)
    if suffix not in _FILES and "?" in url and (found := _FORMAT_PARAMETER.search(url)):
        return found[1].lower()
    return suffix
