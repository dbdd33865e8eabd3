"""Addresses: which are public, that the one that was checked is the one that is asked."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest
from urllib3.connection import HTTPConnection
from urllib3.connectionpool import HTTPConnectionPool

from converter.errors import ConverterError, LimitError
from converter.sources.http.connections import (
    AddressGuard,
    GuardedConnection,
    is_public,
    system_resolve,
)
from tests.sources.http.conftest import Client
from tests.sources.http.server import Reply, Server

FEED = b"<rss/>"

PUBLIC = ["8.8.8.8", "93.184.215.14", "2606:4700::6810:84e5", "2001:4860:4860::8888"]
PUBLIC += ["::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]

PRIVATE = ["127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"]
PRIVATE += ["169.254.169.254", "100.64.0.1", "100.127.255.255", "0.0.0.0", "0.1.2.3"]  # noqa: S104
PRIVATE += ["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.0.0.1"]
PRIVATE += ["198.18.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1"]
PRIVATE += ["::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1"]
PRIVATE += ["2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:1"]
PRIVATE += [
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a00:1::",
]
PRIVATE += ["2001::1", "100::1", "ex.com", ""]
PRIVATE += ["192.0.0.9", "192.0.0.171", "192.88.99.1", "3fff::1", "3fff:fff::1"]
PRIVATE += ["::ffff:192.0.0.9", "2002:c058:6301::"]


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public(address: str) -> None:
    assert not is_public(address)


def answering(*answers: list[str]) -> tuple[Callable[[str, int], list[str]], list[str]]:
    """A resolver that gives another answer each time, and whom it was asked for."""
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    return resolve, asked


@pytest.fixture
def routed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lead what goes to 8.8.8.8 to loopback, as a router could; gives all that was dialled."""
    connect, dialled = socket.socket.connect, list[str]()

    def rerouted(self: socket.socket, address: Any) -> None:
        dialled.append(address[0])
        host = "127.0.0.1" if address[0] == "8.8.8.8" else address[0]
        connect(self, (host, *address[1:]))

    monkeypatch.setattr(socket.socket, "connect", rerouted)
    return dialled


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "[::1]",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "127.1",
        "0x7f.1",
        "2130706433",
        "[::ffff:127.0.0.1]",
        "printer.local",
        "metadata.google.internal",
        "0",
    ],
)
@pytest.mark.parametrize("is_proxied", [False, True])
def test_a_host_of_this_machine_is_not_contacted(
    client: Client,
    web_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    is_proxied: bool,
) -> None:
    if is_proxied:
        monkeypatch.setenv("HTTP_PROXY", web_server.url())
    url = f"http://{host}:{web_server.port}/"
    said = client.refusal(url, LimitError, allow_private_hosts=False)
    assert (
        "is not on the public internet, so nothing was requested. Allow it with --allow-priv"
        in said
    )
    assert web_server.connections == 0


def test_the_refusal_names_source_host_and_address(client: Client) -> None:
    resolve, _ = answering(["10.0.0.1"])
    with pytest.raises(LimitError) as caught:
        client.web(allow_private_hosts=False, resolve=resolve).fetch("http://me:pw@ex.com/feed")
    assert caught.value.limit == "private_address"
    assert str(caught.value).startswith(
        "http://ex.com/feed: the host ex.com (10.0.0.1) is not on the public internet"
    )


def test_one_private_address_among_public_ones_is_enough(client: Client, routed: list[str]) -> None:
    resolve, _ = answering(["8.8.8.8", "192.168.0.1"])
    client.refusal("http://ex.com/", LimitError, allow_private_hosts=False, resolve=resolve)
    assert routed == []


def test_the_connection_uses_the_checked_address(
    client: Client, web_server: Server, routed: list[str]
) -> None:
    """A second answer of the resolver would lead to this machine: DNS rebinding."""
    web_server.routes["/f"] = FEED
    resolve, asked = answering(["8.8.8.8"], ["127.0.0.1"])
    url = web_server.url("/f", "ex.com")
    assert client.read(url, allow_private_hosts=False, resolve=resolve) == FEED
    assert (asked, routed) == (["ex.com"], ["8.8.8.8"])
    assert web_server.asked[0].headers["host"] == f"ex.com:{web_server.port}"


def test_another_connection_is_checked_again(
    client: Client, web_server: Server, routed: list[str]
) -> None:
    web_server.routes["/f"] = Reply(500)
    resolve, asked = answering(["8.8.8.8"], ["127.0.0.1"])
    url = web_server.url("/f", "ex.com")
    client.refusal(url, LimitError, allow_private_hosts=False, resolve=resolve, retries=2)
    assert asked == ["ex.com", "ex.com"]
    assert routed == ["8.8.8.8"]


@pytest.mark.parametrize(
    "place",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://127.0.0.1:{port}/secret",
        "http://localhost:{port}/secret",
        "//[::1]:{port}/secret",
        "http://inside.com:{port}/secret",
    ],
)
def test_a_redirect_to_a_private_address_is_not_followed(
    client: Client, web_server: Server, routed: list[str], place: str
) -> None:
    def resolve(host: str, port: int) -> list[str]:
        known = {"ex.com": ["8.8.8.8"], "inside.com": ["127.0.0.1"]}
        return known.get(host) or system_resolve(host, port)

    location = place.format(port=web_server.port)
    web_server.routes |= {"/f": Reply(302, headers={"Location": location}), "/secret": FEED}
    url = web_server.url("/f", "ex.com")
    said = client.refusal(url, LimitError, allow_private_hosts=False, resolve=resolve)
    assert said.startswith(f"{url}: the host")
    assert web_server.paths() == ["/f"]
    assert routed == ["8.8.8.8"]


def test_the_next_address_is_tried_if_one_refuses(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = FEED
    resolve, _ = answering(["::1", "127.0.0.1"])
    assert client.read(web_server.url("/f", "ex.com"), resolve=resolve) == FEED


def test_an_unknown_host_is_an_error_without_a_retry(client: Client) -> None:
    asked = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    said = client.refusal("http://nowhere.invalid/f", resolve=resolve, retries=3)
    assert said == (
        "http://nowhere.invalid/f: the host nowhere.invalid is not known. "
        "Check its spelling, and your network"
    )
    assert len(asked) == 1


def test_a_resolver_that_does_not_answer_is_asked_again(client: Client, web_server: Server) -> None:
    asked = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        if len(asked) == 1:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return ["127.0.0.1"]

    web_server.routes["/f"] = FEED
    assert client.read(web_server.url("/f", "ex.com"), resolve=resolve, retries=1) == FEED


def test_a_host_without_addresses_is_an_error(client: Client) -> None:
    assert "connection" in client.refusal("http://ex.com/", resolve=lambda *_: [])


def test_private_hosts_may_be_allowed() -> None:
    guard = AddressGuard(system_resolve, allow_private=True)
    guard.check_name("localhost")
    assert set(guard.addresses("localhost", 80)) <= {"127.0.0.1", "::1"}


LOCAL = ["intranet", "router", "printer.lan", "nas.home", "a.home.arpa", "wiki.corp", "x.internal."]
LOCAL += ["127.0.0.1.", "0177.0.0.1", "017700000001", "0x7f000001", "10.1", "0xA9FEA9FE"]
LOCAL += ["[::ffff:7f00:1]", "[fe80::1]", "[::]", "[64:ff9b::7f00:1]", "256.1.1.1", "1.2.3.4.5"]
LOCAL += ["%31%32%37.0.0.1", "loc%61lhost", "ⓛocalhost", "127。0。0。1", "１２７.0.0.1"]


@pytest.mark.parametrize("host", LOCAL)
@pytest.mark.parametrize("is_redirect", [False, True])
def test_a_local_name_is_not_sent_to_a_proxy(
    client: Client,
    web_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    is_redirect: bool,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", web_server.url())
    url = f"http://{host}/"
    if is_redirect:
        location = url.encode().decode("latin-1")
        web_server.routes["http://ex.com/"] = Reply(302, headers={"Location": location})
        url = "http://ex.com/"
    client.refusal(url, ConverterError, allow_private_hosts=False)
    assert web_server.paths() == [url] * is_redirect


def test_a_public_name_is_sent_to_a_proxy(
    client: Client, web_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", web_server.url())
    web_server.routes["http://ex.com/f"] = FEED
    assert client.read("http://ex.com/f", allow_private_hosts=False) == FEED


def test_no_proxy_does_not_bypass_the_guard(
    client: Client, web_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", web_server.url())
    monkeypatch.setenv("NO_PROXY", "ex.com")
    resolve, asked = answering(["127.0.0.1"])
    url = web_server.url("/", "ex.com")
    client.refusal(url, LimitError, allow_private_hosts=False, resolve=resolve)
    assert (asked, web_server.connections) == (["ex.com"], 0)


def _without_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(GuardedConnection, "_new_conn")


def _with_another_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedConnection, "_new_conn", HTTPConnection._new_conn)


def _with_other_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    always = property(lambda _: HTTPConnection, lambda *_: None)
    monkeypatch.setattr(HTTPConnectionPool, "ConnectionCls", always)


def _with_another_way_to_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: Any) -> None:
        self.sock = socket.create_connection((self.host, self.port))

    monkeypatch.setattr(HTTPConnection, "connect", connect)


@pytest.mark.parametrize("is_allowed", [False, True])
@pytest.mark.parametrize(
    "changed",
    [_without_hook, _with_another_hook, _with_other_connections, _with_another_way_to_connect],
)
def test_nothing_is_sent_where_the_address_was_not_checked(
    client: Client,
    web_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    changed: Callable[[pytest.MonkeyPatch], None],
    is_allowed: bool,
) -> None:
    """A later release of urllib3 may call other functions."""
    monkeypatch.setattr(socket, "getaddrinfo", _loopback(web_server.port))
    changed(monkeypatch)
    url = web_server.url("/f", "ex.com")
    said = client.refusal(url, LimitError, allow_private_hosts=is_allowed)
    assert "could not be checked before the connection, so nothing was sent" in said
    assert web_server.asked == []


def _loopback(port: int) -> Callable[..., list[Any]]:
    def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    return getaddrinfo
