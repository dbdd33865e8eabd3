"""Escaping and layout of markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from converter.xml.escape import escape, indent, text_element

ILLEGAL = [*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain ü 😀", "plain ü 😀"),
        ("", ""),
        ("&<>\"'", "&amp;&lt;&gt;&quot;&apos;"),
        ("&amp;", "&amp;amp;"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\rb", "a&#13;b"),
        ("a\x00b\x1bc\ufffed\ud800e", "abcde"),
        ("\U0010ffff\x85\x7f", "\U0010ffff\x85\x7f"),
    ],
)
def test_escape(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@pytest.mark.parametrize("code", ILLEGAL, ids=hex)
def test_characters_that_xml_forbids_are_removed(code: int) -> None:
    assert escape(f"a{chr(code)}b") == "ab"


def test_clean_text_is_unchanged() -> None:
    text = "https://ex.com/a?b=1"
    assert escape(text) is text


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (text_element("loc", "a&b"), "<loc>a&amp;b</loc>"),
        (text_element("loc", None), ""),
        (text_element("video:restriction", "", (("relationship", "allow"),)),
         '<video:restriction relationship="allow"></video:restriction>'),
        (text_element("video:price", "1", (("currency", "EUR"), ("type", None))),
         '<video:price currency="EUR">1</video:price>'),
        (text_element("a", "b", (("c", 'd"<'),)), '<a c="d&quot;&lt;">b</a>'),
    ],
)  # fmt: skip
def test_leaf(written: str, expected: str) -> None:
    assert written == expected


def test_indent_keeps_leaves_on_their_line() -> None:
    xml = '<url><loc>a</loc><v:v><v:r rel="allow"></v:r><v:s><v:t>x y</v:t></v:s></v:v><m:m/></url>'
    assert indent(xml, 1) == (
        "  <url>\n"
        "    <loc>a</loc>\n"
        "    <v:v>\n"
        '      <v:r rel="allow"></v:r>\n'
        "      <v:s>\n"
        "        <v:t>x y</v:t>\n"
        "      </v:s>\n"
        "    </v:v>\n"
        "    <m:m/>\n"
        "  </url>\n"
    )


def test_indent_handles_long_attributes() -> None:
    xml = f'<url><a b="{"x" * 1_000_000}"/></url>'
    assert indent(xml).count("\n") == 3


@pytest.mark.property
@given(st.text(st.characters()))
def test_escaped_text_parses_to_its_allowed_characters(text: str) -> None:
    kept = "".join(c for c in text if ord(c) not in ILLEGAL and not 0xD800 <= ord(c) <= 0xDFFF)
    element = etree.fromstring(text_element("a", text, (("b", text),)).encode())
    assert (element.text or "") == kept
    # XML reads white space in attributes as spaces
    assert element.get("b") == kept.replace("\t", " ").replace("\n", " ")


@pytest.mark.property
@given(st.text(st.characters()))
def test_indent_changes_no_value(text: str) -> None:
    xml = f"<u>{text_element('a', text, (('b', text),))}<c/></u>"
    plain, pretty = (etree.fromstring(x.encode()) for x in (xml, indent(xml)))
    assert plain[0].text == pretty[0].text
    assert plain[0].attrib == pretty[0].attrib
    assert [child.tag for child in pretty] == ["a", "c"]
