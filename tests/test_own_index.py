"""The parts of a replaced index are removed only if this program wrote it."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import converter
from converter import Code, Entry, Result
from tests.builders import tree

MARK = "<!-- feed2sitemap -->\n"
PAGES = [Entry(loc=f"https://ex.com/{number}") for number in range(6)]

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def write(pages: list[Entry], **options: object) -> Result:
    url = "https://ex.com/s.xml"
    name = "s.xml.gz" if options.pop("gz", False) else "s.xml"
    return converter.write(pages, name, sitemap_url=url, limit_urls=2, **options)  # type: ignore[arg-type]


def unmarked(content: str) -> str:
    assert content.count(MARK) == 1
    return content.replace(MARK, "")


@pytest.mark.parametrize("gz", [False, True])
def test_parts_that_our_index_lists_are_removed(gz: bool) -> None:
    write(PAGES, gz=gz)
    result = write(PAGES[:4], gz=gz)
    end = ".xml.gz" if gz else ".xml"
    assert result.removed == (f"s-3{end}",)
    assert tree().keys() == {f"s{end}", f"s-1{end}", f"s-2{end}"}


@pytest.mark.parametrize(
    "other",
    [
        unmarked,
        lambda text: text.replace(MARK, "<!-- feed2sitemap-like -->\n"),
        lambda text: unmarked(text).replace("</sitemapindex>", f"{MARK}</sitemapindex>"),
        lambda text: unmarked(text) + MARK,
        lambda text: "<!-- by hand -->" + unmarked(text).partition("?>\n")[2],
    ],
)
@pytest.mark.parametrize("gz", [False, True])
@pytest.mark.parametrize("count", [1, 4])
def test_files_that_the_index_of_another_program_lists_stay(
    other: object, gz: bool, count: int
) -> None:
    write(PAGES)
    index = other(Path("s.xml").read_text())  # type: ignore[operator]
    Path("s.xml").write_bytes(gzip.compress(index.encode()) if gz else index.encode())
    before = tree()
    result = write(PAGES[:count])
    assert result.removed == ()
    assert tree().keys() == before.keys()
    assert Path("s-3.xml").read_bytes() == before["s-3.xml"]
    (issue,) = [i for i in result.issues if i.code is Code.FILE_LEFT_OVER]
    assert "s-3.xml" in issue.message
    assert "s-1.xml" not in issue.message or count == 1
    assert "or an earlier version" in issue.message


def test_an_older_set_of_ours_is_updated_and_marked() -> None:
    write(PAGES)
    Path("s.xml").write_text(unmarked(Path("s.xml").read_text()))
    result = write([Entry(loc="https://ex.com/new")], update=True)
    assert (result.added, result.urls) == (1, 7)
    assert Path("s.xml").read_text().count(MARK) == 1
    assert len(re.findall("<loc>", Path("s.xml").read_text())) == 4
    assert write(PAGES[:2]).removed == tuple(f"s-{n}.xml" for n in range(1, 5))


def test_an_update_reports_the_empty_parts_of_a_set_without_our_mark() -> None:
    write(PAGES)
    Path("s.xml").write_text(unmarked(Path("s.xml").read_text()))
    result = write(PAGES[:1], update=True, drop=["/[23]$"])
    assert (result.urls, result.removed) == (4, ())
    (left_over,) = [it for it in result.issues if it.code is Code.FILE_LEFT_OVER]
    assert "s-2.xml" in left_over.message
    assert "s-2.xml" not in Path("s.xml").read_text("utf-8")


def test_the_news_of_another_program_is_replaced_and_its_parts_stay() -> None:
    write(PAGES)
    for name in ("s.xml", "s-1.xml"):
        Path(name.replace("s", "n", 1)).write_text(
            unmarked(Path(name).read_text()).replace("/s-", "/n-")
            if name == "s.xml"
            else Path(name).read_text()
        )
    options = {"news": "N", "news_output": "n.xml", "news_empty": "remove", "news_language": "en"}
    write(PAGES, **options)
    assert "n-1.xml" in tree()
