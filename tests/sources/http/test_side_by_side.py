"""Several documents at a time: how many, in which order, and what ends them."""

from __future__ import annotations

import base64
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import closing
from typing import Any

import pytest

from converter.errors import HttpError
from converter.options import FetchOptions, Limits
from converter.sources.http.client import HttpClient
from converter.sources.source import Source
from tests.sources.http.conftest import Client
from tests.sources.http.server import Answer, Asked, Reply, Server

FEED = b"<rss/>"


def here(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def slow(server: Server, seconds: float) -> Callable[[Asked], Answer]:
    def answer(asked: Asked) -> Answer:
        server.rest(seconds)
        return asked.path.encode()

    return answer


@pytest.fixture
def web(client: Client) -> HttpClient:
    return client.web(resolve=here)


def bodies(fetched: Iterable[Future[Source]]) -> list[bytes]:
    found = []
    for one in fetched:
        with one.result().stream as stream:
            found.append(stream.read())
    return found


@pytest.mark.parametrize(("hosts", "most"), [(1, 2), (2, 4), (8, 4)])
def test_four_at_a_time_and_two_of_a_host(
    web: HttpClient, web_server: Server, hosts: int, most: int
) -> None:
    web_server.routes["/f"] = slow(web_server, 0.05)
    urls = [web_server.url(f"/f?{n}", f"h{n % hosts}.com") for n in range(12)]
    assert bodies(web.fetch_all(urls)) == [f"/f?{n}".encode() for n in range(12)]
    assert web_server.most_at_once == most


def test_concurrent_batches_share_the_request_limit(web: HttpClient, web_server: Server) -> None:
    web_server.routes["/f"] = slow(web_server, 0.1)
    urls = [web_server.url("/f", f"h{n}.com") for n in range(8)]
    batches = [web.fetch_all(urls), web.fetch_all(urls)]
    for pair in zip(*batches, strict=True):
        for fetched in pair:
            fetched.result().stream.close()
    assert web_server.most_at_once == 4


def test_documents_come_in_order_however_long_each_takes(
    web: HttpClient, web_server: Server
) -> None:
    for number, seconds in enumerate((0.3, 0.0, 0.1, 0.0)):
        web_server.routes[f"/{number}"] = slow(web_server, seconds)
    urls = [web_server.url(f"/{n}", f"h{n}.com") for n in range(4)]
    assert bodies(web.fetch_all(urls)) == [b"/0", b"/1", b"/2", b"/3"]


def test_an_error_is_raised_in_source_order(web: HttpClient, web_server: Server) -> None:
    web_server.routes |= {"/a": slow(web_server, 0.2), "/c": FEED}
    fetched = web.fetch_all([web_server.url(path) for path in ("/a", "/gone", "/c")])
    with next(fetched).result().stream as stream:
        assert stream.read() == b"/a"
    with pytest.raises(HttpError, match="404"):
        next(fetched).result()
    fetched.close()


def test_issues_are_reported_in_the_order_of_the_documents(
    client: Client, web: HttpClient, web_server: Server
) -> None:
    def moved(asked: Asked) -> Answer:
        number = int(asked.path.partition("?")[2])
        web_server.rest(0.2 if number == 0 else 0)
        return Reply(301, headers={"Location": f"/new?{number}"})

    web_server.routes |= {"/old": moved, "/new": FEED}
    urls = [web_server.url(f"/old?{n}") for n in range(6)]
    bodies(web.fetch_all(urls))
    assert [issue.source for issue in client.issues] == urls


def test_only_some_documents_are_fetched_ahead(web: HttpClient, web_server: Server) -> None:
    web_server.routes["/f"] = FEED
    fetched = web.fetch_all([web_server.url(f"/f?{n}") for n in range(40)])
    next(fetched).result().stream.close()
    time.sleep(0.3)
    assert len(web_server.asked) <= 9
    fetched.close()


def test_leaving_early_waits_for_no_fetch(web: HttpClient, web_server: Server) -> None:
    web_server.routes |= {"/a": FEED, "/slow": slow(web_server, 10)}
    paths = ["/a", "/slow", "/a", "/slow", "/a"]
    fetched = web.fetch_all([web_server.url(path, f"h{n}.com") for n, path in enumerate(paths)])
    next(fetched).result().stream.close()
    began = time.monotonic()
    fetched.close()
    assert time.monotonic() - began < 2
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fetch")]


def test_no_stream_stays_open_when_it_ends_early(web_server: Server) -> None:
    opened = []

    def spool() -> Any:
        opened.append(tempfile.TemporaryFile())  # noqa: SIM115
        return opened[-1]

    web_server.routes["/f"] = FEED
    options = FetchOptions(allow_private_hosts=True)
    with closing(HttpClient(options, Limits(), spool, [].append)) as web:
        fetched = web.fetch_all([web_server.url(f"/f?{n}") for n in range(5)])
        next(fetched).result().stream.close()
        time.sleep(0.2)
        fetched.close()
    assert len(opened) > 1
    assert all(stream.closed for stream in opened)


def test_no_urls_mean_no_requests(web: HttpClient) -> None:
    assert list(web.fetch_all([])) == []


def test_an_invalid_url_fails_in_its_turn(web: HttpClient, web_server: Server) -> None:
    web_server.routes["/f"] = FEED
    fetched = web.fetch_all([web_server.url("/f"), "nonsense", web_server.url("/f")])
    next(fetched).result().stream.close()
    with pytest.raises(HttpError, match="wanted http:// or https://"):
        next(fetched).result()
    fetched.close()


def test_each_future_has_its_own_result_or_error(
    client: Client, web: HttpClient, web_server: Server
) -> None:
    web_server.routes |= {"/a": FEED, "/c": FEED}
    wanted = [web_server.url("/a"), "nonsense", web_server.url("/gone"), web_server.url("/c")]
    futures = list(web.fetch_all(wanted, is_named=False))
    errors = [future.exception() for future in futures]
    assert [str(error)[:10] for error in errors if error] == ['"nonsense"', "http://127"]
    for future in (futures[0], futures[3]):
        future.result().stream.close()


def test_each_url_is_requested_with_its_own_credentials(
    web: HttpClient, web_server: Server
) -> None:
    web_server.routes["/f"] = FEED
    named = [web_server.url(f"/f?{user}").replace("//", f"//{user}:pw@") for user in "abc"]
    bodies(web.fetch_all(named))
    sent = {each.path[-1]: each.headers["authorization"] for each in web_server.asked}
    assert {
        user: base64.b64decode(told.partition(" ")[2]).decode() for user, told in sent.items()
    } == {"a": "a:pw", "b": "b:pw", "c": "c:pw"}
