"""Reads iTunes, Google Play and Podcasting 2.0 elements of an item or a channel.

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

#: A candidate of a srcset, and its width; a URL may contain commas, too.
_CANDIDATE = lazy_regex(r"([^\s,]\S*[^\s,])(?:\s+([0-9]{1,6})(?:\.[0-9]+)?[wx])?")

#: Purposes of `podcast:image`, the better first.
_PURPOSES = ("poster", "artwork")

_FIELDS: Final = """
itunes:author itunes:block itunes:duration itunes:episode itunes:episodeType itunes:explicit
itunes:image itunes:keywords itunes:season itunes:subtitle itunes:summary googleplay:author
googleplay:description googleplay:explicit googleplay:image podcast:alternateEnclosure
podcast:block podcast:episode podcast:image podcast:images podcast:medium podcast:season
"""
#: Elements that `read` and `alternate_renditions` read.
FIELD_NAMES: Final = tuple(_FIELDS.split())

_READ_BY_OTHERS: Final = """
itunes:title podcast:contentLink podcast:license podcast:liveItem podcast:source
"""
NAMES: Final = frozenset(FIELD_NAMES).union(_READ_BY_OTHERS.split())

_EMPTY: Final = Podcast()

T = TypeVar("T")


def read(children: Children, context: ReadContext) -> Podcast | None:
    """Read the podcast elements among these children; None if no field has a value."""
    if not any(name.startswith(("itunes:", "googleplay:", "podcast:")) for name in children):
        return None
    podcast = Podcast(
        author=first_text(children, "itunes:author", "googleplay:author"),
        summary=first_text(children, "itunes:summary", "googleplay:description"),
        subtitle=first_text(children, "itunes:subtitle"),
        keywords=tags.split_keywords(first_text(children, "itunes:keywords") or ""),
        explicit=_first(children, context, _explicit, "itunes:explicit", "googleplay:explicit"),
        duration_s=_first(children, context, ReadContext.duration, "itunes:duration"),
        season=_first(children, context, _ordinal, "itunes:season", "podcast:season"),
        episode=_first(children, context, _ordinal, "itunes:episode", "podcast:episode"),
        episode_type=(first_text(children, "itunes:episodeType") or "").lower() or None,
        images=tuple(Thumbnail(url=url) for url in _images(children, context)),
        blocked=first_text(children, "itunes:block", "podcast:block") in {"Yes", "yes", "true"}
        or None,
        medium=(first_text(children, "podcast:medium") or "").lower() or None,
    )
    return None if podcast == _EMPTY else podcast


def _first(
    children: Children,
    context: ReadContext,
    read: Callable[[ReadContext, str, Element, str], T],
    *names: str,
) -> T | None:
    """Return the first readable value; issues name the first of the names."""
    for element, text in extract.texts_of(children, *names):
        if (value := read(context, text, element, names[0])) is not None:
            return value
    return None


def _explicit(context: ReadContext, text: str, element: Element, name: str) -> bool | None:
    from converter.values import ratings  # brings decimals

    if (explicit := ratings.explicit(text)) is None:
        message = (
            f'"{printable(text, 60)}" is not yes, no, true, false, explicit or clean; left out'
        )
        context.warn(Code.FLAG_UNUSUAL, message, element, name)
    return explicit


def _ordinal(context: ReadContext, text: str, element: Element, name: str) -> int | None:
    """Read a season or an episode: a whole number from 1."""
    number = context.decimal(text, element, name)
    if number is None or (number == int(number) and number >= 1):
        return None if number is None else int(number)
    message = f'"{printable(text, 60)}" is not a whole number from 1; left out'
    context.warn(Code.NUMBER_UNREADABLE, message, element, name)
    return None


def _images(children: Children, context: ReadContext) -> Iterator[str]:
    """Yield the artwork: `itunes:image`, then `podcast:image` by purpose, then `podcast:images`."""
    for name in ("itunes:image", "googleplay:image"):
        for element in children.get(name, ()):
            text = element.get("href") or element.get("url") or extract.text_of(element)
            if text and (url := context.url(text, element, name)):
                yield url
    for element in sorted(children.get("podcast:image", ()), key=_purpose_rank):
        if url := context.attribute_url(element, "href", "podcast:image"):
            yield url
    for element in children.get("podcast:images", ()):
        candidate = _largest_candidate(extract.attributes(element).get("srcset", ""))
        if candidate and (url := context.url(candidate, element, "podcast:images")):
            yield url


def _purpose_rank(element: Element) -> int:
    purposes = set(re.split(r"[ ,]+", extract.attributes(element).get("purpose", "").lower()))
    ranks = [rank for rank, purpose in enumerate(_PURPOSES) if purpose in purposes]
    return ranks[0] if ranks else len(_PURPOSES)


def _largest_candidate(srcset: str) -> str | None:
    """Return the URL with the largest `w` of a srcset, else the last one."""
    candidates = sorted(_CANDIDATE.findall(srcset), key=lambda found: int(found[1] or 0))
    return candidates[-1][0] if candidates else None


def alternate_renditions(
    children: Children, context: ReadContext, names: CanonicalNames
) -> Iterator[Rendition]:
    """Yield the renditions of `podcast:alternateEnclosure` with http(s) sources (mapping 3.3).

    Its bitrate is in bits per second, that of a `Rendition` in kilobits.
    """
    name = "podcast:alternateEnclosure"
    for element in children.get("podcast:alternateEnclosure", ()):
        attributes = extract.attributes(element)
        bitrate = context.decimal(attributes.get("bitrate"), element, name)
        for source in extract.children_by_name(element, names).get("podcast:source", ()):
            url = context.attribute_url(source, "uri", "podcast:source")
            if url is None:
                continue
            if not urls.is_http(url):
                message = f'"{printable(url, 60)}" is not an http(s) URL; ignored'
                context.warn(Code.MEDIA_PASSED_OVER, message, source, "podcast:source")
                continue
            mime = attributes.get("type")
            is_video = "height" in attributes
            yield Rendition(
                url=url,
                kind=media_types.kind_of(url, mime=mime) or (Kind.VIDEO if is_video else None),
                mime=mime,
                is_default=attributes.get("default", "").lower() == "true",
                height=context.whole_number(attributes.get("height"), element, name),
                bitrate_kbps=float(bitrate) / 1000 if bitrate else None,
                size_bytes=context.whole_number(attributes.get("length"), element, name) or None,
                lang=attributes.get("lang"),
                title=attributes.get("title"),
            )
