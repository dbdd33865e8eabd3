"""The workloads: source, our runs, other programs, and targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.data import KINDS, Source
from benchmarks.results import Aim, Measure

#: Groups of workloads, which `--only` accepts.
GROUPS = ("conversions", "cliffs", "growth", "pairs", "start-up")

ONE_JOB = "feed2sitemap --jobs 1"
TWO_JOBS = "feed2sitemap --jobs 2"
#: The run with which the runs of a cliff are compared.
PLAIN = "to a sitemap"

TO_SITEMAP = ("-o", "sitemap.xml")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of our program."""

    #: The arguments after the sources.
    words: Sequence[str]
    #: Other sources than that of the workload.
    sources: Sequence[Source] | None = None
    #: An earlier run, not measured, whose output is in the folder.
    before: Run | None = None


@dataclass(frozen=True, slots=True)
class Workload:
    """A source, and the programs that run on it in turn."""

    name: str
    group: str
    title: str
    source: Source
    ours: Mapping[str, Run]
    peers: Sequence[str] = ()
    aims: Sequence[Aim] = ()
    #: A factor for the number of repetitions of short runs.
    times: int = 1

    def sources(self, run: Run) -> Sequence[Source]:
        """Return the sources of one of our runs."""
        return (self.source,) if run.sources is None else run.sources


def workloads(scale: float) -> Iterator[Workload]:
    """Yield all workloads, with sources of `scale` times their size."""
    yield from _feeds(scale)
    yield from _lists(scale)
    yield from _small_sources(scale)
    yield _update(scale)
    yield from _cliffs(scale)
    yield from _growth(scale)
    yield from _pairs(scale)
    yield _start_up()


def _jobs(*words: str) -> dict[str, Run]:
    return {ONE_JOB: Run((*words, "--jobs", "1")), TWO_JOBS: Run((*words, "--jobs", "2"))}


def _to_a_sitemap(kind: str) -> str:
    return f"{KINDS[kind].title} to a sitemap"


# -- conversions ------------------------------------------------------------------------------

#: Other programs in the order of the tables.
_READERS = ("xmllint", "lxml", "feedparser", "fastfeedparser", "feedsmith")

_TWO_JOBS_AIM = Aim(TWO_JOBS, ONE_JOB, "wall_s", must=0.65)


def _feed_aims(
    *, one: tuple[float, float], two: tuple[float, float], feedparser: float
) -> tuple[Aim, ...]:
    """Return the targets: multiples of the times of fastfeedparser (must, aim) and feedparser."""
    return (
        Aim(ONE_JOB, "fastfeedparser", "cpu_s", *one),
        Aim(TWO_JOBS, "fastfeedparser", "wall_s", *two),
        Aim(ONE_JOB, "feedparser", "cpu_s", feedparser),
        _TWO_JOBS_AIM,
    )


_FEEDS = {
    "small": _feed_aims(one=(3, 2), two=(1.8, 1.1), feedparser=1 / 8),
    "blog": _feed_aims(one=(3, 1.9), two=(1.8, 1.1), feedparser=1 / 12),
    "mrss": _feed_aims(one=(5.5, 3.5), two=(3.3, 2), feedparser=1 / 7),
    "atom": _feed_aims(one=(3.5, 1.8), two=(2, 1), feedparser=1 / 8),
}


def _feeds(scale: float) -> Iterator[Workload]:
    for kind, aims in _FEEDS.items():
        for name, megabytes in ((f"{kind}-10mb", 10), (kind, 100)):
            yield Workload(
                name=name,
                group="conversions",
                title=_to_a_sitemap(kind),
                source=Source(kind=kind, megabytes=megabytes * scale),
                ours=_jobs(*TO_SITEMAP),
                peers=_READERS,
                aims=aims,
            )


def _lists(scale: float) -> Iterator[Workload]:
    many = Source(kind="list", entries=round(1_000_000 * scale))
    yield Workload(
        name="list",
        group="conversions",
        title=_to_a_sitemap("list"),
        source=many,
        ours=_jobs(*TO_SITEMAP),
        peers=("sitemap.js", "sitemap.js --index"),
        aims=(
            Aim(TWO_JOBS, "sitemap.js --index", "wall_s", must=0.4),
            Aim(TWO_JOBS, "sitemap.js", "wall_s", must=0.35),
            _TWO_JOBS_AIM,
        ),
    )
    yield Workload(
        name="list-gzip",
        group="conversions",
        title="List of URLs to a compressed sitemap",
        source=many,
        ours=_jobs("-o", "sitemap.xml.gz"),
        peers=("sitemap.js --gzip",),
        aims=(Aim(TWO_JOBS, "sitemap.js --gzip", "wall_s", must=0.06), _TWO_JOBS_AIM),
    )


def _small_sources(scale: float) -> Iterator[Workload]:
    yield Workload(
        name="few",
        group="conversions",
        title="20 items of RSS to a sitemap",
        source=Source(kind="small", entries=20),
        ours={"feed2sitemap": Run(TO_SITEMAP)},
        peers=("feedparser",),
        aims=(Aim("feed2sitemap", "feedparser", "wall_s", must=1.4),),
        times=5,
    )
    yield Workload(
        name="sitemap",
        group="conversions",
        title="Sitemap to a list of URLs",
        source=Source(kind="sitemap", entries=round(50_000 * scale)),
        ours=_jobs("-o", "urls.txt"),
        peers=("xmllint", "lxml", "advertools"),
        aims=(Aim(ONE_JOB, "advertools", "cpu_s", must=1),),
    )


def _published(known: Source, output: str, *words: str) -> tuple[Run, Run]:
    """Return the run that publishes a set of known URLs, and one that updates this set."""
    words = ("-o", output, "--sitemap-url", f"https://www.example.com/{output}", *words)
    anew = Run(words, sources=(known,))
    return anew, Run((*words, "--update"), before=anew)


def _update(scale: float) -> Workload:
    known = Source(kind="list", entries=round(2_000_000 * scale))
    anew, update = _published(known, "sitemap.xml.gz")
    return Workload(
        name="update",
        group="conversions",
        title=f"1,000 new items into a compressed set of {known.entries:,} URLs",
        source=Source(kind="small", entries=1000),
        ours={"--update": update, "all of it anew": anew},
        aims=(Aim("--update", "all of it anew", "wall_s", must=0.5),),
    )


# -- cliffs -----------------------------------------------------------------------------------

#: Options that must not slow a run down, and the maximum ratio of the times with and without.
_OPTIONS = (
    (("--since", "2000-01-01"), 1.3),
    (("--include", "^https://"), 1.3),
    (("--host", "www.example.com"), 1.3),
    (("--news", "Example"), 1.3),
    (("--report", "report.json"), 1.3),
    (("-v",), 1.4),
)
_FEEDS_WRITTEN = ("rss", "mrss", "atom")
#: The maximum ratio of the times of writing a feed and a sitemap, from a feed and from URLs.
_OF_A_FEED, _OF_URLS = 3.5, 5.0


def _cliffs(scale: float) -> Iterator[Workload]:
    def source(kind: str, megabytes: float = 20, number: int = 0) -> Source:
        return Source(kind=kind, megabytes=megabytes * scale, number=number)

    small = {" ".join(words): (_with(*words), must) for words, must in _OPTIONS}
    tenths = [source("small", 2, number) for number in range(1, 11)]
    small["ten sources of a tenth"] = (_with(sources=tenths), 1.3)
    small["varied items"] = (_with(sources=[source("varied")]), 1.8)
    yield _cliff("small", source("small"), small | _to_feeds(_OF_A_FEED))
    yield _cliff("mrss", source("mrss"), _to_feeds(_OF_A_FEED))
    yield _cliff("atom", source("atom"), _to_feeds(_OF_A_FEED))
    yield _cliff("list", source("list"), _to_feeds(_OF_URLS))
    yield _cliff("sitemap", source("sitemap"), _to_feeds(_OF_URLS))
    for lines in (200_000, 1_000_000):
        many = Source(kind="list", entries=round(lines * scale))
        yield _cliff(f"sort-{lines}", many, {"--sort url": (_with("--sort", "url"), 3.0)})
    known = Source(kind="list", entries=round(200_000 * scale))
    anew, update = _published(known, "sitemap.xml", "--jobs", "1")
    update = replace(update, sources=(known,))
    yield _cliff("update", known, {"--update": (update, 3.0)}, plain=anew, by="wall_s")


def _with(*words: str, sources: Sequence[Source] | None = None) -> Run:
    """Return the plain conversion to a sitemap with some options, or of other sources."""
    return Run((*TO_SITEMAP, "--jobs", "1", *words), sources)


def _to_feeds(must: float) -> dict[str, tuple[Run, float]]:
    return {
        f"to {name}": (Run(("-t", name, "-o", f"feed.{name}", "--jobs", "1")), must)
        for name in _FEEDS_WRITTEN
    }


def _cliff(
    name: str,
    source: Source,
    runs: Mapping[str, tuple[Run, float]],
    *,
    plain: Run | None = None,
    by: Measure = "cpu_s",
) -> Workload:
    """Return a workload that compares runs with the plain one, each with its maximum ratio."""
    return Workload(
        name=f"cliffs-{name}",
        group="cliffs",
        title=KINDS[source.kind].title,
        source=source,
        ours={PLAIN: plain or _with()} | {title: run for title, (run, _) in runs.items()},
        aims=[Aim(title, PLAIN, by, must) for title, (_, must) in runs.items()],
        times=2,
    )


# -- the others -------------------------------------------------------------------------------


def _growth(scale: float) -> Iterator[Workload]:
    """Yield further sizes of the sources of `_feeds` and `_lists`.

    At 1.3 and 5.2 million URLs, a dict of digests is about to grow, or has just grown.
    """
    sizes = (10_000, 100_000, 1_300_000, 5_200_000, 10_000_000)
    feeds = [Source(kind=kind, megabytes=1 * scale) for kind in _FEEDS]
    lists = [Source(kind="list", entries=round(urls * scale)) for urls in sizes]
    for source in (*feeds, *lists):
        yield Workload(
            name=f"growth-{source.kind}-{source.size}",
            group="growth",
            title=_to_a_sitemap(source.kind),
            source=source,
            ours=_jobs(*TO_SITEMAP),
        )


def _pairs(scale: float) -> Iterator[Workload]:
    formats = {"rss": "small", "mrss": "mrss", "atom": "atom", "txt": "list", "sitemap": "sitemap"}
    for read, kind in formats.items():
        for written in formats:
            yield Workload(
                name=f"pairs-{read}-{written}",
                group="pairs",
                title=f"`{read}` to `{written}`",
                source=Source(kind=kind, megabytes=10 * scale),
                ours=_jobs("-t", written, "-o", f"written.{written}"),
            )


def _start_up() -> Workload:
    return Workload(
        name="start-up",
        group="start-up",
        title="Start-up",
        source=Source(kind="small", entries=20),
        ours={
            "--version": Run(("--version",), sources=()),
            "--help": Run(("--help",), sources=()),
            "20 items to a sitemap": Run(TO_SITEMAP),
        },
        times=5,
    )
