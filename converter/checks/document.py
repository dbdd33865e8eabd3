"""Rules for a whole file: its encoding, XML, namespaces, compression and size."""

from __future__ import annotations

from typing import Final
from xml.parsers.expat import errors

from converter.checks.context import CheckContext
from converter.checks.elements import ElementReader, NotWellFormedError
from converter.checks.rule import ERROR, INFO, PROTOCOL, WARNING, CheckRule, Place
from converter.issues import printable
from converter.sitemap_limits import MAX_BYTES, MAX_NEWS, MAX_SITEMAPS, MAX_URLS
from converter.values.urls import quoted
from converter.xml import namespaces

_XML: Final = "https://www.w3.org/TR/xml/"
_NAMES: Final = "https://www.w3.org/TR/xml-names/"
_GZIP: Final = "https://www.rfc-editor.org/rfc/rfc1952"
_ENCODING: Final = f"{PROTOCOL}#escaping"
_FORMAT: Final = f"{PROTOCOL}#xmlTagDefinitions"
_SIZES: Final = f"{PROTOCOL}#index"
_NEWS: Final = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap"

RULES: Final = (
    CheckRule(
        "document-unknown", ERROR, "the file is no sitemap, feed or list of URLs",
        why="Search engines refuse it.",
        fix="Publish a sitemap; check that the URL or the file name is right.",
        source=_FORMAT,
    ),
    CheckRule(
        "document-html", ERROR, "the file is an HTML page",
        why="Most often the server sends an error page, or its start page, for the URL of the "
        "sitemap.",
        fix="Open the URL in a browser; check that the sitemap exists and is sent as XML.",
        source=_FORMAT,
    ),
    CheckRule(
        "document-empty", ERROR, "the file has no entries",
        why="An empty sitemap is an error for Google, and not valid by the XML Schema.",
        fix="Check the program that writes the sitemap; remove the sitemap if there are no pages.",
        source=_FORMAT,
    ),
    CheckRule(
        "document-not-utf8", ERROR, "the file is not in UTF-8",
        why="The protocol requires UTF-8.",
        fix="Save the file as UTF-8, and declare that encoding.",
        source=_ENCODING, convert="repaired",
    ),
    CheckRule(
        "document-bom", WARNING, "the file begins with a byte order mark",
        why="It is allowed, but some readers fail on it.",
        fix='Save the file as "UTF-8 without BOM".',
        source=_ENCODING, convert="repaired",
    ),
    CheckRule(
        "document-no-declaration", INFO, "the file has no XML declaration",
        why="It is not required for UTF-8, but the protocol's examples have it.",
        fix='Begin the file with <?xml version="1.0" encoding="UTF-8"?>.',
        source=f"{_XML}#sec-prolog-dtd", convert="repaired", is_default=False,
    ),
    CheckRule(
        "document-doctype", WARNING, "the file has a document type declaration",
        why="Sitemaps need none; readers may refuse it for reasons of security.",
        fix="Remove <!DOCTYPE …>.",
        source=_FORMAT, convert="repaired",
    ),
    CheckRule(
        "document-namespace-missing", ERROR, "the root element has no namespace",
        why="Without the namespace the file is no sitemap.",
        fix=f'Add xmlns="{namespaces.URI_OF["sitemap"]}" to the root element.',
        source=_FORMAT, convert="repaired",
    ),
    CheckRule(
        "document-namespace-wrong", ERROR, "a namespace is misspelled",
        why="A namespace is compared letter by letter: with https, without version or with another "
        "version, its elements are ignored.",
        fix="Write the namespace as in the documentation.",
        source=_FORMAT, convert="repaired",
    ),
    CheckRule(
        "document-namespace-unknown", WARNING, "a namespace is unknown",
        why="Its elements are ignored, and the XML Schema refuses them.",
        fix="Remove the elements, or correct the namespace.",
        source=_FORMAT, convert="dropped",
    ),
    CheckRule(
        "document-namespace-unused", WARNING, "a namespace is declared and not used",
        why="It does no harm, but makes the file larger.",
        fix="Remove the declaration.",
        source=_NAMES, convert="repaired", is_default=False,
    ),
    CheckRule(
        "document-extension-mismatch", WARNING, "the file extension does not fit the compression",
        why="Servers choose headers by the extension, so readers decompress wrongly.",
        fix="Name compressed files .xml.gz, and others .xml.",
        source=f"{PROTOCOL}#index", convert="repaired",
    ),
    CheckRule(
        "xml-not-well-formed", ERROR, "the file is not well-formed XML",
        why="Search engines stop reading at the fault, or refuse the file.",
        fix="Correct the program that writes the file; nothing after the fault was checked.",
        source=f"{_XML}#sec-well-formed", convert="repaired",
    ),
    CheckRule(
        "xml-entity-undefined", ERROR, "an entity is not defined",
        why="XML defines only &amp; &lt; &gt; &quot; and &apos;; &nbsp; and &eacute; are HTML.",
        fix="Write the character itself, or a number such as &#160;.",
        source=f"{_XML}#wf-entdeclared", convert="repaired",
    ),
    CheckRule(
        "xml-control-character", ERROR, "the file has a control character",
        why="XML allows no control characters but tab and line breaks.",
        fix="Remove the character.",
        source=f"{_XML}#charsets", convert="repaired",
    ),
    CheckRule(
        "gzip-truncated", ERROR, "the gzip data break off or are damaged",
        why="Readers refuse the file, or read only a part of it.",
        fix="Compress and upload the file again.",
        source=_GZIP, convert="repaired",
    ),
    CheckRule(
        "gzip-trailing-bytes", WARNING, "other bytes follow the gzip data",
        why="Some readers refuse the file.",
        fix="Compress the file again.",
        source=_GZIP, convert="repaired",
    ),
    CheckRule(
        "limit-urls", ERROR, f"the file has more than {MAX_URLS:,} URLs",
        why="Search engines refuse the file, or read only a part of it.",
        fix="Split the file, and list the parts in a sitemap index.",
        source=_SIZES, convert="repaired",
    ),
    CheckRule(
        "limit-bytes", ERROR, f"the file has more than {MAX_BYTES:,} bytes, uncompressed",
        why="Search engines refuse the file.",
        fix="Split the file, and list the parts in a sitemap index.",
        source=_SIZES, convert="repaired",
    ),
    CheckRule(
        "limit-urls-near", WARNING, f"the file has almost {MAX_URLS:,} URLs",
        why="With a few more pages it will exceed the limit.",
        fix="Split the file in time.",
        source=_SIZES, is_default=False,
    ),
    CheckRule(
        "limit-bytes-near", WARNING, f"the file has almost {MAX_BYTES:,} bytes, uncompressed",
        why="With a few more pages it will exceed the limit.",
        fix="Split the file in time.",
        source=_SIZES, is_default=False,
    ),
    CheckRule(
        "limit-sitemaps", ERROR, f"an index has more than {MAX_SITEMAPS:,} sitemaps",
        why="Search engines refuse the index.",
        fix="Publish several indexes.",
        source=_SIZES,
    ),
    CheckRule(
        "limit-news", ERROR, f"the file has more than {MAX_NEWS:,} news articles",
        why=f"Google reads at most {MAX_NEWS:,} <news:news> in a sitemap.",
        fix="Remove the news tags of older articles, or split the file.",
        source=_NEWS, convert="repaired",
    ),
    CheckRule(
        "limit-yandex-bytes", ERROR, "the file has more than 10 MB, uncompressed",
        why="The documentation of Yandex allows at most 10 MB.",
        fix="Split the file.",
        source="https://yandex.com/support/webmaster/controlling-robot/sitemap.html",
        is_default=False, profiles=frozenset({"yandex"}),
    ),
)  # fmt: skip

_UNDEFINED_ENTITY: Final = errors.codes[errors.XML_ERROR_UNDEFINED_ENTITY]
_UNKNOWN_ENCODING: Final = errors.codes[errors.XML_ERROR_UNKNOWN_ENCODING]
_INVALID_TOKEN: Final = errors.codes[errors.XML_ERROR_INVALID_TOKEN]
_UTF8_NAMES: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})
_ALLOWED_CONTROLS: Final = b"\t\n\r"
_BEGIN: Final = Place(1, 1)

_NEAR: Final = 0.95
_YANDEX_BYTES: Final = 10_000_000
#: The canonical prefixes of the namespaces of sitemaps.
_OF_SITEMAPS: Final = frozenset({"sitemap", "image", "video", "news", "mobile", "pagemap", "xhtml"})
#: May be declared for `xsi:schemaLocation`.
_XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"


def check_head(context: CheckContext, head: bytes) -> None:
    """Check the encoding that the first bytes of an XML document show."""
    if head.startswith(b"\xef\xbb\xbf"):
        context.report("document-bom", "a byte order mark at the beginning", _BEGIN)
    elif head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:4]:
        context.report("document-not-utf8", "UTF-16 or UTF-32; expected UTF-8", _BEGIN)


def check_prolog(context: CheckContext, reader: ElementReader) -> None:
    """Check the declarations of a document that was read."""
    if reader.encoding and reader.encoding.lower() not in _UTF8_NAMES:
        message = f"the declared encoding is {quoted(reader.encoding)}; expected UTF-8"
        context.report("document-not-utf8", message, _BEGIN)
    if not reader.has_xml_declaration:
        context.report("document-no-declaration", "no XML declaration", _BEGIN)
    if reader.doctype is not None:
        context.report("document-doctype", "<!DOCTYPE> in the file", reader.doctype)


def check_root(context: CheckContext, reader: ElementReader) -> None:
    """Check the root element of a sitemap or index, and all namespaces."""
    root = reader.root
    if root is None:
        return
    if not root.names.namespace:
        message = f"<{root.written_name}> without namespace"
        context.report("document-namespace-missing", message, root)
    if root.names.local not in {"urlset", "sitemapindex"}:
        context.report("xml-case", f"<{root.written_name}>: wrong case", root)
    if text := root.text.strip():
        message = f"the text {quoted(text)} in <{root.written_name}>; expected only elements"
        context.report("element-misplaced", message, root, path=root.name)
    _check_namespaces(context, reader)


def _check_namespaces(context: CheckContext, reader: ElementReader) -> None:
    seen: set[str] = set()
    for declaration in reader.declarations:
        uri = declaration.namespace
        if uri in seen or uri == _XSI:
            continue
        seen.add(uri)
        prefix = namespaces.canonical_prefix(uri) or _resembled(uri)
        place = declaration.place
        if prefix not in _OF_SITEMAPS:
            message = f"the namespace {quoted(uri)} is no extension of sitemaps"
            context.report("document-namespace-unknown", message, place)
        elif uri != namespaces.URI_OF[prefix]:
            message = f"the namespace {quoted(uri)}; expected {quoted(namespaces.URI_OF[prefix])}"
            context.report("document-namespace-wrong", message, place)
        elif uri not in reader.used_namespaces:
            message = f"the namespace {quoted(uri)} is not used"
            context.report("document-namespace-unused", message, place)


def _resembled(uri: str) -> str:
    """Return the prefix of the namespace that a misspelled URI means; "" if there is none."""
    lowered = uri.lower().rstrip("/")
    for prefix in _OF_SITEMAPS - {"xhtml"}:
        official = namespaces.URI_OF[prefix].partition("://")[2]
        if lowered.endswith(official.rpartition("/")[0].removeprefix("www.")):
            return prefix
    return ""


def report_fault(context: CheckContext, fault: NotWellFormedError, around: bytes) -> None:
    """Report where a document is not well-formed; `around` are the bytes from the fault on."""
    code, message = "xml-not-well-formed", fault.reason
    if fault.code == _UNKNOWN_ENCODING:
        code, message = "document-not-utf8", "the declared encoding cannot be read"
    elif fault.code == _UNDEFINED_ENTITY:
        code = "xml-entity-undefined"
        name = around.partition(b";")[0][:40].decode("utf-8", "replace")
        message = f"{quoted(name)} is not defined in XML"
    elif fault.code == _INVALID_TOKEN and around:
        first = around[0]
        if first < 0x20 and first not in _ALLOWED_CONTROLS:
            code, message = "xml-control-character", f"the control character U+{first:04X}"
        elif not _is_utf8(around[:4]):
            code, message = "document-not-utf8", f"the byte 0x{first:02X} is not UTF-8"
    context.report(code, f"{printable(message)}; nothing after this was checked", fault.place)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start > 0 or error.reason == "unexpected end of data"
    return True


def check_size(context: CheckContext, urls: int, size_bytes: int) -> None:
    """Check the number of URLs, and the size of the decompressed file."""
    limits = (
        ("urls", urls, MAX_URLS, "URLs"),
        ("bytes", size_bytes, MAX_BYTES, "bytes, uncompressed"),
    )
    for name, number, most, what in limits:
        message = f"{number:,} {what}; at most {most:,} are allowed"
        if number > most:
            context.report(f"limit-{name}", message)
        elif number > most * _NEAR:
            context.report(f"limit-{name}-near", message)
    if size_bytes > _YANDEX_BYTES:
        context.report("limit-yandex-bytes", f"{size_bytes:,} bytes; at most {_YANDEX_BYTES:,}")
