"""Documents over HTTP: what is asked, what is given, and what each refusal says."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
from pathlib import Path

import pytest

from tests.sources.http.conftest import Client
from tests.sources.http.server import Asked, Raw, Reply, Server

FEED = b'<rss version="2.0"><channel><title>T</title></channel></rss>\n'


def test_a_document_has_the_metadata_of_its_headers(client: Client, web_server: Server) -> None:
    headers = {"Content-Type": 'Application/RSS+XML; charset="UTF-8"'}
    web_server.routes["/feed"] = Reply(body=FEED, headers=headers)
    fetched = client.fetched(web_server.url("/feed?a=1#top"))
    assert fetched.stream.read() == FEED
    assert fetched.stream.seek(0) == 0
    assert fetched.url == fetched.name == web_server.url("/feed?a=1")
    assert fetched.media_type == "application/rss+xml"
    assert fetched.links == ()
    assert not fetched.is_unchanged
    assert client.issues == []
    assert web_server.paths() == ["/feed?a=1"]


def test_user_agent_and_accept_headers_are_sent(client: Client, web_server: Server) -> None:
    web_server.routes["/"] = FEED
    client.fetched(web_server.url())
    sent = web_server.asked[0].headers
    assert sent["user-agent"].startswith("feed2sitemap")
    assert sent["accept-encoding"] == "gzip"
    assert "application/rss+xml" in sent["accept"]
    assert sent.keys() == {"host", "user-agent", "accept", "accept-encoding"}


def test_another_name_and_more_headers_are_sent_as_they_were_given(
    client: Client, web_server: Server
) -> None:
    web_server.routes["/"] = FEED
    headers = (("X-Key", "s3cret"), ("Accept", "text/plain"), ("X-Name", "Zoë"))
    client.fetched(web_server.url(), user_agent="mine/1 (+mail@ex.com)", headers=headers)
    sent = web_server.asked[0].headers
    assert sent["user-agent"] == "mine/1 (+mail@ex.com)"
    assert sent["x-key"] == "s3cret"
    assert sent["accept"] == "text/plain"
    assert sent["x-name"].encode("latin-1").decode() == "Zoë"


def test_connections_are_used_again_and_cookies_are_not_kept(
    client: Client, web_server: Server
) -> None:
    web_server.routes["/"] = Reply(body=FEED, headers={"Set-Cookie": "id=1"})
    web = client.web()
    for _ in range(2):
        web.fetch(web_server.url()).stream.close()
    assert "cookie" not in web_server.asked[1].headers
    assert web_server.connections == 1


@pytest.mark.parametrize(
    ("value", "links"),
    [
        ('</2>; rel="next"', [("next", "/2")]),
        ('</2>; rel=next, </1>; rel="PREV self"', [("next", "/2"), ("prev", "/1"), ("self", "/1")]),
        ('</2>; rel="next"; anchor="/other"', []),
        ("<mailto:a@ex.com>; rel=author", []),
        ("</2>", []),
        ("nonsense", []),
        ("<http://[>; rel=next", []),
    ],
)
def test_links_of_the_header_are_absolute(
    client: Client, web_server: Server, value: str, links: list[tuple[str, str]]
) -> None:
    web_server.routes["/f"] = Reply(body=FEED, headers={"Link": value})
    fetched = client.fetched(web_server.url("/f"))
    assert list(fetched.links) == [(rel, web_server.url(path)) for rel, path in links]


@pytest.mark.parametrize("given", ["", "nonsense", "text", "a/b/c", "; charset=x"])
def test_an_invalid_media_type_is_ignored(client: Client, web_server: Server, given: str) -> None:
    web_server.routes["/"] = Reply(body=FEED, headers={"Content-Type": given})
    assert client.fetched(web_server.url()).media_type is None


def test_203_is_a_document_from_a_proxy(client: Client, web_server: Server) -> None:
    web_server.routes["/"] = Reply(203, FEED)
    assert client.read(web_server.url()) == FEED


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (204, "204 No Content; wanted 200 and a document"),
        (206, "206 Partial Content; wanted 200 and a document"),
        (300, "300 Multiple Choices; wanted 200"),
        (304, "304 Not Modified; wanted 200"),
        (400, "400 Bad Request. Open it in a browser"),
        (401, "401 Unauthorized. Add name and password in ~/.netrc"),
        (403, "403 Forbidden. It may want --header"),
        (404, "404 Not Found. There is no such page"),
        (410, "410 Gone. The page is permanently gone"),
        (429, "429 Too Many Requests. There were too many requests"),
        (500, "500 Internal Server Error. Try later"),
        (501, "501 Not Implemented. Try later"),
    ],
)
def test_an_error_status_has_its_advice(
    client: Client, web_server: Server, status: int, said: str
) -> None:
    web_server.routes["/a"] = Reply(status, b"" if status == 204 else b"<html>sorry</html>")
    with pytest.raises(Exception, match="answered") as caught:
        client.fetched(web_server.url("/a"))
    assert caught.value.status == status  # type: ignore[attr-defined]
    assert f"{web_server.url('/a')}: the server answered {said}" in str(caught.value)
    assert len(web_server.asked) == 1


def test_an_unknown_status_is_shown_with_its_reason(client: Client, web_server: Server) -> None:
    web_server.routes["/"] = Raw([b"HTTP/1.1 499 What\x1b[1m\r\nContent-Length: 0\r\n\r\n"])
    said = client.refusal(web_server.url())
    assert "answered 499 What" in said
    assert "\x1b" not in said


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://",
        "http:///a",
        "http://[::1/",
        "http://ex.com:99999/",
        "https://ex.com:0x50/",
        "ex.com/feed",
        "ftp://ex.com/",
        "file:///etc/passwd",
        "gopher://ex.com/",
    ],
)
def test_only_http_urls_are_requested(client: Client, url: str) -> None:
    assert "wanted http:// or https:// and a host" in client.refusal(url)


def test_an_impossible_host_is_an_error(client: Client) -> None:
    assert "this URL cannot be fetched" in client.refusal("http://exa mple.com/")
    assert "is not known. Check its spelling" in client.refusal(f"http://{'a' * 70}.com/")
    assert "this URL cannot be fetched" in client.refusal("http://\udcff.com/")


def test_a_refused_connection_is_an_error(client: Client) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        said = client.refusal(f"http://127.0.0.1:{port}/")
    assert "the connection was refused: no server listens there" in said


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ([], "the server broke off the connection"),
        ([b"SSH-2.0-OpenSSH_9.6\r\n"], "connection failed, or the answer is not HTTP"),
        ([b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000 + b"\r\n\r\n"], "the answer is not HTTP"),
        ([b"HTTP/1.1 200 OK\r\n" + b"A: x\r\n" * 200 + b"\r\n"], "the answer is not HTTP"),
    ],
)
def test_an_answer_that_is_not_http_is_an_error(
    client: Client, web_server: Server, pieces: list[bytes], said: str
) -> None:
    web_server.routes["/"] = Raw(pieces)
    assert said in client.refusal(web_server.url())


@pytest.fixture
def tls_server(web_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server with a certificate for ex.com, which the environment says is to be trusted."""
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ex.com -addext"
    files = ["-keyout", key, "-out", certificate]
    subprocess.run(
        [*words.split(), "subjectAltName=DNS:ex.com", *files], check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.sni_callback = lambda _socket, name, _context: named.append(name)
    named: list[str | None] = []
    web_server.socket = context.wrap_socket(web_server.socket, server_side=True)
    web_server.routes["/named"] = lambda _: repr(named).encode()
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    return web_server


def test_the_certificate_is_checked_against_the_name_and_not_the_address(
    client: Client, tls_server: Server
) -> None:
    def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    url = tls_server.url("/named", "ex.com").replace("http:", "https:")
    assert client.read(url, resolve=here) == b"['ex.com']"
    for host in ("127.0.0.1", "other.com"):
        said = client.refusal(url.replace("ex.com", host), resolve=here)
        assert "the certificate of the server, or its TLS, cannot be trusted" in said


def test_a_missing_file_of_certificates_is_an_error(
    client: Client, tls_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/ca.pem")
    url = tls_server.url().replace("http:", "https:")
    assert "REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE names no file" in client.refusal(url)


def test_a_port_without_tls_is_an_error_without_a_retry(client: Client, web_server: Server) -> None:
    url = web_server.url().replace("http:", "https:")
    assert "Without TLS, try http://" in client.refusal(url, retries=3)
    assert web_server.connections == 1


@pytest.mark.parametrize(
    ("proxy", "shown"),
    [
        ("http://", '"http://"'),
        ("http://me:s3cret@host:x", '"http://host:x"'),
        ("me:s3cret@host:99999", '"host:99999"'),
        ("nonsense host", '"nonsense host"'),
        ("ftp://host:1", '"ftp://host:1"'),
        ("socks5://me:s3cret@host:1", '"socks5://host:1"'),
        ("http://me:s3cr€t@host:1", '"http://host:1"'),
        ("http://me:s3cr%E2%82%ACt@host:1", '"http://host:1"'),
    ],
)
def test_an_unusable_proxy_is_named(
    client: Client, monkeypatch: pytest.MonkeyPatch, proxy: str, shown: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    said = client.refusal("http://ex.com/")
    assert f"the proxy that the environment names, {shown}, " in said
    assert "s3cr" not in said


def test_a_proxy_gets_the_whole_url_and_resolves_it(
    client: Client, web_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(host: str, port: int) -> list[str]:
        raise AssertionError(f"{host} was resolved here")

    def proxy(asked: Asked) -> Reply:
        return Reply(body=FEED + asked.path.encode())

    monkeypatch.setenv("HTTP_PROXY", web_server.url())
    web_server.routes["http://ex.com/feed"] = proxy
    url = "http://ex.com/feed"
    found = client.read(url, resolve=nobody, allow_private_hosts=False)
    assert found == FEED + b"http://ex.com/feed"


def test_a_proxy_that_refuses_is_named_as_the_reason(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert "the proxy that the environment names" in client.refusal("http://ex.com/")
