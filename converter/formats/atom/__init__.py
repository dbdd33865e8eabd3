"""Atom 1.0 and 0.3, with the vocabularies that live in them, and YouTube's feeds.

https://www.rfc-editor.org/rfc/rfc4287
"""

from __future__ import annotations

from typing import Final

from converter.formats.atom.read import read
from converter.formats.atom.write import AtomWriter
from converter.seams import Format
from converter.vocab import lost
from converter.xml import prefix

__all__ = ["FORMAT", "AtomWriter", "read"]

FORMAT: Final = Format(
    name="atom",
    title="Atom 1.0, 0.3",
    extensions=(".atom",),
    media_types=("application/atom+xml",),
    sniff=prefix.is_atom,
    read=read,
    writer=AtomWriter,
    order="newest",
    losses=lost.in_atom,
)
