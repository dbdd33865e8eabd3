"""Sources are the same everywhere, as large as was asked for, and read without a complaint."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import converter
from benchmarks.data import KINDS, MB, Source, generate

MANY = 400
FEW = 40


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bytes_every_time(kind: str, tmp_path: Path) -> None:
    source = Source(kind=kind, entries=FEW)
    once, again = (generate(source, tmp_path / name).path for name in ("once", "again"))
    assert once.name == again.name
    assert once.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_source_begins_as_a_smaller_one_does(kind: str, tmp_path: Path) -> None:
    few, many = (generate(Source(kind=kind, entries=size), tmp_path).path for size in (FEW, MANY))
    begins = few.read_bytes().removesuffix(KINDS[kind].tail.encode())
    assert many.read_bytes().startswith(begins)


@pytest.mark.parametrize("kind", KINDS)
def test_every_generated_entry_is_read_without_issues(kind: str, tmp_path: Path) -> None:
    made = generate(Source(kind=kind, entries=MANY), tmp_path)
    with converter.read(made.path) as document:
        entries = list(document.entries)
    assert len(entries) == made.entries == MANY
    assert not document.issues
    assert all(entry.loc for entry in entries)
    is_dated = kind != "list"
    assert all(bool(entry.published or entry.updated) == is_dated for entry in entries)
    assert all(bool(entry.videos) == (kind == "mrss") for entry in entries)


def test_a_size_in_megabytes_is_reached_by_the_last_entry(tmp_path: Path) -> None:
    sizes = (0.1, 0.2, 0.4)
    made = [generate(Source(kind="blog", megabytes=size), tmp_path) for size in sizes]
    assert all(file.size_bytes >= size * MB for file, size in zip(made, sizes, strict=True))
    assert all(file.size_bytes < larger * MB for file, larger in zip(made, sizes[1:], strict=False))
    assert all(smaller.entries < larger.entries for smaller, larger in pairwise(made))


def test_only_lists_have_a_few_duplicates(tmp_path: Path) -> None:
    made = generate(Source(kind="list", entries=10 * MANY), tmp_path)
    lines = made.path.read_text("utf-8").splitlines()
    assert 0 < len(lines) - len(set(lines)) < len(lines) // 50
    assert any(not line.isascii() for line in lines)
    assert any("utm_source=" in line for line in lines)


def test_existing_data_is_not_generated_again(tmp_path: Path) -> None:
    source = Source(kind="list", entries=FEW)
    path = generate(source, tmp_path).path
    path.write_text("left alone", "ascii")
    assert generate(source, tmp_path).path.read_text("ascii") == "left alone"
    assert generate(source, tmp_path).entries == FEW
    assert not list(tmp_path.glob("*.part"))
