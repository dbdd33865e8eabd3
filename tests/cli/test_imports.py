"""A run imports no more modules than it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: Tells which of the modules that it is asked about were imported by a run.
DRIVER = """
import sys
from converter.cli import main
asked, words = sys.argv[1].split(), sys.argv[2:]
code = main(words)
print(*(name for name in asked if name in sys.modules))
sys.exit(code)
"""

#: What a feed without media, and a list, can do without.
UNUSED = (
    *("decimal", "email", "http", "logging", "multiprocessing"),
    *(
        "ipaddress",
        "pathlib",
        "requests",
        "socket",
        "sqlite3",
        "subprocess",
        "tempfile",
        "zoneinfo",
    ),
    *("converter.conversion.news_file", "converter.sources.sitemap_index"),
    *(
        "converter.formats.fallback",
        "converter.update.entry_store",
        "converter.pipeline.transforms.sort",
        "converter.values.dates.days",
        "converter.values.countries",
        "converter.values.ratings",
    ),
    *(
        "converter.extensions.image",
        "converter.extensions.field_support.feed_losses",
        "converter.extensions.mediarss.build_media",
    ),
    *(
        "converter.extensions.mediarss.group",
        "converter.extensions.news",
        "converter.extensions.element_writer",
    ),
    *(
        "converter.extensions.required_feed_fields",
        "converter.extensions.video",
        "converter.xml.repair",
    ),
)
RSS = """\
<rss version="2.0"><channel><title>T</title><link>https://a.example/</link>
<item><title>R&amp;D</title><link>https://a.example/1</link><guid>https://a.example/1</guid>
<pubDate>Fri, 20 Nov 2025 08:00:00 +0000</pubDate></item></channel></rss>
"""
ATOM = """\
<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:x:1</id>
<link href="https://a.example/"/><entry><title>1</title><id>urn:x:2</id>
<link href="https://a.example/1"/><updated>2025-11-20T08:00:00Z</updated></entry></feed>
"""
PICTURE = '<link rel="enclosure" type="image/jpeg" href="https://a.example/1.jpg" length="7"/>'
LIST = "https://a.example/1\nhttps://a.example/2\n"


def test_importing_image_code_does_not_import_video_code(unmeasured: dict[str, str]) -> None:
    Path("a.atom").write_text(ATOM.replace("</entry>", f"{PICTURE}</entry>"))
    asked = "converter.extensions.image converter.extensions.video decimal"
    command = [sys.executable, "-c", DRIVER, asked, "a.atom", "-o", "s.xml"]
    ran = subprocess.run(command, capture_output=True, check=True, env=unmeasured, text=True)
    assert ran.stdout == "converter.extensions.image\n"


@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("a.rss", RSS, ()),
        ("a.atom", ATOM, ()),
        ("a.txt", LIST, ("gzip", "lxml", "converter.extensions.mediarss")),
    ],
)
def test_a_run_imports_no_more_than_it_needs(
    name: str, text: str, more: tuple[str, ...], unmeasured: dict[str, str]
) -> None:
    Path(name).write_text(text)
    command = [sys.executable, "-c", DRIVER, " ".join((*UNUSED, *more)), name, "-o", "s.xml"]
    for _ in ("into nothing", "over what stood there"):
        ran = subprocess.run(command, capture_output=True, check=True, env=unmeasured, text=True)
        assert ran.stdout == "\n"
        assert ran.stderr.startswith("s.xml: ")
