"""Opens what is converted: a path, standard input or a stream, unpacked and rewindable.

A regular file is used as it is. What cannot be rewound (standard input, pipes) is copied to the
spool first. What is compressed is unpacked as it is read, by content and not by name. `web.Web`
fetches URLs, and gives a `Source` as well.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import BinaryIO, NamedTuple

from converter.errors import OptionError, SourceError
from converter.formats import registry
from converter.formats.base import Format, Spool
from converter.issues import Report, printable
from converter.options import Limits
from converter.sources import gunzip
from converter.sources.file_identity import status_of
from converter.sources.spool import CHUNK_BYTES, copy_to, too_large
from converter.values import urls
from converter.values.lazy_regex import lazy_regex
from converter.values.media_types import format_extension

#: How much of a document detection may see. The root is nearly always in the first 4 KiB, but
#: a DOCTYPE, a licence in a comment or a page's `<head>` may be longer.
PREFIX_BYTES = 64 * 1024

_SCHEME = lazy_regex(r"([a-z][a-z0-9+.\-]{1,20})://", re.IGNORECASE)
#: What was meant as a URL, where there is no file of that name: `http:/ex.com`, `www.ex.com/feed`.
_LIKE_URL = lazy_regex(
    r"https?:|feed:|[^/\\?#\s]*@[^/@]|www\.|[a-z0-9\-]+(?:\.[a-z0-9\-]+)+(?::[0-9]+)?/",
    re.IGNORECASE,
)

#: Scheme -> what to do about it.
_SCHEME_REFUSALS = {
    "file": "name the file by its path, without file://",
    "feed": "write http:// or https:// in the place of feed://",
    "ftp": "only http:// and https:// are fetched; download it first, as with curl -O URL",
    "http": "nothing is fetched here; name a file, or - for standard input",
    "https": "nothing is fetched here; name a file, or - for standard input",
}

#: errno -> what is wrong, where the words of the system are less clear.
_REFUSALS = {
    errno.ENOENT: "there is no such file. Check the name, and the folder you are in",
    errno.EISDIR: "this is a folder; wanted a file. Name one in it",
    errno.EACCES: "the file may not be read. Check who may read it, as with ls -l",
    errno.ENXIO: "this is a socket; wanted a file, a pipe or standard input",
}


class Source(NamedTuple):
    """One document that can be read from its beginning as often as needed."""

    name: str
    """As it was given: the path, or the URL without credentials; `-` for standard input and for a
    stream without a name."""
    stream: BinaryIO
    """Unpacked, at its beginning, can be rewound."""
    total_bytes: int | None
    """As stored, not as unpacked; None where that is not known."""
    consumed: Callable[[], int]
    """How many of them were read so far; less again after a rewind."""
    extension: str | None = None
    """In lower case, as `.rss`, also of `x.rss.gz`."""
    media_type: str | None = None
    """As a server named it, in lower case, without parameters."""
    url: str | None = None
    """Where it was fetched from, after redirects; without credentials. None: it was not fetched."""
    links: tuple[tuple[str, str], ...] = ()
    """(rel, absolute URL) of the Link header, one row for each rel."""
    is_unchanged: bool = False
    """The server answered 304, and the document is the cache's."""

    def prefix(self) -> bytes:
        """Read the first `PREFIX_BYTES`; they are not kept, because there may be thousands."""
        self.stream.seek(0)
        prefix = _read(self.name, self.stream, PREFIX_BYTES)
        self.stream.seek(0)
        return prefix


def format_of(source: Source, told: str | None) -> Format:
    """Find out the format of a source: as `--from` says, else by its content and its names.

    Raises:
        DocumentError: it is of no format that is known, or not of the one that was told.
        OptionError: there is no format of that name.
    """
    seen = source.prefix()
    if told is None:
        of, extension = source.media_type, source.extension
        return registry.detect(seen, name=source.name, media_type=of, extension=extension)
    row = registry.by_name(told, "--from")
    registry.claimed(seen, row, name=source.name)
    return row


@contextmanager
def open_source(
    spec: str | os.PathLike[str] | BinaryIO,
    *,
    limits: Limits,
    spool: Spool,
    report: Report,
) -> Iterator[Source]:
    """Open a path, `-` for standard input, or a binary stream; a stream that was given stays open.

    Args:
        spec: the source.
        limits: guards.
        spool: gives temporary files.
        report: receives repairs.

    Raises:
        SourceError: it is missing, no file, or may not be read; or it is a URL.
        DocumentError: it is gzip of which nothing can be unpacked.
        LimitError: it is larger than `limits` allow; also later, while it is read.
        SinkError: there is no room to spool it.
        OptionError: it is neither path nor binary stream.
    """
    with ExitStack() as closing:
        if isinstance(spec, str) and (scheme := _SCHEME.match(spec)):
            other = f"{scheme[0].lower()} cannot be fetched; wanted http:// or https://"
            said = _SCHEME_REFUSALS.get(scheme[1].lower(), other)
            raise SourceError(f"{urls.quoted(spec)}: {said}")
        name, given = _opened(spec, closing)
        raw = _rewindable(name, given, limits, spool, closing)
        is_packed = _read(name, raw, len(gunzip.MAGIC)) == gunzip.MAGIC
        stream = gunzip.unpacked(raw, name, limits, report) if is_packed else raw
        extension = format_extension(name) or None
        source = Source(name, stream, size_of(raw), consumed=raw.tell, extension=extension)
        source.prefix()  # raises here if it cannot be read or unpacked
        yield source


def _opened(spec: str | os.PathLike[str] | BinaryIO, closing: ExitStack) -> tuple[str, BinaryIO]:
    if spec == "-":
        # sys.stdin is None without a console, and text only where a test has replaced it
        stdin: BinaryIO | None = getattr(sys.stdin, "buffer", None)
        if stdin is None or stdin.closed:
            raise SourceError("standard input is closed. Name a file instead")
        return "-", stdin
    if isinstance(spec, str | os.PathLike):
        name = os.fsdecode(spec)
        return name, closing.enter_context(_file(name))
    if not callable(getattr(spec, "read", None)):
        raise OptionError(f"a source is a path, '-' or a binary stream, not {type(spec).__name__}")
    given = getattr(spec, "name", None)  # a number where it was made from a descriptor
    name = given if given and isinstance(given, str) else "-"
    if spec.read(0) != b"":
        raise OptionError(f"{printable(name)}: the stream gives text; open it in binary mode (rb)")
    return name, spec


def _file(name: str) -> BinaryIO:
    if not name:
        raise SourceError("the name of a source is empty. Name a file, or - for standard input")
    shown = printable(name)
    try:
        stream = open(name, "rb")  # noqa: SIM115, PTH123  # the caller's stack closes it
    except OSError as error:
        said = _REFUSALS.get(error.errno or 0, f"it cannot be opened: {error.strerror}")
        is_absent = isinstance(error, FileNotFoundError | NotADirectoryError)
        if is_absent and _LIKE_URL.match(name):
            shown = printable(urls.hide_credentials(name))
            said += ". For a URL write https:// before it"
        raise SourceError(f"{shown}: {said}") from error
    except ValueError as error:
        raise SourceError(f"{shown}: a file name cannot hold NUL") from error
    if stat.S_ISBLK(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise SourceError(f"{shown}: this is a disk; wanted a file, a pipe or standard input")
    return stream


def _rewindable(
    name: str, given: BinaryIO, limits: Limits, spool: Spool, closing: ExitStack
) -> BinaryIO:
    """The stream itself if it can go back to its beginning, and that is where it stands."""
    most, limit = limits.max_source_bytes, "max_source_bytes"
    status = status_of(given)
    if _is_settled(given, status):
        size = size_of(given)
        if most is not None and size is not None and size > most:
            raise too_large(name, most, limit)
        return given
    if most is None and status is not None and stat.S_ISCHR(status.st_mode):
        most = limits.max_unpacked_bytes  # /dev/zero never ends
    copy = closing.enter_context(spool())
    copy_to(copy, iter(partial(_read, name, given, CHUNK_BYTES), b""), name, most, limit=limit)
    copy.seek(0)
    return copy


def _is_settled(stream: BinaryIO, status: os.stat_result | None) -> bool:
    """Does it stand at its beginning, and give the same after each rewind?"""
    try:
        if not stream.seekable() or stream.tell() != 0:
            return False
    except (AttributeError, OSError):
        return False  # all it has is read()
    # a terminal or /dev/zero lets itself be sought, and gives something else afterwards
    return status is None or stat.S_ISREG(status.st_mode)


def _read(name: str, stream: BinaryIO, size: int) -> bytes:
    try:
        return stream.read(size)
    except OSError as error:
        raise SourceError(f"{printable(name)}: it cannot be read: {error.strerror}") from error


def size_of(stream: BinaryIO) -> int | None:
    """Measure a stream, and rewind it; None if it is empty, as files of /proc only seem to be."""
    size = 0
    with suppress(OSError):  # some of /proc do not even have an end; reading will tell
        size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    return size or None
