"""Many documents in one file: each can be read by itself, also while others are."""

from __future__ import annotations

import io
import os
import tempfile
from typing import BinaryIO

import pytest

from converter.issues import ignore
from converter.options import Limits
from converter.sources.source import Source, open_source
from converter.sources.spool import append_copy


def kept(file: BinaryIO, *documents: bytes) -> list[Source]:
    found = []
    for document in documents:
        stream = io.BytesIO(document)
        opened = open_source(stream, limits=Limits(), spool=tempfile.TemporaryFile, report=ignore)
        with opened as source:
            found.append(append_copy(file, source))
    return found


def test_documents_are_read_side_by_side_and_again() -> None:
    documents = [b"", b"one", b"t" * 300_000, b"three\nlines\n"]
    with tempfile.TemporaryFile() as file:
        held = kept(file, *documents)
        assert [document.total_bytes for document in held] == [len(each) for each in documents]
        for _ in range(2):
            assert [document.stream.read(2) for document in held] == [d[:2] for d in documents]
            assert [document.stream.read() for document in held] == [d[2:] for d in documents]
            assert [document.consumed() for document in held] == [len(each) for each in documents]
            assert [document.prefix() for document in held] == [d[: 64 * 1024] for d in documents]


class Broken(io.BytesIO):
    """Breaks off behind its first bytes."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell():
            raise OSError("the connection is lost")
        return super().read(3)


def test_the_remains_of_a_failed_copy_are_in_no_document() -> None:
    with tempfile.TemporaryFile() as file:
        (first,) = kept(file, b"first")
        with pytest.raises(OSError, match="connection"):
            append_copy(file, first._replace(stream=Broken(b"broken")))
        (second,) = kept(file, b"second")
        assert (first.stream.read(), second.stream.read()) == (b"first", b"second")


@pytest.mark.parametrize(
    ("offset", "whence", "rest"),
    [
        (0, os.SEEK_SET, b"abcdef"),
        (4, os.SEEK_SET, b"ef"),
        (-2, os.SEEK_END, b"ef"),
        (9, os.SEEK_SET, b""),
        (-99, os.SEEK_CUR, b"abcdef"),
    ],
)
def test_a_document_can_be_sought(offset: int, whence: int, rest: bytes) -> None:
    with tempfile.TemporaryFile() as file:
        _, document, _ = kept(file, b"before", b"abcdef", b"behind")
        assert document.stream.seekable()
        assert document.stream.readable()
        assert document.stream.seek(offset, whence) == document.stream.tell()
        assert document.stream.read() == rest


def test_lines_can_be_read() -> None:
    with tempfile.TemporaryFile() as file:
        (document,) = kept(file, b"a\nb\n")
        assert list(document.stream) == [b"a\n", b"b\n"]
