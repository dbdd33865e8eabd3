"""Languages: as news sitemaps and hreflang want them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.values import languages


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("en", "en"),
        (" EN ", "en"),
        ("pt-BR", "pt"),
        ("pt_BR", "pt"),
        ("en-us-x-private", "en"),
        ("gsw-CH", "gsw"),
        ("zh", "zh-cn"),
        ("zh-CN", "zh-cn"),
        ("zh-Hans-CN", "zh-cn"),
        ("zh_Hans", "zh-cn"),
        ("zh-SG", "zh-cn"),
        ("zh-Hans-TW", "zh-cn"),
        ("zh-TW", "zh-tw"),
        ("zh-Hant-HK", "zh-tw"),
        ("zh-HK", "zh-tw"),
        ("zh-mo", "zh-tw"),
        ("zh-twi", "zh-cn"),
        ("", None),
        ("english", None),
        ("e", None),
        ("x-default", None),
        ("und", None),
        ("mul", None),
        ("ёж", None),
    ],
)
def test_news_language(code: str, language: str | None) -> None:
    assert languages.news_language(code) == language


@pytest.mark.parametrize(
    ("value", "normalised", "is_usual"),
    [
        ("en", "en", True),
        (" de-AT ", "de-AT", True),
        ("DE-at", "DE-at", True),
        ("zh-Hant", "zh-Hant", True),
        ("zh-Hant-HK", "zh-Hant-HK", True),
        ("uk", "uk", True),
        ("x-default", "x-default", True),
        ("X-Default", "x-default", True),
        ("en_US", "en-US", False),
        ("en-UK", "en-UK", False),
        ("es-419", "es-419", False),
        ("gb", "gb", False),
        ("eng", "eng", False),
        ("en-XX", "en-XX", False),
        ("en-US-x", "en-US-x", False),
        ("", "", False),
    ],
)
def test_hreflang(value: str, normalised: str, is_usual: bool) -> None:
    assert languages.hreflang(value) == (normalised, is_usual)


@pytest.mark.property
@given(st.text() | st.from_regex(r"[a-zA-Z]{1,4}([-_][a-zA-Z]{2,4}){0,2}", fullmatch=True))
def test_a_news_language_holds_to_the_schema_and_stays_itself(code: str) -> None:
    language = languages.news_language(code)
    if language is not None:
        assert re.fullmatch(r"zh-cn|zh-tw|[a-z]{2,3}", language)
        assert languages.news_language(language) == language
    normalised, is_usual = languages.hreflang(code)
    assert languages.hreflang(normalised)[0] == normalised
    assert not (is_usual and "_" in code)
