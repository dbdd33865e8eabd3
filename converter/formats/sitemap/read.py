"""Reads XML sitemaps, one to one (mapping 3.10): https://www.sitemaps.org/protocol.html."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, TypeAlias

from converter.issues import Code, Report, naming
from converter.model import MODULES, Alternate, Entry, Feed, Moment, News, Word
from converter.options import ReadOptions
from converter.values import numbers
from converter.vocab import hreflang, image, news, video
from converter.vocab.block_reader import first
from converter.vocab.context import Context, Note, label
from converter.vocab.links import is_alternate
from converter.xml import take
from converter.xml.names import URI_OF, Names
from converter.xml.stream import Walk, line_of
from converter.xml.take import Children, Element

__all__ = ["SitemapDocument"]

_CORE: Final = frozenset({"loc", "lastmod", "changefreq", "priority"})


class _LocalNames(Names):
    """Matches the protocol's own elements by their local names, in any unknown namespace.

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


class SitemapDocument:
    """Reads a `urlset` as it is walked; see `seams.Document`."""

    children: tuple[str, ...] = ()
    is_late: bool = False

    def __init__(self, stream: BinaryIO, options: ReadOptions, report: Report) -> None:
        self.feed = Feed(format="sitemap", source=options.name)
        self._options = options
        self._walk = Walk(
            stream,
            entries=frozenset({"url"}),
            containers=frozenset(),
            on_header=lambda _: None,  # some copies of the schema allow foreign elements there
            is_field=lambda _: False,
            on_restart=lambda: None,
            report=report,
        )

    @property
    def entries(self) -> Iterator[Entry]:
        """Walk the document; once."""
        with naming(self._options.name):
            for element in self._walk:
                yield self._entry(element)

    def _entry(self, element: Element) -> Entry:
        context = Context(
            report=self._walk.report,
            options=self._options,
            root_path="url",
            base=self._options.base_url,
        )
        if not str(element.tag).endswith("url"):  # the walk finds <URL> and <Url>, too
            message = (
                f"<{take.local_name(element).rpartition(':')[2]}> is not <url>: case matters in "
                "XML; what is in it is not read"
            )
            context.tell(Code.ELEMENT_MISPLACED, message, element)
            return Entry(line=line_of(element), feed=self.feed)
        found = _children(element, context)
        loc = _LOC(found.pop("loc", ()), context, "loc")
        context.entry = label(loc)
        fields: dict[str, Any] = {}
        words: list[Word] = []
        for name, field, read in _RULES:
            if (elements := found.pop(name, None)) is not None:
                fields[field] = read(elements, context, words)
        if found:  # only what nothing reads is left
            context.count_unread(found, (), MODULES)
            fields["other"] = context.other
            words += (take.word_of(each, _NAMES) for of in found.values() for each in of)
        return Entry(loc=loc, **fields, extra=tuple(words), line=line_of(element), feed=self.feed)


def _children(element: Element, context: Context) -> Children:
    """Sort the children by name, without values that contain markup.

    Nothing tells where the value of such a `loc` ended.
    """
    found: Children = {}
    for child in element:
        name = _NAMES[child.tag]
        if len(child) and name in _CORE:
            message = f"<{name}> holds <{take.local_name(child[0])}>; left out"
            context.tell(Code.ELEMENT_MISPLACED, message, child, name)
        else:
            found.setdefault(name, []).append(child)
    return found


# -- rules: from the elements of one name to a field of the entry -----------------------------

_Rule: TypeAlias = Callable[[list[Element], Context, list[Word]], Any]
"""Reads the elements of one name. It adds what must be kept as it is to the words of the entry."""

_LOC: Final = first(Context.url)


def _alternates(
    elements: list[Element], context: Context, words: list[Word]
) -> tuple[Alternate, ...]:
    """Read the language versions; keep links of other kinds (to an app, to AMP) as they are."""
    versions: list[Alternate] = []
    for element in elements:
        given = take.attributes(element)
        if not is_alternate(element) or "hreflang" not in given or "href" not in given:
            words.append(take.word_of(element, _NAMES))
            continue
        href = context.url(given["href"], element, "xhtml:link")
        if href and (
            version := hreflang.version(given["hreflang"], href, element, context, "xhtml:link")
        ):
            versions.append(version)
    return tuple(versions)


def _news(elements: list[Element], context: Context, words: list[Word]) -> News | None:
    """Read the first block; a page is one article."""
    if len(elements) > 1:
        message = "more than one news block; only the first is read"
        context.tell(Code.NEWS_SKIPPED, message, elements[1], "news:news")
    article, others = news.read(elements[0], context, _NAMES)
    words += others
    return article


def _lastmod(elements: list[Element], context: Context, _words: list[Word]) -> Moment | None:
    return context.moment({"lastmod": elements}, ("lastmod",))


def _hint(name: str, read: Callable[[str], tuple[Any, tuple[Note, ...]]]) -> _Rule:
    def convert(context: Context, given: str, element: Element, _name: str) -> Any:
        value, notes = read(given)
        context.tell_all(notes, element, name)
        return value

    reading = first(convert)
    return lambda elements, context, _words: reading(elements, context, name)


def _blocks(read: Callable[[Element, Context, Names], Any]) -> _Rule:
    def rule(elements: list[Element], context: Context, _words: list[Word]) -> tuple[Any, ...]:
        blocks = [read(element, context, _NAMES) for element in elements]
        return tuple([block for block in blocks if block is not None])

    return rule


#: In the order in which issues are reported and words are kept.
_RULES: Final[tuple[tuple[str, str, _Rule], ...]] = (
    ("xhtml:link", "alternates", _alternates),
    ("news:news", "news", _news),
    ("lastmod", "updated", _lastmod),
    ("changefreq", "changefreq", _hint("changefreq", numbers.changefreq)),
    ("priority", "priority", _hint("priority", numbers.priority)),
    ("image:image", "images", _blocks(image.read)),
    ("video:video", "videos", _blocks(video.read)),
    ("mobile:mobile", "mobile", lambda _elements, _context, _words: True),
)
