"""Finding an entry's media objects and their renditions (mapping 3.5).

They are read from `media:group`, `media:content`, enclosures, and players without a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from converter.extensions import podcast
from converter.extensions.mediarss import Enclosure
from converter.extensions.mediarss.schema import CONTENT, ENCLOSURE, attribute
from converter.extensions.read_context import ReadContext
from converter.issues import Code, printable
from converter.model import Kind, Rendition
from converter.values import media_types, urls
from converter.xml import extract
from converter.xml.extract import Children, Element

_RENDITION_FIELDS: Final = tuple(field.name for field in fields(Rendition))

#: `podcast:medium` values whose enclosures are videos (mapping 3.6, row 8).
_VIDEO_MEDIUMS: Final = frozenset({"video", "film", "course"})


class RenditionElement(NamedTuple):
    """A rendition, and the element that it was read from."""

    rendition: Rendition
    element: Element
    children: Children
    """Those of the element."""
    url: str
    """The URL in its one spelling; empty if there is none."""


@dataclass(slots=True, eq=False)
class MediaObject:
    """The renditions of one media object, in document order."""

    element: Element
    members: list[RenditionElement]
    group: Children | None = None
    """The children of its `media:group`; None if it stands outside of one."""

    def of_kind(self, kind: Kind) -> list[RenditionElement]:
        """Return the members of one kind."""
        return [member for member in self.members if member.rendition.kind is kind]


def media_objects(context: ReadContext, enclosures: Sequence[Enclosure]) -> list[MediaObject]:
    """Return the entry's media objects in document order, each URL once."""
    found = context.found
    enclosed = []
    for element, url_attribute in enclosures:
        if (member := _enclosure(element, url_attribute, context)) is not None:
            enclosed.append(MediaObject(element, [member]))
    objects = _described(context) if "media:content" in found or "media:group" in found else []
    if "podcast:alternateEnclosure" in found:
        _add_alternates(enclosed, context)
    objects += enclosed
    if len(objects) > 1:
        _adopt_html(objects)
    _unite(objects)
    return [each for each in objects if each.members or each.group is not None] or _player(found)


def spelling(url: str) -> str:
    """Return the URL of a file in its one spelling."""
    if not url or urls.is_canonical_page(url):
        return url
    return urls.clean_media(url, allow_ftp=True).url or url


# -- renditions -------------------------------------------------------------------------------


def _content(
    element: Element, outer: Sequence[Children], context: ReadContext
) -> RenditionElement | None:
    """Read `media:content`; one without a URL must have, or inherit, a `media:player`."""
    rendition = CONTENT.read(element, context)
    children = extract.children_by_name(element, context.names) if len(element) else {}
    url = rendition.url and context.url(rendition.url, element, "media:content")
    rendition.url = url = url or ""
    if url:
        rendition.kind = _kind(rendition, element, context)
        return RenditionElement(rendition, element, children, spelling(url))
    kind = media_types.kind_of("", mime=rendition.mime, medium=rendition.medium)
    is_video = kind is None or kind is Kind.PLAYER or kind is Kind.VIDEO
    if is_video and any("media:player" in level for level in (children, *outer)):
        rendition.kind = Kind.VIDEO
        return RenditionElement(rendition, element, children, "")
    context.count_unread_element(element, "media:content")
    return None


def _enclosure(
    element: Element, url_attribute: str, context: ReadContext
) -> RenditionElement | None:
    """Read RSS `enclosure` or an Atom link `rel="enclosure"`."""
    rendition = ENCLOSURE.read(element, context)
    reference = attribute(element, url_attribute) or rendition.url or attribute(element, "href")
    url = context.url(reference, element, "enclosure") if reference else None
    if url is None:
        context.count_unread_element(element, context.names[element.tag])
        return None
    rendition.url, rendition.from_enclosure = url, True
    rendition.kind = _kind(rendition, element, context)
    return RenditionElement(rendition, element, {}, spelling(url))


def _kind(rendition: Rendition, element: Element, context: ReadContext) -> Kind | None:
    url, mime = rendition.url, rendition.mime
    kind = media_types.kind_of(url, mime=mime, medium=rendition.medium)
    if kind is not None:
        return kind
    given, feed = extract.attributes(element), context.feed.podcast
    kind = media_types.kind_of(
        url,
        height=given.get("height"),
        duration=given.get("duration"),
        video_medium_hint=feed is not None and feed.medium in _VIDEO_MEDIUMS,
    )
    if kind is None:
        code = Code.MEDIA_UNCLASSIFIED
        message = f'what "{printable(url, 80)}" is cannot be told by type, medium or extension'
        if media_types.is_torrent(url, mime):
            code = Code.MEDIA_PASSED_OVER
            message = f'"{printable(url, 80)}" only leads to its file, by BitTorrent'
        local = extract.local_name(element)
        path = f"media:{local}" if local == "content" else local
        context.tell(code, f"{message}; passed over", element, path)
    return kind


# -- objects ----------------------------------------------------------------------------------


def _described(context: ReadContext) -> list[MediaObject]:
    """Return the objects of `media:content` and `media:group`."""
    found, names = context.found, context.names
    elements = found.get("media:content") or found["media:group"]
    if "media:content" in found and "media:group" in found:
        wanted = {"media:content", "media:group"}
        elements = [child for child in context.element if names[child.tag] in wanted]
    objects = []
    for element in elements:
        contents, outer, group = [element], [found], None
        if names[element.tag] == "media:group":
            group = extract.children_by_name(element, names)
            contents, outer = group.get("media:content", []), [group, found]
            for inner in group.get("media:group", ()):  # not allowed, but nothing is lost by it
                nested = (at for at in inner.iter() if names[at.tag] == "media:content")
                contents = [*contents, *nested]
        members = [each for at in contents if (each := _content(at, outer, context)) is not None]
        objects.append(MediaObject(element, members, group))
    return _implicit_groups(objects) if len(objects) > 1 else objects


def _add_alternates(enclosed: list[MediaObject], context: ReadContext) -> None:
    """Add the renditions of `podcast:alternateEnclosure` to the first enclosed video."""
    alternates = list(podcast.alternate_renditions(context.found, context, context.names))
    if alternates:
        element = context.found["podcast:alternateEnclosure"][0]
        if not enclosed:
            enclosed.append(MediaObject(element, []))
        videos = (object_ for object_ in enclosed if object_.of_kind(Kind.VIDEO))
        home = next(videos, enclosed[0])
        for rendition in alternates:
            member = RenditionElement(rendition, element, {}, spelling(rendition.url))
            home.members.append(member)


def _implicit_groups(objects: list[MediaObject]) -> list[MediaObject]:
    """Join ungrouped videos that differ only as renditions do (mapping 3.5).

    That is two or more of the same duration, language and expression, none with a title of its own.
    """
    first_of: dict[tuple[object, ...], MediaObject] = {}
    kept = []
    for object_ in objects:
        key = _rendition_key(object_)
        home = first_of.setdefault(key, object_) if key else object_
        if home is object_:
            kept.append(object_)
        else:
            home.members += object_.members
    return kept


def _rendition_key(object_: MediaObject) -> tuple[object, ...] | None:
    if object_.group is not None or len(object_.members) != 1:
        return None
    member = object_.members[0]
    rendition = member.rendition
    if rendition.kind is not Kind.VIDEO or not rendition.duration_s or not rendition.url:
        return None
    if "media:title" in member.children:
        return None
    return (rendition.duration_s, rendition.lang, rendition.expression)


def _adopt_html(objects: Iterable[MediaObject]) -> None:
    """Make an ungrouped HTML rendition the player of the only ungrouped video beside it."""
    single = [object_ for object_ in objects if object_.group is None]
    videos = [object_ for object_ in single if object_.of_kind(Kind.VIDEO)]
    if len(videos) != 1:
        return
    for object_ in single:
        players = object_.of_kind(Kind.PLAYER)
        if object_ is not videos[0] and len(players) == len(object_.members):
            videos[0].members += players
            object_.members.clear()


def _unite(objects: Sequence[MediaObject]) -> None:
    """Unite renditions of one URL; the first keeps its place and learns what the others state.

    An ungrouped object that shares a URL with an earlier one is the same object: its other
    renditions, such as those of `podcast:alternateEnclosure`, join the earlier one.
    """
    known = [member.url for object_ in objects for member in object_.members]
    if len(set(known)) == len(known):
        return
    seen: dict[str, tuple[RenditionElement, MediaObject]] = {}
    for object_ in objects:
        home, kept = object_, []
        for member in object_.members:
            if member.url in seen:
                first, of_first = seen[member.url]
                _learn(first, member)
                home = of_first if object_.group is None else object_
            else:
                kept.append(member)
                if member.url:
                    seen[member.url] = (member, object_)
        object_.members.clear()
        home.members += kept
        if home is not object_:
            seen.update((member.url, (member, home)) for member in kept if member.url)


def _learn(known: RenditionElement, other: RenditionElement) -> None:
    """Add what only the second states to the first."""
    for name in _RENDITION_FIELDS:
        if getattr(known.rendition, name) in (None, False):
            value = getattr(other.rendition, name)
            if value is not None:
                setattr(known.rendition, name, value)
    for name, elements in other.children.items():
        known.children.setdefault(name, elements)


def _player(found: Children) -> list[MediaObject]:
    """Return the object of an entry that has no file, but states where its video plays."""
    for name in ("media:player", "media:embed", "yt:videoId"):
        if name in found:
            element = found[name][0]
            member = RenditionElement(Rendition("", Kind.VIDEO), element, {}, "")
            return [MediaObject(element, [member])]
    return []
