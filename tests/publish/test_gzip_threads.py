"""Compression with several threads: one gzip member, the same bytes for any number of them."""

import gzip
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.publish import gzip_threads


def _packed(content: bytes, threads: int, chunk: int = 70_000) -> bytes:
    chunks = (content[at : at + chunk] for at in range(0, len(content), chunk))
    return b"".join(gzip_threads.gzipped(chunks, threads))


def _text(size: int) -> bytes:
    some = random.Random(size)  # noqa: S311  anybody may guess it
    words = some.choices(["<url>", "<loc>", "https://www.example.com/", "a", "1"], k=size)
    return " ".join(words).encode()[:size]


SIZES = [0, 1, 999, 524_287, 524_288, 524_289, 1_048_576, 3_000_000]


@pytest.mark.parametrize("size", SIZES)
def test_gzip_readers_return_the_content(size: int) -> None:
    content = _text(size)
    for threads in (1, 3):
        packed = _packed(content, threads)
        assert gzip.decompress(packed) == content
        member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        assert member.decompress(packed) == content
        assert member.eof
        assert not member.unused_data, "one member, and nothing behind it"


@pytest.mark.parametrize("size", SIZES)
def test_the_bytes_do_not_depend_on_threads_or_chunks(size: int) -> None:
    content = _text(size)
    assert len({_packed(content, n, chunk) for n in (1, 2, 5) for chunk in (1_000, 900_000)}) == 1


def test_blocks_hardly_change_the_ratio() -> None:
    content = _text(3_000_000)
    assert len(_packed(content, 2)) < 1.01 * len(gzip.compress(content, 6))


@pytest.mark.property
@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(1, 4))
def test_small_blocks_form_one_stream(chunks: list[bytes], threads: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gzip_threads, "_BLOCK_BYTES", 16)
        patch.setattr(gzip_threads, "_WINDOW_BYTES", 8)
        packed = b"".join(gzip_threads.gzipped(chunks, threads))
    assert gzip.decompress(packed) == b"".join(chunks)


def test_an_error_of_the_source_is_raised() -> None:
    def broken() -> object:
        yield b"x" * 2_000_000
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        list(gzip_threads.gzipped(broken(), 2))  # type: ignore[arg-type]  # a generator is iterable
