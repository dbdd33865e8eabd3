"""Parse XML to elements with line and column, one entry at a time.

lxml has no columns, and a minified sitemap is one line; so this uses expat, of the standard
library. Expat resolves no external entities, and limits the amplification of internal ones.
https://docs.python.org/3/library/pyexpat.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO, Final, NamedTuple
from xml.parsers import expat

from converter.checks.rule import Place
from converter.errors import LimitError
from converter.xml import namespaces

_CHUNK_BYTES: Final = 64 * 1024
#: Of one entry, with its tags.
_MAX_ENTRY_BYTES: Final = 10_000_000
_MAX_DEPTH: Final = 256

#: The encodings that are read.
_ENCODING: Final = re.compile(
    r"utf-?(?:8|16(?:[bl]e)?)|(?:us-)?ascii|iso-?8859-[0-9]{1,2}|latin-?1|windows-125[0-8]|koi8-[ru]",
    re.IGNORECASE,
)

#: Elements whose children are yielded one by one, and never held together.
_CONTAINERS: Final = frozenset({"urlset", "sitemapindex", "rss", "channel", "feed", "rdf"})


class ElementName(NamedTuple):
    """The name of an element."""

    namespace: str
    local: str
    prefix: str
    """As in the document."""
    canonical: str
    """With the canonical prefix of the namespace in any spelling, none for sitemaps and RSS:
    `loc`, `video:title`, `atom:link`; `{URI}name` in an unknown namespace."""


@lru_cache(maxsize=4096)  # a hostile document may have more
def _element_name(tag: str) -> ElementName:
    parts = tag.split(" ")
    if len(parts) == 1:
        return ElementName("", tag, "", tag)
    namespace, local, prefix = (*parts, "")[:3]
    canonical = namespaces.canonical_name(f"{{{namespace}}}{local}", "sitemap")
    return ElementName(namespace, local, prefix, canonical.removeprefix("rss:"))


class Element:
    """An element with its position; its children only if it is no container."""

    __slots__ = ("attributes", "children", "column", "line", "names", "texts")

    def __init__(
        self, names: ElementName, attributes: dict[str, str], line: int, column: int
    ) -> None:
        self.names = names
        self.attributes = attributes
        """By name; names in a namespace are `URI name`."""
        self.line = line
        self.column = column
        self.children: list[Element] = []
        self.texts: list[str] = []

    @property
    def name(self) -> str:
        """See `ElementName.canonical`."""
        return self.names.canonical

    @property
    def text(self) -> str:
        """The text of the element, without that of its children."""
        texts = self.texts
        return texts[0] if len(texts) == 1 else "".join(texts)

    @property
    def written_name(self) -> str:
        """The name with its prefix, as in the document."""
        prefix, local = self.names.prefix, self.names.local
        return f"{prefix}:{local}" if prefix else local

    @property
    def place(self) -> Place:
        """The position of the start tag."""
        return Place(self.line, self.column)


class Declaration(NamedTuple):
    """A namespace declaration."""

    prefix: str
    namespace: str
    place: Place


class NotWellFormedError(Exception):
    """The document is not well-formed XML; nothing after the place can be read."""

    def __init__(self, reason: str, place: Place, code: int, byte: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place
        self.code = code
        """Of `xml.parsers.expat.errors`."""
        self.byte = byte
        """The position in the document."""


class ElementReader:
    """An XML document as an iterable of the children of its containers, in their order."""

    def __init__(self, stream: BinaryIO) -> None:
        self.root: Element | None = None
        self.containers: list[Element] = []
        """The containers that were opened: the root, and `channel`."""
        self.declarations: list[Declaration] = []
        self.used_namespaces: set[str] = set()
        self.encoding: str | None = None
        """As the XML declaration has it."""
        self.has_xml_declaration = False
        self.doctype: Place | None = None
        self.size_bytes = 0
        """How much was read."""
        self._stream = stream
        self._stack: list[Element] = []
        self._complete: list[Element] = []
        self._depth_of_containers = 0
        self._entry_begin = 0
        self._parser = self._new_parser()

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.namespace_prefixes = True
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartNamespaceDeclHandler = self._declare
        parser.XmlDeclHandler = self._xml_declaration
        parser.StartDoctypeDeclHandler = self._doctype
        return parser

    def __iter__(self) -> Iterator[Element]:
        """Yield the children of containers when they are complete.

        Raises:
            NotWellFormedError: after the last complete child.
            LimitError: an entry is too large, or nested too deeply.
        """
        error: NotWellFormedError | None = None
        chunk = b" "
        while chunk and error is None:
            chunk = self._stream.read(_CHUNK_BYTES)
            try:
                self._parse(chunk)
            except NotWellFormedError as fault:
                error = fault
            yield from self._complete
            self._complete.clear()
            self.size_bytes += len(chunk)
            self._check_size()
        if error is not None:
            raise error

    def _parse(self, chunk: bytes) -> None:
        try:
            self._parser.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            place = Place(error.lineno, error.offset + 1)
            reason = expat.ErrorString(error.code)
            byte = self._parser.ErrorByteIndex
            raise NotWellFormedError(reason, place, error.code, byte) from error
        except (LookupError, ValueError) as error:  # of Python's codecs
            code = expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]
            raise NotWellFormedError("unknown encoding", Place(1, 1), code, 0) from error

    def _check_size(self) -> None:
        is_in_entry = len(self._stack) > self._depth_of_containers
        begin = self._entry_begin if is_in_entry else self._parser.CurrentByteIndex
        if self.size_bytes - begin > _MAX_ENTRY_BYTES:
            line = self._parser.CurrentLineNumber
            message = f"line {line}: one element has more than {_MAX_ENTRY_BYTES:,} bytes"
            raise LimitError(message, limit="max_entry_bytes", line=line)

    # -- handlers -----------------------------------------------------------------------------

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        parser, stack = self._parser, self._stack
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        names = _element_name(tag)
        element = Element(names, attributes, line, column)
        self.used_namespaces.add(names.namespace)
        depth = len(stack)
        if depth > _MAX_DEPTH:
            message = f"line {line}: elements are nested more than {_MAX_DEPTH} deep"
            raise LimitError(message, limit="depth", line=line)
        if depth == self._depth_of_containers:
            self._entry_begin = parser.CurrentByteIndex
            if names.local.lower() in _CONTAINERS:
                self._depth_of_containers += 1
                self.containers.append(element)
            if self.root is None:
                self.root = element
        else:
            stack[-1].children.append(element)
        stack.append(element)

    def _end(self, _tag: str) -> None:
        element = self._stack.pop()
        depth = len(self._stack)
        if depth < self._depth_of_containers:
            self._depth_of_containers -= 1
        elif depth == self._depth_of_containers:
            self._complete.append(element)

    def _text(self, text: str) -> None:
        if len(self._stack) > self._depth_of_containers or text.strip():
            self._stack[-1].texts.append(text)

    def _declare(self, prefix: str | None, namespace: str) -> None:
        place = Place(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)
        self.declarations.append(Declaration(prefix or "", namespace, place))

    def _xml_declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        self.has_xml_declaration = True
        self.encoding = encoding
        if encoding is not None and not _ENCODING.fullmatch(encoding):
            raise LookupError(encoding)  # Python has codecs that are no encodings of documents

    def _doctype(self, *_parts: object) -> None:
        self.doctype = Place(self._parser.CurrentLineNumber)
