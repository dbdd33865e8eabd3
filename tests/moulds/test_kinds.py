"""The promise of each row of the tables: whatever value fits, both ways lead to the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from converter.moulds import kinds
from converter.moulds.kinds import ATTRIBUTES, KINDS, Kind, kind_of

if TYPE_CHECKING:
    from conftest import Both

pytestmark = pytest.mark.property

#: Where an element or an attribute stands in an entry; others stand in an item by themselves.
_PLACES: Final[Mapping[str, str]] = {
    "author/name": "<author><name>{}</name></author>",
    "image:loc": "<image:image><image:loc>{}</image:loc></image:image>",
    "link[alternate]@href": '<link href="{}"/>',
    "link[enclosure]@href": '<link rel="enclosure" href="{}" type="image/jpeg"/>',
    "link@length": '<link rel="enclosure" href="https://e.example/i.jpg" length="{}"/>',
    "item@rdf:about": "<x:none/>",
    "media:player@url": '<media:player url="{}"/>'
    '<media:thumbnail url="https://e.example/t.jpg"/><media:title>T</media:title>'
    "<media:description>D</media:description>",
    "media:starRating@average": '<media:community><media:starRating average="{}" min="1" max="5"/>'
    "</media:community>",
    "media:starRating@count": '<media:community><media:starRating average="4.5" count="{}"/>'
    "</media:community>",
    "media:statistics@views": '<media:community><media:statistics views="{}"/></media:community>',
    "media:statistics@favorites": '<media:community><media:statistics favorites="{}"/>'
    "</media:community>",
    "media:credit": '<media:credit role="author">{}</media:credit>',
    "enclosure@url": '<enclosure url="{}" length="1" type="image/jpeg"/>',
    "enclosure@length": '<enclosure url="https://e.example/i.jpg" length="{}" type="image/jpeg"/>',
}

_VIDEO: Final = {
    "video:thumbnail_loc": "https://e.example/t.jpg",
    "video:title": "Video",
    "video:description": "About it",
    "video:content_loc": "https://e.example/v.mp4",
    "video:duration": "61",
    "video:view_count": "7",
    "video:publication_date": "2024-01-01T00:00:00Z",
}
_MEDIA: Final = {
    "url": "https://e.example/v.mp4",
    "type": "video/mp4",
    "duration": "61",
    "width": "640",
    "height": "480",
    "bitrate": "100",
    "fileSize": "1000",
}

_NAMESPACES: Final = """
    xmlns:media="http://search.yahoo.com/mrss/" xmlns:x="http://x.example/"
    xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0"
    xmlns:wfw="http://wellformedweb.org/CommentAPI/"
    xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
    xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"
    xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
    xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
"""
_FORMATS: Final = {
    "item": (f'<rss version="2.0" {_NAMESPACES}><channel><title>T</title>', "</channel></rss>"),
    "entry": (f'<feed xmlns="http://www.w3.org/2005/Atom" {_NAMESPACES}>', "</feed>"),
    "url": (
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {_NAMESPACES}>',
        "</urlset>",
    ),
}
#: An entry without the element that is tried; `~` stands for its number.
_USUAL: Final = {
    "item": {"title": "Title ~", "link": "https://e.example/a~"},
    "entry": {"title": "Title ~", "id": "tag:e.example,2020:~"},
    "url": {"loc": "https://e.example/a~"},
}
_OF_ATOM: Final = {
    *("id", "published", "updated", "issued", "created", "modified"),
    *("summary", "content", "author/name", "thr:total"),
}


class _Try(NamedTuple):
    """One row, with one of the walls that its values may stand between."""

    key: str
    kind: Kind
    before: str
    after: str
    in_cdata: bool

    @property
    def pattern(self) -> str:
        return (self.kind.in_cdata if self.in_cdata else self.kind.pattern) or ""

    def written(self, inner: str) -> str:
        whole = f"{self.before}{inner}{self.after}"
        return f"<![CDATA[{whole}]]>" if self.in_cdata else whole

    @property
    def tag(self) -> str:
        if self.key in _OF_ATOM or self.key.startswith(("link[", "link@", "category@")):
            return "entry"
        return "url" if self.key.startswith(("loc", "lastmod", "image:", "video:")) else "item"

    @property
    def place(self) -> str:
        """The markup around the value."""
        if self.key in _PLACES:
            return _PLACES[self.key]
        if self.key in _VIDEO:
            inner = "".join(
                f"<{name}>{'{}' if name == self.key else value}</{name}>"
                for name, value in _VIDEO.items()
            )
            return f"<video:video>{inner}</video:video>"
        name, _, attribute = self.key.partition("@")
        if name == "media:content":
            inner = " ".join(
                f'{known}="{"{}" if known == attribute else value}"'
                for known, value in _MEDIA.items()
            )
            return f'<media:content {inner}/><media:thumbnail url="https://e.example/t.jpg"/>'
        if name.startswith("link["):
            return f'<link rel="{name[5:-1]}" href="{{}}"/>'
        return f'<{name} {attribute}="{{}}"/>' if attribute else f"<{name}>{{}}</{name}>"

    def document(self, values: list[str]) -> str:
        """Give a document with an entry for each value."""
        head, tail = _FORMATS[self.tag]
        entries = (self._entry(number, value) for number, value in enumerate(values))
        return f"{head}{''.join(entries)}{tail}"

    def _entry(self, number: int, value: str) -> str:
        usual = {name: text for name, text in _USUAL[self.tag].items() if name != self.key}
        rest = "".join(f"<{name}>{text}</{name}>" for name, text in usual.items())
        if self.tag == "entry" and "link[alternate]" not in self.key:
            rest += '<link href="https://e.example/a~"/>'
        inner = rest.replace("~", str(number)) + self.place.replace("{}", value)
        return f"<{self.tag}>{inner}</{self.tag}>\n"


#: An example of each kind of value that has walls.
_WALLED: Final = {
    "page": ("https://e.example/p1",),
    "file": ("https://e.example/p1.jpg", "https://e.example/p1.jpg?w=1", "https://e.example/p1"),
    "link": ("https://e.example/p1",),
    "id": ("id-1", "https://e.example/p1", "tag:e.example,2020:1", "urn:uuid:12-ab"),
    "date": ("Mon, 01 Jan 2024 00:00:01 GMT", "2024-01-01T00:00:01Z", "2024-01-01T00:00:01+02:00"),
}


def _tries() -> Iterator[_Try]:
    for key, row in {**KINDS, **ATTRIBUTES}.items():
        for example in _WALLED[row] if isinstance(row, str) else ("",):
            found = kind_of(row, example)
            assert found is not None
            before, kind, after = found
            yield _Try(key, kind, before, after, in_cdata=False)
            if kind.in_cdata and key in KINDS:
                yield _Try(key, kind, before, after, in_cdata=True)


_ALL: Final = tuple(_tries())
_CHARS: Final = st.characters(
    codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="￾￿"
) | st.sampled_from(" \t\n")
_TARGETS: Final = st.sampled_from(["sitemap", "txt", "atom", "rss", "mrss"])


def _name_of(row: _Try) -> str:
    return f"{row.key}-{row.written('_')}"


@pytest.mark.parametrize("row", _ALL, ids=_name_of)
@settings(max_examples=8, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_fits_a_row_comes_out_as_on_the_plain_way(
    both: Both, row: _Try, data: st.DataObject
) -> None:
    value = st.from_regex(row.pattern, fullmatch=True, alphabet=_CHARS)
    drawn = data.draw(st.lists(value, min_size=1, max_size=12))
    usual = [row.kind.probe(number, 0) for number in range(4)]
    values = [row.written(inner) for inner in (*usual, *drawn, *usual)]
    both(row.document(values), first_bytes=1300, slice_bytes=300, to=data.draw(_TARGETS))


@pytest.mark.parametrize("row", _ALL, ids=_name_of)
def test_a_row_is_worth_its_line(both: Both, row: _Try) -> None:
    values = [row.written(row.kind.probe(number, 0)) for number in range(20)]
    assert both(row.document(values), first_bytes=1300, slice_bytes=300, to="sitemap") > 3


def test_ways_are_told_from_relations() -> None:
    """A row without an example here would be a promise that nobody holds it to."""
    assert {row.key for row in _ALL} == {*KINDS, *ATTRIBUTES}
    assert kinds.kind_of("page", "https://www.youtube.com/watch?v=1") is None
