"""Repairs the text of a document token by token: tags, references, sections.

Line breaks keep their places, so that later messages name the right line. The output has no
declaration, comments or processing instructions: no reader needs them, and each can be broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from converter.errors import LimitError
from converter.xml.detect import end_of_doctype
from converter.xml.repair.findings import Findings
from converter.xml.repair.references import NAME, References

#: A value may hold a `<` that begins no tag; a tag ends it, so that a missing quote swallows none.
_QUOTED: Final = "|".join(
    rf"{quote}[^{quote}<]*+(?:<(?![A-Za-z/!?])[^{quote}<]*+)*+(?:{quote}|\Z)"
    for quote in ('"', "'")
)
_UNQUOTED: Final = r"""[^\s<>"'=][^\s<>"']*+"""
_ATTRIBUTE_NAME: Final = r"""[^\s<>/="']++"""
_ODD_ATTRIBUTE: Final = rf"\s*+{_ATTRIBUTE_NAME}(?:\s*+=\s*+(?:{_QUOTED}|{_UNQUOTED}))?+"

#: A token that ends with the text may continue in the next piece.
_TOKEN: Final = re.compile(
    rf"""(?P<text>[^<]++)
    |(?P<tag></{NAME}\s*+>|<{NAME}(?:\s++{NAME}\s*+=\s*+(?:{_QUOTED}))*+\s*+/?>)
    |(?P<odd_tag></?{NAME}(?:(?=[\s/>])(?:{_ODD_ATTRIBUTE})*+\s*+(?:=\s*+)?+/?(?:>|\Z)|\Z))
    |(?P<cdata><!\[CDATA\[.*?(?:\]\]>|\Z))
    |(?P<hidden><!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z))
    |(?P<doctype><!DOCTYPE\b[^<>\[]*+[\[>]?+)
    |(?P<stray><)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    rf"(?P<name>{_ATTRIBUTE_NAME})(?:\s*+=\s*+(?:(?P<quoted>{_QUOTED})|(?P<bare>{_UNQUOTED})))?+"
)
_NAME: Final = re.compile(NAME)
_SECTION_END: Final = re.compile("]]>")

#: So many characters are needed to tell the tokens apart: `<![CDATA[`, `<!DOCTYPE`.
_OPENER_CHARS: Final = 10
#: The most characters of a token: libxml2 refuses longer ones.
_MAX_TOKEN_CHARS: Final = 10_500_000

#: Elements of HTML without end tag; not `link`, which RSS has too.
_VOID: Final = frozenset({"br", "hr", "img", "input", "meta", "wbr"})

#: Open elements that are tracked; libxml2 refuses a depth over 256.
_MAX_DEPTH: Final = 512


class MarkupScanner:
    """The state between two pieces: the incomplete token and the open elements.

    Args:
        entries: names of the entries in lower case.
        findings: takes the repairs.
    """

    def __init__(self, entries: frozenset[str], findings: Findings) -> None:
        self._findings = findings
        self._references = References(findings)
        self._balance = _Balance(entries, findings)
        self._rest = ""
        self._needed = 0  # length of `_rest` from which it is scanned again
        self._line = 1
        self._handlers: Mapping[str | None, Callable[[str], str]] = {
            "text": self._text,
            "tag": self._tag,
            "odd_tag": self._odd_tag,
            "cdata": str,
            "hidden": _line_breaks,
            "doctype": self._doctype,
            "stray": self._stray,
        }

    def feed(self, text: str, *, is_final: bool) -> str:
        """Take the next piece; return the repaired text that is complete.

        Raises:
            LimitError: internal entities expand to too much, or a token is too long.
        """
        rest = self._rest = self._rest + text
        if len(rest) < self._needed and not is_final:
            return ""
        self._references.begin_piece(len(rest))
        repaired: list[str] = []
        at, last = 0, len(rest) - (0 if is_final else _OPENER_CHARS)
        while at < last:
            kind, end = _next_token(rest, at, is_final=is_final)
            if end == len(rest) and not is_final:
                break
            self._findings.line = self._line
            repaired.append(self._handlers[kind](rest[at:end]))
            self._line += rest.count("\n", at, end)
            at = end
        self._rest = rest[at:]
        self._needed = 2 * len(self._rest)
        if len(self._rest) > _MAX_TOKEN_CHARS:
            raise LimitError(
                f"line {self._line}: a tag, a text or a comment is longer than "
                f"{_MAX_TOKEN_CHARS:,} characters. No feed needs this; check its generator",
                limit="text",
                line=self._line,
            )
        return "".join(repaired)

    def _doctype(self, token: str) -> str:
        self._references.declare(token)
        if not token.endswith(">"):
            self._findings.add("DOCTYPE without an end; its head is removed")
        return _line_breaks(token)

    def _text(self, token: str) -> str:
        if end := _SECTION_END.search(token):
            self._findings.add("]]> in text; escaped", found=end)
            token = token.replace("]]>", "]]&gt;")
        return self._references.repair(token)

    def _tag(self, token: str) -> str:
        if token.count("=") > 1:
            attributes = _attributes(token)
            if len(attributes) > len(dict(attributes)):
                return self._odd_tag(token)
        if "<" in token[1:]:
            self._findings.add("< in a value; escaped")
            token = "<" + token[1:].replace("<", "&lt;")
        name, token = _tag_name(token), self._references.repair(token)
        is_end = token[1] == "/"
        return self._balance.end(name) if is_end else self._balance.start(name, token)

    def _odd_tag(self, token: str) -> str:
        """Repair a tag with unquoted or missing values, or with repeated attributes."""
        if not token.endswith(">"):  # truncated document: libxml2 reports it
            return token
        name = _tag_name(token)
        self._findings.add("attributes of <{}> that are not well-formed; repaired", name)
        if token[1] == "/":
            return self._tag(f"</{name}>") + _line_breaks(token)
        attributes: dict[str, str] = {}
        for key, value in _attributes(token):
            if _NAME.fullmatch(key):
                attributes.setdefault(key, value)
        listed = "".join(f" {key}={value}" for key, value in attributes.items())
        lost = "\n" * (token.count("\n") - listed.count("\n"))
        return self._tag(f"<{name}{listed}{lost}{'/>' if token.endswith('/>') else '>'}")

    def _stray(self, _: str) -> str:
        self._findings.add("< in text; escaped")
        return "&lt;"


def _next_token(text: str, at: int, *, is_final: bool) -> tuple[str | None, int]:
    """Return the kind of the token at a position, and its end."""
    found = _TOKEN.match(text, at)
    assert found is not None  # noqa: S101  every character begins one of the tokens
    end = found.end()
    if found.lastgroup == "doctype":
        end = end_of_doctype(text, at + 1) or (end if is_final else len(text))
    return found.lastgroup, end


def _line_breaks(token: str) -> str:
    return "\n" * token.count("\n")


def _tag_name(tag: str) -> str:
    return tag.lstrip("</").split(None, 1)[0].rstrip("/>")


def _attributes(tag: str) -> list[tuple[str, str]]:
    """Return the names and quoted values of the attributes."""
    _, *found = _ATTRIBUTE.finditer(tag, 1, len(tag) - 1)
    return [(each["name"], each["quoted"] or f'"{each["bare"] or ""}"') for each in found]


class _Balance:
    """The open elements of a document.

    Args:
        entries: local names of the entries, in lower case. An entry that begins while another is
            open ends it: feeds do not nest entries, but lose end tags.
        findings: takes the repairs.
    """

    def __init__(self, entries: frozenset[str], findings: Findings) -> None:
        self._entries = entries
        self._findings = findings
        self._open: list[str] = []

    def start(self, name: str, tag: str) -> str:
        """Return the output for a start tag or an empty-element tag."""
        if tag.endswith("/>"):
            return tag
        closing = ""
        if name in self._open and name.rpartition(":")[2].lower() in self._entries:
            closing = self._close(name)
            self._findings.add("<{}> without an end tag; closed here", name)
        if name.lower() in _VOID:
            self._findings.add("<{}> without an end tag; closed", name)
            return f"{closing}{tag[:-1]}/>"
        if len(self._open) < _MAX_DEPTH:
            self._open.append(name)
        return closing + tag

    def end(self, name: str) -> str:
        """Return the output for an end tag: with missing end tags before it, or nothing."""
        if name in self._open:
            return self._close(name)
        if self._open and self._open[-1].lower() == name.lower():
            self._findings.add("</{}> read as </{}>", name, self._open[-1])
            return f"</{self._open.pop()}>"
        self._findings.add("</{}> without a start tag; removed", name)
        return ""

    def _close(self, name: str) -> str:
        """Close all elements up to the innermost one of this name."""
        closed = [self._open.pop()]
        while closed[-1] != name:
            closed.append(self._open.pop())
        if len(closed) > 1:
            self._findings.add("<{}> without an end tag; closed here", closed[0])
        return "".join(f"</{open_name}>" for open_name in closed)
