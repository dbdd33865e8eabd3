"""The `image:image` elements of a page, written and read: sitemap-image 1.1.

https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Final

from converter.extensions.block_reader import BlockSchema, FieldRule, first, plain_text, string
from converter.extensions.page_context import PageContext, to_plain_text
from converter.extensions.read_context import ReadContext
from converter.issues import Code
from converter.model import Image
from converter.sitemap_limits import MAX_IMAGES
from converter.values import urls
from converter.xml.escape import escape, text_element
from converter.xml.extract import Element, line_of
from converter.xml.namespaces import CanonicalNames


def write_images(page: PageContext, thumbnails: Collection[str]) -> list[str]:
    """Write the images of a page that are not thumbnails of its videos, each URL once.

    Args:
        page: without videos, a podcast's artwork counts as an image of it.
        thumbnails: the URLs of the thumbnails of its videos.
    """
    entry = page.entry
    found: dict[str, Image | None] = {}
    for image in entry.images:
        found.setdefault(image.url, image)
    if entry.podcast is not None and not entry.videos:
        for artwork in entry.podcast.images:
            found.setdefault(artwork.url, None)
    for url in thumbnails:
        found.pop(url, None)
    if len(found) > MAX_IMAGES:
        message = f"{len(found):,} images; the first {MAX_IMAGES:,} are written"
        page.warn(Code.IMAGES_CUT, message, "image:image")
        for _ in range(len(found) - MAX_IMAGES):
            page.leave_out("image", f"more than {MAX_IMAGES:,} images on a page")
    has_legacy, elements = page.options.legacy_tags, []
    for url, stated in islice(found.items(), MAX_IMAGES):
        legacy = _legacy(stated, page) if has_legacy else ""
        elements.append(f"<image:image><image:loc>{escape(url)}</image:loc>{legacy}</image:image>")
    return elements


def _legacy(image: Image | None, page: PageContext) -> str:
    """Write the elements without effect since 2022-08-06, in the order of the xsd:sequence.

    https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
    """
    license_ = text_element("image:license", _license(image, page))
    if image is None:
        return license_
    return (
        text_element("image:caption", to_plain_text(image.caption))
        + text_element("image:geo_location", to_plain_text(image.geo))
        + text_element("image:title", to_plain_text(image.title))
        + license_
    )


def _license(image: Image | None, page: PageContext) -> str | None:
    """Return the nearest license that is a link, the picture's before the page's."""
    license_ = None if image is None else image.license
    for url in (license_, page.entry.license, page.feed.license):
        if url is not None and (usable := urls.clean_media(url).url) is not None:
            return usable
    return None


# -- reading ----------------------------------------------------------------------------------

_IMAGE: Final = BlockSchema(
    FieldRule("image:loc", "url", first(ReadContext.url)),
    FieldRule("image:caption", "caption", first(plain_text)),
    FieldRule("image:geo_location", "geo", first(string)),
    FieldRule("image:title", "title", first(plain_text)),
    FieldRule("image:license", "license", first(ReadContext.url)),
    broken=Code.MEDIA_DROPPED,
)


def read(element: Element, context: ReadContext, names: CanonicalNames) -> Image | None:
    """Read an `image:image`; return None and report it if it is broken or has no URL."""
    block = _IMAGE.read(element, context, names)
    if block is None:
        return None
    if "url" not in block.fields:
        message = "an image without a URL; left out"
        context.warn(Code.MEDIA_DROPPED, message, element, "image:image")
        return None
    return Image(**block.fields, words=block.extra, line=line_of(element))
