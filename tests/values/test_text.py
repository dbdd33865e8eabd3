"""Texts: what a reader would see of them, cut where a target has a limit."""

from __future__ import annotations

import html
import re
import sys
import time
import unicodedata
from html.entities import html5

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from converter.values import text

HTML = {
    "clean text stays the same": ("Plain words", "Plain words"),
    "references are resolved": (
        "Tom &amp; Jerry &mdash; &#8217;til &#x2014; end",
        "Tom & Jerry — ’til — end",
    ),
    "references without semicolon, as browsers do": ("&copy 2025", "© 2025"),
    "escaped twice": ("Tom &amp;amp; Jerry", "Tom & Jerry"),
    "escaped twice, whole document": ("&amp;lt;p&amp;gt;a&amp;lt;/p&amp;gt;", "a"),
    "a reference outside the five does not cause a second round": ("a&amp;nbsp;b", "a&nbsp;b"),
    "escaped three times keeps one level": ("a &amp;amp;amp; b", "a &amp; b"),
    "escaped once, whole document": ("&lt;p&gt;a&lt;/p&gt;&lt;p&gt;b&lt;/p&gt;", "a b"),
    "block tags part words": ("<p>a</p><p>b</p>c<br>d<br/>e<hr />f", "a b c d e f"),
    "cells and items part words": ("<td>a</td><td>b</td><li>c<th>d", "a b c d"),
    "inline tags do not": ("a<b>b</b><i class='x'>c</i>", "abc"),
    "tags whose names begin like a block's": ("a<pre2>b<p-card>c<li:x>d<td_>e</ p>f", "abcdef"),
    "case does not matter": ("a<BR>b<SCRIPT>x</Script>", "a b"),
    "headings": ("<h1>a</h1>b<h6>c</h6>", "a b c"),
    "an attribute may hold an escaped end": ('<a title="1 &gt; 0">x</a>', "x"),
    "a lone < is text": ("a < b, <3, 1<2 and <", "a < b, <3, 1<2 and <"),
    "a tag without an end is text": ("a <b c", "a <b c"),
    "closing, declaring and processing tags": ("a</x>b<!DOCTYPE html>c<?php echo ?>d", "abcd"),
    "comments": ("a<!-- <p> -- > -->b<!---->c<!-->d", "abcd"),
    "a comment without an end hides the rest": ("a<!-- x -->b <!-- c <i>d", "ab"),
    "scripts and styles": ("a<script>if (a<b) {}</script >b<style type='x'>p{}</style>c", "abc"),
    "an old script in a comment": ("<script><!--\nx()\n//--></script>a", "a"),
    "a comment that opens in a script": ("<script>'<!--'</script>a<!-- x -->b", "ab"),
    "a script without an end hides the rest": ("a<script>b</scriptx>c", "a"),
    "words that begin like script": ("<scripted>a</scripted>", "a"),
    "a stray CDATA wrapper": ("<![CDATA[a <b>c</b>]]>", "a c"),
    "white space of all kinds": ("\u00a0a\u2003\u2028b\u3000\tc\u1680\u0085d&nbsp;", "a b c d"),
    "zero-width characters are no white space": ("a\u200bb\ufeffc", "a\u200bb\ufeffc"),
    "illegal characters go": ("a\x08b\ufffec\x00", "abc"),
    "illegal white space parts words": ("a\x0cb\x0bc\x1cd", "a b c d"),
    "references to illegal characters go": ("a&#8;b&#0;c&#xFFFE;d&#xd800;e", "abcde"),
    "references beyond Unicode go": (f"a&#{'9' * 5000};b&#x110000;c", "abc"),
    "leading zeros": ("&#000065;&#x00000042;&#00000000000;", "AB"),
    "not quite references": ("&#; &#x; &#xg; & &;", "&#; &#x; &#xg; & &;"),
    "a resolved ampersand does not join what follows": ("&#38;lt; &#x26;nope;", "< &nope;"),
    "Windows references": ("&#147;a&#148;", "“a”"),
    "normal form stays": ("A\u030a \u00c5", "A\u030a \u00c5"),
    "surrogates go": ("a\ud800b <i>\udfff</i>", "ab"),
}


@pytest.mark.parametrize(("markup", "seen"), HTML.values(), ids=HTML)
def test_plain_of_html(markup: str, seen: str) -> None:
    assert text.plain(markup, is_html=True) == seen


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("a <b>c</b> &amp; d", "a <b>c</b> &amp; d"),
        (" a \n b\u00a0", "a b"),
        ("a  b", "a b"),
        (" a", "a"),
        ("a\x08b", "ab"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_plain_text_that_is_not_html_is_only_collapsed(value: str, seen: str) -> None:
    assert text.plain(value, is_html=False) == seen


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("Plain", "Plain"),
        ("AT&amp;T", "AT&T"),
        ("AT&T", "AT&T"),
        ("AT&amp;amp;T", "AT&amp;T"),
        ("a <em>b</em>\n c", "a b c"),
        ("&lt;b&gt;a&lt;/b&gt;", "a"),
        ("1 < 2", "1 < 2"),
        ("<![CDATA[a & b]]>", "a & b"),
        ("<img src='x.png'>", ""),
    ],
)
def test_a_title_is_unescaped_once(value: str, seen: str) -> None:
    assert text.title(value) == seen


def test_no_name_of_a_reference_is_overlooked() -> None:
    for name, meant in html5.items():
        assert text.title(f"a&{name}") == text.title(f"a{meant}"), name


@pytest.mark.property
@given(st.text(alphabet="&;gtlDamp1 x\u00e9"))
def test_a_text_without_references_is_unchanged(value: str) -> None:
    unescaped = html.unescape(value)
    assume("<" not in unescaped)  # it could begin a tag
    assert text.title(value) == " ".join(unescaped.split())


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("plain &amp;", "plain &"),
        ("&amp; &#38; &#x26; &#147; &#128512;", "& & & “ 😀"),
        ("a&#8;b", "ab"),
        ("a&#x8;&#0;&#xFFFF;b", "ab"),
        ("a&#55296; &#xDFFF b", "a b"),
        (f"a&#{'1' * 9000};&#x{'f' * 9000};b", "ab"),
        ("&#; &#x;", "&#; &#x;"),
    ],
)
def test_illegal_references_are_removed(value: str, seen: str) -> None:
    assert text.plain(value, is_html=True) == seen


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ("a", ("a", 0)),
        ("a\tb\r\nc\u00a0\U0001f600", ("a\tb\r\nc\u00a0\U0001f600", 0)),
        ("a\x00b\x1f\ufffe\ud800", ("ab", 4)),
        ("\x0b\x0c", ("", 2)),
        ("line\nline\x08", ("line\nline", 1)),
    ],
)
def test_clean(value: str, cleaned: tuple[str, int]) -> None:
    assert text.remove_illegal(value) == cleaned


@pytest.mark.parametrize(
    ("value", "limit", "shortened"),
    [
        ("one two", 7, "one two"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one…"),
        ("one two, three", 9, "one two…"),
        ("one two - three", 11, "one two…"),
        ("one two – three", 12, "one two…"),
        ("one two. three", 9, "one two.…"),
        ("abcdefghijkl", 6, "abcde…"),
        ("a bcdefghijklmnop", 10, "a bcdefgh…"),
        ("abcd efghijklmnop", 8, "abcd…"),
        ("abc defghijklmnop", 8, "abc def…"),
        ("- - - - - - - -", 7, "- - - …"),
        ("\U0001f600" * 5, 4, "\U0001f600" * 3 + "…"),
    ],
)
def test_cut(value: str, limit: int, shortened: str) -> None:
    assert text.shorten(value, limit) == shortened


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("One. Two.", "One"),
        ("One", "One"),
        ("One.", "One"),
        ("What? Yes.", "What?"),
        ("Really?! Yes.", "Really?!"),
        ("Wait... what", "Wait..."),
        ("Wait… what", "Wait…"),
        ("Version 1.2 is out. Go.", "Version 1.2 is out"),
        ("", ""),
    ],
)
def test_first_sentence(value: str, sentence: str) -> None:
    assert text.first_sentence(value) == sentence


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://ex.com/blog/hello-big_world+today.html", "Hello big world today"),
        ("https://ex.com/a/b%C3%BCcher%20lesen/?x=/no#/no", "Bücher lesen"),
        ("https://ex.com/a//", "A"),
        ("/a/some-page", "Some page"),
        ("some-page.php", "Some page"),
        ("https://ex.com/v1.x", "V1.x"),
        ("https://ex.com/a.longext", "A.longext"),
        ("https://ex.com/", "https://ex.com/"),
        ("https://ex.com", "https://ex.com"),
        ("https://ex.com/12345", "https://ex.com/12345"),
        ("https://ex.com/2025-01.html", "https://ex.com/2025-01.html"),
        ("https://ex.com/--/", "https://ex.com/--/"),
        ("https://ex.com/.html", "https://ex.com/.html"),
        ("https://ex.com/a%00b", "Ab"),
        ("https://ex.com/%ff-a", "\ufffd a"),
    ],
)
def test_deslug(url: str, words: str) -> None:
    assert text.title_from_url(url) == words


IMAGES = {
    "in order, as written": ('<p><img src="b.png"><IMG alt=x SRC=a.png></p>', ["b.png", "a.png"]),
    "quotes of all kinds": (
        "<img src='a.png'/><img src=b.png/><img src = \"c.png\">",
        ["a.png", "b.png/", "c.png"],
    ),
    "an end within quotes": ('<img alt="a > b" src="a.png">', ["a.png"]),
    "references are resolved": ('<img src="a.png?x=1&amp;y=2">', ["a.png?x=1&y=2"]),
    "only src": ('<img data-src="a.png" srcset="b.png 2x">', []),
    "the first src of a tag": ('<img src="a.png" src="b.png">', ["a.png"]),
    "no value, empty value": ('<img src><img src=""><img src=" "><img>', []),
    "data": ('<img src="data:image/png;base64,AAAA"><img src="DATA:,">', []),
    "declared too small": (
        '<img src=a.png width=1 height=1><img src=b.png height="0"><img src=c.png width="1px">',
        [],
    ),
    "declared large enough": ('<img src="a.png" width="10" height="100%">', ["a.png"]),
    "in a comment": ('<!-- <img src="a.png"> --><img src="b.png">', ["b.png"]),
    "in a script": ('<script>\'<img src="a.png">\'</script><img src="b.png">', ["b.png"]),
    "escaped twice": ('&lt;img src="a.png"&gt;', ["a.png"]),
    "escaped as an example": ('<p>&lt;img src="a.png"&gt;</p>', []),
    "not img": ('<image src="a.png"><imgx src="b.png">', []),
    "half a tag": ('<img src="a.png"><img src="b.png"', ["a.png"]),
    "a quote without its pair": ('<img src="a.png><p>', ["a.png"]),
    "a lone equals sign": ('<img = src="a.png" / x>', ["a.png"]),
    "no markup": ("nothing", []),
}


@pytest.mark.parametrize(("markup", "sources"), IMAGES.values(), ids=IMAGES)
def test_images(markup: str, sources: list[str]) -> None:
    assert text.images(markup) == sources


@pytest.mark.parametrize(
    "tracker",
    [
        "http://feeds.feedburner.com/~r/blog/~4/abc",
        "http://feeds.feedburner.com/~ff/blog?d=abc",
        "http://feedproxy.google.com/~r/x/~4/abc",
        "http://rss.feedsportal.com/c/1/mf.gif",
        "https://ad.doubleclick.net/ad/x",
        "https://pixel.wp.com/b.gif?x=1",
        "https://stats.wordpress.com/b.gif",
        "http://feeds.wordpress.com/1.0/comments/x/1/",
        "https://www.facebook.com/tr?id=1&ev=PageView",
        "https://medium.com/_/stat?event=post.clientViewed",
        "//vg02.met.vgwort.de/na/abc",
        "https://ex.com/t/pixel?id=1",
        "https://ex.com/img/spacer.gif",
    ],
)
def test_trackers_are_not_images(tracker: str) -> None:
    assert text.images(f'<img src="{tracker}"><img src="a.png">') == ["a.png"]


@pytest.mark.parametrize(
    "picture",
    [
        "https://ex.com/pixel-art.png",
        "https://ex.com/pixel/a.png",
        "https://stat.ex.com/a.png",
        "https://ex.com/?u=https://pixel.wp.com/",
        "https://www.facebook.com/train.png",
    ],
)
def test_pictures_that_look_like_trackers_stay(picture: str) -> None:
    assert text.images(f'<img src="{picture}">') == [picture]


HOSTILE = {
    "opening brackets": "<" * 1_000_000,
    "tags without an end": "<a" * 500_000,
    "spaces": " " * 2_000_000,
    "nested blocks": "<div>" * 50_000 + "x" + "</div>" * 50_000,
    "comments without an end": "<!--" * 250_000,
    "scripts without an end": "<script>" * 200_000,
    "ends of scripts without an end": "<script>" + "</script" * 200_000,
    "ampersands": "&#" * 500_000,
    "digits": "&#" + "1" * 1_000_000,
    "pictures without an end": "<img " * 200_000 + '"',
    "pictures with an open quote": "<img " * 200_000 + '">',
    "pictures with quotes of two kinds": "<img src='\"" * 100_000,
    "attributes": "<img" + " a=" * 300_000,
    "a long host": "<img src='//" + "a" * 1_000_000 + "'>",
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_linear_time(value: str) -> None:
    start = time.process_time()
    seen = text.plain(value, is_html=True)
    text.images(value)
    text.shorten(text.first_sentence(seen), 100)
    assert time.process_time() - start < 5  # quadratic would be minutes


def test_white_space_is_that_of_unicode() -> None:
    """Python's idea of white space has U+001C to U+001F besides, which XML cannot hold."""
    white_space = {chr(p) for p in range(sys.maxunicode) if chr(p).isspace()}
    for character in white_space | {"\u0085", "\u2028"}:
        assert text.plain(f"a{character}b", is_html=False) == "a b", hex(ord(character))
    separators = {chr(p) for p in range(sys.maxunicode) if unicodedata.category(chr(p))[0] == "Z"}
    assert separators <= white_space


ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from(" <>&;#/!-'\"ab\n\x08\ud800"))


@pytest.mark.property
@given(value=ANY_TEXT, is_html=st.booleans())
def test_plain_text_is_tidy_and_fits_into_xml(value: str, is_html: bool) -> None:
    seen = text.plain(value, is_html=is_html)
    assert text.remove_illegal(seen) == (seen, 0)
    assert seen == " ".join(seen.split())
    assert text.plain(seen, is_html=False) == seen


@pytest.mark.property
@given(words=st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_markup_leaves_the_words(words: list[str]) -> None:
    markup = "".join(f"<p class='x'><b>{word}</b></p><!-- no --><br>" for word in words)
    assert text.plain(markup, is_html=True) == " ".join(words)


@pytest.mark.property
@given(value=st.text(st.sampled_from("ab ,-–."), max_size=60), limit=st.integers(2, 60))
def test_a_cut_text_holds_the_limit_and_is_a_prefix(value: str, limit: int) -> None:
    value = text.plain(value, is_html=False)
    shortened = text.shorten(value, limit)
    assert len(shortened) <= limit
    assert shortened == value or (len(value) > limit and value.startswith(shortened[:-1]))


@pytest.mark.property
@given(markup=ANY_TEXT, source=st.from_regex(re.compile(r"[a-z]{3,9}\.png"), fullmatch=True))
def test_any_text_may_precede_an_image(markup: str, source: str) -> None:
    assert text.images(f'<img src="{source}">{markup}')[0] == source
