"""Whatever a server sends, or the cache holds: a document or an error of the source."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from converter.cli import main
from converter.errors import ConverterError
from converter.issues import Issue
from converter.options import FetchOptions, Limits
from converter.sources.http.client import HttpClient
from tests.builders import codes
from tests.sources.http.conftest import Client
from tests.sources.http.server import Raw, Reply, Server, serving

FEED = (
    b"<rss version='2.0'><channel><title>t</title><item><link>http://ex.com/a</link></item>"
    b"</channel></rss>"
)
DIGITS = b"9" * 5000


def raw(*headers: bytes, status: bytes = b"200 OK", body: bytes = FEED) -> Raw:
    head = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers]
    return Raw([b"\r\n".join(head) + b"\r\n\r\n" + body])


def ended(url: str, folder: Path, *words: str) -> int:
    """Run the command; return its exit code."""
    options = ["--allow-private-hosts", "--retries", "0", "--timeout", "5", *words]
    return main([url, "-o", str(folder / "out.xml"), *options])


# -- redirects ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "asked"),
    [
        (b"/\xe9", "/%E9"),
        ("/é".encode(), "/%C3%A9"),
        (b"/caf\xe9?q=\xe9#\xe9", "/caf%E9?q=%E9"),
        (b"/\xc3\xa9\xe9", "/%C3%A9%E9"),
        ("/日本 語?ä=ß".encode(), "/%E6%97%A5%E6%9C%AC%20%E8%AA%9E?%C3%A4=%C3%9F"),
        (b"  /a\tb\\c  ", "/ab/c"),
        (b"\\a\\b?c\\d", "/a/b?c%5Cd"),
        (b"/%zz%", "/%25zz%25"),
        (b"/a/../b/./c", "/b/c"),
        (b"?x=[1]|2", "/dir/r?x=%5B1%5D%7C2"),
    ],
)
def test_a_redirect_is_followed_as_browsers_do(
    client: Client, web_server: Server, location: bytes, asked: str
) -> None:
    web_server.routes["/dir/r"] = lambda got: (
        raw(b"Location: " + location, status=b"302 Found", body=b"")
        if len(web_server.asked) == 1
        else Reply(body=FEED)
    )
    web_server.routes[asked.partition("?")[0]] = (
        web_server.routes["/dir/r"] if asked.startswith("/dir/r") else FEED
    )
    assert client.read(web_server.url("/dir/r")) == FEED
    assert web_server.paths() == ["/dir/r", asked]


@pytest.mark.parametrize("host", ["bücher.de".encode(), b"xn--bcher-kva.de"])
def test_the_host_of_a_redirect_may_be_international(
    client: Client, web_server: Server, host: bytes
) -> None:
    location = b"http://" + host + b":%d/f" % web_server.port
    web_server.routes |= {
        "/r": raw(b"Location: " + location, status=b"301 Moved", body=b""),
        "/f": FEED,
    }
    fetched = client.fetched(web_server.url("/r"), resolve=lambda *_: ["127.0.0.1"])
    assert fetched.url == f"http://xn--bcher-kva.de:{web_server.port}/f"


# -- headers ------------------------------------------------------------------------------

USABLE = [
    b"Content-Type: text/xml; charset*" + DIGITS + b"=utf-8",
    b"Content-Type: text/xml; charset*" + DIGITS + b"*=utf-8",
    b"Content-Type: text/xml; charset*0*=x'y'%ff; charset*1=z",
    b"Content-Type: " + b";" * 60_000,
    b"Content-Type: text/xml; charset=\x00\xff",
    b"Content-Type: \xff/\xff",
    b"ETag: \x0b1",
    b"ETag: \x1c1",
    b"ETag: \x85",
    b"ETag: \xa0x",
    b'ETag: "\xe9"',
    b"Last-Modified: \x85 yesterday",
    b"Link: <" + b"a" * 60_000,
    b"Link: <http://[>; rel=next, <\xff>; rel=next, <>; rel, ;;;<",
    b"Set-Cookie: a=b; expires=Wed, 01-Jan-" + DIGITS + b" 00:00:00 GMT",
    b"Set-Cookie: a=b; max-age=" + DIGITS + b"; version=" + DIGITS + b"; port=\xff",
    b"Age: " + DIGITS,
    b"Cache-Control: max-age=" + DIGITS,
    b"Expires: " + DIGITS,
    b"Retry-After: " + DIGITS,
    b"Vary: \xff",
    b"nonsense without a colon",
    b": no name",
    b"X: " + b"\xff\x1b[2J\xe2\x80\xae",
]
STATUS = [b"200", b"200 \x1b[2J\xff", b"99 x", b"999 x", b"1000 x", b"-1 x", b"abc", b"304 x"]
STATUS += [b"206 x", b"204 x", b"407 x", b"451 \xff", b"503 " + b"x" * 60_000, b"\xff\xff"]
BROKEN = [
    b"Content-Length: " + DIGITS,
    b"Content-Length: -1",
    b"Content-Length: 1, 2",
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip, chunked, \xff",
    b"Content-Encoding: " + b"gzip, " * 5_000,
    b"Content-Encoding: \xff",
    b"Content-Encoding: br",
    b"X: " + b"y" * 70_000,
    *[b"\r\n".join(b"X-%d: y" % number for number in range(200))],
]
PLACES = [b"http://[", b"http://[::1", b"http://[v1.x]/", b"http://ex.com:" + DIGITS + b"/"]
PLACES += [b"http://ex.com:99999/", b"http://ex.com:-1/", b"http://ex.com:x/", b"http://:80/"]
PLACES += [b"http://" + b"a" * 70 + b".com/", b"http://" + b"a." * 200 + b"com/", b"http:///"]
PLACES += [b"http://xn--.com/", b"http://\xff\xfe/", b"http://a\x00b/", b"http://a b/", b"\x00"]
PLACES += [b"http://%/", b"http://%00/", b"http://0x/", b"//", b"http://\xe2\x80\xae.com/", b""]


@pytest.mark.parametrize("header", USABLE, ids=range(len(USABLE)))
def test_a_senseless_header_is_ignored(
    web_server: Server, tmp_path: Path, header: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    web_server.routes["/f"] = raw(header)
    words = ("--cache", str(tmp_path / "cache"))
    assert [ended(web_server.url("/f"), tmp_path, *words) for _ in range(3)] == [0, 0, 0]
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert "Warning" not in said
    assert not any(char in said for char in "\x1b\x85\u202e")


@pytest.mark.parametrize(
    "answer",
    [
        *(raw(status=status) for status in STATUS),
        *(raw(header) for header in BROKEN),
        *(raw(b"Location: " + place, status=b"302 Found") for place in PLACES),
        *(raw(b"Retry-After: " + when, status=b"503 x") for when in (DIGITS, b"\xff", b"0 0 0 0")),
        Raw([b""]),
        Raw([b"\r\n" * 10]),
        Raw([b"HTTP/1.1 100 Continue\r\n\r\n" * 50]),
    ],
)
def test_an_invalid_response_never_crashes_the_run(
    web_server: Server, tmp_path: Path, answer: Raw, capfd: pytest.CaptureFixture[str]
) -> None:
    web_server.routes["/f"] = answer
    words = ("--retries", "1")
    assert ended(web_server.url("/f"), tmp_path, *words) in (0, 3)
    said = capfd.readouterr().err
    assert not any(word in said for word in ("Traceback", "internal", "\x1b", "\u202e"))


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with serving({}) as server:
        yield server


NAMES = ["Content-Type", "Link", "Location", "ETag", "Last-Modified", "Content-Encoding", "Age"]
NAMES += [
    "Set-Cookie",
    "Retry-After",
    "Content-Length",
    "Vary",
    "Cache-Control",
    "Content-Location",
]
values = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.from_regex(r"[a-z/]*;? ?charset\*?[0-9]*\*?=.*", fullmatch=True).map(str.encode),
    st.from_regex(r"(<[^>]*>;? ?(rel|anchor)=.*,?)*", fullmatch=True).map(str.encode),
    st.from_regex(r"https?:/?/?[\[\]a-z0-9.:%@\\]*(:[0-9]*)?/?.*", fullmatch=True).map(str.encode),
).map(lambda value: value.replace(b"\r", b"").replace(b"\n", b""))


@pytest.mark.property
@given(
    st.sampled_from([b"200 OK", b"301 x", b"302 x", b"304 x", b"404 x", b"503 x"]),
    st.lists(st.tuples(st.sampled_from(NAMES), values), max_size=4),
    st.one_of(st.just(FEED), st.binary(max_size=30)),
)
@example(b"302 x", [("Location", b"/\xe9")], FEED)
def test_any_answer_gives_a_document_or_an_error(
    served: Server, status: bytes, headers: list[tuple[str, bytes]], body: bytes
) -> None:
    lines = [name.encode() + b": " + value for name, value in headers]
    answer = raw(*lines, status=status, body=body)
    served.routes = {"/f": [answer, Reply(body=FEED)]}
    issues: list[Issue] = []
    options = FetchOptions(allow_private_hosts=True, retries=0, timeout_s=5)
    with closing(HttpClient(options, Limits(), tempfile.TemporaryFile, issues.append)) as web:
        try:
            web.fetch(served.url("/f")).stream.close()
        except ConverterError as error:
            assert str(error).startswith(served.url("/f"))  # noqa: PT017


# -- cache --------------------------------------------------------------------------------

SOUND = {"url": "U", "etag": '"1"', "last_modified": None, "media_type": None, "charset": None}


def damaged(url: str) -> Iterator[bytes]:
    def head(*, is_sealed: bool = False, **changes: object) -> bytes:
        line = json.dumps({**SOUND, "url": url, "links": [], "bytes": 4} | changes).encode() + b"\n"
        digest = sha256(line if is_sealed else b"").hexdigest().encode()
        return line + digest + b"\nBODY"

    yield from (b"", b"[" * 500_000, b"{", b"[]", b"1", b'"x"', b"null", b"\xff\xfe", b"\0" * 99)
    yield from (b"9" * 5_000, b"NaN", b'{"bytes":' + b"9" * 5_000 + b"}", b'{"a":' * 200_000)
    yield from (head(url=wrong) for wrong in (None, 1, [], "x", "file:///etc/passwd", "\ud800"))
    for wrong in ("\x0b1", "\x1c1", "\x85", "\xa0x", "x\ny", "x\r\nSet: y", 1, [], {}, "x" * 5_000):
        yield from (head(etag=wrong), head(last_modified=wrong))
    for wrong in (1, None, "ab", ["ab"], [["next"]], [["next", 1]], [[1, url]], [["next", "x"]]):
        yield head(links=wrong)
    yield from (head(bytes=None), head(bytes=float("nan")), head(charset=1))
    yield from (head(is_sealed=True, bytes=size) for size in (None, 3, 5, "4"))


def test_a_damaged_cache_file_is_dropped_and_fetched_again(
    web_server: Server, tmp_path: Path, client: Client
) -> None:
    url, folder = web_server.url("/f"), tmp_path / "cache"
    web_server.routes["/f"] = Reply(body=FEED, headers={"ETag": '"1"'})
    client.fetched(url, cache=str(folder))
    (file,) = folder.iterdir()
    web_server.routes["/f"] = FEED  # without a validator, so that nothing takes its place
    for content in damaged(url):
        file.write_bytes(content)
        client.issues.clear()
        assert client.read(url, cache=str(folder)) == FEED
        assert codes(client.issues) == ["cache-unusable"], content[:200]
        assert not file.exists()


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "loop"])
def test_so_is_a_cache_entry_that_is_not_a_file(
    web_server: Server, tmp_path: Path, client: Client, kind: str
) -> None:
    url, folder = web_server.url("/f"), tmp_path / "cache"
    web_server.routes["/f"] = Reply(body=FEED, headers={"ETag": '"1"'})
    client.fetched(url, cache=str(folder))
    (file,) = folder.iterdir()
    other = file.rename(tmp_path / "other")
    if kind == "folder":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to(other if kind == "link" else file)
    assert client.read(url, cache=str(folder)) == FEED
    assert "cache-unusable" in codes(client.issues)
    assert other.exists()


def test_a_304_without_a_cached_document_is_an_error(web_server: Server, tmp_path: Path) -> None:
    web_server.routes["/f"] = Reply(304)
    assert ended(web_server.url("/f"), tmp_path, "--cache", str(tmp_path / "cache")) == 3


# -- documents ----------------------------------------------------------------------------

PAGES = [
    b"<html>" + b"<div>" * 100_000,
    b"<html><base href='http://['><link rel=alternate type=application/rss+xml href='http://[::'>",
    b"<html><link rel=alternate type=application/rss+xml href='\x00http://\xff:x/'>",
    b"<html>\x00\x00\x00" + bytes(range(256)) * 20,
    b"<!doctype html>" + b"<!--" * 50_000,
    b"<html>&#xd800;&#99999999999;&" + b"a" * 100_000,
    b"<opml><body><outline xmlUrl='http://['/><outline xmlUrl='http://a:99999/'/></body></opml>",
    b"<opml><body>" + b"<outline>" * 5_000 + b"</body></opml>",
    b"<opml><body><outline xmlUrl='http://" + b"a" * 300 + b".com/'/></body></opml>",
]
ROBOTS = [
    b"Sitemap: http://[\nSitemap: http://a:x/\nSitemap: \xff\nsitemap\nSitemap:",
    b"Sitemap: http://" + b"a" * 100_000 + b"\n" * 1000,
    b"\xff\xfeS\x00" * 100,
    b"\x00" * 1000,
]


@pytest.mark.parametrize("page", PAGES, ids=range(len(PAGES)))
def test_invalid_pages_and_lists_are_refused(
    web_server: Server, tmp_path: Path, page: bytes
) -> None:
    web_server.routes["/f"] = Reply(body=page, headers={"Content-Type": "text/html"})
    assert ended(web_server.url("/f"), tmp_path) in (3, 4, 5)


@pytest.mark.parametrize("rules", ROBOTS, ids=range(len(ROBOTS)))
def test_invalid_robots_txt_is_refused(web_server: Server, tmp_path: Path, rules: bytes) -> None:
    web_server.routes |= {"/f": b"<!doctype html><html>", "/robots.txt": rules}
    assert ended(web_server.url("/f"), tmp_path) in (3, 4)


@pytest.mark.property
@given(st.binary(max_size=200), st.sampled_from([b"<html>", b"<opml>", b"<!doctype html>", b""]))
def test_any_page_and_any_robots_txt(served: Server, junk: bytes, begin: bytes) -> None:
    served.routes = {"/f": begin + junk, "/robots.txt": b"Sitemap: " + junk}
    with tempfile.TemporaryDirectory() as folder:
        assert ended(served.url("/f"), Path(folder)) in (0, 3, 4, 5, 7)


# -- the environment ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY", "NO_PROXY"])
@pytest.mark.parametrize(
    "value",
    ["http://[::1", "http://[", "[", "://", "http://a:b@c:d@e", "%", "*", ",", "\udcff", "::"],
)
def test_invalid_environment_variables_never_crash_the_run(
    monkeypatch: pytest.MonkeyPatch, web_server: Server, tmp_path: Path, name: str, value: str
) -> None:
    web_server.routes["/f"] = FEED
    monkeypatch.setenv(name, value)
    assert ended(web_server.url("/f"), tmp_path) in (0, 3)
