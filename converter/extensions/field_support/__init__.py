"""What becomes of each field of the model in each format (mapping 5): kept, altered or lost.

The counts of losses, `feed2sitemap formats` and docs/formats.md are made from this table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from converter.extensions.field_support.rules import FieldSupport, LossRule
from converter.options import WriteOptions

__all__ = ["TABLE", "field_support", "loss_rules"]

#: The formats that are written; a sitemap with `--legacy-tags` is one more.
_COLUMNS: Final = ("rss", "mrss", "atom", "jsonfeed", "txt", "sitemap", "sitemap+legacy")

#: `-`: lost with the field that it is a part of, and not counted by itself. Where a field is partly
#: kept or altered, and at times where it is lost, the modules of this package say when.
_TABLE: Final = """
kept    kept    kept    kept    kept kept    kept    loc
kept    kept    altered kept    lost lost    lost    id
kept    kept    kept    kept    lost partly  partly  title content
kept    kept    kept    altered lost partly  partly  summary
altered altered altered altered lost altered altered published
partly  partly  altered altered lost kept    kept    updated
partly  partly  kept    kept    lost partly  partly  author
altered altered kept    altered lost partly  partly  category
kept    kept    kept    kept    lost lost    lost    lang
kept    kept    kept    lost    lost lost    lost    copyright source
kept    kept    kept    partly  lost lost    lost    links
lost    lost    kept    lost    lost kept    kept    alternates
lost    lost    lost    lost    lost kept    kept    changefreq priority news mobile
partly  kept    kept    partly  lost kept    kept    video
partly  kept    kept    partly  lost kept    kept    image
partly  kept    kept    partly  lost lost    lost    audio
kept    kept    lost    lost    lost lost    lost    comments
partly  partly  kept    lost    lost lost    partly  license
partly  partly  partly  lost    lost lost    lost    extra
altered altered lost    lost    -    -       -       id/ is_permalink
kept    kept    kept    lost    -    lost    lost    author/ email
lost    lost    kept    kept    -    partly  partly  author/ uri
kept    kept    kept    lost    -    lost    lost    category/ scheme
lost    kept    kept    lost    -    kept    kept    video/ player_url published expires
lost    kept    kept    lost    -    kept    kept    video/ views countries
lost    kept    kept    lost    -    kept    kept    video/ requires_subscription live
lost    kept    kept    lost    -    lost    lost    video/ player_size favorites copyright
lost    kept    kept    lost    -    lost    lost    video/ license status
lost    kept    kept    lost    -    lost    lost    video/ words
partly  kept    kept    kept    -    partly  partly  video/ renditions
partly  kept    kept    lost    -    partly  partly  video/ keywords tags
lost    altered altered altered -    altered altered video/ title
lost    altered altered lost    -    altered altered video/ description
lost    kept    kept    lost    -    partly  partly  video/ thumbnails prices credits embed
lost    kept    kept    kept    -    altered altered video/ duration_s
lost    kept    kept    lost    -    altered altered video/ star_rating ratings
lost    kept    kept    lost    -    lost    partly  video/ categories
lost    lost    lost    lost    -    kept    kept    video/ platforms
lost    kept    kept    lost    -    lost    kept    video/ embed_allowed
partly  partly  partly  partly  -    kept    kept    video/ uploader
lost    lost    lost    lost    -    lost    kept    video/ series gallery autoplay ids segments
kept    kept    kept    kept    -    lost    lost    video/renditions/ mime size_bytes
lost    kept    kept    lost    -    lost    lost    video/renditions/ is_default expression
lost    kept    kept    lost    -    lost    lost    video/renditions/ width height
lost    kept    kept    lost    -    lost    lost    video/renditions/ bitrate_kbps framerate
lost    kept    kept    lost    -    lost    lost    video/renditions/ samplingrate_khz
lost    kept    kept    lost    -    lost    lost    video/renditions/ channels lang
lost    lost    partly  lost    -    lost    lost    video/renditions/ title
-       kept    kept    -       -    lost    lost    video/thumbnails/ width height time_s
-       kept    kept    -       -    lost    lost    video/star_rating/ count
partly  kept    kept    -       -    partly  partly  video/tags/ weight
lost    lost    lost    -       -    kept    kept    video/prices/ resolution
-       kept    kept    -       -    lost    lost    video/prices/ info
lost    altered altered partly  -    lost    kept    image/ title
lost    altered altered lost    -    lost    kept    image/ caption
lost    kept    kept    lost    -    lost    kept    image/ geo license
kept    kept    kept    kept    -    lost    lost    image/ rendition
lost    kept    kept    lost    -    lost    lost    image/ words
lost    kept    kept    lost    -    -       -       audio/renditions/ is_default expression
lost    kept    kept    lost    -    -       -       audio/renditions/ width height
lost    kept    kept    lost    -    -       -       audio/renditions/ bitrate_kbps framerate
lost    kept    kept    lost    -    -       -       audio/renditions/ samplingrate_khz channels
lost    kept    kept    lost    -    -       -       audio/renditions/ lang title
lost    altered altered altered -    -       -       audio/ title
lost    altered altered lost    -    -       -       audio/ description
lost    kept    kept    lost    -    -       -       audio/ thumbnails words
lost    kept    kept    kept    -    -       -       audio/ duration_s
partly  partly  partly  partly  lost partly  partly  podcast/ author
partly  partly  partly  lost    lost partly  partly  podcast/ keywords
lost    lost    lost    lost    lost partly  partly  podcast/ summary subtitle duration_s
lost    partly  partly  lost    lost partly  partly  podcast/ explicit images
lost    lost    lost    lost    lost lost    partly  podcast/ season episode episode_type
lost    lost    lost    lost    lost lost    lost    podcast/ blocked
-       -       -       -       -    lost    kept    news/ access genres keywords stock_tickers
lost    lost    lost    lost    lost lost    lost    entry/ other
kept    kept    kept    kept    lost lost    partly  feed/ title
kept    kept    kept    kept    lost lost    lost    feed/ link description
kept    kept    kept    lost    lost lost    lost    feed/ generator copyright
kept    kept    kept    partly  lost lost    lost    feed/ links
lost    lost    partly  lost    lost lost    lost    feed/ self_url
lost    lost    altered lost    lost lost    lost    feed/ id updated
partly  partly  partly  partly  lost partly  partly  feed/ lang
partly  partly  partly  lost    lost partly  partly  feed/ words
altered altered lost    lost    lost lost    lost    feed/ published built
partly  partly  kept    kept    lost partly  partly  feed/ author
altered altered kept    lost    lost lost    lost    feed/ category
kept    kept    kept    kept    lost partly  partly  feed/ image
kept    kept    partly  lost    lost lost    partly  feed/ license
lost    partly  partly  lost    lost partly  partly  feed/ ratings
lost    lost    lost    lost    lost lost    lost    feed/ other
lost    lost    kept    lost    -    lost    lost    feed/author/ email
lost    lost    kept    kept    -    partly  partly  feed/author/ uri
kept    kept    partly  -       -    -       -       feed/category/ scheme
lost    lost    partly  partly  lost partly  partly  feed/podcast/ author
lost    lost    lost    lost    lost lost    lost    feed/podcast/ summary subtitle
lost    lost    lost    lost    lost lost    lost    feed/podcast/ keywords duration_s
lost    lost    lost    lost    lost lost    lost    feed/podcast/ season episode
lost    lost    lost    lost    lost lost    lost    feed/podcast/ episode_type blocked
lost    lost    lost    lost    lost lost    lost    feed/podcast/ medium
lost    partly  partly  lost    lost partly  partly  feed/podcast/ explicit
partly  partly  partly  partly  lost partly  partly  feed/podcast/ images
"""


def _parse_table(table: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    for line in table.strip().splitlines():
        *levels, names = line.split(maxsplit=len(_COLUMNS))
        whole, slash, parts = names.rpartition("/ ")
        for part in parts.split():
            name = f"{whole}/{part}" if slash else part
            yield name, dict(zip(_COLUMNS, levels, strict=True))


#: What becomes of each field in each format.
TABLE: Final = dict(_parse_table(_TABLE))

#: Fields of a header that are written with entries, if at all: never those of a further header.
_ONLY_IN_ENTRIES: Final = frozenset(
    {"feed/ratings", "feed/words", "feed/podcast/explicit", "feed/podcast/images"}
)

#: Fields of a header that an option replaces.
_OPTION_OF: Final = {
    "feed/title": "title",
    "feed/link": "link",
    "feed/description": "description",
    "feed/self_url": "self_url",
    "feed/author": "author",
    "feed/author/email": "author",
    "feed/author/uri": "author",
    "feed/podcast/author": "author",
}


def field_support(name: str, options: WriteOptions) -> FieldSupport:
    """Return what a format drops or alters, but for fields that options exclude or replace."""
    column = "sitemap+legacy" if name == "sitemap" and options.legacy_tags else name
    excluded = {"video": not options.videos, "image": not options.images}
    rules = [
        rule._replace(kept_with="") if options.news_name else rule  # news takes a title
        for rule in loss_rules(column)
        if not excluded.get(rule.name.partition("/")[0])
    ]
    feed_rules = [rule for rule in rules if rule.name.startswith("feed/")]
    entry_rules = [rule for rule in rules if not rule.name.startswith("feed/")]
    other_feed_rules = None
    if _has_header(column):
        replaced = {name for name, option in _OPTION_OF.items() if getattr(options, option)}
        other_feed_rules = [r for r in _further_feed_rules(column) if r.name not in replaced]
        feed_rules = [rule for rule in feed_rules if rule.name not in replaced]
    count_omissions = _module_of(column).OMISSIONS.get(column)
    return FieldSupport(options, entry_rules, feed_rules, other_feed_rules, count_omissions)


@cache
def loss_rules(column: str) -> tuple[LossRule, ...]:
    """Return the rules of a format, in the order of the table."""
    by_formats = _module_of(column).RULES.items()
    special = [rule for formats, rules in by_formats if column in formats.split() for rule in rules]
    found = []
    for name, levels in TABLE.items():
        if (level := levels[column]) in {"kept", "-"} or name.endswith("/other"):
            continue  # elements that no reader reads are counted each by its own name
        own = [rule for rule in special if rule.name == name] or [LossRule(name)]
        found += [rule._replace(is_altered=rule.is_altered or level == "altered") for rule in own]
    return tuple(found)


def _further_feed_rules(column: str) -> Iterator[LossRule]:
    """Yield the rules about a header in whose place that of another document is written."""
    for name, levels in TABLE.items():
        is_part = "/" in name.removeprefix("feed/").removeprefix("podcast/")
        if name.startswith("feed/") and not is_part and not name.endswith("/other"):
            is_always_lost = levels[column] == "lost" or name in _ONLY_IN_ENTRIES
            own = [rule for rule in loss_rules(column) if rule.name == name and is_always_lost]
            yield from own or [LossRule(name, "the value of the first feed")]


def _has_header(column: str) -> bool:
    return TABLE["feed/title"][column] == "kept"


def _module_of(column: str) -> ModuleType:
    """Import the rules of a format, which need what its writer needs."""
    return import_module(f"{__name__}.{'feed' if _has_header(column) else 'sitemap'}_losses")
