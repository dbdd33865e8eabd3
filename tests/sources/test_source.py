"""Sources: what may be one, that it can be rewound, and what becomes of gzip."""

from __future__ import annotations

import gzip
import io
import os
import socket
import sys
import tempfile
import threading
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import (
    ConverterError,
    DocumentError,
    LimitError,
    OptionError,
    SourceError,
)
from converter.issues import Code, Issue
from converter.options import Limits
from converter.sources import gzip as gzip_source
from converter.sources.source import PREFIX_BYTES, open_source
from tests.builders import codes

FEED = b'<rss version="2.0"><channel><title>T</title></channel></rss>\n'
#: Incompressible, and longer than any buffer in the way.
NOISE = b"".join(zlib.crc32(b"%d" % n).to_bytes(4, "big") for n in range(300_000))


def opened(spec: Any, issues: list[Issue] | None = None, **limits: Any) -> Any:
    return open_source(
        spec,
        limits=Limits(**limits),
        spool=tempfile.TemporaryFile,
        report=(issues if issues is not None else []).append,
    )


def read(spec: Any, issues: list[Issue] | None = None, **limits: Any) -> bytes:
    with opened(spec, issues, **limits) as source:
        return source.stream.read()


def refusal(spec: Any, kind: type[ConverterError], **limits: Any) -> str:
    with pytest.raises(kind) as caught:
        read(spec, **limits)
    return str(caught.value)


class Unseekable(io.RawIOBase):
    """A pipe in memory, in pieces as small as pipes give them."""

    def __init__(self, content: bytes) -> None:
        self._rest = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._rest.readinto(memoryview(buffer)[:1000])


# -- what a source is --------------------------------------------------------------------------


def test_a_regular_file_is_read_in_place(tmp_path: Path) -> None:
    path = tmp_path / "blog.rss"
    path.write_bytes(FEED)

    def no_spool() -> BinaryIO:
        raise AssertionError("copied")

    with open_source(path, limits=Limits(), spool=no_spool, report=[].append) as source:
        assert source.name == str(path)
        assert source.prefix() == FEED
        assert source.extension == ".rss"
        assert source.total_bytes == len(FEED)
        assert source.media_type is None
        assert source.url is None
        assert source.stream.read() == FEED
        assert source.consumed() == len(FEED)
        source.stream.seek(0)
        assert source.stream.read(4) == b"<rss"
        stream = source.stream
    assert stream.closed


@pytest.mark.parametrize(
    ("name", "extension"),
    [
        ("a.rss", ".rss"),
        ("a.RSS.GZ", ".rss"),
        ("a.gz", None),
        ("a", None),
        (".rss", None),
        ("a.b.atom", ".atom"),
    ],
)
def test_the_extension_is_that_before_gz(tmp_path: Path, name: str, extension: str | None) -> None:
    path = tmp_path / name
    path.write_bytes(FEED)
    with opened(str(path)) as source:
        assert source.extension == extension


def test_the_prefix_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(NOISE)
    with opened(path) as source:
        assert source.prefix() == NOISE[:PREFIX_BYTES]
        assert source.stream.read() == NOISE


@pytest.mark.parametrize("content", [FEED, gzip.compress(FEED)], ids=["plain", "gzip"])
def test_standard_input_is_spooled(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    stdin = io.TextIOWrapper(io.BufferedReader(Unseekable(content)))
    monkeypatch.setattr(sys, "stdin", stdin)
    with opened("-") as source:
        assert source.name == "-"
        assert source.extension is None
        assert source.total_bytes == len(content)
        assert source.stream.read() == FEED
        source.stream.seek(0)
        assert source.stream.read() == FEED
    assert not stdin.closed


def test_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in refusal("-", SourceError)


def test_a_fifo_is_spooled(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe.rss"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(NOISE,))
    writer.start()
    with opened(fifo) as source:
        assert source.stream.read() == NOISE
        source.stream.seek(0)
        assert source.stream.read(10) == NOISE[:10]
    writer.join()


def test_an_endless_device_is_bounded() -> None:
    assert "larger than the limit of 1,000,000 bytes" in refusal(
        "/dev/zero", LimitError, max_unpacked_bytes=1_000_000
    )


def test_the_null_device_is_empty() -> None:
    assert read("/dev/null") == b""


def test_a_stream_stays_open_and_may_be_nameless() -> None:
    stream = io.BytesIO(FEED)
    with opened(stream) as source:
        assert source.name == "-"
        assert source.stream is stream
        assert source.total_bytes == len(FEED)
    assert not stream.closed


def test_a_stream_is_read_from_its_position(tmp_path: Path) -> None:
    path = tmp_path / "begun.rss"
    path.write_bytes(b"skipped" + FEED)
    with path.open("rb") as stream:
        stream.read(7)
        with opened(stream) as source:
            assert source.name == str(path)
            assert source.stream.read() == FEED
            source.stream.seek(0)
            assert source.stream.read() == FEED


def test_a_stream_that_can_only_read_is_enough() -> None:
    class Body:
        def __init__(self) -> None:
            self.read = io.BytesIO(FEED).read

    assert read(Body()) == FEED


def test_a_file_without_a_size_has_no_total(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    with opened(path) as source:
        assert source.total_bytes is None
        assert source.prefix() == b""


# -- what is none ------------------------------------------------------------------------------


def test_every_refusal_names_the_source_and_the_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, said in (
        ("missing.rss", "No such file"),
        (".", "Is a directory"),
        ("file/below", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("loop", "Too many levels of symbolic links"),
    ):
        message = refusal(str(tmp_path / name), SourceError)
        assert said in message
        assert message.startswith(str(tmp_path)[:20])


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert "No such device" in refusal("socket", SourceError)


def test_other_errors_show_the_message_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> BinaryIO:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("builtins.open", broken)
    assert "cannot be opened: Input/output error" in refusal(str(tmp_path), SourceError)


def test_a_file_without_permission_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*args: object) -> BinaryIO:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", forbidden)
    assert "opened: Permission denied" in refusal(str(tmp_path), SourceError)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "the name of a source is empty"),
        ("a\0b", "cannot be opened: embedded null byte"),
        ("ftp://u:secret@ex.com/feed", "or begin with https://"),
        ("file:///etc/motd", "or begin with https://"),
    ],
)
def test_invalid_names_are_refused(spec: str, said: str) -> None:
    message = refusal(spec, SourceError)
    assert said in message
    assert "secret" not in message


def test_names_cannot_command_the_terminal() -> None:
    message = refusal("\x1b[31mred\u202e\udcff.rss", SourceError)
    assert message.isprintable()
    assert "\\x1b[31mred\\u202e\\udcff.rss" in message


@pytest.mark.parametrize(
    ("spec", "said"),
    [(None, "not NoneType"), (7, "not int"), (io.StringIO("x"), "open it in binary mode")],
)
def test_a_source_must_be_a_path_or_a_binary_stream(spec: object, said: str) -> None:
    assert said in refusal(spec, OptionError)


def test_a_stream_that_breaks_is_a_source_that_cannot_be_read() -> None:
    class Broken(Unseekable):
        def readinto(self, buffer: Any) -> int:
            if len(buffer):
                raise OSError(5, "Input/output error")
            return 0

    assert "cannot be read: Input/output error" in refusal(
        io.BufferedReader(Broken(FEED)), SourceError
    )


@pytest.mark.parametrize("is_seekable", [True, False])
def test_sources_can_be_bounded(is_seekable: bool) -> None:
    spec = io.BytesIO(FEED) if is_seekable else Unseekable(FEED)
    assert read(io.BytesIO(FEED), max_source_bytes=len(FEED)) == FEED
    with pytest.raises(LimitError, match="--max-bytes") as caught:
        read(spec, max_source_bytes=len(FEED) - 1)
    assert caught.value.limit == "max_source_bytes"


# -- gzip --------------------------------------------------------------------------------------


def test_gzip_is_known_by_its_content_and_can_be_rewound(tmp_path: Path) -> None:
    path = tmp_path / "blog.rss"
    path.write_bytes(gzip.compress(NOISE, mtime=0))
    with opened(path) as source:
        stream = source.stream
        assert source.prefix() == NOISE[:PREFIX_BYTES]
        assert stream.read() == NOISE
        assert source.consumed() == source.total_bytes == path.stat().st_size
        assert stream.seek(700_001) == 700_001
        assert stream.read(5) == NOISE[700_001:700_006]
        assert stream.tell() == 700_006
        stream.seek(-3, os.SEEK_CUR)
        assert stream.read(3) == NOISE[700_003:700_006]
        assert stream.seek(10**9) == len(NOISE)
        stream.seek(0)
        assert stream.read(9) == NOISE[:9]
        with pytest.raises(io.UnsupportedOperation):
            stream.seek(0, os.SEEK_END)


def test_plain_content_under_a_gz_name_is_plain(tmp_path: Path) -> None:
    path = tmp_path / "blog.rss.gz"
    path.write_bytes(FEED)
    assert read(path) == FEED


def test_unpacking_happens_once() -> None:
    once = gzip.compress(FEED)
    assert read(io.BytesIO(gzip.compress(once))) == once


PACKED = gzip.compress(FEED, mtime=0)


@pytest.mark.parametrize(
    ("packed", "content", "fault"),
    [
        (PACKED, FEED, None),
        (PACKED + PACKED, FEED + FEED, None),
        (PACKED + bytes(600), FEED, None),
        (PACKED + bytes(600) + PACKED, FEED + FEED, None),
        (gzip.compress(b"") + PACKED, FEED, None),
        (PACKED + gzip.compress(b""), FEED, None),
        (PACKED + b"junk", FEED, "damaged"),
        (PACKED + b"\x1f", FEED, "damaged"),
        (PACKED + b"\x1f\x8b", FEED, "break off"),
        (PACKED + b"\x1f\x8bjunk", FEED, "break off"),
        (PACKED[:-1], FEED, "break off"),
        (PACKED[:-8], FEED, "break off"),
        (PACKED[:-8] + bytes(8), FEED, "damaged"),
        (PACKED[:-4] + bytes(4), FEED, "damaged"),
    ],
)
@pytest.mark.parametrize("step", [1, 7, 32768])
def test_gzip_content_before_a_fault_is_used_and_the_fault_reported_once(
    packed: bytes,
    content: bytes,
    fault: str | None,
    step: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gzip_source, "_STEP_BYTES", step)
    issues: list[Issue] = []
    with opened(io.BytesIO(packed), issues) as source:
        for _ in range(3):
            source.stream.seek(0)
            assert source.stream.read() == content
    assert codes(issues) == [Code.GZIP_REPAIRED] * bool(fault)
    assert all(fault and fault in issue.message and issue.source == "-" for issue in issues)


@pytest.mark.parametrize("packed", [b"\x1f\x8b", b"\x1f\x8b\x08", b"\x1f\x8bjunk", PACKED[:10]])
def test_empty_gzip_data_is_an_error(packed: bytes) -> None:
    assert "nothing can be decompressed" in refusal(io.BytesIO(packed), DocumentError)


def test_gzip_of_nothing_is_empty() -> None:
    assert read(io.BytesIO(gzip.compress(b""))) == b""


def test_damage_in_the_middle_keeps_the_data_before_it() -> None:
    text = b"".join(b"https://www.example.com/%d\n" % n for n in range(100_000))
    packed = bytearray(gzip.compress(text, mtime=0))
    packed[len(packed) // 2 : len(packed) // 2 + 200] = b"\xff" * 200
    issues: list[Issue] = []
    found = read(io.BytesIO(bytes(packed)), issues)
    sound = len(text) // 3
    assert found[:sound] == text[:sound]
    assert codes(issues) == [Code.GZIP_REPAIRED]


def test_decompressed_content_is_bounded() -> None:
    packed = gzip.compress(NOISE)
    with pytest.raises(LimitError, match="1,000,000 bytes") as caught:
        read(io.BytesIO(packed), max_unpacked_bytes=1_000_000)
    assert caught.value.limit == "max_unpacked_bytes"
    assert read(io.BytesIO(packed), max_unpacked_bytes=len(NOISE)) == NOISE


def test_bombs_are_recognised_by_their_ratio() -> None:
    bomb = gzip.compress(bytes(3_000_000))
    with pytest.raises(LimitError, match="as only in bombs") as caught:
        read(io.BytesIO(bomb), ratio_floor_bytes=1_000_000, max_unpack_ratio=100)
    assert caught.value.limit == "max_unpack_ratio"
    assert len(read(io.BytesIO(bomb), max_unpack_ratio=100)) == 3_000_000  # under the floor


@pytest.mark.property
@given(
    parts=st.lists(st.binary(max_size=3000), min_size=1, max_size=4),
    cut=st.integers(0, 10_000),
    flip=st.none() | st.integers(0, 10_000),
)
def test_gzip_of_any_kind_gives_a_beginning_of_its_content(
    parts: list[bytes], cut: int, flip: int | None
) -> None:
    whole = bytearray(b"".join(gzip.compress(part, mtime=0) for part in parts))
    if flip is not None:
        whole[flip % len(whole)] ^= 0x55
    packed = bytes(whole[:cut])
    issues: list[Issue] = []
    try:
        found = read(io.BytesIO(packed), issues)
    except DocumentError:
        return
    if flip is None and packed.startswith(gzip_source.MAGIC):
        assert b"".join(parts).startswith(found)
        assert issues or found == b"".join(parts) or cut < len(whole)


@pytest.mark.property
@given(content=st.binary(max_size=2000), sizes=st.lists(st.integers(1, 700), max_size=20))
def test_reading_in_pieces_is_reading(content: bytes, sizes: list[int]) -> None:
    with opened(io.BytesIO(gzip.compress(content))) as source:
        pieces = [source.stream.read(size) for size in sizes]
        assert b"".join(pieces) + source.stream.read() == content


def test_a_rescue_that_fills_the_buffer_continues_after_it() -> None:
    text = bytes(200_000) + NOISE[:5000]
    packed = gzip.compress(text, mtime=0)[:-8] + b"\xff" * 8
    issues: list[Issue] = []
    raw = gzip_source.open_gzip(io.BytesIO(packed), "x", Limits(), issues.append)
    small = raw.raw  # type: ignore[attr-defined]  # BufferedReader has it
    found = b""
    while piece := small.read(1000):
        found += piece
    assert found == text
    assert len(issues) == 1
