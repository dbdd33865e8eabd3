from __future__ import annotations

import pytest

from converter.differences.fields import comparable
from converter.differences.options import FIELDS
from converter.formats.registry import FORMATS


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        ({"sitemap"}, {"sitemap"}, set(FIELDS)),
        ({"txt"}, {"txt"}, set()),
        ({"txt"}, {"sitemap"}, set()),
        ({"sitemap"}, {"sitemap", "txt"}, set()),
        ({"rss"}, {"sitemap"}, {"lastmod", "images", "videos"}),
        ({"rss"}, {"rss"}, {"lastmod", "title", "images", "videos"}),
        ({"rss"}, {"atom"}, {"lastmod", "title", "images", "videos"}),
        ({"atom"}, {"sitemap"}, {"lastmod", "images", "videos", "alternates"}),
        ({"jsonfeed"}, {"jsonfeed"}, {"lastmod", "title", "images", "videos"}),
        ({"jsonfeed"}, {"sitemap"}, {"lastmod"}),  # it holds files of known types only
        ({"csv"}, {"sitemap"}, {"lastmod", "images", "videos", "hints"}),
        (set(), {"sitemap"}, set(FIELDS)),
    ],
)
def test_fields_that_both_sides_hold(old: set[str], new: set[str], fields: set[str]) -> None:
    assert set(comparable(FIELDS, old, new)) == fields
    assert set(comparable(FIELDS, new, old)) == fields


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_each_format_is_known(name: str) -> None:
    found = comparable(FIELDS, {name}, {name})
    assert found == () if name == "txt" else "lastmod" in found
