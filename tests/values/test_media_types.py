"""What a media URL is: the rows of mapping 3.6, and what else is asked of types."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.model import Kind
from converter.values import media_types

BARE = "https://ex.com/file"
ID = "0A1ouV7iD8o"

KINDS: dict[str, tuple[str, dict[str, Any], Kind | None]] = {
    "row 1: YouTube": (f"https://www.youtube.com/embed/{ID}", {"mime": "video/mp4"}, Kind.PLAYER),
    "row 1: YouTube, old": (
        f"http://youtube.com/v/{ID}?version=3",
        {"medium": "video"},
        Kind.PLAYER,
    ),
    "row 1: without cookies": (f"//www.youtube-nocookie.com/embed/{ID}", {}, Kind.PLAYER),
    "row 1: YouTube's page": (
        f"https://m.youtube.com/watch?v={ID}",
        {"medium": "video"},
        Kind.PLAYER,
    ),
    "row 1: YouTube, short": (f"https://youtu.be/{ID}", {"medium": "video"}, Kind.PLAYER),
    "row 1: Vimeo": ("https://player.vimeo.com/video/1", {"medium": "video"}, Kind.PLAYER),
    "row 1: Dailymotion": ("https://www.dailymotion.com/embed/video/x", {}, Kind.PLAYER),
    "row 1: Facebook": ("https://www.facebook.com/plugins/video.php?href=x", {}, Kind.PLAYER),
    "row 1: another host": (f"https://notyoutube.com/embed/{ID}", {}, None),
    "row 1: in a path": (f"https://ex.com/youtube.com/embed/{ID}", {}, None),
    "row 2: Flash": (
        BARE,
        {"mime": "application/x-shockwave-flash", "medium": "video"},
        Kind.PLAYER,
    ),
    "row 2: HTML": (BARE, {"mime": "Text/HTML; charset=utf-8", "medium": "video"}, Kind.PLAYER),
    "row 2: XHTML": (BARE, {"mime": "application/xhtml+xml"}, Kind.PLAYER),
    "row 2: swf": ("https://ex.com/a.SWF?x", {"medium": "video"}, Kind.PLAYER),
    "row 3: medium before type": (BARE, {"medium": " Video ", "mime": "audio/mpeg"}, Kind.VIDEO),
    "row 3: document": (BARE + ".mp4", {"medium": "document"}, Kind.DOCUMENT),
    "row 3: executable": (BARE, {"medium": "executable"}, Kind.EXECUTABLE),
    "row 3: unknown medium": (BARE + ".jpg", {"medium": "film"}, Kind.IMAGE),
    "row 3: player is no medium": (BARE, {"medium": "player"}, None),
    "row 4: type before extension": (BARE + ".mp3", {"mime": "VIDEO/mp4"}, Kind.VIDEO),
    "row 4: image": (BARE, {"mime": "image/png"}, Kind.IMAGE),
    "row 4: audio": (BARE, {"mime": "audio/mpeg"}, Kind.AUDIO),
    "row 5: HLS": (BARE, {"mime": "application/x-mpegURL"}, Kind.VIDEO),
    "row 5: DASH": (BARE, {"mime": "application/dash+xml"}, Kind.VIDEO),
    "row 5: ogg with ogv": (BARE + ".ogv", {"mime": "application/ogg"}, Kind.VIDEO),
    "row 5: ogg with ogg": (BARE + ".ogg", {"mime": "application/ogg"}, Kind.AUDIO),
    "row 5: ogg alone": (BARE, {"mime": "application/ogg"}, None),
    "row 6: video": (
        "https://ex.com/a.MP4?x=1#y",
        {"mime": "application/octet-stream"},
        Kind.VIDEO,
    ),
    "row 6: image, empty type": ("https://ex.com/a.JPG?w=1", {"mime": ""}, Kind.IMAGE),
    "row 6: audio": ("https://ex.com/a.opus", {}, Kind.AUDIO),
    "row 6: query": ("https://ex.com/get?id=1&format=.mp4", {}, Kind.VIDEO),
    "row 6: query without the dot": ("https://ex.com/get.php?ext=webm&x", {}, Kind.VIDEO),
    "row 6: path before query": ("https://ex.com/a.mp3?format=mp4", {}, Kind.AUDIO),
    "row 6: other queries": ("https://ex.com/get?u=a.mp4", {}, None),
    "row 9: nothing tells": (BARE, {}, None),
}


@pytest.mark.parametrize(("url", "given_", "kind"), KINDS.values(), ids=KINDS)
def test_kind_of(url: str, given_: dict[str, Any], kind: Kind | None) -> None:
    assert media_types.kind_of(url, **given_) is kind


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("https://ex.com/a/b.Mp4", "mp4"),
        ("https://ex.com/a.b/c", ""),
        ("https://ex.com/a.mp4/", ""),
        ("https://ex.com", ""),
        ("https://ex.mp4", ""),
        ("//ex.mp4?x", ""),
        ("//ex.com/a.mp4", "mp4"),
        ("/a//b.mp4", "mp4"),
        ("b.mp4", "mp4"),
        ("https://ex.com/a.mp4;jsessionid=1.2", "mp4"),
        ("https://ex.com/a;b.x/c.jpg", "jpg"),
        ("https://ex.com/.jpg", ""),
        ("https://ex.com/a.", ""),
        ("https://ex.com/a.m p", ""),
        ("https://ex.com/a.mp４", ""),
        ("https://ex.com/?a.mp4", ""),
        ("https://ex.com/#/a.mp4", ""),
        ("", ""),
    ],
)
def test_extension(url: str, extension: str) -> None:
    assert media_types.extension(url) == extension


@pytest.mark.parametrize(
    ("url", "is_media"),
    [
        ("https://ex.com/a.mp3", True),
        ("https://ex.com/a.PNG?x", True),
        ("https://ex.com/a.swf", True),
        ("https://ex.com/a.html", False),
        ("https://ex.com/a.php?format=mp4", False),
        ("https://ex.com/", False),
    ],
)
def test_is_media_file(url: str, is_media: bool) -> None:
    assert media_types.is_media_file(url) is is_media


@pytest.mark.parametrize(
    ("url", "mime"),
    [
        ("https://ex.com/a.mp4", "video/mp4"),
        ("https://ex.com/a.JPE", "image/jpeg"),
        ("https://ex.com/get?format=.mp3", "audio/mpeg"),
        ("https://ex.com/a.xyz", None),
        ("https://ex.com/a", None),
    ],
)
def test_mime_of(url: str, mime: str | None) -> None:
    assert media_types.mime_of(url) == mime


@pytest.mark.parametrize(
    ("mime", "url", "is_listed"),
    [
        (None, "https://ex.com/a.mp4", True),
        ("video/mp4; codecs=x", BARE, True),
        ("video/unknown", "https://ex.com/a.mp4", True),
        ("video/unknown", BARE, False),
        ("application/vnd.apple.mpegurl", BARE, True),
        (None, "https://ex.com/a.mpg", True),
        (None, "https://ex.com/a.qvt", True),
        (None, "https://ex.com/a.ts", False),
        (None, "https://ex.com/a.mp3", False),
        (None, "https://ex.com/a.flv", False),
        ("video/mp4", "https://ex.com/a.flv", False),
        ("video/x-flv", BARE, False),
        ("application/dash+xml", BARE, False),
        (None, "https://ex.com/a.mpd", False),
        (None, BARE, False),
    ],
)
def test_is_listed(mime: str | None, url: str, is_listed: bool) -> None:
    assert media_types.is_listed(mime, url) is is_listed


def test_special_cases_are_detected_by_type_and_by_extension() -> None:
    flash, torrent = "application/x-shockwave-flash", "application/x-bittorrent"
    assert media_types.is_unlisted("video/X-FLV", BARE)
    assert media_types.is_unlisted(None, BARE + ".f4v")
    assert not media_types.is_unlisted("video/mp4", BARE + ".mp4")
    assert media_types.is_unlisted("application/dash+xml", BARE)
    assert media_types.is_unlisted(None, BARE + ".mpd")
    assert not media_types.is_unlisted(None, BARE)
    assert media_types.is_flash(BARE, flash)
    assert media_types.is_flash(BARE + ".swf", None)
    assert not media_types.is_flash(BARE, None)
    assert media_types.is_torrent(BARE, torrent)
    assert media_types.is_torrent(BARE + ".mp4.torrent", None)
    assert not media_types.is_torrent(BARE + ".mp4", None)


@pytest.mark.parametrize(
    "url",
    [
        f"https://www.youtube.com/watch?v={ID}",
        f"https://www.youtube.com/watch?list=x&v={ID}&t=1",
        f"https://m.youtube.com/watch?v={ID}#t=1",
        f"https://www.youtube.com/embed/{ID}?autoplay=1",
        f"https://www.youtube.com/v/{ID}?version=3",
        f"https://www.youtube.com/shorts/{ID}",
        f"https://www.youtube.com/live/{ID}",
        f"https://youtu.be/{ID}?t=1",
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"HTTP://YOUTUBE.COM/embed/{ID}",
        f"//www.youtube.com/embed/{ID}",
    ],
)
def test_youtube_id(url: str) -> None:
    assert media_types.youtube_id(url) == ID


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/embed/videoseries?list=PL1",
        "https://www.youtube.com/embed/live_stream?channel=UC7",
        "https://www.youtube.com/channel/UC7",
        "https://www.youtube.com/watch?list=x",
        f"https://www.youtube.com/watch#v={ID}",
        f"https://www.youtube.com/embed/{ID}x",
        "https://www.youtube.com/embed/short",
        f"https://youtube.com.ex.com/embed/{ID}",
        f"https://ex.com/?u=https://youtu.be/{ID}",
        "https://youtu.be/",
        "",
    ],
)
def test_not_a_youtube_video(url: str) -> None:
    assert media_types.youtube_id(url) is None


def test_youtube_urls_are_those_of_the_mapping() -> None:
    assert media_types.youtube_player(ID) == f"https://www.youtube.com/embed/{ID}"
    assert media_types.youtube_thumbnail(ID) == f"https://i.ytimg.com/vi/{ID}/hqdefault.jpg"


@pytest.mark.property
@given(video_id=st.from_regex(r"[A-Za-z0-9_-]{11}", fullmatch=True))
def test_a_player_gives_its_id_back(video_id: str) -> None:
    player = media_types.youtube_player(video_id)
    if video_id.lower() not in {"videoseries", "live_stream"}:
        assert media_types.youtube_id(player) == video_id
    assert media_types.kind_of(player) is Kind.PLAYER


@pytest.mark.property
@given(url=st.text(), mime=st.none() | st.text(), medium=st.none() | st.text())
def test_any_text_has_a_kind_or_none(url: str, mime: str | None, medium: str | None) -> None:
    kind = media_types.kind_of(url, mime=mime, medium=medium)
    assert kind in {*Kind, None}
