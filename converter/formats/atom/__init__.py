"""Atom 1.0 and 0.3, with the vocabularies that live in them, and YouTube's feeds.

https://www.rfc-editor.org/rfc/rfc4287
"""

from __future__ import annotations

from functools import partial
from typing import BinaryIO, Final

from converter.extensions.field_support import field_support
from converter.formats.base import Document, Format, Writer
from converter.issues import Report
from converter.options import ReadOptions, WriteOptions
from converter.xml import detect

__all__ = ["FORMAT"]

# Reader, writer and losses are imported by a run that needs them.


def _read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    from converter.formats.atom.read import read

    return read(stream, options, report)


def _writer(options: WriteOptions) -> Writer:
    from converter.formats.atom.write import AtomWriter

    return AtomWriter(options)


FORMAT: Final = Format(
    name="atom",
    title="Atom 1.0, 0.3",
    extensions=(".atom",),
    media_types=("application/atom+xml",),
    sniff=detect.is_atom,
    read=_read,
    writer=_writer,
    order="newest",
    needs_iri=True,
    losses=partial(field_support, "atom"),
    entry_end="entry",
)
