"""Repairs the bytes of broken XML as a stream, in constant memory.

It repairs the most frequent errors of real feeds: undefined references, a bare `&` or `<`, control
characters, text before the declaration, a wrong encoding, and tags that do not match. The structure
stays: Media RSS survives, which feedparser's tag soup would lose (mapping 1.4, reader tolerance).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import BinaryIO, Final

from converter.issues import Issue
from converter.xml.repair.decode import decode_chunks
from converter.xml.repair.findings import Findings
from converter.xml.repair.markup import repair_markup
from converter.xml.repair.references import References

_CHUNK_BYTES: Final = 64 * 1024


class RepairedDocument:
    """The repaired bytes of a document: UTF-8 without declaration, with the same lines.

    Args:
        stream: rewindable; read from its beginning.
        entries: local names of the entries, to balance tags as well; None leaves tags as they are.

    Raises:
        LimitError: while iterating; the internal entities in one piece expand to too much.
    """

    def __init__(self, stream: BinaryIO, *, entries: frozenset[str] | None = None) -> None:
        self._stream = stream
        self._entries = None if entries is None else frozenset(name.lower() for name in entries)
        self._findings = Findings()
        self._references = References(self._findings)

    def __iter__(self) -> Iterator[bytes]:
        self._stream.seek(0)
        chunks = iter(partial(self._stream.read, _CHUNK_BYTES), b"")
        texts = decode_chunks(chunks, self._findings)
        for text in repair_markup(texts, self._findings, self._references, self._entries):
            yield text.encode()

    def expanded(self) -> int:
        """Return the length in characters of all internal entities referred to so far."""
        return self._references.expanded

    def issues(self) -> Iterator[Issue]:
        """Yield the repairs so far: each kind once, with its first place."""
        return self._findings.issues()
