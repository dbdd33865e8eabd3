"""The registry: detection of formats, and messages for unknown ones."""

from __future__ import annotations

import codecs
import gzip
import io
import tarfile
import zipfile
from typing import Any

import pytest

from converter.errors import DocumentError, OptionError, UnknownFormatError
from converter.formats import registry
from converter.formats.base import Format

RSS = b'<rss version="2.0"><channel>'
ATOM = b'<feed xmlns="http://www.w3.org/2005/Atom">'
JSON_FEED = b'{"version": "https://jsonfeed.org/version/1.1", "items": []}'
LIST = b"https://www.example.com/a\n"
SITEMAP = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
PAGE = (
    b"<!doctype html><html><head>"
    b'<link rel="alternate" type="application/rss+xml" href="https://ex.com/feed">'
)


def detected(prefix: bytes, **named: Any) -> str:
    return registry.detect(prefix, name="the-source", **named).name


def refusal(prefix: bytes, **named: Any) -> str:
    with pytest.raises(UnknownFormatError) as caught:
        registry.detect(prefix, name="the-source", **named)
    message = str(caught.value)
    assert message.startswith("the-source: ")
    return message


def test_the_table_is_keyed_by_name() -> None:
    assert list(registry.FORMATS) == [*("rss", "mrss", "atom", "jsonfeed", "txt", "csv", "sitemap")]
    assert all(name == row.name for name, row in registry.FORMATS.items())
    assert registry.FORMATS["mrss"].read is registry.FORMATS["rss"].read
    with pytest.raises(TypeError):
        registry.FORMATS["x"] = registry.FORMATS["rss"]  # type: ignore[index]  # that is the claim


def test_no_two_formats_want_the_same_extension() -> None:
    wanted = [extension for row in registry.FORMATS.values() for extension in row.extensions]
    assert len(wanted) == len(set(wanted))
    assert all(extension.startswith(".") and extension == extension.lower() for extension in wanted)


def test_names() -> None:
    assert registry.by_name("atom").name == "atom"
    assert registry.by_name("RSS").name == "rss"
    with pytest.raises(
        OptionError, match="choose one of rss, mrss, atom, jsonfeed, txt, csv, s"
    ) as caught:
        registry.by_name("j\x1bson")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("prefix", "name"),
    [
        (RSS, "rss"),
        (b"\xef\xbb\xbf\n" + RSS, "rss"),
        (RSS.decode().encode("utf-16"), "rss"),
        (ATOM, "atom"),
        (SITEMAP, "sitemap"),
        (b"<sm:urlset xmlns:sm='urn:x'>", "sitemap"),
        (b"<sitemapindex>", "sitemap"),
        (JSON_FEED, "jsonfeed"),
        (rb'{"title": "{", "version": "https:\/\/jsonfeed.org\/version\/1"}', "jsonfeed"),
        (codecs.BOM_UTF8 + JSON_FEED, "jsonfeed"),
        (b"title,url\nT,https://ex.com/\n", "csv"),
        (b'"URL";"Last-Mod"\r\nhttps://ex.com/;\r\n', "csv"),
        (b"Page URL\tLocation\nx\thttps://ex.com/\n", "csv"),
        (b"\nurl\nhttps://ex.com/\n", "csv"),
        (LIST, "txt"),
        (b"https://ex.com/?a=url,loc\n" + LIST, "txt"),
        (codecs.BOM_UTF16_BE + LIST.decode().encode("utf-16-be"), "txt"),
        (b"# made by hand\n\n" + LIST, "txt"),
        (b"www.example.com/b\n/c\n" + LIST, "txt"),
        (b"HTTPS://EX.COM/", "txt"),
    ],
)
def test_content_decides(prefix: bytes, name: str) -> None:
    assert detected(prefix) == name
    assert detected(prefix, extension=".html", media_type="image/png") == name
    assert detected(prefix, extension=".txt", media_type="text/plain") == name
    assert detected(prefix, extension=".atom", media_type="application/rss+xml") == name


@pytest.mark.parametrize(
    ("prefix", "named", "name"),
    [
        (b"", {"extension": ".txt"}, "txt"),
        (b" \n", {"extension": ".TXT"}, "txt"),
        (b"", {"media_type": "text/plain; charset=utf-8"}, "txt"),
        (b"# nothing yet\n", {"extension": ".txt"}, "txt"),
        (b"/a\n/b\n", {"extension": ".txt"}, "txt"),
        (b"rss, they said", {"media_type": "Application/RSS+XML"}, "rss"),
        (b"rss, they said", {"extension": ".rss"}, "rss"),
        (b"rss, they said", {"extension": ".mrss"}, "mrss"),
        (b"words", {"media_type": "application/atom+xml", "extension": ".rss"}, "atom"),
    ],
)
def test_names_decide_where_content_shows_nothing(
    prefix: bytes, named: dict[str, str], name: str
) -> None:
    assert detected(prefix, **named) == name


@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        (b"", "empty (0 bytes)"),
        (b"\xef\xbb\xbf \r\n\t", "nothing but white space"),
        (b"<opml version='2.0'>", "the root is <opml>); wanted a feed"),
        (b"<catalog>", "the root is <catalog>"),
        (b"<doc>the word &lt;rss></doc>", "the root is <doc>"),
        (b"<rdf:RDF xmlns:foaf='http://xmlns.com/foaf/0.1/'>", "the root is <RDF>"),
        (b"<entry xmlns='http://www.w3.org/2005/Atom'>", "the root is <entry>"),
        (b"<s:Envelope>", "the root is <Envelope>"),
        (b"<svg>", "the root is <svg>"),
        (b"<html><body>", "an HTML page; wanted a feed"),
        (PAGE, "names as its feed https://ex.com/feed"),
        (b'[{"version": "https://jsonfeed.org/version/1.1"}]', "JSON that is not a JSON Feed"),
        (b"[1, 2]", "JSON"),
        (b"%PDF-1.7\n", "a binary file"),
        (b"\x89PNG\r\n\x1a\n", "a binary file"),
        (b"PK\x03\x04....", "a binary file"),
        (b"\x7fELF\x02", "a binary file"),
        (b"Rar!\x1a\x07\x01\0", "a binary file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "a binary file"),
        (gzip.compress(RSS), "a binary file"),
        (bytes(100), "a binary file"),
        (b"\x13\x02\xff\xfe<b", "a binary file"),
        (b"<?xml version='1.0'?>", "XML without a root element"),
        (b"<!-- only this -->", "XML without a root element"),
    ],
)
def test_recognised_other_formats_are_named(prefix: bytes, said: str) -> None:
    assert said in refusal(prefix)
    assert said in refusal(prefix, extension=".rss", media_type="application/atom+xml")
    assert said in refusal(prefix, extension=".xml")


def archive(format_: int, name: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=format_) as tar:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


@pytest.mark.parametrize("content", [RSS, b"https://ex.com/1\nhttps://ex.com/2\n"])
@pytest.mark.parametrize("format_", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_tar_archive_is_always_refused(format_: int, content: bytes) -> None:
    prefix = archive(format_, "feeds/a.rss", content)[:4096]
    for words in ("a binary file, such as an archive", "Unpack an archive first"):
        assert words in refusal(prefix)
        assert words in refusal(prefix, extension=".txt")
    for name in ("rss", "txt"):
        with pytest.raises(DocumentError, match="but this is a binary file"):
            registry.check_forced(prefix, registry.FORMATS[name], name="a")


def test_a_zip_archive_with_readable_content_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as stored:
        stored.writestr("a.rss", RSS)
    assert "a binary file" in refusal(packed.getvalue())


def test_content_and_name_without_a_known_format_are_refused() -> None:
    assert "name it with --from" in refusal(b"Dear reader,\nnothing here.\n")
    assert "name it with --from" in refusal(b"Dear reader,\nnothing here.\n", extension=".xml")
    assert "name it with --from" in refusal(b"Dear reader,\nnothing here.\n", extension=".json")


def test_names_in_messages_cannot_command_the_terminal() -> None:
    with pytest.raises(UnknownFormatError) as caught:
        registry.detect(b"<\xc2\x9bx><a\xc2\x9b>", name="\x1b]0;x\x07")
    assert str(caught.value).isprintable()
    page = PAGE.replace(b"https", b"\x1b[31m")
    assert refusal(page).isprintable()


@pytest.mark.parametrize(
    ("prefix", "name"),
    [
        (RSS, "rss"),
        (RSS, "mrss"),
        (ATOM, "atom"),
        (LIST, "txt"),
        (b"", "txt"),
        (b"/a\n", "txt"),
        (b"Dear reader,", "txt"),
        (b"<channel><item>", "rss"),
        (b"& nothing of the kind", "atom"),
        (b'{"items": []}', "jsonfeed"),
        (b"title;url\n", "csv"),
    ],
)
def test_the_from_option_is_accepted(prefix: bytes, name: str) -> None:
    registry.check_forced(prefix, registry.by_name(name))


@pytest.mark.parametrize(
    ("prefix", "name", "said"),
    [
        (ATOM, "rss", "--from atom"),
        (RSS, "txt", "--from rss"),
        (ATOM, "mrss", "Media RSS"),
        (LIST, "rss", "--from txt"),
        (b"<doc>", "txt", "the root is <doc>"),
        (PAGE, "rss", "https://ex.com/feed"),
        (b"{}", "atom", "JSON"),
        (b"", "rss", "empty"),
        (b"\n", "atom", "white space"),
        (SITEMAP, "rss", "XML sitemap"),
        (RSS, "sitemap", "--from rss"),
    ],
)
def test_the_from_option_is_checked_against_the_content(
    prefix: bytes, name: str, said: str
) -> None:
    row = registry.by_name(name)
    with pytest.raises(DocumentError) as caught:
        registry.check_forced(prefix, row, name="the-source")
    message = str(caught.value)
    assert message.startswith(f"the-source: --from says {row.title}")
    assert said in message


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (None, "sitemap"),
        ("-", "sitemap"),
        ("out.xml", "sitemap"),
        ("out.XML.GZ", "sitemap"),
        ("out", "sitemap"),
        (".gz", "sitemap"),
        ("folder.rss/out.xml", "sitemap"),
        ("out.txt", "txt"),
        ("out.txt.gz", "txt"),
    ],
)
def test_the_extension_of_the_output_names_the_target(path: str | None, name: str) -> None:
    assert registry.target_of(path).name == name


WRITTEN = [row for row in registry.FORMATS.values() if row.writer]


@pytest.mark.parametrize("row", WRITTEN, ids=lambda row: row.name)
def test_a_format_takes_its_own_extensions_and_xml_if_it_is_xml(row: Format) -> None:
    fitting = {*row.extensions, "", ".dat"} | ({".rss"} if row.name == "mrss" else set())
    fitting |= {".xml"} if row.name not in {"jsonfeed", "txt"} else set()
    known = {extension for other in WRITTEN for extension in other.extensions}
    for extension in known | {"", ".dat"}:
        for name in (f"out{extension}", f"out{extension}.gz"):
            if extension in fitting:
                assert registry.target_of(name, row.name) is row
                continue
            with pytest.raises(OptionError, match=rf"\{row.extensions[0]}"):
                registry.target_of(name, row.name)


def test_formats_without_a_writer_are_refused_as_targets() -> None:
    with pytest.raises(OptionError, match="cannot be written in this version"):
        registry.target_of("out.xml", "csv")
    with pytest.raises(OptionError, match=r"no format that can be written has the extension \.csv"):
        registry.target_of("out.csv")
    assert registry.target_of("out.csv", "txt").name == "txt"
