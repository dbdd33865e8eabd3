"""The bounds on one entry and one header: they hold while a document is parsed."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from converter.errors import LimitError
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Element

MIB = 1024 * 1024


def tag(attributes: int) -> str:
    return f"<a {' '.join(f'b{number}=_' for number in range(attributes))}/>".replace("_", "''")


#: What is over a bound, and which.
OVER: dict[str, tuple[Callable[[], str], str]] = {
    "elements": (lambda: "<a/>" * 20_001, "elements"),
    "elements in elements": (lambda: "<a><b><c/></b></a>" * 7_000, "elements"),
    "attributes": (
        lambda: tag(10) * 10_001,
        "attributes",
    ),
    "attributes of one tag": (
        lambda: tag(100_001),
        "attributes",
    ),
    "a text": (lambda: "x" * (8 * MIB + 1), "text"),
    "a text in CDATA": (lambda: f"<![CDATA[{'<' * (8 * MIB + 1)}]]>", "text"),
    "texts": (lambda: f"<a>{'x' * MIB}</a>" * 9, "text"),
    "values": (lambda: f"<a b='{'x' * MIB}'/>" * 9, "text"),
    "names": (lambda: f"<{'n' * 40_000}/>" * 250, "text"),
    "namespaces": (lambda: f"<a xmlns:b='{'x' * 40_000}'/>" * 250, "text"),
}


class Watched(io.BytesIO):
    """A document that counts the elements in memory whenever a piece of it is read."""

    def __init__(self, document: str, *, size: int = -1) -> None:
        super().__init__(document.encode())
        self.size = size
        self.walk: EntryParser | None = None
        self.most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        if self.walk is not None and self.walk.root is not None:
            root = self.walk.root.getroottree().getroot()
            self.most = max(self.most, sum(1 for _ in root.iter()))
        return super().read(self.size if self.size > 0 else size)


def walked(document: str, *, reads: bool = True, size: int = -1) -> tuple[int, int]:
    """Walk a document; give the number of its entries, and the most elements held at a time."""
    stream = Watched(document, size=size)

    def is_field(_: Element) -> bool:
        return reads

    stream.walk = EntryParser(
        stream,
        entries=frozenset({"item"}),
        containers=frozenset({"channel"}),
        on_header=lambda _: None,
        on_restart=lambda: None,
        is_field=is_field,
        report=lambda _: None,
    )
    found = sum(1 for _ in stream.walk)
    return found, stream.most


def rss(inner: str) -> str:
    return f"<rss><channel>\n{inner}</channel></rss>"


@pytest.mark.parametrize("fault", ["", "&nbsp;"], ids=["well-formed", "repaired"])
@pytest.mark.parametrize("name", OVER)
def test_an_entry_over_a_bound_is_a_limit(name: str, fault: str) -> None:
    inner, limit = OVER[name]
    with pytest.raises(LimitError, match="holds more than") as refusal:
        walked(rss(f"<item>1</item>{fault}<item>{inner()}</item>"))
    assert refusal.value.limit == limit
    assert refusal.value.line == 2


def entity(value: str, inner: str) -> str:
    entities = f"<!ENTITY e '{value}'><!ENTITY f '{'&e;' * 10}'>"
    return f"<!DOCTYPE rss [{entities}]>\n<rss><item>1</item>\n{inner}</rss>"


@pytest.mark.parametrize("inner", ["<item>%s</item>", "<unknown>%s</unknown>", "<a b='%s'/>"])
@pytest.mark.parametrize("reference", ["&e;", "&f;"], ids=["plain", "nested"])
def test_entities_that_expand_to_much_at_one_place_are_a_limit(reference: str, inner: str) -> None:
    with pytest.raises(LimitError, match="entities expand to more than 1 MiB") as refusal:
        walked(entity("x" * 20_000, inner % (reference * 60)))
    assert (refusal.value.limit, refusal.value.line) == ("entities", 3)


def test_expanded_entities_count_as_part_of_an_entry() -> None:
    before = f"<u>{'x' * MIB}</u>" * 4
    texts = f"<a>{'&e;' * 10}{' ' * 70_000}</a>"  # 0.2 MiB, in more than one piece
    with pytest.raises(LimitError, match="<item> holds more than 8 MiB"):
        walked(entity("x" * 20_000, f"{before}<item>{texts * 40}</item>"))


def test_many_entities_may_expand_to_a_large_total() -> None:
    items = f"<item>{'&f;' * 10}{' ' * 10_000}</item>" * 1_000
    assert walked(entity("x" * 300, items))[0] == 1_001


@pytest.mark.parametrize("name", OVER)
def test_a_field_of_the_header_over_a_bound_is_a_limit(name: str) -> None:
    inner, limit = OVER[name]
    with pytest.raises(LimitError, match="holds more than") as refusal:
        walked(rss(f"<image>{inner()}</image><item>1</item>"))
    assert refusal.value.limit == limit


@pytest.mark.parametrize("item", ["", "<item/>"], ids=["before", "between"])
def test_the_fields_of_a_header_are_bounded_together(item: str) -> None:
    with pytest.raises(LimitError, match="the header holds more than 20,000 elements"):
        walked(rss(f"{item}<category/>" * 20_001))
    with pytest.raises(LimitError, match="the header holds more than 8 MiB"):
        walked(rss(f"{item}<category>{'x' * 100_000}</category>" * 90))


def test_declarations_of_the_root_do_not_count_for_header_fields() -> None:
    declared = " ".join(f'xmlns:n{number}="urn:{"x" * 100}{number}"' for number in range(2_000))
    document = rss("<category>x</category>" * 60 + "<item/>").replace("<rss>", f"<rss {declared}>")
    assert len(declared) * 60 > 8 * MIB
    assert walked(document)[0] == 1


@pytest.mark.parametrize(
    "inner",
    [
        "<a/>" * 19_999,
        f"<a>{'x' * (8 * MIB - 60)}</a>",
        f"<![CDATA[{'<&>' * (8 * MIB // 3 - 20)}]]>",
        "<a b='' c='' d='' e='' f=''/>" * 19_999,
        f"<!--{'x' * 500_000}-->" * 20,
        f"<a{' ' * 500_000}/>" * 20,
    ],
    ids=["elements", "a text", "CDATA", "attributes", "comments", "white space in tags"],
)
def test_entries_within_the_limits_are_read(inner: str) -> None:
    assert walked(rss(f"<item>{inner}</item>"))[0] == 1
    assert walked(rss(f"<image>{inner}</image><item/>"))[0] == 1


@pytest.mark.parametrize("size", [-1, 1_000_003], ids=["as asked for", "all at once"])
@pytest.mark.parametrize(
    "passed",
    [
        "<a/>",
        "<a>x</a>y",
        "<a><b/></a>",
        "<channel/>",
        "<channel><a/></channel>",
        "<item/>",
        "<item/><a/>",
        "<!-- x -->",
        "<?x y?>",
        "<x:y/>",
        "<x:y xmlns:x='urn:x'/>",
    ],
)
@pytest.mark.parametrize(
    "around",
    ["%s", "<items>%s</items>", "<items><item/>%s</items>", "<a><b><c>%s</c></b><item/></a>"],
    ids=["beside", "inside", "beside an entry inside", "deep inside"],
)
def test_other_elements_are_freed_while_they_are_parsed(
    around: str, passed: str, size: int
) -> None:
    document = rss(f"<item/>{around % (passed * 30_000)}<item>last</item>")
    found, most = walked(document, reads=False, size=size)
    assert found >= 2
    assert most < 20_000
