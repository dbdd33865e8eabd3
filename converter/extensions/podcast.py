"""iTunes, Google Play and Podcasting 2.0: what they say of an item, or of a channel.

Apple: https://help.apple.com/itc/podcasts_connect/#/itcb54353390
Podcasting 2.0: https://podcasting2.org/docs/podcast-namespace/1.0
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from converter.extensions.read_context import ReadContext
from converter.issues import Code, printable
from converter.model import Kind, Podcast, Rendition, Thumbnail
from converter.values import media_types, tags, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml import extract
from converter.xml.extract import Children, Element, first_text
from converter.xml.namespaces import CanonicalNames

#: Between the candidates of a srcset; a comma inside of a URL is none.
_CANDIDATE_END = lazy_regex(r"(?<=[0-9][wx]),|,(?=\s)")

#: Purposes of `podcast:image`, the better first.
_PURPOSES = ("poster", "artwork")

_OF_ITEM: Final = """
itunes:author itunes:block itunes:duration itunes:episode itunes:episodeType itunes:explicit
itunes:image itunes:keywords itunes:season itunes:subtitle itunes:summary googleplay:author
googleplay:description googleplay:explicit googleplay:image podcast:alternateEnclosure
podcast:block podcast:episode podcast:image podcast:images podcast:medium podcast:season
"""
#: What `read` and `alternate_renditions` read of an item.
OF_ITEM: Final = tuple(_OF_ITEM.split())

_ELSEWHERE: Final = """
itunes:title podcast:contentLink podcast:license podcast:liveItem podcast:source
"""
NAMES: Final = frozenset(OF_ITEM).union(_ELSEWHERE.split())

_NOTHING: Final = Podcast()

T = TypeVar("T")


def read(found: Children, context: ReadContext) -> Podcast | None:
    """Read the podcast words among these children; None where there are none."""
    if not any(name.startswith(("itunes:", "googleplay:", "podcast:")) for name in found):
        return None
    podcast = Podcast(
        author=first_text(found, "itunes:author", "googleplay:author"),
        summary=first_text(found, "itunes:summary", "googleplay:description"),
        subtitle=first_text(found, "itunes:subtitle"),
        keywords=tags.split_keywords(first_text(found, "itunes:keywords") or ""),
        explicit=_first(found, context, _explicit, "itunes:explicit", "googleplay:explicit"),
        duration_s=_first(found, context, ReadContext.clock, "itunes:duration"),
        season=_first(found, context, _ordinal, "itunes:season", "podcast:season"),
        episode=_first(found, context, _ordinal, "itunes:episode", "podcast:episode"),
        episode_type=(first_text(found, "itunes:episodeType") or "").lower() or None,
        images=tuple(Thumbnail(url=url) for url in _images(found, context)),
        blocked=first_text(found, "itunes:block", "podcast:block") in {"Yes", "yes", "true"}
        or None,
        medium=(first_text(found, "podcast:medium") or "").lower() or None,
    )
    return None if podcast == _NOTHING else podcast


def _first(
    found: Children,
    context: ReadContext,
    read: Callable[[ReadContext, str, Element, str], T],
    *names: str,
) -> T | None:
    """Return the first value that can be read; issues name the first of the names."""
    for element, text in extract.texts_of(found, *names):
        if (value := read(context, text, element, names[0])) is not None:
            return value
    return None


def _explicit(context: ReadContext, text: str, element: Element, name: str) -> bool | None:
    from converter.values import ratings  # brings decimals

    if (explicit := ratings.explicit(text)) is None:
        message = f'"{printable(text, 60)}" is neither yes nor no; left out'
        context.tell(Code.FLAG_UNUSUAL, message, element, name)
    return explicit


def _ordinal(context: ReadContext, text: str, element: Element, name: str) -> int | None:
    """Read a season or an episode: whole numbers from 1."""
    number = context.decimal(text, element, name)
    if number is None or (number == int(number) and number >= 1):
        return None if number is None else int(number)
    message = f'"{printable(text, 60)}" is not a whole number from 1; left out'
    context.tell(Code.NUMBER_UNREADABLE, message, element, name)
    return None


def _images(found: Children, context: ReadContext) -> Iterator[str]:
    """Give the artwork: `itunes:image`, then `podcast:image` by purpose, then `podcast:images`."""
    for name in ("itunes:image", "googleplay:image"):
        for element in found.get(name, ()):
            text = element.get("href") or element.get("url") or extract.text_of(element)
            if text and (url := context.url(text, element, name)):
                yield url
    for element in sorted(found.get("podcast:image", ()), key=_purpose_rank):
        if url := context.attribute_url(element, "href", "podcast:image"):
            yield url
    for element in found.get("podcast:images", ()):
        candidate = _largest_candidate(extract.attributes(element).get("srcset", ""))
        if candidate and (url := context.url(candidate, element, "podcast:images")):
            yield url


def _purpose_rank(element: Element) -> int:
    purposes = set(re.split(r"[ ,]+", extract.attributes(element).get("purpose", "").lower()))
    ranks = [rank for rank, purpose in enumerate(_PURPOSES) if purpose in purposes]
    return ranks[0] if ranks else len(_PURPOSES)


def _largest_candidate(srcset: str) -> str | None:
    """Give the URL with the largest `w` of a srcset, else the last one."""
    best, best_width = None, -1
    for candidate in _CANDIDATE_END.split(srcset):
        url, _, descriptor = candidate.strip().partition(" ")
        width = descriptor.strip().removesuffix("w")
        number = int(width) if width.isascii() and width.isdigit() and len(width) < 7 else -1
        if url and (number >= best_width):
            best, best_width = url, number
    return best


def alternate_renditions(
    found: Children, context: ReadContext, names: CanonicalNames
) -> Iterator[Rendition]:
    """Read `podcast:alternateEnclosure`: further renditions of the enclosure.

    Its bitrate is in bits a second; ours, as in Media RSS, in kilobits. Only http(s) sources
    are taken (mapping 3.3).
    """
    for element in found.get("podcast:alternateEnclosure", ()):
        given = extract.attributes(element)
        bitrate = context.decimal(given.get("bitrate"), element, "podcast:alternateEnclosure")
        for source in extract.children_by_name(element, names).get("podcast:source", ()):
            url = context.attribute_url(source, "uri", "podcast:source")
            if url is None:
                continue
            if not urls.is_http(url):
                message = f'"{printable(url, 60)}" is not http(s); passed over'
                context.tell(Code.MEDIA_PASSED_OVER, message, source, "podcast:source")
                continue
            mime = given.get("type")
            yield Rendition(
                url=url,
                kind=_kind(url, mime, given),
                mime=mime,
                is_default=given.get("default", "").lower() == "true",
                height=context.whole(given.get("height"), element, "podcast:alternateEnclosure"),
                bitrate_kbps=float(bitrate) / 1000 if bitrate else None,
                size_bytes=context.whole(given.get("length"), element, "podcast:alternateEnclosure")
                or None,
                lang=given.get("lang"),
                title=given.get("title"),
            )


def _kind(url: str, mime: str | None, given: dict[str, str]) -> Kind | None:
    return media_types.kind_of(url, mime=mime) or (Kind.VIDEO if "height" in given else None)
