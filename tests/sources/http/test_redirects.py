"""Redirects: where they lead, when they end, and what is told of them."""

from __future__ import annotations

import gzip

import pytest

from tests.sources.http.conftest import Client
from tests.sources.http.server import Asked, Reply, Server

FEED = b"<rss/>"


def to(place: str, status: int = 302) -> Reply:
    return Reply(status, b"moved", {"Location": place})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_and_the_new_place_is_the_base(
    client: Client, web_server: Server, status: int
) -> None:
    web_server.routes |= {"/old": to("new/feed", status), "/new/feed": FEED}
    fetched = client.fetched(web_server.url("/old"))
    assert fetched.stream.read() == FEED
    assert fetched.name == web_server.url("/old")
    assert fetched.url == web_server.url("/new/feed")
    place = web_server.url("/new/feed")
    moved = [f"info [source-moved] moved permanently ({status}) to {place}; use that URL"]
    assert client.messages() == (moved if status in {301, 308} else [])
    assert all(issue.source == web_server.url("/old") for issue in client.issues)


def test_only_permanent_redirects_from_the_start_are_reported(
    client: Client, web_server: Server
) -> None:
    web_server.routes |= {"/1": to("/2", 301), "/2": to("/3", 302), "/3": to("/4", 301)}
    web_server.routes["/4"] = FEED
    client.fetched(web_server.url("/1"))
    assert [issue.message.rpartition("/")[2] for issue in client.issues] == ["2; use that URL"]


def test_a_redirect_with_one_slash_is_refused(client: Client, web_server: Server) -> None:
    web_server.routes["/old"] = Reply(302, headers={"Location": "http:/new"})
    said = client.refusal(web_server.url("/old"))
    assert "it redirects to http:/new, which is not an http(s) URL" in said


@pytest.mark.parametrize("place", ["/loop", "/loop#again", "loop", "//127.0.0.1:{port}/loop"])
def test_a_redirect_loop_lists_its_urls(client: Client, web_server: Server, place: str) -> None:
    web_server.routes["/loop"] = to(place.format(port=web_server.port))
    url = web_server.url("/loop")
    assert client.refusal(url) == f"{url}: the redirects lead back to an earlier URL: {url} → {url}"


def test_a_longer_loop_is_one_too(client: Client, web_server: Server) -> None:
    web_server.routes |= {"/a": to("/b"), "/b": to("/c"), "/c": to("/a")}
    assert "lead back to an earlier URL" in client.refusal(web_server.url("/a"))
    assert len(web_server.asked) == 3


def test_ten_redirects_are_followed_and_eleven_are_not(client: Client, web_server: Server) -> None:
    def further(asked: Asked) -> Reply:
        left = int(asked.path.partition("?")[2])
        return to(f"/r?{left - 1}") if left else Reply(body=FEED)

    web_server.routes["/r"] = further
    assert client.read(web_server.url("/r?10")) == FEED
    assert "more than 10 redirects, the last to" in client.refusal(web_server.url("/r?11"))


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("ftp://ex.com/feed", "not an http(s) URL"),
        ("file:///etc/passwd", "not an http(s) URL"),
        ("javascript:alert(1)", "not an http(s) URL"),
        ("http://[", "which is not a URL"),
        ("http://me:pw@[", '"http://[", which is not a URL'),
    ],
)
def test_a_redirect_to_no_page_is_not_followed(
    client: Client, web_server: Server, place: str, said: str
) -> None:
    web_server.routes["/r"] = to(place)
    assert said in client.refusal(web_server.url("/r"))


def test_a_redirect_without_location_is_an_error(client: Client, web_server: Server) -> None:
    web_server.routes["/r"] = Reply(302)
    assert "answered 302 Found; wanted 200" in client.refusal(web_server.url("/r"))


def test_a_location_outside_ascii_is_escaped(client: Client, web_server: Server) -> None:
    web_server.routes |= {"/r": to("/föd a".encode().decode("latin-1")), "/f%C3%B6d%20a": FEED}
    assert client.fetched(web_server.url("/r")).url == web_server.url("/f%C3%B6d%20a")


def test_the_body_of_a_redirect_is_never_read(client: Client, web_server: Server) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    headers = {"Location": "/feed", "Content-Encoding": "gzip"}
    web_server.routes |= {"/r": Reply(302, bomb, headers), "/feed": FEED}
    assert client.read(web_server.url("/r")) == FEED
