"""The entry model: what a feed, a list or a sitemap says, in the words of none of them.

Everything here is slotted; sequences are tuples; units stand in the names. Small values are named
tuples, all else dataclasses, not frozen, for readers fill them: whoever is given one makes another
by `dataclasses.replace`. What a source does not say stays None: nothing here is ever made up.
Values are parsed, but not yet adapted to a target: a title's length is the writer's business.
"""

from converter.model.entries import (
    MODULES,
    MOST_OTHER,
    OTHER_REST,
    Entry,
    Feed,
    News,
    Podcast,
)
from converter.model.media import (
    Audio,
    Credit,
    Embed,
    Gallery,
    Image,
    Kind,
    Price,
    Rating,
    Rendition,
    Restriction,
    Series,
    StarRating,
    Tag,
    Thumbnail,
    Video,
)
from converter.model.text import (
    Alternate,
    Category,
    ExtraElement,
    Link,
    Moment,
    Person,
    Precision,
    Text,
)

__all__ = [
    "MODULES",
    "MOST_OTHER",
    "OTHER_REST",
    "Alternate",
    "Audio",
    "Category",
    "Credit",
    "Embed",
    "Entry",
    "ExtraElement",
    "Feed",
    "Gallery",
    "Image",
    "Kind",
    "Link",
    "Moment",
    "News",
    "Person",
    "Podcast",
    "Precision",
    "Price",
    "Rating",
    "Rendition",
    "Restriction",
    "Series",
    "StarRating",
    "Tag",
    "Text",
    "Thumbnail",
    "Video",
]
