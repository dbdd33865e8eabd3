"""When the template path may be taken: never. It is wrong where values of an entry coincide."""

from __future__ import annotations

from converter.moulds import sizes
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.seams import Format, Raw

__all__ = ["is_open", "is_worth_it"]


def is_open(target: Format, read: ReadOptions, passes: PassOptions, write: WriteOptions) -> bool:
    """Return False: every entry takes the ordinary path."""
    del target, read, passes, write
    return False


def is_worth_it(raw: Raw) -> bool:
    """Say whether there is more of a source than goes the plain way anyhow."""
    return raw.known_bytes >= sizes.FIRST_BYTES
