"""Packing entries into parts, with a format made up for the purpose."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.formats.base import Part, PartLimits, Rendered
from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed
from tests.builders import NO_LIMITS, content_of, parts_of

MIB = 1024 * 1024


class Lines:
    """One line an entry: its loc. The id says how many news, and which namespaces, it has."""

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        if entry.loc is None:
            return None
        names = frozenset((entry.id or "").replace("n", ""))
        news = (entry.id or "").count("n")
        return Rendered(f"{entry.loc}\n".encode(), names, images=1, videos=2, news=news)

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        return f"<{feed.title or ''}{''.join(sorted(prefixes))}\n".encode()

    def tail(self, feed: Feed, /) -> bytes:
        return b">\n"


class Files:
    """Spool files that remember whether they were closed."""

    def __init__(self) -> None:
        self.made: list[io.BytesIO] = []

    def __call__(self) -> BinaryIO:
        self.made.append(io.BytesIO())
        return self.made[-1]


def packed(
    entries: list[Entry], limits: PartLimits = NO_LIMITS, feed: Feed | None = None
) -> list[tuple[Part, bytes]]:
    parts = parts_of(Lines(), entries, limits, feed=lambda: feed or Feed())
    return [(part, b"".join(part.chunks)) for part in parts]


def entries(*locs: str) -> list[Entry]:
    return [Entry(loc=loc) for loc in locs]


def test_one_part_with_head_body_and_tail() -> None:
    [(part, content)] = packed(entries("a", "b"))
    assert content == b"<\na\nb\n>\n"
    assert (part.number, part.entries, part.images, part.videos, part.news) == (1, 2, 2, 4, 0)
    assert part.raw_bytes == len(content)


def test_no_entries_give_no_part() -> None:
    assert packed([]) == []
    assert packed([Entry(loc=None)]) == []


def test_entries_that_cannot_be_written_are_skipped() -> None:
    [(part, content)] = packed([Entry(loc=None), *entries("a")])
    assert part.entries == 1
    assert content == b"<\na\n>\n"


def test_a_part_closes_before_too_many_entries() -> None:
    parts = packed(entries(*"abcde"), PartLimits(max_entries=2))
    assert [(part.number, part.entries) for part, _ in parts] == [(1, 2), (2, 2), (3, 1)]


def test_a_part_may_have_exactly_the_maximum_size() -> None:
    # "<\n" + "a\n" + "b\n" + ">\n" are 8 bytes
    assert [p.entries for p, _ in packed(entries("a", "b"), PartLimits(max_bytes=8))] == [2]
    assert [p.entries for p, _ in packed(entries("a", "b"), PartLimits(max_bytes=7))] == [1, 1]


def test_namespaces_count_among_the_bytes_and_belong_to_their_part() -> None:
    rich, plain = Entry(loc="a", id="xy"), Entry(loc="b")
    limits = PartLimits(max_bytes=8)  # the head with x and y takes two more than there are
    assert [c for _, c in packed([rich, plain], limits)] == [b"<xy\na\n>\n", b"<\nb\n>\n"]
    assert [c for _, c in packed([plain, rich], limits)] == [b"<\nb\n>\n", b"<xy\na\n>\n"]
    assert len(packed([rich, plain], PartLimits(max_bytes=10))) == 1


def test_a_part_closes_before_too_much_news() -> None:
    news = [Entry(loc=str(number), id="n") for number in range(3)]
    mixed = [news[0], Entry(loc="x"), *news[1:], Entry(loc="y")]
    parts = packed(mixed, PartLimits(max_news=2))
    assert [(part.entries, part.news) for part, _ in parts] == [(3, 2), (2, 1)]


def test_an_entry_too_large_for_any_part_is_reported_and_left_out() -> None:
    issues: list[Issue] = []
    given = [*entries("a"), Entry(loc="long" * 9, line=7), *entries("b")]
    parts = parts_of(Lines(), given, PartLimits(max_bytes=20), report=issues.append)
    assert content_of(parts) == b"<\na\nb\n>\n"
    assert [(i.code, i.line, i.entry) for i in issues] == [(Code.ENTRY_TOO_LARGE, 7, "long" * 9)]


def test_entries_too_large_for_any_part_give_no_part() -> None:
    assert packed(entries("long" * 9), PartLimits(max_bytes=20)) == []


def test_the_head_has_the_header_known_at_the_end() -> None:
    feed = Feed()

    def given() -> Iterator[Entry]:
        nonlocal feed
        yield Entry(loc="a")
        feed = Feed(title="late")

    parts = parts_of(Lines(), given(), feed=lambda: feed)
    assert content_of(parts) == b"<late\na\n>\n"


def test_large_parts_are_spooled_and_read_back_in_chunks() -> None:
    files = Files()
    line = "x" * 99_999
    given = (Entry(loc=line) for _ in range(50))
    for part in parts_of(Lines(), given, spool=files):
        chunks = list(part.chunks)
    assert b"".join(chunks) == b"<\n" + (line.encode() + b"\n") * 50 + b">\n"
    assert max(map(len, chunks)) <= MIB + 100_000
    assert len(files.made) == 1


def test_small_parts_are_not_spooled() -> None:
    files = Files()
    for part in parts_of(Lines(), entries("a"), spool=files):
        list(part.chunks)
    assert files.made == []


def test_spools_are_closed_at_the_end_and_on_abandonment() -> None:
    files = Files()
    big = [Entry(loc="x" * (2 * MIB))] * 3
    for part in parts_of(Lines(), big, PartLimits(max_entries=1), spool=files):
        list(part.chunks)
    assert [file.closed for file in files.made] == [True] * 3
    files.made.clear()
    parts = parts_of(Lines(), big, PartLimits(max_entries=1), spool=files)
    next(parts)
    parts.close()
    assert files.made
    assert all(file.closed for file in files.made)


def test_an_exception_of_the_source_is_propagated() -> None:
    files = Files()

    def broken() -> Iterator[Entry]:
        yield Entry(loc="x" * (2 * MIB))
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        next(parts_of(Lines(), broken(), spool=files))
    assert [file.closed for file in files.made] == [True]


@pytest.mark.property
@given(
    st.lists(
        st.builds(
            Entry,
            loc=st.text("ab", min_size=1, max_size=12),
            id=st.sampled_from(["", "n", "x", "xy"]),
        ),
        max_size=40,
    ),
    st.builds(
        PartLimits,
        max_entries=st.none() | st.integers(1, 9),
        max_bytes=st.none() | st.integers(20, 60),
        max_news=st.none() | st.integers(1, 5),
    ),
)
def test_parts_lose_nothing_and_hold_the_limits(given: list[Entry], limits: PartLimits) -> None:
    parts = packed(given, limits)
    lines = [line for _, content in parts for line in content.decode().splitlines()[1:-1]]
    assert lines == [entry.loc for entry in given]
    for number, (part, content) in enumerate(parts, start=1):
        assert part.number == number
        assert part.raw_bytes == len(content)
        assert 1 <= part.entries <= (limits.max_entries or part.entries)
        assert part.news <= (limits.max_news or part.news)
        assert len(content) <= (limits.max_bytes or len(content))
