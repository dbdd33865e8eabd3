"""Rules for robots.txt, as far as it concerns sitemaps."""

from __future__ import annotations

from typing import Final

from converter.checks import urls
from converter.checks.context import CheckContext
from converter.checks.index import Child
from converter.checks.rule import ERROR, PROTOCOL, WARNING, CheckRule, Place
from converter.values.urls import is_http, quoted

_SITEMAP: Final = f"{PROTOCOL}#submit_robots"
_RFC: Final = "https://www.rfc-editor.org/rfc/rfc9309"
_GOOGLE: Final = "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt"

RULES: Final = (
    CheckRule(
        "robots-sitemap-relative", ERROR, "a Sitemap line has no absolute URL",
        why="Search engines ignore the line.",
        fix="Write the whole URL, with https:// and the host.",
        source=f"{_GOOGLE}#sitemap",
    ),
    CheckRule(
        "robots-sitemap-unreachable", WARNING, "a sitemap that robots.txt names cannot be read",
        why="Search engines cannot read it either.",
        fix="Publish the sitemap, or remove the line.",
        source=_SITEMAP,
    ),
    CheckRule(
        "robots-sitemap-duplicate", WARNING, "robots.txt names a sitemap twice",
        why="It is fetched again for nothing.",
        fix="Remove one of the lines.",
        source=_SITEMAP,
    ),
    CheckRule(
        "robots-no-sitemap-line", WARNING, "robots.txt names no sitemap",
        why="Search engines find the sitemap only if it is submitted elsewhere.",
        fix="Add a line Sitemap: with the URL of the sitemap or index.",
        source=_SITEMAP, is_default=False,
    ),
    CheckRule(
        "robots-over-500-kib", WARNING, "robots.txt has more than 500 KiB",
        why="Google reads only the first 500 KiB.",
        fix="Shorten the file; write the Sitemap lines first.",
        source=f"{_RFC}#section-2.5",
    ),
    CheckRule(
        "robots-utf16-or-html", WARNING, "robots.txt is in UTF-16, or is an HTML page",
        why="Its rules are not understood.",
        fix="Save the file as UTF-8 text; check that the server sends it for /robots.txt.",
        source=f"{_RFC}#section-2.3",
    ),
)  # fmt: skip

_MAX_BYTES: Final = 500 * 1024
_FIELD: Final = "sitemap"


def check(context: CheckContext, data: bytes) -> list[Child]:
    """Check a robots.txt; return the sitemaps that it names."""
    if len(data) > _MAX_BYTES:
        message = f"{len(data):,} bytes; at most {_MAX_BYTES:,} are read"
        context.report("robots-over-500-kib", message)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        context.report("robots-utf16-or-html", "the file is in UTF-16", Place(1, 1))
        return []
    if data.lstrip()[:1] == b"<":
        context.report("robots-utf16-or-html", "the file is an HTML page", Place(1, 1))
        return []
    found: dict[str, Child] = {}
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    for number, line in enumerate(text.splitlines(), 1):
        field, colon, value = line.partition("#")[0].partition(":")
        if colon and field.strip().lower() == _FIELD:
            column = len(line) - len(line[len(field) + 1 :].lstrip()) + 1
            _add_sitemap(context, value.strip(), Place(number, column), found)
    if not found:
        context.report("robots-no-sitemap-line", "no Sitemap line")
    return list(found.values())


def _add_sitemap(context: CheckContext, url: str, place: Place, found: dict[str, Child]) -> None:
    if not is_http(url):
        message = f"Sitemap: {quoted(url)}; expected an absolute http(s) URL"
        context.report("robots-sitemap-relative", message, place, path="Sitemap")
    elif url in found:
        message = f"Sitemap: {quoted(url)} again"
        context.report("robots-sitemap-duplicate", message, place, path="Sitemap")
    elif urls.check_url(context, url, "Sitemap:", place, "Sitemap") is not None:
        found[url] = Child(url, place)
