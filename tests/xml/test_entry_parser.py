"""The walk: what is an entry and what a header, and what comes of a document that breaks."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import DocumentError, LimitError
from converter.issues import Code, Issue
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Element, line_of
from tests.builders import Drip, codes


@dataclass
class Outcome:
    entries: list[str] = field(default_factory=list)
    """Their texts, joined."""
    headers: list[str] = field(default_factory=list)
    """Names and texts, since the last restart."""
    issues: list[Issue] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    restarts: int = 0


def walk(document: str | bytes, *, size: int | None = None, told: bool = False) -> Outcome:
    """Walk it as RSS or Atom; with `told`, each header and entry is reported as it is read."""
    data = document.encode() if isinstance(document, str) else document
    outcome = Outcome()

    def take_header(element: Element) -> None:
        name = str(element.tag).rpartition("}")[2]
        outcome.headers.append(f"{name}={''.join(element.itertext()).strip()}")
        if told:
            reader.report(Issue(code=Code.DROPPED_FIELD, message=outcome.headers[-1]))

    def restart() -> None:
        outcome.headers.clear()
        outcome.restarts += 1

    reader = EntryParser(
        Drip(data, size),
        entries=frozenset({"item", "entry", "liveItem"}),
        containers=frozenset({"channel"}),
        on_header=take_header,
        on_restart=restart,
        report=outcome.issues.append,
    )
    for entry in reader:
        assert reader.root is not None
        outcome.entries.append("".join(entry.itertext()).strip())
        outcome.lines.append(line_of(entry))
        if told:
            reader.report(Issue(code=Code.DROPPED_FIELD, message=outcome.entries[-1]))
    return outcome


SIZES = pytest.mark.parametrize("size", [None, 1, 7])


@SIZES
@pytest.mark.parametrize(
    ("document", "entries", "headers"),
    [
        pytest.param(
            "<rss><channel><title>T</title><item>1</item><link>L</link><item>2</item>"
            "<ttl>5</ttl></channel></rss>",
            ["1", "2"],
            ["title=T", "link=L", "ttl=5"],
            id="rss2-headers-before-between-after",
        ),
        pytest.param(
            '<rdf:RDF xmlns:rdf="r" xmlns="s"><channel><title>T</title></channel>'
            "<image>I</image><item>1</item><item>2</item></rdf:RDF>",
            ["1", "2"],
            ["title=T", "image=I"],
            id="rss1-items-beside-the-channel",
        ),
        pytest.param(
            '<feed xmlns="http://www.w3.org/2005/Atom"><id>i</id><entry>1</entry></feed>',
            ["1"],
            ["id=i"],
            id="atom",
        ),
        pytest.param("<rss><item>1</item></rss>", ["1"], [], id="no-channel"),
        pytest.param(
            "<rss><channel><x><item>1</item><item>2</item></x></channel></rss>",
            ["1", "2"],
            ["x="],
            id="items-in-a-wrapper",
        ),
        pytest.param("<item>1</item>", ["1"], [], id="the-root-is-an-entry"),
        pytest.param(
            "<rss><channel><a>A</a><item>1</item></channel>"
            "<channel><b>B</b><item>2</item></channel></rss>",
            ["1", "2"],
            ["a=A", "b=B"],
            id="two-channels",
        ),
        pytest.param(
            '<rss><channel><p:liveItem xmlns:p="u">0</p:liveItem><item>1</item></channel></rss>',
            ["0", "1"],
            [],
            id="live-item",
        ),
        pytest.param("<RSS><Channel><Item>1</Item><ITEM>2</ITEM></Channel></RSS>", ["1", "2"], []),
        pytest.param(
            "<rss><channel><item>a<!-- x -->b<?p i?>c<![CDATA[d]]></item></channel></rss>",
            ["abcd"],
            [],
            id="comments-do-not-cut-texts",
        ),
        pytest.param(
            '<feed xmlns="a"><entry>1<content><entry>not one</entry></content></entry></feed>',
            ["1not one"],
            [],
            id="an-entry-in-content-is-content",
        ),
        pytest.param(
            "<rss><channel><item>1<channel>2</channel></item></channel></rss>",
            ["12"],
            [],
            id="a-container-in-an-entry-is-content",
        ),
        pytest.param("<rss><channel><!-- c --></channel></rss>", [], [], id="empty"),
        pytest.param("<rss>" + "<!--c-->" * 9 + "<item>1</item></rss>", ["1"], [], id="comments"),
    ],
)
def test_entries_and_headers_come_in_document_order(
    document: str, entries: list[str], headers: list[str], size: int | None
) -> None:
    outcome = walk(document, size=size)
    assert (outcome.entries, outcome.headers) == (entries, headers)
    assert outcome.issues == []
    assert outcome.restarts == 0


@SIZES
def test_an_entry_directly_inside_another_ends_it(size: int | None) -> None:
    outcome = walk(
        "<rss><channel><t>T</t><item><a>1</a><item><a>2</a></item><item/><b>3</b></item>"
        "</channel></rss>",
        size=size,
    )
    assert outcome.entries == ["1", "2", ""]
    assert outcome.headers == ["t=T", "b=3"]
    assert [issue.message for issue in outcome.issues] == [
        "<item> without an end tag; closed here",
        "</item> without a start tag; removed",
    ]


@SIZES
def test_entries_before_a_fault_are_used_and_an_incomplete_one_is_not(size: int | None) -> None:
    outcome = walk(
        "<rss><channel><title>T</title>\n<item><a>1</a></item>\n<item><a>2</a><b>", size=size
    )
    assert outcome.entries == ["1"]
    assert codes(outcome.issues) == [Code.XML_BROKEN]
    assert outcome.issues[0].line == 3
    assert "line 3, column" in outcome.issues[0].message


@pytest.mark.parametrize(
    "document",
    [
        "",
        "\ufeff",
        "   ",
        "no markup",
        "<rss",
        "<rss><channel><item>half",
        "<rss><channel><item><![CDATA[never closed</item></channel></rss>",
        "<rss><channel></wrong>",
        b"\x1f\x8b\x08\x00binary",
        b"\x00" * 100,
    ],
)
def test_broken_without_one_whole_entry_is_refused(document: str | bytes) -> None:
    with pytest.raises(DocumentError, match=r"line \d+, column \d+") as refusal:
        walk(document)
    assert refusal.value.line is not None
    assert refusal.value.column is not None


@SIZES
@pytest.mark.parametrize(
    ("broken", "entries"),
    [
        pytest.param("<item>a&nbsp;b</item>", ["0", "a\xa0b", "9"], id="filter"),
        pytest.param("<item><b>1</item><item>2</item>", ["0", "1", "2", "9"], id="balance"),
        pytest.param("<item>1<item>2</item><item>3</item>", ["0", "2", "3", "1", "9"], id="open"),
        pytest.param("<item>1</item></b><item>2</item>", ["0", "1", "2", "9"], id="stray-end"),
        pytest.param("<item a='1' a='2'>1</item>", ["0", "1", "9"], id="attribute-twice"),
    ],
)
def test_a_repair_hands_out_nothing_twice_and_reports_nothing_twice(
    broken: str, entries: list[str], size: int | None
) -> None:
    document = (
        f"<rss><channel><t>T</t>\n<item>0</item>{broken}<item>9</item><u>U</u></channel></rss>"
    )
    outcome = walk(document, size=size, told=True)
    assert sorted(outcome.entries) == sorted(entries)
    assert outcome.headers == ["t=T", "u=U"]
    told = [issue.message for issue in outcome.issues if issue.code is Code.DROPPED_FIELD]
    assert sorted(told) == sorted([*entries, "t=T", "u=U"])
    assert Code.XML_REPAIRED in codes(outcome.issues)
    assert outcome.restarts >= 1


@SIZES
def test_an_undeclared_prefix_is_reported_without_a_restart(size: int | None) -> None:
    outcome = walk(
        "<rss><channel><item><media:title>1</media:title></item></channel></rss>", size=size
    )
    assert outcome.entries == ["1"]
    assert codes(outcome.issues) == [Code.XML_REPAIRED]
    assert "prefix media" in outcome.issues[0].message
    assert outcome.restarts == 0


def test_the_prefix_of_the_root_may_be_undeclared() -> None:
    outcome = walk("<atom:feed><atom:id>i</atom:id><atom:entry>1</atom:entry></atom:feed>")
    assert outcome.entries == ["1"]
    assert outcome.headers == ["atom:id=i"]


@SIZES
@pytest.mark.parametrize("tail", ["<rss/>", "\n<b>Warning</b>: mysql", "\x00\x00"])
def test_content_after_the_root_is_ignored_and_reported(tail: str, size: int | None) -> None:
    outcome = walk(f"<rss><channel><item>1</item></channel></rss>{tail}", size=size)
    assert outcome.entries == ["1"]
    assert Code.XML_REPAIRED in codes(outcome.issues)
    assert "ignored" in outcome.issues[-1].message


HEAD = "<rss><channel><item>1</item>"
LAUGHS = "".join(f"<!ENTITY {b} '{f'&{a};' * 10}'>" for a, b in pairwise("abcdefgh"))


@pytest.mark.parametrize(
    ("document", "limit"),
    [
        pytest.param(HEAD + "<a>" * 300, "depth", id="depth"),
        pytest.param(HEAD + "</b>" + "<a>" * 300, "depth", id="depth-behind-an-error"),
        pytest.param(HEAD + "<item>" + "x" * 11_000_000, "text", id="text"),
        pytest.param(HEAD + "<![CDATA[" + "x" * 11_000_000 + "]]>", "text", id="cdata"),
        pytest.param(HEAD + "<!--" + "x" * 11_000_000 + "-->", "text", id="comment"),
        pytest.param(HEAD + "<" + "x" * 60_000 + ">", "text", id="name"),
        pytest.param(
            "<!DOCTYPE rss [<!ENTITY a 'xxxxxxxxxx'>"
            + "".join(
                f"<!ENTITY {b} '{f'&{a};' * 10}'>"
                for a, b in zip("abcdefg", "bcdefgh", strict=True)
            )
            + "]>"
            + HEAD
            + "&h;",
            "entities",
            id="a-billion-laughs",
        ),
        pytest.param(
            f"<!DOCTYPE rss [<!ENTITY a '&b;'><!ENTITY b '&a;'>]>{HEAD}&a;",
            "entities",
            id="loop",
        ),
    ],
)
def test_a_guard_of_libxml2_is_a_limit_and_never_repaired(document: str, limit: str) -> None:
    with pytest.raises(LimitError) as refusal:
        walk(document)
    assert refusal.value.limit == limit
    assert refusal.value.line is not None


def test_a_doctype_is_tolerated_and_its_entities_are_expanded() -> None:
    outcome = walk(
        '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://x.invalid/rss.dtd" '
        '[<!ENTITY who "me">]><rss><channel><item>&who;&nbsp;</item></channel></rss>'
    )
    assert outcome.entries == ["me"]
    assert "nbsp" in outcome.issues[0].message


def test_a_doctype_alone_is_nothing_to_report() -> None:
    outcome = walk("<!DOCTYPE rss><rss><channel><item>1</item></channel></rss>")
    assert outcome.entries == ["1"]
    assert outcome.issues == []


@pytest.mark.parametrize(
    "declaration",
    ['<!ENTITY x SYSTEM "file:///etc/hostname">', '<!ENTITY x PUBLIC "-//x" "http://127.0.0.1/x">'],
)
def test_external_entities_are_removed(declaration: str) -> None:
    outcome = walk(
        f"<!DOCTYPE rss [{declaration}]><rss><channel><item>a&x;b</item></channel></rss>"
    )
    assert outcome.entries == ["ab"]
    assert codes(outcome.issues) == [Code.ENTITY_REMOVED]
    assert "never loaded" in outcome.issues[0].message


@pytest.mark.parametrize("value", ["<item>2</item>", "&#60;item>2</item>"])
def test_elements_in_entities_are_text(value: str) -> None:
    """Events of lxml on elements of an entity point to freed memory."""
    outcome = walk(
        f"<!DOCTYPE rss [<!ENTITY x '{value}'>]><rss><channel><item>a&x;b</item></channel></rss>"
    )
    assert outcome.entries == ["a<item>2</item>b"]
    assert codes(outcome.issues) == []


def test_lines_are_right_beyond_sixteen_bits() -> None:
    gap = "\n" * 70_000
    outcome = walk(
        f"<rss><channel>{gap}<item>\n <a>1</a></item>{gap}<item><a>\n2</a></item></channel></rss>"
    )
    assert outcome.lines == [70_001, 140_002]


def test_a_prolog_of_megabytes_is_accepted() -> None:
    outcome = walk("<!-- " + "x" * 1_200_000 + " --><rss><channel><item>1</item></channel></rss>")
    assert outcome.entries == ["1"]


@pytest.mark.memory
@pytest.mark.parametrize(
    "item",
    [
        "<item><title>t</title><description>" + "x" * 500 + "</description></item>",
        "<item><title>t&nbsp;</title><description>" + "x" * 500 + "</description></item>",
        "<item><title>t<description>" + "x" * 500 + "</item>",
        "<category>" + "x" * 500 + "</category>",
        "<x:y>" + "x" * 500 + "</x:y><item/>",
    ],
    ids=["well-formed", "filtered", "never-closed", "headers-only", "undeclared-prefix"],
)
def test_memory_does_not_grow_with_the_document(item: str, unmeasured: dict[str, str]) -> None:
    program = textwrap.dedent(
        f"""
        import io, resource
        from converter.xml.entry_parser import EntryParser
        ITEM = {item!r}.encode() * 100

        class Feed(io.RawIOBase):
            def seek(self, *_): self.left = 50_000_000 // len(ITEM); self.head = True; return 0
            def read(self, size=-1):
                if self.head: self.head = False; return b"<rss><channel>" + ITEM
                self.left -= 1
                if self.left < 0: return b""
                return ITEM if self.left else b"</channel></rss>"

        def walk(stream):
            for _ in EntryParser(
                stream,
                entries=frozenset({{"item"}}),
                containers=frozenset({{"channel"}}),
                on_header=lambda e: None,
                on_restart=lambda: None,
                is_field=lambda e: False,
                report=lambda i: None,
            ):
                pass

        walk(io.BytesIO(b"<rss><item>&nbsp;</item></rss>"))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        walk(Feed())
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=unmeasured,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 16 * 1024, "KiB grown"


#: What breaks feeds, and what means something to the scanner.
BITS = st.sampled_from(
    [
        *("&", "<", ">", '"', "'", "&nbsp;", "&x;", "&#0;", "&#xD83D;&#xDE00;", "]]>", "]]", "-->"),
        *("<![CDATA[", "<!--", "<?", "?>", "<!DOCTYPE rss [", "]>", "<!ENTITY x '<item>'>", "\r\n"),
        *(
            "<item>",
            "</item>",
            "<channel>",
            "</channel>",
            "</rss>",
            "<br>",
            "</p>",
            "<a b=c>",
            "<a b='",
        ),
    ]
).map(str.encode) | st.binary(min_size=1, max_size=3)
SEED = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE rss [<!ENTITY x "y">]>\n'
    b'<rss xmlns:m="n"><channel><title>T &amp; \xc3\xa9</title>\n<item a="b > c">'
    b"<m:t>&x;</m:t></item>"
    b"\n<item><![CDATA[ <b> & ]]></item><!-- c --><item/></channel></rss>"
)


@st.composite
def broken_feeds(draw: st.DrawFn) -> bytes:
    document = draw(st.sampled_from([SEED, SEED.replace(b'<!DOCTYPE rss [<!ENTITY x "y">]>', b"")]))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(document)))
        end = start + draw(st.integers(0, 12))
        document = document[:start] + draw(BITS | st.just(b"")) + document[end:]
    return document


@pytest.mark.property
@given(document=broken_feeds() | st.binary(max_size=200), size=st.sampled_from([1, 3, 7, 64]))
def test_any_bytes_yield_entries_or_a_refusal_for_any_chunk_size(
    document: bytes, size: int
) -> None:
    outcomes = []
    for chunk in (None, size):
        try:
            outcomes.append(walk(document, size=chunk))
        except (DocumentError, LimitError) as refusal:
            outcomes.append(str(refusal))
    whole, dripped = outcomes
    assert type(whole) is type(dripped)
    if isinstance(whole, Outcome):
        assert whole == dripped


@pytest.mark.property
@given(cut=st.integers(0, len(SEED) - 1))
def test_a_truncated_feed_yields_only_complete_entries(cut: int) -> None:
    whole = walk(SEED).entries
    try:
        outcome = walk(SEED[:cut])
    except DocumentError:
        return
    assert outcome.entries == whole[: len(outcome.entries)]
    assert Code.XML_BROKEN in codes(outcome.issues)
