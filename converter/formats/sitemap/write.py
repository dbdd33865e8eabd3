"""Writes XML sitemaps and their indexes: https://www.sitemaps.org/protocol.html."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from converter.errors import OptionError
from converter.extensions.page_context import PageContext
from converter.formats.base import Rendered
from converter.issues import Code, Issue, Report
from converter.model import Alternate, Entry, ExtraElement, Feed, Moment
from converter.options import WriteOptions
from converter.sitemap_limits import MAX_SITEMAPS
from converter.values import dates
from converter.xml.escape import (
    DECLARATION,
    INDEX_START,
    encode_markup,
    escape,
    namespace_declarations,
    text_element,
)
from converter.xml.namespaces import URI_OF

if TYPE_CHECKING:
    from converter.extensions.news import NewsRenderer

_CHANGEFREQS: Final = frozenset(
    {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
)

#: The order of the extensions in a `url` and in the head. The protocol allows any; a fixed one
#: makes the same bytes of the same input.
_PREFIXES: Final = ("image", "video", "news", "mobile", "xhtml", "pagemap")

#: A single date in the future is an error of the page, not of the clock.
_MIN_AHEAD: Final = 2

#: Of the PageMap schema; any other element would make the file invalid.
_PAGEMAP: Final = frozenset(
    {"pagemap:PageMap", "pagemap:Template", "pagemap:DataObject", "pagemap:Attribute"}
)


class SitemapWriter:
    """Entries to `url` elements."""

    def __init__(self, options: WriteOptions) -> None:
        """Check the options.

        Raises:
            OptionError: the name or the language of the news publication is invalid.
        """
        self._options = options
        if options.news_name is not None or options.news_language is not None:
            _ = self._news  # checks them
        self._dated = self._ahead = 0
        #: `lastmod` is the only thing to write of an entry that has nothing else.
        self._is_plain = not (
            options.changefreq or options.priority or options.news_name or options.mobile
        )

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        """Render one `url`; return None and report an entry without `loc`.

        Raises:
            OptionError: the language of news is not known.
        """
        loc = entry.loc
        if not loc:
            report(_without_loc(entry))
            return None
        lastmod, ahead = None, 0
        is_dated = entry.published is not None or entry.updated is not None
        if is_dated:
            lastmod, ahead = self._lastmod(entry, loc, report)
        core = f"<loc>{escape(loc)}</loc>"
        if lastmod is not None:
            core += f"<lastmod>{lastmod}</lastmod>"
        if self._is_plain and not (
            entry.videos
            or entry.images
            or entry.podcast
            or entry.news
            or entry.alternates
            or entry.extra
            or entry.changefreq
            or entry.priority is not None
            or entry.mobile
        ):
            rendered = Rendered(encode_markup(f"<url>{core}</url>", 1, pretty=self._options.pretty))
        else:
            page = PageContext(report, entry.line, loc, entry=entry, loc=loc, options=self._options)
            rendered = self._with_extensions(core, page)
        if is_dated:
            rendered.dates, rendered.dates_ahead = 1, ahead
        return rendered

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the start of the `urlset` with the namespaces that are used in it."""
        declared = namespace_declarations([prefix for prefix in _PREFIXES if prefix in prefixes])
        return f'{DECLARATION}<urlset xmlns="{URI_OF["sitemap"]}"{declared}>\n'.encode()

    def tail(self, feed: Feed, /) -> bytes:
        """Render its end."""
        return b"</urlset>\n"

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report that there is no news, or that most dates are later than the clock."""
        dated, ahead = dates or (self._dated, self._ahead)
        if self._options.news_name is not None and self._news.found_nothing:
            message = "no entry was published in the last two days; no news block is written"
            report(Issue(code=Code.NEWS_SKIPPED, message=message, path="news:news"))
        if ahead < _MIN_AHEAD or 2 * ahead <= dated:
            return
        message = (
            f"{ahead:,} of {dated:,} dates lie after {self._options.now:%Y-%m-%d},"
            " the time of this run; if SOURCE_DATE_EPOCH says so, it is too old for this input"
        )
        report(Issue(code=Code.CLOCK_OLD, message=message, path="lastmod"))

    @cached_property
    def _news(self) -> NewsRenderer:
        from converter.extensions.news import NewsRenderer  # hardly any sitemap holds news

        return NewsRenderer(self._options)

    # -- the url element ----------------------------------------------------------------------

    def _lastmod(self, entry: Entry, loc: str, report: Report) -> tuple[str | None, int]:
        """Return the date of the page, and how many of its dates lie ahead: 0 or 1."""
        options = self._options
        moment, notes = dates.choose_lastmod(
            entry.published, entry.updated, policy=options.lastmod, now=options.now
        )
        self._dated += 1
        if notes:
            self._ahead += 1  # all that lastmod notes of a date is that it has not come yet
        for code, message in notes:
            report(Issue(code=code, message=message, line=entry.line, path="lastmod", entry=loc))
        return None if moment is None else dates.to_w3c(moment), 1 if notes else 0

    def _with_extensions(self, core: str, page: PageContext) -> Rendered:
        options, entry = self._options, page.entry
        images, videos = _media(page)
        extensions = {}
        if images:
            extensions["image"] = "".join(images)
        if videos:
            extensions["video"] = "".join(videos)
        if (entry.news or options.news_name is not None) and (news := self._news.block(page)):
            extensions["news"] = news
        if entry.mobile or options.mobile:
            extensions["mobile"] = "<mobile:mobile/>"
        if entry.alternates:
            extensions["xhtml"] = _alternates(entry.alternates)
        if options.legacy_tags and (pagemap := _pagemap(entry.extra)):
            extensions["pagemap"] = pagemap
        core += self._changefreq(page) + self._priority(page)
        xml = core + "".join(extensions.values())
        return Rendered(
            encode_markup(f"<url>{xml}</url>", 1, pretty=options.pretty),
            frozenset(extensions),
            images=len(images),
            videos=len(videos),
            news=1 if "news" in extensions else 0,
        )

    def _changefreq(self, page: PageContext) -> str:
        """Write `changefreq`, the entry's own before that of the options."""
        value = page.entry.changefreq or self._options.changefreq
        if value is None or value in _CHANGEFREQS:
            return text_element("changefreq", value)
        message = f'"{value[:60]}" is not a changefreq; left out'
        page.warn(Code.CHANGEFREQ_UNKNOWN, message, "changefreq")
        return ""

    def _priority(self, page: PageContext) -> str:
        value = page.entry.priority
        if value is None:
            return text_element("priority", self._options.priority)
        if value.is_finite() and 0 <= value <= 1:
            return text_element(
                "priority", f"{value:f}" if value.as_tuple().exponent else f"{value}.0"
            )
        page.warn(
            Code.PRIORITY_UNKNOWN, f"{value} is not a priority (0.0 to 1.0); left out", "priority"
        )
        return ""


def index(sitemaps: list[tuple[str, Moment | None]]) -> Iterator[bytes]:
    """Render the index of several sitemaps, a line each, with a comment that marks it as ours.

    Raises:
        OptionError: there are more sitemaps than an index may list.
    """
    if len(sitemaps) > MAX_SITEMAPS:
        raise OptionError(
            f"the output takes {len(sitemaps):,} files, but an index lists {MAX_SITEMAPS:,}"
            " at most; raise --limit-urls or --limit-bytes"
        )
    yield f'{INDEX_START}<sitemapindex xmlns="{URI_OF["sitemap"]}">\n'.encode()
    for loc, written in sitemaps:
        lastmod = text_element("lastmod", dates.to_w3c(written)) if written else ""
        yield f"<sitemap>{text_element('loc', loc)}{lastmod}</sitemap>\n".encode()
    yield b"</sitemapindex>\n"


def _media(page: PageContext) -> tuple[list[str], list[str]]:
    """Write the images and the videos of a page; few sitemaps have any."""
    entry, options = page.entry, page.options
    images: list[str] = []
    videos: list[str] = []
    thumbnails: set[str] = set()
    if options.videos and entry.videos:
        from converter.extensions.video import write_videos

        videos, thumbnails = write_videos(page)
    if options.images and (entry.images or entry.podcast):
        from converter.extensions.image import write_images

        images = write_images(page, thumbnails)
    return images, videos


def _alternates(alternates: Iterable[Alternate]) -> str:
    """Write the language versions by hreflang, `x-default` last, each once."""
    pairs = {(a.hreflang.lower() == "x-default", a.hreflang, a.href) for a in alternates}
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{escape(hreflang)}" href="{escape(href)}"/>'
        for _, hreflang, href in sorted(pairs)
    )


def _without_loc(entry: Entry) -> Issue:
    name = entry.title or entry.id
    called = f'"{name[:60]}"' if name else "an entry without title and id"
    return Issue(
        code=Code.ENTRY_WITHOUT_LOC,
        message=f"{called} has no page URL; left out",
        line=entry.line,
        path="loc",
        entry=entry.id,
    )


# -- PageMap: https://developers.google.com/custom-search/docs/structured_data#pagemaps ---------


def _pagemap(words: Iterable[ExtraElement]) -> str:
    """Write the PageMaps of the source sitemap."""
    return "".join(_word(word) for word in words if word.name == "pagemap:PageMap")


def _word(word: ExtraElement) -> str:
    children = "".join(_word(child) for child in word.children if child.name in _PAGEMAP)
    if not children:
        return text_element(word.name, word.text or "", word.attributes)
    opening = text_element(word.name, "", word.attributes).removesuffix(f"</{word.name}>")
    return f"{opening}{children}</{word.name}>"
