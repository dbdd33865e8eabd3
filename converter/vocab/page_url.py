"""Which of an entry's URLs is its page (mapping 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from converter.issues import Code, printable
from converter.values import mediatypes, urls
from converter.vocab.context import Context, Note
from converter.vocab.media import NO_MEDIA, Media
from converter.xml.take import Element

__all__ = ["ATOM_ID", "PageUrlCandidate", "choose"]

PageUrlCandidate: TypeAlias = tuple[str, Element, str]
"""A URL that may be the page, its element, and the name by which issues call that."""

ATOM_ID: Final = "id"
"""The name of a candidate that is only an Atom `id`: a page for want of a better one."""


def choose(
    ranks: Iterable[Callable[[], Sequence[PageUrlCandidate]]], context: Context, media: Media
) -> str | None:
    """Return the first usable candidate; those of a later rank are looked for if there is none.

    Usable is what resolves to absolute http(s) and is not itself a media file: by its extension,
    or because the entry offers the same URL as an enclosure. The latter may be the enclosure's
    mistake as well as the link's: such a URL is the page where there is no other. A URL whose host
    or port is impossible is given only if there is no other at all; what cleans URLs reports it.
    """
    XXX
_OTHER_SCHEME: Final = (Code.URL_SCHEME_DROPPED, "{} is no page of the web; passed over")
_FILE: Final = (Code.LOC_PASSED_OVER, "{} is a media file, not a page; passed over")
_OFFERED: Final = (Code.LOC_PASSED_OVER, "{} is offered as a file, too; passed over")
_ONLY_ID: Final = (Code.LOC_FROM_ID, "no link; the id {} is taken for the page")
_ONLY_OFFERED: Final = (
    Code.LOC_FROM_MEDIA,
    "no other link; {} is taken for the page, although it is offered as a file, too",
)


def _is_page(url: str, candidate: PageUrlCandidate, context: Context) -> bool:
    """Say whether a URL may be a page; report it if it is something else."""
    if not urls.is_http(url):
        _report(_OTHER_SCHEME, url, candidate, context)
        return False
    if mediatypes.is_media_file(url):
        _report(_FILE, url, candidate, context)
        return False
    return True


def _clean(url: str) -> str:
    """Return the URL of a file in its one spelling."""
    return url if urls.is_canonical_page(url) else urls.media(url, allow_ftp=True).url or url


def _report(note: Note, url: str, candidate: PageUrlCandidate, context: Context) -> None:
    code, message = note
    shown = f'"{printable(url, 60)}"'
    context.tell(code, message.format(shown), candidate.element, candidate.name)


def _report_impossible(
    impossible: Iterable[tuple[str, PageUrlCandidate]], context: Context
) -> None:
    for url, candidate in impossible:
        context.tell_all(urls.media(url).notes, candidate.element, candidate.name)
