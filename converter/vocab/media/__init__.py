"""Media RSS, enclosures and YouTube's words: an entry's media objects (mapping 3.5 to 3.9).

https://www.rssboard.org/media-rss (1.5.1). `gather` finds the objects and their renditions,
`choose` picks the best one of each, `describe` resolves what is said of them at which level,
`assemble` makes the model's videos, images and audios of all that. Most feeds have no media:
these modules are imported by the first entry, or header, that has some.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from converter.model import Rating, Text
from converter.values import text as texts
from converter.vocab.context import Context
from converter.vocab.media.names import INHERITED, NAMES, OBJECTS, TELLTALES
from converter.vocab.media.setting import Media, Member, Setting
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = [
    "INHERITED",
    "NAMES",
    "NO_MEDIA",
    "OBJECTS",
    "TELLTALES",
    "Media",
    "Member",
    "Setting",
    "enclosure_of",
    "entry_text",
    "entry_title",
    "ratings",
    "read",
]

#: Of an entry without media.
NO_MEDIA = Media()


def read(
    found: Children, enclosures: Iterable[Member], context: Context, setting: Setting
) -> Media:
    """Give the media of an entry with these children."""
    enclosures = tuple(enclosures)
    if not enclosures and TELLTALES.isdisjoint(found):
        return NO_MEDIA
    from converter.vocab.media.assemble import assemble

    return assemble(found, enclosures, context, setting)


def entry_text(found: Children, name: str) -> Text | None:
    """Return `media:title` or `media:description` where no media is there to be described."""
    elements = found.get(name)
    if not elements or "media:content" in found or "media:group" in found:
        return None
    from converter.vocab.media.describe import text

    return text(elements)


def entry_title(found: Children) -> str | None:
    """Return `media:title` as plain text, under the condition of `entry_text`."""
    title = entry_text(found, "media:title")
    return (title and texts.plain(title.value, is_html=title.is_html)) or None


def enclosure_of(
    element: Element, url_attribute: str, context: Context, setting: Setting
) -> Member | None:
    """Read RSS `enclosure` or an Atom link `rel="enclosure"`."""
    from converter.vocab.media import gather

    return gather.enclosure_of(element, url_attribute, context, setting)


def ratings(elements: Sequence[Element], names: Names) -> tuple[Rating, ...]:
    """Read `media:rating` and `media:adult` of a header."""
    if not elements:
        return ()
    from converter.vocab.media import describe

    return tuple(describe.ratings(elements, names))
