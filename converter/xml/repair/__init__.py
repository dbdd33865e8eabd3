"""Repairs the bytes of broken XML as a stream, in constant memory.

It repairs the most frequent errors of real feeds: undefined references, a bare `&` or `<`, control
characters, text before the declaration, a wrong encoding, and tags that do not match. The structure
stays: Media RSS survives, which feedparser's tag soup would lose (mapping 1.4, reader tolerance).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO, Final

from converter.xml.detect import start_of_document
from converter.xml.repair.decode import decode_chunks
from converter.xml.repair.findings import Findings
from converter.xml.repair.markup import MarkupScanner

__all__ = ["Findings", "repair"]

_CHUNK_BYTES: Final = 64 * 1024


def repair(stream: BinaryIO, entries: frozenset[str], findings: Findings) -> Iterator[bytes]:
    """Yield the repaired bytes: UTF-8 without declaration and DOCTYPE, with the same lines.

    Args:
        stream: rewindable; read from its beginning.
        entries: local names of the entries, in any case.
        findings: takes the repairs.

    Raises:
        LimitError: internal entities expand to too much, or one piece of markup is too long.
    """
    stream.seek(0)
    texts = decode_chunks(iter(partial(stream.read, _CHUNK_BYTES), b""), findings)
    scanner = MarkupScanner(frozenset(name.lower() for name in entries), findings)
    head = next(texts)
    start = start_of_document(head)
    if head[:start].strip() or (start and head.startswith("<?xml", start)):
        findings.add("text or white space before the document; removed")
    head = "\n" * head.count("\n", 0, start) + head[start:]
    for text in chain([head], texts):
        yield scanner.feed(text, is_final=False).encode()
    yield scanner.feed("", is_final=True).encode()
