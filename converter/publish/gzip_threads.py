"""Compresses one file with several threads: they compress blocks in parallel.

Each block ends at a whole byte and has the 32 KiB before it as its dictionary, so the ratio is
nearly that of one thread, and readers see one gzip member. The number of threads does not change
the bytes, and the header holds no name and no time (RFC 1952): same input, same bytes.
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
#: Blocks that wait for each thread, so that no thread is idle.
_AHEAD: Final = 2


def gzipped(chunks: Iterable[bytes], threads: int) -> Iterator[bytes]:
    """Compress chunks; more than one of `threads` work beside the calling thread."""
    crc = size = 0

    def counted() -> Iterator[bytes]:
        nonlocal crc, size
        for chunk in chunks:
            crc, size = zlib.crc32(chunk, crc), size + len(chunk)
            yield chunk

    blocks = _blocks(counted())
    yield _HEADER
    if threads > 1:
        yield from _in_parallel(blocks, threads)
    else:
        yield from (_deflated(*block) for block in blocks)
    yield crc.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")


def _in_parallel(blocks: Iterable[tuple[bytes, bytes, bool]], threads: int) -> Iterator[bytes]:
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
    """Yield blocks of one size, each with the bytes before it and whether it is the last."""
    before, held = b"", bytearray()
    for chunk in chunks:
        held += chunk
        while len(held) > _BLOCK_BYTES:  # a block stays until it is known not to be the last
            block = bytes(held[:_BLOCK_BYTES])
            del held[:_BLOCK_BYTES]
            yield block, before, False
            before = block[-_WINDOW_BYTES:]
    yield bytes(held), before, True
