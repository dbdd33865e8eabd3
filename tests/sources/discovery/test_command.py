"""The command line over a whole site: what is printed, what is published, how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.cli.commands import main
from tests.sources.discovery.conftest import Site
from tests.sources.discovery.test_found import RSS, html
from tests.sources.discovery.test_pages import GENERATOR, wordpress
from tests.sources.http.server import Reply

Capture = pytest.CaptureFixture[str]


def run(site: Site, *words: str) -> int:
    return main([site.url("/"), "--allow-private-hosts", "--retries", "0", *words])


def test_a_blog_of_300_posts_becomes_a_sitemap_of_300_urls(site: Site, capsys: Capture) -> None:
    blog = html((RSS, "Comments", "/comments/feed/"), (RSS, "Blog", "/feed/"))
    site.server.routes |= {"/": blog, "/feed/": wordpress(300, head=GENERATOR)}
    assert run(site, "--follow-pages", "--strict", "-o", "sitemap.xml") == 0
    assert Path("sitemap.xml").read_text("utf-8").count("<loc>") == 300
    assert [path.name for path in Path().iterdir()] == ["sitemap.xml"]
    feed, told = site.url("/feed/"), capsys.readouterr().err.splitlines()
    assert told[0].startswith(
        f"feed2sitemap: note: {site.url('/')}: an HTML page; reading its feed {feed}"
    )
    assert told[1] == f"feed2sitemap: note: {feed}: a feed in pages; reading 30 pages of it"
    assert told[2].startswith("sitemap.xml: 300 URLs (from 1 source, 30 pages)")


def test_a_blog_that_has_not_changed_rewrites_nothing(site: Site, capsys: Capture) -> None:
    blog = wordpress(300, head=GENERATOR)
    site.server.routes |= {"/": html((RSS, "Blog", "/feed/")), "/feed/": blog}
    words = ("--follow-pages", "--update", "--fail-if-shrinks", "5", "-o", "sitemap.xml")
    assert run(site, *words) == 0
    assert Path("sitemap.xml").read_text("utf-8").count("<loc>") == 300
    before = Path("sitemap.xml").stat()
    capsys.readouterr()
    assert run(site, *words) == 0
    after = Path("sitemap.xml").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    told = capsys.readouterr().err.splitlines()
    assert told[-1].startswith("sitemap.xml: unchanged, 300 URLs")
    site.server.routes["/feed/"] = wordpress(303, head=GENERATOR)
    assert main([site.url("/feed/"), "--allow-private-hosts", *words[1:]]) == 0
    assert Path("sitemap.xml").read_text("utf-8").count("<loc>") == 303
    assert "3 added" in capsys.readouterr().err


def test_the_notes_are_kept_quiet_where_that_is_asked(site: Site, capsys: Capture) -> None:
    site.server.routes |= {"/": html((RSS, "", "/feed/")), "/feed/": wordpress(10)}
    assert run(site, "-q", "-o", "sitemap.xml") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "code"),
    [((), 3), (("--keep-going",), 0), (("--keep-going", "--strict"), 1)],
)
def test_a_page_that_fails(site: Site, capsys: Capture, words: tuple[str, ...], code: int) -> None:
    blog = wordpress(30, head=GENERATOR)
    site.server.routes |= {"/": html((RSS, "", "/feed/"))}
    site.server.routes["/feed/"] = lambda asked: (
        Reply(500) if "paged=3" in asked.path else blog(asked)
    )
    Path("sitemap.xml").write_text("old", "utf-8")
    assert run(site, "--follow-pages", "-o", "sitemap.xml", *words) == code
    text = Path("sitemap.xml").read_text("utf-8")
    assert text == "old" if code == 3 else text.count("<loc>") == 20
    assert "paged=3" in capsys.readouterr().err


def test_a_page_without_anything_to_read(site: Site, capsys: Capture) -> None:
    site.server.routes["/"] = html()
    assert run(site) == 4
    assert "Look in the page for a link to the feed" in capsys.readouterr().err
