"""Claims about the news file: the articles of two days, in a sitemap of their own."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import Code, DocumentError, OptionError, RefusedError, Result, SinkError, SourceError
from converter.model import Entry
from tests.builders import NOW_EPOCH, codes, text, tree

NEW = "Thu, 15 Jan 2026 08:00:00 +0000"
OLD = "Mon, 05 Jan 2026 08:00:00 +0000"
OPTIONS: dict[str, Any] = {"news": "The Times", "news_language": "en", "news_output": "news.xml"}

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def article(number: int, date: str | None = NEW, title: str | None = None) -> str:
    dated = f"<pubDate>{date}</pubDate>" if date else ""
    named = f"<title>{title or f'Article {number}'}</title>"
    return f"<item>{named}<link>https://ex.com/{number}</link>{dated}</item>\n"


def rss(*items: str) -> io.BytesIO:
    head = '<rss version="2.0"><channel><title>T</title><link>https://ex.com/</link>'
    return io.BytesIO(f"{head}{''.join(items)}</channel></rss>".encode())


def locs(path: str) -> list[str]:
    return re.findall("<loc>https://ex.com/(.*?)</loc>", text(path))


def shown(result: Result) -> list[tuple[str, str, int]]:
    return [(file.path, file.kind, file.urls) for file in result.files]


def test_news_is_in_its_own_file_and_the_main_sitemap_has_only_pages() -> None:
    source = rss(article(1), article(2, OLD), article(3, None))
    result = converter.convert(source, "sitemap.xml", **OPTIONS)
    assert locs("sitemap.xml") == ["1", "2", "3"]
    assert "news" not in Path("sitemap.xml").read_text("utf-8")
    assert locs("news.xml") == ["1"]
    assert Path("news.xml").read_text("utf-8") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">\n'
        "<url><loc>https://ex.com/1</loc><lastmod>2026-01-15T08:00:00+00:00</lastmod>"
        "<news:news><news:publication><news:name>The Times</news:name>"
        "<news:language>en</news:language></news:publication>"
        "<news:publication_date>2026-01-15T08:00:00+00:00</news:publication_date>"
        "<news:title>Article 1</news:title></news:news></url>\n</urlset>\n"
    )
    assert shown(result) == [("sitemap.xml", "sitemap", 3), ("news.xml", "news", 1)]
    assert (result.urls, result.news, result.skipped, result.issues) == (3, 1, 0, ())


def test_issues_of_the_input_are_reported_once() -> None:
    items = (article(1), article(2, "yesterday"), article(2), "<item><title>x</title></item>")
    plain = converter.convert(rss(*items), "sitemap.xml")
    result = converter.convert(rss(*items), "sitemap.xml", **OPTIONS)
    assert len(plain.issues) > 2
    assert result.issues == plain.issues
    assert (result.skipped, result.urls) == (plain.skipped, plain.urls)


def test_the_second_pass_decides() -> None:
    untitled = f"<item><link>https://ex.com/9</link><pubDate>{NEW}</pubDate></item>"
    options = {**OPTIONS, "news": "The Times (UK)"}
    result = converter.convert(rss(untitled, article(1), article(9)), "sitemap.xml", **options)
    assert codes(result.issues) == [Code.URL_DUPLICATE, Code.NEWS_NAME_CLEANED]
    assert locs("news.xml") == ["9", "1"]


def test_issues_of_news_are_reported() -> None:
    untitled = f"<item><link>https://ex.com/9</link><pubDate>{NEW}</pubDate></item>"
    options = {**OPTIONS, "news": "The Times (UK)"}
    result = converter.convert(rss(untitled, article(1)), "sitemap.xml", **options)
    assert codes(result.issues) == [Code.NEWS_SKIPPED, Code.NEWS_NAME_CLEANED]
    assert locs("news.xml") == ["1"]


@pytest.mark.parametrize(("most", "parts"), [(None, [1000, 1]), (400, [400, 400, 201])])
def test_more_articles_than_fit_in_a_file_get_an_index(most: int | None, parts: list[int]) -> None:
    source = rss(*(article(number) for number in range(1001)))
    place = "https://ex.com/maps/sitemap.xml"
    options = {**OPTIONS, "limit_urls": most, "sitemap_url": place, "host": "ex.com"}
    Path("news").mkdir()
    result = converter.convert(source, "sitemap.xml", **{**options, "news_output": "news/n.xml"})
    news = [row for row in shown(result) if row[1].startswith("news")]
    names = [(f"news/n-{number}.xml", "news", size) for number, size in enumerate(parts, start=1)]
    assert news == [("news/n.xml", "news-index", 0), *names]
    assert locs("news/n.xml") == [f"maps/{name}" for name, _, _ in names]
    assert result.news == 1001

    result = converter.convert(
        rss(article(7)), "sitemap.xml", **{**options, "news_output": "news/n.xml"}
    )
    assert result.removed[-len(parts) :] == tuple(name for name, _, _ in names)
    assert locs("news/n.xml") == ["7"]


def test_without_a_sitemap_url_that_of_the_index_is_assumed() -> None:
    result = converter.convert(rss(article(1), article(2)), "s.xml", **OPTIONS, limit_urls=1)
    told = [issue.source for issue in result.issues if issue.code is Code.SITEMAP_URL_ASSUMED]
    assert told == ["s.xml", "news.xml"]
    assert locs("news.xml") == ["news-1.xml", "news-2.xml"]


@pytest.mark.parametrize("name", ["news.xml", "news.xml.gz"])
def test_the_name_of_a_compressed_news_file_ends_with_gz(name: str) -> None:
    result = converter.convert(
        rss(article(1)), "s.xml", **{**OPTIONS, "news_output": name}, gzip=True
    )
    assert [file.path for file in result.files] == ["s.xml.gz", "news.xml.gz"]
    assert locs("news.xml.gz") == ["1"]


# -- an empty window --------------------------------------------------------------------------


def test_without_news_the_newest_page_keeps_the_file_valid() -> None:
    source = rss(article(1, None), article(2, OLD), article(3, "Tue, 06 Jan 2026 08:00:00 +0000"))
    result = converter.convert(source, "sitemap.xml", **OPTIONS)
    assert locs("news.xml") == ["3"]
    assert "news:" not in Path("news.xml").read_text("utf-8")
    assert codes(result.issues) == [Code.NEWS_EMPTY]
    assert shown(result)[1:] == [("news.xml", "news", 1)]
    assert result.news == 0


@pytest.mark.parametrize("parts", [1, 2])
def test_without_news_the_file_and_its_parts_can_be_removed(parts: int) -> None:
    options = {**OPTIONS, "news_empty": "remove"}
    fresh = rss(article(1), article(2))
    converter.convert(fresh, "sitemap.xml", **options, limit_urls=3 - parts)
    assert "news.xml" in tree()
    result = converter.convert(rss(article(1, OLD)), "sitemap.xml", **options)
    assert tree().keys() == {"sitemap.xml"}
    assert "news.xml" in result.removed
    assert codes(result.issues) == [Code.NEWS_EMPTY]
    again = converter.convert(rss(article(1, OLD)), "sitemap.xml", **options)
    assert (again.removed, shown(again)) == ((), [("sitemap.xml", "sitemap", 1)])


# -- whole or not at all ----------------------------------------------------------------------


def test_a_dry_run_publishes_no_news() -> None:
    result = converter.convert(rss(article(1)), "sitemap.xml", **OPTIONS, dry_run=True)
    assert tree() == {}
    assert [file.path for file in result.files] == ["sitemap.xml", "news.xml"]


@pytest.mark.parametrize(
    ("source", "options", "error"),
    [
        (rss(), {}, RefusedError),
        (rss(article(1)), {"min_urls": 2}, RefusedError),
        (rss(article(1)), {"news_language": None}, OptionError),
        (io.BytesIO(b"<rss><channel>"), {"format": "rss"}, DocumentError),
    ],
)
def test_a_run_that_fails_publishes_neither(
    source: io.BytesIO, options: dict[str, Any], error: type[Exception]
) -> None:
    Path("sitemap.xml").write_text("old")
    Path("news.xml").write_text("old")
    with pytest.raises(error):
        converter.convert(source, "sitemap.xml", **{**OPTIONS, **options})
    assert {name: text(name) for name in tree()} == {
        "sitemap.xml": "old",
        "news.xml": "old",
    }
    assert not [path for path in Path().iterdir() if path.suffix == ".tmp"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"news_output": "sitemap.xml"}, ("--news-output and --output", "sitemap.xml")),
        ({"news_output": "./sitemap.xml"}, ("one file",)),
        ({"news_output": "sitemap-2.xml"}, ("--news-output", "one of its parts")),
        ({"news_output": "-"}, ("--news-output", "no regular file")),
        ({"news_output": "/dev/stdout"}, ("no regular file",)),
        ({"news_output": ""}, ('"" is not a path',)),
        ({"news": "()"}, ("is empty without its parentheses",)),
    ],
)
def test_news_needs_a_file_of_its_own(given: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(OptionError) as raised:
        converter.convert(rss(article(1)), "sitemap.xml", **{**OPTIONS, **given})
    for word in words:
        assert word in str(raised.value)


def test_a_folder_that_is_missing_is_noticed_before_anything_is_read() -> None:
    with pytest.raises(SinkError, match="missing"):
        converter.convert("nothing.rss", "s.xml", **{**OPTIONS, "news_output": "missing/n.xml"})


def test_the_main_sitemap_may_be_written_to_a_stream() -> None:
    target = io.BytesIO()
    converter.convert(rss(article(1)), target, **OPTIONS)
    assert b"https://ex.com/1" in target.getvalue()
    assert locs("news.xml") == ["1"]


def test_news_from_a_program_is_news() -> None:
    entries = list(converter.read(rss(article(1), article(2, OLD))).entries)
    result = converter.write(iter(entries), "s.xml", **OPTIONS)
    assert (locs("s.xml"), locs("news.xml"), result.news) == (["1", "2"], ["1"], 1)


def test_blocks_of_a_sitemap_go_to_the_news_file_too() -> None:
    converter.convert(rss(article(1), article(2, OLD)), "old.xml", news="N", news_language="de")
    assert "<news:name>N</news:name>" in Path("old.xml").read_text("utf-8")
    converter.convert("old.xml", "s.xml", **OPTIONS)
    assert "news:" not in Path("s.xml").read_text("utf-8")
    assert "<news:name>N</news:name>" in Path("news.xml").read_text("utf-8")
    assert locs("news.xml") == ["1"]


# -- day after day ----------------------------------------------------------------------------


def test_an_update_keeps_news_that_is_no_longer_in_the_feed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = {**OPTIONS, "update": True}
    converter.convert(rss(article(1), article(2, title="Early")), "s.xml", **options)
    converter.convert(rss(article(2, title="Late & later"), article(3)), "s.xml", **options)
    assert sorted(locs("news.xml")) == ["1", "2", "3"]
    text = Path("news.xml").read_text("utf-8")
    assert "<news:title>Late &amp; later</news:title>" in text
    assert "Early" not in text
    before = Path("news.xml").stat()
    result = converter.convert(
        rss(article(2, title="Late & later"), article(3)), "s.xml", **options
    )
    assert Path("news.xml").stat().st_ino == before.st_ino
    assert "news.xml" not in {file.path for file in result.files}
    assert result.news == 3
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(NOW_EPOCH) + 3 * 86_400))
    result = converter.convert(
        rss(article(4, "Sun, 18 Jan 2026 08:00:00 +0000")), "s.xml", **options
    )
    assert locs("news.xml") == ["4"]
    assert sorted(locs("s.xml")) == ["1", "2", "3", "4"]
    assert result.issues == ()


def test_the_page_that_kept_the_file_valid_is_removed_when_there_is_news() -> None:
    options = {**OPTIONS, "update": True}
    converter.convert(rss(article(1, OLD)), "s.xml", **options)
    assert locs("news.xml") == ["1"]
    converter.convert(rss(article(1, OLD), article(2)), "s.xml", **options)
    assert locs("news.xml") == ["2"]


def test_without_pages_there_is_no_news_file() -> None:
    Path("news.xml").write_text("old")
    result = converter.write([Entry(title="T", id="tag:ex.com,2026:1")], "s.rss", **OPTIONS)
    assert Code.NEWS_EMPTY in codes(result.issues)
    assert result.removed == ("news.xml",)


def test_without_an_update_only_the_sources_have_news() -> None:
    converter.convert(rss(article(1)), "s.xml", **OPTIONS)
    converter.convert(rss(article(2)), "s.xml", **OPTIONS)
    assert locs("news.xml") == ["2"]


def test_an_article_without_a_page_is_no_news() -> None:
    entries = [Entry(title="T"), Entry(loc="https://ex.com/1", title="T")]
    converter.write(entries, "s.xml", **OPTIONS)
    assert locs("news.xml") == ["1"]


# -- a news file that has come to harm --------------------------------------------------------


def cut_off(data: bytes) -> bytes:
    return data[:-30]


def torn(data: bytes) -> bytes:
    return data.replace(b"</news:news></url>", b"</news:news>", 1)


def misspelt(data: bytes) -> bytes:
    return data.replace(b"<url>", b"<URL>", 1).replace(b"</url>", b"</URL>", 1)


def undecodable(data: bytes) -> bytes:
    return data.replace(b"Article", b"\xff", 1)


def repacked(data: bytes) -> bytes:
    return gzip.compress(data)[:-9]


@pytest.mark.parametrize("limit", [None, 2], ids=["one file", "parts"])
@pytest.mark.parametrize(
    ("harm", "found"),
    [
        (cut_off, "not well-formed"),
        (torn, "<url> without an end tag"),
        (misspelt, "<URL> is not <url>"),
        (undecodable, "UTF-8"),
        (repacked, "gzip data break off"),
        (lambda _: gzip.compress(b"<urlset")[:12], "gzip data break off"),
        (lambda _: b"", "empty (0 bytes)"),
        (lambda _: b"see other file", "neither markup nor URLs"),
        (lambda _: rss(article(1)).getvalue(), "no XML sitemap"),
    ],
)
def test_a_damaged_news_file_ends_an_update(
    harm: Callable[[bytes], bytes], found: str, limit: int | None
) -> None:
    options = {**OPTIONS, "update": True, "limit_urls": limit}
    converter.convert(rss(*map(article, range(4))), "s.xml", **options)
    damaged = Path("news-1.xml" if limit else "news.xml")
    damaged.write_bytes(harm(damaged.read_bytes()))
    before = tree()
    with pytest.raises(SourceError) as raised:
        converter.convert(rss(article(9)), "s.xml", **options)
    assert str(raised.value).startswith(f"{damaged}: ")
    assert found in str(raised.value)
    assert str(raised.value).count("fix it, or remove the whole output") == 1
    assert tree() == before


@pytest.mark.parametrize("harm", [cut_off, Path.unlink], ids=["index", "part"])
def test_a_damaged_index_of_news_ends_an_update(harm: Callable[[Any], Any]) -> None:
    options = {**OPTIONS, "update": True, "limit_urls": 2}
    converter.convert(rss(*map(article, range(4))), "s.xml", **options)
    if harm is cut_off:
        Path("news.xml").write_bytes(Path("news.xml").read_bytes()[:-100])
    else:
        index = Path("news.xml").read_text("utf-8").replace("https://ex.com/news-1", "news-1")
        Path("news.xml").write_text(index, "utf-8")
        harm(Path("news-1.xml"))
    before = tree()
    with pytest.raises(SourceError, match=r"news\.xml: .*fix it, or remove the whole output"):
        converter.convert(rss(article(9)), "s.xml", **options)
    assert tree() == before


def test_a_news_file_of_another_program_may_have_other_content() -> None:
    text = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url>'
        "<loc>HTTPS://EX.com:443/1</loc><priority>high</priority><news:news>"
        "<news:publication><news:name>T</news:name><news:language>en</news:language>"
        "</news:publication><news:publication_date>2026-01-15</news:publication_date>"
        "<news:title>One</news:title></news:news></url></urlset>"
    )
    Path("news.xml").write_text(text, "utf-8")
    converter.convert(rss(article(2)), "s.xml", **OPTIONS, update=True)
    assert sorted(locs("news.xml")) == ["1", "2"]


# -- from blocks in the output to a file of their own -----------------------------------------


@pytest.mark.parametrize("limit", [None, 2], ids=["one file", "parts"])
def test_blocks_of_the_output_move_to_a_news_file_if_it_is_a_source(limit: int | None) -> None:
    inside: dict[str, Any] = {
        "news": "The Times",
        "news_language": "en",
        "limit_urls": limit,
        "update": True,
        "sitemap_url": "https://ex.com/s.xml",
    }
    converter.convert(rss(article(1), article(2, OLD), article(3)), "s.xml", **inside)
    sources = [rss(article(4)), "s.xml"]
    result = converter.convert(sources, "s.xml", **inside, news_output="news.xml")
    parts = sorted(Path().glob("news-*.xml")) or [Path("news.xml")]
    assert sorted(loc for part in parts for loc in locs(str(part))) == ["1", "3", "4"]
    assert result.news == 3
    assert not [path for path in Path().glob("s*.xml") if "<news:" in path.read_text("utf-8")]


def test_without_an_update_blocks_of_the_output_do_not_count() -> None:
    converter.convert(rss(article(1)), "s.xml", news="The Times", news_language="en")
    converter.convert(rss(article(4)), "s.xml", **OPTIONS)
    assert locs("news.xml") == ["4"]


def test_an_existing_news_file_is_read_instead_of_the_output() -> None:
    inside: dict[str, Any] = {"news": "The Times", "news_language": "en", "update": True}
    converter.convert(rss(article(1)), "s.xml", **inside)
    converter.convert(rss(article(4)), "news.xml", **inside)
    converter.convert(rss(article(5)), "s.xml", **OPTIONS, update=True)
    assert sorted(locs("news.xml")) == ["4", "5"]


def test_an_output_of_another_format_has_no_news() -> None:
    converter.convert(rss(article(1)), "s.rss", to="rss", title="T", update=True)
    converter.convert(rss(article(4)), "s.rss", to="rss", **OPTIONS, title="T", update=True)
    assert locs("news.xml") == ["4"]


def test_a_feed_of_another_program_as_output_has_no_news() -> None:
    Path("s.xml").write_bytes(rss(article(1)).getvalue())
    converter.convert(rss(article(4)), "s.xml", **OPTIONS, update=True)
    assert locs("news.xml") == ["4"]
    assert sorted(locs("s.xml")) == ["1", "4"]
