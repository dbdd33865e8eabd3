"""Which feeds a page names, and which of them is its own."""

from __future__ import annotations

import pytest

from converter.xml.html import feed_links

HERE = "https://ex.com/blog/post?x=1"
RSS = 'rel="alternate" type="application/rss+xml"'


def urls(markup: str, url: str = HERE) -> list[str]:
    return feed_links(markup.encode(), url)


@pytest.mark.parametrize(
    ("link", "url"),
    [
        (f'<link {RSS} href="/feed">', "https://ex.com/feed"),
        (f'<LINK {RSS} HREF="feed">', "https://ex.com/blog/feed"),
        (f"<link {RSS} href=' //cdn.ex.com/feed '>", "https://cdn.ex.com/feed"),
        (f'<link {RSS} href="feed://ex.com/feed">', "http://ex.com/feed"),
        (f'<link {RSS} href="/feed?a=1&amp;b=2">', "https://ex.com/feed?a=1&b=2"),
        (f'<link {RSS} href="/feed#top">', "https://ex.com/feed"),
        (f'<link {RSS} href="https://me:secret@ex.com/feed">', "https://ex.com/feed"),
        (f'<base href="/other/"><link {RSS} href="feed">', "https://ex.com/other/feed"),
        (f'<base target="_top"><link {RSS} href="feed">', "https://ex.com/blog/feed"),
        (f'<body><p><link {RSS} href="/feed">', "https://ex.com/feed"),
        ('<link rel="ALTERNATE home" type="application/atom+xml" href="/a">', "https://ex.com/a"),
        (
            '<link rel=alternate type="Application/RSS+XML; charset=utf-8" href=/f>',
            "https://ex.com/f",
        ),
        ('<link rel=alternate type="application/rdf+xml" href=/f>', "https://ex.com/f"),
        ('<link rel=alternate type="application/feed+json" href=/j>', "https://ex.com/j"),
        (
            '<link rel=alternate type="application/json" href=/feed.json>',
            "https://ex.com/feed.json",
        ),
        ('<link rel=alternate type="text/xml" title="RSS" href=/x>', "https://ex.com/x"),
        ('<link rel=alternate type="application/xml" href=/feed.xml>', "https://ex.com/feed.xml"),
    ],
)
def test_a_feed_is_named(link: str, url: str) -> None:
    assert urls(f"<!DOCTYPE html><html><head>{link}") == [url]


@pytest.mark.parametrize(
    "link",
    [
        '<link rel="stylesheet" type="application/rss+xml" href="/f">',
        '<link rel="alternate stylesheet" type="text/xml" title="feed" href="/f">',
        '<link rel="alternate" hreflang="de" href="/de/feed">',
        '<link rel="alternate" type="text/html" title="feed" href="/feed">',
        '<link rel="alternate" type="text/xml" href="/export">',
        '<link rel="alternate" type="text/xml+oembed" title="feed" href="/f">',
        '<link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">',
        f"<link {RSS}>",
        f'<link {RSS} href="">',
        f'<link {RSS} href="javascript:void(0)">',
        f'<a {RSS} href="/f">feed</a>',
        f'<!-- <link {RSS} href="/f"> -->',
        f"<script>'<link {RSS} href=\"/f\">'</script>",
    ],
)
def test_other_links_are_not_feeds(link: str) -> None:
    assert urls(f"<html><head><title>x</title>{link}</head><body>") == []


@pytest.mark.parametrize("markup", ["", " ", "<", "\0", "plain text", "<!DOCTYPE html>"])
def test_content_that_is_not_html_has_no_feed_links(markup: str) -> None:
    assert urls(markup) == []


def test_a_page_may_be_xhtml() -> None:
    head = '<?xml version="1.0" encoding="iso-8859-1"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD X" "x">'
    page = f'{head}<html xmlns="http://www.w3.org/1999/xhtml"><head><link {RSS} href="/f" /></head>'
    assert urls(page) == ["https://ex.com/f"]


def test_each_is_named_once_in_the_order_of_the_page() -> None:
    links = "".join(f'<link {RSS} href="/{name}">' for name in ("b", "a", "b#x", "c"))
    assert urls(links) == [f"https://ex.com/{name}" for name in "bac"]


@pytest.mark.parametrize(
    ("feeds", "main"),
    [
        ([("Blog", "/feed"), ("Blog » Comments", "/x")], "/feed"),
        ([("Blog » Comments Feed", "/x"), ("Blog", "/feed")], "/feed"),
        ([("", "/comments/feed/"), ("", "/feed/")], "/feed/"),
        ([("Blog » Kommentar-Feed", "/a"), ("Blog » Feed", "/b")], "/b"),
        ([("Flux des commentaires", "/a"), ("Flux", "/b")], "/b"),
        ([("Comentarios", "/a"), ("Blog", "/b")], "/b"),
        ([("Comments", "/a"), ("More comments", "/b")], "/a"),
    ],
)
def test_the_main_feed_is_not_that_of_the_comments(feeds: list[tuple[str, str]], main: str) -> None:
    links = "".join(f'<link {RSS} href="{path}" title="{title}">' for title, path in feeds)
    found = urls(f"<html><head>{links}", "https://comments.ex.com/")
    assert found[0] == f"https://comments.ex.com{main}"
    assert len(found) == len(feeds)


@pytest.mark.parametrize(
    ("link", "feeds"),
    [
        (f'<link {RSS} href=" /feed#x ">', ["/feed"]),
        (f'<link {RSS} href="feed://ex.com/a?b=1&amp;c">', ["http://ex.com/a?b=1&c"]),
        (f'<base href="https://ex.com/a/"><link {RSS} href="b">', ["https://ex.com/a/b"]),
        (f'<base href="/a/"><link {RSS} href="b">', ["b"]),
        (f'<link {RSS} href="mailto:me@ex.com">', []),
        (f"<link {RSS}>", []),
    ],
)
def test_relative_links_of_a_page_without_a_known_url_stay_as_they_are(
    link: str, feeds: list[str]
) -> None:
    assert feed_links(link.encode(), None) == feeds


def test_bytes_of_any_encoding_are_read() -> None:
    page = f'<meta charset="utf-16"><title>Grüße</title><link {RSS} href="/f">'
    for encoding in ("utf-8", "cp1252", "utf-16"):
        assert feed_links(page.encode(encoding), HERE) == ["https://ex.com/f"], encoding
