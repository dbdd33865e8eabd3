"""The `image:image` elements of a page, written and read: sitemap-image 1.1.

https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Final

from converter.issues import Code
from converter.model import Image
from converter.values import urls
from converter.vocab.block_reader import BlockSchema, FieldRule, first, plain_text, string
from converter.vocab.context import Context
from converter.vocab.page import Page, readable
from converter.xml.emit import escape, leaf
from converter.xml.names import Names
from converter.xml.stream import line_of
from converter.xml.take import Element

__all__ = ["blocks", "read"]

#: Of one page; from the page above.
_MOST_IMAGES: Final = 1_000


def _license(image: Image, page: Page) -> str | None:
    """Give the nearest license that is a link, the picture's before the page's."""
    for url in (image.license, page.entry.license, page.feed.license):
        if url is not None and (usable := urls.media(url).url) is not None:
            return usable
    return None


#: Without effect since 2022-08-06, in the order of the schema's xsd:sequence:
#: https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
_LEGACY: Final[tuple[tuple[str, Callable[[Image, Page], str | None]], ...]] = (
    ("image:caption", lambda image, _: readable(image.caption)),
    ("image:geo_location", lambda image, _: readable(image.geo)),
    ("image:title", lambda image, _: readable(image.title)),
    ("image:license", _license),
)


def blocks(page: Page, shown: Collection[str]) -> Iterator[str]:
    """Write the pictures of a page that its videos do not show already, each URL once.

    Args:
        page: whose pictures; a podcast's artwork counts where there is no video to have it.
        shown: the URLs that are the thumbnail of a video here.
    """
    entry = page.entry
    images: dict[str, Image] = {}
    for image in entry.images:
        images.setdefault(image.url, image)
    if entry.podcast is not None and not entry.videos:
        for artwork in entry.podcast.images:
            images.setdefault(artwork.url, Image(url=artwork.url))
    for url in shown:
        images.pop(url, None)
    if len(images) > _MOST_IMAGES:
        message = f"{len(images):,} images; the first {_MOST_IMAGES:,} are written"
        page.tell(Code.IMAGES_CUT, message, "image:image")
        for _ in range(len(images) - _MOST_IMAGES):
            page.leave_out("image", f"more than {_MOST_IMAGES:,} images on a page")
    for image in islice(images.values(), _MOST_IMAGES):
        yield _block(image, page)


def _block(image: Image, page: Page) -> str:
    legacy = ""
    if page.options.legacy_tags:
        legacy = "".join(leaf(name, value(image, page)) for name, value in _LEGACY)
    return f"<image:image><image:loc>{escape(image.url)}</image:loc>{legacy}</image:image>"


# -- reading ----------------------------------------------------------------------------------

_IMAGE: Final = BlockSchema(
    FieldRule("image:loc", "url", first(Context.url)),
    FieldRule("image:caption", "caption", first(plain_text)),
    FieldRule("image:geo_location", "geo", first(string)),
    FieldRule("image:title", "title", first(plain_text)),
    FieldRule("image:license", "license", first(Context.url)),
    broken=Code.MEDIA_DROPPED,
)


def read(element: Element, context: Context, names: Names) -> Image | None:
    """Read an `image:image`; return None and report it if it is broken or has no URL."""
    block = _IMAGE.read(element, context, names)
    if block is None:
        return None
    if "url" not in block.fields:
        message = "a picture without its URL; left out"
        context.tell(Code.MEDIA_DROPPED, message, element, "image:image")
        return None
    return Image(**block.fields, words=block.words, line=line_of(element))
