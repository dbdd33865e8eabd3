"""Slices: whole entries, each once and in order, whoever reads them."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from converter.errors import MouldBroken
from converter.moulds import slices
from converter.moulds.layout import Layout
from converter.moulds.slices import Slices, descriptor_of

END = b"</item>"


def _slices(stream: BinaryIO, size: int) -> Slices:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "_SLICE_BYTES", size)
        return Slices(stream, Layout("item"), are_held=False)


def _walked(given: Slices) -> tuple[list[bytes], bytes]:
    """Give all slices, and what is left behind them."""
    read = []
    while (mark := given.marked()) is not None:
        read.append(given.read(mark))
    return read, b"".join(iter(lambda: given.rest(5), b""))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("slices")


@settings(max_examples=80, deadline=None)
@given(
    entries=st.lists(st.integers(0, 90).map(lambda n: b"<item>" + b"x" * n + END), max_size=12),
    head=st.binary(max_size=20).filter(lambda head: END not in head),
    tail=st.binary(max_size=40).filter(lambda tail: END not in tail),
    size=st.integers(30, 200),
    first=st.integers(0, 120),
)
def test_slices_are_the_document_cut_behind_entries(
    folder: Path, entries: list[bytes], head: bytes, tail: bytes, size: int, first: int
) -> None:
    document = head + b"".join(entries) + tail
    path = folder / "document"
    path.write_bytes(document)
    with path.open("rb") as plain:
        for stream in (plain, io.BytesIO(document)):
            given = _slices(stream, size)
            begun, _ = given.first(first)
            read, rest = _walked(given)
            assert begun + b"".join(read) + rest == document
            assert all(part.endswith(END) for part in (*read, *filter(None, [begun])))
            assert END not in rest


@pytest.mark.parametrize("is_plain", [True, False])
def test_what_was_not_done_is_given_again(tmp_path: Path, is_plain: bool) -> None:
    document = b"".join(b"<item>%d</item>" % number for number in range(40))
    path = tmp_path / "document"
    path.write_bytes(document)
    with path.open("rb") if is_plain else io.BytesIO(document) as stream:
        given = _slices(stream, 64)
        marks = [given.marked() for _ in range(4)]
        undone = [mark for mark in marks[1:] if mark is not None]
        again = given.read(marks[0] or b"") + b"".join(given.read(mark) for mark in undone)
        given.unmark(undone)
        read, rest = _walked(given)
        assert again == document[: len(again)]
        assert given.read(marks[0] or b"") + b"".join(read) + rest == document


def test_only_plain_files_can_be_read_by_others(tmp_path: Path) -> None:
    path = tmp_path / "document"
    path.write_bytes(gzip.compress(b"<item/>"))
    with path.open("rb") as plain, gzip.open(path) as packed:
        assert descriptor_of(plain) == plain.fileno()
        assert packed.fileno() >= 0, "it has one, of the packed file"
        assert descriptor_of(packed) is None  # type: ignore[arg-type]
    assert descriptor_of(io.BytesIO()) is None


def test_what_is_closed_is_not_read_through_another_file(tmp_path: Path) -> None:
    path = tmp_path / "document"
    path.write_bytes(b"<item>1</item>" * 9)
    with path.open("rb") as stream:
        given = _slices(stream, 64)
        mark = given.marked()
    assert mark is not None
    with (tmp_path / "other").open("wb+"), pytest.raises(MouldBroken):
        given.read(mark)


def test_entries_that_are_too_long_are_no_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_MOST_CARRIED_BYTES", 300)
    long = b"<item>" + b"x" * 1000 + END
    given = _slices(io.BytesIO(b"<item></item>" + long + b"<item></item>"), 64)
    read, rest = _walked(given)
    assert read[:1] == [b"<item></item>"]
    assert b"".join(read) + rest == b"<item></item>" + long + b"<item></item>"
