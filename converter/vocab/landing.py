"""Which of an entry's URLs is its page (mapping 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from converter.issues import Code, printable
from converter.values import mediatypes, urls
from converter.vocab.context import Context, Note
from converter.xml.take import Element

__all__ = ["Candidate", "choose"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that may be the page."""

    text: str
    element: Element
    name: str
    is_id: bool = False
    """Only an Atom `id`: a page for want of a better one."""


def choose(
    candidates: Iterable[Candidate], context: Context, media_urls: Callable[[], Iterable[str]]
) -> str | None:
    """Give the first usable candidate.

    Usable is what resolves to absolute http(s) and is not itself a media file: by its extension,
    or because the entry offers the same URL as an enclosure. The latter may be the enclosure's
    mistake as well as the link's: such a URL is the page where there is no other. A URL whose host
    or port is impossible is given only if there is no other at all; what cleans URLs reports it.
    """
    offered: tuple[str, Candidate] | None = None
    impossible: list[tuple[str, Candidate]] = []
    for url, candidate in _pages(candidates, context, impossible):
        if _is_offered(url, media_urls()):
            offered = offered or (url, candidate)
            continue
        if offered is not None:
            _tell(_OFFERED, *offered, context)
        if candidate.is_id:
            _tell(_ONLY_ID, url, candidate, context)
        _tell_impossible(impossible, context)
        return url
    if offered is not None:
        _tell(_ONLY_OFFERED, *offered, context)
        _tell_impossible(impossible, context)
        return offered[0]
    return impossible[0][0] if impossible else None


def _pages(
    candidates: Iterable[Candidate], context: Context, impossible: list[tuple[str, Candidate]]
) -> Iterator[tuple[str, Candidate]]:
    """Give the candidates that may be pages, resolved; add those of impossible hosts to a list."""
    for candidate in candidates:
        url = context.url(candidate.text, candidate.element, candidate.name)
        if url is None:
            continue
        if (fault := _fault(url)) is not None:
            _tell(fault, url, candidate, context)
        elif not urls.is_canonical_page(url) and urls.media(url).url is None:
            impossible.append((url, candidate))
        else:
            yield url, candidate


def _tell_impossible(impossible: Iterable[tuple[str, Candidate]], context: Context) -> None:
    for url, candidate in impossible:
        context.tell_all(urls.media(url).notes, candidate.element, candidate.name)


_OTHER_SCHEME: Final = (Code.URL_SCHEME_DROPPED, "{} is no page of the web; passed over")
_FILE: Final = (Code.LOC_PASSED_OVER, "{} is a media file, not a page; passed over")
_OFFERED: Final = (Code.LOC_PASSED_OVER, "{} is offered as a file, too; passed over")
_ONLY_ID: Final = (Code.LOC_FROM_ID, "no link; the id {} is taken for the page")
_ONLY_OFFERED: Final = (
    Code.LOC_FROM_MEDIA,
    "no other link; {} is taken for the page, although it is offered as a file, too",
)


def _tell(note: Note, url: str, candidate: Candidate, context: Context) -> None:
    code, message = note
    shown = f'"{printable(url, 60)}"'
    context.tell(code, message.format(shown), candidate.element, candidate.name)


def _fault(url: str) -> Note | None:
    if not urls.is_http(url):
        return _OTHER_SCHEME
    return _FILE if mediatypes.is_media_file(url) else None


def _is_offered(url: str, media_urls: Iterable[str]) -> bool:
    others = list(media_urls)
    return bool(others) and _plain(url) in {_plain(other) for other in others}


def _plain(url: str) -> str:
    return urls.media(url, allow_ftp=True).url or url
