"""The `news:news` element of a page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from converter.errors import OptionError
from converter.extensions.news import NewsRenderer
from converter.extensions.page_context import PageContext
from converter.formats.sitemap.write import SitemapWriter
from converter.issues import Code, Issue
from converter.model import Entry, Feed, Moment, News, Precision
from converter.options import WriteOptions
from tests.builders import NOW, at, codes, day

LOC = "https://ex.com/37a"


def written(entry: Entry, **options: Any) -> tuple[str, list[Code]]:
    settings = WriteOptions(now=NOW, **options)
    issues: list[Issue] = []
    xml = NewsRenderer(settings).block(
        PageContext(issues.append, entry.line, LOC, entry=entry, loc=LOC, options=settings)
    )
    return xml, codes(issues)


def block(name: str, language: str, date: str, title: str) -> str:
    return (
        f"<news:news><news:publication><news:name>{name}</news:name>"
        f"<news:language>{language}</news:language></news:publication>"
        f"<news:publication_date>{date}</news:publication_date>"
        f"<news:title>{title}</news:title></news:news>"
    )


ARTICLE = Entry(title="A & B", published=at(2026, 1, 14, 8), feed=Feed(lang="zh-Hans-CN"))
WRITTEN = block("The Example Times", "zh-cn", "2026-01-14T08:00:00+00:00", "A &amp; B")
TIMES = {"news_name": "The Example Times"}


# -- blocks that are added ----------------------------------------------------------------------


def test_news_is_written_on_request_only() -> None:
    assert written(ARTICLE) == ("", [])
    assert written(ARTICLE, **TIMES) == (WRITTEN, [])


@pytest.mark.parametrize(
    ("published", "is_news"),
    [
        (at(2026, 1, 13, 12), True),
        (at(2026, 1, 13, 11, 59, 59), False),
        (day(2026, 1, 13), True),
        (day(2026, 1, 12), False),  # its day ended at 00:00 on the 13th, 60 hours ago
        (at(2026, 1, 15, 12, 10), True),
        (at(2026, 1, 15, 12, 11), False),
        (at(2026, 1, 1, precision=Precision.MONTH), False),
        (None, False),
    ],
)
def test_news_are_two_days_old_at_most(published: Moment | None, is_news: bool) -> None:
    xml, _ = written(replace(ARTICLE, published=published), **TIMES)
    assert bool(xml) is is_news


def test_an_article_without_a_title_is_not_written_as_news() -> None:
    assert written(replace(ARTICLE, title=" "), **TIMES) == ("", [Code.NEWS_SKIPPED])


@pytest.mark.parametrize(
    ("entrys", "feeds", "option", "language"),
    [
        ("pt-BR", "en", None, "pt"),
        (None, "en", None, "en"),
        ("nonsense", "en", None, "en"),
        ("pt-BR", "en", "de", "de"),
    ],
)
def test_the_language_is_the_option_else_the_nearest(
    entrys: str | None, feeds: str, option: str | None, language: str
) -> None:
    entry = replace(ARTICLE, lang=entrys, feed=Feed(lang=feeds))
    xml, _ = written(entry, news_language=option, **TIMES)
    assert f"<news:language>{language}</news:language>" in xml


def test_news_in_no_language_need_an_option() -> None:
    with pytest.raises(OptionError, match=f"{LOC}.*--news-language"):
        written(replace(ARTICLE, feed=None), **TIMES)
    # what is no news needs none
    old = replace(ARTICLE, feed=None, published=at(2020, 1, 1))
    assert written(old, **TIMES) == ("", [])


def test_options_that_cannot_be() -> None:
    with pytest.raises(OptionError, match='"English" is not a language'):
        NewsRenderer(WriteOptions(now=NOW, news_name="N", news_language="English"))
    with pytest.raises(OptionError, match="is empty without its parentheses"):
        NewsRenderer(WriteOptions(now=NOW, news_name="(UK)"))


def test_parentheses_are_removed_from_the_name_and_reported_once() -> None:
    settings = WriteOptions(now=NOW, news_name="The Times (UK) (new", news_language="en")
    desk = NewsRenderer(settings)
    issues: list[Issue] = []
    for _ in range(2):
        xml = desk.block(
            PageContext(issues.append, ARTICLE.line, LOC, entry=ARTICLE, loc=LOC, options=settings)
        )
        assert "<news:name>The Times new</news:name>" in xml
    assert codes(issues) == [Code.NEWS_NAME_CLEANED]


# -- blocks that a sitemap had ------------------------------------------------------------------

GIVEN = News(
    name="N",
    language="EN",
    published=day(2026, 1, 14),
    title="T",
    access="Subscription",
    genres="Blog, OpEd",
    keywords="k",
    stock_tickers="NASDAQ:A, NASDAQ:B",
    line=9,
)


def test_a_given_block_passes_through() -> None:
    entry = Entry(news=GIVEN)
    assert written(entry) == (block("N", "en", "2026-01-14", "T"), [])
    assert written(entry, **TIMES)[0] == block("N", "en", "2026-01-14", "T")


def test_legacy_children_are_in_schema_order() -> None:
    assert written(Entry(news=GIVEN), legacy_tags=True)[0] == (
        "<news:news><news:publication><news:name>N</news:name>"
        "<news:language>en</news:language></news:publication>"
        "<news:access>Subscription</news:access><news:genres>Blog, OpEd</news:genres>"
        "<news:publication_date>2026-01-14</news:publication_date><news:title>T</news:title>"
        "<news:keywords>k</news:keywords>"
        "<news:stock_tickers>NASDAQ:A, NASDAQ:B</news:stock_tickers></news:news>"
    )
    unusable = replace(GIVEN, access="free", genres="Gossip", keywords=" ", stock_tickers="A")
    assert written(Entry(news=unusable), legacy_tags=True)[0] == block("N", "en", "2026-01-14", "T")


@pytest.mark.parametrize(
    "given",
    [
        replace(GIVEN, name=None),
        replace(GIVEN, name="(UK)"),
        replace(GIVEN, language=None),
        replace(GIVEN, language="nonsense"),
        replace(GIVEN, title=" "),
        replace(GIVEN, published=None),
        replace(GIVEN, published=at(2027, 1, 1)),
        replace(GIVEN, published=day(2026, 1, 10)),
    ],
)
def test_an_incomplete_news_block_is_left_out(given: News) -> None:
    issues: list[Issue] = []
    settings = WriteOptions(now=NOW, **TIMES)
    entry = replace(ARTICLE, news=given)
    page = PageContext(issues.append, entry.line, LOC, entry=entry, loc=LOC, options=settings)
    assert NewsRenderer(settings).block(page) == ""
    assert [(issue.code, issue.line) for issue in issues] == [(Code.NEWS_SKIPPED, 9)]


def test_the_name_of_a_given_block_loses_its_parentheses() -> None:
    xml, told = written(Entry(news=replace(GIVEN, name="N (UK)")))
    assert xml == block("N", "en", "2026-01-14", "T")
    assert told == [Code.NEWS_NAME_CLEANED]


def test_news_options_without_any_news_are_reported_once() -> None:
    issues: list[Issue] = []
    writer = SitemapWriter(WriteOptions(now=NOW, news_name="The Times", news_language="en"))
    writer.entry(Entry(loc="https://ex.com/a", title="A"), issues.append)
    writer.finish(issues.append)
    assert [(i.code, i.line) for i in issues] == [(Code.NEWS_SKIPPED, None)]
    assert "no entry was published in the last two days" in issues[0].message
