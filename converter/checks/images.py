"""Rules for images in sitemaps."""

from __future__ import annotations

from typing import Final

from converter.checks import urls
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, SITEMAPS, WARNING, CheckRule
from converter.checks.structure import SCHEMAS, children_by_name
from converter.sitemap_limits import MAX_IMAGES

_IMAGES: Final = f"{SITEMAPS}/image-sitemaps"

RULES: Final = (
    CheckRule(
        "image-loc-missing", ERROR, "an image has no URL",
        why="Google ignores the image.",
        fix="Add <image:loc> with the URL of the image file, or remove the image.",
        source=_IMAGES, convert="dropped",
    ),
    CheckRule(
        "image-deprecated-tag", WARNING, "an image has a tag that Google no longer reads",
        why="caption, title, license and geo_location have no effect since August 2022.",
        fix="Remove the tag.",
        source="https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions",
        convert="dropped", profiles=frozenset({"google"}),
    ),
    CheckRule(
        "image-equals-page", WARNING, "an image has the URL of its page",
        why="A page is not an image file, unless it is the image itself.",
        fix="Write the URL of the image file.",
        source=_IMAGES, convert="kept", is_default=False,
    ),
    CheckRule(
        "limit-images", ERROR, f"a page has more than {MAX_IMAGES:,} images",
        why=f"Google reads at most {MAX_IMAGES:,} images of a page.",
        fix="Keep the important images.",
        source=_IMAGES, convert="dropped",
    ),
)  # fmt: skip

_DEPRECATED: Final = ("image:caption", "image:geo_location", "image:title", "image:license")


def check(context: CheckContext, elements: list[Element], page: str | None) -> None:
    """Check the `image:image` elements of a page."""
    if len(elements) > MAX_IMAGES:
        message = f"{len(elements):,} images; at most {MAX_IMAGES:,} are allowed"
        path = "url/image:image"
        context.report("limit-images", message, elements[MAX_IMAGES], path=path)
    for element in elements:
        path = "url/image:image"
        found = children_by_name(context, element, SCHEMAS["image:image"], path)
        if "image:loc" not in found:
            message = "<image:image> without <image:loc>"
            context.report("image-loc-missing", message, element, path=path)
        for loc in found.get("image:loc", ()):
            url = urls.check_element(context, loc, f"{path}/image:loc")
            if url is not None and url == page:
                message = "<image:loc> is the URL of the page"
                context.report("image-equals-page", message, loc, path=f"{path}/image:loc")
        for name in _DEPRECATED:
            if name in found:
                message = f"<{name}> is no longer read"
                at = found[name][0]
                context.report("image-deprecated-tag", message, at, path=f"{path}/{name}")
