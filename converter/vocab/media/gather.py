"""Finding an entry's media objects: groups, single contents, enclosures, players (mapping 3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Final

from converter.issues import Code, printable
from converter.model import Kind, Rendition
from converter.values import mediatypes, numbers, urls
from converter.vocab.context import Context
from converter.vocab.media.setting import Member, Setting
from converter.xml import take
from converter.xml.take import Children, Element

__all__ = ["Bundle", "bundles", "enclosure_of"]

#: `podcast:medium` values whose enclosures are videos (mapping 3.6, row 8).
_VIDEO_MEDIUMS: Final = frozenset({"video", "film", "course"})
#: Of a number of pixels; longer ones go the way of what is no number.
_DIGITS: Final = 6

_OF_RENDITION: Final = tuple(each.name for each in fields(Rendition))


@dataclass(slots=True)
class Bundle:
    """Renditions of one object, and the group that they stood in."""

    element: Element
    members: list[Member] = field(default_factory=list)
    group: Children | None = None

    def of(self, *kinds: Kind) -> list[Member]:
        """The members of these kinds, in document order."""
        return [member for member in self.members if member.rendition.kind in kinds]


def bundles(
    found: Children, enclosures: Iterable[Member], context: Context, setting: Setting
) -> list[Bundle]:
    """Give the entry's media objects in document order, each URL once."""
    gathered = [
        _group(element, found, context, setting)
        if setting.names[element.tag] == "media:group"
        else Bundle(element, _members([element], (found,), context, setting))
        for element in _in_document_order(found)
    ]
    gathered = _as_implicit_group(gathered)
    gathered += _enclosed(found, enclosures, context, setting)
    _adopt_html(gathered)
    gathered = _united(gathered)
    if not gathered:
        gathered += _player_only(found)
    return gathered


def _in_document_order(found: Children) -> list[Element]:
    contents, groups = found.get("media:content", []), found.get("media:group", [])
    if not contents or not groups:
        return contents or groups
    parent = contents[0].getparent()
    wanted = {*contents, *groups}
    return [child for child in (parent if parent is not None else ()) if child in wanted]


def _group(element: Element, found: Children, context: Context, setting: Setting) -> Bundle:
    children = take.gather(element, setting.names)
    contents = list(children.get("media:content", ()))
    for inner in children.get("media:group", ()):  # not allowed, but nothing is lost by reading it
        contents += (at for at in inner.iter() if _is_content(at, setting))
    return Bundle(element, _members(contents, (children, found), context, setting), children)


def _is_content(element: Element, setting: Setting) -> bool:
    return setting.names[element.tag] == "media:content"


def _members(
    elements: Iterable[Element], outer: tuple[Children, ...], context: Context, setting: Setting
) -> list[Member]:
    """Read each `media:content`; one without a URL must say, or inherit, where it plays."""
    members = []
    for element in elements:
        children = take.gather(element, setting.names)
        rendition = _content(element, context, setting)
        plays = any(level.get("media:player") for level in (children, *outer))
        if rendition.url or (plays and rendition.kind is Kind.VIDEO):
            members.append(Member(rendition, element, children))
        else:
            context.count_unread_element(element, "media:content")
    return members


def _content(element: Element, context: Context, setting: Setting) -> Rendition:
    """Read `media:content`; attribute names are matched without regard to case.

    Without a URL it is a video if nothing says otherwise: it plays, but cannot be fetched.
    """
    name = "media:content"
    given = take.attributes(element)
    url = context.url(given["url"], element, name) if "url" in given else None
    duration = given.get("duration")
    bitrate = context.decimal(given.get("bitrate"), element, name)
    framerate = context.decimal(given.get("framerate"), element, name)
    samplingrate = context.decimal(given.get("samplingrate"), element, name)
    return Rendition(
        url=url or "",
        kind=_kind(url, given, element, context, setting) if url else _kind_without_url(given),
        mime=given.get("type"),
        medium=given.get("medium"),
        is_default=given.get("isdefault", "").lower() == "true",
        expression=given.get("expression", "").lower() or None,
        width=_pixels(given.get("width"), element, context),
        height=_pixels(given.get("height"), element, context),
        bitrate_kbps=None if bitrate is None else float(bitrate),
        framerate=None if framerate is None else float(framerate),
        samplingrate_khz=None if samplingrate is None else float(samplingrate),
        channels=context.whole(given.get("channels"), element, name),
        duration_s=context.clock(duration, element, "media:content@duration") if duration else None,
        size_bytes=_size(given.get("filesize"), element, context),
        lang=given.get("lang"),
    )


def _kind(
    url: str, given: dict[str, str], element: Element, context: Context, setting: Setting
) -> Kind | None:
    medium = (setting.feed_podcast and setting.feed_podcast.medium) or ""
    kind = mediatypes.kind_of(
        url,
        mime=given.get("type"),
        medium=given.get("medium"),
        height=given.get("height"),
        duration=given.get("duration"),
        video_medium_hint=medium in _VIDEO_MEDIUMS,
    )
    if kind is None and mediatypes.is_torrent(url, given.get("type")):
        message = f'"{printable(url, 80)}" only leads to its file, by BitTorrent; passed over'
        context.tell(Code.MEDIA_PASSED_OVER, message, element, context_name(element))
    elif kind is None:
        message = f'what "{printable(url, 80)}" is cannot be told by type, medium or extension'
        context.tell(
            Code.MEDIA_UNCLASSIFIED, f"{message}; passed over", element, context_name(element)
        )
    return kind


def _kind_without_url(given: dict[str, str]) -> Kind:
    told = mediatypes.kind_of("", mime=given.get("type"), medium=given.get("medium"))
    return Kind.VIDEO if told in {None, Kind.PLAYER} else told


def context_name(element: Element) -> str:
    """Give an element's name as paths of issues say it."""
    local = take.local_name(element)
    return f"media:{local}" if local == "content" else local


def _pixels(text: str | None, element: Element, context: Context) -> int | None:
    """Read a width or a height; `640px` and `640.0` occur."""
    if text is not None and len(text) < _DIGITS and text.isascii() and text.isdigit():
        return int(text) or None
    number = context.decimal(text and text.lower().removesuffix("px"), element, "media:content")
    return int(number) or None if number is not None else None


def _size(text: str | None, element: Element, context: Context) -> int | None:
    if text is None:
        return None
    try:
        return numbers.size_bytes(text)
    except ValueError:
        message = f'"{text[:60]}" is not a size in bytes; left out'
        context.tell(Code.NUMBER_UNREADABLE, message, element, "media:content@fileSize")
        return None


def enclosure_of(
    element: Element, url_attribute: str, context: Context, setting: Setting
) -> Member | None:
    """Read RSS `enclosure` or an Atom link `rel="enclosure"`."""
    given = take.attributes(element)
    text = given.get(url_attribute) or given.get("url") or given.get("href")
    url = context.url(text, element, "enclosure") if text else None
    if url is None:
        context.count_unread_element(element, setting.names[element.tag])
        return None
    rendition = Rendition(
        url=url,
        kind=_kind(url, given, element, context, setting),
        mime=given.get("type"),
        size_bytes=_size(given.get("length"), element, context),
        title=given.get("title"),
        lang=given.get("hreflang"),
        from_enclosure=True,
    )
    return Member(rendition, element)


def _enclosed(
    found: Children, enclosures: Iterable[Member], context: Context, setting: Setting
) -> Iterator[Bundle]:
    """Give a bundle an enclosure; `podcast:alternateEnclosure` joins the first video's."""
    from converter.vocab import podcast

    made = [Bundle(member.element, [member]) for member in enclosures]
    alternates = list(podcast.alternate_renditions(found, context, setting.names))
    if alternates:
        element = found["podcast:alternateEnclosure"][0]
        home = next((b for b in made if b.of(Kind.VIDEO)), made[0] if made else Bundle(element))
        home.members += [Member(rendition, element) for rendition in alternates]
        made = made or [home]
    return iter(made)


def _as_implicit_group(gathered: list[Bundle]) -> list[Bundle]:
    """Take ungrouped videos for one that differ only as renditions do (mapping 3.5).

    That is two or more of the same non-empty duration, none with a title of its own.
    """
    first_of: dict[tuple[object, ...], Bundle] = {}
    kept: list[Bundle] = []
    for bundle in gathered:
        key = _rendition_key(bundle)
        home = first_of.setdefault(key, bundle) if key else bundle
        if home is bundle:
            kept.append(bundle)
        else:
            home.members += bundle.members
    return kept


def _rendition_key(bundle: Bundle) -> tuple[object, ...] | None:
    if bundle.group is not None or len(bundle.members) != 1:
        return None
    member = bundle.members[0]
    rendition = member.rendition
    if rendition.kind is not Kind.VIDEO or not rendition.duration_s or not rendition.url:
        return None
    if member.children.get("media:title"):
        return None
    return (rendition.duration_s, rendition.lang, rendition.expression)


def _adopt_html(gathered: list[Bundle]) -> None:
    """Make an ungrouped HTML rendition the player of the only ungrouped video beside it."""
    single = [bundle for bundle in gathered if bundle.group is None]
    videos = [bundle for bundle in single if bundle.of(Kind.VIDEO)]
    if len(videos) != 1:
        return
    for bundle in single:
        if bundle is not videos[0] and bundle.members and not _others(bundle):
            videos[0].members += bundle.members
            bundle.members.clear()


def _others(bundle: Bundle) -> bool:
    return any(member.rendition.kind is not Kind.PLAYER for member in bundle.members)


def _united(gathered: list[Bundle]) -> list[Bundle]:
    """Unite renditions of one URL; the first keeps its place and learns what the other knew.

    What stood beside the other outside of a group, as `podcast:alternateEnclosure` does beside
    an enclosure, is a rendition of the first one's object too.
    """
    seen: dict[str, tuple[Member, Bundle]] = {}
    for bundle in gathered:
        home = bundle
        kept: dict[str, Member] = {}
        for number, member in enumerate(bundle.members):
            key = _identity(member.rendition.url) or f"no URL, number {number}"
            known, at = seen[key] if key in seen else (kept.setdefault(key, member), bundle)
            if known is not member:
                _learn(known, member)
                home = at if bundle.group is None else bundle
        bundle.members.clear()
        home.members += kept.values()
        seen |= {key: (member, home) for key, member in kept.items() if member.rendition.url}
    return [bundle for bundle in gathered if bundle.members or bundle.group is not None]


def _identity(url: str) -> str:
    """Give a URL in the spelling by which two are the same; "" for none."""
    return (urls.media(url, allow_ftp=True).url or url) if url else ""


def _learn(known: Member, other: Member) -> None:
    known.rendition = _filled(known.rendition, other.rendition)
    for name, elements in other.children.items():
        known.children.setdefault(name, elements)


def _filled(known: Rendition, other: Rendition) -> Rendition:
    """Give the first rendition with what only the second says."""
    missing = {
        name: value
        for name in _OF_RENDITION
        if getattr(known, name) in (None, False) and (value := getattr(other, name)) is not None
    }
    return replace(known, **missing)


def _player_only(found: Children) -> Iterator[Bundle]:
    """Give the object of an entry that has no file, but says where its video plays."""
    for name in ("media:player", "media:embed", "yt:videoId"):
        for element in found.get(name, ())[:1]:
            yield Bundle(element, [Member(Rendition(url="", kind=Kind.VIDEO), element)])
            return
