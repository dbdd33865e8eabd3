"""Reads XML sitemaps, one to one (mapping 3.10): https://www.sitemaps.org/protocol.html."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, TypeVar

from converter.issues import Code, Report
from converter.model import MODULES, Alternate, Entry, Feed, News, Word
from converter.options import ReadOptions
from converter.values import numbers
from converter.vocab import hreflang, image, leaves, news, video
from converter.vocab.context import Context, Note, label
from converter.vocab.links import is_alternate
from converter.xml import take
from converter.xml.names import URI_OF, Names
from converter.xml.stream import Walk, line_of
from converter.xml.take import Children, Element

__all__ = ["SitemapDocument"]

T = TypeVar("T")

_CORE: Final = frozenset({"loc", "lastmod", "changefreq", "priority"})

#: What most sitemaps stop at.
_PLAIN: Final = frozenset({"loc", "lastmod"})
_KNOWN: Final = _CORE | {"image:image", "video:video", "news:news", "mobile:mobile", "xhtml:link"}

_LOC: Final = leaves.first(Context.url)


class _LocalNames(Names):
    """Knows the protocol's own elements by their local names, in whatever namespace they are.

    Namespaces of sitemaps were misspelt in every way there is. Case is not forgiven.
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
        for element in self._walk:
            yield self._entry(element)

    def _entry(self, element: Element) -> Entry:
        context = Context(
            report=self._walk.report,
            options=self._options,
            root_path="url",
            base=self._options.base_url,
        )
        name = take.local_name(element).rpartition(":")[2]
        if name != "url":
            message = f"<{name}> is not <url>: case matters in XML; what is in it is not read"
            context.tell(Code.ELEMENT_MISPLACED, message, element)
            return Entry(line=line_of(element), feed=self.feed)
        found = take.gather(element, _NAMES)
        _drop_torn(found, context)
        loc = _LOC(found.get("loc", ()), context, "loc")
        context.entry = label(loc)
        if found.keys() <= _PLAIN:
            updated = context.moment(found, ("lastmod",))
            return Entry(loc=loc, updated=updated, line=line_of(element), feed=self.feed)
        return self._extended(loc, element, found, context)

    def _extended(
        self, loc: str | None, element: Element, found: Children, context: Context
    ) -> Entry:
        alternates, other_links = _alternates(found, context)
        article, other_news = _news(found, context)
        pictures = (image.read(each, context, _NAMES) for each in found.get("image:image", ()))
        videos = (video.read(each, context, _NAMES) for each in found.get("video:video", ()))
        others = {name: of for name, of in found.items() if name not in _KNOWN}
        context.count_unread(others, (), MODULES)
        return Entry(
            loc=loc,
            updated=context.moment(found, ("lastmod",)),
            changefreq=_hint(found, "changefreq", numbers.changefreq, context),
            priority=_hint(found, "priority", numbers.priority, context),
            images=tuple(picture for picture in pictures if picture is not None),
            videos=tuple(clip for clip in videos if clip is not None),
            news=article,
            mobile="mobile:mobile" in found,
            alternates=alternates,
            extra=(
                *other_links,
                *other_news,
                *(take.word_of(each, _NAMES) for of in others.values() for each in of),
            ),
            other=context.other,
            line=line_of(element),
            feed=self.feed,
        )


def _drop_torn(found: Children, context: Context) -> None:
    """Leave out values that markup stands in: of a torn `loc` nobody knows where it ended."""
    for name in _CORE:
        torn = [element for element in found.get(name, ()) if len(element)]
        for element in torn:
            message = f"<{name}> holds <{take.local_name(element[0])}>; left out"
            context.tell(Code.ELEMENT_MISPLACED, message, element, name)
            found[name].remove(element)


def _hint(
    found: Children,
    name: str,
    read: Callable[[str], tuple[T | None, tuple[Note, ...]]],
    context: Context,
) -> T | None:
    for element, text in take.texts(found, name):
        value, notes = read(text)
        context.tell_all(notes, element, name)
        if value is not None:
            return value
    return None


def _alternates(
    found: Children, context: Context
) -> tuple[tuple[Alternate, ...], tuple[Word, ...]]:
    """Read the language versions, and keep links of other kinds (to an app, to AMP) as they are."""
    versions: list[Alternate] = []
    others: list[Word] = []
    for element in found.get("xhtml:link", ()):
        given = take.attributes(element)
        if not is_alternate(element) or "hreflang" not in given or "href" not in given:
            others.append(take.word_of(element, _NAMES))
            continue
        href = context.url(given["href"], element, "xhtml:link")
        if href and (
            version := hreflang.version(given["hreflang"], href, element, context, "xhtml:link")
        ):
            versions.append(version)
    return tuple(versions), tuple(others)


def _news(found: Children, context: Context) -> tuple[News | None, tuple[Word, ...]]:
    """Read the first block; a page is one article."""
    blocks = found.get("news:news", ())
    if len(blocks) > 1:
        message = "more than one news block; only the first is read"
        context.tell(Code.NEWS_SKIPPED, message, blocks[1], "news:news")
    return news.read(blocks[0], context, _NAMES) if blocks else (None, ())
