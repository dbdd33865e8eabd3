"""Finds an entry's media objects and their renditions (mapping 3.5).

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
    """The element's children by name."""
    normal_url: str
    """The normalised URL; empty if the element has no URL."""


@dataclass(slots=True, eq=False)
class MediaObject:
    """One media object and its renditions in document order."""

    element: Element
    renditions: list[RenditionElement]
    group: Children | None = None
    """The children of its `media:group`; None for an object outside of a group."""

    def of_kind(self, kind: Kind) -> list[RenditionElement]:
        """Return the renditions of one kind."""
        return [each for each in self.renditions if each.rendition.kind is kind]

    def levels(self, chosen: Rendition | None = None) -> list[Children]:
        """Return the children of the chosen rendition, of the others and of the group."""
        described = [each for each in self.renditions if each.children]
        described.sort(key=lambda each: each.rendition is not chosen)
        levels = [each.children for each in described]
        return levels if self.group is None else [*levels, self.group]


def media_objects(context: ReadContext, enclosures: Sequence[Enclosure]) -> list[MediaObject]:
    """Return the entry's media objects in document order, each URL once."""
    children = context.children
    enclosed = [
        MediaObject(element, [rendition])
        for element, url_attribute in enclosures
        if (rendition := _enclosure(element, url_attribute, context)) is not None
    ]
    objects: list[MediaObject] = []
    if "media:content" in children or "media:group" in children:
        objects = _media_rss_objects(context)
    if "podcast:alternateEnclosure" in children:
        _add_alternates(enclosed, context)
    objects += enclosed
    if len(objects) > 1:
        _attach_html_players(objects)
    if len(objects) > 1 or (objects and len(objects[0].renditions) > 1):
        _merge_duplicates(objects)
    return [each for each in objects if each.renditions or each.group is not None] or _player(
        children
    )


def normalised(url: str) -> str:
    """Return the normal form of the URL of a file."""
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
    url = context.url(rendition.url, element, "media:content") if rendition.url else None
    if url:
        rendition.url = url
        rendition.kind = _kind(rendition, element, context)
        return RenditionElement(rendition, element, children, normalised(url))
    rendition.url = ""
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
    reference = (element.get(url_attribute) or "").strip() or rendition.url
    reference = reference or attribute(element, "href") or ""
    url = context.url(reference, element, "enclosure") if reference else None
    if url is None:
        context.count_unread_element(element, context.names[element.tag])
        return None
    rendition.url, rendition.from_enclosure = url, True
    rendition.kind = _kind(rendition, element, context)
    return RenditionElement(rendition, element, {}, normalised(url))


def _kind(rendition: Rendition, element: Element, context: ReadContext) -> Kind | None:
    """Return the kind of a rendition; report a rendition whose kind is unknown."""
    url, mime = rendition.url, rendition.mime
    kind = media_types.kind_of(url, mime=mime, medium=rendition.medium)
    if kind is not None:
        return kind
    attributes, feed = extract.attributes(element), context.feed.podcast
    kind = media_types.kind_of(
        url,
        height=attributes.get("height"),
        duration=attributes.get("duration"),
        video_medium_hint=feed is not None and feed.medium in _VIDEO_MEDIUMS,
    )
    if kind is None:
        code = Code.MEDIA_UNCLASSIFIED
        message = "has no type, medium or extension that names its kind"
        if media_types.is_torrent(url, mime):
            code, message = Code.MEDIA_PASSED_OVER, "is a torrent, not the file itself"
        local = extract.local_name(element)
        path = f"media:{local}" if local == "content" else local
        context.warn(code, f'"{printable(url, 80)}" {message}; ignored', element, path)
    return kind


# -- objects ----------------------------------------------------------------------------------


def _media_rss_objects(context: ReadContext) -> list[MediaObject]:
    """Return the objects of `media:content` and `media:group`."""
    found, names = context.children, context.names
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
            for inner in group.get("media:group", ()):  # invalid, but its files are usable
                nested = (at for at in inner.iter() if names[at.tag] == "media:content")
                contents = [*contents, *nested]
        renditions = [one for at in contents if (one := _content(at, outer, context)) is not None]
        objects.append(MediaObject(element, renditions, group))
    return _implicit_groups(objects) if len(objects) > 1 else objects


def _add_alternates(enclosed: list[MediaObject], context: ReadContext) -> None:
    """Add the renditions of `podcast:alternateEnclosure` to the first enclosed video."""
    alternates = list(podcast.alternate_renditions(context.children, context, context.names))
    if alternates:
        element = context.children["podcast:alternateEnclosure"][0]
        if not enclosed:
            enclosed.append(MediaObject(element, []))
        videos = (object_ for object_ in enclosed if object_.of_kind(Kind.VIDEO))
        target = next(videos, enclosed[0])
        target.renditions += [
            RenditionElement(rendition, element, {}, normalised(rendition.url))
            for rendition in alternates
        ]


def _implicit_groups(objects: list[MediaObject]) -> list[MediaObject]:
    """Merge ungrouped videos that are renditions of one video (mapping 3.5).

    Those are two or more of the same duration, language and expression, none with its own title.
    """
    first_of: dict[tuple[object, ...], MediaObject] = {}
    merged = []
    for object_ in objects:
        key = _rendition_key(object_)
        first = first_of.setdefault(key, object_) if key else object_
        if first is object_:
            merged.append(object_)
        else:
            first.renditions += object_.renditions
    return merged


def _rendition_key(object_: MediaObject) -> tuple[object, ...] | None:
    """Return what renditions of one video have in common; None if the object is not one file."""
    if object_.group is not None or len(object_.renditions) != 1:
        return None
    rendition, _, children, _ = object_.renditions[0]
    if rendition.kind is not Kind.VIDEO or not rendition.duration_s or not rendition.url:
        return None
    if "media:title" in children:
        return None
    return (rendition.duration_s, rendition.lang, rendition.expression)


def _attach_html_players(objects: Iterable[MediaObject]) -> None:
    """Make ungrouped HTML renditions players of the ungrouped video, if there is exactly one."""
    single = [object_ for object_ in objects if object_.group is None]
    videos = [object_ for object_ in single if object_.of_kind(Kind.VIDEO)]
    if len(videos) != 1:
        return
    for object_ in single:
        players = object_.of_kind(Kind.PLAYER)
        if object_ is not videos[0] and len(players) == len(object_.renditions):
            videos[0].renditions += players
            object_.renditions.clear()


def _merge_duplicates(objects: Sequence[MediaObject]) -> None:
    """Merge renditions of one URL into the first, which keeps its place.

    An ungrouped object that shares a URL with an earlier one is the same object: its other
    renditions, such as those of `podcast:alternateEnclosure`, move to the earlier one.
    """
    known = [each.normal_url for object_ in objects for each in object_.renditions]
    if len(set(known)) == len(known):
        return
    seen: dict[str, tuple[RenditionElement, MediaObject]] = {}
    for object_ in objects:
        target, unique = object_, []
        for each in object_.renditions:
            if each.normal_url in seen:
                first, object_of_first = seen[each.normal_url]
                _add_missing(first, each)
                target = object_of_first if object_.group is None else object_
            else:
                unique.append(each)
                if each.normal_url:
                    seen[each.normal_url] = (each, object_)
        object_.renditions.clear()
        target.renditions += unique
        if target is not object_:
            seen.update((each.normal_url, (each, target)) for each in unique if each.normal_url)


def _add_missing(first: RenditionElement, other: RenditionElement) -> None:
    """Add to the first the fields and elements that only the other has."""
    for name in _RENDITION_FIELDS:
        if getattr(first.rendition, name) in (None, False):
            value = getattr(other.rendition, name)
            if value is not None:
                setattr(first.rendition, name, value)
    for name, elements in other.children.items():
        first.children.setdefault(name, elements)


def _player(children: Children) -> list[MediaObject]:
    """Return the object of an entry that has a player but no file."""
    for name in ("media:player", "media:embed", "yt:videoId"):
        if name in children:
            element = children[name][0]
            rendition = RenditionElement(Rendition("", Kind.VIDEO), element, {}, "")
            return [MediaObject(element, [rendition])]
    return []
