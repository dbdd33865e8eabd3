"""Where entries begin and end in markup, told without a parser; None wherever that is not plain."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["SPACES", "Layout", "decoded", "start_of"]

#: White space of XML, but for the carriage return.
SPACES: Final = " \t\n"

#: What XML does not allow; the line ends of other systems are looked at apart. A pattern that looks
#: for all of it takes six times as long.
_REFUSED_BYTES: Final = bytes((*range(9), 11, 12, *range(14, 32)))
_REFUSED: Final = ("\ufffe", "\uffff")


def decoded(data: bytes) -> str | None:
    """Give text that XML allows, with its own line ends; None: it is not UTF-8, or not allowed."""
    if len(data.translate(None, _REFUSED_BYTES)) < len(data):
        return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if b"\r" in data or any(refused in text for refused in _REFUSED) else text


def start_of(text: str, at: int) -> int:
    """Find where markup begins behind white space."""
    while at < len(text) and text[at] in SPACES:
        at += 1
    return at


class Layout:
    """Entries of one name, without a prefix."""

    def __init__(self, tag: str) -> None:
        self.end = f"</{tag}>"
        self._start = re.compile(rf"<{tag}(?=[\s>])")
        self._landmark = re.compile(
            rf"<!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>|<[!?]|</{tag}\s*>|<{tag}(?=[\s/>])",
            re.DOTALL,
        )

    def cut(self, data: bytes) -> int:
        """Find where the last entry ends in part of a document; 0: none does."""
        return data.rfind(self.end.encode()) + len(self.end) if self.end.encode() in data else 0

    def first(self, text: str) -> int | None:
        """Find the first entry, from the beginning of a document."""
        for landmark in self._landmark.finditer(text):
            if landmark[0] in {"<!", "<?"} or landmark[0].startswith("</"):
                return None  # a DOCTYPE, or something without an end
            if not landmark[0].endswith(">"):
                return landmark.start() if self._start.match(text, landmark.start()) else None
        return None

    def behind(self, text: str, at: int) -> int | None:
        """Find where an entry ends."""
        if not self._start.match(text, at):
            return None
        for landmark in self._landmark.finditer(text, at + 1):
            if landmark[0].startswith("</"):
                return landmark.end()
            if not landmark[0].endswith(">"):
                return None  # an entry in an entry, or something without an end
        return None
