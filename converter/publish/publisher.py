"""What publishers have in common, and the one of standard output, FIFOs, devices and streams."""

from __future__ import annotations

import errno
import io
import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Self, cast

from converter.errors import OptionError, SinkError
from converter.publish.existing_index import ExistingIndex
from converter.publish.write_errors import sink_errors

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: What messages call a temporary file that does not lie beside the output.
_TEMPORARY: Final = "a temporary file (TMPDIR says where)"
#: The names of such files begin with it.
_PREFIX: Final = "feed2sitemap."
_BUFFER_BYTES: Final = 1 << 16
#: What the one file for a stream may have of memory before it goes to disk.
_MEMORY_BYTES: Final = 4 << 20
_CHUNK_BYTES: Final = 1 << 20


class Staged(NamedTuple):
    """One finished file under a temporary name, known to the publisher that made it."""

    bytes: int
    """As stored."""
    raw_bytes: int
    """Uncompressed."""
    temporary: str
    """Its temporary name, which tells it from others."""


class Publisher(ABC):
    """Takes finished files, and puts all of them in place or none.

    What exists at the target already, this base class knows nothing of.

    Attributes:
        name: the file name that parts are named after; "-" where there can be none.
        threads: how many may compress.
        completed: how many files a killed run had begun to publish; that was completed on entry.
    """

    name = "-"

    def __init__(self) -> None:
        self.threads = 1
        self.completed = 0
        self._spools: list[BinaryIO] = []

    def __enter__(self) -> Self:
        """Lock the target, complete what a killed run left, sweep its remains."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove whatever was not published, and unlock."""
        for spool in self._spools:
            with suppress(SinkError):  # what was never read need not reach the disk
                spool.close()
        self.discard()

    def spool(self) -> BinaryIO:
        """Make a temporary file without a name; closed at the end, if the caller does not."""
        return self._spool(None, _PREFIX)

    def _spool(self, folder: str | None, prefix: str) -> BinaryIO:
        """Make it in a folder, or where the system keeps such files."""
        import tempfile  # what is small stays in memory

        self._spools = [spool for spool in self._spools if not spool.closed]
        what = f'a temporary file in "{folder}"' if folder else _TEMPORARY
        with (
            sink_errors(what),
            tempfile.TemporaryFile(dir=folder, prefix=prefix, suffix=".tmp") as file,
        ):
            raw = _Spool(os.dup(file.fileno()), what)
        spool = io.BufferedRandom(raw, _BUFFER_BYTES)
        self._spools.append(spool)
        return spool  # and not the last of the list: threads fetch side by side

    def _write(self, chunks: Iterable[bytes], file: BinaryIO, *, compress: bool) -> tuple[int, int]:
        """Write a whole file; return the bytes as stored and the bytes uncompressed."""
        raw_bytes = stored_bytes = 0

        def counted() -> Iterator[bytes]:
            nonlocal raw_bytes
            for chunk in chunks:
                raw_bytes += len(chunk)
                yield chunk

        packed: Iterable[bytes] = counted()
        if compress:
            from converter.publish.gzip_threads import gzipped  # threads cost time to import

            packed = gzipped(packed, self.threads)
        for chunk in packed:
            stored_bytes += file.write(chunk)
        file.flush()
        return stored_bytes, raw_bytes

    @abstractmethod
    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        """Write one whole file under a temporary name."""

    @abstractmethod
    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        """Remove these, or everything staged so far."""

    @abstractmethod
    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Put the files in place in this order, then remove what is no longer part of the set."""

    # -- what exists ------------------------------------------------------------------------------

    def index(self, name: str | None = None) -> ExistingIndex | None:
        """Read the index at `name` (the target), if there is one."""
        return None

    def exists(self, name: str | None = None) -> bool:
        """Return True if there is a file of that name (the target's)."""
        return False

    def open_existing(self, name: str) -> BinaryIO:
        """Open an existing file, as it is stored."""
        raise FileNotFoundError(name)

    def unchanged(self, name: str, staged: Staged) -> bool:
        """Return True if the existing file of that name has the same bytes."""
        return False

    def left_over(self) -> str | None:
        """Return the path of the same file with (or without) ".gz", if there is such a file."""
        return None


class _Spool(io.FileIO):
    """Raises a sentence where a disk is full, whenever the buffer above it comes to write."""

    def __init__(self, handle: int, what: str) -> None:
        super().__init__(handle, "r+b")
        self._what = what

    def write(self, data: ReadableBuffer, /) -> int:
        with sink_errors(self._what):
            return super().write(data)


class StreamPublisher(Publisher):
    """Holds the one file until the whole run has succeeded, then writes it."""

    def __init__(self, opened: Callable[[], AbstractContextManager[BinaryIO]], shown: str) -> None:
        super().__init__()
        self._opened = opened
        self._shown = shown
        self._staged: dict[str, BinaryIO] = {}
        self._counter = 0

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        """Hold one whole file; a second is only walked, for it can never be published."""
        self._counter += 1
        name = str(self._counter)
        if self._staged:
            deque(chunks, maxlen=0)
            return Staged(0, 0, name)
        with sink_errors(_TEMPORARY):
            held = self._staged[name] = _temporary()
            return Staged(*self._write(chunks, held, compress=compress), name)

    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        """Forget these, or everything that is held."""
        names = list(self._staged) if staged is None else [one.temporary for one in staged]
        for name in names:
            if (held := self._staged.pop(name, None)) is not None:
                with suppress(OSError):  # of a full disk, once more
                    held.close()

    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Write the one file.

        Raises:
            OptionError: there are several.
            SinkError: the system refuses.
            BrokenPipeError: whoever reads has seen enough.
        """
        if len(files) > 1:
            raise OptionError(
                f"the output needs more than one file, and {self._shown} takes one; give -o PATH"
            )
        for _, staged in files:
            held = self._staged[staged.temporary]
            held.seek(0)
            with sink_errors(self._shown), self._opened() as stream:
                while chunk := held.read(_CHUNK_BYTES):
                    _write_all(stream, chunk)
                stream.flush()


def _temporary() -> BinaryIO:
    import tempfile  # in memory while it is small: from file to pipe needs no disk

    return cast("BinaryIO", tempfile.SpooledTemporaryFile(_MEMORY_BYTES, prefix=_PREFIX))


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Write to the end: a stream without a buffer may take less than it is given."""
    while data:
        taken = stream.write(data)
        if taken is None:
            if isinstance(stream, io.RawIOBase):
                raise BlockingIOError(errno.EAGAIN, "it takes nothing at the moment")
            return  # other makers' streams say nothing, and take everything
        data = data[taken:]
