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

#: Python 3.11 takes as long for `Kind.VIDEO` as for a call.
_VIDEO, _PLAYER = Kind.VIDEO, Kind.PLAYER
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
    objects: list[MediaObject] = []
    if "media:content" in children or "media:group" in children:
        objects = _media_rss_objects(context)
    enclosed = [
        MediaObject(element, [rendition])
        for element, url_attribute in enclosures
        if (rendition := _enclosure(element, url_attribute, context)) is not None
    ]
    if "podcast:alternateEnclosure" in children:
        _add_alternates(enclosed, context)
    objects += enclosed
    if len(objects) > 1 or any(len(each.renditions) > 1 for each in objects):
        objects = _joined(objects)
        _attach_html_players(objects)
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
    rendition = CONTENT.read(Rendition(""), element, context)
    children = extract.children_by_name(element, context.names) if len(element) else {}
    url = context.url(rendition.url, element, "media:content") if rendition.url else None
    if url:
        rendition.url = url
        rendition.kind = _kind(rendition, element, context)
        return RenditionElement(rendition, element, children, normalised(url))
    kind = media_types.kind_of("", mime=rendition.mime, medium=rendition.medium)
    has_player = any("media:player" in level for level in (children, *outer))
    if has_player and kind in (None, _PLAYER, _VIDEO):
        rendition.url, rendition.kind = "", _VIDEO
        return RenditionElement(rendition, element, children, "")
    context.count_unread_element(element, "media:content")
    return None


def _enclosure(
    element: Element, url_attribute: str, context: ReadContext
) -> RenditionElement | None:
    """Read RSS `enclosure` or an Atom link `rel="enclosure"`."""
    rendition = ENCLOSURE.read(Rendition(""), element, context)
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
    """Return the kind of a rendition (mapping 3.6); report one whose kind is unknown."""
    url, mime = rendition.url, rendition.mime
    kind = media_types.kind_of(url, mime=mime, medium=rendition.medium)
    if kind is not None:
        return kind
    attributes, feed = extract.attributes(element), context.feed.podcast
    is_sized = "height" in attributes and "duration" in attributes
    if is_sized or (feed is not None and feed.medium in _VIDEO_MEDIUMS):
        return _VIDEO
    code = Code.MEDIA_UNCLASSIFIED
    message = "has no type, medium or extension that names its kind"
    if media_types.is_torrent(url, mime):
        code, message = Code.MEDIA_PASSED_OVER, "is a torrent, not the file itself"
    path = "media:content" if context.names[element.tag] == "media:content" else "enclosure"
    context.warn(code, f'"{printable(url, 80)}" {message}; ignored', element, path)
    return None


# -- objects ----------------------------------------------------------------------------------


def _media_rss_objects(context: ReadContext) -> list[MediaObject]:
    """Return the objects of `media:content` and `media:group`."""
    found, names = context.children, context.names
    objects = []
    for element in context.element:
        name = names[element.tag]
        if name not in {"media:content", "media:group"}:
            continue
        contents, outer, group = [element], [found], None
        if name == "media:group":
            group = extract.children_by_name(element, names)
            contents, outer = group.get("media:content", []), [group, found]
            if "media:group" in group:  # invalid, but its files are usable
                contents = [at for at in element.iter() if names[at.tag] == "media:content"]
        renditions = [one for at in contents if (one := _content(at, outer, context)) is not None]
        objects.append(MediaObject(element, renditions, group))
    return objects


def _add_alternates(enclosed: list[MediaObject], context: ReadContext) -> None:
    """Add the renditions of `podcast:alternateEnclosure` to the first enclosed video."""
    alternates = list(podcast.alternate_renditions(context.children, context, context.names))
    if alternates:
        element = context.children["podcast:alternateEnclosure"][0]
        if not enclosed:
            enclosed.append(MediaObject(element, []))
        videos = (object_ for object_ in enclosed if object_.of_kind(_VIDEO))
        target = next(videos, enclosed[0])
        target.renditions += [
            RenditionElement(rendition, element, {}, normalised(rendition.url))
            for rendition in alternates
        ]


def _joined(objects: Sequence[MediaObject]) -> list[MediaObject]:
    """Join the objects that are one video, and the renditions of one URL (mapping 3.5).

    An ungrouped object joins an earlier one that has a URL of it, or an ungrouped one of which it
    is another rendition.
    """
    joined: list[MediaObject] = []
    homes: dict[object, MediaObject] = {}
    first_of: dict[str, RenditionElement] = {}
    for object_ in objects:
        keys: list[object] = [each.normal_url for each in object_.renditions if each.normal_url]
        if (likeness := _likeness(object_)) is not None:
            keys.append(likeness)
        home = object_
        if object_.group is None:
            home = next((homes[key] for key in keys if key in homes), object_)
        unique = []
        for each in object_.renditions:
            first = first_of.setdefault(each.normal_url, each) if each.normal_url else each
            if first is each:
                unique.append(each)
            else:
                _add_missing(first, each)
        if home is object_:
            joined.append(object_)
            object_.renditions = unique
        else:
            home.renditions += unique
        for key in keys:
            homes.setdefault(key, home)
    return joined


def _likeness(object_: MediaObject) -> tuple[object, ...] | None:
    """Return what renditions of one video have in common: duration, language and expression.

    None if the object is not one file, or has its own title.
    """
    if object_.group is not None or len(object_.renditions) != 1:
        return None
    rendition, _, children, url = object_.renditions[0]
    if rendition.kind is not _VIDEO or not rendition.duration_s or not url:
        return None
    if "media:title" in children:
        return None
    return (rendition.duration_s, rendition.lang, rendition.expression)


def _attach_html_players(objects: Iterable[MediaObject]) -> None:
    """Make ungrouped HTML renditions players of the ungrouped video, if there is exactly one."""
    single = [object_ for object_ in objects if object_.group is None]
    videos = [object_ for object_ in single if object_.of_kind(_VIDEO)]
    if len(videos) != 1:
        return
    for object_ in single:
        players = object_.of_kind(_PLAYER)
        if object_ is not videos[0] and len(players) == len(object_.renditions):
            videos[0].renditions += players
            object_.renditions.clear()


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
            rendition = RenditionElement(Rendition("", _VIDEO), element, {}, "")
            return [MediaObject(element, [rendition])]
    return []
