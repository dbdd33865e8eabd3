"""What becomes of each field of the model in each format (mapping 5): kept, altered or lost.

The counts of losses, `feed2sitemap formats` and docs/formats.md are made from this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import accumulate
from types import ModuleType
from typing import Final

from converter.extensions.field_support.rules import FieldSupport, LossRule, RuleSet
from converter.options import WriteOptions

#: The formats that are written; a sitemap with `--legacy-tags` is one more.
COLUMNS: Final = ("rss", "mrss", "atom", "jsonfeed", "txt", "sitemap", "sitemap+legacy")
_FEEDS: Final = COLUMNS[:4]

#: K: a format keeps the fields, but for what its rules say (see the other modules of this package).
#: L: they are lost, and not counted apart if the field that they are a part of is lost, too.
_TABLE: Final = """
K K K K K K K  loc
K K K K L L L  id lang links audio
K K K K L K K  title content summary published updated author category video image
K K K L L L L  copyright source extra
L L K L L K K  alternates
L L L L L K K  changefreq priority news mobile
K K L L L L L  comments
K K K L L L K  license
K K L L L L L  id/ is_permalink
K K K L L L L  author/ email
L L K K L K K  author/ uri
K K K L L L L  category/ scheme
L K K L L K K  video/ player_url published expires views countries requires_subscription live
L K K L L K K  video/ description thumbnails prices credits embed star_rating ratings
L K K L L L L  video/ player_size favorites copyright license status words
K K K K L K K  video/ renditions uploader
L L K K L K K  video/uploader/ uri
K K K L L K K  video/ keywords tags
L K K K L K K  video/ title duration_s
L K K L L L K  video/ categories embed_allowed
L L L L L K K  video/ platforms
L L L L L L K  video/ series gallery autoplay ids segments
K K K K L L L  video/renditions/ mime size_bytes
L K K L L L L  video/renditions/ is_default expression width height bitrate_kbps framerate
L K K L L L L  video/renditions/ samplingrate_khz channels lang
L L K L L L L  video/renditions/ title
L K K L L L L  video/thumbnails/ width height time_s
L K K L L L L  video/star_rating/ count
K K K L L K K  video/tags/ weight
L L L L L K K  video/prices/ resolution
L K K L L L L  video/prices/ info
L K K K L L K  image/ title
L K K L L L K  image/ caption geo license
K K K K L L L  image/ rendition
L K K L L L L  image/ words
L K K L L L L  audio/renditions/ is_default expression width height bitrate_kbps framerate
L K K L L L L  audio/renditions/ samplingrate_khz channels lang title
L K K K L L L  audio/ title duration_s
L K K L L L L  audio/ description thumbnails words
K K K K L K K  podcast/ author
K K K L L K K  podcast/ keywords
L L L L L K K  podcast/ summary subtitle duration_s
L K K L L K K  podcast/ explicit images
L L L L L L K  podcast/ season episode episode_type
L L L L L L L  podcast/ blocked
L L L L L L K  news/ access genres keywords stock_tickers
L L L L L L L  entry/ other
K K K K L L K  feed/ title
K K K K L L L  feed/ link description links
K K K L L L L  feed/ generator copyright category
L L K L L L L  feed/ self_url id updated
K K K K L K K  feed/ lang author image
K K K L L K K  feed/ words
K K L L L L L  feed/ published built
K K K L L L K  feed/ license
L K K L L K K  feed/ ratings
L L L L L L L  feed/ other
L L K L L L L  feed/author/ email
L L K K L K K  feed/author/ uri
K K K L L L L  feed/category/ scheme
L L K K L K K  feed/podcast/ author
L L L L L L L  feed/podcast/ summary subtitle keywords duration_s season episode episode_type
L L L L L L L  feed/podcast/ blocked medium
L K K L L K K  feed/podcast/ explicit
K K K K L K K  feed/podcast/ images
"""


def _parse_table(table: str) -> Iterator[tuple[str, frozenset[str]]]:
    for line in table.strip().splitlines():
        *letters, names = line.split(maxsplit=len(COLUMNS))
        kept_by = frozenset(
            name for name, kept in zip(COLUMNS, letters, strict=True) if kept == "K"
        )
        whole, slash, parts = names.rpartition("/ ")
        for part in parts.split():
            yield f"{whole}/{part}" if slash else part, kept_by


#: The formats that keep each field.
KEPT_BY: Final = dict(_parse_table(_TABLE))

#: Fields of a header that are written with entries, if at all: never those of a further header.
_ONLY_IN_ENTRIES: Final = frozenset(
    {"feed/ratings", "feed/words", "feed/podcast/explicit", "feed/podcast/images"}
)

#: Options that replace the fields of these names in a header.
_REPLACING: Final = ("author", "description", "link", "self_url", "title")


def field_support(name: str, options: WriteOptions) -> FieldSupport:
    """Return what a format drops or alters, but for fields that options exclude or replace."""
    column = "sitemap+legacy" if name == "sitemap" and options.legacy_tags else name
    has_header = column in _FEEDS
    replaced = {it for it in _REPLACING if has_header and getattr(options, it)}
    excluded = {"video": not options.videos, "image": not options.images}

    def concerns(rule: LossRule) -> bool:
        first, *rest = rule.name.split("/")
        return replaced.isdisjoint(rest) if first == "feed" else not excluded.get(first)

    rules = [rule for rule in loss_rules(column) if concerns(rule)]
    if options.news_name:  # news takes a title
        rules = [rule._replace(kept_with="") for rule in rules]
    return FieldSupport(
        options,
        RuleSet(rule for rule in rules if not rule.name.startswith("feed/")),
        RuleSet(rule for rule in rules if rule.name.startswith("feed/")),
        RuleSet(filter(concerns, _further_feed_rules(column))) if has_header else None,
        _module_of(column).OMISSIONS.get(column, {}),
    )


@cache
def loss_rules(column: str) -> tuple[LossRule, ...]:
    """Return the rules of a format, in the order of the table."""
    by_formats = _module_of(column).RULES.items()
    special = [rule for formats, rules in by_formats if column in formats.split() for rule in rules]
    found: list[LossRule] = []
    for name, kept_by in KEPT_BY.items():
        if name.endswith("/other"):
            continue  # elements that no reader reads are counted each by its own name
        own = [rule for rule in special if rule.name == name]
        owners = accumulate(name.split("/")[:-1], "{}/{}".format)
        is_lost_with_owner = any(column not in KEPT_BY.get(owner, COLUMNS) for owner in owners)
        if not (own or column in kept_by or is_lost_with_owner):
            own = [LossRule(name)]
        found += own
    return tuple(found)


def support_level(name: str, column: str) -> str:
    """Return what becomes of a field in a format: `kept`, `altered`, `partly` kept or `lost`."""
    rules = [rule for rule in loss_rules(column) if rule.name == name and rule.kept]
    if not rules:
        return "kept" if column in KEPT_BY[name] else "lost"
    return "altered" if all(rule.is_altered for rule in rules) else "partly"


def _further_feed_rules(column: str) -> Iterator[LossRule]:
    """Yield the rules about a header in whose place that of another document is written."""
    for name, kept_by in KEPT_BY.items():
        is_part = "/" in name.removeprefix("feed/").removeprefix("podcast/")
        if name in _ONLY_IN_ENTRIES:
            yield from (rule for rule in loss_rules(column) if rule.name == name)
        elif name.startswith("feed/") and not is_part and not name.endswith("/other"):
            yield LossRule(name, "the value of the first feed" if column in kept_by else "")


def _module_of(column: str) -> ModuleType:
    """Import the rules of a format, which need what its writer needs."""
    return import_module(f"{__name__}.{'feed' if column in _FEEDS else 'sitemap'}_losses")
