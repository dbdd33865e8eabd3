"""The `news:news` element of a page, written and read: sitemap-news 0.9.

https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from converter.errors import OptionError
from converter.extensions.block_reader import BlockSchema, FieldRule, first, inside, string
from converter.extensions.page_context import PageContext, readable, w3c_date
from converter.extensions.read_context import ReadContext
from converter.issues import Code
from converter.model import ExtraElement, Moment, News, Precision
from converter.options import WriteOptions
from converter.values import dates
from converter.values.languages import news_language
from converter.values.lazy_regex import lazy_regex
from converter.xml.escape import text_element
from converter.xml.extract import Element
from converter.xml.namespaces import CanonicalNames
from converter.xml.parse_errors import line_of

#: "Include URLs only for articles created in the last two days"; from the page above.
_WINDOW: Final = timedelta(hours=48)
_DAY: Final = timedelta(days=1)

#: The name is written as on Google News, "without any parentheticals".
_PARENTHETICAL: Final = lazy_regex(r" ?\([^()]*\)")

#: The values that the schema allows of its legacy elements.
_ACCESS: Final = lazy_regex("Subscription|Registration")
_GENRE: Final = "PressRelease|Satire|Blog|OpEd|Opinion|UserGenerated"
_GENRES: Final = lazy_regex(f"({_GENRE})(, *({_GENRE}))*")
_STOCK_TICKERS: Final = lazy_regex(r"\w+:\w+(, *\w+:\w+){0,4}")


class NewsRenderer:
    """Decides which pages are news, and writes them down as such."""

    def __init__(self, options: WriteOptions) -> None:
        """Take the publication from the options.

        Raises:
            OptionError: the name is empty, or the language is none that Google knows.
        """
        self._name = None if options.news_name is None else _without_parentheses(options.news_name)
        if self._name == "":
            raise OptionError(
                f'"{options.news_name}" leaves no name for the publication;'
                " give the one that Google News shows"
            )
        self._name_is_cleaned = _has_parentheses(options.news_name)
        self._is_apart = options.news_apart
        self._has_written = False
        self._language: str | None = None
        if options.news_language is not None:
            self._language = news_language(options.news_language)
            if self._language is None:
                raise OptionError(
                    f'"{options.news_language}" is not a language for news;'
                    " give an ISO 639 code of two or three letters, zh-cn or zh-tw"
                )

    def block(self, page: PageContext) -> str:
        """Write the page's own block if it still is news, else one by `--news`, else nothing.

        Raises:
            OptionError: the page is news, but in no known language.
        """
        given = page.entry.news
        if self._is_apart:
            return ""
        if given is not None:
            news = _kept(given, page)
        elif self._name is not None:
            news = self._added(page, self._name)
        else:
            return ""
        if news is None:
            return ""
        self._has_written = True
        return _element(news, legacy=page.options.legacy_tags)

    @property
    def found_nothing(self) -> bool:
        """News was asked for, and no page was any."""
        return self._name is not None and not self._has_written and not self._is_apart

    def _added(self, page: PageContext, name: str) -> News | None:
        published = page.published()
        if published is None or not is_recent(published, page.options.now):
            return None
        title = readable(page.entry.title)
        if title is None:
            page.warn(Code.NEWS_SKIPPED, "no title; no news block", "news:news")
            return None
        if self._name_is_cleaned:
            self._name_is_cleaned = False  # told once a run
            message = f'the name of the publication is written without parentheses: "{name}"'
            page.warn(Code.NEWS_NAME_CLEANED, message, "news:name")
        return News(name=name, language=self._language_of(page), published=published, title=title)

    def _language_of(self, page: PageContext) -> str:
        if self._language is not None:
            return self._language
        for code in (page.entry.lang, page.feed.lang):
            if code is not None and (language := news_language(code)) is not None:
                return language
        raise OptionError(
            f"{page.loc} is news, but neither it nor its feed names a language that a news"
            " sitemap can; give one with --news-language"
        )


def _without_parentheses(name: str) -> str:
    plain = _PARENTHETICAL.sub("", readable(name) or "")
    return plain.replace("(", "").replace(")", "").strip()


def _has_parentheses(name: str | None) -> bool:
    return name is not None and ("(" in name or ")" in name)


def is_recent(published: Moment, now: datetime) -> bool:
    """Whether an article belongs in a news sitemap; a plain date counts from its day's end."""
    grace = _DAY if published.precision is Precision.DAY else timedelta(0)
    return published.instant >= now - _WINDOW - grace


def _kept(given: News, page: PageContext) -> News | None:
    """Give what of a sitemap's own block may stand in a sitemap again."""
    published = dates.choose_lastmod(
        given.published, None, policy="published", now=page.options.now
    ).moment
    news = News(
        name=_without_parentheses(given.name or "") or None,
        language=news_language(given.language or ""),
        published=published,
        title=readable(given.title),
        access=given.access,
        genres=given.genres,
        keywords=given.keywords,
        stock_tickers=given.stock_tickers,
    )
    if (fault := _fault(news, page.options.now)) is not None:
        page.warn(Code.NEWS_SKIPPED, f"{fault}; no news block", "news:news", given.line)
        return None
    if _has_parentheses(given.name):
        message = f'the name of the publication is written without parentheses: "{news.name}"'
        page.warn(Code.NEWS_NAME_CLEANED, message, "news:name", given.line)
    return news


def _fault(news: News, now: datetime) -> str | None:
    """Say why this is no news, or cannot be told to be."""
    required = {
        "name of the publication": news.name,
        "language that a news sitemap can name": news.language,
        "date of publication in the past": news.published,
        "title": news.title,
    }
    for what, value in required.items():
        if value is None:
            return f"no {what}"
    if news.published is not None and not is_recent(news.published, now):
        return f"published {dates.to_w3c(news.published)}, more than two days ago"
    return None


def _element(news: News, *, legacy: bool) -> str:
    """Write a `news:news`, in the order of the schema's xsd:sequence."""
    publication = text_element("news:name", news.name) + text_element(
        "news:language", news.language
    )
    xml = f"<news:news><news:publication>{publication}</news:publication>"
    if legacy:
        xml += _if_allowed("news:access", news.access, _ACCESS)
        xml += _if_allowed("news:genres", news.genres, _GENRES)
    xml += text_element("news:publication_date", w3c_date(news.published)) + text_element(
        "news:title", news.title
    )
    if legacy:
        xml += text_element("news:keywords", readable(news.keywords))
        xml += _if_allowed("news:stock_tickers", news.stock_tickers, _STOCK_TICKERS)
    return f"{xml}</news:news>"


def _if_allowed(name: str, value: str | None, allowed: re.Pattern[str]) -> str:
    return text_element(name, value) if value is not None and allowed.fullmatch(value) else ""


# -- reading ----------------------------------------------------------------------------------

_STRING: Final = first(string)
_NEWS: Final = BlockSchema(
    FieldRule("news:publication", "name", inside("name", _STRING)),
    FieldRule("news:publication", "language", inside("language", _STRING)),
    FieldRule("news:access", "access", _STRING),
    FieldRule("news:genres", "genres", _STRING),
    FieldRule("news:publication_date", "published", first(ReadContext.date)),
    FieldRule("news:title", "title", _STRING),
    FieldRule("news:keywords", "keywords", _STRING),
    FieldRule("news:stock_tickers", "stock_tickers", _STRING),
    parts={"news:publication": frozenset({"news:name", "news:language"})},
    broken=Code.NEWS_SKIPPED,
)


def read(
    element: Element, context: ReadContext, names: CanonicalNames
) -> tuple[News | None, tuple[ExtraElement, ...]]:
    """Read a `news:news`, and the elements in it that the model has no field for.

    A broken block is reported, and the first value is None.
    """
    block = _NEWS.read(element, context, names)
    if block is None:
        return None, ()
    return News(**block.fields, line=line_of(element)), block.words
