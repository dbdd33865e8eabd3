"""Rules for language versions of pages: `xhtml:link` in sitemaps."""

from __future__ import annotations

from typing import Final

from converter.checks import urls
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, INFO, WARNING, CheckRule
from converter.values import languages
from converter.values.urls import quoted

_VERSIONS: Final = (
    "https://developers.google.com/search/docs/specialty/international/localized-versions"
)

RULES: Final = (
    CheckRule(
        "hreflang-no-href", ERROR, "a language version has no URL",
        why="The version is ignored.",
        fix="Add href with the absolute URL of the version.",
        source=_VERSIONS, convert="dropped",
    ),
    CheckRule(
        "hreflang-no-lang", ERROR, "a language version has no language",
        why="The version is ignored.",
        fix="Add hreflang with a language such as en, or x-default.",
        source=_VERSIONS, convert="dropped",
    ),
    CheckRule(
        "hreflang-rel", ERROR, "a link in a sitemap is not rel=\"alternate\"",
        why="Only alternate links are read.",
        fix='Write rel="alternate", or remove the link.',
        source=_VERSIONS, convert="dropped",
    ),
    CheckRule(
        "hreflang-language-invalid", ERROR, "hreflang is not a language that Google knows",
        why="Google reads ISO 639-1 languages with an optional script and ISO 3166-1 country: "
        "en_US, es-419 and uk for Great Britain are ignored.",
        fix="Write a code such as en, en-GB, zh-Hant, or x-default.",
        source=f"{_VERSIONS}#language-codes", convert="kept",
    ),
    CheckRule(
        "hreflang-case", WARNING, "hreflang is not in the usual case",
        why="Search engines ignore case, but other tools compare it.",
        fix="Write the language in lower case and the country in upper case: en-GB.",
        source=f"{_VERSIONS}#language-codes", convert="kept", is_default=False,
    ),
    CheckRule(
        "hreflang-duplicate", WARNING, "a page has several versions of one language",
        why="Which of them is shown is undefined.",
        fix="Keep one version of each language.",
        source=_VERSIONS, convert="repaired",
    ),
    CheckRule(
        "hreflang-self-missing", WARNING, "the language versions of a page do not list the page",
        why="Each version must list itself as well as all others, or the links are ignored.",
        fix="Add a link with the URL and the language of the page itself.",
        source=_VERSIONS, convert="dropped",
    ),
    CheckRule(
        "hreflang-x-default-missing", INFO, "the language versions have no x-default",
        why="Visitors with other languages are sent to any version.",
        fix='Add a link with hreflang="x-default", if there is a page for all others.',
        source=f"{_VERSIONS}#xdefault", convert="kept", is_default=False,
    ),
)  # fmt: skip

_PATH: Final = "url/xhtml:link"
_APPS: Final = ("android-app:", "ios-app:")


def check(
    context: CheckContext, elements: list[Element], page: str | None
) -> list[tuple[str, str]]:
    """Check the links of a page; return language and URL of each version."""
    versions: list[tuple[str, str]] = []
    seen: set[str] = set()
    for element in elements:
        version = _version(context, element)
        if version is None:
            continue
        language = version[0].lower()
        if language in seen:
            message = f'hreflang="{version[0]}" again; expected one version of each language'
            context.report("hreflang-duplicate", message, element, path=_PATH)
        seen.add(language)
        versions.append(version)
    if versions and page is not None and page not in [href for _, href in versions]:
        message = "no language version has the URL of the page itself"
        context.report("hreflang-self-missing", message, elements[0], path=_PATH)
    if versions and "x-default" not in seen:
        message = "no language version is x-default"
        context.report("hreflang-x-default-missing", message, elements[0], path=_PATH)
    return versions


def _version(context: CheckContext, element: Element) -> tuple[str, str] | None:
    """Check one link; return language and URL, or None if it is no language version."""
    attributes, path = element.attributes, _PATH
    href, language = attributes.get("href"), attributes.get("hreflang", "").strip()
    if (rel := attributes.get("rel", "").strip()).lower() != "alternate":
        message = f'<xhtml:link> with rel={quoted(rel)}; expected "alternate"'
        context.report("hreflang-rel", message, element, path=path)
    if href is None:
        context.report("hreflang-no-href", "<xhtml:link> without href", element, path=path)
        return None
    if href.strip().startswith(_APPS):
        return None
    if not language and "media" not in attributes:
        context.report("hreflang-no-lang", "<xhtml:link> without hreflang", element, path=path)
    place = element.place
    url = urls.check_url(context, href, "href", place, f"{path}/@href", is_page=True)
    if not language or url is None:
        return None
    _check_language(context, language, element)
    return language, url


def _check_language(context: CheckContext, language: str, element: Element) -> None:
    code, is_valid = languages.hreflang(language)
    if not is_valid:
        message = f"hreflang {quoted(language)} is no language that Google knows"
        context.report("hreflang-language-invalid", message, element, path=_PATH)
    elif code != (usual := _usual_case(code)):
        message = f"hreflang {quoted(language)}; usual is {usual}"
        context.report("hreflang-case", message, element, path=_PATH)


def _usual_case(code: str) -> str:
    """Return a code with its language in lower, its script in title and its country in upper."""
    if code == "x-default":
        return code
    language, *others = code.split("-")
    cased = [part.upper() if len(part) == 2 else part.title() for part in others]
    return "-".join((language.lower(), *cased))
