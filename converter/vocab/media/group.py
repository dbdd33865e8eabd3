"""Finding an entry's media objects: groups, single contents, enclosures, players (mapping 3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Final

from converter.model import Kind, Rendition
from converter.vocab import podcast
from converter.vocab.context import Context
from converter.vocab.media.content import content, enclosure_of
from converter.vocab.media.objects import (
    Enclosure,
    MediaObject,
    MediaScope,
    RenditionElement,
    rendition_element,
)
from converter.xml import take
from converter.xml.take import Children, Element

__all__ = ["media_objects"]

_RENDITION_FIELDS: Final = tuple(field.name for field in fields(Rendition))


def media_objects(
    found: Children, enclosures: Sequence[Enclosure], context: Context, scope: MediaScope
) -> list[MediaObject]:
    """Return the entry's media objects in document order, each URL once."""
    enclosed = []
    for enclosure, url_attribute in enclosures:
        rendition = enclosure_of(enclosure, url_attribute, context, scope)
        if rendition is not None:
            enclosed.append(MediaObject(enclosure, [rendition_element(rendition, enclosure)]))
    objects = []
    if "media:content" in found or "media:group" in found:
        objects = _described(found, context, scope)
    if "podcast:alternateEnclosure" in found:
        _add_alternates(enclosed, found, context, scope)
    objects += enclosed
    if len(objects) > 1:
        _adopt_html(objects)
    known = [member.url for object_ in objects for member in object_.members]
    if len(set(known)) < len(known):
        _unite(objects)
    if len(objects) != 1 or not (objects[0].members or objects[0].group):
        objects = [each for each in objects if each.members or each.group is not None]
    return objects or _player_only(found)


def _described(found: Children, context: Context, scope: MediaScope) -> list[MediaObject]:
    """Return the objects of `media:content` and `media:group`."""
    contents, groups = found.get("media:content", []), found.get("media:group", [])
    elements = contents or groups
    if contents and groups and (parent := contents[0].getparent()) is not None:
        wanted = {*contents, *groups}
        elements = [child for child in parent if child in wanted]
    objects = []
    for element in elements:
        if scope.names[element.tag] == "media:group":
            objects.append(_group(element, found, context, scope))
        else:
            members = _renditions([element], (found,), context, scope)
            objects.append(MediaObject(element, members))
    return _implicit_groups(objects) if len(objects) > 1 else objects


def _group(element: Element, found: Children, context: Context, scope: MediaScope) -> MediaObject:
    children = take.gather(element, scope.names)
    contents = children.get("media:content", [])
    for inner in children.get("media:group", ()):  # not allowed, but nothing is lost by reading it
        nested = (at for at in inner.iter() if scope.names[at.tag] == "media:content")
        contents = [*contents, *nested]
    return MediaObject(element, _renditions(contents, (children, found), context, scope), children)


def _renditions(
    elements: Iterable[Element], outer: Sequence[Children], context: Context, scope: MediaScope
) -> list[RenditionElement]:
    """Read each `media:content`; one without a URL must have, or inherit, a `media:player`."""
    members = []
    for element in elements:
        children = take.gather(element, scope.names) if len(element) else {}
        rendition = content(element, context, scope)
        if rendition.url or (
            rendition.kind is Kind.VIDEO
            and any("media:player" in level for level in (children, *outer))
        ):
            members.append(rendition_element(rendition, element, children))
        else:
            context.count_unread_element(element, "media:content")
    return members


def _add_alternates(
    enclosed: list[MediaObject], found: Children, context: Context, scope: MediaScope
) -> None:
    """Add the renditions of `podcast:alternateEnclosure` to the first enclosed video."""
    alternates = list(podcast.alternate_renditions(found, context, scope.names))
    if alternates:
        element = found["podcast:alternateEnclosure"][0]
        if not enclosed:
            enclosed.append(MediaObject(element, []))
        videos = (object_ for object_ in enclosed if object_.of_kind(Kind.VIDEO))
        home = next(videos, enclosed[0])
        home.members += [rendition_element(rendition, element) for rendition in alternates]


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
    seen: dict[str, RenditionElement] = {}
    home_of: dict[str, MediaObject] = {}
    for object_ in objects:
        home = object_
        kept = []
        for member in object_.members:
            known = seen.get(member.url)
            if known is None:
                kept.append(member)
                if member.url:
                    seen[member.url], home_of[member.url] = member, object_
            else:
                _learn(known, member)
                home = home_of[member.url] if object_.group is None else object_
        object_.members.clear()
        home.members += kept
        home_of.update((member.url, home) for member in kept)


def _learn(known: RenditionElement, other: RenditionElement) -> None:
    """Add what only the second states to the first."""
    for name in _RENDITION_FIELDS:
        if getattr(known.rendition, name) in (None, False):
            value = getattr(other.rendition, name)
            if value is not None:
                setattr(known.rendition, name, value)
    for name, elements in other.children.items():
        known.children.setdefault(name, elements)


def _player_only(found: Children) -> list[MediaObject]:
    """Return the object of an entry that has no file, but states where its video plays."""
    for name in ("media:player", "media:embed", "yt:videoId"):
        if name in found:
            element = found[name][0]
            rendition = Rendition(url="", kind=Kind.VIDEO)
            return [MediaObject(element, [rendition_element(rendition, element)])]
    return []
