from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code, Note
from converter.options import TransformOptions
from converter.values import urls
from converter.values.urls import parameters
from converter.values.urls.cleaning import MAX_CHARS, MIN_CHARS
from converter.xml.escape import escape

RULES = urls.ParameterRules()
BASE = "https://ex.com/blog/feed.xml"


def codes(notes: tuple[Note, ...]) -> list[Code]:
    return [code for code, _ in notes]


# ----- resolve: what readers do


@pytest.mark.parametrize(
    ("text", "base", "url"),
    [
        ("https://ex.com/a?b=1#c", None, "https://ex.com/a?b=1#c"),
        ("HTTPS://Ex.com", None, "HTTPS://Ex.com"),
        ("https://bücher.example/ü", BASE, "https://bücher.example/ü"),
        ("mailto:me@ex.com", BASE, "mailto:me@ex.com"),
        ("tag:ex.com,2005:1", None, "tag:ex.com,2005:1"),
        (r"javascript:'\n'", None, r"javascript:'\n'"),
        # RFC 3986, 5.4, with its base http://a/b/c/d;p?q
        ("g", "http://a/b/c/d;p?q", "http://a/b/c/g"),
        ("./g", "http://a/b/c/d;p?q", "http://a/b/c/g"),
        ("g/", "http://a/b/c/d;p?q", "http://a/b/c/g/"),
        ("/g", "http://a/b/c/d;p?q", "http://a/g"),
        ("//g", "http://a/b/c/d;p?q", "http://g"),
        ("?y", "http://a/b/c/d;p?q", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/d;p?q", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q", "http://a/b/c/d;p?q#s"),
        ("g?y#s", "http://a/b/c/d;p?q", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/d;p?q", "http://a/b/c/;x"),
        (".", "http://a/b/c/d;p?q", "http://a/b/c/"),
        ("..", "http://a/b/c/d;p?q", "http://a/b/"),
        ("../g", "http://a/b/c/d;p?q", "http://a/b/g"),
        ("../../..", "http://a/b/c/d;p?q", "http://a/"),
        ("../../../../g", "http://a/b/c/d;p?q", "http://a/g"),
        ("/./g", "http://a/b/c/d;p?q", "http://a/g"),
        ("g;x=1/../y", "http://a/b/c/d;p?q", "http://a/b/c/y"),
        ("g?y/../x", "http://a/b/c/d;p?q", "http://a/b/c/g?y/../x"),
        ("x", "http://a", "http://a/x"),
        ("#s", "http://a", "http://a#s"),
        ("  ../post 8/\n", BASE, "https://ex.com/post 8/"),
        ("\ufeff\u200bhttps://ex.com/ ", None, "https://ex.com/"),
        ("/x", "https://me:secret@ex.com/feed", "https://ex.com/x"),
    ],
)
def test_resolving_gives_an_absolute_url_and_nothing_to_report(
    text: str, base: str | None, url: str
) -> None:
    assert urls.resolve(text, base) == (url, ())


@pytest.mark.parametrize(
    ("text", "url", "code"),
    [
        ("https://ex.com/a\n   b", "https://ex.com/a   b", Code.URL_REPAIRED),
        ("https://ex.com/\ta", "https://ex.com/a", Code.URL_REPAIRED),
        ("<![CDATA[ https://ex.com/a ]]>", "https://ex.com/a", Code.URL_REPAIRED),
        ("https://ex.com/?a&amp;b", "https://ex.com/?a&b", Code.URL_REPAIRED),
        ("https://ex.com/?a&amp;amp;b", "https://ex.com/?a&b", Code.URL_REPAIRED),
        (r"https:\\ex.com\a?b=\c", r"https://ex.com/a?b=\c", Code.URL_REPAIRED),
        (r"\a\b", "https://ex.com/a/b", Code.URL_REPAIRED),
        ("feed://ex.com/a", "http://ex.com/a", Code.URL_NORMALISED),
        ("FEED:https://ex.com/a", "https://ex.com/a", Code.URL_NORMALISED),
        ("feed://https://ex.com/a", "https://ex.com/a", Code.URL_NORMALISED),
        ("https://me:secret@ex.com/", "https://ex.com/", Code.URL_CREDENTIALS_REMOVED),
        ("//me@ex.com/", "https://ex.com/", Code.URL_CREDENTIALS_REMOVED),
        ("ftp://me:secret@ex.com/", "ftp://ex.com/", Code.URL_CREDENTIALS_REMOVED),
    ],
)
def test_resolving_reports_its_repairs(text: str, url: str, code: Code) -> None:
    resolved = urls.resolve(text, BASE)
    assert resolved.url == url
    assert codes(resolved.notes) == [code]


@pytest.mark.parametrize("base", [None, "", "javascript:void(0)", "file:///tmp/x", "http://", "x"])
def test_a_relative_reference_needs_a_base_that_is_http(base: str | None) -> None:
    resolved = urls.resolve("a/b", base)
    assert resolved.url is None
    assert codes(resolved.notes) == [Code.URL_WITHOUT_BASE]


@pytest.mark.parametrize("text", ["", "  \n", "<![CDATA[]]>"])
def test_empty_text_is_as_if_absent(text: str) -> None:
    assert urls.resolve(text, BASE).url is None
    assert Code.URL_WITHOUT_BASE not in codes(urls.resolve(text, None).notes)


# ----- page: what becomes of a loc


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        # mapping 8, cases 32, 33 and 34
        (
            "https://bücher.example/straße?a=1&b=\"x y\"&c='z'&d=%c3%bc%7e%zz",
            "https://xn--bcher-kva.example/stra%C3%9Fe?a=1&b=%22x%20y%22&c='z'&d=%C3%BC~%25zz",
        ),
        (
            (
                "HTTPS://User:pw@EX.com.:443/a/./b/../c;jsessionid=0A1B2C"
                "?sid=789&PHPSESSID=d41d8cd98f00b204&utm_medium=rss#x"
            ),
            "https://ex.com/a/c?sid=789",
        ),
        ("https://ex.com:443/34#c", "https://ex.com/34"),
        # scheme, host and port
        ("https://faß.de/abc", "https://xn--fa-hia.de/abc"),
        ("https://my_blog.bücher.example/", "https://my_blog.xn--bcher-kva.example/"),
        ("https://ex。com/", "https://ex.com/"),
        ("https://a_b.ex.com/", "https://a_b.ex.com/"),
        ("https://192.168.0.1/", "https://192.168.0.1/"),
        ("http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x"),
        ("http://[2001:db8::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ("http://ex.com:/abc", "http://ex.com/abc"),
        ("http://ex.com:0080/a", "http://ex.com/a"),
        ("http://ex.com:443/a", "http://ex.com:443/a"),
        ("https://ex.com:08080/", "https://ex.com:8080/"),
        ("http://a.io", "http://a.io/"),
        (r"https:\\ex.com\a?b=\c", "https://ex.com/a?b=%5Cc"),
        # path
        ("https://ex.com?a=1", "https://ex.com/?a=1"),
        ("https://ex.com/a/%2e%2e/b", "https://ex.com/b"),
        ("https://ex.com/../../a/..", "https://ex.com/"),
        ("https://ex.com/a/%2E", "https://ex.com/a/"),
        ("https://ex.com/a//../b", "https://ex.com/a/b"),
        ("https://ex.com/.well-known/x...y/..a", "https://ex.com/.well-known/x...y/..a"),
        ("https://ex.com/%41%2f%e4", "https://ex.com/A%2F%E4"),
        ("https://ex.com/%%41%4", "https://ex.com/%25A%254"),
        ("https://ex.com/[a]{b}|^`<>", "https://ex.com/%5Ba%5D%7Bb%7D%7C%5E%60%3C%3E"),
        ("https://ex.com/\ud800\ufffe", "https://ex.com/%EF%BF%BD%EF%BF%BE"),
        ("https://ex.com/a#!b", "https://ex.com/a"),
        ("https://ex.com/a#", "https://ex.com/a"),
    ],
)
def test_pages_are_normalised(given: str, clean: str) -> None:
    assert urls.clean_page(given, RULES).url == clean
    assert urls.clean_page(clean, RULES) == (clean, ())


@pytest.mark.parametrize(
    "url",
    [
        "https://ex.com/Path/index.html",
        "https://ex.com/a//b/",
        "https://ex.com/?b=2&a=1&a=1",
        "https://ex.com/?",
        "https://ex.com/?a=&&b",
        "https://ex.com/a+b?c=d+e",
        "https://ex.com/?sid=789",
        "https://ex.com/?s=search-for-some-words",
        "https://ex.com/?ref=a&source=b&campaign=c&cid=1&spm=2&at_x=3&amp",
        "https://ex.com/(S(short))/a",
        "https://ex.com/a(b);c=d",
        "https://a.b.c.d.example/%C3%BC",
        "https://ex.com:8080/a",
        "https://www.ex.com/",
    ],
)
def test_parts_that_matter_to_a_server_are_unchanged(url: str) -> None:
    assert urls.clean_page(url, RULES) == (url, ())


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("//ex.com/abcdef", Code.URL_UNUSABLE),
        ("ex.com/abcdefg", Code.URL_UNUSABLE),
        ("", Code.URL_UNUSABLE),
        ("https:///abcdef", Code.URL_UNUSABLE),
        ("https:ex.com/abc", Code.URL_UNUSABLE),
        ("https://./abcdef", Code.URL_UNUSABLE),
        ("https://ex..com/a", Code.URL_UNUSABLE),
        ("https://ex.com../a", Code.URL_UNUSABLE),
        ("https://a b.com/a", Code.URL_UNUSABLE),
        ("https://ex%2ecom/a", Code.URL_UNUSABLE),
        (f"https://{'a' * 64}.com/", Code.URL_UNUSABLE),
        (f"https://{'a.' * 127}com/", Code.URL_UNUSABLE),
        (f"https://{'ü' * 63}.com/", Code.URL_UNUSABLE),
        (f"https://{'ü' * 300}.com/", Code.URL_UNUSABLE),
        ("https://\u00ad/abcdef", Code.URL_UNUSABLE),
        ("https://a／b.com/x", Code.URL_UNUSABLE),
        ("https://\ud800.com/abc", Code.URL_UNUSABLE),
        ("https://xn--ü.com/abc", Code.URL_UNUSABLE),
        ("https://[::1/abcdef", Code.URL_UNUSABLE),
        ("https://[::g]/abcdef", Code.URL_UNUSABLE),
        ("https://[fe80::1%25eth0]/", Code.URL_UNUSABLE),
        ("https://[::1]x/abcdef", Code.URL_UNUSABLE),
        ("https://ex.com:65536/", Code.URL_UNUSABLE),
        ("https://ex.com:8a/abc", Code.URL_UNUSABLE),
        ("https://ex.com:٨٠/abc", Code.URL_UNUSABLE),
        (f"https://ex.com:{'9' * 5000}/", Code.URL_UNUSABLE),
        ("http://x/", Code.URL_UNUSABLE),
        ("http://x/#abcdef", Code.URL_UNUSABLE),
        ("http://x/?gclid=1", Code.URL_UNUSABLE),
        ("http://x/;jsessionid=1", Code.URL_UNUSABLE),
        ("ftp://ex.com/abc", Code.URL_SCHEME_DROPPED),
        ("feed://ex.com/abc", Code.URL_SCHEME_DROPPED),
        ("mailto:me@ex.com", Code.URL_SCHEME_DROPPED),
        ("javascript:alert(1)", Code.URL_SCHEME_DROPPED),
        ("localhost:8080/abc", Code.URL_SCHEME_DROPPED),
        ("https://ex.com/" + "a" * 2033, Code.URL_TOO_LONG),
        ("https://ex.com/" + "ü" * 400, Code.URL_TOO_LONG),
        ("https://ex.com/#" + "a" * 70_000, Code.URL_TOO_LONG),
    ],
)
def test_unusable_urls_are_refused_with_a_reason(url: str, code: Code) -> None:
    cleaned = urls.clean_page(url, RULES)
    assert cleaned.url is None
    assert codes(cleaned.notes)[-1] is code


def test_2047_characters_are_the_most() -> None:
    longest = "https://ex.com/".ljust(MAX_CHARS, "a")
    assert urls.clean_page(longest, RULES) == (longest, ())
    assert urls.clean_page(longest + "#b", RULES).url == longest
    assert urls.clean_page(longest + "b", RULES).url is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://ex.com/abc", [Code.URL_NORMALISED]),
        (r"https://ex.com\abc", [Code.URL_REPAIRED]),
        ("https://me@ex.com/", [Code.URL_CREDENTIALS_REMOVED]),
        ("https://ex.com/;jsessionid=1", [Code.URL_SESSION_ID_REMOVED]),
        ("https://ex.com/?gclid=1", [Code.URL_TRACKING_REMOVED]),
        (
            r"HTTPS://me@ex.com\a;jsessionid=1?gclid=2",
            [
                Code.URL_REPAIRED,
                Code.URL_CREDENTIALS_REMOVED,
                Code.URL_NORMALISED,
                Code.URL_SESSION_ID_REMOVED,
                Code.URL_TRACKING_REMOVED,
            ],
        ),
    ],
)
def test_each_change_is_reported_under_its_code(url: str, expected: list[Code]) -> None:
    assert codes(urls.clean_page(url, RULES).notes) == expected


# ----- parameters


@pytest.mark.parametrize("names", [parameters.SESSION, parameters.TRACKING])
def test_listed_parameters_are_removed_in_any_case(names: str) -> None:
    for name in names.replace("*", "x").split():
        for spelling in (name, name.upper(), f"%{ord(name[0]):02x}{name[1:]}"):
            cleaned = urls.clean_page(f"https://ex.com/a?b=1&{spelling}=2&c=3", RULES)
            assert cleaned.url == "https://ex.com/a?b=1&c=3", spelling


@pytest.mark.parametrize("name", parameters.SESSION_IF_LONG.split())
def test_short_names_go_only_with_a_value_that_looks_like_a_session_id(name: str) -> None:
    def kept(value: str) -> bool:
        url = f"https://ex.com/?{name}={value}"
        return urls.clean_page(url, RULES).url == url

    assert not kept("0a1b2c3d4e5f6a7b")
    assert kept("0a1b2c3d4e5f6a7")
    assert kept("abcdefghijklmnopq")
    assert kept("0a1b2c3d4e5f6a7b.")


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("https://ex.com/?utm_source=a", "https://ex.com/"),
        ("https://ex.com/a?&utm_source=a&&b=1&", "https://ex.com/a?b=1"),
        ("https://ex.com/a?b=1;utm_source=a;c=2", "https://ex.com/a?b=1;c=2"),
        ("https://ex.com/a?utm_source", "https://ex.com/a"),
        ("https://ex.com/a?UTM_x=1&utm_y=2", "https://ex.com/a"),
        ("https://ex.com/a&b?gclid=1", "https://ex.com/a&b"),
        ("https://ex.com/a?b=1&&c=2;;gclid=1&d", "https://ex.com/a?b=1&c=2&d"),
        ("https://ex.com/a;jsessionid=1?b=1&&c;", "https://ex.com/a?b=1&&c;"),
        ("https://ex.com/a;jsessionid=1?", "https://ex.com/a?"),
        ("https://ex.com/ü?gclid=1#c", "https://ex.com/%C3%BC"),
        ("https://ex.com/a;jsessionid=1/b;v=1.1", "https://ex.com/a/b;v=1.1"),
        ("https://ex.com/a/..;jsessionid=1/b", "https://ex.com/b"),
        ("https://ex.com/(S(lit3py55t21z5v55vlm25s55))/a", "https://ex.com/a"),
        ("https://ex.com/b/(X(1)S(lit3py55t21z5v55vlm25s55))/a", "https://ex.com/b/a"),
        ("https://ex.com/a;gclid=1", "https://ex.com/a;gclid=1"),
    ],
)
def test_parameters_leave_no_trace(url: str, clean: str) -> None:
    assert urls.clean_page(url, RULES).url == clean
    assert urls.clean_page(clean, RULES) == (clean, ())


def test_a_note_has_each_name_once_as_in_the_url() -> None:
    url = "https://ex.com/?Utm_a=1&gclid=1&Utm_a=2&sid=0123456789abcdef&utm_b&PHPSESSID="
    assert [message for _, message in urls.clean_page(url, RULES).notes] == [
        "parameters removed: Utm_a, gclid, utm_b",
        "session id removed: sid, PHPSESSID",
    ]


FULL = (
    "https://ex.com/a;jsessionid=1/(S(lit3py55t21z5v55vlm25s55))/b?sid=0123456789abcdef&gclid=1&x=2"
)


@pytest.mark.parametrize(
    ("rules", "clean"),
    [
        (urls.ParameterRules(keep_tracking=True), "https://ex.com/a/b?gclid=1&x=2"),
        (urls.ParameterRules(keep_session_ids=True), FULL.replace("&gclid=1", "")),
        (urls.ParameterRules(drop_params=("X",)), "https://ex.com/a/b"),
        (urls.ParameterRules(drop_params=("x*",), keep_params=("X*",)), "https://ex.com/a/b?x=2"),
        (
            urls.ParameterRules(keep_params=("jsessionid", "s*"), keep_tracking=True),
            "https://ex.com/a;jsessionid=1/b?sid=0123456789abcdef&gclid=1&x=2",
        ),
        (
            urls.ParameterRules(keep_session_ids=True, drop_params=("sid",)),
            FULL.partition("?")[0] + "?x=2",
        ),
        (
            urls.ParameterRules(drop_params=("*",), keep_params=("gc*",)),
            "https://ex.com/a/b?gclid=1",
        ),
    ],
)
def test_own_rules_win_and_keeping_wins_over_all(rules: urls.ParameterRules, clean: str) -> None:
    assert urls.clean_page(FULL, rules).url == clean


def test_a_parameter_may_be_named_in_any_alphabet() -> None:
    rules = urls.ParameterRules(drop_params=("größe",))
    assert urls.clean_page("https://ex.com/?größe=1&a=2", rules).url == "https://ex.com/?a=2"


def test_rules_are_taken_from_the_options() -> None:
    options = TransformOptions(
        now=datetime(2026, 1, 15, tzinfo=UTC),
        keep_params=("a",),
        drop_params=("b",),
        keep_tracking=True,
        keep_session_ids=True,
    )
    assert urls.ParameterRules.from_options(options) == urls.ParameterRules(
        keep_params=("a",), drop_params=("b",), keep_tracking=True, keep_session_ids=True
    )


# ----- the short ways

LONGEST = "https://" + ".".join(["a" * 62] * 4) + "/" + "b" * 300 + ("%FF" + "c" * 80) * 17


@pytest.mark.parametrize(
    "url",
    [
        "http://a.io/",
        "https://ex.com/",
        "https://www.ex.co.uk/Path/index.html",
        "https://www.buecher.example/stra%C3%9Fe/",
        "https://r3---sn-4g5e.example/~me/@you/a:b,c=d+e!$*",
        "https://ex.com/a//b..c/x.",
        "https://ex.com/video.mp4",
        LONGEST,
    ],
)
def test_most_urls_are_canonical_at_first_sight(url: str) -> None:
    assert urls.is_canonical_page(url)
    assert re.search(f"<link>({urls.CANONICAL_PAGE})</link>", f"<link>{url}</link>")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.b/",
        "http://x/abcdef",
        "https://192.168.0.1/",
        "https://ex.com",
        "https://Ex.com/",
        "https://ex.com./",
        "https://ex.com:8080/",
        "https://me@ex.com/",
        "https://a.b.c.d.example/",
        "https://ex.com/.well-known",
        "https://ex.com/..",
        "https://ex.com/a/./b",
        "https://ex.com/?",
        "https://ex.com/#",
        "https://ex.com/a&b",
        "https://ex.com/a;b",
        "https://ex.com/a(b",
        "https://ex.com/it's",
        "https://ex.com/%41",
        "https://ex.com/%c3%bc",
        "https://ex.com/%2",
        "https://ex.com/ü",
        "https://ex.com/a\n",
        "ftp://ex.com/abc",
        f"{LONGEST}%FF",
    ],
)
def test_other_urls_do_not_match_the_canonical_pattern(url: str) -> None:
    assert not urls.is_canonical_page(url)


def test_no_match_of_the_pattern_is_too_long() -> None:
    assert urls.clean_page(LONGEST, RULES) == (LONGEST, ())
    assert len(LONGEST) < MAX_CHARS


# ----- media


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("https://ex.com/a.mp4?sid=0123456789abcdef&utm_source=a", None),
        ("https://ex.com/a;jsessionid=1/b.mp4", None),
        ("HTTPS://ex.com/a b.mp4#t=10", "https://ex.com/a%20b.mp4"),
        ("data:image/png;base64,AAAA", ""),
        ("ftp://ex.com/a.mp4", ""),
    ],
)
def test_media_keep_their_parameters(given: str, clean: str | None) -> None:
    assert (urls.clean_media(given).url or "") == (given if clean is None else clean)


def test_players_keep_their_fragment_and_videos_their_ftp() -> None:
    assert (
        urls.clean_media("https://ex.com/p#t=[1]", keep_fragment=True).url
        == "https://ex.com/p#t=%5B1%5D"
    )
    assert urls.clean_media("https://ex.com/pqr#", keep_fragment=True).url == "https://ex.com/pqr"
    assert urls.clean_media("FTP://me@ex.com/a", allow_ftp=True).url == "ftp://ex.com/a"
    assert codes(urls.clean_media("ftp://ex.com/a.mp4").notes) == [Code.URL_SCHEME_DROPPED]


# ----- the rest


@pytest.mark.parametrize(
    ("url", "scheme", "host", "expected"),
    [
        ("https://ex.com:80/abc", "http", None, "http://ex.com/abc"),
        ("http://ex.com:8080/abc", "https", None, "https://ex.com:8080/abc"),
        ("http://ex.com:8080/abc", None, "www.ex.com", "http://www.ex.com:8080/abc"),
        ("http://ex.com/?a", "https", "www.ex.com", "https://www.ex.com/?a"),
        ("http://[::1]:8080/abc", "https", None, "https://[::1]:8080/abc"),
    ],
)
def test_a_url_is_moved_to_another_scheme_or_host(
    url: str, scheme: str | None, host: str | None, expected: str
) -> None:
    assert urls.change_origin(url, scheme=scheme, host=host) == (expected, ())


def test_a_url_can_become_too_long_by_moving() -> None:
    moved = urls.change_origin("http://ex.com/".ljust(MAX_CHARS, "a"), scheme="https")
    assert moved.url is None
    assert codes(moved.notes) == [Code.URL_TOO_LONG]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://WWW.Ex.com.:8080/", "www.ex.com"),
        ("https://me:secret@ex.com", "ex.com"),
        ("//ex.com/a", "ex.com"),
        ("http://[::1]:8080", "[::1]"),
        ("http://[::1]", "[::1]"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("mailto:me@ex.com", None),
        ("https:///a", None),
        ("https://a b/", None),
    ],
)
def test_the_host_of_a_url(url: str, host: str | None) -> None:
    assert urls.host_of(url) == host


def test_the_same_site_with_and_without_www() -> None:
    assert urls.same_site("https://www.ex.com/a", "http://ex.com:8080/b")
    assert not urls.same_site("https://a.ex.com/", "https://ex.com/")
    assert not urls.same_site("mailto:me@ex.com", "mailto:me@ex.com")
    assert not urls.same_site("https://ex.com/", "mailto:me@ex.com")


def test_http_is_detected_by_its_beginning() -> None:
    assert urls.is_http("HTTP://ex.com")
    assert urls.is_http("https://")
    assert not urls.is_http("httpx://ex.com")
    assert not urls.is_http("ftp://ex.com")


@pytest.mark.parametrize(
    "url",
    [
        "https://me:hunter2@ex.com/\x1b[31m",
        "https://me:hun@ter2@ex.com:99999/",
        "https://hunter2@a b/",
        r"https:\\me:hunter2@a b\c",
        "https:me:hunter2@ex.com/",
        "feed:me:hunter2@ex.com/",
        "<![CDATA[https:me:hunter2@ex.com/]]>",
        " <![CDATA[https:/\t/me:hunter2@ex.com/]]>",
        "https://me:a/hunter2@ex.com/",
        "https://me:a?hunter2@ex.com/@x",
        "gopher://me:hunter2@ex.com/",
        "https://me:hunter2" + "x" * 200 + "@ex.com:x/",
        "//me:hunter2@ex.com/",
        "https://me:hunter2@ex.com/" + "a" * 3000,
        "https://me:hunter2@ex.com/" + "a" * 70_000,
    ],
)
def test_no_message_holds_credentials_or_control_characters(url: str) -> None:
    for notes in (
        urls.resolve(url, None).notes,
        urls.resolve(url, "http://ex.com/").notes,
        urls.clean_page(url, RULES).notes,
        urls.clean_media(url).notes,
    ):
        for _, message in notes:
            assert not re.search(r"hunter2|\bme\b|ter2", message)
            assert message.isprintable()
            assert len(message) < 400


def test_mail_addresses_are_not_taken_for_credentials() -> None:
    assert urls.quoted("mailto:me@ex.com") == '"mailto:me@ex.com"'
    assert urls.quoted("https://ex.com/@me") == '"https://ex.com/@me"'


# ----- laws

MARKS = st.sampled_from(":/?#[]@!$&'()*+,;=%.\\ -_~\t\n\x1b<>\"{}|^`")
WORDS = """
%41 %2e %2F %c3%bc %2 ü ß .. /. /../ http: https:// ex.com www. 443 [::1] me:hunter2@ &amp; a=1
;jsessionid=1 (S(lit3py55t21z5v55vlm25s55)) sid=0123456789abcdef utm_a=1 PHPSESSID <![CDATA[ ]]>
"""
PIECES = st.one_of(
    MARKS, st.characters(), st.sampled_from([*WORDS.split(), "\ud800", "\ufffe", " ", "\n"])
)
TEXTS = st.lists(PIECES, max_size=20).map("".join)
URLS = st.one_of(TEXTS, TEXTS.map(lambda text: f"https://ex.com/{text}"))
ALLOWED = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
HOST = re.compile(r"(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?\Z")


def publishable(url: str) -> bool:
    parts = urlsplit(url)
    labels = (parts.hostname or "").split(".")
    return (
        ALLOWED.fullmatch(url) is not None
        and re.search(r"%(?![0-9A-F]{2})", url) is None
        and 12 <= len(url) <= MAX_CHARS
        and HOST.match(parts.netloc) is not None
        and all(1 <= len(label) <= 63 for label in labels)
        and parts.username is None
        and (parts.port is None or parts.port <= 65535)
        and parts.path.startswith("/")
    )


SEGMENTS = """
a b-c_ .html . .. .a / // ~@:!$*+,= %C3%BC %FF %2F %41 %2 ( ) ; & ' é ? # ?a=1 &sid=1 ;utm_a=2
"""
NEARLY_CANONICAL = st.builds(
    "{}://{}/{}".format,
    st.sampled_from(["https", "http", "https", "ftp", "HTTP"]),
    st.lists(st.sampled_from(["www", "a", "ex_a", "1", "x" * 62, "x" * 63, "io", "É"]), min_size=1)
    .map(".".join)
    .filter(len),
    st.lists(st.sampled_from([*SEGMENTS.split(), "a", "b", "/"]), max_size=12).map("".join),
)
ANY_RULES = st.builds(
    urls.ParameterRules,
    keep_params=st.sampled_from([(), ("utm_*",), ("sid", "a")]),
    drop_params=st.sampled_from([(), ("a*",), ("*",), ("phps*", "1")]),
    keep_tracking=st.booleans(),
    keep_session_ids=st.booleans(),
)


@pytest.mark.property
@given(NEARLY_CANONICAL, ANY_RULES)
def test_cleaning_does_not_change_a_canonical_page(url: str, rules: urls.ParameterRules) -> None:
    if urls.is_canonical_page(url):
        assert urls.clean_page(url, rules) == (url, ())
        assert MIN_CHARS <= len(url) <= MAX_CHARS
        assert escape(url) == url


@pytest.mark.property
@given(NEARLY_CANONICAL | URLS)
def test_media_and_pages_are_spelt_alike(url: str) -> None:
    rules = urls.ParameterRules(keep_tracking=True, keep_session_ids=True)
    assert urls.clean_media(url) == urls.clean_page(url, rules)


ORIGINS = """
https://ex.com http://ex.com HTTPS://WWW.Ex.com https://ex.com. https://ex.com:443 http://ex.com:443
http://ex.com: https://ex.com:99999 https://bücher.example https://me@ex.com https://a..b https://
https:// https:/ex.com ftp://ex.com feed://ex.com http://[::1]:80 https://a\\b http://x ws://ex.com
"""
PATHS = """
/ /a /a-b_c.html /. /.. /.a /..ü . % %2 %2e %2E/ %2f %41 %c3%bc %C3%BC %d0%BD%zz ü новости 新聞
\ud800 [x] { \\ @ : // ( ) /(S(lit3py55t21z5v55vlm25s55))/ ; ;jsessionid=1 & ' " < ^ ~
"""
QUERIES = """
? & && ; = == id=1 page=2&x a=b=c utm_source=rss UTM_a=%2e utm_a utm_a=1 gclid=ü PHPSESSID=1 sid=789
sid=0123456789abcdef s=ab&s=0123456789abcdef Sess=%41 /.. \\ %zz # #a=1&gclid=2 #utm_a? #/../ü
"""


def some(texts: str, most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from([*texts.split(), " "]), max_size=most).map("".join)


PATCHED = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(ORIGINS.split()),
    st.sampled_from(["/", "/", "", "?", "#"]),
    some(PATHS, 6),
    some(QUERIES, 8),
)


@pytest.mark.property
@given(st.one_of(URLS, PATCHED, st.builds("{}{}".format, PATCHED, PIECES)))
def test_the_fast_path_of_resolving_equals_the_slow_one(text: str) -> None:
    for base in (None, BASE):
        quick, slow = urls.resolve(text, base), urls.resolve(f" {text}", base)
        assert (quick.url, codes(quick.notes)) == (slow.url, codes(slow.notes))


@pytest.mark.parametrize(
    "around", "\0\t\x1f \x7f\xa0\u2000\u200b\u200f\u202f\u3000\ufeff", ids=ascii
)
def test_invisible_characters_after_a_url_are_removed(around: str) -> None:
    for url in ("https://ex.com/a", "https://ex.com/ü", "https://ex.com/?a"):
        assert urls.resolve(url + around, None) == (url, ())


@pytest.mark.property
@given(st.lists(PIECES, max_size=60).map("".join))
def test_each_character_has_one_encoding_in_all_places(text: str) -> None:
    encoded = urls.syntax.normalise_escapes
    pieces = re.findall(r"%[0-9A-Fa-f]{2}|.", text, re.DOTALL)
    assert encoded(text) == "".join(map(encoded, pieces))


@pytest.mark.property
@given(URLS)
def test_a_page_is_publishable_and_stays_as_it_is(text: str) -> None:
    cleaned = urls.clean_page(text, RULES)
    for _, message in cleaned.notes:
        assert message.isprintable()
    if cleaned.url is None:
        assert cleaned.notes
    else:
        assert publishable(cleaned.url)
        assert urlsplit(cleaned.url).scheme in {"http", "https"}
        assert "#" not in cleaned.url
        assert cleaned.url == text or cleaned.notes
        assert urls.clean_page(cleaned.url, RULES) == (cleaned.url, ())


@pytest.mark.property
@given(URLS, st.booleans(), st.booleans())
def test_a_medium_is_publishable_and_stays_as_it_is(
    text: str, keep_fragment: bool, allow_ftp: bool
) -> None:
    cleaned = urls.clean_media(text, keep_fragment=keep_fragment, allow_ftp=allow_ftp)
    if cleaned.url is None:
        assert cleaned.notes
    else:
        assert publishable(cleaned.url)
        again = urls.clean_media(cleaned.url, keep_fragment=keep_fragment, allow_ftp=allow_ftp)
        assert again == (cleaned.url, ())


@pytest.mark.property
@given(URLS, st.one_of(st.none(), URLS))
def test_resolving_never_fails_and_is_idempotent(text: str, base: str | None) -> None:
    resolved = urls.resolve(text, base and urls.resolve(base, None).url)
    for _, message in resolved.notes:
        assert message.isprintable()
    if resolved.url and urls.is_http(resolved.url):
        assert urls.resolve(resolved.url, None).url == resolved.url
    urls.host_of(text)
    urls.is_http(text)


@pytest.mark.property
@given(TEXTS, TEXTS)
def test_no_message_of_any_url_holds_its_credentials(path: str, host: str) -> None:
    host, path = host.replace("hunter2", ""), path.replace("hunter2", "")
    url = f"https://me:hunter2@{host}/{path}"
    for notes in (urls.clean_page(url, RULES).notes, urls.resolve(url, None).notes):
        assert not any("me:hunter2" in message for _, message in notes)


@pytest.mark.parametrize(
    "text",
    [
        "https://ex.com/" + "../" * 1_000_000,
        "https://" + "a." * 1_000_000,
        "https://" + "ü" * 1_000_000,
        "https://" + "@" * 1_000_000,
        "//" * 1_000_000,
        "\\" * 1_000_000,
        "%" * 1_000_000,
        "&amp;" * 500_000,
        "feed:" * 500_000,
        " " * 1_000_000 + "x",
        "a:" * 1_000_000,
        "https://a:" * 300_000,
        "https://ex.com/" + ";" * 1_000_000,
        "https://ex.com/?" + "&" * 1_000_000,
        "[" * 1_000_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_millions_of_characters_take_no_time(text: str) -> None:
    start = time.process_time()
    for base in (None, BASE):
        url = urls.resolve(text, base).url or ""
        urls.clean_page(url, RULES)
        urls.clean_media(url, keep_fragment=True)
        urls.host_of(url)
    urls.clean_page(text[:65_000], RULES)
    assert time.process_time() - start < 10
