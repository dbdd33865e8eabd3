"""The base class of publishers, and the publisher for standard output, FIFOs and streams."""

from __future__ import annotations

import errno
import io
import os
import zlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, Self, cast

from converter.errors import SinkError, sink_errors
from converter.formats.base import Part
from converter.publish.existing_index import ExistingIndex

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PREFIX: Final = "feed2sitemap."
_TEMPORARY: Final = "a temporary file (TMPDIR says where)"
_BUFFER_BYTES: Final = 1 << 16
#: A file for a stream is held in memory up to this size, then on disk.
_MEMORY_BYTES: Final = 4 << 20
_CHUNK_BYTES: Final = 1 << 20
_GZIP_LEVEL: Final = 6
#: The format of zlib with the header and the trailer of gzip.
_GZIP_WBITS: Final = 16 + zlib.MAX_WBITS


@dataclass(slots=True, kw_only=True, eq=False)
class OutputPart:
    """One file of an output: a staged one, or an existing one that is kept."""

    name: str = ""
    """Empty until the number of parts is known."""
    kind: str = ""
    """See `OutputFile`; empty for the format of the output."""
    period: str = ""
    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    bytes: int = 0
    """As stored."""
    raw_bytes: int = 0
    """Uncompressed."""
    temporary: str = ""
    """The name of the staged file; empty if the existing file is kept."""


class Publisher(ABC):
    """Stages finished files, then publishes all of them or none.

    Attributes:
        name: the file name that parts are named after; "-" for a stream.
        completed: number of files of a killed run that were published on entry.
    """

    name = "-"

    def __init__(self) -> None:
        self.completed = 0
        self._spools: list[BinaryIO] = []
        self._spool_folder: str | None = None
        self._spool_prefix = _PREFIX

    def __enter__(self) -> Self:
        """Lock the target, complete the publication of a killed run, remove its other files."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the files that are not published, and unlock the target."""
        for spool in self._spools:
            with suppress(SinkError):  # buffered data that nothing has read
                spool.close()
        self.discard()

    def spool(self) -> BinaryIO:
        """Create a temporary file without a name; it is closed with the publisher.

        Raises:
            SinkError: it cannot be created; also while it is written.
        """
        self._spools = [spool for spool in self._spools if not spool.closed]
        spool = temporary_file(self._spool_folder, self._spool_prefix)
        self._spools.append(spool)
        return spool

    @abstractmethod
    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> OutputPart:
        """Write one whole file under a temporary name."""

    def stage_part(
        self, part: Part, *, compress: bool, period: str = "", name: str = ""
    ) -> OutputPart:
        """Write one whole part under a temporary name."""
        staged = self.stage(part.chunks, compress=compress)
        staged.name, staged.period, staged.urls = name, period, part.entries
        staged.images, staged.videos, staged.news = part.images, part.videos, part.news
        return staged

    def _write(
        self, chunks: Iterable[bytes], file: BinaryIO, temporary: str, *, compress: bool
    ) -> OutputPart:
        """Write a whole file; its gzip header has no name and no time: same input, same bytes."""
        staged = OutputPart(temporary=temporary)
        packer = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_WBITS) if compress else None
        for chunk in chunks:
            staged.raw_bytes += len(chunk)
            staged.bytes += file.write(packer.compress(chunk) if packer else chunk)
        if packer:
            staged.bytes += file.write(packer.flush())
        file.flush()
        return staged

    @abstractmethod
    def discard(self, staged: Sequence[OutputPart] | None = None) -> None:
        """Remove these staged files, or all of them."""

    @abstractmethod
    def publish(
        self, files: Sequence[tuple[str, OutputPart]], *, remove: Sequence[str] = ()
    ) -> None:
        """Rename the files in this order, then remove the other named files."""

    def path_of(self, name: str) -> str:
        """Return the path of a file of the output, in its folder as the user named it."""
        return name

    # -- existing files: a stream has none --------------------------------------------------------

    def index(self, name: str | None = None) -> ExistingIndex | None:
        """Read the existing index of this name, or of the target's; None if there is none."""
        return None

    def exists(self, name: str | None = None) -> bool:
        """Return True if a file of this name, or of the target's, exists."""
        return False

    def open_existing(self, name: str) -> BinaryIO:
        """Open an existing file, as it is stored."""
        raise FileNotFoundError(name)

    def is_unchanged(self, name: str, staged: OutputPart) -> bool:
        """Return True if the existing file of this name has the same bytes."""
        return False

    def existing_sibling(self) -> str | None:
        """Return the path of the target with (or without) ".gz" if that file exists."""
        return None


def temporary_file(folder: str | None = None, prefix: str = _PREFIX) -> BinaryIO:
    """Create a temporary file without a name, in a folder or in TMPDIR.

    Raises:
        SinkError: it cannot be created; also while it is written.
    """
    import tempfile  # most runs need none

    name = f'a temporary file in "{folder}"' if folder else _TEMPORARY
    with (
        sink_errors(name),
        tempfile.TemporaryFile(dir=folder, prefix=prefix, suffix=".tmp") as file,
    ):
        return io.BufferedRandom(_TemporaryFile(os.dup(file.fileno()), name), _BUFFER_BYTES)


class _TemporaryFile(io.FileIO):
    """Raises `SinkError` when the buffer above it cannot be written, as on a full disk."""

    def __init__(self, handle: int, name: str) -> None:
        super().__init__(handle, "r+b")
        self._display_name = name

    def write(self, data: ReadableBuffer, /) -> int:
        with sink_errors(self._display_name):
            return super().write(data)


class StreamPublisher(Publisher):
    """Holds the one file until the whole run has succeeded, then writes it to the stream."""

    def __init__(
        self, open_stream: Callable[[], AbstractContextManager[BinaryIO]], display_name: str
    ) -> None:
        super().__init__()
        self._open_stream = open_stream
        self._display_name = display_name
        self._file: BinaryIO | None = None

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> OutputPart:
        """Hold one whole file; drain and forget a second one, which `publish` would refuse."""
        if self._file is not None:
            deque(chunks, maxlen=0)
            return OutputPart()
        with sink_errors(_TEMPORARY):
            self._file = _spooled_file()
            return self._write(chunks, self._file, self.name, compress=compress)

    def discard(self, staged: Sequence[OutputPart] | None = None) -> None:
        if self._file is not None and (staged is None or any(one.temporary for one in staged)):
            with suppress(OSError):  # of a full disk, once more
                self._file.close()
            self._file = None

    def publish(
        self, files: Sequence[tuple[str, OutputPart]], *, remove: Sequence[str] = ()
    ) -> None:
        """Write the one file.

        Raises:
            SinkError: the system refuses.
            BrokenPipeError: the reader of the pipe has closed it.
        """
        if self._file is not None and files:
            self._file.seek(0)
            with sink_errors(self._display_name), self._open_stream() as stream:
                while chunk := self._file.read(_CHUNK_BYTES):
                    _write_all(stream, chunk)
                stream.flush()


def _spooled_file() -> BinaryIO:
    import tempfile

    return cast("BinaryIO", tempfile.SpooledTemporaryFile(_MEMORY_BYTES, prefix=_PREFIX))


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Write all bytes: one call on an unbuffered stream may take only some of them."""
    while data:
        taken = stream.write(data)
        if taken is None:
            if isinstance(stream, io.RawIOBase):
                raise BlockingIOError(errno.EAGAIN, "it would block")
            return  # a stream of another library, which returns nothing and takes everything
        data = data[taken:]
