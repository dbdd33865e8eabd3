"""Small documents about points where the XML Schemas and the written specifications differ.

Each document has one fact and the judgement of the specification: valid, invalid, or silent.
"""

from __future__ import annotations

from io import BytesIO

import pytest

from converter.issues import Severity
from tests.checks.rule_cases import check

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"'
    ' xmlns:x="https://www.example.com/other">\n'
)
PAGE = "https://www.example.com/page"
FILE = "https://www.example.com/film.mp4"
IMAGE = "<image:image><image:loc>https://www.example.com/{}.jpg</image:loc></image:image>"
DATE = "2024-05-06T07:08:09"


def loc(url: str) -> str:
    return f"<url><loc>{url}</loc></url>"


def with_(inner: str) -> str:
    return f"<url><loc>{PAGE}</loc>{inner}</url>"


def lastmod(text: str) -> str:
    return with_(f"<lastmod>{text}</lastmod>")


def video(
    after: str = "",
    *,
    title: str = "Film",
    description: str = "About it",
    thumbnail: str = "https://www.example.com/film.jpg",
    content: str | None = FILE,
) -> str:
    file = f"<video:content_loc>{content}</video:content_loc>" if content is not None else ""
    return with_(
        f"<video:video><video:thumbnail_loc>{thumbnail}</video:thumbnail_loc>"
        f"<video:title>{title}</video:title><video:description>{description}</video:description>"
        f"{file}{after}</video:video>"
    )


def tag(name: str, text: str, attributes: str = "") -> str:
    return f"<video:{name}{attributes}>{text}</video:{name}>"


def news(
    language: str = "en", date: str = "2024-05-06", title: str = "A title", more: str = ""
) -> str:
    return with_(
        "<news:news><news:publication><news:name>Times</news:name>"
        f"<news:language>{language}</news:language></news:publication>"
        f"<news:publication_date>{date}</news:publication_date>"
        f"<news:title>{title}</news:title>{more}</news:news>"
    )


def link(attributes: str) -> str:
    return with_(f"<xhtml:link {attributes}/>")


ALTERNATE = f'rel="alternate" hreflang="en" href="{PAGE}"'
VALID, INVALID, SILENT = "valid", "invalid", "silent"

PROBES = [
    ("core year", lastmod("2024"), VALID),
    ("core month", lastmod("2024-05"), VALID),
    ("core no seconds", lastmod("2024-05-06T07:08Z"), VALID),
    ("core no zone", lastmod(DATE), INVALID),
    ("core date with zone", lastmod("2024-05-06Z"), INVALID),
    ("core year before Christ", lastmod("-0044-03-15"), INVALID),
    ("core year of five digits", lastmod("12024-03-15"), INVALID),
    ("core hour 24", lastmod("2024-05-06T24:00:00Z"), INVALID),
    ("core 30 February", lastmod("2024-02-30"), INVALID),
    ("core fraction", lastmod(f"{DATE}.123456Z"), VALID),
    ("core spaces around a date", lastmod(f" {DATE}Z "), VALID),
    ("core loc of 11 characters", loc("http://a.io"), VALID),
    ("core loc of 2047", loc("https://www.example.com/".ljust(2047, "a")), VALID),
    ("core loc of 2048", loc("https://www.example.com/".ljust(2048, "a")), INVALID),
    ("core relative", loc("/a/b/c/d/e/f"), INVALID),
    ("core ftp", loc("ftp://www.example.com/x"), INVALID),
    ("core words", loc("not a url at all"), INVALID),
    ("core not ASCII", loc("https://www.example.com/é"), INVALID),
    ("core space", loc("https://www.example.com/a b"), INVALID),
    ("core bad percent", loc("https://www.example.com/%zz"), INVALID),
    ("core javascript", loc("javascript:alert(1)//"), INVALID),
    ("core priority 0.50", with_("<priority>0.50</priority>"), VALID),
    ("core priority 1.1", with_("<priority>1.1</priority>"), INVALID),
    ("core order", with_("<priority>0.5</priority><lastmod>2024-05-06</lastmod>"), SILENT),
    ("core extension first", with_(f"{IMAGE.format(1)}<lastmod>2024-05-06</lastmod>"), SILENT),
    # only a warning here: Google allows several verified hosts
    ("core two hosts", loc(PAGE) + loc("https://www.example.net/page"), SILENT),
    ("core empty", "", INVALID),
    ("core url without loc", "<url><lastmod>2024-05-06</lastmod></url>", INVALID),
    ("image 1001", with_("".join(map(IMAGE.format, range(1001)))), INVALID),
    (
        "image order",
        with_(IMAGE.format(1).replace("</image:image>", "<image:title>A</image:title>"
              "<image:caption>B</image:caption></image:image>")),
        SILENT,
    ),
    ("image relative", with_(IMAGE.format(1).replace("https://www.example.com", "")), INVALID),
    ("image empty", with_("<image:image><image:loc/></image:image>"), INVALID),
    ("video", video(), VALID),
    ("video no file", video(content=None), INVALID),
    ("video same as page", video(content=PAGE), INVALID),
    ("video empty title", video(title=""), INVALID),
    ("video empty description", video(description=""), INVALID),
    ("video empty thumbnail", video(thumbnail=""), INVALID),
    ("video relative thumbnail", video(thumbnail="/film.jpg"), INVALID),
    ("video title of 101", video(title="a" * 101), VALID),
    ("video description of 2048", video(description="a" * 2048), VALID),
    ("video description of 2049", video(description="a" * 2049), INVALID),
    ("video duration 0", video(tag("duration", "0")), INVALID),
    ("video duration 28800", video(tag("duration", "28800")), VALID),
    ("video duration 28801", video(tag("duration", "28801")), INVALID),
    ("video duration 600.5", video(tag("duration", "600.5")), INVALID),
    ("video duration +600", video(tag("duration", "+600")), SILENT),
    ("video no zone", video(tag("publication_date", DATE)), INVALID),
    (
        "video date before duration",
        video(tag("publication_date", "2024-05-06") + tag("duration", "60")),
        SILENT,
    ),
    ("video rating 4.25", video(tag("rating", "4.25")), VALID),
    ("video rating 5.1", video(tag("rating", "5.1")), INVALID),
    ("video 33 tags", video(tag("tag", "a") * 33), INVALID),
    ("video 32 tags", video(tag("tag", "a") * 32), VALID),
    ("video tag before count", video(tag("tag", "a") + tag("view_count", "1")), SILENT),
    ("video yEs", video(tag("family_friendly", "yEs")), SILENT),
    ("video true", video(tag("family_friendly", "true")), INVALID),
    ("video empty list", video(tag("restriction", "", ' relationship="allow"')), SILENT),
    ("video countries", video(tag("restriction", "XX QQ", ' relationship="allow"')), SILENT),
    ("video lower case", video(tag("restriction", "ie gb", ' relationship="allow"')), INVALID),
    ("video two lists", video(tag("restriction", "IE", ' relationship="allow"') * 2), INVALID),
    ("video two spaces", video(tag("platform", "web  tv", ' relationship="allow"')), SILENT),
    ("video price free", video(tag("price", "free")), INVALID),
    ("video price without currency", video(tag("price", "1.99")), INVALID),
    ("video price -1", video(tag("price", "-1", ' currency="EUR"')), INVALID),
    ("video price Rent", video(tag("price", "1.99", ' currency="EUR" type="Rent"')), SILENT),
    ("video price 4K", video(tag("price", "1", ' currency="EUR" resolution="4K"')), INVALID),
    (
        "video info on another domain",
        video(tag("uploader", "Me", ' info="https://www.example.net/me"')),
        INVALID,
    ),
    ("video uploader of 256", video(tag("uploader", "a" * 256)), INVALID),
    ("video segment alone", video(tag("content_segment_loc", FILE)), INVALID),
    ("video live yes", video(tag("live", "yes")), VALID),
    ("video id without type", video(tag("id", "1")), SILENT),
    ("news", news(), VALID),
    (
        "news order",
        news().replace("<news:publication_date>2024-05-06</news:publication_date>"
                       "<news:title>A title</news:title>",
                       "<news:title>A title</news:title>"
                       "<news:publication_date>2024-05-06</news:publication_date>"),
        SILENT,
    ),
    ("news no zone", news(date=DATE), INVALID),
    ("news no seconds", news(date="2024-01-02T03:04+01:00"), VALID),
    ("news pt-br", news("pt-br"), INVALID),
    ("news zh-CN", news("zh-CN"), SILENT),
    ("news empty title", news(title=""), INVALID),
    ("news 1001", news().replace(PAGE, PAGE + "/{}"), INVALID),
    ("news ticker", news(more="<news:stock_tickers>NASDAQ:BRK.B</news:stock_tickers>"), VALID),
    ("xhtml link", link(ALTERNATE), VALID),
    ("xhtml x-default", link(ALTERNATE.replace('"en"', '"x-default"')), VALID),
    ("xhtml without href", link('rel="alternate" hreflang="en"'), INVALID),
    ("xhtml stylesheet", link(f'rel="stylesheet" href="{PAGE}"'), INVALID),
    ("other namespace", with_("<x:y/>"), SILENT),
    ("other mobile", with_("<mobile:mobile/>"), VALID),
]  # fmt: skip


@pytest.mark.parametrize(("name", "body", "judgement"), PROBES, ids=[name for name, *_ in PROBES])
def test_a_document_is_judged_as_the_specification_says(
    name: str, body: str, judgement: str
) -> None:
    if name == "news 1001":
        body = "".join(body.format(number) for number in range(1001))
    run = check(BytesIO(f"{HEAD}{body}</urlset>\n".encode()))
    errors = [it.code for it in run.findings if it.severity is Severity.ERROR]
    if judgement != SILENT:
        assert bool(errors) is (judgement == INVALID), errors
