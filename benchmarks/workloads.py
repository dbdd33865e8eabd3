"""What is measured: which source, what is made of it, beside whom, and what we aim for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from benchmarks.data import KINDS, Source

__all__ = ["GROUPS", "Workload", "workloads"]

#: What can be asked for by one word, beside the workloads themselves.
GROUPS = ("conversions", "growth", "memory", "pairs", "start-up")

TO_SITEMAP = ("-o", "sitemap.xml")
#: A set that is published, and the run that makes it.
STANDING = ("-o", "sitemap.xml.gz", "--sitemap-url", "https://www.example.com/sitemap.xml.gz")
ANEW = "all of it anew"
ONE_JOB = "feed2sitemap --jobs 1"
TO_A_SITEMAP = "to a sitemap"


@dataclass(frozen=True, slots=True)
class Workload:
    """One source, and all that is run on it in turn."""

    name: str
    group: str
    title: str
    source: Source | None
    #: Our runs: their names, and the words behind the program's name and the source.
    ours: Mapping[str, Sequence[str]]
    peers: Sequence[str] = ()
    #: How much of a peer's time we want to take at most.
    aims: Mapping[str, float] = field(default_factory=dict)
    #: A list of URLs that our runs find published beside them already, compressed and in parts; to
    #: make that anew is a run of its own.
    standing: Source | None = None
    #: Short runs are repeated so many times more often.
    times: int = 1


def workloads(*, scale: float, has_jobs: bool) -> Iterator[Workload]:
    """Give all of them, with sources of `scale` times their size."""
    yield from _feeds(scale, has_jobs=has_jobs)
    yield from _lists(scale, has_jobs=has_jobs)
    yield from _others(scale)
    yield _updates(scale)
    yield from _growth(scale)
    yield from _memory(scale)
    yield from _pairs(scale)
    yield from _start_up()


# -- conversions ------------------------------------------------------------------------------

_conversion = partial(Workload, group="conversions")

#: Peers in the order in which they are shown.
_READERS = ("xmllint", "lxml", "feedparser", "fastfeedparser", "feedsmith")

#: What we aim for, of the time of those who only read: feedparser, fastfeedparser, xmllint.
_FEEDS = {
    "small": (1 / 25, 0.5, 4.0),
    "blog": (1 / 25, 1.0, 2.2),
    "mrss": (1 / 20, 1.0, 4.4),
    "atom": (1 / 25, 0.5, 3.5),
}


def _ours(*words: str, has_jobs: bool) -> dict[str, Sequence[str]]:
    ours: dict[str, Sequence[str]] = {"feed2sitemap": words}
    if has_jobs:
        ours[ONE_JOB] = (*words, "--jobs", "1")
    return ours


def _feeds(scale: float, *, has_jobs: bool) -> Iterator[Workload]:
    for kind, aims in _FEEDS.items():
        yield _conversion(
            name=kind,
            title=f"{KINDS[kind].title} to a sitemap",
            source=Source(kind=kind, megabytes=100 * scale),
            ours=_ours(*TO_SITEMAP, has_jobs=has_jobs),
            peers=_READERS,
            aims=dict(zip(("feedparser", "fastfeedparser", "xmllint"), aims, strict=True)),
        )


def _lists(scale: float, *, has_jobs: bool) -> Iterator[Workload]:
    many = Source(kind="list", entries=round(1_000_000 * scale))
    yield _conversion(
        name="list",
        title="List of URLs to sitemaps and their index",
        source=many,
        ours=_ours(*TO_SITEMAP, has_jobs=has_jobs),
        peers=("sitemap.js", "sitemap.js --index"),
        aims={"sitemap.js": 0.2, "sitemap.js --index": 0.4},
    )
    yield _conversion(
        name="list-gzip",
        title="The same, compressed",
        source=many,
        ours=_ours("-o", "sitemap.xml.gz", has_jobs=has_jobs),
        peers=("sitemap.js --gzip",),
        aims={"sitemap.js --gzip": 0.05},
    )


def _others(scale: float) -> Iterator[Workload]:
    yield _conversion(
        name="few",
        title="20 items of RSS to a sitemap",
        source=Source(kind="small", entries=20),
        ours={"feed2sitemap": TO_SITEMAP},
        peers=("feedparser",),
        aims={"feedparser": 1.0},
        times=5,
    )
    yield _conversion(
        name="to-atom",
        title="RSS, short items, to Atom and to a sitemap",
        source=Source(kind="small", megabytes=100 * scale),
        ours={"to Atom": ("-o", "feed.atom"), TO_A_SITEMAP: TO_SITEMAP},
        aims={TO_A_SITEMAP: 1.5},
    )
    pages = round(50_000 * scale)
    yield _conversion(
        name="sitemap",
        title="Sitemap to a list of URLs",
        source=Source(kind="sitemap", entries=pages),
        ours={"feed2sitemap": ("-o", "urls.txt")},
        peers=("xmllint", "lxml", "advertools"),
        aims={"advertools": 1.0},
    )
    yield _conversion(
        name="and-back",
        title="List of URLs to one sitemap",
        source=Source(kind="list", entries=pages),
        ours={"feed2sitemap": TO_SITEMAP},
        peers=("sitemap.js",),
    )


def _updates(scale: float) -> Workload:
    known = round(2_000_000 * scale)
    return _conversion(
        name="update",
        title=f"1,000 new items into a compressed set of {known:,} URLs",
        source=Source(kind="small", entries=1000),
        ours={"feed2sitemap --update": (*STANDING, "--update")},
        aims={ANEW: 3.0},
        standing=Source(kind="list", entries=known),
    )


# -- the others -------------------------------------------------------------------------------


def _grown(group: str, source: Source) -> Workload:
    size = f"{source.entries}" if source.megabytes is None else f"{source.megabytes:g}mb"
    return Workload(
        name=f"{group}-{source.kind}-{size}",
        group=group,
        title=KINDS[source.kind].title,
        source=source,
        ours={"feed2sitemap": TO_SITEMAP},
    )


def _growth(scale: float) -> Iterator[Workload]:
    for kind in _FEEDS:
        for megabytes in (1, 10, 100):
            yield _grown("growth", Source(kind=kind, megabytes=megabytes * scale))
    for urls in (10_000, 100_000, 1_000_000, 5_000_000):
        yield _grown("growth", Source(kind="list", entries=round(urls * scale)))


def _memory(scale: float) -> Iterator[Workload]:
    """Measure where a table of digests is about to grow, or just has, and far beyond."""
    for urls in (1_300_000, 5_200_000, 10_000_000):
        yield _grown("memory", Source(kind="list", entries=round(urls * scale)))


def _pairs(scale: float) -> Iterator[Workload]:
    formats = {"rss": "small", "mrss": "mrss", "atom": "atom", "txt": "list", "sitemap": "sitemap"}
    for read, kind in formats.items():
        for written in formats:
            yield Workload(
                name=f"pairs-{read}-{written}",
                group="pairs",
                title=f"`{read}` to `{written}`",
                source=Source(kind=kind, megabytes=10 * scale),
                ours={"feed2sitemap": ("-t", written, "-o", f"written.{written}")},
            )


def _start_up() -> Iterator[Workload]:
    few = Source(kind="small", entries=20)
    alone = (("--version", None), ("--help", None), ("20 items to a sitemap", few))
    for title, source in alone:
        yield Workload(
            name=f"start-up-{title.split()[0].strip('-')}",
            group="start-up",
            title=title,
            source=source,
            ours={"feed2sitemap": TO_SITEMAP if source else (title,)},
            times=5,
        )
