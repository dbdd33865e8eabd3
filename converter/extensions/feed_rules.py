"""The rules that fill an entry, or a header, from its elements.

A format has a table of rules for each: a function, and the elements that it reads in the order of
their precedence. A rule runs only if one of its elements is present. Which rules run, and which
elements no rule reads, is determined once for each sequence of element names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from converter.extensions import mediarss, podcast
from converter.extensions.links import other_links
from converter.extensions.read_context import ReadContext, url_label
from converter.issues import Code, Note, printable
from converter.model import FEED_MODULES, Category, Image, Text
from converter.values import text as texts
from converter.values import urls
from converter.values.media_types import is_media_file
from converter.xml import extract
from converter.xml.extract import Element, line_of

#: A hostile document has as many sequences of names as it has entries.
_MOST_PLANS: Final = 1000
_MOST_NAMES: Final = 100

Apply: TypeAlias = Callable[[ReadContext, Sequence[str]], None]
"""Fills fields from the elements of these names, all of which are present."""


class Rule(NamedTuple):
    """A function that fills fields, and the elements that it reads."""

    apply: Apply
    names: Collection[str]
    """Canonical names of elements, in the order of their precedence."""
    always: bool = False
    """The rule also runs for entries without these elements."""


class _RulePlan(NamedTuple):
    """The rules to run for entries with one sequence of element names."""

    steps: tuple[tuple[Apply, tuple[str, ...]], ...]
    extra: tuple[str, ...]
    """Names of elements that are kept unchanged."""
    unread: tuple[str, ...]
    """Names of elements that no rule reads."""


class RuleTable:
    """The rules of a format, in the order in which they run.

    Which elements were read for media objects depends on the entry: see `EntryMedia.names_read`.
    """

    def __init__(self, *rules: Rule, apart: Collection[str] = ()) -> None:
        """Make a table of rules; `apart` names elements that are read without a rule."""
        self._rules = rules
        self.names = frozenset(apart).union(*(rule.names for rule in rules))
        self._read = self.names - (mediarss.NAMES - mediarss.OBJECT_NAMES)
        self._cached_plan = lru_cache(_MOST_PLANS)(self._plan)

    def fill(self, context: ReadContext) -> None:
        """Fill the entry, or the header, of a context."""
        found = context.children
        names = tuple(found)
        plan = self._cached_plan(names) if len(names) <= _MOST_NAMES else self._plan(names)
        for apply, present in plan.steps:
            apply(context, present)
        if plan.extra:
            kept = (element for name in plan.extra for element in found[name])
            context.entry.extra = tuple(
                extract.to_extra_element(element, context.names) for element in kept
            )
        for name in plan.unread:
            if name not in context.media.names_read:
                context.count_unread_element(found[name][0], name)
        if context.unread:
            context.entry.other = context.unread_names

    def _plan(self, names: tuple[str, ...]) -> _RulePlan:
        present = ((rule, tuple(n for n in rule.names if n in names)) for rule in self._rules)
        extra = tuple(name for name in names if name.startswith(FEED_MODULES))
        return _RulePlan(
            tuple((rule.apply, read) for rule, read in present if read or rule.always),
            extra,
            tuple(name for name in names if name not in self._read and name not in extra),
        )


# -- texts and dates ----------------------------------------------------------------------------


def first_value(field: str, read: Callable[[Element, ReadContext, str], object]) -> Apply:
    """Make a rule that sets a field to the first value other than None."""

    def apply(context: ReadContext, names: Sequence[str]) -> None:
        for name in names:
            for element in context.children[name]:
                if (value := read(element, context, name)) is not None:
                    setattr(context.draft, field, value)
                    return

    return apply


def text_field(field: str, read: Callable[[str], str | None] = str) -> Apply:
    """Make a rule that sets a field to the first text with a value."""
    return first_value(field, lambda element, *_: read(extract.text_of(element)) or None)


def date_field(field: str) -> Apply:
    """Make a rule that sets a field to the first readable date (mapping 3.2)."""

    def apply(context: ReadContext, names: Sequence[str]) -> None:
        setattr(context.draft, field, context.first_date(context.children, names))

    return apply


def categories(context: ReadContext, names: Sequence[str]) -> None:
    """Read the categories of RSS, Atom and Dublin Core."""
    found = []
    for name in names:
        for element in context.children[name]:
            given, text = extract.attributes(element), " ".join(extract.text_of(element).split())
            if term := given.get("term") or text or given.get("label"):
                scheme = given.get("domain") or given.get("scheme")
                found.append(Category(term, given.get("label"), scheme))
    context.draft.categories = tuple(found)


# -- podcasts and media -------------------------------------------------------------------------


def podcast_fields(context: ReadContext, _: Sequence[str]) -> None:
    """Read `itunes:*`, `googleplay:*` and `podcast:*`."""
    context.draft.podcast = podcast.read(context.children, context)


def media_objects(enclosures_of: Callable[[ReadContext], Sequence[mediarss.Enclosure]]) -> Apply:
    """Make a rule that reads the media of an entry."""

    def apply(context: ReadContext, _: Sequence[str]) -> None:
        enclosures = enclosures_of(context)
        if not enclosures and mediarss.MEDIA_MARKERS.isdisjoint(context.children):
            return
        from converter.extensions.mediarss.build_media import build

        entry = context.entry
        media = context.media = build(context, enclosures)
        entry.videos, entry.images, entry.audios = media.videos, media.images, media.audios

    return apply


def title_from_media(context: ReadContext, names: Sequence[str]) -> None:
    """Set the title to `media:title` if the entry has no other."""
    entry = context.entry
    if not entry.title and (title := _media_text(context, names)):
        entry.title = texts.plain(title.value, is_html=title.is_html) or None


def summary_from_media(context: ReadContext, names: Sequence[str]) -> None:
    """Set the summary to `media:description` if the entry has no other."""
    if context.entry.summary is None:
        context.entry.summary = _media_text(context, names)


def _media_text(context: ReadContext, names: Sequence[str]) -> Text | None:
    """Read `media:title` or `media:description` unless it describes a media object."""
    if "media:content" in context.children or "media:group" in context.children:
        return None
    from converter.extensions.mediarss.read_metadata import text

    return text(context.children[names[0]], context)


def add_html_images(context: ReadContext) -> None:
    """Add the `<img>` of the entry's HTML."""
    entry = context.entry
    html = entry.content or entry.summary
    if html is None or not html.is_html:
        return
    for reference in texts.images(html.value):
        resolved = urls.resolve(reference, html.base)
        context.warn_all(resolved.notes, context.element, "content")
        if resolved.url is not None:
            entry.images += (Image(url=resolved.url, line=line_of(context.element)),)


# -- the header ---------------------------------------------------------------------------------


def feed_links(context: ReadContext, _: Sequence[str]) -> None:
    """Read the header's links, the one to the feed itself among them."""
    links, feed = other_links(context), context.feed
    feed.self_url = next((link.href for link in links if link.rel == "self"), None)
    feed.links = tuple(link for link in links if link.rel != "self")


def feed_ratings(context: ReadContext, names: Sequence[str]) -> None:
    """Read the header's `media:rating` and `media:adult`."""
    from converter.extensions.mediarss.read_metadata import ratings

    elements = [element for name in names for element in context.children[name]]
    context.feed.ratings = ratings(elements, context)


def feed_extra_elements(context: ReadContext, names: Sequence[str]) -> None:
    """Keep the header's `media:*`, which all its entries inherit."""
    kept = (element for name in sorted(names) for element in context.children[name])
    context.feed.words = tuple(extract.to_extra_element(element, context.names) for element in kept)


# -- the page (mapping 3.1) ---------------------------------------------------------------------

PageUrlCandidate: TypeAlias = tuple[str, Element, str]
"""A URL that may be the page, its element, and the name of that in issues."""

Rank: TypeAlias = Callable[[ReadContext], Sequence[PageUrlCandidate]]

ATOM_ID: Final = "id"
"""The name of a candidate that is only an Atom `id`: the page if there is no better one."""

_OTHER_SCHEME: Final = (Code.URL_SCHEME_DROPPED, "{} is not an http(s) URL; ignored")
_FILE: Final = (Code.LOC_PASSED_OVER, "{} is a media file, not a page; ignored")
_ALSO_FILE: Final = (Code.LOC_PASSED_OVER, "{} is also the URL of a media file; ignored")
_ONLY_ID: Final = (Code.LOC_FROM_ID, "no link; the id {} is used as the page")
_ONLY_ALSO_FILE: Final = (
    Code.LOC_FROM_MEDIA,
    "no other link; {} is used as the page, although it is also the URL of a media file",
)


def page_url(*ranks: Rank) -> Apply:
    """Make a rule that chooses the page, by which issues name the entry from then on.

    Args:
        ranks: functions that return candidates, the better ones first; each is called only if
            those before it have no usable candidate.
    """

    def apply(context: ReadContext, _: Sequence[str]) -> None:
        entry = context.entry
        entry.loc = _first_usable(ranks, context)
        context.label = url_label(entry.loc) or entry.id

    return apply


def _first_usable(ranks: Iterable[Rank], context: ReadContext) -> str | None:
    """Return the first usable candidate.

    A candidate is usable if it resolves to absolute http(s) and is not a media file, by its
    extension or because the entry has an enclosure of the same URL. In that case the enclosure may
    be wrong instead of the link: the URL is the page if there is no other. A URL with an impossible
    host or port is the last choice; the cleaning of URLs reports it.
    """
    also_file: PageUrlCandidate | None = None
    impossible: list[PageUrlCandidate] = []
    for page, clean in _pages(ranks, context):
        if clean is None:
            impossible.append(page)
        elif clean in context.media.file_urls:
            also_file = also_file or page
        else:
            if also_file:
                _report(_ALSO_FILE, also_file, context)
            if page[2] == ATOM_ID:
                _report(_ONLY_ID, page, context)
            _report_impossible(impossible, context)
            return page[0]
    if also_file:
        _report(_ONLY_ALSO_FILE, also_file, context)
        _report_impossible(impossible, context)
        return also_file[0]
    return impossible[0][0] if impossible else None


def _pages(
    ranks: Iterable[Rank], context: ReadContext
) -> Iterator[tuple[PageUrlCandidate, str | None]]:
    """Yield the candidates that can be pages, resolved, and their URLs cleaned.

    The second is None for an impossible host or port.
    """
    for rank in ranks:
        for text, element, name in rank(context):
            if urls.is_canonical_page(text) and not is_media_file(text):  # most candidates
                yield (text, element, name), text
                continue
            if (url := context.url(text, element, name)) is None:
                continue
            if not urls.is_http(url):
                _report(_OTHER_SCHEME, (url, element, name), context)
                continue
            if is_media_file(url):
                _report(_FILE, (url, element, name), context)
            else:
                yield (url, element, name), urls.clean_media(url).url


def _report(note: Note, candidate: PageUrlCandidate, context: ReadContext) -> None:
    code, message = note
    url, element, name = candidate
    context.warn(code, message.format(f'"{printable(url, 60)}"'), element, name)


def _report_impossible(impossible: Iterable[PageUrlCandidate], context: ReadContext) -> None:
    for url, element, name in impossible:
        context.warn_all(urls.clean_media(url).notes, element, name)
