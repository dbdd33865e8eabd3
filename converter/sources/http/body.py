"""Receives the body of an answer into temporary files, and decompresses it.

urllib3 could undo a Content-Encoding as well, but without a limit; here the limits against bombs
are those of compressed files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from urllib3 import BaseHTTPResponse

from converter.errors import HttpError
from converter.formats.base import Spool
from converter.issues import Code, Issue, Report, printable
from converter.options import Limits
from converter.sources import gzip
from converter.sources.http.deadline import CURRENT
from converter.sources.spool import CHUNK_BYTES, copy_to_file, read_chunks, too_large

_GZIP: Final = frozenset({"gzip", "x-gzip"})


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyReader:
    """Copies the body of the document `name` to temporary files, within limits and deadline."""

    name: str
    limits: Limits
    spool: Spool

    def receive(self, response: BaseHTTPResponse, report: Report) -> BinaryIO:
        """Copy a body as it arrives, and undo its Content-Encoding.

        Raises:
            HttpError: the Content-Encoding is not gzip, or the deadline has passed.
            DocumentError: nothing can be decompressed.
            LimitError: the body is larger than allowed, or announces to be.
            HTTPError: of urllib3, if the body breaks off.
        """
        announced = response.headers.get("Content-Length", "")
        encoding = response.headers.get("Content-Encoding", "").lower()
        encodings = {word.strip() for word in encoding.split(",")} - {"", "identity"}
        max_bytes = self.limits.max_unpacked_bytes
        if not encodings <= _GZIP:
            raise HttpError(
                f"the server sent Content-Encoding: {printable(encoding, 40)}, but gzip was asked "
                "for. Report this to the owner of the server, or download the file another way"
            )
        if re.fullmatch(r"[0-9]{1,18}", announced) and int(announced) > max_bytes:
            raise too_large(self.name, max_bytes, "max_unpacked_bytes")
        # read1 returns what has arrived; read would wait for a whole chunk, however slow
        body = self.copy(iter(lambda: response.read1(CHUNK_BYTES, decode_content=False), b""))
        start = peek(body, len(gzip.MAGIC))
        if not encodings or not start:
            return body
        if start == gzip.MAGIC:
            return self.decompressed(body, report)
        message = "the body is not gzip, as Content-Encoding says; it is read as it is"
        report(Issue(code=Code.GZIP_REPAIRED, message=message))
        return body

    def copy(self, chunks: Iterable[bytes], growth: int = 1) -> BinaryIO:
        """Copy data to a temporary file of at most `growth` times the limit; return it rewound."""
        max_bytes = self.limits.max_unpacked_bytes * growth
        return copy_to_file(self.spool, _until_deadline(chunks), self.name, max_bytes)

    def decompressed(self, body: BinaryIO, report: Report) -> BinaryIO:
        """Return the content of a gzip file, which is closed."""
        with body:
            chunks = _until_deadline(read_chunks(body, gzip.COMPRESSED_CHUNK_BYTES))
            return self.copy(gzip.decompress(chunks, self.name, self.limits, report))


def peek(body: BinaryIO, size: int) -> bytes:
    """Return the first bytes of a file, and rewind it."""
    start = body.read(size)
    body.seek(0)
    return start


def _until_deadline(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Check the deadline before each chunk: millions of empty gzip members yield no data."""
    for chunk in chunks:
        CURRENT.get().check()
        yield chunk
    CURRENT.get().check()  # a body without a length that was cut off looks complete
