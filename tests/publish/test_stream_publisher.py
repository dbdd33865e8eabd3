"""Publishing to standard output, FIFOs, devices and streams; temporary files."""

from __future__ import annotations

import errno
import gzip
import io
import os
import stat
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

from converter.errors import SinkError
from converter.publish.publisher import Publisher
from converter.publish.target import open_target
from tests.builders import tree

# temporary files


@pytest.mark.parametrize("size", [10, 5 << 20])
def test_a_temporary_file_returns_its_content_and_has_no_name(tmp_path: Path, size: int) -> None:
    with open_target(tmp_path / "s.xml") as sink:
        spool = sink.spool()
        spool.write(b"x" * (size // 2))
        spool.writelines([b"x" * (size // 2)])
        assert not list(tmp_path.glob("*.tmp"))
        spool.seek(0)
        assert len(spool.read()) == size
        sink.spool().close()
        sink.spool()
    assert spool.closed


@pytest.mark.parametrize("target", [None, "s.xml"])
def test_a_temporary_file_on_a_full_disk_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str | None
) -> None:
    def full(**_: object) -> BinaryIO:
        return os.fdopen(os.open("/dev/full", os.O_RDWR), "r+b", buffering=0)

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with open_target(target and tmp_path / target) as sink:
        spool = sink.spool()
        with pytest.raises(SinkError, match=r"temporary file .*: No space left on device; make"):
            spool.write(b"x" * 100_000)
        sink.spool().write(b"never read, never missed")
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("target", [None, "s.xml"])
def test_too_many_open_files_are_an_error_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str | None
) -> None:
    def refuse(**_: object) -> BinaryIO:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with (
        open_target(target and tmp_path / target) as sink,
        pytest.raises(SinkError, match=r"temporary file .*Too many open files; .*ulimit -n"),
    ):
        sink.spool()
    assert tree(tmp_path) == {}


def test_a_missing_folder_for_temporary_files_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    with open_target(None) as sink:
        assert sink.stage([b"small"], compress=False).bytes == 5
        sink.discard()
        with pytest.raises(SinkError, match="TMPDIR"):
            sink.stage([b"large"] * 1_000_000, compress=False)
        with pytest.raises(SinkError, match="TMPDIR"):
            sink.spool()


class Trickle(io.RawIOBase):
    """Takes three bytes at a time."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int | None:  # type: ignore[override]  # bytes will do
        self.taken += data[:3]
        return len(data[:3])


class Full(Trickle):
    def write(self, data: bytes, /) -> int | None:  # type: ignore[override]  # bytes will do
        return None


class Silent:
    """A stream of other making, which says nothing."""

    taken = b""

    def write(self, data: bytes) -> None:
        self.taken += data

    def flush(self) -> None:
        """There is nothing to flush."""


def stream_into(sink: Publisher, content: bytes) -> None:
    with sink:
        sink.publish([("-", sink.stage([content], compress=False))])


def test_a_stream_is_written_at_the_end_and_stays_open() -> None:
    stream = io.BytesIO()
    with open_target(stream) as sink:
        staged = sink.stage([b"a", b"b"], compress=False)
        spool = sink.spool()
        sink.spool().close()
        sink.spool()
        assert (stream.getvalue(), sink.name) == (b"", "-")
        assert sink.is_unchanged("-", staged) is False
        assert (sink.index(), sink.existing_sibling()) == (None, None)
        sink.publish([("-", staged)])
    assert stream.getvalue() == b"ab"
    assert spool.closed


def test_a_stream_may_take_a_few_bytes_at_a_time() -> None:
    stream = Trickle()
    stream_into(open_target(stream), b"0123456789")  # type: ignore[arg-type]  # raw is binary too
    assert stream.taken == b"0123456789"


def test_a_stream_that_would_block_is_an_error() -> None:
    with pytest.raises(SinkError, match="would block"):
        stream_into(open_target(Full()), b"x")  # type: ignore[arg-type]  # raw is binary too


def test_the_write_method_of_a_stream_may_return_none() -> None:
    stream = Silent()
    stream_into(open_target(stream), b"x" * (2 << 20))  # type: ignore[arg-type]  # it can write
    assert stream.taken == b"x" * (2 << 20)


def test_a_file_can_be_staged_after_a_discarded_one() -> None:
    stream = io.BytesIO()
    with open_target(stream) as sink:
        for _ in range(2):
            first_walk = [sink.stage([b"1"], compress=False) for _ in range(3)]
            sink.discard(first_walk)
        sink.publish([("-", sink.stage([b"2"], compress=True))])
    assert gzip.decompress(stream.getvalue()) == b"2"


def test_a_broken_pipe_is_raised_unchanged() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb", buffering=0) as pipe, pytest.raises(BrokenPipeError):
        stream_into(open_target(pipe), b"x")


@pytest.mark.parametrize("target", [None, "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_has_many_names(
    target: str | None, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(1, "wb", closefd=False) as buffer:
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(buffer))
        stream_into(open_target(target), b"data")
        monkeypatch.undo()
    assert capfdbinary.readouterr().out == b"data"


def test_standard_output_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(SinkError, match="standard output is closed; name a file with -o PATH"):
        stream_into(open_target(None), b"data")


@pytest.mark.parametrize("linked", [False, True])
def test_a_fifo_is_written_to_and_not_replaced(tmp_path: Path, linked: bool) -> None:
    fifo = tmp_path / "pipe.xml"
    os.mkfifo(fifo)
    target = tmp_path / "link.xml" if linked else fifo
    if linked:
        target.symlink_to(fifo)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()))
    reader.start()
    stream_into(open_target(target), b"through the pipe")
    reader.join()
    assert got == [b"through the pipe"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_fifo_that_was_removed_is_not_created_as_a_file(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe.xml"
    os.mkfifo(fifo)
    sink = open_target(fifo)
    fifo.unlink()
    with pytest.raises(SinkError, match="No such file or directory"):
        stream_into(sink, b"x")
    assert tree(tmp_path) == {}


def test_devices_are_written_to() -> None:
    stream_into(open_target("/dev/null"), b"x")
    with pytest.raises(SinkError, match='"/dev/full" could not be written: No space left'):
        stream_into(open_target("/dev/full"), b"x")
