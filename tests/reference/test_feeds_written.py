"""The corpus as feeds: a strict judge finds no error in them, and other readers read what we meant.

What other readers see is held against our model of the source; that the model is right, where
they all agree, `test_peers` says.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

import converter
from converter import ConverterError, Entry
from converter.formats.atom.write import AtomWriter
from converter.formats.rss.write import RssWriter
from converter.model import Rendition
from tests import feedrules
from tests.reference.conftest import NOW_EPOCH

if TYPE_CHECKING:  # pragma: no cover
    from conftest import Reference

Listed = Mapping[str, Mapping[str, Any]]

TARGETS = ("rss", "mrss", "atom")
NOW = datetime.fromtimestamp(int(NOW_EPOCH), UTC)


# -- what is written --------------------------------------------------------------------------


@dataclass(slots=True)
class Recorder:
    """Keeps the entries that a writer was given; those of the last walk count."""

    entries: list[Entry] = field(default_factory=list)
    _writer: object = None

    def over(self, render: Callable[..., Any]) -> Callable[..., Any]:
        def entry(writer: object, given: Entry, report: Any) -> Any:
            if writer is not self._writer:
                self._writer, self.entries = writer, []
            self.entries.append(given)
            return render(writer, given, report)

        return entry


@dataclass(frozen=True, slots=True)
class Written:
    """A document of the corpus as a feed, and the entries that it was made of."""

    source: str
    target: str
    path: Path
    entries: tuple[Entry, ...]

    @property
    def is_from_feed(self) -> bool:
        feed = self.entries[0].feed
        return feed is not None and feed.format in {"rss", "atom"}


@pytest.fixture(scope="session")
def written(reference: Reference, tmp_path_factory: pytest.TempPathFactory) -> tuple[Written, ...]:
    folder = tmp_path_factory.mktemp("feeds")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", NOW_EPOCH)
        return tuple(_written(reference.corpus, folder))


def _written(corpus: tuple[Path, ...], folder: Path) -> Iterator[Written]:
    for source in corpus:
        for target in TARGETS:
            path = folder / f"{source.name}.{target}"
            recorder = Recorder()
            with pytest.MonkeyPatch.context() as patch:
                for writer in (RssWriter, AtomWriter):
                    patch.setattr(writer, "entry", recorder.over(writer.entry))
                try:
                    converter.convert(source, path, to=target, report=lambda issue: None)
                except ConverterError:
                    continue
            yield Written(source.name, target, path, tuple(recorder.entries))


# -- the judge --------------------------------------------------------------------------------


def test_the_judge_finds_only_what_is_listed(written: tuple[Written, ...], listed: Listed) -> None:
    assert len(written) > 600
    errors = []
    warned: Counter[tuple[str, str]] = Counter()
    for feed in written:
        findings = feedrules.check(feed.path.read_bytes(), now=NOW)
        errors += [(feed.path.name, str(f)) for f in findings if f.severity == "error"]
        warned.update((rule, feed.target) for rule in {f.rule for f in findings})
    assert errors == []
    assert warned == {
        (warning["rule"], target): count
        for warning in listed["feed_warnings"]["warning"]
        for target, count in warning["documents"].items()
    }


# -- other readers ----------------------------------------------------------------------------

PEERS = ("feedparser", "fastfeedparser", "feedsmith")

_TAG = re.compile(r"<[^<>]{1,2000}>")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def _plain(value: str | None) -> str | None:
    """Give a title as the peers' runner does."""
    plain = _TAG.sub("", html.unescape(html.unescape(value or "")))
    return " ".join(plain.replace("\xa0", " ").split()) or None


def _date(entry: Entry) -> str | None:
    """Give the date, if it has come: others are struck."""
    moment = entry.published or entry.updated
    if moment is None or moment.instant > NOW:
        return None
    return moment.instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _renditions(entry: Entry) -> Iterator[Rendition]:
    for video in entry.videos:
        yield from video.renditions
    for audio in entry.audios:
        yield from audio.renditions
    yield from (image.rendition or Rendition(url=image.url) for image in entry.images)


def _id(entry: Entry, target: str) -> str | None:
    """Give the id, unless Atom cannot have it: then one is made."""
    given = " ".join((entry.id or "").split())
    return given if _IRI.fullmatch(given) or (given and target != "atom") else None


def _media(entry: Entry, target: str) -> list[str] | None:
    """Give the files; of plain RSS the first enclosure, if there was any."""
    files = list(_renditions(entry))
    if target != "rss":
        return sorted({file.url for file in files})
    given = [file.url for file in files if file.from_enclosure and file.mime]
    return given[:1] if given or not files else None


#: What the entry says, by the name that the field has with the peers' runner. None: nothing, so
#: whatever stands there was supplied.
FIELDS: Mapping[str, Callable[[Entry, str], object]] = MappingProxyType(
    {
        "link": lambda entry, target: entry.loc,
        "id": _id,
        "title": lambda entry, target: _plain(entry.title),
        "date": lambda entry, target: _date(entry),
        "media": _media,
    }
)


def test_other_readers_see_the_values_of_the_source(
    written: tuple[Written, ...], reference: Reference, listed: Listed
) -> None:
    feeds = {f.path: f for f in written if f.is_from_feed and f.target in {"rss", "atom"}}
    verdicts = reference.judged("read_feed.py", feeds, "--full")
    assert len(verdicts) == len(feeds)
    unseen: Counter[tuple[str, ...]] = Counter()
    for verdict in verdicts:
        feed = feeds[Path(verdict["file"])]
        assert verdict["counts"] == dict.fromkeys(PEERS, len(feed.entries)), feed.path.name
        unseen.update(_unseen(verdict, feed))
    assert unseen == {
        (quirk["file"], target, quirk["field"], peer): quirk["entries"]
        for quirk in listed["feed_readers"]["quirk"]
        for target in quirk["targets"]
        for peer in quirk["peers"]
    }


def _unseen(verdict: Mapping[str, Any], feed: Written) -> Iterator[tuple[str, ...]]:
    """Give, for each field of each entry, the peers that see something else than we meant."""
    for row, entry in zip(verdict["entries"], feed.entries, strict=True):
        for name, of in FIELDS.items():
            said = of(entry, feed.target)
            same = dict.fromkeys(PEERS, row[name])
            seen = row.get("disagree", {}).get(name, {}).get("values", same)
            for peer in PEERS:
                if said is not None and seen[peer] != said:
                    yield feed.source, feed.target, name, peer


# -- there and back ---------------------------------------------------------------------------

#: What a sitemap has and RSS keeps (mapping 5); what is altered only past a sitemap's own limits
#: is exact for what comes from one.
_IN_RSS = frozenset({"lastmod"})
_IN_MRSS = _IN_RSS | {
    *("image.loc", "image.title", "image.caption", "image.geo_location", "image.license"),
    *("video.content_loc", "video.player_loc", "video.thumbnail_loc", "video.title"),
    *("video.description", "video.duration", "video.expiration_date", "video.publication_date"),
    *("video.rating", "video.view_count", "video.tag", "video.family_friendly"),
    *("video.restriction", "video.restriction:relationship", "video.uploader"),
    *("video.requires_subscription", "video.live"),
}
KEPT: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "rss": _IN_RSS,
        "mrss": _IN_MRSS,
        "atom": _IN_MRSS | {"video.uploader:info", "link:hreflang", "link:href"},
    }
)

#: What Atom demands, so that it is there on the way back: only what was there is compared.
_SUPPLIED = frozenset({("atom", "lastmod"), ("atom", "video.uploader")})

#: "No" is what their absence says, and all that a feed can.
_NO = frozenset({("video.live", "no"), ("video.requires_subscription", "no")})

Page = Mapping[str, list[str]]


def test_a_sitemap_comes_back_from_a_feed(
    reference: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: Listed
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", NOW_EPOCH)
    compared = 0
    changed: Counter[tuple[str, str, str]] = Counter()
    for source in reference.corpus:
        first = tmp_path / f"{source.name}.xml"
        try:
            _quietly(source, first)
        except ConverterError:
            continue
        pages = _pages(first)
        compared += len(pages)
        for target in TARGETS:
            changed.update((source.name, target, name) for name in _changes(first, pages, target))
    assert compared > 1500
    assert changed == {
        (change["file"], target, change["field"]): change["pages"]
        for change in listed["feed_round_trips"]["change"]
        for target in change["targets"]
    }


def _quietly(source: Path, target: Path) -> None:
    converter.convert(source, target, legacy_tags=True, report=lambda issue: None)


def _changes(sitemap: Path, pages: Mapping[str, Page], target: str) -> Iterator[str]:
    """Send a sitemap through a feed, and give for each page the fields that changed."""
    feed = sitemap.with_suffix(f".{target}")
    back = sitemap.with_suffix(f".{target}.xml")
    _quietly(sitemap, feed)
    _quietly(feed, back)
    again = _pages(back)
    assert again.keys() == pages.keys(), feed.name
    for loc, page in pages.items():
        for name in KEPT[target]:
            before, after = page.get(name, []), again[loc].get(name, [])
            if before != after and (before or (target, name) not in _SUPPLIED):
                yield name


def _pages(sitemap: Path) -> dict[str, Page]:
    pages: dict[str, Page] = {}
    for url in etree.parse(sitemap).getroot():
        values = [value for child in url for value in _values(child)]
        page: dict[str, list[str]] = {}
        for name, value in values:
            page.setdefault(name, []).append(value)
        pages[page["loc"][0]] = page
    return pages


def _values(element: etree._Element, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Give texts and attributes by name: `lastmod`, `video.title`, `video.restriction:type`."""
    name = prefix + etree.QName(element).localname
    for child in element:
        yield from _values(child, f"{name}.")
    text = element.text or ""
    if not len(element) and (name, text) not in _NO:
        yield name, f"{text}T00:00:00+00:00" if _DAY.fullmatch(text) else text
    yield from ((f"{name}:{key}", str(value)) for key, value in element.attrib.items())
