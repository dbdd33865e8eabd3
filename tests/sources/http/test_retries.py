"""Another try: for what may pass, as often and as late as was asked for."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from converter.conversion.clock import now
from converter.errors import HttpError
from tests.sources.http.conftest import Client
from tests.sources.http.server import Answer, Raw, Reply, Server

FEED = b"<rss/>"
CUT = Reply(body=FEED, headers={"Content-Length": "100"})


@pytest.mark.parametrize("status", [429, 500, 504])
def test_two_failures_and_then_a_document(client: Client, web_server: Server, status: int) -> None:
    web_server.routes["/f"] = [Reply(status), Reply(status), FEED]
    assert client.read(web_server.url("/f"), retries=2) == FEED
    assert len(web_server.asked) == 3
    assert client.issues == []


def test_the_last_answer_is_shown_when_no_retry_is_left(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = Reply(503)
    with pytest.raises(HttpError) as caught:
        client.fetched(web_server.url("/f"), retries=1)
    assert caught.value.status == 503
    assert str(caught.value).endswith(
        "/f: the server answered 503 Service Unavailable. "
        "Try later, or ask the owner of the site (tried 2 times)"
    )


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 501])
def test_a_permanent_error_is_not_retried(client: Client, web_server: Server, status: int) -> None:
    web_server.routes["/f"] = [Reply(status), FEED]
    client.refusal(web_server.url("/f"), retries=3)
    assert len(web_server.asked) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_obeyed(client: Client, web_server: Server, status: int) -> None:
    web_server.routes["/f"] = [Reply(status, headers={"Retry-After": "1"}), FEED]
    began = time.monotonic()
    assert client.read(web_server.url("/f"), retries=1) == FEED
    assert time.monotonic() - began >= 1


@pytest.mark.parametrize("after", ["3600", formatdate(now().timestamp() + 7200, usegmt=True)])
def test_a_retry_after_beyond_the_deadline_ends_the_fetch(
    client: Client, web_server: Server, after: str
) -> None:
    web_server.routes["/f"] = [Reply(429, headers={"Retry-After": after}), FEED]
    began = time.monotonic()
    said = client.refusal(web_server.url("/f"), retries=1)
    assert time.monotonic() - began < 5
    assert "the next attempt is due in" in said
    assert "later than --timeout 20 allows" in said
    assert len(web_server.asked) == 1


@pytest.mark.parametrize("after", ["soon", "-5", "Fri, 99 Abc 2026", "9" * 5000, ""])
def test_an_unreadable_retry_after_is_ignored(
    client: Client, web_server: Server, after: str
) -> None:
    web_server.routes["/f"] = [Reply(503, headers={"Retry-After": after}), FEED]
    assert client.read(web_server.url("/f"), retries=1) == FEED


@pytest.mark.parametrize(
    "broken",
    [
        CUT,
        Raw([]),
        Raw([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<rss/>\r\n"]),
        Raw([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<rs"]),
        Raw([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<rss/>\r\n"]),
    ],
    ids=["cut short", "no answer", "chunks end early", "chunk cut", "chunk damaged"],
)
def test_a_body_that_breaks_off_is_fetched_again(
    client: Client, web_server: Server, broken: Answer
) -> None:
    web_server.routes["/f"] = [broken, FEED]
    assert client.read(web_server.url("/f"), retries=1) == FEED
    assert len(web_server.asked) == 2


def test_a_body_that_is_cut_short_every_time_is_an_error(
    client: Client, web_server: Server
) -> None:
    web_server.routes["/f"] = CUT
    said = client.refusal(web_server.url("/f"), retries=1)
    assert said.endswith("the body is shorter than the server announced (tried 2 times)")


def test_a_redirect_and_its_target_share_the_retries(client: Client, web_server: Server) -> None:
    moved = Reply(302, headers={"Location": "/g"})
    web_server.routes |= {"/f": [Reply(500), moved], "/g": [Reply(500), FEED]}
    assert "(tried 2 times)" in client.refusal(web_server.url("/f"), retries=1)
    web_server.routes |= {"/f": [Reply(500), moved], "/g": [Reply(500), FEED]}
    assert client.read(web_server.url("/f"), retries=2) == FEED
