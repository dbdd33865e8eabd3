"""Generated sitemaps with every field that is compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TypeAlias
from xml.sax.saxutils import escape

from hypothesis import strategies as st

import converter
from converter import Change

#: A URL and the XML of its other elements.
Page: TypeAlias = tuple[str, str]

SITE = "https://example.com"
HEAD = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
)

DATES = (
    "2026-01-06",
    "2026-01-06T10:00:00+01:00",
    "2026-01-06T09:00:00Z",
    "2026-01-07T00:30:00+02:00",
    "2026-01-08",
    "2026-02",
)


def image(number: int, title: str | None = None) -> str:
    words = f"<image:title>{escape(title)}</image:title>" if title else ""
    return f"<image:image><image:loc>{SITE}/{number}.jpg</image:loc>{words}</image:image>"


def video(number: int, title: str, duration: int) -> str:
    return (
        f"<video:video><video:thumbnail_loc>{SITE}/t.jpg</video:thumbnail_loc>"
        f"<video:title>{escape(title)}</video:title><video:description>d</video:description>"
        f"<video:content_loc>{SITE}/{number}.mp4</video:content_loc>"
        f"<video:duration>{duration}</video:duration></video:video>"
    )


def news(title: str) -> str:
    return (
        "<news:news><news:publication><news:name>The Times</news:name>"
        "<news:language>en</news:language></news:publication>"
        "<news:publication_date>2026-01-06</news:publication_date>"
        f"<news:title>{escape(title)}</news:title></news:news>"
    )


def alternate(lang: str) -> str:
    return f'<xhtml:link rel="alternate" hreflang="{lang}" href="{SITE}/{lang}"/>'


_titles = st.sampled_from(["one", "two & three", "ünï"])
_numbers = st.integers(0, 3)
_elements = st.tuples(
    st.sampled_from(["", *(f"<lastmod>{date}</lastmod>" for date in DATES)]),
    st.sampled_from(["", "<changefreq>daily</changefreq>", "<priority>0.5</priority>"]),
    st.lists(st.builds(image, _numbers, st.none() | _titles), max_size=2).map("".join),
    st.lists(st.builds(video, _numbers, _titles, st.integers(1, 3)), max_size=2).map("".join),
    st.just("") | st.builds(news, _titles),
    st.sets(st.sampled_from(["de", "en", "fr"])).map(lambda of: "".join(map(alternate, of))),
).map("".join)
_urls = st.integers(0, 9).map(lambda number: f"{SITE}/page-{number}")
_pages = st.tuples(_urls, _elements)

#: Sides in which no page occurs twice, and those in which pages may.
distinct_sides = st.lists(_pages, max_size=8, unique_by=lambda page: page[0])
sides = st.lists(_pages, max_size=10)


def sitemap(pages: Iterable[Page]) -> BytesIO:
    entries = "\n".join(f"<url><loc>{loc}</loc>{others}</url>" for loc, others in pages)
    return BytesIO(f"{HEAD}{entries}\n</urlset>\n".encode())


def differences(old: Sequence[Page], new: Sequence[Page], **options: object) -> list[Change]:
    options = {"compare": ["all"], **options}
    return list(converter.diff(sitemap(old), sitemap(new), **options))  # type: ignore[arg-type]
