"""What is said of a date: a kind of issue and its words, before line and element are known."""

from __future__ import annotations

from converter.issues import Code

__all__ = ["Note", "quoted"]

Note = tuple[Code, str]
"""A kind of issue, and its message: a sentence without a full stop."""

_CHARS = 60

#: What is looked at; the rest of a hostile text cannot come into the quotation but as its end.
_RAW_CHARS = 1000


def quoted(text: str) -> str:
    """Quote a value for a message, on one line and cut to 60 characters."""
    line = " ".join(text[:_RAW_CHARS].split())
    return f'"{line}"' if len(line) <= _CHARS else f'"{line[: _CHARS - 1]}…"'
