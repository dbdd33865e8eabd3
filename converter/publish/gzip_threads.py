"""Gzip of one file by several threads: blocks are compressed side by side, and stored in a row.

Each block is DEFLATE's own, ended at a whole byte, with the 32 KiB before it as its dictionary; so
nearly nothing is lost of the ratio, and any reader of gzip sees one plain member. The blocks are
the same however many threads there are: same input, same bytes. The frame holds no name and no
time (RFC 1952), for the same reason.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

_LEVEL: Final = 6
_BLOCK_BYTES: Final = 512 * 1024
_WINDOW_BYTES: Final = 32 * 1024
_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
#: What a thread has waiting for it, so that none ever waits itself.
_AHEAD: Final = 2


def gzipped(chunks: Iterable[bytes], threads: int) -> Iterator[bytes]:
    """Compress; `threads` beside this one work on it, where that is more than one."""
    crc = size = 0

    def counted() -> Iterator[bytes]:
        nonlocal crc, size
        for chunk in chunks:
            crc, size = zlib.crc32(chunk, crc), size + len(chunk)
            yield chunk

    blocks = _blocks(counted())
    yield _HEADER
    if threads > 1:
        yield from _side_by_side(blocks, threads)
    else:
        yield from (_deflated(*block) for block in blocks)
    yield crc.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")


def _side_by_side(blocks: Iterable[tuple[bytes, bytes, bool]], threads: int) -> Iterator[bytes]:
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[bytes]] = deque()
        for block in blocks:
            waiting.append(pool.submit(_deflated, *block))
            if len(waiting) > threads * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _deflated(block: bytes, before: bytes, is_last: bool) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=before)
    return packer.compress(block) + packer.flush(zlib.Z_FINISH if is_last else zlib.Z_SYNC_FLUSH)


def _blocks(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, bool]]:
    """Yield blocks of one size, what precedes each, and whether it is the last."""
    before, held = b"", bytearray()
    for chunk in chunks:
        held += chunk
        while len(held) > _BLOCK_BYTES:  # a block stays until it is known not to be the last
            block = bytes(held[:_BLOCK_BYTES])
            del held[:_BLOCK_BYTES]
            yield block, before, False
            before = block[-_WINDOW_BYTES:]
    yield bytes(held), before, True
