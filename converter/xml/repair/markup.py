"""Repairs the text of a document token by token: tags, references, characters, what stands before.

Line breaks stay where they are, so that every later message names the right line. The output has
no declaration, comments or processing instructions: nobody reads them, and each can be broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from converter.values.text import NOT_A_CHARACTER
from converter.xml.detect import end_of_doctype
from converter.xml.repair.findings import Findings
from converter.xml.repair.references import LONGEST, NAME, References, reduce_doctype

#: `<` in a value is forgiven unless a tag may begin with it: so a missing quote cannot swallow one.
_QUOTED: Final = "|".join(
    rf"{quote}[^{quote}<]*+(?:<(?![A-Za-z/!?])[^{quote}<]*+)*+{quote}" for quote in ('"', "'")
)
_UNQUOTED: Final = r"""[^\s<>"'=][^\s<>"']*+"""
_ATTRIBUTE_NAME: Final = r"""[^\s<>/="']++"""
_ODD_ATTRIBUTE: Final = rf"\s*+{_ATTRIBUTE_NAME}(?:\s*+=\s*+(?:{_QUOTED}|{_UNQUOTED}))?+"

_TOKEN: Final = re.compile(
    rf"""(?P<text>[^<]++)
    |(?P<tag></{NAME}\s*+>|<{NAME}(?:\s++{NAME}\s*+=\s*+(?:{_QUOTED}))*+\s*+/?>)
    |(?P<odd_tag></?{NAME}(?=[\s/>])(?:{_ODD_ATTRIBUTE})*+\s*+/?>)
    |(?P<cdata><!\[CDATA\[)
    |(?P<comment><!--)
    |(?P<instruction><\?)
    |(?P<doctype><!DOCTYPE\b)
    |(?P<stray><)""",
    re.VERBOSE | re.IGNORECASE,
)
_TAG_NAME: Final = re.compile(NAME)
_ATTRIBUTE: Final = re.compile(
    rf"(?P<name>{_ATTRIBUTE_NAME})(?:\s*+=\s*+(?:(?P<quoted>{_QUOTED})|(?P<bare>{_UNQUOTED})))?+"
)
_UNFINISHED_TAG: Final = re.compile(
    rf"""<(?:/?+(?:{NAME}(?:(?=[\s/])(?:{_ODD_ATTRIBUTE})*+\s*+
    (?:/|=\s*+(?:"[^"<]*+(?:<(?![A-Za-z/!?])[^"<]*+)*+|'[^'<]*+(?:<(?![A-Za-z/!?])[^'<]*+)*+)?+)?+
    )?+)?+)?+\Z""",
    re.VERBOSE,
)
_SECTION_END: Final = re.compile("]]>")
_NO_MARKUP: Final = re.compile(r"[^\w/!?]")
_OPENERS: Final = ("<![CDATA[", "<!--", "<!DOCTYPE ")
_DOCTYPE_HEAD: Final = re.compile(r"<!DOCTYPE[^<>\[]*+[\[>]?", re.IGNORECASE)
#: What may go on in the next piece: half a reference, half a surrogate pair, half a `]]>`.
_UNFINISHED_TEXT: Final = re.compile(
    r"&#(?:5[56]\d{3}|[xX][dD][0-9a-fA-F]{3});(?:&[#\w]{0,8})?\Z|&[#\w.:\-]*\Z|\]{1,2}\Z"
)

#: A document at the very beginning: anything but the HTML of a server's warning.
_DOCUMENT: Final = re.compile(
    r"[\s\ufeff]*+(?P<at><(?!(?:a|b|br|center|div|em|font|hr|i|p|pre|small|span|strong|table)[\s/>])"
    r"(?:[^\W\d]|[!?]))",
    re.IGNORECASE,
)
#: So much of the beginning shows which of them it is.
_NAME_CHARS: Final = 16
#: Where a document may begin behind that.
_BEGINNING: Final = re.compile(
    r"(?P<at><\?xml\s|<!DOCTYPE\s|<(?:[\w.\-]+:)?(?:rss|feed|rdf|urlset|sitemapindex|channel)[\s>])",
    re.IGNORECASE,
)
_ANY_MARKUP: Final = re.compile(r"(?P<at><)(?=[^\W\d]|[!?])")

#: In characters. How far off the beginning may be; how long a DOCTYPE, a tag may be: libxml2
#: refuses to hold more of either.
_JUNK_MAX: Final = 65_536
_TOKEN_MAX: Final = 10_500_000

#: Elements of HTML that never have an end tag; `link` is missing, as RSS has its own.
_VOID: Final = frozenset({"br", "hr", "img", "input", "meta", "wbr"})

#: libxml2 refuses what is deeper than 256.
_DEEPEST: Final = 512


def repair_markup(
    texts: Iterable[str],
    findings: Findings,
    references: References,
    entries: frozenset[str] | None,
) -> Iterator[str]:
    """Repair a document's text, piece by piece.

    Args:
        texts: the document, cut anywhere.
        findings: takes what was done.
        references: repairs the references, and counts what they expand to.
        entries: balance the tags, and these are the entries; None: leave tags as they are.
    """
    balance = None if entries is None else _Balance(entries, findings)
    scanner = _Scanner(findings, references, balance)
    for text in texts:
        if piece := scanner.feed(text, is_final=False):
            yield piece
    yield scanner.feed("", is_final=True)


class _Scanner:
    """The state between two pieces: what is not finished yet, and what we are inside of."""

    def __init__(
        self, findings: Findings, references: References, balance: _Balance | None
    ) -> None:
        self._findings = findings
        self._balance = balance
        self._references = references
        self._rest = ""
        self._at = 0  # in the rest
        self._enough = 0  # it is no use to look at a rest again before it has grown to this
        self._is_final = False
        self._has_begun = False
        self._has_root = False
        self._section_end: str | None = None  # of the CDATA, comment, … that we are in
        self._is_content = True  # and whether that is to be kept
        self._line = 1
        self._of_token: Mapping[str | None, Callable[[re.Match[str]], str | None]] = {
            "text": self._text,
            "tag": self._tag,
            "odd_tag": self._odd_tag,
            "cdata": self._cdata,
            "comment": lambda _: self._enter("-->"),
            "instruction": lambda _: self._enter("?>"),
            "doctype": self._doctype,
            "stray": self._stray,
        }

    def feed(self, text: str, *, is_final: bool) -> str:
        """Take the next piece; give what can be decided by now."""
        self._references.begin_piece()
        self._rest += self._without_controls(text)
        self._is_final = is_final
        if len(self._rest) < self._enough and not is_final:
            return ""
        repaired_pieces: list[str] = []
        self._at = 0
        while self._at < len(self._rest):
            start = self._at
            piece = self._next()
            if piece is None:
                self._at = start
                break
            self._line += self._rest.count("\n", start, self._at)
            repaired_pieces.append(piece)
        self._rest = self._rest[self._at :]
        self._enough = 2 * len(self._rest)
        return "".join(repaired_pieces)

    def _without_controls(self, text: str) -> str:
        found = NOT_A_CHARACTER.search(text)
        if found is None:
            return text
        message = f"U+{ord(found[0]):04X} is no character of XML; removed"
        self._findings.note("control", message, self._line + self._rest.count("\n"), found)
        return NOT_A_CHARACTER.sub("", text)

    def _next(self) -> str | None:
        """Handle what stands next, and go behind it; None: wait for more."""
        if not self._has_begun:
            return self._begin()
        if self._section_end is not None:
            return self._section(self._section_end)
        found = _TOKEN.match(self._rest, self._at)
        assert found is not None  # noqa: S101  every character begins one of the tokens
        self._at = found.end()
        return self._of_token[found.lastgroup](found)

    def _begin(self) -> str | None:
        """Pass over what stands before the document."""
        if not self._is_final and len(self._rest.lstrip()) < _NAME_CHARS:
            return None
        found = _DOCUMENT.match(self._rest) or _BEGINNING.search(self._rest)
        if found is None:
            if not self._is_final and len(self._rest) < _JUNK_MAX:
                return None
            found = _ANY_MARKUP.search(self._rest)
        self._has_begun = True
        self._at = found.start("at") if found else 0
        junk = self._rest[: self._at]
        if junk.strip("\ufeff \t\r\n"):
            self._findings.note("junk", "text before the document; removed", 1)
        elif junk and self._rest.startswith("<?xml", self._at):
            self._findings.note("blank", "white space before the XML declaration; removed", 1)
        return "\n" * junk.count("\n")

    def _enter(self, end: str, *, is_content: bool = False) -> str:
        self._section_end, self._is_content = end, is_content
        return ""

    def _section(self, end: str) -> str | None:
        """The rest of a CDATA section, which is kept, or of a comment, which is not."""
        start = self._at
        stop = self._rest.find(end, start)
        if stop >= 0:
            self._at = stop + len(end)
            self._section_end = None
        else:
            self._at = len(self._rest) if self._is_final else len(self._rest) - len(end) + 1
            if self._at <= start:
                return None
        if self._is_content:
            return self._rest[start : self._at]
        return "\n" * self._rest.count("\n", start, self._at)

    def _cdata(self, found: re.Match[str]) -> str:
        self._enter("]]>", is_content=True)
        return found[0]

    def _doctype(self, found: re.Match[str]) -> str | None:
        if self._has_root:
            return self._escaped(found[0])
        start = found.start()
        end = end_of_doctype(self._rest, found.end())
        if end is not None:
            self._at = end
            return reduce_doctype(self._rest[start:end], self._references, self._line)
        if self._may_go_on(start):
            return None
        head = _DOCTYPE_HEAD.match(self._rest, start)
        self._at = head.end() if head else found.end()
        self._findings.note("doctype", "a DOCTYPE without an end; its head is removed", self._line)
        return "\n" * self._rest.count("\n", start, self._at)

    def _text(self, found: re.Match[str]) -> str | None:
        text, unfinished = found[0], ""
        if found.end() == len(self._rest):
            half = _UNFINISHED_TEXT.search(text, max(0, len(text) - LONGEST))
            if half and not self._is_final:
                self._at = found.start() + half.start()
                text = text[: half.start()]
                if not text:
                    return None
            elif half:  # the document breaks off here; libxml2 will say so
                text, unfinished = text[: half.start()], half[0]
        if end := _SECTION_END.search(text):
            message = "]]> in a text read as these characters"
            self._findings.note("cdata-end", message, self._line, end)
            text = text.replace("]]>", "]]&gt;")
        return self._references.repaired(text, self._line) + unfinished

    def _tag(self, found: re.Match[str]) -> str:
        if self._balance is not None and _has_twice(found[0]):
            return self._odd_tag(found)
        return self._balanced(found[0])

    def _odd_tag(self, found: re.Match[str]) -> str:
        """A tag with values that are not quoted, or not there, or attributes that come twice."""
        tag = found[0]
        name = _TAG_NAME.search(tag)
        assert name is not None  # noqa: S101  or it would not be a tag
        if tag.startswith("</"):
            self._findings.note("end-tag", f"attributes of </{name[0]}>; removed", self._line)
            return self._balanced(f"</{name[0]}>") + "\n" * tag.count("\n")
        attributes: dict[str, str] = {}
        for attribute in _ATTRIBUTE.finditer(tag, name.end(), len(tag) - 1):
            if _TAG_NAME.fullmatch(attribute["name"]):
                value = attribute["quoted"] or f'"{attribute["bare"] or ""}"'
                attributes.setdefault(attribute["name"], value)
        message = f"attributes of <{name[0]}> without quotes or value, or given twice; put right"
        self._findings.note("attributes", message, self._line)
        listed = "".join(f" {key}={value}" for key, value in attributes.items())
        lost = "\n" * (tag.count("\n") - listed.count("\n"))
        end = "/>" if tag.endswith("/>") else ">"
        return self._balanced(f"<{name[0]}{listed}{lost}{end}")

    def _balanced(self, tag: str) -> str:
        self._has_root = True
        if "<" in tag[1:]:
            self._findings.note("less-than", "< in a value read as &lt;", self._line)
            tag = "<" + tag[1:].replace("<", "&lt;")
        tag = self._references.repaired(tag, self._line)
        if self._balance is None:
            return tag
        is_end = tag[1] == "/"
        name = _TAG_NAME.match(tag, 2 if is_end else 1)
        assert name is not None  # noqa: S101  or it would not be a tag
        if is_end:
            return self._balance.end(name[0], self._line)
        return self._balance.start(name[0], tag, self._line)

    def _stray(self, found: re.Match[str]) -> str | None:
        start = found.start()
        if _NO_MARKUP.match(self._rest, start + 1):
            return self._escaped(found[0])
        opener = self._rest[start : start + 10].upper()
        if any(known.startswith(opener) for known in _OPENERS) or _UNFINISHED_TAG.match(
            self._rest, start
        ):
            if self._may_go_on(start):
                return None
            if self._is_final:  # the document breaks off here; libxml2 will say so
                return found[0]
        return self._escaped(found[0])

    def _escaped(self, token: str) -> str:
        self._findings.note("less-than", "< in a text read as &lt;", self._line)
        return "&lt;" + token[1:]

    def _may_go_on(self, start: int) -> bool:
        return not self._is_final and len(self._rest) - start < _TOKEN_MAX


def _has_twice(tag: str) -> bool:
    """Whether an attribute is given twice, which no XML parser forgives."""
    name = _TAG_NAME.search(tag)
    names = [attribute["name"] for attribute in _ATTRIBUTE.finditer(tag, name.end() if name else 0)]
    return len(names) != len(set(names))


class _Balance:
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
