"""URLs as sources."""

from __future__ import annotations

import cProfile
import gzip
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from converter import convert
from converter.errors import DocumentError, HttpError, SourceError
from converter.options import Limits
from converter.sources.source import Source, open_source
from tests.sources.http.conftest import Client
from tests.sources.http.server import Reply, Server

FEED = b"<rss/>"


def opened(spec: Any) -> Any:
    return open_source(spec, limits=Limits(), spool=tempfile.TemporaryFile, report=[].append)


def test_a_url_is_a_source(client: Client, web_server: Server) -> None:
    headers = {"Content-Type": "application/rss+xml", "Link": "</2>; rel=next"}
    web_server.routes |= {
        "/old": Reply(302, headers={"Location": "/blog.RSS?x=1"}),
        "/blog.RSS": Reply(body=FEED, headers=headers),
    }
    url = web_server.url("/old").replace("//", "//me:s3cret@")
    source = client.fetched(url)
    assert source.name == web_server.url("/old")
    assert source.url == web_server.url("/blog.RSS?x=1")
    assert source.media_type == "application/rss+xml"
    assert source.extension == ".rss"
    assert source.links == (("next", web_server.url("/2")),)
    assert source.prefix() == FEED
    assert source.total_bytes == len(FEED)
    assert not source.is_unchanged
    for _ in range(2):
        assert source.stream.read() == FEED
        assert source.consumed() == len(FEED)
        source.stream.seek(0)


@pytest.mark.parametrize("coding", [None, "gzip"])
def test_a_gzip_file_in_a_gzip_body_is_decompressed_twice(
    client: Client, web_server: Server, coding: str | None
) -> None:
    body = gzip.compress(FEED)
    headers = {"Content-Type": "application/gzip; charset=koi8-r"}
    if coding:
        body, headers = gzip.compress(body), headers | {"Content-Encoding": coding}
    web_server.routes["/sitemap.xml.gz"] = Reply(body=body, headers=headers)
    source = client.fetched(web_server.url("/sitemap.xml.gz"))
    assert source.stream.read() == FEED
    assert source.extension == ".xml"


def test_a_url_in_a_document_gets_no_credentials(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = FEED
    web = client.web(headers=(("X-Key", "1"),))
    with web.fetch(web_server.url("/f"), is_named=False).stream:
        assert "x-key" not in web_server.asked[0].headers


def test_a_gzip_file_is_decompressed_by_the_fetch(client: Client, web_server: Server) -> None:
    web_server.routes |= {"/f.gz": gzip.compress(FEED), "/g": gzip.compress(FEED)[:11]}
    assert client.read(web_server.url("/f.gz")) == FEED
    said = client.refusal(web_server.url("/g"), DocumentError)
    assert said.startswith(f"{web_server.url('/g')}: the gzip data break off, and nothing can be")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://me:pw@ex.com/f", "feed://ex.com/f", "gopher://ex.com/f"]
)
def test_other_schemes_are_refused(url: str) -> None:
    with pytest.raises(SourceError, match="or begin with https://") as caught, opened(url):
        pass
    assert not isinstance(caught.value, HttpError)
    assert "pw@" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("www.example.org/feed", "www.example.org/feed"),
        ("ex.com/feed", "ex.com/feed"),
        ("ex.com:8080/feed", "ex.com:8080/feed"),
        ("http:/ex.com/x", "http:/ex.com/x"),
        ("http:/me:s3cret@ex.com/x", "http:/ex.com/x"),
        ("me:s3cret@ex.com/x", "ex.com/x"),
        (f"me:s3cret@ex.com/{'x' * 300}", "ex.com/xxx"),
    ],
)
def test_a_missing_file_may_be_a_url(name: str, shown: str) -> None:
    with pytest.raises(SourceError) as caught, opened(name):
        pass
    assert str(caught.value).startswith(shown)
    assert str(caught.value).endswith("or begin with https://")
    assert "s3cret" not in str(caught.value)


def test_a_local_file_does_not_pay_for_http(unmeasured: dict[str, str]) -> None:
    script = (
        "import sys, converter.sources.source;"
        "print(*({'requests', 'urllib3', 'socket', 'ssl', 'http.client'} & sys.modules.keys()))"
    )
    command = [sys.executable, "-c", script]
    ran = subprocess.run(command, capture_output=True, check=True, env=unmeasured)
    assert ran.stdout == b"\n"


def test_a_local_source_has_no_url_and_no_links(tmp_path: Any) -> None:
    path = tmp_path / "blog.rss"
    path.write_bytes(FEED)
    with opened(path) as source:
        assert isinstance(source, Source)
        assert (source.url, source.links, source.is_unchanged) == (None, (), False)


def test_gzip_is_unpacked_in_time_linear_to_its_content(web_server: Server, tmp_path: Path) -> None:
    """A few kilobytes hold many elements between two entries."""
    calls = []
    for count in (10_000, 20_000, 40_000):
        item = "<item><link>https://ex.com/{0}</link></item>".format
        feed = f"<rss><channel>{item(1)}{'<a/>' * count}{item(2)}</channel></rss>".encode()
        packed = gzip.compress(gzip.compress(feed))
        web_server.routes["/a.rss"] = Reply(body=packed, headers={"Content-Encoding": "gzip"})
        fetched = web_server.url("/a.rss")
        target = tmp_path / "s.xml"
        profile = cProfile.Profile()
        result = profile.runcall(
            convert, fetched, str(target), allow_private_hosts=True, timeout=20
        )
        assert result.urls == 2
        calls.append(sum(entry.callcount for entry in profile.getstats()))
    few, more, many = calls
    assert many - more < 3 * max(more - few, 500)
