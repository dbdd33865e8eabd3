"""Claims about the ends of file names."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.values.media_types import format_extension


@pytest.mark.parametrize(
    ("path", "extension"),
    [
        ("blog.rss", ".rss"),
        ("a.b/blog.ATOM", ".atom"),
        ("blog.rss.gz", ".rss"),
        ("BLOG.RSS.GZ", ".rss"),
        ("blog.gz", ""),
        ("blog.gz.gz", ".gz"),
        ("/feed.rss/", ".rss"),
        ("a.rss/feed", ""),
        (".rss", ""),
        ("a/.gz", ""),
        ("..rss", ".rss"),
        ("blog.", ""),
        ("-", ""),
        ("", ""),
        ("/", ""),
    ],
)
def test_an_extension_follows_the_last_dot_of_a_name(path: str, extension: str) -> None:
    assert format_extension(path) == extension


@pytest.mark.property
@given(st.lists(st.text("aG./z", min_size=1, max_size=6), max_size=3).map("".join))
def test_it_equals_the_suffix_of_pathlib(path: str) -> None:
    # A final dot is another matter: https://docs.python.org/3.14/library/pathlib.html
    if not path.endswith(".") and "./" not in f"{path}/":
        name = PurePosixPath(path)
        bare = name.with_suffix("") if name.suffix.lower() == ".gz" else name
        if not bare.name.endswith("."):
            assert format_extension(path) == bare.suffix.lower()
