"""The entry model: the content of a feed, a list or a sitemap, independent of the format.

Sequences are tuples; names carry units. Small values are named tuples, all others dataclasses that
readers fill; other code copies them with `dataclasses.replace`. A value that the source lacks is
None. Values are parsed, but not adapted to a target: the writer shortens a title.
"""

# ruff: noqa: I001  # ruff would write one import for each name

from converter.model.entries import (
    MODULES as MODULES,
    MOST_OTHER as MOST_OTHER,
    OTHER_REST as OTHER_REST,
    Alternate as Alternate,
    Category as Category,
    Entry as Entry,
    ExtraElement as ExtraElement,
    Feed as Feed,
    Link as Link,
    Moment as Moment,
    News as News,
    Person as Person,
    Podcast as Podcast,
    Precision as Precision,
    Text as Text,
)
from converter.model.media import (
    Audio as Audio,
    Credit as Credit,
    Embed as Embed,
    Gallery as Gallery,
    Image as Image,
    Kind as Kind,
    Price as Price,
    Rating as Rating,
    Rendition as Rendition,
    Restriction as Restriction,
    Series as Series,
    StarRating as StarRating,
    Tag as Tag,
    Thumbnail as Thumbnail,
    Video as Video,
)
