"""Time-outs: of connecting, of silence, and of one document in all."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator

import pytest

from tests.web.conftest import Client
from tests.web.server import Answer, Asked, Raw, Reply, Server

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n"
FEED = b"<rss/>"


def test_silence_ends_a_try(client: Client, web_server: Server) -> None:
    def silent(_: Asked) -> Answer:
        web_server.rest(5)
        return FEED

    web_server.routes["/"] = silent
    assert client.refusal(web_server.url(), silence_s=0.2).endswith("/: the server fell silent")


def test_silence_within_a_body_does_too(client: Client, web_server: Server) -> None:
    def pieces() -> Iterator[bytes]:
        yield HEAD + b"Content-Length: 100\r\n\r\n" + FEED
        web_server.rest(5)

    web_server.routes["/"] = lambda _: Raw(pieces())
    assert "the server fell silent" in client.refusal(web_server.url(), silence_s=0.2)


def test_after_silence_there_is_another_try(client: Client, web_server: Server) -> None:
    def first(asked: Asked) -> Answer:
        if len(web_server.asked) == 1:
            web_server.rest(5)
        return FEED

    web_server.routes["/"] = first
    assert client.read(web_server.url(), silence_s=0.2, retries=1) == FEED


def test_a_host_that_does_not_pick_up_is_left(client: Client) -> None:
    with socket.socket() as deaf, socket.socket() as caller:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        caller.connect(deaf.getsockname())  # the queue is full now
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        said = client.refusal(url, connect_s=0.2, silence_s=0.2)
    assert said.endswith(("no connection came about in time", "the server fell silent"))


def _slow_header(server: Server) -> Answer:
    return Raw(server.dripping(HEAD + b"Content-Length: 6\r\n\r\n" + FEED, 0.1))


def _slow_body(server: Server) -> Answer:
    head = HEAD + b"Content-Length: 999\r\n\r\n"
    return Raw(_joined(head, server.dripping(b"x" * 999, 0.1)))


def _slow_body_without_length(server: Server) -> Answer:
    return Raw(_joined(HEAD + b"\r\n", server.dripping(b"x" * 999, 0.1)))


def _slow_chunks(server: Server) -> Answer:
    head = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    return Raw(_joined(head, server.dripping(b"1\r\nx\r\n" * 99, 0.1)))


def _joined(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest


@pytest.mark.parametrize(
    "slow",
    [_slow_header, _slow_body, _slow_body_without_length, _slow_chunks],
    ids=["header", "body", "body without length", "chunks"],
)
def test_what_drips_is_ended_when_the_time_is_over(
    client: Client, web_server: Server, slow: Callable[[Server], Answer]
) -> None:
    web_server.routes["/"] = lambda _: slow(web_server)
    began = time.monotonic()
    said = client.refusal(web_server.url(), timeout_s=1, retries=3)
    assert 0.9 < time.monotonic() - began < 3
    assert "there was no whole answer in 1 seconds. Try later" in said
    assert len(web_server.asked) == 1


def test_redirects_and_tries_share_the_time(client: Client, web_server: Server) -> None:
    def slow(asked: Asked) -> Answer:
        web_server.rest(0.4)
        return Reply(302, headers={"Location": f"/{len(web_server.asked)}"})

    web_server.routes |= {f"/{n}": slow for n in range(10)}
    began = time.monotonic()
    assert "no whole answer in 1 seconds" in client.refusal(web_server.url("/0"), timeout_s=1)
    assert time.monotonic() - began < 2


def test_a_slow_document_that_is_done_in_time_is_whole(client: Client, web_server: Server) -> None:
    head = HEAD + b"\r\n"
    web_server.routes["/"] = lambda _: Raw(_joined(head, web_server.dripping(FEED * 2, 0.05)))
    assert client.read(web_server.url(), timeout_s=10, silence_s=1) == FEED * 2
