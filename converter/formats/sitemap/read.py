"""Reads XML sitemaps, one to one (mapping 3.10), and the locations that an index lists.

https://www.sitemaps.org/protocol.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, TypeAlias

from converter.errors import LimitError
from converter.extensions import image, news, video
from converter.extensions.block_reader import first
from converter.extensions.links import is_alternate, language_version
from converter.extensions.read_context import ReadContext, url_label
from converter.formats.base import SimpleDocument
from converter.issues import Code, Issue, Note, Report, errors_naming
from converter.model import MODULES, Alternate, Entry, ExtraElement, Feed, Moment, News
from converter.options import ReadOptions
from converter.sitemap_limits import MAX_SITEMAPS
from converter.values import numbers
from converter.xml import detect, extract
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Children, Element, line_of
from converter.xml.namespaces import URI_OF, CanonicalNames

#: As much as detection sees.
_PREFIX_BYTES: Final = 64 * 1024

_CORE: Final = frozenset({"loc", "lastmod", "changefreq", "priority"})


class _LocalNames(CanonicalNames):
    """Finds the elements of the protocol by their local names, in any unknown namespace.

    Sitemaps misspell the namespace in many ways. Case matters.
    """

    def __missing__(self, tag: str) -> str:
        name = super().__missing__(tag)
        prefix, _, local = name.rpartition("}")[2].rpartition(":")
        if local not in _CORE or prefix in URI_OF:
            return name
        if tag in self:
            self[tag] = local
        return local


_NAMES: Final = _LocalNames("sitemap", frozenset())


def read(stream: BinaryIO, options: ReadOptions, report: Report) -> SimpleDocument:
    """Read a sitemap, or list the children of an index; see `formats.base.Reader`."""
    stream.seek(0)
    is_index = detect.root_name(stream.read(_PREFIX_BYTES)) == "sitemapindex"
    feed = Feed(format="sitemap", source=options.name)
    if not is_index:
        return SimpleDocument(feed, _entries(stream, options, report, feed))
    with errors_naming(options.name):
        return SimpleDocument(feed, iter(()), _children(stream, report))


def _walker(stream: BinaryIO, element: str, report: Report) -> EntryParser:
    return EntryParser(
        stream,
        entries=frozenset({element}),
        containers=frozenset(),
        on_header=lambda _: None,  # some copies of the schema allow foreign elements there
        is_field=lambda _: False,
        on_restart=lambda: None,
        report=report,
    )


def _children(stream: BinaryIO, report: Report) -> tuple[str, ...]:
    """Return the locations in an index as written, without white space and repetitions.

    Raises:
        LimitError: there are more of them than an index may list.
    """
    found: dict[str, None] = {}
    for element in _walker(stream, "sitemap", report):
        # in any namespace, but not in another case
        locs = (extract.text_of(child) for child in element if extract.local_name(child) == "loc")
        loc, line = next(filter(None, locs), ""), line_of(element)
        if not loc or loc in found:
            code, message = Code.ENTRY_WITHOUT_LOC, "a sitemap without its location; left out"
            if loc:
                code, message = Code.URL_DUPLICATE, "the index lists this sitemap twice; read once"
            path = "sitemap/loc"
            report(Issue(code=code, message=message, line=line, path=path, entry=loc or None))
            continue
        found[loc] = None
        if len(found) > MAX_SITEMAPS:
            message = (
                f"the index lists more than {MAX_SITEMAPS:,} sitemaps, the limit of the protocol"
            )
            raise LimitError(f"{message}. Split it", limit="sitemaps", line=line)
    return tuple(found)


def _entries(stream: BinaryIO, options: ReadOptions, report: Report, feed: Feed) -> Iterator[Entry]:
    elements = _walker(stream, "url", report)
    context = ReadContext(elements.report, options, _NAMES, "url", base=options.base_url, feed=feed)
    with errors_naming(options.name):
        for element in elements:
            yield _entry(element, context)


def _entry(element: Element, context: ReadContext) -> Entry:
    context.label = context.unread = None
    entry = Entry(line=line_of(element), feed=context.feed)
    if not str(element.tag).endswith("url"):  # the walker finds <URL> and <Url>, too
        message = (
            f"<{extract.local_name(element).rpartition(':')[2]}> is not <url>: case matters in "
            "XML; its content is not read"
        )
        context.warn(Code.ELEMENT_MISPLACED, message, element)
        return entry
    found = _children_of(element, context)
    entry.loc = _LOC(found.pop("loc", ()), context, "loc")
    context.label = url_label(entry.loc)
    kept: list[ExtraElement] = []
    for name, field, read in _RULES:
        if (elements := found.pop(name, None)) is not None:
            setattr(entry, field, read(elements, context, kept))
    if found:  # only what nothing reads is left
        context.count_unread(found, (), MODULES)
        entry.other = context.unread_names
        kept += (extract.to_extra_element(each, _NAMES) for of in found.values() for each in of)
    entry.extra = tuple(kept)
    return entry


def _children_of(element: Element, context: ReadContext) -> Children:
    """Return the children by name, without values that contain markup: their end is unknown."""
    found = extract.children_by_name(element, _NAMES)
    for name, elements in found.items():
        for child in elements if name in _CORE else ():
            if len(child):
                message = f"<{name}> holds <{extract.local_name(child[0])}>; left out"
                context.warn(Code.ELEMENT_MISPLACED, message, child, name)
                found[name] = [one for one in found[name] if one is not child]
    return found


# -- rules: from the elements of one name to a field of the entry -----------------------------

_Rule: TypeAlias = Callable[[list[Element], ReadContext, list[ExtraElement]], Any]
"""Reads the elements of one name, and adds elements that are kept as they are to a list."""

_LOC: Final = first(ReadContext.url)


def _alternates(
    elements: list[Element], context: ReadContext, kept: list[ExtraElement]
) -> tuple[Alternate, ...]:
    """Read the language versions; keep links of other kinds (to an app, to AMP) as they are."""
    versions: list[Alternate] = []
    for element in elements:
        given = extract.attributes(element)
        if not is_alternate(element) or "hreflang" not in given or "href" not in given:
            kept.append(extract.to_extra_element(element, _NAMES))
            continue
        href = context.url(given["href"], element, "xhtml:link")
        if href and (
            one := language_version(given["hreflang"], href, element, context, "xhtml:link")
        ):
            versions.append(one)
    return tuple(versions)


def _news(elements: list[Element], context: ReadContext, kept: list[ExtraElement]) -> News | None:
    """Read the first block; a page is one article."""
    if len(elements) > 1:
        message = "more than one news block; only the first is read"
        context.warn(Code.NEWS_SKIPPED, message, elements[1], "news:news")
    article, others = news.read(elements[0], context, _NAMES)
    kept += others
    return article


def _lastmod(
    elements: list[Element], context: ReadContext, _kept: list[ExtraElement]
) -> Moment | None:
    return context.first_date({"lastmod": elements}, ("lastmod",))


def _hint(name: str, read: Callable[[str], tuple[Any, tuple[Note, ...]]]) -> _Rule:
    def convert(context: ReadContext, given: str, element: Element, _name: str) -> Any:
        value, notes = read(given)
        context.warn_all(notes, element, name)
        return value

    reading = first(convert)
    return lambda elements, context, _kept: reading(elements, context, name)


def _blocks(read: Callable[[Element, ReadContext, CanonicalNames], Any]) -> _Rule:
    def rule(
        elements: list[Element], context: ReadContext, _kept: list[ExtraElement]
    ) -> tuple[Any, ...]:
        blocks = [read(element, context, _NAMES) for element in elements]
        return tuple([block for block in blocks if block is not None])

    return rule


#: In the order in which issues are reported and elements are kept.
_RULES: Final[tuple[tuple[str, str, _Rule], ...]] = (
    ("xhtml:link", "alternates", _alternates),
    ("news:news", "news", _news),
    ("lastmod", "updated", _lastmod),
    ("changefreq", "changefreq", _hint("changefreq", numbers.changefreq)),
    ("priority", "priority", _hint("priority", numbers.priority)),
    ("image:image", "images", _blocks(image.read)),
    ("video:video", "videos", _blocks(video.read)),
    ("mobile:mobile", "mobile", lambda _elements, _context, _kept: True),
)
