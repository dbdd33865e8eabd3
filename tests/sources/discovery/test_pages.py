"""The whole history of a feed, over a real server."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import converter
from converter.errors import DocumentError, HttpError, LimitError, SourceError
from tests.sources.discovery.conftest import FH, Site, locs, rss
from tests.sources.http.server import Asked, Raw, Reply


def atom(*pages: int, head: str = "") -> bytes:
    entries = "".join(
        f'<entry><id>tag:{page}</id><link href="https://ex.com/{page}"/></entry>' for page in pages
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom" {FH}>{head}{entries}</feed>'.encode()


def link(rel: str, href: str) -> str:
    return f'<atom:link rel="{rel}" href="{href}"/>'


def wordpress(posts: int, per_page: int = 10, head: str = "") -> Callable[[Asked], Reply]:
    """Serve a feed as WordPress does: counted pages, and 404 behind the last."""

    def feed(asked: Asked) -> Reply:
        page = int(parse_qs(urlsplit(asked.path).query).get("paged", ["1"])[0])
        first = (page - 1) * per_page
        numbers = range(posts - first, max(posts - first - per_page, 0), -1)
        return Reply(body=rss(*numbers, head=head)) if numbers else Reply(404)

    return feed


GENERATOR = "<generator>https://wordpress.org/?v=6.8</generator>"


# -- chains -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rel", "page"),
    [("next", rss), ("prev-archive", rss), ("next", atom), ("prev-archive", atom)],
)
def test_ten_pages_are_followed(site: Site, rel: str, page: Callable[..., bytes]) -> None:
    name = "atom:link" if page is rss else "link"
    for number in range(1, 11):
        lead = f'<{name} rel="{rel}" href="/p{number + 1}"/>' if number < 10 else ""
        head = lead + ("<fh:archive/>" if number > 1 and rel != "next" else "")
        site.server.routes[f"/p{number}"] = page(number, head=head)
    found, result = site.convert("/p1", follow_pages=True)
    assert found == locs(*range(1, 11))
    assert result.sources == 10
    assert result.found == (f"{site.url('/p1')}: a feed in pages; reading 10 pages of it",)
    assert site.codes() == []
    assert site.server.paths() == [f"/p{number}" for number in range(1, 11)]


def test_the_pages_of_a_json_feed_are_followed(site: Site) -> None:
    start = (
        '{"version": "https://jsonfeed.org/version/1.1", "next_url": "/p%d.json", "items": [%s]}'
    )
    for number in range(1, 4):
        item = f'{{"id": "{number}", "url": "https://ex.com/{number}"}}'
        page = (
            start % (number + 1, item) if number < 3 else (start % (9, item)).replace("next", "x")
        )
        site.server.routes[f"/p{number}.json"] = page.encode()
    found, result = site.convert("/p1.json", follow_pages=True)
    assert (found, result.sources) == (locs(1, 2, 3), 3)


def test_only_the_first_page_is_read_unless_asked(site: Site) -> None:
    site.server.routes["/p1"] = rss(1, head=link("next", "/p2"))
    found, result = site.convert("/p1")
    assert (found, result.found, site.server.paths()) == (locs(1), (), ["/p1"])


def test_the_link_header_names_the_next_page(site: Site) -> None:
    header = {"Link": '</p2>; rel="next", </other>; rel="hub"'}
    site.server.routes |= {"/p1": Reply(body=rss(1), headers=header), "/p2": rss(2)}
    assert site.convert("/p1", follow_pages=True)[0] == locs(1, 2)


def test_the_base_of_a_page_is_where_it_was_fetched_from(site: Site) -> None:
    to_archive = Reply(302, headers={"Location": "/archive/p2"})
    relative = b"<rss><channel><item><link>two</link></item></channel></rss>"
    site.server.routes |= {
        "/p1": rss(1, head=link("next", "p2")),
        "/p2": to_archive,
        "/archive/p2": relative,
    }
    found, _ = site.convert("/p1", follow_pages=True)
    assert found == [*locs(1), site.url("/archive/two")]


def test_from_an_archive_the_older_ones_are_read(site: Site) -> None:
    archive = "<fh:archive/>" + link("current", "/feed.xml")
    site.server.routes |= {
        "/feed.xml": rss(4, head=link("prev-archive", "/a3")),
        "/a3": rss(3, head=archive + link("prev-archive", "/a2")),
        "/a2": rss(2, head=archive + link("prev-archive", "/a1")),
        "/a1": rss(1, head=archive),
    }
    assert site.convert("/a3", follow_pages=True)[0] == locs(3, 2, 1)


def test_an_archive_may_be_empty_or_hold_nothing_new(site: Site) -> None:
    site.server.routes |= {
        "/f": rss(2, head=link("prev-archive", "/a3")),
        "/a3": rss(2, head=link("prev-archive", "/a2")),
        "/a2": rss(head=link("prev-archive", "/a1")),
        "/a1": rss(1),
    }
    assert site.convert("/f", follow_pages=True)[0] == locs(2, 1)


def test_a_complete_feed_has_no_more(site: Site) -> None:
    site.server.routes["/f"] = rss(1, head="<fh:complete/>" + link("next", "/p2"))
    assert site.convert("/f", follow_pages=True)[0] == locs(1)


def test_a_broken_feed_is_refused_with_follow_pages(site: Site) -> None:
    site.server.routes["/feed/"] = b"<rss><channel><item><title>x</b></title>"
    with pytest.raises(DocumentError, match="/feed/: not well-formed"):
        site.convert("/feed/", follow_pages=True)
    assert site.server.paths() == ["/feed/"]


def test_pages_of_a_local_feed_are_followed(site: Site) -> None:
    site.server.routes["/p2"] = rss(2)
    Path("feed.rss").write_bytes(rss(1, head=link("next", site.url("/p2"))))
    assert site.convert(Path("feed.rss"), follow_pages=True)[0] == locs(1, 2)


# -- ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize("back", ["/p1", "/p2", "/p1#x", "/again"])
def test_a_circle_ends(site: Site, back: str) -> None:
    site.server.routes |= {
        "/p1": rss(1, head=link("next", "/p2")),
        "/p2": rss(2, head=link("next", back)),
        "/again": Reply(301, headers={"Location": "/p1"}),
    }
    assert site.convert("/p1", follow_pages=True)[0] == locs(1, 2)
    assert "info [pages-circle]" in site.codes()
    assert len(site.server.paths()) <= 4


def test_endless_pages_without_new_entries_end(site: Site) -> None:
    def page(asked: Asked) -> bytes:
        number = int(re.sub(r"\D", "", asked.path) or 1)
        return rss(1, 2, head=link("next", f"/f?p={number + 1}"))

    site.server.routes["/f"] = page
    assert site.convert("/f", follow_pages=True)[0] == locs(1, 2)
    assert site.codes() == ["info [pages-circle]"]
    assert site.server.paths() == ["/f", "/f?p=2"]


def test_an_empty_page_is_the_end(site: Site) -> None:
    site.server.routes |= {
        "/p1": rss(1, head=link("next", "/p2")),
        "/p2": rss(head=link("next", "/p3")),
    }
    assert site.convert("/p1", follow_pages=True)[0] == locs(1)
    assert site.codes() == []


def test_no_more_pages_are_read_than_allowed(site: Site) -> None:
    for number in range(1, 6):
        site.server.routes[f"/p{number}"] = rss(number, head=link("next", f"/p{number + 1}"))
    found, _ = site.convert("/p1", follow_pages=True, max_pages=3)
    assert found == locs(1, 2, 3)
    assert site.codes() == ["warning [pages-cut]"]
    assert "Raise --max-pages" in site.issues[0].message
    assert site.server.paths() == ["/p1", "/p2", "/p3"]


# -- WordPress --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "head"), [("/blog", GENERATOR), ("/feed/", ""), ("/?feed=rss2", "")]
)
def test_the_pages_of_a_blog_of_300_posts(site: Site, path: str, head: str) -> None:
    site.server.routes[urlsplit(path).path] = wordpress(300, head=head)
    found, result = site.convert(path, follow_pages=True)
    assert found == locs(*range(300, 0, -1))
    assert result.sources == 30
    assert site.codes() == []
    assert len(site.server.paths()) == 31


@pytest.mark.parametrize("status", [404, 410])
def test_no_page_is_requested_after_the_last(site: Site, status: int) -> None:
    def feed(asked: Asked) -> Reply:
        return Reply(status) if "paged=" in asked.path else Reply(body=rss(1, head=GENERATOR))

    site.server.routes["/f"] = feed
    assert site.convert("/f", follow_pages=True)[0] == locs(1)
    assert site.codes() == []


@pytest.mark.parametrize(
    "rest", [rss(head=GENERATOR), rss(1, head=GENERATOR)], ids=["empty", "same"]
)
def test_an_empty_page_or_one_with_nothing_new_is_the_last(site: Site, rest: bytes) -> None:
    site.server.routes["/f"] = [rss(1, head=GENERATOR), rest]
    assert site.convert("/f", follow_pages=True)[0] == locs(1)
    assert site.codes() == []
    assert site.server.paths() == ["/f", "/f?paged=2"]


def test_counting_begins_with_the_page_of_the_url(site: Site) -> None:
    site.server.routes["/f"] = wordpress(50, head=GENERATOR)
    found, _ = site.convert("/f?x=1&paged=3", follow_pages=True)
    assert found == locs(*range(30, 0, -1))
    assert site.server.paths()[1] == "/f?x=1&paged=4"


def test_a_server_may_refuse_page_numbers(site: Site) -> None:
    site.server.routes["/feed/"] = lambda asked: (
        Reply(403) if "?" in asked.path else Reply(body=rss(1))
    )
    assert site.convert("/feed/", follow_pages=True)[0] == locs(1)


def test_blogs_that_name_the_next_page_are_not_counted(site: Site) -> None:
    blogger = "/feeds/posts/default"
    after = f"{blogger}?start-index=2&amp;max-results=1"
    site.server.routes[blogger] = lambda asked: (
        atom(1)
        if "start-index" in asked.path
        else atom(2, head=f'<link rel="next" href="{after}"/>')
    )
    assert site.convert(blogger, follow_pages=True)[0] == locs(2, 1)


# -- failures ---------------------------------------------------------------------------------

FAILURES = {
    "server": Reply(500),
    "gone": Reply(410),
    "page": b"<!DOCTYPE html><html><body>Sorry</body></html>",
    "broken": b"<rss><channel><item><",
    "nothing": b"",
    "gzip": gzip.compress(rss(7))[:11],
}


@pytest.mark.parametrize("answer", FAILURES.values(), ids=FAILURES)
def test_a_page_that_fails_leaves_the_old_output(site: Site, answer: Reply | bytes) -> None:
    site.server.routes |= {"/p1": rss(1, head=link("next", "/p2")), "/p2": answer}
    Path("out.txt").write_text("old", "utf-8")
    with pytest.raises((SourceError, DocumentError), match="/p2"):
        converter.convert(
            site.url("/p1"), "out.txt", allow_private_hosts=True, retries=0, follow_pages=True
        )
    assert Path("out.txt").read_text("utf-8") == "old"


@pytest.mark.parametrize("answer", FAILURES.values(), ids=FAILURES)
def test_keep_going_leaves_out_a_page_that_fails(site: Site, answer: Reply | bytes) -> None:
    site.server.routes |= {"/p1": rss(1, head=link("next", "/p2")), "/p2": answer}
    assert site.convert("/p1", follow_pages=True, keep_going=True)[0] == locs(1)
    assert site.codes() == ["warning [page-failed]"]
    assert "/p2" in site.issues[0].message


@pytest.mark.parametrize("head", [GENERATOR, ""], ids=["said", "guessed"])
@pytest.mark.parametrize(
    "answer", [Reply(503), *(FAILURES[name] for name in ("page", "broken", "gzip"))]
)
def test_a_numbered_page_that_fails_is_an_error(
    site: Site, answer: Reply | bytes, head: str
) -> None:
    site.server.routes["/feed/"] = [rss(2, head=head), rss(1, head=head), answer]
    with pytest.raises((SourceError, DocumentError), match="paged=3"):
        site.convert("/feed/", follow_pages=True)


@pytest.mark.parametrize("answer", [Reply(403), Reply(400), Reply(401), *FAILURES.values()])
def test_a_guessed_page_that_is_missing_ends_the_feed(site: Site, answer: Reply | bytes) -> None:
    site.server.routes["/feed/"] = [rss(1), answer]
    found, result = site.convert("/feed/", follow_pages=True)
    assert (found, site.codes(), result.found) == (locs(1), [], ())
    assert site.server.paths() == ["/feed/", "/feed/?paged=2"]


@pytest.mark.parametrize("answer", [Reply(429), Raw([b"HTTP/1.1 "])])
def test_a_guessed_page_without_an_answer_is_an_error(site: Site, answer: Reply | Raw) -> None:
    site.server.routes["/feed/"] = [rss(1), answer]
    with pytest.raises(HttpError, match="paged=2"):
        site.convert("/feed/", follow_pages=True)


def test_a_guessed_url_with_an_html_page_ends_the_feed(site: Site) -> None:
    home = Reply(302, headers={"Location": "/"})
    site.server.routes |= {"/feed/": [rss(1), home], "/": FAILURES["page"]}
    assert site.convert("/feed/", follow_pages=True)[0] == locs(1)
    assert site.codes() == []


def test_a_page_with_entries_before_its_break_is_read(site: Site) -> None:
    cut = rss(2, 3)[:-30]
    site.server.routes |= {"/p1": rss(1, head=link("next", "/p2")), "/p2": cut}
    found, _ = site.convert("/p1", follow_pages=True)
    assert found[:2] == locs(1, 2)
    assert "error [xml-broken]" in site.codes()


def test_a_first_page_that_has_to_be_saved_has_no_older_ones(site: Site) -> None:
    site.server.routes["/p1"] = rss(1).replace(b"</link>", b"</link><![CDATA[")
    assert site.convert("/p1", follow_pages=True)[0] == locs(1)
    assert "warning [page-failed]" in site.codes()


@pytest.mark.parametrize("options", [{"max_pages": 2}, {"keep_going": True}])
def test_an_incomplete_feed_is_not_called_complete(site: Site, options: dict[str, Any]) -> None:
    site.server.routes |= {
        "/p1": rss(1, head=link("next", "/p2")),
        "/p2": rss(2, head=link("next", "/p3")),
    }
    _, result = site.convert("/p1", follow_pages=True, **options)
    assert result.found == (f"{site.url('/p1')}: a feed in pages; reading 2 pages of it",)


# -- what is written --------------------------------------------------------------------------


@pytest.mark.parametrize("page", [rss, atom])
@pytest.mark.parametrize("to", ["rss", "atom"])
def test_concatenated_pages_lose_their_page_links(
    site: Site, page: Callable[..., bytes], to: str
) -> None:
    name = "atom:link" if page is rss else "link"
    lead = f'<{name} rel="%s" href="/%s"/>'
    hub = lead % ("hub", "hub")
    first = hub + lead % ("next", "p2") + lead % ("last", "p2") + lead % ("prev-archive", "p2")
    site.server.routes |= {"/p1": page(1, head=first), "/p2": page(2)}
    written = " ".join(site.convert("/p1", follow_pages=True, to=to)[0])
    assert "https://ex.com/2" in written
    assert site.url("/hub") in written
    assert site.url("/p2") not in written
    assert site.url("/p2") in " ".join(site.convert("/p1", to=to)[0])


def test_a_feed_cannot_reach_private_hosts(site: Site) -> None:
    Path("feed.rss").write_bytes(rss(1, head=link("next", site.url("/p2"))))
    with pytest.raises(LimitError, match="not on the public internet"):
        site.convert(Path("feed.rss"), follow_pages=True, allow_private_hosts=False)
    assert site.server.paths() == []


def test_pages_can_be_read_twice(site: Site) -> None:
    """An entry that comes again with more to say needs a second walk."""
    dated = "<item><link>https://ex.com/1</link><pubDate>1 Jan 2025 10:00 GMT</pubDate></item>"
    site.server.routes |= {
        "/p1": rss(1, head=link("next", "/p2")),
        "/p2": rss(2, head=dated),
    }
    words, _ = site.convert("/p1", follow_pages=True, to="sitemap")
    assert (
        "<url><loc>https://ex.com/1</loc><lastmod>2025-01-01T10:00:00+00:00</lastmod></url>"
        in words
    )
    assert site.server.paths() == ["/p1", "/p2"]
