"""Comparisons against dictionaries that hold everything in memory."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import converter
from tests.differences.sitemaps import Page, differences, distinct_sides, sitemap

SAMPLES = Path(__file__).parents[2] / "samples"

Values = dict[str, Any]


def _values(url: etree._Element) -> Values:
    """The values of a <url> by paths, as `image[URL]/title`; a set has its members as keys."""
    found: Values = {}
    for child in url:
        name = etree.QName(child).localname
        if name in {"image", "video"}:
            texts = {etree.QName(it).localname: it.text for it in child}
            key = texts.pop("loc", None) or texts.pop("content_loc", None) or texts["player_loc"]
            if f"{name}s[{key}]" not in found:
                found |= {f"{name}s[{key}]/{part}": text for part, text in texts.items()}
                found[f"{name}s[{key}]"] = "known"
        elif name == "news":
            texts = {etree.QName(it).localname: it.text for it in child.iter() if len(it) == 0}
            found |= {f"news/{part}": text for part, text in texts.items()}
        elif name == "link":
            found[f"alternates[{child.get('hreflang')} {child.get('href')}]"] = "known"
        elif name != "loc":
            found[name] = child.text
    return found


def _pages(xml: bytes) -> dict[str, Values]:
    return {url[0].text or "": _values(url) for url in etree.fromstring(xml)}


def _differs(name: str, old: str | None, new: str | None) -> bool:
    if name != "lastmod" or old is None or new is None or old == new:
        return old != new
    times = [datetime.fromisoformat(it if len(it) > 7 else f"{it}-01") for it in (old, new)]
    first, second = (it if it.tzinfo else it.replace(tzinfo=UTC) for it in times)
    if len(old) == len(new) or ("T" in old and "T" in new):
        return first != second
    size = min(len(old), len(new))
    return first.astimezone(UTC).isoformat()[:size] != second.astimezone(UTC).isoformat()[:size]


def _expected(old: dict[str, Values], new: dict[str, Values]) -> dict[str, tuple[str, set[str]]]:
    found = {}
    for url in old.keys() | new.keys():
        if url not in old or url not in new:
            found[url] = ("added" if url in new else "removed", set[str]())
            continue
        one, other = old[url], new[url]
        names = {
            name
            for name in one.keys() | other.keys()
            if _differs(name, one.get(name), other.get(name))
        }
        groups = {name.partition("[")[0].partition("/")[0] for name in names}
        groups = {"hints" if name in {"changefreq", "priority"} else name for name in groups}
        if groups:
            found[url] = ("changed", groups)
    return found


def _found(changes: Iterable[converter.Change]) -> dict[str, tuple[str, set[str]]]:
    return {it.url: (it.kind, {field.field for field in it.fields}) for it in changes}


@pytest.mark.property
@given(old=distinct_sides, new=distinct_sides)
def test_generated_sitemaps(old: list[Page], new: list[Page]) -> None:
    expected = _expected(_pages(sitemap(old).getvalue()), _pages(sitemap(new).getvalue()))
    assert _found(differences(old, new)) == expected


def _converted(sample: Path) -> bytes:
    output = BytesIO()
    converter.convert(sample, output, to="sitemap", legacy_tags=True)
    return output.getvalue()


def test_samples() -> None:
    sitemaps = [_converted(sample) for sample in sorted(SAMPLES.iterdir())]
    changed = 0
    edited = [
        xml.replace(b"2026-01-14", b"2026-01-15").replace(b"<video:title>", b"<video:title>x")
        for xml in sitemaps
    ]
    for old, new in product(sitemaps, [*sitemaps, *edited]):
        found = _found(converter.diff(BytesIO(old), BytesIO(new), compare=["all"]))
        assert found == _expected(_pages(old), _pages(new))
        changed += sum(kind == "changed" for kind, _ in found.values())
    assert changed > 3


@pytest.mark.property
@given(
    lists=st.tuples(*[st.lists(st.integers(0, 40), min_size=1) for _ in range(2)]),
    ending=st.sampled_from(["", "/", "?a=1", "/%7Ex"]),
)
def test_lists_against_sort_and_comm(
    lists: tuple[list[int], list[int]], ending: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("lists")
    for name, numbers in zip(("old", "new"), lists, strict=True):
        lines = "".join(f"https://example.com/{number}{ending}\n" for number in numbers)
        (folder / f"{name}.txt").write_text(lines)
    changes = converter.diff(folder / "old.txt", folder / "new.txt", raw=True)
    shown = "".join(f"{chr(9) * (it.kind == 'added')}{it.url}\n" for it in changes)
    script = "sort -u old.txt > o; sort -u new.txt > n; comm -3 o n"
    expected = subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown == expected
