"""Claims about namespaces: bound by what they mean, not by how they are spelt."""

from __future__ import annotations

import pytest

from converter.xml import namespaces
from converter.xml.namespaces import (
    NAMESPACES,
    URI_OF,
    CanonicalNames,
    canonical_name,
    canonical_prefix,
)

MRSS = "http://search.yahoo.com/mrss/"


@pytest.mark.parametrize(
    ("prefix", "uri"), [(p, uri) for p, uris in NAMESPACES.items() for uri in uris]
)
def test_each_uri_is_found_in_every_spelling(prefix: str, uri: str) -> None:
    bare = uri.removeprefix("http://").removeprefix("https://")
    spellings = {uri, uri.upper(), f" {uri}\n", f"http://{bare}", f"https://{bare}"}
    spellings |= {f"{one.rstrip('/#')}{end}" for one in (uri,) for end in ("", "/", "#")}
    assert {canonical_prefix(spelling) for spelling in spellings} == {prefix}


@pytest.mark.parametrize(
    "uri",
    [
        "http://purl.org/atom/ns#draft-ietf-atompub-format-00",
        "HTTPS://PURL.ORG/atom/ns#draft-ietf-atompub-format-10/",
        "http://purl.org/echo",
        "http://example.com/newformat#",
    ],
)
def test_drafts_of_atom_are_atom(uri: str) -> None:
    assert canonical_prefix(uri) == "atom"


def test_no_uri_has_two_prefixes() -> None:
    for prefix, uris in NAMESPACES.items():
        assert {canonical_prefix(uri) for uri in uris} == {prefix}
    assert {prefix: uris[0] for prefix, uris in NAMESPACES.items()} == URI_OF


@pytest.mark.parametrize("uri", ["", "/", "http://", "http://ex.com/mrss/", "search.yahoo.com"])
def test_unknown_uris_have_no_prefix(uri: str) -> None:
    assert canonical_prefix(uri) is None


@pytest.mark.parametrize(
    ("tag", "home", "expected"),
    [
        ("title", "rss", "title"),
        ("{http://purl.org/rss/1.0/}title", "rss", "title"),
        ("{http://purl.org/rss/1.0/}title", "atom", "rss:title"),
        (f"{{{MRSS}}}content", "rss", "media:content"),
        ("{https://WWW.rssboard.org/media-rss}content", "rss", "media:content"),
        ("{http://www.w3.org/2005/Atom}link", "atom", "link"),
        ("{http://www.w3.org/2005/Atom}link", "rss", "atom:link"),
        ("{urn:other}title", "rss", "{urn:other}title"),  # by its URI, whatever its prefix
        ("media:content", "rss", "media:content"),  # never declared
        ("atom:link", "atom", "link"),
        ("odd:thing", "rss", "odd:thing"),
        ("{urn:a}b:c", "rss", "{urn:a}b:c"),
    ],
)
def test_a_tag_has_one_name(tag: str, home: str, expected: str) -> None:
    assert canonical_name(tag, home) == expected


def test_known_names_are_found_in_any_case() -> None:
    found = CanonicalNames("rss", frozenset({"pubDate", "itunes:image", "guid"}))
    itunes = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
    assert [found[tag] for tag in ("pubdate", "PUBDATE", f"{itunes}Image", "GUID", "Other")] == [
        "pubDate",
        "pubDate",
        "itunes:image",
        "guid",
        "Other",
    ]


def test_the_cache_of_names_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "_MAX_CACHED", 3)
    found = CanonicalNames("rss", frozenset({"guid"}))
    assert [found[f"tag{n}"] for n in range(9)] == [f"tag{n}" for n in range(9)]
    assert len(found) == 3
    assert found["GUID"] == "guid"
