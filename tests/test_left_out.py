"""The summary line and `--losses`: omissions, their reasons, and formats that keep them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import converter
from converter.cli import main
from tests.builders import SAMPLES
from tests.conftest import Conversion

MEDIA = 'xmlns:media="http://search.yahoo.com/mrss/"'
FORMATS = ["rss", "mrss", "atom", "jsonfeed", "txt", "sitemap"]

Said = Callable[..., str]


@pytest.fixture
def said(run: Callable[..., Conversion], in_tmp_path: Path) -> Said:
    """Run the command on a source in a folder of its own; give what is on standard error."""

    def convert(source: str, *words: str, code: int = 0) -> str:
        suffix = "txt" if source.startswith("http") else "xml"
        name = f"source.{suffix}"
        Path(name).write_text(source, "utf-8")
        ended = run(name, *words)
        assert ended.code == code
        return ended.err

    return convert


def summary(err: str) -> str:
    """Give the line of summary."""
    return next(line for line in err.splitlines() if re.search("[(;] ?from ", line))


def rss(*items: str) -> str:
    inner = "".join(
        f"<item><title>T{n}</title><link>https://ex.com/{n}</link>{item}</item>\n"
        for n, item in enumerate(items)
    )
    return (
        f'<rss version="2.0" {MEDIA}><channel><title>F</title><link>https://ex.com/</link>'
        f"<description>D</description>{inner}</channel></rss>"
    )


def video(name: str, inner: str = "") -> str:
    return (
        f'<media:content url="https://ex.com/{name}.mp4" type="video/mp4">{inner}</media:content>'
    )


SHOWN = '<media:thumbnail url="https://ex.com/t.jpg"/>'
PICTURE = '<media:content url="https://ex.com/p.png" medium="image"/>'
PLAYER = '<media:content medium="video"><media:player url="https://ex.com/play"/></media:content>'

# -- a healthy run ----------------------------------------------------------------------------


@pytest.mark.parametrize("sample", ["blog.rss", "news.rss", "podcast.rss", "feed.atom", "urls.txt"])
def test_a_clean_run_reports_no_omissions(
    sample: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(SAMPLES / sample), "-o", str(tmp_path / "s.xml"), "-v"]) == 0
    err = capsys.readouterr().err
    assert summary(err).endswith("(from 1 source)")
    assert "dropped-field" not in err
    assert "altered-field" not in err


# -- what another format would hold -----------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("rss", "; left out: 2 videos, 1 image; -t mrss keeps them"),
        ("mrss", ""),
        ("atom", ""),
        ("sitemap", ""),
        ("txt", "; left out: 5 videos, 1 image; -t sitemap keeps them"),
    ],
)
def test_the_sample_of_videos(
    to: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    extension = {"sitemap": "xml"}.get(to, to)
    assert main([str(SAMPLES / "videos.mrss"), "-o", str(tmp_path / f"v.{extension}")]) == 0
    assert summary(capsys.readouterr().err).endswith(f"(from 1 source){told}")


@pytest.mark.parametrize(
    ("items", "told"),
    [
        ([video("a")], ""),
        ([video("a") + video("b"), video("c")], "left out: 1 video"),
        ([PLAYER], "left out: 1 video"),
        ([PLAYER + video("a")], "left out: 1 video"),
        ([PICTURE], ""),  # an enclosure can be a picture
        ([PICTURE + video("a")], "left out: 1 image"),
        # renditions of one video are no videos of their own
        ([f"<media:group>{video('a')}{video('b')}</media:group>"], ""),
    ],
)
def test_plain_rss_names_what_media_rss_keeps(items: list[str], told: str, said: Said) -> None:
    line = summary(said(rss(*items), "-o", "o.rss"))
    more = f"; {told}; -t mrss keeps them" if told else ""
    assert line == f"o.rss: {len(items)} URL{'s' * (len(items) > 1)} (from 1 source){more}"
    kept = summary(said(rss(*items), "-o", "o.mrss"))
    assert "left out" not in kept


def test_a_list_names_only_what_a_sitemap_keeps(said: Said) -> None:
    shown = video("a", SHOWN)
    blocked = video("b", SHOWN + '<media:status state="blocked"/>')
    feed = rss(shown, video("c"), blocked, PICTURE + PICTURE)
    assert summary(said(feed, "-o", "o.txt")).endswith(
        "left out: 3 videos, 1 image (--losses shows why); -t sitemap keeps 1 video, 1 image"
    )
    assert summary(said(rss(video("c")), "-o", "o.txt")).endswith(
        "left out: 1 video (--losses shows why)"
    )
    kept = summary(said(feed, "-o", "o.xml"))
    assert kept.startswith("o.xml: 4 URLs, 1 video, 1 image (from 1 source); left out: 2 videos")


def test_language_versions_are_kept_by_atom(said: Said) -> None:
    pages = ("en", "de")
    links = "".join(
        f'<link rel="alternate" hreflang="{lang}" href="https://ex.com/{lang}"/>' for lang in pages
    )
    entries = "".join(
        f'<entry xml:lang="{lang}"><id>tag:ex.com,2026:{lang}</id><title>T</title>'
        f"<updated>2026-01-01T00:00:00Z</updated>{links}</entry>"
        for lang in pages
    )
    atom = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>{entries}</feed>'
    for to in ("rss", "mrss"):
        line = summary(said(atom, "-o", f"o.{to}"))
        assert line.endswith("; left out: 2 languages; -t atom keeps them")
    assert summary(said(atom, "-o", "o.txt")).endswith(
        "left out: 2 languages; -t sitemap keeps them"
    )
    for to in ("o.atom", "o.xml"):
        assert "left out" not in summary(said(atom, "-o", to))
    alone = atom.replace(entries, entries.partition('<entry xml:lang="de"')[0])
    line = summary(said(alone, "-o", "o.xml"))
    assert line.endswith("; left out: 1 language (--losses shows why)")


def test_unusable_fields_and_fields_of_other_formats_are_distinguished(said: Said) -> None:
    nowhere = "<media:group><media:embed url='ftp://ex.com/e'/></media:group>"
    source = "not a url\nhttps://ex.com/a\n"
    Path("list.txt").write_text(source)
    feed = rss(video("a") + video("b"), nowhere)
    err = said(feed, "list.txt", "-o", "o.rss")
    assert "left out: 1 entry, " in summary(err)
    assert "(--losses shows why); -t mrss keeps 2 videos" in summary(err)


# -- what could not be used -------------------------------------------------------------------


def test_entries_and_videos_that_cannot_be_listed(said: Said) -> None:
    feed = rss(video("a"), video("b", SHOWN), video("c") + video("d"))
    no_page = feed.replace("<link>https://ex.com/1</link>", "")
    line = summary(said(no_page, "-o", "s.xml"))
    assert line == (
        "s.xml: 2 URLs (from 1 source); left out: 1 entry, 3 videos (--losses shows why)"
    )
    err = said(no_page, "-o", "s.xml", "--losses")
    assert "(--losses shows why)" not in err
    table = [line.split("  ") for line in err.splitlines()]
    rows = [[cell.strip() for cell in row if cell.strip()] for row in table]
    assert ["entry", "1", "no page of its own"] in rows
    assert ["video", "3", "no thumbnail"] in rows


def test_lines_that_are_no_urls_drafts_and_bad_pictures(said: Said) -> None:
    assert "left out: 2 entries (" in summary(said("https://ex.com/\nx\ny\n", "-o", "s.xml"))
    draft = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>'
        '<entry><id>a</id><link href="https://ex.com/a"/></entry><entry><id>b</id>'
        '<app:control xmlns:app="http://www.w3.org/2007/app"><app:draft>yes</app:draft>'
        "</app:control></entry></feed>"
    )
    assert "left out: 1 entry (" in summary(said(draft, "-o", "s.xml"))
    sitemap = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        "<url><loc>https://ex.com/</loc><image:image/><image:image><image:loc>"
        "https://u:p@:x/</image:loc></image:image></url><url><loc>https://ex.com:99999/</loc></url>"
        "</urlset>"
    )
    assert "left out: 1 entry, 2 images (" in summary(said(sitemap, "-o", "s.xml"))


@pytest.mark.parametrize(
    "words",
    [
        "--since 2026-01-02",
        "--include /0",
        "--exclude /1",
        "--drop /1",
        "--max-entries 1 --sort input",
        "--no-videos --no-images",
    ],
)
@pytest.mark.parametrize("to", ["s.xml", "s.rss", "s.txt"])
def test_filtered_entries_are_not_omissions(words: str, to: str, said: Said) -> None:
    bad = '<media:content url="https://ex.com:99999/p.png" medium="image"/>'
    media = video("a") + video("b", SHOWN) + PICTURE
    feed = rss("", "<pubDate>Thu, 01 Jan 2026 08:00:00 GMT</pubDate>" + media)
    assert "left out" not in summary(said(feed, "-o", to, *words.split()))
    unusable = feed.replace(PICTURE, bad)
    assert "1 image (" in summary(said(unusable, "-o", "s.xml", "--no-videos"))
    assert "left out" not in summary(said(unusable, "-o", to, "--no-images", "--no-videos"))


def test_omissions_of_filtered_entries_are_not_counted(said: Said) -> None:
    bad = '<media:content url="https://ex.com:99999/p.png" medium="image"/>'
    feed = rss(bad, "", bad + bad.replace("p.png", "q.png"), "", bad)
    for words, number in (("--exclude /[04]", 2), ("--include /4", 1), ("--exclude /[024]", 0)):
        line = summary(said(feed, "-o", "s.xml", *words.split()))
        assert ("left out" in line) == bool(number)
        assert not number or f"; left out: {number} image" in line


def test_each_host_is_counted_and_input_once(said: Said) -> None:
    feed = rss(video("a"), video("b")).replace("https://ex.com/1", "https://other.example/1")
    broken = feed.replace("</channel>", "<item><title>no page</title></item></channel>")
    err = said(broken, "-o", "s.xml", "--split-hosts")
    assert "left out: 1 entry, 2 videos (" in summary(err)


def test_an_update_counts_new_omissions(said: Said) -> None:
    said(rss(video("a", SHOWN)), "-o", "s.xml", "--update")
    feed = rss(video("a", SHOWN), video("b")).replace("</channel>", "<item/></channel>")
    line = summary(said(feed, "-o", "s.xml", "--update"))
    assert line.endswith("left out: 1 entry, 1 video (--losses shows why)")
    Path("old.txt").write_text("https://ex.com/old\n")
    line = summary(said(feed, "-o", "m.xml", "--merge", "old.txt"))
    assert line.endswith("left out: 1 entry, 1 video (--losses shows why)")


# -- the table --------------------------------------------------------------------------------


def test_the_table_has_a_row_a_field(said: Said) -> None:
    x = '<price xmlns="urn:x">3</price>'
    feed = rss(x, "<author>a@ex.com</author>", video("a", SHOWN))
    err = said(feed, "-o", "s.xml", "--losses")
    rows = {row.split()[0]: row.split()[1:] for row in err.splitlines() if row}
    assert rows["FIELD"] == ["KEPT", "ALTERED", "LOST"]
    assert rows["title"] == ["1", "0", "2"]
    assert rows["author"] == ["0", "0", "1"]
    assert rows["entry/other/price"] == ["0", "0", "1"]
    assert rows["feed/title"] == ["0", "0", "1"]
    assert said("https://ex.com/a\n", "-o", "o.txt", "--losses").endswith(
        "nothing was left out, altered or lost\n"
    )
    quiet = said(feed, "-o", "s.xml", "--losses", "-q")
    assert quiet.splitlines()[:2] == err.splitlines()[1:3]
    Path("feed2sitemap.toml").write_text("losses = true")
    assert said(feed, "-o", "s.xml", "-q") == ""
    assert said(feed, "-o", "s.xml", "--losses", "-q") == quiet


def test_report_and_table_agree(said: Said) -> None:
    said(rss(video("a"), "", ""), "-o", "s.xml", "--report", "r.json")
    report = json.loads(Path("r.json").read_text())
    assert report["left_out"] == [
        {"item": "video", "number": 1, "why": "no thumbnail", "kept_by": []}
    ]
    assert (report["lost"]["title"], report["held"]["title"]) == (2, 1)
    assert report["inputs"] == ["source.xml"]


def test_losses_can_be_set_in_a_file_and_a_variable(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("feed2sitemap.toml").write_text("losses = true\n")
    assert "FIELD" in said(rss(""), "-o", "s.xml")
    monkeypatch.setenv("FEED2SITEMAP_LOSSES", "0")
    assert "FIELD" not in said(rss(""), "-o", "s.xml")


# -- sources ----------------------------------------------------------------------------------


def test_the_sitemaps_of_an_index_are_counted_apart(said: Said) -> None:
    url = "https://ex.com/{}"
    for name in ("a", "b"):
        Path(f"{name}.xml").write_text(
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
            f"<url><loc>{url.format(name)}</loc></url></urlset>"
        )
    index = (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<sitemap><loc>https://ex.com/a.xml</loc></sitemap>"
        "<sitemap><loc>https://ex.com/b.xml</loc></sitemap></sitemapindex>"
    )
    assert summary(said(index, "a.xml", "-o", "o.xml")) == (
        "o.xml: 2 URLs (from 2 sources, 2 sitemaps)"
    )


def test_the_library_reports_the_same_omissions() -> None:
    result = converter.convert(
        io.BytesIO(rss(video("a") + video("b")).encode()), io.BytesIO(), to="rss", count_fields=True
    )
    assert [(row.item, row.number, row.kept_by) for row in result.left_out] == [
        ("video", 1, ("mrss", "atom"))
    ]
    assert (result.named, result.sources, result.present["video"]) == (1, 1, 1)


def test_a_truncated_header_is_not_reported_as_damage(said: Said) -> None:
    labels = "".join(f"<category>{number}</category>" for number in range(300))
    feed = rss("").replace("<item>", f"{labels}<item>", 1)
    assert "header-cut" not in said(feed, "-o", "s.xml", "--strict")
    assert "info [header-cut]" in said(feed, "-o", "s.xml", "-v")
