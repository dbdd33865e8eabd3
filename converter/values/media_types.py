"""What a media URL is, by player pattern, type, medium and extension (mapping 3.6)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from converter.model import Kind
from converter.values.lazy_regex import lazy_regex

#: Kinds of files, and the type of each by its extension. Types are IANA's, else the customary ones:
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
"""Types and extensions of one sort of files."""


def _files(mimes: str, extensions: str) -> _Files:
    return frozenset(mimes.split()), frozenset(extensions.split())


_LISTED = _files(
    "application/mp4 application/x-matroska video/avi video/m4v "
    + " ".join(_FILES[name][1] for name in _GOOGLE_LIST.split() if name in _FILES),
    _GOOGLE_LIST,
)
_FLASH = _files("application/x-shockwave-flash", "swf")
_TORRENT = _files("application/x-bittorrent", "torrent")
_FLV = _files("video/x-flv video/flv video/x-f4v", "flv f4v")
_DASH = _files("application/dash+xml", "mpd")
_UNLISTED: _Files = (_FLV[0] | _DASH[0], _FLV[1] | _DASH[1])
_INDIRECT: _Files = (_FLASH[0] | _TORRENT[0], _FLASH[1] | _TORRENT[1])
#: Extensions of what is no page.
_NO_PAGES = frozenset({*_FILES, "swf"})

_PLAYER_MIMES = {"application/x-shockwave-flash", "text/html", "application/xhtml+xml"}
_VIDEO_MIMES = """
application/x-mpegurl application/vnd.apple.mpegurl application/dash+xml application/mp4
application/x-matroska application/vnd.rn-realmedia
"""
#: What a type means, or the part of it before the slash.
_KIND_OF_MIME = {kind.value: kind for kind in (Kind.VIDEO, Kind.AUDIO, Kind.IMAGE)} | dict.fromkeys(
    _VIDEO_MIMES.split(), Kind.VIDEO
)
_MEDIUMS = {kind.value: kind for kind in Kind if kind is not Kind.PLAYER}

_YOUTUBE = r"(?:https?:)?//(?:[a-z0-9-]+\.)*(?:youtube(?:-nocookie)?\.com/{0}|youtu\.be/{1})"
#: A page of YouTube is never a file, whatever medium it is said to be: its player is what it has.
_PLAYER = lazy_regex(
    _YOUTUBE.format(r"(?:embed/|v/|shorts/|live/|watch\?)", "")
    + r"|(?:https?:)?//(?:player\.vimeo\.com/video/|(?:www\.)?dailymotion\.com/embed/"
    r"|(?:[a-z-]+\.)?facebook\.com/plugins/video)",
    re.IGNORECASE | re.ASCII,
)
#: An id has eleven characters; so have the two words that stand for a playlist and a channel.
_YOUTUBE_ID = lazy_regex(
    _YOUTUBE.format(r"(?:embed/|v/|shorts/|live/|watch\?(?:[^#]*&)?v=)", "")
    + r"(?!(?:videoseries|live_stream)\b)([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])",
    re.IGNORECASE | re.ASCII,
)
#: Behind the authority, if there is one, in the last segment of the path.
_EXTENSION = re.compile(
    r"(?:(?:[^/?#:]*+:)?//[^/?#]*+)?+(?:[^?#]*/)?+[^/?#;]+\.([A-Za-z0-9]++)(?=[;?#]|\Z)"
)
_FORMAT_PARAMETER = lazy_regex(
    r"[?&;](?:format|fmt|ext|extension)=\.?([A-Za-z0-9]{2,5})(?=[&;#]|\Z)", re.IGNORECASE | re.ASCII
)


def kind_of(
    url: str,
    *,
    mime: str | None = None,
    medium: str | None = None,
    height: object = None,
    duration: object = None,
    video_medium_hint: bool = False,
) -> Kind | None:
    """Say what a URL is; None if nothing tells. The rows of mapping 3.6, in their order.

    Args:
        url: absolute.
        mime: as declared; parameters and case do not matter.
        medium: `media:content@medium`; an unknown value decides nothing.
        height: together with `duration` the mark of a video, whatever the values are.
        duration: see there.
        video_medium_hint: the feed's `podcast:medium` is video, film or course.
    """
    declared, lowered = _bare(mime), url.lower()
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
    if row := _FILES.get(_file_extension(url)):
        return row[0]
    is_video = (height is not None and duration is not None) or video_medium_hint
    return Kind.VIDEO if is_video else None


def is_player(url: str, mime: str | None) -> bool:
    """Say whether it is a page or a program that plays a video (mapping 3.6, rows 1 and 2)."""
    return kind_of(url, mime=mime) is Kind.PLAYER


@lru_cache(maxsize=256)  # each file of an entry is asked about several times, soon after another
def extension(url: str) -> str:
    """Give the extension of a URL's path in lower case, without the dot; "" if there is none."""
    found = _EXTENSION.match(url)
    return found[1].lower() if found else ""


def format_extension(path: str) -> str:
    """Give the end of a file's name, which tells its format: of `a/x.RSS` and `x.rss.gz` `.rss`.

    What pathlib calls a suffix; to import that would take as long as converting twenty entries.
    """
    name = path.rstrip("/").rpartition("/")[2].lower().removesuffix(".gz")
    stem, _, end = name.rpartition(".")
    return f".{end}" if stem and end else ""


def is_media_file(url: str) -> bool:
    """Say whether a URL's path ends like a media file, Flash among them: then it is no page."""
    if "?" in url or "#" in url or ";" in url:
        return extension(url) in _NO_PAGES
    # the first test is enough for nearly all pages
    return url.rpartition(".")[2].lower() in _NO_PAGES and extension(url) in _NO_PAGES


def mime_of(url: str) -> str | None:
    """Give the type that a URL's extension stands for; None rather than a guess."""
    row = _FILES.get(_file_extension(url))
    return row[1] if row else None


def is_listed(mime: str | None, url: str) -> bool:
    """Say whether Google's list has this type of video, by its type or by its extension."""
    declared, name = _bare(mime), _file_extension(url)
    is_listed = declared in _LISTED[0] or name in _LISTED[1]
    return is_listed and declared not in _UNLISTED[0] and name not in _UNLISTED[1]


def is_flv(mime: str | None, url: str) -> bool:
    """Say whether it is Flash video: not on Google's list, though on Google's own samples."""
    return _is_one(_FLV, mime, _file_extension(url))


def is_dash(mime: str | None, url: str) -> bool:
    """Say whether it is a DASH manifest: not on Google's list."""
    return _is_one(_DASH, mime, _file_extension(url))


def is_flash(url: str, mime: str | None) -> bool:
    """Say whether it is a Flash application, which no browser plays any more."""
    return _is_one(_FLASH, mime, extension(url))


def is_torrent(url: str, mime: str | None) -> bool:
    """Say whether it only leads to the file, over BitTorrent."""
    return _is_one(_TORRENT, mime, extension(url))


def is_direct(url: str, mime: str | None) -> bool:
    """Say whether the URL is that of the file itself: no torrent and no Flash application."""
    mimes, extensions = _INDIRECT
    if ".swf" not in url.lower() and ".torrent" not in url.lower():  # nearly all
        return _bare(mime) not in mimes
    return _bare(mime) not in mimes and extension(url) not in extensions


def _is_one(files: _Files, mime: str | None, name: str) -> bool:
    mimes, extensions = files
    return _bare(mime) in mimes or name in extensions


def youtube_id(url: str) -> str | None:
    """Give the id of a YouTube video from the URL of its page or of a player."""
    found = _YOUTUBE_ID.match(url)
    return found[1] if found else None


def youtube_player(video_id: str) -> str:
    """Give the URL of YouTube's player: the form in Google's sample (mapping 3.9)."""
    return f"https://www.youtube.com/embed/{video_id}"


def youtube_thumbnail(video_id: str) -> str:
    """Give the URL of the picture that every YouTube video has (mapping 3.7)."""
    return f"https://i.ytimg.com/vi/{video_id}/hqdefault.jpg"


@lru_cache(maxsize=16)  # a feed has files of a few types; hostile ones may be long
def _bare(mime: str | None) -> str:
    """Give a type without its parameters, in lower case."""
    return mime.partition(";")[0].strip().lower() if mime else ""


def _file_extension(url: str) -> str:
    """Give the extension of the path, else the one that a `format=.mp4` in the query names."""
    named = extension(url)
    if named not in _FILES and "?" in url and (found := _FORMAT_PARAMETER.search(url)):
        return found[1].lower()
    return named
