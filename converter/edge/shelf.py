"""Keeps what was fetched: many documents in one temporary file, each to be read again and again.

A feed may have thousands of pages: a file, or an open descriptor, for each would be too many.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from converter.edge.sources import PREFIX_BYTES, Source
from converter.errors import SinkError
from converter.issues import printable
from converter.seams import Spool

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["Held", "Shelf", "held"]

_CHUNK_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A document that can be read from its beginning as often as one likes."""

    name: str
    """As it was given, or asked for; without credentials."""
    stream: BinaryIO
    """Unpacked, at its beginning."""
    total_bytes: int | None
    consumed: Callable[[], int]
    url: str | None = None
    """Where it was fetched from, after redirects; None: it lay here."""
    media_type: str | None = None
    extension: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    """(rel, absolute URL) of the Link header."""
    is_unchanged: bool = False
    """It is what was fetched before (304)."""

    def prefix(self) -> bytes:
        """Give what detection may see; it is not kept, for there may be thousands."""
        self.stream.seek(0)
        prefix = self.stream.read(PREFIX_BYTES)
        self.stream.seek(0)
        return prefix


def held(source: Source) -> Held:
    """Give an opened source as what it is too: a document that can be read again."""
    return Held(
        name=source.name,
        stream=source.stream,
        total_bytes=source.total_bytes,
        consumed=source.consumed,
        url=source.url,
        media_type=source.media_type,
        extension=source.extension,
        links=source.links,
        is_unchanged=source.is_unchanged,
    )


class Shelf:
    """One file, made when there is something to put on it."""

    def __init__(self, spool: Spool, closing: ExitStack) -> None:
        self._spool = spool
        self._closing = closing
        self._file: BinaryIO | None = None
        self._end = 0

    def put(self, source: Source) -> Held:
        """Keep a copy of what a source holds, unpacked: the source can be closed.

        Raises:
            SinkError: there is no room for it.
        """
        start = self._end
        file = self._copied(source.name, source.stream)
        kept = _Slice(file, start, self._end - start)
        return replace(
            held(source),
            stream=cast("BinaryIO", kept),
            total_bytes=self._end - start,
            consumed=kept.tell,
        )

    def _copied(self, name: str, stream: BinaryIO) -> BinaryIO:
        if self._file is None:
            self._file = self._closing.enter_context(self._spool())
        file = self._file
        while chunk := stream.read(_CHUNK_BYTES):
            try:
                file.write(chunk)
                file.flush()
            except OSError as error:
                raise SinkError(
                    f"{printable(name)}: there is no room for what was fetched: {error.strerror}"
                ) from error
            self._end += len(chunk)
        return file


class _Slice(io.RawIOBase):
    """A part of a file, with a place of its own in it: several may be read at the same time."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._start = start
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, origin + offset)
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        most = min(len(view), max(0, self._size - self._at))
        data = os.pread(self._file.fileno(), most, self._start + self._at)
        view[: len(data)] = data
        self._at += len(data)
        return len(data)
