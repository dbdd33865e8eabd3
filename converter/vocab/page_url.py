"""Which of an entry's URLs is its page (mapping 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from converter.issues import Code, printable
from converter.values import urls
from converter.values.mediatypes import is_media_file
from converter.vocab.context import Context, Note, label
from converter.vocab.item import Apply, Item
from converter.xml.take import Element

__all__ = ["ATOM_ID", "PageUrlCandidate", "page_url"]

PageUrlCandidate: TypeAlias = tuple[str, Element, str]
"""A URL that may be the page, its element, and the name by which issues call that."""

Rank: TypeAlias = Callable[[Item], Sequence[PageUrlCandidate]]

ATOM_ID: Final = "id"
"""The name of a candidate that is only an Atom `id`: a page for want of a better one."""


def page_url(*ranks: Rank) -> Apply:
    """Make a rule that chooses the page, by which issues name the entry from then on.

    Args:
        ranks: they give candidates, the better ones first; a rank is asked if those before it
            have no usable candidate.
    """

    def apply(item: Item, _: Sequence[str]) -> None:
        entry = item.entry
        entry.loc = _first_usable(ranks, item)
        item.context.entry = label(entry.loc) or entry.id

    return apply


def _first_usable(ranks: Iterable[Rank], item: Item) -> str | None:
    """Return the first usable candidate.

    Usable is what resolves to absolute http(s) and is not itself a media file: by its extension,
    or because the entry offers the same URL as an enclosure. The latter may be the enclosure's
    mistake as well as the link's: such a URL is the page where there is no other. A URL whose host
    or port is impossible is given only if there is no other at all; what cleans URLs reports it.
    """
    context, media = item.context, item.media
    offered: list[PageUrlCandidate] = []
    impossible: list[PageUrlCandidate] = []
    for rank in ranks:
        for text, element, name in rank(item):
            url: str | None = text
            clean: str | None = text
            if not urls.is_canonical_page(text):
                url = _resolved(text, element, name, context)
                clean = urls.media(url).url if url else None
            if url is None:
                continue
            candidate = (url, element, name)
            if is_media_file(url):
                _report(_FILE, candidate, context)
            elif clean is None:
                impossible.append(candidate)
            elif clean in media.urls:
                offered.append(candidate)
            else:
                _report_choice(candidate, offered, impossible, context)
                return url
    return _last_resort(offered, impossible, context)


_OTHER_SCHEME: Final = (Code.URL_SCHEME_DROPPED, "{} is no page of the web; passed over")
_FILE: Final = (Code.LOC_PASSED_OVER, "{} is a media file, not a page; passed over")
_OFFERED: Final = (Code.LOC_PASSED_OVER, "{} is offered as a file, too; passed over")
_ONLY_ID: Final = (Code.LOC_FROM_ID, "no link; the id {} is taken for the page")
_ONLY_OFFERED: Final = (
    Code.LOC_FROM_MEDIA,
    "no other link; {} is taken for the page, although it is offered as a file, too",
)


def _resolved(text: str, element: Element, name: str, context: Context) -> str | None:
    """Return the absolute http(s) URL of a candidate; report it if it is of another scheme."""
    url = context.url(text, element, name)
    if url is None or urls.is_http(url):
        return url
    _report(_OTHER_SCHEME, (url, element, name), context)
    return None


def _last_resort(
    offered: Sequence[PageUrlCandidate], impossible: Sequence[PageUrlCandidate], context: Context
) -> str | None:
    """Return a page that is no good one, where there is no other."""
    if not offered:
        return impossible[0][0] if impossible else None
    _report(_ONLY_OFFERED, offered[0], context)
    _report_impossible(impossible, context)
    return offered[0][0]


def _report_choice(
    page: PageUrlCandidate,
    offered: Sequence[PageUrlCandidate],
    impossible: Sequence[PageUrlCandidate],
    context: Context,
) -> None:
    """Report what is odd about the page, and the candidates that were passed over for it."""
    if offered:
        _report(_OFFERED, offered[0], context)
    if page[2] == ATOM_ID:
        _report(_ONLY_ID, page, context)
    if impossible:
        _report_impossible(impossible, context)


def _report(note: Note, candidate: PageUrlCandidate, context: Context) -> None:
    code, message = note
    url, element, name = candidate
    context.tell(code, message.format(f'"{printable(url, 60)}"'), element, name)


def _report_impossible(impossible: Iterable[PageUrlCandidate], context: Context) -> None:
    for url, element, name in impossible:
        context.tell_all(urls.media(url).notes, element, name)
