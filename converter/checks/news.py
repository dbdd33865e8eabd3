"""Rules for news in sitemaps."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from converter.checks import dates
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, SITEMAPS, WARNING, CheckRule
from converter.checks.structure import SCHEMAS, children_by_name
from converter.values.urls import quoted

_NEWS: Final = f"{SITEMAPS}/news-sitemap"
_GOOGLE: Final = frozenset({"google"})

RULES: Final = (
    CheckRule(
        "news-name-missing", ERROR, "news has no name of the publication",
        why="Google requires it, and ignores the news tags without it.",
        fix="Add <news:publication> with <news:name>, as the name is on Google News.",
        source=_NEWS, convert="dropped",
    ),
    CheckRule(
        "news-language-invalid", ERROR, "news has no valid language",
        why="Google requires an ISO 639 code of two or three letters, zh-cn or zh-tw.",
        fix="Write a code such as en, without the country.",
        source=_NEWS, convert="dropped",
    ),
    CheckRule(
        "news-title-missing", ERROR, "news has no title",
        why="Google requires it.",
        fix="Add <news:title> with the headline, as it is on the page.",
        source=_NEWS, convert="dropped",
    ),
    CheckRule(
        "news-date-missing", ERROR, "news has no date of publication",
        why="Google requires it.",
        fix="Add <news:publication_date> with the date of first publication.",
        source=_NEWS, convert="dropped",
    ),
    CheckRule(
        "news-several-in-page", ERROR, "a page has several <news:news>",
        why="A page is one article.",
        fix="Keep one of them.",
        source=_NEWS, convert="repaired",
    ),
    CheckRule(
        "news-older-than-two-days", WARNING, "news is older than two days",
        why="Google News reads only articles of the last two days in a news sitemap.",
        fix="Remove the news tags of older articles; the pages may stay in the sitemap.",
        source=_NEWS, convert="dropped", profiles=_GOOGLE,
    ),
    CheckRule(
        "news-deprecated-tag", WARNING, "news has a tag that Google no longer reads",
        why="access, genres, keywords and stock_tickers have no effect.",
        fix="Remove the tag.",
        source=_NEWS, convert="dropped", profiles=_GOOGLE,
    ),
    CheckRule(
        "news-name-parentheses", WARNING, "the name of the publication has parentheses",
        why="Google wants the name as it is on Google News, without anything in parentheses.",
        fix="Remove the parentheses and what is in them.",
        source=_NEWS, convert="repaired", profiles=_GOOGLE,
    ),
)  # fmt: skip

_LANGUAGE: Final = re.compile("zh-cn|zh-tw|[a-z]{2,3}")
_WINDOW: Final = timedelta(days=2)
_DEPRECATED: Final = ("news:access", "news:genres", "news:keywords", "news:stock_tickers")
_PATH: Final = "url/news:news"


def check(context: CheckContext, elements: list[Element]) -> None:
    """Check the `news:news` elements of a page."""
    if len(elements) > 1:
        message = f"{len(elements)} <news:news> in one <url>; expected one"
        context.report("news-several-in-page", message, elements[1], path=_PATH)
    for element in elements:
        found = children_by_name(context, element, SCHEMAS["news:news"], _PATH)
        _check_publication(context, element, found)
        _check_required(context, element, found, "news:title", "news-title-missing")
        if _check_required(context, element, found, "news:publication_date", "news-date-missing"):
            _check_date(context, found["news:publication_date"][0])
        for name in _DEPRECATED:
            if name in found:
                message, path = f"<{name}> is no longer read", f"{_PATH}/{name}"
                context.report("news-deprecated-tag", message, found[name][0], path=path)


def _check_required(
    context: CheckContext, element: Element, found: dict[str, list[Element]], name: str, code: str
) -> bool:
    """Report a missing or empty child; return True if it has a text."""
    child = found[name][0] if name in found else None
    if child is not None and child.text.strip():
        return True
    what = "without" if child is None else "with an empty"
    path = f"{_PATH}/{name}"
    context.report(code, f"<news:news> {what} <{name}>", child or element, path=path)
    return False


def _check_publication(
    context: CheckContext, element: Element, found: dict[str, list[Element]]
) -> None:
    path = f"{_PATH}/news:publication"
    publications = found.get("news:publication")
    parts: dict[str, list[Element]] = {}
    if publications:
        children = SCHEMAS["news:publication"]
        parts = children_by_name(context, publications[0], children, path)
    names, languages = parts.get("news:name"), parts.get("news:language")
    at = publications[0] if publications else element
    name = names[0].text.strip() if names else ""
    if not name:
        message = "<news:news> without a name of the publication"
        context.report("news-name-missing", message, at, path=f"{path}/news:name")
    elif "(" in name or ")" in name:
        message = f"<news:name> {quoted(name)}: parentheses"
        context.report("news-name-parentheses", message, at, path=f"{path}/news:name")
    language = languages[0].text.strip() if languages else ""
    if not _LANGUAGE.fullmatch(language):
        what = f"{quoted(language)} is no language of news" if language else "no language"
        message = f"<news:language>: {what}; expected en, or zh-cn"
        at = languages[0] if languages else at
        context.report("news-language-invalid", message, at, path=f"{path}/news:language")


def _check_date(context: CheckContext, element: Element) -> None:
    path = f"{_PATH}/news:publication_date"
    moment = dates.check_element(context, element, path)
    if moment is not None and context.now - moment.instant > _WINDOW + timedelta(days=1):
        message = f"<{element.written_name}> {quoted(element.text.strip())}: more than two days ago"
        context.report("news-older-than-two-days", message, element, path=path)
