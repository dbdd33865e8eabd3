"""The rules that fill an entry, or a header, from its elements.

A format has a table of rules for each: a function, and the elements that it reads in the order in
which they count. A rule runs only where one of its elements is present. Which rules those are, and
which elements no rule reads, is worked out once for each sequence of element names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from converter.extensions import mediarss, podcast
from converter.extensions.links import other_links
from converter.extensions.read_context import Note, ReadContext, label
from converter.extensions.text_and_people import plain
from converter.issues import Code, printable
from converter.model import Image, Text
from converter.values import text as texts
from converter.values import urls
from converter.values.media_types import is_media_file
from converter.xml import extract
from converter.xml.extract import Element
from converter.xml.parse_errors import line_of

#: Modules whose elements are kept for a feed again (mapping 3.3).
_EXTRA_PREFIXES: Final = ("slash:", "thr:", "wfw:")

#: A hostile document has as many sequences of names as it has entries.
_MOST_PLANS: Final = 1000
_MOST_NAMES: Final = 100

Apply: TypeAlias = Callable[[ReadContext, Sequence[str]], None]
"""Fills fields from the elements of these names; all of them are there."""


class Rule(NamedTuple):
    """A row of a format's table."""

    apply: Apply
    names: Collection[str]
    """Canonical names of elements, in the order in which they count."""
    always: bool = False
    """It runs for entries without any of them too."""


class Plan(NamedTuple):
    """What is done with entries that have one sequence of element names."""

    steps: tuple[tuple[Apply, tuple[str, ...]], ...]
    extra: tuple[str, ...]
    """Names of elements that are kept as they are."""
    unread: tuple[str, ...]
    """Names of elements that no rule reads."""


class RuleTable:
    """The rules of a format, in the order in which they run.

    What media objects have read of an entry, only they know: see `Media.names`.
    """

    def __init__(self, *rules: Rule, apart: Collection[str] = ()) -> None:
        """Take the rules, and the names of elements that are read apart from them."""
        self._rules = rules
        self.names = frozenset(apart).union(*(rule.names for rule in rules))
        self._read = self.names - (mediarss.NAMES - mediarss.OBJECTS)
        self._remembered = lru_cache(_MOST_PLANS)(self._plan)

    def fill(self, context: ReadContext) -> None:
        """Fill the entry, or the header, of a context."""
        found = context.found
        names = tuple(found)
        plan = self._remembered(names) if len(names) <= _MOST_NAMES else self._plan(names)
        for apply, present in plan.steps:
            apply(context, present)
        if plan.extra:
            kept = (element for name in plan.extra for element in found[name])
            context.entry.extra = tuple(
                extract.to_extra_element(element, context.names) for element in kept
            )
        for name in plan.unread:
            if name not in context.media.names:
                context.count_unread_element(found[name][0], name)
        if context.unread:
            context.entry.other = context.other

    def _plan(self, names: tuple[str, ...]) -> Plan:
        present = ((rule, tuple(n for n in rule.names if n in names)) for rule in self._rules)
        extra = tuple(name for name in names if name.startswith(_EXTRA_PREFIXES))
        return Plan(
            tuple((rule.apply, own) for rule, own in present if own or rule.always),
            extra,
            tuple(name for name in names if name not in self._read and name not in extra),
        )


# -- texts and dates ----------------------------------------------------------------------------


def text_field(field: str, read: Callable[[str], str | None] = str) -> Apply:
    """Make a rule that sets a field to the first text that says something."""

    def apply(context: ReadContext, names: Sequence[str]) -> None:
        for name in names:
            for element in context.found[name]:
                if (given := extract.text_of(element)) and (value := read(given)):
                    setattr(context.draft, field, value)
                    return

    return apply


def plain_field(field: str) -> Apply:
    """Make a rule that sets a field to the first text construct of Atom, as plain text."""

    def apply(context: ReadContext, names: Sequence[str]) -> None:
        setattr(context.draft, field, plain(context.found, context, names))

    return apply


def date_field(field: str) -> Apply:
    """Make a rule that sets a field to the first readable date (mapping 3.2)."""

    def apply(context: ReadContext, names: Sequence[str]) -> None:
        setattr(context.draft, field, context.moment(context.found, names))

    return apply


def html_field(field: str, read: Callable[[Element, ReadContext, str], Text | None]) -> Apply:
    """Make a rule that sets a field to the first text, plain or HTML."""

    def apply(context: ReadContext, names: Sequence[str]) -> None:
        for name in names:
            for element in context.found[name]:
                if (value := read(element, context, name)) is not None:
                    setattr(context.draft, field, value)
                    return

    return apply


# -- podcasts and media -------------------------------------------------------------------------


def podcast_words(context: ReadContext, _: Sequence[str]) -> None:
    """Read what `itunes:*`, `googleplay:*` and `podcast:*` say."""
    context.draft.podcast = podcast.read(context.found, context)


def media_objects(enclosures_of: Callable[[ReadContext], Sequence[mediarss.Enclosure]]) -> Apply:
    """Make a rule that reads the media of an entry."""

    def apply(context: ReadContext, _: Sequence[str]) -> None:
        enclosures = enclosures_of(context)
        if not enclosures and mediarss.TELLTALES.isdisjoint(context.found):
            return
        from converter.extensions.mediarss.build import build

        entry = context.entry
        found = context.media = build(context, enclosures)
        entry.videos, entry.images, entry.audios = found.videos, found.images, found.audios

    return apply


def title_of_media(context: ReadContext, _: Sequence[str]) -> None:
    """Take `media:title` for the title, where there is no other."""
    context.entry.title = context.entry.title or mediarss.entry_title(context.found)


def text_of_media(context: ReadContext, _: Sequence[str]) -> None:
    """Take `media:description` for the summary, where there is no other."""
    given = context.entry.summary or mediarss.entry_text(context.found, "media:description")
    context.entry.summary = given


def pictures_in_html(context: ReadContext) -> None:
    """Add the `<img>` of the entry's HTML."""
    entry = context.entry
    html = entry.content or entry.summary
    if html is None or not html.is_html:
        return
    for reference in texts.images(html.value):
        resolved = urls.resolve(reference, html.base)
        context.tell_all(resolved.notes, context.element, "content")
        if resolved.url is not None:
            entry.images += (Image(url=resolved.url, line=line_of(context.element)),)


# -- the header ---------------------------------------------------------------------------------


def links_of_header(context: ReadContext, _: Sequence[str]) -> None:
    """Read the header's links; one of them is to the feed itself."""
    links, feed = other_links(context), context.feed
    feed.self_url = next((link.href for link in links if link.rel == "self"), None)
    feed.links = tuple(link for link in links if link.rel != "self")


def ratings_of_header(context: ReadContext, names: Sequence[str]) -> None:
    """Read the header's `media:rating` and `media:adult`."""
    elements = [element for name in names for element in context.found[name]]
    context.feed.ratings = mediarss.ratings(elements, context.names)


def words_of_header(context: ReadContext, names: Sequence[str]) -> None:
    """Keep the header's `media:*`: what all its entries inherit."""
    kept = (element for name in sorted(names) for element in context.found[name])
    context.feed.words = tuple(extract.to_extra_element(element, context.names) for element in kept)


# -- the page (mapping 3.1) ---------------------------------------------------------------------

PageUrlCandidate: TypeAlias = tuple[str, Element, str]
"""A URL that may be the page, its element, and the name by which issues call that."""

Rank: TypeAlias = Callable[[ReadContext], Sequence[PageUrlCandidate]]

ATOM_ID: Final = "id"
"""The name of a candidate that is only an Atom `id`: a page for want of a better one."""

_OTHER_SCHEME: Final = (Code.URL_SCHEME_DROPPED, "{} is no page of the web; passed over")
_FILE: Final = (Code.LOC_PASSED_OVER, "{} is a media file, not a page; passed over")
_OFFERED: Final = (Code.LOC_PASSED_OVER, "{} is offered as a file, too; passed over")
_ONLY_ID: Final = (Code.LOC_FROM_ID, "no link; the id {} is taken for the page")
_ONLY_OFFERED: Final = (
    Code.LOC_FROM_MEDIA,
    "no other link; {} is taken for the page, although it is offered as a file, too",
)


def page_url(*ranks: Rank) -> Apply:
    """Make a rule that chooses the page, by which issues name the entry from then on.

    Args:
        ranks: they give candidates, the better ones first; a rank is asked if those before it
            have no usable candidate.
    """

    def apply(context: ReadContext, _: Sequence[str]) -> None:
        entry = context.entry
        entry.loc = _first_usable(ranks, context)
        context.label = label(entry.loc) or entry.id

    return apply


def _first_usable(ranks: Iterable[Rank], context: ReadContext) -> str | None:
    """Return the first usable candidate.

    Usable is what resolves to absolute http(s) and is not itself a media file: by its extension,
    or because the entry offers the same URL as an enclosure. The latter may be the enclosure's
    mistake as well as the link's: such a URL is the page where there is no other. A URL whose host
    or port is impossible is given only if there is no other at all; what cleans URLs reports it.
    """
    offered: list[PageUrlCandidate] = []
    impossible: list[PageUrlCandidate] = []
    for rank in ranks:
        for text, element, name in rank(context):
            url: str | None = text
            clean: str | None = text
            if not urls.is_canonical_page(text):
                url = _resolved(text, element, name, context)
                clean = urls.clean_media(url).url if url else None
            if url is None:
                continue
            candidate = (url, element, name)
            if is_media_file(url):
                _report(_FILE, candidate, context)
            elif clean is None:
                impossible.append(candidate)
            elif clean in context.media.urls:
                offered.append(candidate)
            else:
                _report_choice(candidate, offered, impossible, context)
                return url
    return _last_resort(offered, impossible, context)


def _last_resort(
    offered: Sequence[PageUrlCandidate],
    impossible: Sequence[PageUrlCandidate],
    context: ReadContext,
) -> str | None:
    """Return a page that is no good one, where there is no other."""
    if offered:
        _report(_ONLY_OFFERED, offered[0], context)
        _report_impossible(impossible, context)
    return next((url for url, _, _ in offered or impossible), None)


def _report_choice(
    page: PageUrlCandidate,
    offered: Sequence[PageUrlCandidate],
    impossible: Sequence[PageUrlCandidate],
    context: ReadContext,
) -> None:
    """Report what is odd about the page, and the candidates that were passed over for it."""
    if offered:
        _report(_OFFERED, offered[0], context)
    if page[2] == ATOM_ID:
        _report(_ONLY_ID, page, context)
    _report_impossible(impossible, context)


def _resolved(text: str, element: Element, name: str, context: ReadContext) -> str | None:
    """Return the absolute http(s) URL of a candidate; report it if it is of another scheme."""
    url = context.url(text, element, name)
    if url is None or urls.is_http(url):
        return url
    _report(_OTHER_SCHEME, (url, element, name), context)
    return None


def _report(note: Note, candidate: PageUrlCandidate, context: ReadContext) -> None:
    code, message = note
    url, element, name = candidate
    context.tell(code, message.format(f'"{printable(url, 60)}"'), element, name)


def _report_impossible(impossible: Iterable[PageUrlCandidate], context: ReadContext) -> None:
    for url, element, name in impossible:
        context.tell_all(urls.clean_media(url).notes, element, name)
