"""The feeds that a list names."""

from __future__ import annotations

import io

import pytest

from converter.errors import LimitError
from converter.issues import Issue
from converter.sources.discovery.feed_finder import feeds_in_opml
from tests.builders import codes

NESTED = """<body>
  <outline text="g"><outline xmlUrl="https://a/1"><outline xmlUrl="https://a/2"/></outline></outline>
  <outline xmlUrl="https://a/3"/>
</body>"""


def feeds(body: str, base: str | None = None) -> tuple[list[str], list[str]]:
    issues: list[Issue] = []
    markup = (
        f"<?xml version='1.0'?>\n<opml version='2.0'><head><title>x</title></head>{body}</opml>"
    )
    found = feeds_in_opml(io.BytesIO(markup.encode()), base, issues.append)
    return list(found), codes(issues)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<body/>", []),
        ("<body><outline text='a group'/></body>", []),
        ("<body><outline type='rss' xmlUrl='https://a/f'/></body>", ["https://a/f"]),
        ("<body><outline xmlUrl=' https://a/f '/></body>", ["https://a/f"]),
        ("<BODY><Outline xmlurl='https://a/f'/></BODY>", ["https://a/f"]),
        (NESTED, ["https://a/1", "https://a/2", "https://a/3"]),
        (
            "<body><outline xmlUrl='https://a/1'/><outline xmlUrl='https://a/1'/></body>",
            ["https://a/1"],
        ),
        ("<body><outline type='include' url='https://a/x.opml'/></body>", []),
        ("<body><outline type='link' xmlUrl='https://a/x'/></body>", []),
        ("<body><outline xmlUrl='feed://a/f'/></body>", ["http://a/f"]),
        (
            "<body xmlns='http://opml.org/spec2'><outline xmlUrl='https://a/f'/></body>",
            ["https://a/f"],
        ),
        (
            "<body><outline text='a & b' xmlUrl='https://a/f?x=1&y=2'/></body>",
            ["https://a/f?x=1&y=2"],
        ),
    ],
)
def test_feeds_of_a_list_and_its_groups(body: str, found: list[str]) -> None:
    assert feeds(body)[0] == found


@pytest.mark.parametrize(
    "url", ["ftp://a/f", "file:///etc/passwd", "/f", "https://", "https://[a/"]
)
def test_feeds_that_cannot_be_fetched_are_reported(url: str) -> None:
    found, codes = feeds(f"<body><outline xmlUrl='{url}'/><outline xmlUrl='https://a/f'/></body>")
    assert (found, codes) == (["https://a/f"], ["url-unusable"])


def test_addresses_may_be_relative_to_the_list() -> None:
    assert feeds("<body><outline xmlUrl='f'/></body>", "https://a/b/l.opml")[0] == ["https://a/b/f"]


def test_a_list_without_end_is_refused() -> None:
    many = "".join(f"<outline xmlUrl='https://a/{number}'/>" for number in range(10_001))
    with pytest.raises(LimitError, match="more than 10,000 feeds"):
        feeds(f"<body>{many}</body>")


def test_feeds_before_a_fault_in_a_list_are_read() -> None:
    found, codes = feeds("<body><outline xmlUrl='https://a/f'/><outline")
    assert found == ["https://a/f"]
    assert "xml-broken" in codes or "xml-repaired" in codes
