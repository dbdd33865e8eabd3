"""Bodies: how they are packed, how large they may be, and what becomes of damaged ones."""

from __future__ import annotations

import gzip
import os
import tracemalloc

import pytest

from converter.errors import DocumentError, LimitError
from converter.options import Limits
from tests.builders import codes
from tests.sources.http.conftest import Client
from tests.sources.http.server import Raw, Reply, Server

FEED = b"<rss>" + b"0123456789" * 1000 + b"</rss>"


def coded(body: bytes, coding: str) -> Reply:
    return Reply(body=body, headers={"Content-Encoding": coding})


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (FEED, "identity"),
        (FEED, ""),
        (gzip.compress(FEED), "gzip"),
        (gzip.compress(FEED), "X-GZIP"),
        (gzip.compress(FEED[:50]) + gzip.compress(FEED[50:]), "gzip"),
        (gzip.compress(gzip.compress(FEED)), "gzip"),
    ],
)
def test_a_gzip_body_is_decompressed(
    client: Client, web_server: Server, body: bytes, coding: str
) -> None:
    web_server.routes["/f"] = coded(body, coding)
    assert client.read(web_server.url("/f")) == FEED
    assert client.issues == []


def test_an_empty_body_with_a_content_encoding_is_empty(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = coded(b"", "gzip")
    assert client.read(web_server.url("/f")) == b""


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate", "gzip, br", "\x1b[1m"])
def test_another_content_encoding_is_refused(
    client: Client, web_server: Server, coding: str
) -> None:
    web_server.routes["/f"] = coded(FEED, coding)
    said = client.refusal(web_server.url("/f"))
    assert ", but gzip was asked for" in said
    assert "\x1b" not in said


def test_a_body_that_is_not_gzip_as_declared_is_read_as_it_is(
    client: Client, web_server: Server
) -> None:
    web_server.routes["/f"] = coded(FEED, "gzip")
    assert client.read(web_server.url("/f")) == FEED
    said = "the body is not gzip, as Content-Encoding says; it is read as it is"
    assert client.messages() == [f"warning [gzip-repaired] {said}"]


def test_a_gzip_body_that_is_cut_is_used_up_to_the_cut(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = coded(gzip.compress(FEED)[:-20], "gzip")
    found = client.read(web_server.url("/f"))
    assert FEED.startswith(found)
    assert found
    assert codes(client.issues) == ["gzip-repaired"]
    assert client.issues[0].source == web_server.url("/f")


def test_a_gzip_body_without_usable_data_is_an_error(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = coded(gzip.compress(FEED)[:12], "gzip")
    said = client.refusal(web_server.url("/f"), DocumentError)
    assert said.startswith(f"{web_server.url('/f')}: the gzip data")


# -- sizes ------------------------------------------------------------------------------------

SMALL = Limits(max_unpacked_bytes=5000, ratio_floor_bytes=1000, max_unpack_ratio=100)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=FEED),
        Reply(headers={"Content-Length": "5001"}),
        Raw([b"HTTP/1.1 200 OK\r\n\r\n", FEED]),
        Raw([b"HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\n", FEED]),
        coded(gzip.compress(FEED), "gzip"),
    ],
    ids=["long", "announced", "unannounced", "wrongly", "gzip"],
)
def test_a_body_that_is_too_large_is_not_read_to_its_end(
    client: Client, web_server: Server, reply: Reply
) -> None:
    web_server.routes["/f"] = reply
    said = client.refusal(web_server.url("/f"), LimitError, limits=SMALL, retries=3)
    assert said.startswith(f"{web_server.url('/f')}: larger than the limit of 5,000 bytes")
    assert "--max-bytes" in said
    assert len(web_server.asked) == 1


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(bytes(3_000_000)), "gzip"),
        (gzip.compress(gzip.compress(bytes(3_000_000))), "gzip"),
    ],
    ids=["once", "twice"],
)
def test_a_bomb_is_refused(client: Client, web_server: Server, body: bytes, coding: str) -> None:
    web_server.routes["/f"] = coded(body, coding)
    limits = Limits(ratio_floor_bytes=1000, max_unpack_ratio=100)
    said = client.refusal(web_server.url("/f"), LimitError, limits=limits)
    assert "the content is more than 100 times as large as the gzip data, as only in bombs" in said


@pytest.mark.memory
def test_a_large_body_is_not_held_in_memory(client: Client, web_server: Server) -> None:
    piece, count = bytes(250_000), 80
    web_server.routes["/f"] = lambda _: Raw([b"HTTP/1.1 200 OK\r\n\r\n", *[piece] * count])
    web = client.web()
    tracemalloc.start()
    try:
        stream = web.fetch(web_server.url("/f")).stream
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    with stream:
        assert stream.seek(0, os.SEEK_END) == count * len(piece)
    assert peak < 3_000_000


def test_a_length_that_is_too_short_ends_the_body_there(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = Reply(body=FEED, headers={"Content-Length": "5"})
    assert client.read(web_server.url("/f")) == b"<rss>"
