"""The entry model: the content of a feed, a list or a sitemap, independent of the format.

Sequences are tuples; names carry units. Small values are named tuples, all others dataclasses that
readers fill; other code copies them with `dataclasses.replace`. A value that the source lacks is
None. Values are parsed, but not adapted to a target: the writer shortens a title.
"""

from converter.model.entries import (
    MODULES,
    MOST_OTHER,
    OTHER_REST,
    Alternate,
    Category,
    Entry,
    ExtraElement,
    Feed,
    Link,
    Moment,
    News,
    Person,
    Podcast,
    Precision,
    Text,
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
