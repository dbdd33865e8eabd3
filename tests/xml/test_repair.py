"""The byte filter: what it repairs, what it leaves alone, what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from converter.errors import LimitError
from converter.issues import Code, Issue
from converter.xml.repair import Findings, repair
from tests.builders import Drip, codes


def filtered(document: str | bytes, *, size: int | None = None) -> tuple[str, list[Issue]]:
    data = document.encode() if isinstance(document, str) else document
    findings = Findings()
    repaired = b"".join(repair(Drip(data, size), frozenset({"item"}), findings)).decode()
    return repaired, list(findings.issues())


SIZES = pytest.mark.parametrize("size", [None, 1, 7])

#: In a text, and in a value.
TEXTS = [
    ("a&nbsp;b", "a&#160;b", "undefined entity &nbsp; read as U+00A0"),
    ("&NotEqualTilde;", "&#8770;&#824;", "read as U+2242 U+0338"),
    ("&nosuch;", "&amp;nosuch;", "unknown entity &nosuch;"),
    ("A & B", "A &amp; B", "bare &"),
    ("AT&T", "AT&amp;T", "bare &"),
    ("?a=1&b=2", "?a=1&amp;b=2", "bare &"),
    ("&;", "&amp;;", "bare &"),
    ("&#;", "&amp;#;", "bare &"),
    ("&#x;", "&amp;#x;", "bare &"),
    ("&nbsp", "&amp;nbsp", "bare &"),
    ("&#0;", "", "&#0; is not allowed"),
    ("&#x1F;", "", "&#x1F; is not allowed"),
    ("&#xFFFE;", "", "not allowed"),
    ("&#1114112;", "", "not allowed"),
    ("&#99999999999999999999;", "", "not allowed"),
    ("&#" + "9" * 5000 + ";", "&amp;#" + "9" * 5000 + ";", "bare &"),
    ("&#55357;x", "x", "not allowed"),
    ("a\x00b\x08c\x1fd", "abcd", "U+0000 is not allowed"),
    ("a\ufffeb", "ab", "U+FFFE is not allowed"),
    ("1 < 2", "1 &lt; 2", "< in "),
    ("<3", "&lt;3", "< in "),
    ("a << b", "a &lt;&lt; b", "< in "),
]


@SIZES
@pytest.mark.parametrize(("before", "after", "message"), TEXTS)
@pytest.mark.parametrize("frame", ["<r>\n{}</r>", '<r a="\n{}"/>'], ids=["text", "value"])
def test_invalid_text_is_repaired(
    frame: str, before: str, after: str, message: str, size: int | None
) -> None:
    repaired, issues = filtered(frame.format(before), size=size)
    assert repaired == frame.format(after)
    assert codes(issues) == [Code.XML_REPAIRED]
    assert message in issues[0].message
    assert issues[0].line in {1, 2}
    etree.fromstring(repaired)


@SIZES
@pytest.mark.parametrize(
    "document",
    [
        "<r>a &amp; b &lt; &#233; &#x1F600; é 😀 &quot;</r>",
        "<r>\r\n<a b='1' c = \"x > y\"/>\t</r>\n",
        "<r><![CDATA[ & < &nbsp; <b> ]] > ]]></r>",
        "<p:r xmlns:p='u'><p:a p:b='&gt;'/></p:r>",
        "<r>]] ]&gt; > ' \" / = </r>",
    ],
)
def test_well_formed_documents_are_unchanged(document: str, size: int | None) -> None:
    assert filtered(document, size=size) == (document, [])


@SIZES
@pytest.mark.parametrize(
    ("document", "after", "message"),
    [
        ("\n\n<?xml version='1.0'?><r/>", "\n\n<r/>", "white space before"),
        ("\n\ufeff<?xml version='1.0'?><r/>", "\n<r/>", "text or white space before"),
        (
            "<br />\n<b>Warning</b>: x\n<?xml version='1.0'?><rss/>",
            "\n\n<rss/>",
            "text or white space before",
        ),
        ("junk <rss/>", "<rss/>", "text or white space before"),
        ("junk <unknown/>", "<unknown/>", "text or white space before"),
        ("\ufeff\ufeff<rss/>", "<rss/>", "text or white space before"),
        ("<r>a ]]> b</r>", "<r>a ]]&gt; b</r>", "]]> in text"),
        ("<r a=1 b='2' c\n/>", '<r a="1" b=\'2\' c=""\n/>', "not well-formed"),
        ("<r a=x/y?z=1>t</r>", '<r a="x/y?z=1">t</r>', "not well-formed"),
        ("<r a='1'b='2' a='3' 4='5'/>", "<r a='1' b='2'/>", "not well-formed"),
        ("<r>x</r\n a='1'>", "<r>x</r>\n", "attributes of <r>"),
        ("<r a=>x</r>", '<r a="">x</r>', "not well-formed"),
        ("<!DOCTYPE rss\n[<rss>x</rss>", "\n<rss>x</rss>", "DOCTYPE without an end"),
    ],
)
def test_documents_are_put_right(document: str, after: str, message: str, size: int | None) -> None:
    repaired, issues = filtered(document, size=size)
    assert repaired == after
    assert message in " | ".join(issue.message for issue in issues)


@SIZES
@pytest.mark.parametrize(
    ("document", "after"),
    [
        ("<?xml version='1.1' encoding='UTF-8'?><r/>", "<r/>"),
        ("<!-- -- \n & --><r/>", "\n<r/>"),
        ("<?pi \n & ?><r/>", "\n<r/>"),
        ("<!DOCTYPE r\n SYSTEM 'x'\n><r/>", "\n\n<r/>"),
        ("<!DOCTYPE ><r/>", "<r/>"),
        ("<r>x</r><!DOCTYPE x>", "<r>x</r>"),
        ("<!-- open", ""),
        ("", ""),
        ("<!DOCTYPE r [<!-- ]> ' --><!ENTITY a 'b%'>]><r>&a;</r>", "<r>b%</r>"),
        ("<!DOCTYPE r [<!ENTITY a '&b;'><!ENTITY b '&nbsp;'>]><r>&a;</r>", "<r>&#160;</r>"),
        ("<!DOCTYPE r [<!ENTITY a 'first'><!ENTITY a 'no'>]><r>&a;</r>", "<r>first</r>"),
        ("<!DOCTYPE r [<!ENTITY a '&#38;#65;'>]><r>&a;</r>", "<r>&#65;</r>"),
        ("<!DOCTYPE r [<!ENTITY a '<b>\"\n'>]><r c='&a;'/>", "\n<r c='&lt;b&gt;&quot;&#10;'/>"),
        ("<!DOCTYPE r [<!ATTLIST r a CDATA 'x'>]><r/>", "<r/>"),
        ("<!DOCTYPE r [<!ENTITY % p SYSTEM 'f'> %p;]><r/>", "<r/>"),
    ],
)
def test_only_content_and_harmless_entities_pass(
    document: str, after: str, size: int | None
) -> None:
    assert filtered(document, size=size)[0] == after


@pytest.mark.parametrize("ending", ["<item><ti", "<item a='x", "a ]]", "</ite", "<![CDATA[x"])
def test_the_half_token_at_a_break_is_left_for_libxml2(ending: str) -> None:
    assert filtered(f"<rss>{ending}") == (f"<rss>{ending}", [])


@SIZES
@pytest.mark.parametrize(
    ("document", "text", "code"),
    [
        pytest.param("é".encode("cp1252"), "é", Code.ENCODING_ASSUMED, id="no-utf8"),
        pytest.param(b"\xc3\xa9 \xe9 \x93\x81", "é é “\ufffd", Code.ENCODING_ASSUMED, id="mixed"),
        pytest.param(b"\xc0\xbcb", "À¼b", Code.ENCODING_ASSUMED, id="overlong"),
    ],
)
def test_invalid_utf8_is_read_as_windows_1252(
    document: bytes, text: str, code: Code, size: int | None
) -> None:
    repaired, issues = filtered(b"<r>\n" + document + b"</r>", size=size)
    assert repaired == f"<r>\n{text}</r>"
    assert [(issue.code, issue.line) for issue in issues] == [(code, 2)]


def declared(encoding: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?><r>é日Ж</r>'


@SIZES
@pytest.mark.parametrize(
    ("document", "reported"),
    [
        (declared("utf-8").encode(), False),
        (declared("utf-8").encode("utf-8-sig"), False),
        (declared("utf-16").encode("utf-16"), False),
        (declared("UTF-16LE").encode("utf-16-le"), False),
        (declared("utf-32").encode("utf-32"), False),
        (declared("gb18030").encode("gb18030"), False),
        (declared("utf-8").encode("utf-16"), True),
        (declared("utf-16").encode(), True),
        (declared("us-ascii").encode(), True),
        (declared("shift_jis").encode(), True),
        (declared("martian").encode(), True),
        *[
            (declared(name).encode(), True)
            for name in ("rot13", "zlib_codec", "idna", "punycode", "unicode_escape", "undefined")
        ],
        (declared("utf-7").encode(), True),
        (declared("cp037").encode(), True),
        (declared("../../etc/passwd").encode(), False),
        (declared("x" * 100_000).encode(), False),
    ],
)
def test_a_wrong_encoding_declaration_is_reported_and_ignored(
    document: bytes, reported: bool, size: int | None
) -> None:
    repaired, issues = filtered(document, size=size)
    assert repaired == "<r>é日Ж</r>"
    assert codes(issues) == [Code.ENCODING_ASSUMED] * reported


def test_undecodable_bytes_of_other_encodings_are_replaced() -> None:
    head = b'<?xml version="1.0" encoding="shift_jis"?><r>' + b"x" * 5000
    repaired, issues = filtered(head + b"\n\xff\xff</r>")
    assert repaired.endswith("\n\ufffd\ufffd</r>")
    assert [(issue.code, issue.line) for issue in issues] == [(Code.ENCODING_ASSUMED, 2)]


def test_half_a_character_at_the_end_is_dropped() -> None:
    assert filtered("<r/>".encode("utf-16") + b"\n")[0] == "<r/>"


@SIZES
@pytest.mark.parametrize(
    ("document", "after", "message"),
    [
        ("<r><a>x</r>", "<r><a>x</a></r>", "<a> without an end tag"),
        ("<r>x</b></r>", "<r>x</r>", "</b> without a start tag"),
        ("<r><p>a<br>b</p></r>", "<r><p>a<br/>b</p></r>", "<br> without an end tag"),
        ("<r><A>x</a></r>", "<r><A>x</A></r>", "</a> read as </A>"),
        (
            "<r><item><a>1<item>2</item></r>",
            "<r><item><a>1</a></item><item>2</item></r>",
            "<a> without",
        ),
        ('<r><a/><item b="<"/></r>', '<r><a/><item b="&lt;"/></r>', "< in a value"),
    ],
)
def test_tags_are_balanced(document: str, after: str, message: str, size: int | None) -> None:
    repaired, issues = filtered(document, size=size)
    assert repaired == after
    assert message in issues[0].message


def test_libxml2_refuses_a_document_that_is_too_deep() -> None:
    document = "<r>" + "<a>" * 600
    assert filtered(document) == (document, [])


def test_an_unclosed_tag_is_not_buffered_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("converter.xml.repair.markup._MAX_TOKEN_CHARS", 20)
    with pytest.raises(LimitError, match="line 2: a tag, a text or a comment is longer") as refusal:
        filtered("<r>\n<a b='" + "x" * 100_000 + "</r>")
    assert refusal.value.limit == "text"


def test_elements_open_at_the_end_stay_open() -> None:
    assert filtered("<r><item>")[0] == "<r><item>"


def test_a_kind_of_repair_is_reported_once_with_its_first_line_and_a_count() -> None:
    _, issues = filtered("<r>\n&nbsp;\n&eacute;&nbsp;\n& \n&</r>")
    assert [(issue.line, issue.message) for issue in issues] == [
        (2, "undefined entity &nbsp; read as U+00A0 (and in 2 more places)"),
        (4, "bare &; escaped (and in 1 more place)"),
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "<",
        "<a ",
        "<a b='",
        "<!--",
        "<![CDATA[",
        "<!DOCTYPE r [<!--",
        "&",
        "]",
        "<a b=c ",
        "&#55357;",
    ],
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    """Squared, each of these would take hours."""
    filtered("<r>" + unit * (200_000 // len(unit)))


@pytest.mark.property
@given(data=st.binary(max_size=300), size=st.integers(1, 9))
def test_any_bytes_pass_and_where_they_are_cut_does_not_matter(data: bytes, size: int) -> None:
    assert filtered(data) == filtered(data, size=size)


@pytest.mark.property
@given(text=st.text(max_size=60))
def test_any_text_between_tags_becomes_well_formed(text: str) -> None:
    document = f"<rss><![CDATA[{text.replace(']]>', '')}]]></rss>"
    repaired, _ = filtered(document.encode("utf-8", "replace"))
    etree.fromstring(repaired)
    plain = "".join(character for character in text if character not in "<>![")
    etree.fromstring(filtered(f"<rss>{plain} </rss>".encode("utf-8", "replace"))[0])
