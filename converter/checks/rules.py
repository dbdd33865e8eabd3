"""All rules by their codes, and the selection of some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Final

from converter.checks import (
    dates,
    document,
    hreflang,
    images,
    index,
    lists,
    news,
    robots,
    sets,
    sitemap,
    structure,
    urls,
    video,
)
from converter.checks.rule import CheckRule
from converter.errors import OptionError

_FAMILIES: Final = (
    document, urls, sets, dates, sitemap, structure, index, images, video, news, hreflang, lists,
    robots,
)  # fmt: skip

#: In the order of docs/rules.
RULES: Final[Mapping[str, CheckRule]] = MappingProxyType(
    {rule.code: rule for rule in chain.from_iterable(family.RULES for family in _FAMILIES)}
)

PROFILES: Final = ("protocol", "google", "bing", "yandex")


def selected(
    select: Iterable[str], ignore: Iterable[str], profiles: Collection[str]
) -> Mapping[str, CheckRule]:
    """Return the rules that apply.

    Args:
        select: codes, families (the first word of a code) or `all`; empty for the default rules.
        ignore: codes or families; a longer match in `select` wins.
        profiles: the search engines whose rules apply; the protocol always does.

    Raises:
        OptionError: a code or family is unknown.
    """
    wanted, unwanted = _matches("--select", select), _matches("--ignore", ignore)
    return {
        code: rule
        for code, rule in RULES.items()
        if (not rule.profiles or not rule.profiles.isdisjoint(profiles))
        and wanted.get(code, int(rule.is_default and not wanted)) > unwanted.get(code, 0)
    }


def _matches(option: str, words: Iterable[str]) -> dict[str, int]:
    """Return the length of the longest word that matches each rule."""
    lengths: dict[str, int] = {}
    for word in words:
        codes = [code for code, rule in RULES.items() if word in {code, rule.family, "all"}]
        if not codes:
            raise OptionError(
                f"{option}: there is no rule and no family {word!r}; see feed2sitemap check --list"
            )
        for code in codes:
            length = 1 + (len(word) if word != "all" else 0)
            lengths[code] = max(lengths.get(code, 0), length)
    return lengths
