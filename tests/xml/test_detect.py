"""The first look at a document: encodings, roots, and the feeds that a page names."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.xml import detect, html

ATOM = "http://www.w3.org/2005/Atom"
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SNIFFS = {
    "rss": detect.is_rss,
    "atom": detect.is_atom,
    "sitemap": lambda head: detect.root_name(head) == "urlset",
    "sitemapindex": lambda head: detect.root_name(head) == "sitemapindex",
    "html": detect.is_html,
    "json": detect.is_json,
}


def claims(text: str | bytes) -> set[str]:
    raw = text.encode() if isinstance(text, str) else text
    return {name for name, sniff in SNIFFS.items() if sniff(raw)}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("rss", '<rss version="2.0">'),
        ("rss", DECLARATION + "<rss><channel>"),
        ("rss", "<RSS>"),
        ("rss", '<rss xmlns="urn:x">'),
        ("rss", '<rss xmlns="http://www.w3.org/2005/Atom">'),
        ("rss", f'<Channel xmlns="http://purl.org/net/rss1.1#" {RDF}>'),
        ("rss", f'<rdf:RDF {RDF} xmlns="urn:x"><channel rdf:about="u">'),
        ("rss", f'<rdf:RDF {RDF} xmlns:r="urn:x"><r:channel>'),
        ("atom", '<feed xmlns="http://purl.org/echo/">'),
        ("atom", '<feed xmlns="http://purl.org/atom/ns#draft-ietf-atompub-format-05">'),
        ("rss", '<r:rss xmlns:r="http://backend.userland.com/rss2">'),
        ("rss", '<rss xmlns="http://backend.userland.com/rss2">'),
        (None, f'<rdf:RDF {RDF} xmlns="http://purl.org/rss/1.0/">'),
        ("rss", f'<rdf:RDF {RDF}><channel xmlns = "http://purl.org/rss/1.0/">'),
        (None, f'<rdf:RDF {RDF} xmlns:foaf="http://xmlns.com/foaf/0.1/">'),
        ("atom", f'<feed xmlns="{ATOM}">'),
        ("atom", f'<feed xmlns="{ATOM.lower()}/">'),
        ("atom", '<feed xmlns="https://purl.org/atom/ns#" version="0.3">'),
        ("atom", f"<a:feed xmlns:a='{ATOM}'>"),
        ("atom", "<feed>"),
        ("atom", "<a:feed>"),
        (None, '<feed xmlns="urn:eggs-for-hens">'),
        (None, f'<entry xmlns="{ATOM}">'),
        ("sitemap", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'),
        ("sitemap", "<UrlSet>"),
        ("sitemapindex", "<sitemapindex>"),
        ("html", "<!DOCTYPE html>"),
        ("html", "<!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'><title>"),
        ("html", '<html xmlns="http://www.w3.org/1999/xhtml">'),
        ("html", "<head><title>x</title>"),
        ("html", "<BODY>"),
        (None, "<opml>"),
        (None, "<rsss>"),
        (None, "<rss"),
        (None, ""),
        (None, DECLARATION),
        (None, "prose about the word rss"),
        (None, "<https://example.com/rss>"),
        (None, "<doc>&lt;rss> and <![CDATA[<rss version='2.0'>]]> <!-- <rss> --></doc>"),
        (None, "<!-- <rss> -->"),
        (None, "<?php echo '<rss>' ?>"),
        (None, "<![CDATA[<rss>]]>"),
        (None, "<!-- <rss>"),
        (None, "<?target <rss>"),
        (None, "<![CDATA[ <rss>"),
        ("json", '{"html": "<rss>"}'),
        ("json", ' [ {"a": "<feed>"}]'),
        ("json", "[]"),
        ("json", "{}"),
        (None, "{curly} prose [square]"),
    ],
)
def test_formats_are_detected(kind: str | None, text: str) -> None:
    assert claims(text) == ({kind} if kind else set())


@pytest.mark.parametrize(
    "before",
    [
        "\ufeff",
        "\ufeff\ufeff",
        "\n\n\t ",
        "\n\ufeff",
        DECLARATION,
        "\n" + DECLARATION,
        '<?xml version="1.0">\n',
        '<?xml version="1.0"?><?xml-stylesheet href="a>b.xsl"?>',
        "<!-- a > b, <feed> --><!---->",
        "PHP Warning: x > y && y < z in /var/www on line 3\n" + DECLARATION,
        "<br />\n<b>Warning</b>: in <b>/a.php</b> on line <b>3</b><br />\n" + DECLARATION,
        "<font size='1'><table class='e'><tr><td>x</td></tr></table></font>" + DECLARATION,
        "<![CDATA[<feed>]]>",
        "</p>",
        "<!DOCTYPE rss>",
        '<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://h/rss>0.91.dtd">',
        '<!DOCTYPE rss [<!ENTITY a "]><feed>"> <!-- it\'s ]> <feed> --> <?p ]> <feed>?>]>',
        "<!DOCTYPE rss [" + '<!ENTITY e "v">' * 1000 + "]>",
    ],
)
def test_markup_before_the_root_is_skipped(before: str) -> None:
    assert claims(before + '<rss version="2.0"><channel>') == {"rss"}


@pytest.mark.parametrize("text", ["<!DOCTYPE rss [ <rss>", "<!DOCTYPE rss", '<!DOCTYPE rss "'])
def test_an_unclosed_doctype_has_no_root(text: str) -> None:
    assert detect.find_root(text.encode()) is None


def test_warning_markup_is_the_root_if_nothing_follows() -> None:
    root = detect.find_root(b'<a href="https://example.com/">x</a><b>')
    assert root is not None
    assert root.name == "a"


def test_the_root_has_its_namespace() -> None:
    root = detect.find_root(
        b"<x:Feed xmlns:x='urn:a' xmlns=\"urn:b\" one = '1>2' two=2 one='again'\n three"
    )
    assert root is not None
    assert (root.name, root.lower_name, root.namespace) == ("Feed", "feed", "urn:a")


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_unicode_in_every_form(codec: str, mark: bool) -> None:
    raw = (("\ufeff" if mark else "") + DECLARATION + "<rss><é/>").encode(codec)
    found, length = detect.detect_encoding(raw)
    assert found == codec
    assert (length > 0) is mark
    assert detect.decode_head(raw) == DECLARATION + "<rss><é/>"
    assert claims(raw) == claims(raw[:-1]) == {"rss"}


@pytest.mark.parametrize("raw", [b"", b"<", b"\x00", b"<\x00", b"<\x00?"])
def test_fewer_than_four_bytes_match_no_pattern(raw: bytes) -> None:
    assert detect.detect_encoding(raw) == ("utf-8", 0)


def test_utf_32_is_not_taken_for_utf_16() -> None:
    assert detect.detect_encoding(codecs.BOM_UTF32_LE + b"<\0\0\0") == ("utf-32-le", 4)


def test_bytes_that_cannot_be_decoded_do_not_hide_the_root() -> None:
    assert claims(b'<?xml version="1.0"?><!-- \xe9 --><rss>') == {"rss"}


HOSTILE = """<!-- | <? | <![CDATA[ | < | <br | <br a= | <br a=' | <!DOCTYPE [ | <!DOCTYPE " | <a:
| <a | [ | { | <link rel=alternate a= | <link a='" | <link a=>
| xmlns= | <br <!-- | "' | <rdf | \n"""


@pytest.mark.parametrize("unit", HOSTILE.replace("\\n", "\n").split("|"))
def test_hostile_prefixes_take_no_time(unit: str) -> None:
    raw = (unit * (65536 // len(unit))).encode()
    begun = time.process_time()
    for sniff in SNIFFS.values():
        sniff(raw)
    html.feed_links(raw, None)
    assert time.process_time() - begun < 1


MARKUP = st.text("<>!?-[]'\"= abrsfedDOCTYPE:\n", max_size=300).map(str.encode)


@pytest.mark.property
@given(
    raw=st.binary(max_size=300)
    | st.text("<>!?-[]'\"= abrsfedDOCTYPE:\n", max_size=300).map(str.encode)
)
def test_nothing_here_fails(raw: bytes) -> None:
    assert claims(raw) <= set(SNIFFS)
    html.feed_links(raw, None)
    root = detect.find_root(raw)
    assert root is None or root.name in detect.decode_head(raw)
