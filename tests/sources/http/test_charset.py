"""The charset of Content-Type against the declaration and the bytes."""

from __future__ import annotations

import codecs

import pytest

from converter.formats import rss, urllist
from converter.options import Limits, ReadOptions
from tests.builders import read_all
from tests.sources.http.conftest import Client
from tests.sources.http.server import Reply, Server

TITLE = "Größe: 5 €"
CYRILLIC = "Привет"


def feed(text: str, encoding: str, declared: str | None) -> bytes:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
    return f"{declaration}<rss><channel><title>{text}</title></channel></rss>".encode(encoding)


def served(server: Server, body: bytes, charset: str) -> str:
    headers = {"Content-Type": f"text/xml; charset={charset}"}
    server.routes["/f"] = Reply(body=body, headers=headers)
    return server.url("/f")


def title(data: bytes) -> str | None:
    found = read_all(rss.FORMAT.read, data)[0].title
    return str(found) if found else None


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (feed(TITLE, "utf-8", None), "utf-8"),
        (feed(TITLE, "utf-8", "UTF-8"), "UTF8"),
        (feed(TITLE, "cp1252", "windows-1252"), "iso-8859-1"),
        (feed("plain", "utf-8", "UTF-8"), "us-ascii"),
        (feed("plain", "utf-8", "KOI8-R"), "windows-1251"),
        (codecs.BOM_UTF8 + feed(TITLE, "utf-8", None), "iso-8859-1"),
        (feed(TITLE, "utf-16", "UTF-16"), "utf-8"),
        (feed(TITLE, "utf-16-le", "UTF-16"), "utf-16"),
        (b"", "koi8-r"),
    ],
)
def test_bodies_with_a_clear_encoding_are_unchanged(
    client: Client, web_server: Server, body: bytes, charset: str
) -> None:
    assert client.read(served(web_server, body, charset)) == body
    assert client.issues == []


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (feed(CYRILLIC, "koi8-r", None), "KOI8-R"),
        (feed(CYRILLIC, "cp1251", None), '"windows-1251"'),
        (feed("日本", "shift_jis", None), "Shift_JIS"),
        (feed(TITLE, "cp1252", None), "iso-8859-1"),
    ],
)
def test_a_charset_replaces_a_missing_declaration(
    client: Client, web_server: Server, body: bytes, charset: str
) -> None:
    """RFC 7303 wants it so, and there is nothing to tell."""
    found = client.read(served(web_server, body, charset))
    assert title(found) in {CYRILLIC, "日本", TITLE}
    assert client.issues == []


@pytest.mark.parametrize(
    ("body", "charset", "wanted", "said"),
    [
        (
            feed(CYRILLIC, "koi8-r", "windows-1251"),
            "koi8-r",
            CYRILLIC,
            "charset koi8-r, but the document declares windows-1251; read as koi8-r",
        ),
        (
            feed(CYRILLIC, "cp1251", "UTF-8"),
            "windows-1251",
            CYRILLIC,
            "charset windows-1251, but the document declares UTF-8; read as cp1251",
        ),
        (
            feed(TITLE, "utf-8", "ISO-8859-1"),
            "utf-8",
            TITLE,
            "charset utf-8, but the document declares ISO-8859-1; read as utf-8",
        ),
        (
            feed(TITLE, "utf-8", "UTF-8"),
            "iso-8859-1",
            TITLE,
            "charset iso-8859-1, but the document declares UTF-8; read as utf-8",
        ),
        (
            feed(TITLE, "utf-8", None),
            "us-ascii",
            TITLE,
            "charset us-ascii, but that is not so; read as utf-8",
        ),
        (
            feed(CYRILLIC, "cp1251", "windows-1251"),
            "iso-8859-1",
            CYRILLIC,
            "charset iso-8859-1, but the document declares windows-1251; read as windows-1251",
        ),
        (
            feed(CYRILLIC, "cp1251", "windows-1251"),
            "utf-8",
            CYRILLIC,
            "charset utf-8, but the document declares windows-1251; read as windows-1251",
        ),
        (
            feed(CYRILLIC, "cp1251", "windows-1251"),
            "x-unknown",
            CYRILLIC,
            "charset x-unknown, but the document declares windows-1251; read as windows-1251",
        ),
        (
            feed(TITLE, "cp1252", None),
            "shift_jis",
            TITLE,
            "charset shift_jis, but that is not so; read as utf-8 or windows-1252",
        ),
        (
            feed(TITLE, "utf-8", None),
            "rot13",
            TITLE,
            "charset rot13, but that is not so; read as utf-8",
        ),
    ],
)
def test_the_content_decides_between_charset_and_declaration(
    client: Client, web_server: Server, body: bytes, charset: str, wanted: str, said: str
) -> None:
    fetched = client.fetched(served(web_server, body, charset))
    assert title(fetched.stream.read()) == wanted
    assert client.messages() == [f"info [charset-disagrees] the server says {said}"]


def test_a_list_is_decoded_by_its_charset(client: Client, web_server: Server) -> None:
    url = served(web_server, "https://ex.com/путь\n".encode("koi8-r"), "koi8-r")
    fetched = client.fetched(url)
    read = urllist.FORMAT.read
    assert read is not None
    (entry,) = read(fetched.stream, ReadOptions(), client.issues.append).entries
    assert entry.loc == "https://ex.com/путь"
    assert client.issues == []


def test_decoding_obeys_the_limit_too(client: Client, web_server: Server) -> None:
    body = feed(CYRILLIC * 1000, "koi8-r", None)
    url = served(web_server, body, "koi8-r")
    limits = Limits(max_unpacked_bytes=len(body))
    assert title(client.read(url, limits=limits)) == CYRILLIC * 1000
