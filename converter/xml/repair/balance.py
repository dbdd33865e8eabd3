"""Closes elements that nobody closed, and drops end tags that close nothing."""

from __future__ import annotations

from typing import Final

from converter.xml.repair.findings import Findings

__all__ = ["Balance"]

#: Elements of HTML that never have an end tag; `link` is missing, as RSS has its own.
_VOID: Final = frozenset({"br", "hr", "img", "input", "meta", "wbr"})

#: libxml2 refuses what is deeper than 256.
_DEEPEST: Final = 512


class Balance:
    """The open elements of a document whose tags do not match.

    Args:
        entries: local names of the entries, in lower case. One that begins while another is
            open ends it: nobody nests entries, but end tags get lost.
        findings: takes what was done.
    """

    def __init__(self, entries: frozenset[str], findings: Findings) -> None:
        self._entries = entries
        self._findings = findings
        self._open: list[str] = []

    def start(self, name: str, tag: str, line: int) -> str:
        """What to write for a start tag, as `<a href="…">` or `<br/>`."""
        closing = ""
        if name.rpartition(":")[2].lower() in self._entries and name in self._open:
            closing = self._close(name, line)
        if tag.endswith("/>"):
            return closing + tag
        if name.lower() in _VOID:
            self._findings.note("void", f"<{name}> has no end tag; closed", line)
            return f"{closing}{tag[:-1]}/>"
        if len(self._open) < _DEEPEST:
            self._open.append(name)
        return closing + tag

    def end(self, name: str, line: int) -> str:
        """What to write for an end tag: also the end tags that are missing before it, or none."""
        if self._open and self._open[-1] == name:
            self._open.pop()
            return f"</{name}>"
        if name in self._open:
            return self._close(name, line)
        folded = name.lower()
        if self._open and self._open[-1].lower() == folded:
            self._findings.note("case", f"</{name}> ends <{self._open[-1]}>", line)
            return f"</{self._open.pop()}>"
        self._findings.note("unopened", f"</{name}> ends nothing; removed", line)
        return ""

    def _close(self, name: str, line: int) -> str:
        """End everything down to the innermost element of this name."""
        closed: list[str] = []
        while not closed or closed[-1] != name:
            closed.append(self._open.pop())
        self._findings.note("unclosed", f"<{closed[0]}> is not closed; closed here", line)
        return "".join(f"</{open_name}>" for open_name in closed)
