"""What is read in the place of a page, a list of feeds or a sitemap index, over a real server."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path

import pytest

import converter
from converter.errors import (
    DocumentError,
    HttpError,
    LimitError,
    RefusedError,
    SourceError,
    UnknownFormatError,
)
from tests.builders import codes
from tests.sources.discovery.conftest import Site, locs, rss
from tests.sources.http.server import Asked, Raw, Reply


def urlset(*pages: int) -> bytes:
    return b"<urlset>%s</urlset>" % b"".join(
        b"<url><loc>https://ex.com/%d</loc></url>" % page for page in pages
    )


def index(*children: str) -> bytes:
    listed = "".join(f"<sitemap><loc>{child}</loc></sitemap>" for child in children)
    return f"<sitemapindex>{listed}</sitemapindex>".encode()


def html(*links: tuple[str, str, str]) -> bytes:
    told = "".join(
        f'<link rel="alternate" type="{kind}" title="{title}" href="{href}">\n'
        for kind, title, href in links
    )
    return f"<!DOCTYPE html>\n<html><head>{told}</head><body><p>Hello</body></html>".encode()


def opml(*feeds: str) -> bytes:
    outlines = "".join(f'<outline text="x" type="rss" xmlUrl="{feed}"/>' for feed in feeds)
    return f'<opml version="2.0"><head/><body>{outlines}</body></opml>'.encode()


RSS, ATOM = "application/rss+xml", "application/atom+xml"
BLOG = html(
    (RSS, "Blog » Comments Feed", "/comments/feed/"),
    (RSS, "Blog » Feed", "/feed/"),
    (ATOM, "Blog » Atom", "/atom/"),
)
FEEDS = {"/": BLOG, "/feed/": rss(1, 2), "/atom/": rss(2, 3), "/comments/feed/": rss(9)}


# -- pages ------------------------------------------------------------------------------------


def test_the_main_feed_of_a_page_is_read_and_named(site: Site) -> None:
    site.server.routes |= FEEDS
    found, result = site.convert("/")
    assert found == locs(1, 2)
    reading = f"{site.url('/')}: an HTML page; reading its feed {site.url('/feed/')}"
    assert result.found == (f"{reading} (it names 2 more, which --all-feeds reads too)",)
    assert site.codes() == []


def test_all_feeds_of_a_page_are_read_those_of_comments_last(site: Site) -> None:
    site.server.routes |= FEEDS
    found, result = site.convert("/", all_feeds=True)
    assert found == locs(1, 2, 3, 9)
    assert result.found == (f"{site.url('/')}: an HTML page; reading its 3 feeds",)


def test_the_feed_of_a_page_may_have_pages(site: Site) -> None:
    site.server.routes |= {"/": html((RSS, "", "feed/")), "/feed/": [rss(2), rss(1), Reply(404)]}
    found, result = site.convert("/", follow_pages=True)
    assert found == locs(2, 1)
    assert len(result.found) == 2


def test_links_of_a_page_are_relative_to_its_url_after_redirects(site: Site) -> None:
    site.server.routes |= {
        "/": Reply(302, headers={"Location": "/blog/"}),
        "/blog/": html((RSS, "", "feed.rss")),
        "/blog/feed.rss": rss(1),
    }
    assert site.convert("/")[0] == locs(1)


def test_a_page_without_a_feed_has_the_sitemap_of_its_host(site: Site) -> None:
    robots = f"User-agent: *\nSitemap: {site.url('/a.xml')}\nsitemap: /b.xml # more\n".encode()
    site.server.routes |= {
        "/x/": html(),
        "/robots.txt": robots,
        "/a.xml": urlset(1),
        "/b.xml": urlset(2),
    }
    found, result = site.convert("/x/")
    assert found == locs(1)
    assert "an HTML page without a feed; reading its sitemap" in result.found[0]
    assert "1 more, which --all-feeds" in result.found[0]
    assert site.convert("/x/", all_feeds=True)[0] == locs(1, 2)


@pytest.mark.parametrize("robots", [Reply(404), Reply(500), b"User-agent: *\n", html()])
def test_without_robots_txt_the_usual_sitemap_url_is_tried(
    site: Site, robots: Reply | bytes
) -> None:
    site.server.routes |= {
        "/": html(),
        "/robots.txt": robots,
        "/sitemap.xml": index(site.url("/a.xml")),
        "/a.xml": urlset(1),
    }
    found, result = site.convert("/")
    assert found == locs(1)
    assert result.found[0].endswith(f"reading its sitemap {site.url('/sitemap.xml')}")


def test_a_broken_connection_is_not_a_missing_robots_txt(site: Site) -> None:
    site.server.routes |= {
        "/": html(),
        "/robots.txt": Raw([b"HTTP/1.1 "]),
        "/sitemap.xml": urlset(1),
    }
    with pytest.raises(HttpError, match=r"robots\.txt"):
        site.convert("/")


@pytest.mark.parametrize("usual", [Reply(404), html()])
def test_a_page_without_feed_and_sitemap_is_an_error(site: Site, usual: Reply | bytes) -> None:
    site.server.routes |= {"/": html(), "/sitemap.xml": usual}
    with pytest.raises(UnknownFormatError, match="an HTML page that names no feed, on a host"):
        site.convert("/")


def test_a_missing_feed_of_a_page_ends_the_run(site: Site) -> None:
    site.server.routes["/"] = html((RSS, "", "/gone"))
    with pytest.raises(HttpError, match="/gone"):
        site.convert("/")


def test_an_html_file_is_not_a_source(site: Site) -> None:
    Path("page.html").write_bytes(html((RSS, "", site.url("/feed"))))
    with pytest.raises(UnknownFormatError, match="which names as its feed"):
        site.convert(Path("page.html"))
    assert site.server.paths() == []


def test_a_program_reads_pages_and_feeds_by_their_url(site: Site) -> None:
    site.server.routes |= FEEDS
    with converter.read(site.url("/"), allow_private_hosts=True) as document:
        assert [entry.loc for entry in document.entries] == locs(1, 2)
        assert document.feed.source == site.url("/feed/")
    with converter.read(site.url("/"), allow_private_hosts=True, all_feeds=True) as document:
        assert [entry.loc for entry in document.entries] == locs(1, 2, 2, 3, 9)
        assert document.feed.format == "rss"


def test_a_feed_in_gzip_is_unpacked(site: Site) -> None:
    site.server.routes |= {"/": html((RSS, "", "/f.rss.gz")), "/f.rss.gz": gzip.compress(rss(1))}
    assert site.convert("/")[0] == locs(1)
    assert site.convert("/f.rss.gz")[0] == locs(1)


# -- several ----------------------------------------------------------------------------------


def test_sources_are_fetched_side_by_side_and_read_in_their_order(site: Site) -> None:
    def slowly(asked: Asked) -> bytes:
        site.server.rest(0.2)
        return rss(int(asked.path[1:]))

    site.server.routes |= {f"/{number}": slowly for number in range(3)}
    Path("9.rss").write_bytes(rss(9))
    found, result = site.convert("/2", Path("9.rss"), "/0", "/1")
    assert found == locs(2, 9, 0, 1)
    assert result.sources == 4
    assert site.server.most_at_once == 2


def test_of_several_sources_that_fail_the_first_is_named(site: Site) -> None:
    site.server.routes |= {"/a": rss(1)}
    with pytest.raises(HttpError, match="/bad1"):
        site.convert("/a", "/bad1", "/bad2")


def test_names_in_notes_cannot_forge_a_line(site: Site) -> None:
    site.server.routes |= FEEDS | {"/%E2%80%A8x": BLOG}
    _, result = site.convert("/\u2028x")
    assert result.found
    assert all(sentence.isprintable() for sentence in result.found)


# -- lists ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_local", [False, True])
def test_the_feeds_of_a_list_are_read_in_its_order(site: Site, is_local: bool) -> None:
    listed = opml(site.url("/c"), site.url("/a"), site.url("/b"), site.url("/a"))
    site.server.routes |= {"/l": listed, "/a": rss(1), "/b": rss(2), "/c": rss(3)}
    Path("feeds.opml").write_bytes(listed)
    found, result = site.convert(Path("feeds.opml") if is_local else "/l")
    assert found == locs(3, 1, 2)
    assert result.found[0].endswith(": an OPML list; reading its 3 feeds")
    assert result.sources == 3


def test_a_list_may_come_from_a_stream(site: Site) -> None:
    site.server.routes["/a"] = rss(1)
    assert site.convert(io.BytesIO(opml(site.url("/a"))))[0] == locs(1)


@pytest.mark.parametrize("inner", [opml("http://ex.com/"), index("http://ex.com/")])
def test_a_list_in_a_list_is_refused(site: Site, inner: bytes) -> None:
    site.server.routes |= {"/l": opml(site.url("/m")), "/m": inner}
    with pytest.raises(SourceError, match="but it is a list itself"):
        site.convert("/l")


def test_a_list_that_names_itself_is_refused(site: Site) -> None:
    site.server.routes["/l"] = opml(site.url("/l"))
    with pytest.raises(SourceError, match="but it is a list itself"):
        site.convert("/l")


UNFIT = {
    "server": Reply(500),
    "page": b"<!DOCTYPE html><html></html>",
    "gzip": gzip.compress(rss(7))[:11],
    "coding": Reply(body=gzip.compress(rss(7))[:11], headers={"Content-Encoding": "gzip"}),
    "foreign coding": Reply(body=rss(7), headers={"Content-Encoding": "br"}),
    "xml": b"<rss><channel><item><",
    "list": opml("http://ex.com/"),
    "index": index("http://ex.com/"),
    "nothing": b"",
    "loop": Reply(302, headers={"Location": "/bad"}),
}


@pytest.mark.parametrize("answer", UNFIT.values(), ids=UNFIT)
def test_a_feed_of_a_list_that_fails(site: Site, answer: Reply | bytes) -> None:
    feeds = [site.url(path) for path in ("/a", "/bad", "/b", "/bad2")]
    site.server.routes |= {"/l": opml(*feeds), "/a": rss(1), "/b": rss(2), "/bad": answer}
    with pytest.raises((SourceError, DocumentError), match="/bad"):
        site.convert("/l")
    found, _ = site.convert("/l", keep_going=True)
    assert found == locs(1, 2)
    assert site.codes() == ["warning [feed-failed]"] * 2
    assert [issue.entry for issue in site.issues] == [site.url("/bad"), site.url("/bad2")]
    assert {issue.source for issue in site.issues} == {site.url("/l")}


def test_the_feeds_that_are_fit_are_fetched_once(site: Site) -> None:
    paths = ["/a", "/bad", "/b", "/bad2", "/c", "/bad3"]
    site.server.routes |= {"/l": opml(*map(site.url, paths))}
    site.server.routes |= {f"/{name}": rss(number) for number, name in enumerate("abc")}
    assert site.convert("/l", keep_going=True)[0] == locs(0, 1, 2)
    assert sorted(site.server.paths()) == sorted(["/l", *paths])


def test_a_feed_that_contradicts_from_is_left_out(site: Site) -> None:
    atom = b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>x</id></entry></feed>"
    site.server.routes |= {
        "/l": opml(site.url("/atom"), site.url("/a")),
        "/atom": atom,
        "/a": rss(1),
    }
    assert site.convert("/l", keep_going=True, format="rss")[0] == locs(1)
    assert site.codes() == ["warning [feed-failed]"]


def test_a_limit_ends_the_run_even_with_keep_going(site: Site) -> None:
    site.server.routes |= {"/l": opml(site.url("/a"), site.url("/big")), "/a": rss(1)}
    site.server.routes["/big"] = rss(*range(100))
    with pytest.raises(LimitError, match="/big"):
        site.convert("/l", keep_going=True, max_bytes=1000)


def test_a_list_without_a_readable_feed_is_refused(site: Site) -> None:
    site.server.routes["/l"] = opml(site.url("/a"), site.url("/b"))
    with converter.read(
        site.url("/l"), allow_private_hosts=True, retries=0, keep_going=True
    ) as document:
        assert list(document.entries) == []
        assert document.feed.source == site.url("/l")
        assert codes(document.issues) == ["feed-failed"] * 2
    with pytest.raises(RefusedError):
        site.convert("/l", keep_going=True, to="sitemap")


def test_an_empty_or_broken_list_is_an_error(site: Site) -> None:
    site.server.routes |= {"/l": opml(), "/m": b"<opml><body><outline xmlUrl='"}
    with pytest.raises(UnknownFormatError, match="names no feed"):
        site.convert("/l")
    with pytest.raises(DocumentError, match=r"/m: "):
        site.convert("/m")


# -- indexes ----------------------------------------------------------------------------------


def test_the_children_of_an_index_are_fetched_in_its_order(site: Site) -> None:
    children = [f"/{number}.xml" for number in range(20, 0, -1)]
    site.server.routes["/i.xml"] = index(site.url("/x.xml.gz"), *children)
    site.server.routes["/x.xml.gz"] = gzip.compress(urlset(0))
    for number in range(1, 21):
        site.server.routes[f"/{number}.xml"] = urlset(number)
    found, result = site.convert("/i.xml")
    assert found == locs(0, *range(20, 0, -1))
    assert (result.sources, site.codes()) == (21, [])


def test_children_next_to_a_local_index_are_not_fetched(site: Site) -> None:
    site.server.routes["/b.xml"] = urlset(2)
    Path("a.xml").write_bytes(urlset(1))
    Path("c.xml").write_bytes(urlset(3))
    Path("i.xml").write_bytes(index(site.url("/a.xml"), site.url("/b.xml"), "c.xml"))
    assert site.convert(Path("i.xml"))[0] == locs(1, 2, 3)
    assert site.server.paths() == ["/b.xml"]


def test_an_index_from_a_stream_names_urls(site: Site) -> None:
    site.server.routes["/a.xml"] = urlset(1)
    assert site.convert(io.BytesIO(index(site.url("/a.xml"))))[0] == locs(1)


def test_a_program_reads_an_index_by_its_url(site: Site) -> None:
    site.server.routes |= {"/i.xml": index("/a.xml"), "/a.xml": urlset(1, 2)}
    with converter.read(site.url("/i.xml"), allow_private_hosts=True) as document:
        assert document.children == ("/a.xml",)
        assert [entry.loc for entry in document.entries] == locs(1, 2)


@pytest.mark.parametrize(
    ("children", "error", "said"),
    [
        (["/j.xml"], SourceError, "names it as a sitemap"),
        (["/i.xml"], SourceError, "leads to the index itself"),
        (["/i.xml#x"], SourceError, "leads to the index itself"),
        (["/back.xml"], SourceError, "leads to the index itself"),
        (["/a.xml", "/same.xml"], SourceError, "or to another child"),
        (["/a.xml", "/gone.xml"], HttpError, "/gone.xml"),
        (["/a.xml", "/page.xml"], DocumentError, "an HTML page"),
        (["ftp://ex.com/a.xml"], SourceError, "not an http"),
        (["file:///etc/passwd"], SourceError, "not an http"),
    ],
)
def test_a_source_that_cannot_be_followed_ends_the_run(
    site: Site, children: list[str], error: type[Exception], said: str
) -> None:
    site.server.routes |= {
        "/i.xml": index(*children),
        "/j.xml": index("/a.xml"),
        "/a.xml": urlset(1),
        "/back.xml": Reply(302, headers={"Location": "/i.xml"}),
        "/same.xml": Reply(302, headers={"Location": "/a.xml"}),
        "/page.xml": html(),
    }
    Path("out.txt").write_text("old", "utf-8")
    with pytest.raises(error, match=said):
        converter.convert(
            site.url("/i.xml"), "out.txt", allow_private_hosts=True, retries=0, keep_going=True
        )
    assert Path("out.txt").read_text("utf-8") == "old"


def test_a_child_on_another_host_is_read_and_reported(site: Site) -> None:
    other = site.server.url("/a.xml", host="localhost")
    site.server.routes |= {"/i.xml": index(other), "/a.xml": urlset(1)}
    assert site.convert("/i.xml")[0] == locs(1)
    assert site.codes() == ["info [child-elsewhere]"]


def test_an_index_cannot_reach_private_hosts(site: Site) -> None:
    Path("i.xml").write_bytes(index(site.url("/a.xml")))
    with pytest.raises(LimitError, match="not on the public internet"):
        site.convert(Path("i.xml"), allow_private_hosts=False)
    assert site.server.paths() == []


def test_progress_counts_what_was_fetched(site: Site) -> None:
    site.server.routes |= {
        "/i.xml": index("/a.xml", "/b.xml"),
        "/a.xml": urlset(1),
        "/b.xml": urlset(2),
    }
    seen: list[tuple[int, int | None]] = []
    site.convert("/i.xml", progress=lambda *told: seen.append(told))
    size = len(urlset(1)) + len(urlset(2))
    assert seen[-1] == (size, size)


def test_many_pages_need_few_descriptors_and_little_memory(site: Site) -> None:
    children = [f"/{number}.xml" for number in range(200)]
    site.server.routes["/i.xml"] = index(*children)
    for number in range(200):
        site.server.routes[f"/{number}.xml"] = urlset(number)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with converter.read(site.url("/i.xml"), allow_private_hosts=True) as document:
        assert len(os.listdir("/proc/self/fd")) - before < 20  # noqa: PTH208
        assert len(list(document.entries)) == 200


def test_many_urls_need_few_descriptors(site: Site) -> None:
    for number in range(100):
        site.server.routes[f"/{number}.xml"] = urlset(number)
    before, most = len(os.listdir("/proc/self/fd")), 0  # noqa: PTH208

    def progress(*_: object) -> None:
        nonlocal most
        most = max(most, len(os.listdir("/proc/self/fd")))  # noqa: PTH208

    found, _ = site.convert(*(f"/{number}.xml" for number in range(100)), progress=progress)
    assert found == locs(*range(100))
    assert 0 < most - before < 40


def test_no_thread_outlives_the_fetches(site: Site) -> None:
    """Processes are forked only where there are no threads."""
    site.server.routes |= {"/a": rss(1), "/b": index(site.url("/c")), "/c": urlset(2)}
    named: list[str] = []

    def progress(*_: object) -> None:
        named.extend(thread.name for thread in threading.enumerate())

    assert site.convert("/a", "/b", progress=progress)[0] == locs(1, 2)
    assert named
    assert not [name for name in named if name.startswith(("fetch", "await"))]
