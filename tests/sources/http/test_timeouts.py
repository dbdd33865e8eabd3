"""Time-outs: of connecting, of silence, and of one document in all."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest

from converter.errors import HttpError
from converter.sources.http.deadline import CURRENT, Deadline
from tests.sources.http.conftest import Client
from tests.sources.http.server import Answer, Asked, Raw, Reply, Server

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n"
FEED = b"<rss/>"


def test_silence_ends_an_attempt(client: Client, web_server: Server) -> None:
    def silent(_: Asked) -> Answer:
        web_server.rest(5)
        return FEED

    web_server.routes["/"] = silent
    assert client.refusal(web_server.url(), silence_s=0.2).endswith("/: the server fell silent")


def test_silence_within_a_body_ends_an_attempt(client: Client, web_server: Server) -> None:
    def pieces() -> Iterator[bytes]:
        yield HEAD + b"Content-Length: 100\r\n\r\n" + FEED
        web_server.rest(5)

    web_server.routes["/"] = lambda _: Raw(pieces())
    assert "the server fell silent" in client.refusal(web_server.url(), silence_s=0.2)


def test_an_attempt_is_repeated_after_silence(client: Client, web_server: Server) -> None:
    def first(asked: Asked) -> Answer:
        if len(web_server.asked) == 1:
            web_server.rest(5)
        return FEED

    web_server.routes["/"] = first
    assert client.read(web_server.url(), silence_s=0.2, retries=1) == FEED


def test_a_host_that_does_not_accept_the_connection_times_out(client: Client) -> None:
    with socket.socket() as deaf, socket.socket() as caller:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        caller.connect(deaf.getsockname())  # the queue is full now
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        said = client.refusal(url, connect_s=0.2, silence_s=0.2)
    assert said.endswith(("the connection timed out", "the server fell silent"))


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
def test_a_dripping_answer_is_ended_by_the_deadline(
    client: Client, web_server: Server, slow: Callable[[Server], Answer]
) -> None:
    web_server.routes["/"] = lambda _: slow(web_server)
    began = time.monotonic()
    said = client.refusal(web_server.url(), timeout_s=1, retries=3)
    assert 0.9 < time.monotonic() - began < 3
    assert "there was no whole answer in 1 seconds. Try later" in said
    assert len(web_server.asked) == 1


def test_redirects_and_retries_share_the_deadline(client: Client, web_server: Server) -> None:
    def slow(asked: Asked) -> Answer:
        web_server.rest(0.4)
        return Reply(302, headers={"Location": f"/{len(web_server.asked)}"})

    web_server.routes |= {f"/{n}": slow for n in range(10)}
    began = time.monotonic()
    assert "no whole answer in 1 seconds" in client.refusal(web_server.url("/0"), timeout_s=1)
    assert time.monotonic() - began < 2


def test_a_slow_document_within_the_deadline_is_complete(
    client: Client, web_server: Server
) -> None:
    head = HEAD + b"\r\n"
    web_server.routes["/"] = lambda _: Raw(_joined(head, web_server.dripping(FEED * 2, 0.05)))
    assert client.read(web_server.url(), timeout_s=10, silence_s=1) == FEED * 2


@pytest.mark.parametrize("is_encoding", [True, False])
def test_decompressing_counts_against_the_deadline(
    client: Client, web_server: Server, monkeypatch: pytest.MonkeyPatch, is_encoding: bool
) -> None:
    """Empty members of gzip hold nothing, however many of them there are."""
    packed = gzip.compress(b"") * 100_000
    headers = {"Content-Encoding": "gzip"} if is_encoding else {}
    web_server.routes["/"] = Reply(body=packed, headers=headers)
    monkeypatch.setattr(Deadline, "is_over", property(_is_over_after(60)))
    said = client.refusal(web_server.url(), timeout_s=20)
    assert "there was no whole answer in 20 seconds" in said


def _is_over_after(looks: int) -> Callable[[Deadline], bool]:
    """Let the time be over when it has been asked for so often, however fast the machine is."""
    asked = []

    def is_over(_: Deadline) -> bool:
        asked.append(1)
        return len(asked) > looks

    return is_over


def test_copying_counts_against_the_deadline(client: Client, web_server: Server) -> None:
    packed = gzip.compress(b"<rss/>" + bytes(8_000_000))
    web_server.routes["/"] = Reply(body=packed, headers={"Content-Encoding": "gzip"})
    made: list[Deadline] = []

    class Slow(BytesIO):
        def write(self, data: Any) -> int:
            if len(data) > len(packed):
                made[0].expire()
            return super().write(data)

    def spool() -> BytesIO:
        made.append(CURRENT.get())
        return Slow()

    web = client.web(timeout_s=20, spool=spool)
    with pytest.raises(HttpError, match="there was no whole answer in 20 seconds"):
        web.fetch(web_server.url())


def test_a_dns_look_up_counts_against_the_deadline(client: Client, web_server: Server) -> None:
    def slow(host: str, port: int) -> list[str]:
        web_server.rest(5)
        return ["127.0.0.1"]

    began = time.monotonic()
    said = client.refusal(web_server.url("/", "ex.com"), resolve=slow, timeout_s=0.5, retries=3)
    assert "there was no whole answer in 0.5 seconds" in said
    assert time.monotonic() - began < 4
    assert web_server.asked == []


def test_the_answer_of_a_proxy_counts_against_the_deadline(
    client: Client, web_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To CONNECT: the tunnel is dug before there is a connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            caller, _ = listening.accept()
            with caller, suppress(OSError):
                for _ in range(50):
                    caller.sendall(b"H")
                    web_server.rest(0.1)

        thread = threading.Thread(target=drip)
        thread.start()
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{listening.getsockname()[1]}")
        began = time.monotonic()
        said = client.refusal("https://ex.com/", timeout_s=0.5, retries=3)
        assert "there was no whole answer in 0.5 seconds" in said
        assert time.monotonic() - began < 4
        thread.join()
