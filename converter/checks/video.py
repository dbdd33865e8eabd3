"""Rules for videos in sitemaps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from converter.checks import dates, urls
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, SITEMAPS, WARNING, CheckRule, Place
from converter.checks.structure import SCHEMAS, children_by_name
from converter.sitemap_limits import MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TAGS, MAX_VIDEO_TITLE
from converter.values import media_types
from converter.values.countries import ALPHA2
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import host_of, quoted

_VIDEOS: Final = f"{SITEMAPS}/video-sitemaps"
_XSD: Final = "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd"
_LEGACY: Final = (
    "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions"
)
_GOOGLE: Final = frozenset({"google"})

_MAX_DURATION_S: Final = 28_800
_MAX_UPLOADER: Final = 255


def _missing(what: str, name: str) -> CheckRule:
    return CheckRule(
        f"video-{what}-missing", ERROR, f"a video has no {what}",
        why="Google requires it, and skips the video.",
        fix=f"Add <video:{name}>.",
        source=_VIDEOS, convert="dropped",
    )  # fmt: skip


def _value(code: str, title: str, expected: str) -> CheckRule:
    return CheckRule(
        f"video-{code}", ERROR, title,
        why="The XML Schema of video sitemaps refuses the file, and Google ignores the value.",
        fix=f"Write {expected}, or remove the element.",
        source=_XSD, convert="dropped",
    )  # fmt: skip


RULES: Final = (
    _missing("thumbnail", "thumbnail_loc"),
    _missing("title", "title"),
    _missing("description", "description"),
    CheckRule(
        "video-no-content-or-player", ERROR, "a video has neither a file nor a player",
        why="Google requires <video:content_loc> or <video:player_loc>, and skips the video.",
        fix="Add the URL of the video file or of its player.",
        source=_VIDEOS, convert="dropped",
    ),
    CheckRule(
        "video-same-as-page", ERROR, "the file or player of a video has the URL of the page",
        why="Google requires another URL than that of the page, and skips the video.",
        fix="Write the URL of the video file or of its player.",
        source=_VIDEOS, convert="dropped",
    ),
    CheckRule(
        "video-title-over-100", WARNING, f"a title has over {MAX_VIDEO_TITLE} characters",
        why="The XML Schema refuses it; Google cuts it.",
        fix="Write a shorter title.",
        source=_XSD, convert="repaired",
    ),
    CheckRule(
        "video-description-over-2048", ERROR,
        f"the description of a video has over {MAX_VIDEO_DESCRIPTION:,} characters",
        why="Google allows 2,048 characters.",
        fix="Write a shorter description.",
        source=_VIDEOS, convert="repaired",
    ),
    _value("duration-range", "the duration of a video is not from 1 to 28,800 seconds",
           "the duration in whole seconds, at most 28800 (8 hours)"),
    _value("rating-range", "the rating of a video is not from 0.0 to 5.0", "a number such as 4.5"),
    _value("view-count", "the view count of a video is not a whole number", "a whole number"),
    CheckRule(
        "video-tags-over-32", ERROR, f"a video has more than {MAX_VIDEO_TAGS} tags",
        why=f"The XML Schema allows {MAX_VIDEO_TAGS}.",
        fix="Keep the important tags.",
        source=_XSD, convert="repaired",
    ),
    _value("restriction-syntax", "the restriction of a video is not a list of countries",
           "country codes of two capital letters with spaces between them: DE FR"),
    CheckRule(
        "video-country-unknown", WARNING, "the restriction of a video has an unknown country",
        why="Google ignores codes that are not in ISO 3166-1.",
        fix="Correct the code: Great Britain is GB.",
        source=_VIDEOS, convert="dropped",
    ),
    _value("platform-syntax", "the platform of a video is not web, mobile or tv",
           "web, mobile, tv, or several with a space between them"),
    CheckRule(
        "video-relationship-missing", ERROR, "a restriction or platform has no relationship",
        why="Without relationship it is unknown whether the list allows or denies.",
        fix='Add relationship="allow" or relationship="deny".',
        source=_VIDEOS, convert="dropped",
    ),
    _value("yes-no", "a flag of a video is neither yes nor no", "yes or no"),
    CheckRule(
        "video-uploader-over-255", ERROR, f"the uploader has over {_MAX_UPLOADER} characters",
        why=f"Google allows {_MAX_UPLOADER} characters.",
        fix="Write a shorter name.",
        source=_VIDEOS, convert="repaired",
    ),
    CheckRule(
        "video-uploader-info-host", ERROR, "the page of the uploader is on another domain",
        why="Google requires the domain of the page, and ignores the URL.",
        fix="Write a URL on the same domain, or remove the attribute info.",
        source=_VIDEOS, convert="dropped",
    ),
    _value("price-invalid", "the price of a video is not valid",
           "a number with a currency, or an empty element with the type rent or purchase"),
    CheckRule(
        "video-deprecated-tag", WARNING, "a video has a tag that Google no longer reads",
        why="category, gallery_loc, price, tvshow, id and the attributes of player_loc have no "
        "effect since August 2022.",
        fix="Remove the tag or attribute.",
        source=_LEGACY, convert="dropped", profiles=_GOOGLE,
    ),
    CheckRule(
        "video-expired", WARNING, "a video has expired",
        why="Google does not show a video after its expiration date.",
        fix="Remove the video, or correct its expiration_date.",
        source=_VIDEOS, convert="kept",
    ),
    CheckRule(
        "video-type-unlisted", WARNING, "the file of a video has a type that Google does not read",
        why="Google lists the types of video files; Flash video and DASH manifests are not listed.",
        fix="Write the URL of an MP4, WebM or HLS file.",
        source="https://developers.google.com/search/docs/appearance/video#supported-video-files",
        convert="kept", profiles=_GOOGLE,
    ),
    CheckRule(
        "video-segment-without-player", ERROR, "a video has segments but no player",
        why="content_segment_loc is allowed only beside player_loc.",
        fix="Add <video:player_loc>, or remove the segments.",
        source=_XSD, convert="dropped",
    ),
    CheckRule(
        "video-html-in-text", WARNING, "the title or description of a video has markup",
        why="Google shows the text as it is, with the tags.",
        fix="Write plain text.",
        source=_VIDEOS, convert="repaired",
    ),
)  # fmt: skip

_PATH: Final = "url/video:video"
_Children: TypeAlias = dict[str, list[Element]]

_WHOLE: Final = re.compile(r"\+?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?")
_COUNTRIES: Final = lazy_regex(r"(?:[A-Z]{2}(?: +[A-Z]{2})*)?")
_PLATFORMS: Final = lazy_regex(r"(?:(?:web|mobile|tv)(?: +(?:web|mobile|tv))*)?")
_MARKUP: Final = lazy_regex(r"</?[A-Za-z][^<>]*>")
_DEPRECATED: Final = ("category", "gallery_loc", "price", "tvshow", "id", "content_segment_loc")
_FLAGS: Final = ("family_friendly", "requires_subscription", "live")


class _VideoCheck:
    """One `video:video` element."""

    def __init__(self, context: CheckContext, element: Element, page: str | None) -> None:
        self.context = context
        self.element = element
        self.page = page
        self.found = children_by_name(context, element, SCHEMAS["video:video"], _PATH)

    def all(self, name: str) -> list[Element]:
        return self.found.get(f"video:{name}", [])

    def first(self, name: str) -> Element | None:
        elements = self.found.get(f"video:{name}")
        return elements[0] if elements else None

    def report(self, code: str, message: str, at: Element | None = None) -> None:
        path = f"{_PATH}/{at.name}" if at is not None else _PATH
        self.context.report(f"video-{code}", message, at or self.element, path=path)

    def value(self, name: str, code: str, is_valid: Callable[[str], bool], expected: str) -> None:
        """Report the text of a child that is not valid."""
        for element in self.all(name):
            if not is_valid(text := element.text.strip()):
                message = f"<{element.written_name}> {quoted(text)}; expected {expected}"
                self.report(code, message, element)


def check(context: CheckContext, element: Element, page: str | None) -> str | None:
    """Check a `video:video` element; return the URL of its thumbnail."""
    video = _VideoCheck(context, element, page)
    thumbnail = _check_thumbnail(video)
    _check_texts(video)
    _check_files(video)
    video.value("duration", "duration-range", _is_duration, "1 to 28800 whole seconds")
    video.value("rating", "rating-range", _is_rating, "0.0 to 5.0")
    video.value("view_count", "view-count", _is_whole, "a whole number")
    for name in _FLAGS:
        video.value(name, "yes-no", lambda text: text.lower() in {"yes", "no"}, "yes or no")
    if len(tags := video.all("tag")) > MAX_VIDEO_TAGS:
        message = f"{len(tags)} tags; at most {MAX_VIDEO_TAGS} are allowed"
        video.report("tags-over-32", message, tags[MAX_VIDEO_TAGS])
    _check_dates(video)
    _check_lists(video)
    _check_uploader(video)
    for price in video.all("price"):
        _check_price(video, price)
    for name in _DEPRECATED:
        if (found := video.first(name)) is not None:
            video.report("deprecated-tag", f"<{found.written_name}> is no longer read", found)
    return thumbnail


def _check_thumbnail(video: _VideoCheck) -> str | None:
    element = video.first("thumbnail_loc")
    if element is None or not element.text.strip():
        video.report("thumbnail-missing", _lack("thumbnail_loc", element), element)
        return None
    return urls.check_element(video.context, element, f"{_PATH}/{element.name}", allows_ftp=True)


def _lack(name: str, element: Element | None) -> str:
    return f"<video:video> {'without' if element is None else 'with an empty'} <video:{name}>"


def _check_texts(video: _VideoCheck) -> None:
    for name in ("title", "description"):
        element = video.first(name)
        text = element.text.strip() if element is not None else ""
        if element is None or not text:
            video.report(f"{name}-missing", _lack(name, element), element)
        elif found := _MARKUP.search(text):
            message = f"<{element.written_name}> has markup: {quoted(found[0])}"
            video.report("html-in-text", message, element)
    limits = (
        ("title", MAX_VIDEO_TITLE, "title-over-100"),
        ("description", MAX_VIDEO_DESCRIPTION, "description-over-2048"),
        ("uploader", _MAX_UPLOADER, "uploader-over-255"),
    )
    for name, most, code in limits:
        element = video.first(name)
        if element is not None and (size := len(element.text.strip())) > most:
            message = f"<{element.written_name}> has {size:,} characters; at most {most:,}"
            video.report(code, message, element)


def _check_files(video: _VideoCheck) -> None:
    content, player = video.first("content_loc"), video.first("player_loc")
    if content is None and player is None:
        message = "<video:video> without <video:content_loc> and <video:player_loc>"
        video.report("no-content-or-player", message)
    if content is not None:
        url = _check_file(video, content)
        if url is not None and _is_unlisted(url):
            message = f"<{content.written_name}> {quoted(url)}: a type that Google does not read"
            video.report("type-unlisted", message, content)
    if player is not None:
        _check_file(video, player)
        for name in ("allow_embed", "autoplay"):
            if name in player.attributes:
                message = f"the attribute {name} of <{player.written_name}> is no longer read"
                video.report("deprecated-tag", message, player)
    _check_segments(video, has_player=player is not None)


def _check_segments(video: _VideoCheck, *, has_player: bool) -> None:
    for segment in video.all("content_segment_loc"):
        urls.check_element(video.context, segment, f"{_PATH}/{segment.name}", allows_ftp=True)
        if not has_player:
            message = f"<{segment.written_name}> without <video:player_loc>"
            video.report("segment-without-player", message, segment)
    for gallery in video.all("gallery_loc"):
        urls.check_element(video.context, gallery, f"{_PATH}/{gallery.name}")


def _check_file(video: _VideoCheck, element: Element) -> str | None:
    """Check the URL of the file or player, which must be another than that of the page."""
    path = f"{_PATH}/{element.name}"
    url = urls.check_element(video.context, element, path, allows_ftp=True)
    if url is not None and url == video.page:
        message = f"<{element.written_name}> is the URL of the page"
        video.report("same-as-page", message, element)
    return url


def _is_unlisted(url: str) -> bool:
    return media_types.is_unlisted(None, url)


def _check_dates(video: _VideoCheck) -> None:
    context = video.context
    if (published := video.first("publication_date")) is not None:
        dates.check_element(context, published, f"{_PATH}/{published.name}")
    if (expires := video.first("expiration_date")) is not None:
        path = f"{_PATH}/{expires.name}"
        moment = dates.check_element(context, expires, path, may_be_future=True)
        if moment is not None and moment.instant < context.now:
            message = f"<{expires.written_name}> {quoted(expires.text.strip())} has passed"
            video.report("expired", message, expires)


def _check_lists(video: _VideoCheck) -> None:
    codes = "country codes such as DE FR"
    video.value("restriction", "restriction-syntax", _is_countries, codes)
    expected = "web, mobile or tv"
    video.value(
        "platform", "platform-syntax", lambda text: bool(_PLATFORMS.fullmatch(text)), expected
    )
    for name in ("restriction", "platform"):
        for element in video.all(name):
            if element.attributes.get("relationship") not in {"allow", "deny"}:
                message = f"<{element.written_name}> without relationship allow or deny"
                video.report("relationship-missing", message, element)
    for element in video.all("restriction"):
        text = element.text.strip()
        unknown = [code for code in text.split() if code not in ALPHA2]
        if unknown and _is_countries(text):
            message = f"<{element.written_name}>: {quoted(unknown[0])} is no country of ISO 3166-1"
            video.report("country-unknown", message, element)


def _check_uploader(video: _VideoCheck) -> None:
    uploader = video.first("uploader")
    if uploader is None or "info" not in uploader.attributes:
        return
    place = Place(uploader.line, uploader.column)
    info, path = uploader.attributes["info"], f"{_PATH}/{uploader.name}/@info"
    url = urls.check_url(video.context, info, "info", place, path)
    if url is None or video.page is None:
        return
    host, page_host = host_of(url) or "", host_of(video.page) or ""
    if _domain(host) != _domain(page_host):
        message = f"info is on {host}, the page on {page_host}"
        video.report("uploader-info-host", message, uploader)


def _domain(host: str) -> str:
    """Return the last two labels: the domain, as far as it is known without a list of suffixes."""
    return ".".join(host.split(".")[-2:])


def _check_price(video: _VideoCheck, price: Element) -> None:
    text, attributes = price.text.strip(), price.attributes
    if text and not _DECIMAL.fullmatch(text):
        fault = f"{quoted(text)} is not a number"
    elif text and not attributes.get("currency"):
        fault = "a price without currency"
    elif not text and not attributes.get("type"):
        fault = "empty, without type rent or purchase"
    elif attributes.get("resolution", "hd").lower() not in {"hd", "sd"}:
        fault = f"the resolution {quoted(attributes['resolution'])}; expected hd or sd"
    elif attributes.get("type", "rent").lower() not in {"rent", "purchase"}:
        fault = f"the type {quoted(attributes['type'])}; expected rent or purchase"
    else:
        return
    video.report("price-invalid", f"<{price.written_name}>: {fault}", price)


def _is_whole(text: str) -> bool:
    return _WHOLE.fullmatch(text) is not None


def _is_duration(text: str) -> bool:
    return _is_whole(text) and 1 <= int(text) <= _MAX_DURATION_S


def _is_rating(text: str) -> bool:
    return _DECIMAL.fullmatch(text) is not None and float(text) <= 5


def _is_countries(text: str) -> bool:
    return _COUNTRIES.fullmatch(text) is not None
