"""Memory does not grow with the input, except for the digests of duplicates."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.memory, pytest.mark.usefixtures("in_tmp_path")]

#: The interpreter, lxml, buffers, one part's worth of work.
BASE_BYTES = 64 * 1024 * 1024
#: A digest in a set.
BYTES_PER_URL = 130

ITEM = """<item><title>No. {0}</title><link>https://ex.com/watch/{0}</link>
<guid isPermaLink="false">{0}</guid><pubDate>Wed, 01 Jan 2025 10:00:00 GMT</pubDate>
<description>&lt;p&gt;What is said of number {0}, in a sentence or two.&lt;/p&gt;</description>
<media:group><media:content url="https://cdn.example/{0}-low.mp4" type="video/mp4" height="360"/>
<media:content url="https://cdn.example/{0}.mp4" type="video/mp4" height="720" duration="61"/>
<media:thumbnail url="https://cdn.example/{0}.jpg"/><media:keywords>a, b, c</media:keywords>
</media:group></item>
"""


def feed(count: int) -> Iterator[str]:
    yield '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>\n'
    yield from (ITEM.format(number) for number in range(count))
    yield "</channel></rss>\n"


def urls(count: int) -> Iterator[str]:
    yield from (f"https://ex.com/some/longer/path/to/page-{n}.html\n" for n in range(count))


URL = """<url><loc>https://ex.com/watch/{0}</loc>
<lastmod>20{1:02}-01-{2:02}T10:00:00+00:00</lastmod>
<video:video><video:thumbnail_loc>https://cdn.example/{0}.jpg</video:thumbnail_loc>
<video:title>No. {0}</video:title><video:description>What is said of it.</video:description>
<video:content_loc>https://cdn.example/{0}.mp4</video:content_loc></video:video></url>
"""


def sitemap(count: int) -> Iterator[str]:
    """Not in the order of a feed, so that one has to be sorted."""
    yield (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">\n'
    )
    yield from (URL.format(n, 10 + n * 7 % 15, 1 + n * 11 % 28) for n in range(count))
    yield "</urlset>\n"


def undated(count: int) -> Iterator[str]:
    """The pages of a sitemap, and nothing else."""
    yield '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    yield from (f"<url><loc>https://ex.com/a/page-no-{n}</loc></url>\n" for n in range(count))
    yield "</urlset>\n"


#: Runs what it is given and prints the peak. A small process of its own, because what a process
#: held before it became another program counts: that of pytest is large.
GAUGE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[2:])
assert done.returncode == int(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak_bytes(env: dict[str, str], *words: str, target: str = "s.xml", code: int = 0) -> int:
    """Convert in a process of its own, and give the most memory that it ever held."""
    run = [str(code), sys.executable, "-m", "converter", *words, "-o", target]
    gauge = subprocess.run(
        [sys.executable, "-c", GAUGE, *run], capture_output=True, text=True, check=False, env=env
    )
    assert gauge.returncode == 0, gauge.stderr
    unit = 1 if sys.platform == "darwin" else 1024
    return int(gauge.stdout) * unit


@pytest.mark.parametrize(
    ("name", "lines", "count", "words"),
    [
        ("a.rss", feed, 10_000, ()),
        ("a.txt", urls, 100_000, ()),
        ("a.txt", urls, 60_000, ("--sort", "url")),
        # a duplicate in the end makes a second walk; warnings by the thousand go to disk
        ("a.txt", lambda n: (*urls(n), *urls(1)), 60_000, ()),
        ("a.txt", lambda n: ("x\n" * n, *urls(1)), 100_000, ("-q",)),
    ],
    ids=["a feed of videos", "a list", "sorted", "walked twice", "nothing but warnings"],
)
def test_memory_is_bounded(
    name: str,
    lines: Callable[[int], Iterable[str]],
    count: int,
    words: tuple[str, ...],
    unmeasured: dict[str, str],
) -> None:
    with Path(name).open("w", encoding="utf-8") as file:
        file.writelines(lines(count))
    peak = peak_bytes(unmeasured, name, *words)
    assert peak < BASE_BYTES + BYTES_PER_URL * count, f"{peak / count:.0f} bytes an entry"


@pytest.mark.parametrize(
    ("name", "lines", "target", "count"),
    [
        ("a.txt", urls, "b.rss", 50_000),
        ("a.txt", urls, "b.atom", 50_000),
        ("a.xml", undated, "b.atom", 50_000),
        ("a.rss", feed, "b.atom", 10_000),
        ("a.rss", feed, "b.rss", 10_000),
    ],
)
def test_memory_is_bounded_where_ids_are_remembered_and_entries_wait_for_the_end(
    name: str,
    lines: Callable[[int], Iterable[str]],
    target: str,
    count: int,
    unmeasured: dict[str, str],
) -> None:
    with Path(name).open("w", encoding="utf-8") as file:
        file.writelines(lines(count))
    peak = peak_bytes(unmeasured, name, "-q", target=target)
    assert peak < BASE_BYTES + BYTES_PER_URL * count, f"{peak / count:.0f} bytes an entry"


def test_memory_is_bounded_on_the_way_to_a_feed_and_back(unmeasured: dict[str, str]) -> None:
    count = 10_000
    with Path("a.xml").open("w", encoding="utf-8") as file:
        file.writelines(sitemap(count))
    for source, target in (("a.xml", "b.mrss"), ("b.mrss", "c.xml")):
        peak = peak_bytes(unmeasured, source, "-q", target=target)
        assert peak < BASE_BYTES + BYTES_PER_URL * count, f"{target}: {peak:,} bytes"
    with Path("c.xml").open(encoding="utf-8") as file:
        assert sum(line.count("<video:content_loc>") for line in file) == count


CONTENT = '<media:content url="https://cdn.example/{0}.mp4" type="video/mp4" height="720"/>'


@pytest.mark.parametrize(("size", "count"), [(500_000, 400), (60_000, 3_000), (1_000, 160_000)])
def test_memory_is_bounded_whatever_entities_expand_to(
    size: int,
    count: int,
    unmeasured: dict[str, str],
) -> None:
    with Path("a.rss").open("w", encoding="utf-8") as file:
        file.write(f"<!DOCTYPE rss [<!ENTITY e '{'x' * size}'>]><rss><channel>")
        file.writelines(f"<u>{'x' * 1_000_000}</u>" for _ in range(44))  # libxml2's cap: five times
        file.write("<item><link>https://ex.com/</link>")
        file.writelines("<a>&e;</a>" for _ in range(count))
        file.write("</item></channel></rss>")
    assert peak_bytes(unmeasured, "-f", "rss", "a.rss", "-q", code=5) < 2 * BASE_BYTES


@pytest.mark.parametrize(
    ("begin", "inner", "code"),
    [
        ("<item>", "<a/>" * 25_000, 5),
        ("<item>", "".join(map(CONTENT.format, range(1_000))), 5),
        ("<item><description>", "x" * 100_000, 5),
        ("<item>&nbsp;", "<a/>" * 25_000, 5),
        ("<image>", "<a/>" * 25_000, 5),
        ("<category/><a ", "b='' " * 20_000, 5),
        ("<unknown>", "<a/>" * 25_000, 0),
        ("", "<!-- x -->" * 10_000, 0),
    ],
    ids=["elements", "media", "text", "repaired", "header", "attributes", "unread", "comments"],
)
def test_memory_is_bounded_whatever_one_element_holds(
    begin: str,
    inner: str,
    code: int,
    unmeasured: dict[str, str],
) -> None:
    end = f"</{begin[1:-1]}>" if begin == "<unknown>" else ""
    with Path("a.rss").open("w", encoding="utf-8") as file:
        file.write("".join(feed(1)).replace("</channel></rss>\n", begin))
        file.writelines(inner for _ in range(200))
        file.write(f"{end}</channel></rss>")
    assert peak_bytes(unmeasured, "a.rss", "-q", code=code) < 2 * BASE_BYTES
