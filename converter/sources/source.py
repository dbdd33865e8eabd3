"""Opens a path, standard input or a stream as a `Source`: decompressed and rewindable.

A regular file is read in place. What cannot be rewound (standard input, pipes) is copied to a
temporary file first. Gzip is recognised by content, not by name. `HttpClient` fetches URLs and
returns a `Source` as well.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import BinaryIO, NamedTuple, TypeAlias

from converter.errors import OptionError, SourceError
from converter.formats import registry
from converter.formats.base import Format, Spool
from converter.issues import Report, printable
from converter.options import Limits
from converter.pipeline.inputs import Input, StoredDocument, reader_of
from converter.sources import gzip
from converter.sources.file_identity import status_of
from converter.sources.spool import CHUNK_BYTES, copy_to_file, too_large
from converter.values import urls
from converter.values.media_types import format_extension

#: How much of a document format detection reads: a DOCTYPE or a comment may precede the root.
PREFIX_BYTES = 64 * 1024

SourceSpec: TypeAlias = str | os.PathLike[str] | BinaryIO


class Source(NamedTuple):
    """One document that can be read from its beginning any number of times."""

    name: str
    """The path or the URL (without credentials) as the user wrote it; `-` for standard input and
    for a stream without a name."""
    stream: BinaryIO
    """The decompressed content, at its beginning; can be rewound."""
    total_bytes: int | None
    """As stored, so perhaps compressed; None if unknown."""
    consumed: Callable[[], int]
    """Returns how many of these bytes were read; fewer again after a rewind."""
    extension: str | None = None
    """In lower case, as `.rss`, also for `x.rss.gz`."""
    media_type: str | None = None
    """From Content-Type, in lower case, without parameters."""
    url: str | None = None
    """The URL after redirects, without credentials; None if the source was not fetched."""
    links: tuple[tuple[str, str], ...] = ()
    """(rel, absolute URL) of the Link header, one pair for each rel."""
    is_unchanged: bool = False
    """The server answered 304, and the content is from the cache."""
    path: str | None = None
    """Of a file that was opened by its name."""

    @property
    def addresses(self) -> tuple[str, str]:
        """The name and the final URL: fetched sources that share one are the same."""
        return self.name, self.url or self.name

    def prefix(self) -> bytes:
        """Read the first `PREFIX_BYTES`; not cached, because there may be thousands of sources."""
        self.stream.seek(0)
        prefix = _read(self.name, self.stream, PREFIX_BYTES)
        self.stream.seek(0)
        return prefix


def format_of(source: Source, name: str | None = None) -> Format:
    """Return the format of a source: the one of this name (`--from`), else the detected one.

    Raises:
        DocumentError: the format is unknown, or the content contradicts the name.
        OptionError: no format has this name.
    """
    prefix = source.prefix()
    if name is None:
        media_type, extension = source.media_type, source.extension
        return registry.detect(prefix, name=source.name, media_type=media_type, extension=extension)
    format_ = registry.by_name(name, "--from")
    registry.check_forced(prefix, format_, name=source.name)
    return format_


def input_of(source: Source, format_: Format) -> Input:
    """Return an open source as an input of the pipeline."""
    read = reader_of(format_)
    return Input(
        name=source.name,
        open=partial(read, source.stream),
        url=source.url,
        stored=StoredDocument(source.stream, read, format_.entry_end),
        total_bytes=source.total_bytes,
        consumed=source.consumed,
    )


@contextmanager
def open_source(
    spec: SourceSpec, *, limits: Limits, spool: Spool, report: Report
) -> Iterator[Source]:
    """Open a path, `-` for standard input, or a binary stream, which is left open afterwards.

    Raises:
        SourceError: the source is missing, not a file, not readable, or a URL.
        DocumentError: the source is gzip data that cannot be decompressed at all.
        LimitError: the source is larger than `limits` allow; also later, while it is read.
        OptionError: `spec` is neither a path nor a binary stream.
    """
    with ExitStack() as closing:
        name, opened = _open_spec(spec, closing)
        raw = _rewindable(name, opened, limits, spool, closing)
        stream = raw
        if _read(name, raw, len(gzip.MAGIC)) == gzip.MAGIC:
            stream = closing.enter_context(gzip.open_gzip(raw, name, limits, report))
        source = Source(
            name,
            stream,
            size_of(raw),
            consumed=raw.tell,
            extension=format_extension(name) or None,
            path=name if spec != "-" and isinstance(spec, str | os.PathLike) else None,
        )
        source.prefix()  # raises here if the source cannot be read or decompressed
        yield source


def _open_spec(spec: SourceSpec, closing: ExitStack) -> tuple[str, BinaryIO]:
    if spec == "-":
        # sys.stdin is None without a console, and text only where a test has replaced it
        stdin: BinaryIO | None = getattr(sys.stdin, "buffer", None)
        if stdin is None or stdin.closed:
            raise SourceError("standard input is closed. Name a file instead")
        return "-", stdin
    if isinstance(spec, str | os.PathLike):
        path = os.fsdecode(spec)
        return path, closing.enter_context(_open_file(path))
    if not callable(getattr(spec, "read", None)):
        raise OptionError(f"a source is a path, '-' or a binary stream, not {type(spec).__name__}")
    stream_name = getattr(spec, "name", None)  # a number if it was made from a descriptor
    name = stream_name if stream_name and isinstance(stream_name, str) else "-"
    if spec.read(0) != b"":
        raise OptionError(f"{printable(name)}: this is a text stream; open it in binary mode (rb)")
    return name, spec


def _open_file(path: str) -> BinaryIO:
    if not path:
        raise SourceError("the name of a source is empty. Name a file, or - for standard input")
    try:
        return open(path, "rb")  # noqa: PTH123
    except (OSError, ValueError) as error:  # ValueError: the name holds NUL
        reason = getattr(error, "strerror", None) or error
        raise SourceError(
            f"{printable(urls.hide_credentials(path))}: it cannot be opened: {reason}. Check the "
            "name, the folder and the permissions, or begin with https://"
        ) from error


def _rewindable(
    name: str, stream: BinaryIO, limits: Limits, spool: Spool, closing: ExitStack
) -> BinaryIO:
    """Return the stream itself if it is at its beginning and can be rewound, else a copy."""
    max_bytes, limit = limits.max_source_bytes, "max_source_bytes"
    status = status_of(stream)
    if _can_be_rewound(stream, status):
        size = size_of(stream)
        if max_bytes is not None and size is not None and size > max_bytes:
            raise too_large(name, max_bytes, limit)
        return stream
    mode = 0 if status is None else status.st_mode
    if max_bytes is None and (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)):
        max_bytes = limits.max_unpacked_bytes  # /dev/zero never ends, and a disk is large
    chunks = iter(partial(_read, name, stream, CHUNK_BYTES), b"")
    copy = copy_to_file(spool, chunks, name, max_bytes, limit=limit)
    return closing.enter_context(copy)


def _can_be_rewound(stream: BinaryIO, status: os.stat_result | None) -> bool:
    """Return True if the stream is at its beginning and holds the same after each rewind."""
    try:
        if not stream.seekable() or stream.tell() != 0:
            return False
    except (AttributeError, OSError):
        return False  # the stream has only read()
    # terminals and /dev/zero claim to be seekable, but do not repeat what they gave
    return status is None or stat.S_ISREG(status.st_mode)


def _read(name: str, stream: BinaryIO, size: int) -> bytes:
    try:
        return stream.read(size)
    except OSError as error:
        raise SourceError(f"{printable(name)}: it cannot be read: {error.strerror}") from error


def size_of(stream: BinaryIO) -> int | None:
    """Return the size of a stream, and rewind it; None if empty, as files in /proc seem to be."""
    size = 0
    with suppress(OSError):  # some files in /proc cannot be sought to their end
        size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    return size or None
