"""Media RSS, enclosures and YouTube's words: an entry's media objects (mapping 3.5 to 3.9).

https://www.rssboard.org/media-rss (1.5.1). `group` finds the objects, `content` reads their
renditions, `best_rendition` chooses one, `metadata` reads the elements that describe them, and
`build` makes the model's videos, images and audios. Most feeds have no media: these modules are
imported by the first entry, or header, that has some.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from converter.model import Rating, Text
from converter.values import text as texts
from converter.vocab.media.names import INHERITED, NAMES, OBJECTS, TELLTALES
from converter.vocab.media.objects import Enclosure, Media, MediaScope
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = [
    "INHERITED",
    "NAMES",
    "NO_MEDIA",
    "OBJECTS",
    "TELLTALES",
    "Enclosure",
    "Media",
    "MediaScope",
    "entry_text",
    "entry_title",
    "ratings",
]

#: Of an entry without media.
NO_MEDIA: Final = Media()


def entry_text(found: Children, name: str) -> Text | None:
    """Return `media:title` or `media:description` of an entry that has no media to describe."""
    elements = found.get(name)
    if not elements or "media:content" in found or "media:group" in found:
        return None
    from converter.vocab.media.metadata import text

    return text(elements)


def entry_title(found: Children) -> str | None:
    """Return `media:title` as plain text, under the condition of `entry_text`."""
    title = entry_text(found, "media:title")
    return (title and texts.plain(title.value, is_html=title.is_html)) or None


def ratings(elements: Sequence[Element], names: Names) -> tuple[Rating, ...]:
    """Read `media:rating` and `media:adult` of a header."""
    if not elements:
        return ()
    from converter.vocab.media import metadata

    return metadata.ratings(elements, names)
