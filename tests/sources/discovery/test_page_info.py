"""What a page of a feed says of other pages."""

from __future__ import annotations

import io

import pytest

from converter.errors import DocumentError
from converter.sources.discovery import pagination
from converter.sources.discovery.pagination import PageInfo
from converter.sources.source import Source

HERE = "https://ex.com/blog/feed.xml"
SPACES = (
    'xmlns:a="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0" '
    'xmlns:x="http://ex.com/none"'
)
ATOM = "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/a/'>%s</feed>"
RDF = (
    f"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' {SPACES} "
    "xmlns='http://purl.org/rss/1.0/'><channel>%s</channel><item/></rdf:RDF>"
)


def look(markup: str, *links: tuple[str, str], url: str | None = HERE) -> PageInfo:
    stream = io.BytesIO(markup.encode())
    seen = pagination.page_info(
        Source(
            name="f", stream=stream, total_bytes=None, consumed=stream.tell, url=url, links=links
        )
    )
    assert stream.tell() == 0
    return seen


def rss(head: str = "", items: str = "<item><guid>1</guid></item>") -> str:
    return f"<rss version='2.0' {SPACES}><channel>{head}{items}</channel></rss>"


@pytest.mark.parametrize(
    ("markup", "links"),
    [
        (rss(), {}),
        (rss("<a:link rel='next' href='/p2'/>"), {"next": "https://ex.com/p2"}),
        (rss("<a:link rel='NEXT' href='p2'/>"), {"next": "https://ex.com/blog/p2"}),
        (rss("<link>https://ex.com/</link><a:link rel='hub' href='/h'/>"), {}),
        (rss("<a:link rel='next'/><a:link rel='next' href='mailto:x'/>"), {}),
        (
            rss("<a:link rel='next' href='/1'/><a:link rel='next' href='/2'/>"),
            {"next": "https://ex.com/1"},
        ),
        (rss(items="<item><a:link rel='next' href='/p2'/></item>"), {}),
        (
            ATOM % "<link rel='prev-archive' href='p1'/><link rel='current' href='c'/>",
            {"prev-archive": "https://ex.com/a/p1"},
        ),
        (
            ATOM % "<link rel='http://www.iana.org/assignments/relation/next' href='n'/>",
            {"next": "https://ex.com/a/n"},
        ),
        (
            rss("<a:link rel='next' href='https://me:pw@other.com/p2'/>"),
            {"next": "https://other.com/p2"},
        ),
        (RDF % "<a:link rel='next' href='/2'/>", {"next": "https://ex.com/2"}),
        (rss() + "</broken", {}),
    ],
)
def test_links_to_other_pages_are_read(markup: str, links: dict[str, str]) -> None:
    seen = look(markup)
    assert seen is not None
    assert seen.links == links


def test_a_link_header_is_used_if_the_feed_has_no_link() -> None:
    header = (("next", "https://ex.com/h2"), ("hub", "https://ex.com/hub"))
    quiet, loud = look(rss(), *header), look(rss("<a:link rel='next' href='/p2'/>"), *header)
    assert quiet
    assert loud
    assert quiet.links == {"next": "https://ex.com/h2"}
    assert loud.links == {"next": "https://ex.com/p2"}


def test_a_local_feed_needs_absolute_links() -> None:
    seen = look(rss("<a:link rel='next' href='/p2'/>"), url=None)
    assert seen
    assert seen.links == {}


@pytest.mark.parametrize(
    ("head", "is_archive", "is_complete", "is_wordpress"),
    [
        ("<fh:archive/>", True, False, False),
        ("<fh:complete/>", False, True, False),
        ("<x:archive/><archive/>", False, False, False),
        ("<generator>https://wordpress.org/?v=6.8.1</generator>", False, False, True),
        ("<generator>http://wordpress.com/</generator>", False, False, True),
        ("<generator>Hugo</generator>", False, False, False),
    ],
)
def test_page_info_recognises_archives_complete_feeds_and_wordpress(
    head: str,
    is_archive: bool,
    is_complete: bool,
    is_wordpress: bool,
) -> None:
    seen = look(rss(head))
    assert seen
    assert (seen.is_archive, seen.is_complete) == (is_archive, is_complete)
    assert seen.is_wordpress == is_wordpress


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("<guid>1</guid><link>a</link>", "<guid>1</guid><link>b</link>", True),
        ("<guid>1</guid>", "<guid>2</guid>", False),
        ("<link>a</link><title>x</title>", "<title>y</title><link>a</link>", True),
        ("<title>x</title>", "<title>x</title>", True),
        ("<title>x</title>", "<title>y</title>", False),
        ("<guid> </guid><link>a</link>", "<link>b</link>", False),
    ],
)
def test_entries_are_distinguished_by_id_link_or_content(
    one: str, other: str, is_same: bool
) -> None:
    seen = [look(rss(items=f"<item>{inner}</item>")) for inner in (one, other)]
    assert seen[0]
    assert seen[1]
    assert (seen[0].keys == seen[1].keys) == is_same


@pytest.mark.parametrize("markup", ["", "text", "<rss", "<rss><channel><item>", "<urlset/>"])
def test_unreadable_content_is_not_a_page(markup: str) -> None:
    with pytest.raises(DocumentError, match=r"^f: .*--keep-going"):
        look(markup)


@pytest.mark.parametrize(
    ("url", "is_counted", "number", "third"),
    [
        ("https://ex.com/feed/", True, 1, "https://ex.com/feed/?paged=3"),
        ("https://ex.com/de/feed", True, 1, "https://ex.com/de/feed?paged=3"),
        ("https://ex.com/?feed=rss2", True, 1, "https://ex.com/?feed=rss2&paged=3"),
        ("https://ex.com/feed/?paged=7&x=%20", True, 7, "https://ex.com/feed/?x=%20&paged=3"),
        ("https://ex.com/feed/?paged=x", True, 1, "https://ex.com/feed/?paged=3"),
        ("https://ex.com/feed/?paged=0#x", True, 1, "https://ex.com/feed/?paged=3"),
        ("https://ex.com/feed.xml", False, 1, "https://ex.com/feed.xml?paged=3"),
        ("https://ex.com/newsfeed/", False, 1, "https://ex.com/newsfeed/?paged=3"),
        ("https://ex.com/?feedback=1", False, 1, "https://ex.com/?feedback=1&paged=3"),
    ],
)
def test_pages_are_counted(url: str, is_counted: bool, number: int, third: str) -> None:
    page = third.replace("paged=3", f"paged={number + 2}")
    assert pagination.wordpress_page(url, 2, is_wordpress=True) == page
    assert (pagination.wordpress_page(url, 2, is_wordpress=False) == page) == is_counted
