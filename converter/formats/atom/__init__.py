"""Atom 1.0 and 0.3: https://www.rfc-editor.org/rfc/rfc4287."""

from __future__ import annotations

from functools import partial
from typing import Final

from converter.extensions.field_support import field_support
from converter.formats.base import Format, import_and_call
from converter.xml import detect

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    name="atom",
    title="Atom 1.0, 0.3",
    extensions=(".atom",),
    other_extensions=(".xml",),
    media_types=("application/atom+xml",),
    sniff=detect.is_atom,
    read=partial(import_and_call, f"{__name__}.read", "read"),
    writer=partial(import_and_call, f"{__name__}.write", "AtomWriter"),
    is_feed=True,
    needs_iri=True,
    losses=partial(field_support, "atom"),
    entry_end="entry",
)
