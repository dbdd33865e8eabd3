"""Rules for Media RSS, in RSS and Atom: https://www.rssboard.org/media-rss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from converter.checks import media_metadata as metadata
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.feeds import vocabulary
from converter.checks.media_metadata import MEDIA_RSS
from converter.checks.rule import ERROR, SITEMAPS, WARNING, CheckRule, Place
from converter.model import Kind
from converter.values import media_types, numbers
from converter.values.urls import quoted, syntax
from converter.xml import namespaces

_CONTENT: Final = f"{MEDIA_RSS}#media-content"
_VIDEO: Final = f"{SITEMAPS}/video-sitemaps"
_GOOGLE: Final = frozenset({"google"})

RULES: Final = (
    CheckRule(
        "media-namespace-spelling", ERROR, "the namespace of Media RSS is misspelled",
        why="A namespace is compared letter by letter; strict readers ignore all media.",
        fix=f"Write {namespaces.URI_OF['media']}, with http: and the final slash.",
        source=MEDIA_RSS, convert="repaired",
    ),
    CheckRule(
        "media-element-undefined", WARNING, "an element is not part of Media RSS",
        why="Feed readers ignore it; most often its name is misspelled.",
        fix="Correct the name, or remove the element.",
        source=MEDIA_RSS, convert="dropped",
    ),
    CheckRule(
        "media-attribute-undefined", WARNING, "an attribute is not part of Media RSS",
        why="Feed readers ignore it; most often its name is in the wrong case.",
        fix="Correct the name (fileSize, isDefault), or remove the attribute.",
        source=_CONTENT, convert="repaired",
    ),
    CheckRule(
        "media-content-without-url-or-player", ERROR, "media:content has no url and no player",
        why="There is no file to load; Media RSS requires one of the two.",
        fix="Add the attribute url, or <media:player>.",
        source=_CONTENT, convert="dropped",
    ),
    CheckRule(
        "media-url-missing", ERROR, "media:thumbnail or media:player has no url",
        why="Media RSS requires it; there is nothing to show.",
        fix="Add the attribute url, or remove the element.",
        source=f"{MEDIA_RSS}#media-thumbnails", convert="dropped",
    ),
    CheckRule(
        "media-url-relative", ERROR, "the URL of a media file is not absolute",
        why="Feed readers guess the base URL, and many files are not found.",
        fix="Write the whole URL, with https:// and the host.",
        source=_CONTENT, convert="repaired",
    ),
    CheckRule(
        "media-medium-unknown", ERROR, "the medium of media:content is unknown",
        why="Feed readers do not know whether it is an image, a video or another file.",
        fix="Write image, audio, video, document or executable, in lower case.",
        source=_CONTENT, convert="repaired",
    ),
    CheckRule(
        "media-expression-unknown", ERROR, "the expression of media:content is unknown",
        why="Feed readers do not know whether it is a sample or the whole.",
        fix="Write sample, full or nonstop, in lower case.",
        source=_CONTENT, convert="repaired",
    ),
    CheckRule(
        "media-number-invalid", ERROR, "a size, length or rate is not a number",
        why="Feed readers ignore the value.",
        fix="Write digits without a unit: bytes, seconds, pixels, kilobits per second.",
        source=_CONTENT, convert="repaired",
    ),
    CheckRule(
        "media-file-size-zero", WARNING, "the size of a media file is 0",
        why="A file of 0 bytes is empty; programs may not load it.",
        fix="Remove fileSize if the size is unknown.",
        source=_CONTENT, convert="repaired",
    ),
    CheckRule(
        "media-group-single", ERROR, "media:group has fewer than two media:content",
        why="A group lists renditions of one file; the W3C Feed Validation Service refuses others.",
        fix="Write <media:content> directly in the item.",
        source="https://validator.w3.org/feed/docs/error/MediaGroupWithoutAlternatives.html",
        convert="repaired", is_default=False,
    ),
    CheckRule(
        "media-default-several", WARNING, "several renditions of a group are the default",
        why="Which of them is shown first is undefined; there should be one default.",
        fix='Keep isDefault="true" at one of them.',
        source=_CONTENT, convert="repaired",
    ),
    CheckRule(
        "media-thumbnail-missing", WARNING, "a video has no thumbnail",
        why="Google requires one, and skips the video.",
        fix="Add <media:thumbnail> with the URL of a picture.",
        source=_VIDEO, convert="dropped", profiles=_GOOGLE,
    ),
    CheckRule(
        "media-duration-missing", WARNING, "a video has no duration",
        why="Google recommends it, and shows it beside the video.",
        fix="Add the attribute duration, in seconds.",
        source=_VIDEO, convert="kept", is_default=False, profiles=_GOOGLE,
    ),
)  # fmt: skip

_ELEMENTS: Final = vocabulary(
    "adult backLink backLinks category comment comments community content copyright credit "
    "description embed group hash keywords license location param peerLink player price rating "
    "response responses restriction rights scene sceneDescription sceneEndTime sceneStartTime "
    "sceneTitle scenes starRating statistics status subTitle tags text thumbnail title",
    prefix="media",
).names
_MEDIUMS: Final = frozenset({"image", "audio", "video", "document", "executable"})
_EXPRESSIONS: Final = frozenset({"sample", "full", "nonstop"})
_WHOLE: Final = ("fileSize", "channels", "height", "width")
_REAL: Final = ("bitrate", "framerate", "samplingrate", "duration")
_NONE: Final[frozenset[str]] = frozenset()
#: Elements with a URL; those inside an item or group hold for all its files.
_FILES: Final = frozenset({"media:player", "media:thumbnail"})
_ATTRIBUTES: Final[dict[str, frozenset[str]]] = {
    "media:content": frozenset({"url", "type", "medium", "isDefault", "expression", "lang"})
    | {*_WHOLE, *_REAL},
    "media:thumbnail": frozenset({"url", "width", "height", "time"}),
    "media:player": frozenset({"url", "width", "height"}),
}


def check_namespaces(context: CheckContext, declarations: Mapping[str, Place]) -> None:
    """Report other spellings of the namespace, each once."""
    official = namespaces.URI_OF["media"]
    for uri, place in declarations.items():
        if namespaces.canonical_prefix(uri) == "media" and uri != official:
            message = f"the namespace {quoted(uri)}; expected {quoted(official)}"
            context.report("media-namespace-spelling", message, place)


def check_entry(context: CheckContext, entry: Element, path: str, *, has_thumbnail: bool) -> None:
    """Check the media of an item or entry.

    Args:
        context: takes the findings.
        entry: the element.
        path: its path.
        has_thumbnail: the feed has a thumbnail for all of them.
    """
    inherited = _names_in(entry) | ({"media:thumbnail"} if has_thumbnail else _NONE)
    for child in entry.children:
        if child.name.startswith("media:"):
            check_element(context, child, path, inherited)


def check_element(
    context: CheckContext, element: Element, path: str, inherited: frozenset[str]
) -> None:
    """Check an element of Media RSS, and those inside.

    Args:
        context: takes the findings.
        element: the element.
        path: that of its parent.
        inherited: which of `media:player` and `media:thumbnail` the outer elements have.
    """
    name = element.name
    path = f"{path}/{name}"
    if name not in _ELEMENTS:
        message = f"<{element.written_name}> is no element of Media RSS"
        context.report("media-element-undefined", message, element, path=path)
        return
    if name in {"media:content", "media:group"}:
        inherited |= _names_in(element)
        check = _check_content if name == "media:content" else _check_group
        check(context, element, path, inherited)
    elif name in _FILES:
        _check_file(context, element, path)
    elif (check_leaf := metadata.CHECKS.get(name)) is not None:
        check_leaf(context, element, path)
    for child in element.children:
        if child.name.startswith("media:"):
            check_element(context, child, path, inherited)


def _names_in(element: Element) -> frozenset[str]:
    if not element.children:
        return _NONE
    return _FILES.intersection([child.name for child in element.children])


# -- files ------------------------------------------------------------------------------------


def _check_content(
    context: CheckContext, content: Element, path: str, inherited: frozenset[str]
) -> None:
    values = content.attributes
    url = values.get("url", "").strip()
    if not url and "media:player" not in inherited:
        message = "<media:content> without url and <media:player>"
        context.report("media-content-without-url-or-player", message, content, path=path)
    _check_names(context, content, path)
    _check_absolute(context, content, path)
    metadata.check_word(context, content, path, "medium", _MEDIUMS, "media-medium-unknown")
    metadata.check_word(
        context, content, path, "expression", _EXPRESSIONS, "media-expression-unknown"
    )
    _check_numbers(context, content, path)
    if values.get("fileSize", "").strip() == "0":
        message = "fileSize is 0; expected no attribute if the size is unknown"
        context.report("media-file-size-zero", message, content, path=f"{path}/@fileSize")
    if _is_video(content):
        if "media:thumbnail" not in inherited:
            message = "a video without <media:thumbnail>"
            context.report("media-thumbnail-missing", message, content, path=path)
        if not values.get("duration", "").strip():
            message = "a video without duration"
            context.report("media-duration-missing", message, content, path=f"{path}/@duration")


def _check_group(
    context: CheckContext, group: Element, path: str, _inherited: frozenset[str]
) -> None:
    files = [child for child in group.children if child.name == "media:content"]
    if len(files) < 2:
        message = f"<media:group> with {len(files)} <media:content>; expected several"
        context.report("media-group-single", message, group, path=path)
    defaults = [file for file in files if file.attributes.get("isDefault", "").strip() == "true"]
    if len(defaults) > 1:
        message = f'{len(defaults)} files of a group with isDefault="true"; expected one'
        context.report("media-default-several", message, defaults[1], path=path)


def _is_video(content: Element) -> bool:
    values = content.attributes
    url, mime, medium = (values.get(name, "").strip() for name in ("url", "type", "medium"))
    return media_types.kind_of(url, mime=mime, medium=medium) is Kind.VIDEO


def _check_file(context: CheckContext, element: Element, path: str) -> None:
    """Check a thumbnail or player."""
    if not element.attributes.get("url", "").strip():
        message = f"<{element.written_name}> without url"
        context.report("media-url-missing", message, element, path=f"{path}/@url")
    _check_names(context, element, path)
    metadata.check_time(context, element, path, "time")
    _check_absolute(context, element, path)
    _check_numbers(context, element, path)


# -- attributes -------------------------------------------------------------------------------


def _check_names(context: CheckContext, element: Element, path: str) -> None:
    """Report undefined attributes; those with a namespace belong to extensions."""
    known = _ATTRIBUTES[element.name]
    for name in element.attributes:
        if name not in known and " " not in name:
            near = [other for other in known if other.lower() == name.lower()]
            message = f"<{element.written_name}> has no attribute {quoted(name)}"
            message = f"{message}; expected {near[0]}" if near else message
            at = f"{path}/@{name}"
            context.report("media-attribute-undefined", message, element, path=at)


def _check_absolute(context: CheckContext, element: Element, path: str) -> None:
    url = element.attributes.get("url", "").strip()
    if url and syntax.split(url).scheme is None:
        message = f"<{element.written_name}> url={quoted(url)}: expected an absolute URL"
        context.report("media-url-relative", message, element, path=f"{path}/@url")


def _check_numbers(context: CheckContext, element: Element, path: str) -> None:
    for names, parse in _NUMBERS:
        for name in names:
            value = element.attributes.get(name, "").strip()
            if value and not _is_number(parse, value):
                message = f"<{element.written_name}> {name}={quoted(value)}: not a number"
                context.report("media-number-invalid", message, element, path=f"{path}/@{name}")


_NUMBERS: Final[tuple[tuple[tuple[str, ...], Callable[[str], float]], ...]] = (
    (_WHOLE, numbers.whole),
    (_REAL, numbers.real),
)


def _is_number(parse: Callable[[str], float], value: str) -> bool:
    try:
        return parse(value) >= 0
    except ValueError:
        return False
