"""Which of an entry's URLs is its page (mapping 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from converter.issues import Code
from converter.values import mediatypes, urls
from converter.vocab.context import Context
from converter.xml.take import Element

__all__ = ["Candidate", "choose"]


class Candidate(NamedTuple):
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

    Usable is what resolves to absolute http(s) and is not itself a media file, by its extension
    or because the entry offers the same URL as an enclosure.
    """
    for candidate in candidates:
        url = context.url(candidate.text, candidate.element, candidate.name)
        if url is None or not urls.is_http(url):
            if url is not None:
                message = f'"{url[:60]}" is no page of the web; passed over'
                context.tell(Code.URL_SCHEME_DROPPED, message, candidate.element, candidate.name)
            continue
        if _is_media(url, media_urls()):
            continue
        if candidate.is_id:
            message = f'no link; the id "{url[:60]}" is taken for the page'
            context.tell(Code.LOC_FROM_ID, message, candidate.element, candidate.name)
        return url
    return None


def _is_media(url: str, media_urls: Iterable[str]) -> bool:
    if mediatypes.is_media_file(url):
        return True
    others = list(media_urls)
    return bool(others) and _plain(url) in {_plain(other) for other in others}


def _plain(url: str) -> str:
    return urls.media(url, allow_ftp=True).url or url
