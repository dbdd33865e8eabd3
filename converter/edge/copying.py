"""Copies documents to temporary files, in chunks and up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import BinaryIO, Final

from converter.errors import LimitError, SinkError
from converter.issues import printable

__all__ = ["CHUNK_BYTES", "chunks_of", "copy_to", "too_large"]

CHUNK_BYTES: Final = 256 * 1024


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """Read a stream to its end."""
    return iter(partial(stream.read, CHUNK_BYTES), b"")


def copy_to(
    file: BinaryIO,
    chunks: Iterable[bytes],
    name: str,
    most: int | None = None,
    *,
    limit: str = "max_unpacked_bytes",
) -> int:
    """Append a document to a temporary file; return the number of bytes.

    Args:
        file: where it goes.
        chunks: the document.
        name: of the document, for messages.
        most: the largest size in bytes; None: any.
        limit: the name of that limit.

    Raises:
        LimitError: it is larger.
        SinkError: the disk is full.
    """
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if most is not None and size > most:
            raise too_large(name, most, limit)
        try:
            file.write(chunk)
            file.flush()
        except OSError as error:
            raise SinkError(
                f"{printable(name)}: there is no room for a temporary copy of it: {error.strerror}"
            ) from error
    return size


def too_large(name: str, most: int, limit: str) -> LimitError:
    """Return the error of a document that is larger than a limit allows."""
    return LimitError(
        f"{printable(name)}: more than the {most:,} bytes that are allowed. "
        "Allow more with --max-bytes if you trust it",
        limit=limit,
    )
