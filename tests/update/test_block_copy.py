"""Claims about block copy: what our writer made is cut as it is, all else is refused."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.formats import registry
from converter.formats.base import Writer
from converter.issues import ignore
from converter.model import Entry, Feed, Image, Moment, News
from converter.options import TransformOptions, WriteOptions
from converter.pipeline.transforms.filters import Expiry
from converter.update import block_copy
from converter.update.block_copy import (
    NotOwnOutputError,
    UrlCheck,
    as_rendered,
    blocks_of,
    url_blocks,
)
from tests.builders import NOW


def writer(*, pretty: bool = False) -> Writer:
    return registry.by_name("sitemap").new_writer(WriteOptions(now=NOW, pretty=pretty))


def normal(_: list[bytes]) -> bool:
    return True


def document(entries: list[Entry], *, pretty: bool = False) -> tuple[bytes, list[bytes]]:
    writing = writer(pretty=pretty)
    made = [r for r in (writing.entry(entry, ignore) for entry in entries) if r]
    prefixes = frozenset[str]().union(*(r.prefixes for r in made))
    bodies = [r.body for r in made]
    return writing.head(Feed(), prefixes) + b"".join(bodies) + writing.tail(Feed()), bodies


ENTRIES = st.lists(
    st.builds(
        Entry,
        loc=st.sampled_from(
            ["https://ex.com/a?b=1&c='2'", "https://ex.com/</url>", "https://e.co/"]
        ),
        updated=st.sampled_from([None, Moment(instant=NOW)]),
        images=st.sampled_from([(), (Image(url="https://ex.com/a.png"),)]),
        news=st.sampled_from(
            [
                None,
                News(
                    name="N", language="en", title="<url>\n</url>\n", published=Moment(instant=NOW)
                ),
            ]
        ),
    ),
    max_size=9,
)


@given(entries=ENTRIES, pretty=st.booleans(), size=st.sampled_from([1, 100, 10**6]))
@pytest.mark.property
def test_our_sitemap_is_cut_into_its_elements(
    entries: list[Entry], pretty: bool, size: int
) -> None:
    data, bodies = document(entries, pretty=pretty)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_copy, "_PIECE_BYTES", size)
        cut = list(url_blocks(io.BytesIO(data), writer(), normal))
    assert [block for piece in cut for block in blocks_of(piece.text)] == bodies
    assert [len(piece.locs) for piece in cut] == [len(blocks_of(piece.text)) for piece in cut]
    again = [as_rendered(piece.text, piece.prefixes) for piece in cut]
    assert b"".join(each.body for each in again) == b"".join(bodies)
    assert sum(each.images for each in again) == sum(len(e.images) for e in entries)
    assert any(piece.with_news() for piece in cut) == any(e.news for e in entries)


def test_a_piece_has_its_urls_as_they_are_in_the_file() -> None:
    entries = [
        Entry(loc="https://ex.com/?a=1&b=2", updated=Moment(instant=NOW)),
        Entry(loc="https://e.co/"),
    ]
    (piece,) = url_blocks(io.BytesIO(document(entries)[0]), writer(), normal)
    assert piece.locs == [b"https://ex.com/?a=1&amp;b=2", b"https://e.co/"]
    drop_first = Expiry(("a=1&b",))
    expire = Expiry(before=NOW + timedelta(seconds=1))
    assert (piece.expired(drop_first), piece.expired(expire)) == ({0}, {0})


HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)
IMAGE_URI = "http://www.google.com/schemas/sitemap-image/1.1"
IMAGES = HEAD.replace('0.9">', f'0.9" xmlns:image="{IMAGE_URI}">')
URL = "<url><loc>https://ex.com/</loc></url>\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<",
        HEAD,
        HEAD + URL,
        HEAD + URL + "</urlset>",
        HEAD + URL + "</urlset>\n\n",
        HEAD + URL + "</urlset>\n<!-- made by hand -->\n",
        HEAD + "<!-- " + URL + " -->" + "</urlset>\n",
        HEAD + URL + "<!-- \n" + URL + "-->" + URL + "</urlset>\n",
        HEAD + "<url><loc><![CDATA[https://ex.com/]]></loc></url>\n</urlset>\n",
        HEAD + "<url><lastmod>2026-01-01</lastmod><loc>https://ex.com/</loc></url>\n</urlset>\n",
        HEAD + "<url><loc>https://ex.com/</loc></url></urlset>\n",
        HEAD + URL.strip() + URL + "</urlset>\n",
        HEAD + "<url/>\n" + URL + "</urlset>\n",
        HEAD + "<?php ?>" + URL + "</urlset>\n",
        HEAD + URL + "text" + URL + "</urlset>\n",
        HEAD + "<url><loc>https://ex.com</loc></url>\n</urlset>\n",
        HEAD + "<url><loc>https://EX.com/</loc></url>\n</urlset>\n",
        HEAD + "<url><loc>https://ex.com/?utm_source=x</loc></url>\n</urlset>\n",
        HEAD + "<url><loc>https://ex.com/ü</loc></url>\n</urlset>\n",
        HEAD + "<url><loc> https://ex.com/a </loc></url>\n</urlset>\n",
        HEAD + "<url><loc>/relative/page</loc></url>\n</urlset>\n",
        HEAD + "<url><loc>https://ex.com/?a=1&b=2</loc></url>\n</urlset>\n",
        HEAD + "<url><loc>https://ex.com/a</loc><lastmod>today</lastmod></url>\n</urlset>\n",
        HEAD + "<url><loc>https://ex.com/a</loc><priority>5</priority></url>\n</urlset>\n",
        HEAD + "<url><loc>https://ex.com/a</loc><foo>x</foo></url>\n</urlset>\n",
        IMAGES + "<url><loc>https://ex.com/a</loc><image:image></url>\n</urlset>\n",
        IMAGES + "<url><loc>https://ex.com/a</loc><image:b/><foo/></url>\n</urlset>\n",
        HEAD.replace('"1.0"', "'1.0'") + URL + "</urlset>\n",
        HEAD.replace("UTF-8", "ISO-8859-1") + URL + "</urlset>\n",
        HEAD.replace("0.9", "0.84") + URL + "</urlset>\n",
        HEAD.replace('0.9">', '0.9" xmlns:other="urn:x">') + URL + "</urlset>\n",
        HEAD.replace('0.9">', '0.9" xmlns:image="urn:x">') + URL + "</urlset>\n",
        HEAD.replace("?>\n", "?>") + URL + "</urlset>\n",
        HEAD.replace("urlset", "sitemapindex") + URL + "</sitemapindex>\n",
    ],
)
def test_other_markup_is_not_ours(text: str) -> None:
    with pytest.raises(NotOwnOutputError):
        list(url_blocks(io.BytesIO(text.encode()), writer(), UrlCheck(TransformOptions(now=NOW))))


def test_a_sitemap_without_urls_is_ours() -> None:
    assert list(url_blocks(io.BytesIO((HEAD + "</urlset>\n").encode()), writer(), normal)) == []
