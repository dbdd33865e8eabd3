"""Repairs the bytes of broken XML while they pass by, in constant memory.

It knows what real feeds get wrong most: references that nobody defined, a bare `&` or `<`,
control characters, text before the declaration, an encoding that lies; and tags that do not match.
Structure stays: Media RSS survives, which tag soup would cost (mapping 1.4, reader tolerance).
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

__all__ = ["RepairedDocument"]

_CHUNK_BYTES: Final = 64 * 1024


class RepairedDocument:
    """A document with its bytes repaired: UTF-8 without declaration, line for line.

    Args:
        stream: rewindable; read from its beginning.
        entries: local names of the entries, to balance tags as well; None: tags stay as they are.

    Raises:
        LimitError: while it is read; internal entities expand to too much at one place.
    """

    def __init__(self, stream: BinaryIO, *, entries: frozenset[str] | None = None) -> None:
        self._stream = stream
        self._entries = None if entries is None else frozenset(name.lower() for name in entries)
        self._findings = Findings()
        self._references = References(self._findings)

    def __iter__(self) -> Iterator[bytes]:
        self._stream.seek(0)
        chunks = iter(partial(self._stream.read, _CHUNK_BYTES), b"")
        decoded = decode_chunks(chunks, self._findings)
        for text in repair_markup(decoded, self._findings, self._references, self._entries):
            yield text.encode()

    def expanded(self) -> int:
        """How many characters the internal entities expand to that were referred to so far."""
        return self._references.expanded

    def issues(self) -> Iterator[Issue]:
        """What was repaired so far: each kind once, with its first place."""
        return self._findings.issues()
