"""Claims about taking values out of elements."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from converter.model import ExtraElement
from converter.xml import extract
from converter.xml.namespaces import XML_LANG, CanonicalNames
from tests.strategies import made

NAMES = CanonicalNames("rss", frozenset({"title", "media:content", "media:title"}))
MEDIA = 'xmlns:m="http://search.yahoo.com/mrss/"'


def element(text: str) -> extract.Element:
    return etree.fromstring(text)


def test_children_are_sorted_by_name_and_keep_their_order() -> None:
    item = element(f"<item {MEDIA}><title>a</title><m:title>b</m:title><TITLE>c</TITLE></item>")
    found = extract.children_by_name(item, NAMES)
    assert {name: [extract.text_of(one) for one in ones] for name, ones in found.items()} == {
        "title": ["a", "c"],
        "media:title": ["b"],
    }


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a/>", ""),
        ("<a> \n </a>", ""),
        ("<a> x </a>", "x"),
        ("<a> x <b>y</b> z </a>", "x y z"),
        ("<a><b/></a>", ""),
        ("<a><![CDATA[ <b> ]]></a>", "<b>"),
    ],
)
def test_the_text_of_an_element(markup: str, expected: str) -> None:
    assert extract.text_of(element(markup)) == expected


def test_texts_come_in_the_order_of_the_names_and_never_empty() -> None:
    found = extract.children_by_name(element("<i><b>1</b><a>2</a><b/><b> </b><b>3</b></i>"), NAMES)
    assert [text for _, text in extract.texts_of(found, "a", "x", "b")] == ["2", "1", "3"]
    assert [one.tag for one, _ in extract.texts_of(found, "a")] == ["a"]


def test_attributes_are_trimmed_lower_cased_and_never_empty() -> None:
    assert extract.attributes(element('<a isDefault=" True " URL="x" type="" width=" "/>')) == {
        "isdefault": "True",
        "url": "x",
    }


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a/>", ""),
        ("<a> text </a>", "text"),
        ("<a>x <b>y</b> z</a>", "x <b>y</b> z"),
        ("<a>1 &lt; 2<br/>&amp;</a>", "1 &lt; 2<br>&amp;"),  # text is no markup
        ("<a>&lt;br&gt;</a>", "&lt;br&gt;"),
        ('<a xmlns:m="urn:m">x <b>y</b> z</a>', "x <b>y</b> z"),
        ('<a xmlns="urn:m">x <b>y</b></a>', "x <b>y</b>"),
        ('<a xmlns="urn:m"><m:b xmlns:m="urn:m">y</m:b></a>', '<m:b xmlns:m="urn:m">y</m:b>'),
        ('<a><b xmlns="http://www.w3.org/1999/xhtml">x<br/></b></a>', "<b>x<br></b>"),
        ('<a xmlns:x="http://www.w3.org/1999/xhtml"><x:p>x<x:br/>y</x:p> z</a>', "<p>x<br>y</p> z"),
        (
            '<a xmlns:m="urn:m"><p><m:b m:c="1">x</m:b></p></a>',
            '<p xmlns:m="urn:m"><m:b m:c="1">x</m:b></p>',
        ),
        (
            '<d xmlns:s="http://www.w3.org/2000/svg"><s:svg><s:a xmlns:l="u" l:h="v"/></s:svg></d>',
            '<svg><a xmlns:l="u" l:h="v"></a></svg>',
        ),
        (
            '<a xmlns:m="urn:m"><b xml:base="https://ex.com/" xml:lang="de">x</b></a>',
            '<b xml:base="https://ex.com/" xml:lang="de">x</b>',
        ),
    ],
)
def test_what_is_inside_as_html(markup: str, expected: str) -> None:
    assert extract.inner_html(element(markup)) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a><b/></a>", None),
        ('<a xml:lang="en"><b/></a>', "en"),
        ('<a xml:lang="en"><b xml:lang=" de "/></a>', "de"),
        ('<a xml:lang="en"><b xml:lang=""/></a>', None),  # takes the language back
    ],
)
def test_the_nearest_attribute_counts(markup: str, expected: str | None) -> None:
    assert extract.inherited_attribute(element(markup)[0], XML_LANG) == expected


def test_bases_are_given_from_the_outside_in() -> None:
    root = element('<a xml:base="1"><b xml:base=""><c xml:base="2"><d/></c></b></a>')
    assert extract.xml_bases(root[0][0][0]) == ["1", "2"]
    assert extract.xml_bases(element("<a/>")) == []


@pytest.mark.parametrize(
    ("tag", "expected"), [("<a/>", "a"), ('<x:a xmlns:x="urn:x"/>', "a"), ("<b.c/>", "b.c")]
)
def test_the_local_name(tag: str, expected: str) -> None:
    assert extract.local_name(element(tag)) == expected


def test_an_element_is_kept_with_its_attributes_and_children() -> None:
    kept = element(
        f'<m:content {MEDIA} url="u" b="2">  <m:title type="plain">T </m:title></m:content>'
    )
    assert extract.to_extra_element(kept, NAMES) == ExtraElement(
        name="media:content",
        attributes=(("b", "2"), ("url", "u")),
        children=(ExtraElement(name="media:title", text="T", attributes=(("type", "plain"),)),),
    )


TEXTS = st.none() | st.text(st.characters(min_codepoint=0x21, max_codepoint=0x2FFF), min_size=1)
WORDS = st.recursive(
    made(
        ExtraElement,
        name=st.sampled_from(["title", "media:content", "{urn:other}thing"]),
        text=TEXTS.map(lambda text: (text and text.strip()) or None),
        attributes=st.dictionaries(st.sampled_from(["a", "url", XML_LANG]), st.just("v")).map(
            lambda given: tuple(sorted(given.items()))
        ),
    ),
    lambda inner: made(
        ExtraElement, name=st.just("media:group"), children=st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=5,
)


@pytest.mark.property
@given(WORDS)
def test_a_kept_element_can_be_made_again(word: Any) -> None:
    assert extract.to_extra_element(extract.from_extra_element(word), NAMES) == word
