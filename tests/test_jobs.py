"""`--jobs N`: any number of processes gives the output of one."""

import gzip
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import converter
from converter.pipeline import slices, workers
from converter.pipeline.workers import WorkerPool

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")

ITEM = """<item>
  <title>Report {n} &amp; more</title>
  <link>https://{host}.example.com/{path}{n}{tail}</link>
  <guid isPermaLink="false">id-{n}</guid>
  <pubDate>Mon, 0{day} Jan 2024 10:{minute:02}:00 GMT</pubDate>
  <description>Words of {n}, and more of them than fit.</description>
</item>
"""
FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>Site</title><link>https://www.example.com/</link><description>All of it</description>
{items}</channel></rss>
"""
ODD = "<item><!-- {n} --><title>Odd</title><link>https://www.example.com/odd-{n}</link></item>\n"


def _items(first: int, count: int) -> str:
    return "".join(
        ODD.format(n=n)
        if n % 97 == 50
        else ITEM.format(
            n=n,
            host="news" if n % 4 == 3 else "www",
            path="caf\u00e9-" if n % 31 == 7 else "story-",
            tail="?a=1&amp;utm_source=rss" if n % 29 == 5 else "",
            day=n % 9 + 1,
            minute=n % 60,
        )
        for n in range(first, first + count)
    )


def _feed(path: Path, items: str) -> Path:
    path.write_text(FEED.format(items=items), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small sources be read side by side too."""
    monkeypatch.setattr(workers, "_WORKER_BYTES", 4_000)
    monkeypatch.setattr(slices, "_MIN_BYTES", 12_000)
    monkeypatch.setattr(slices, "_SLICE_BYTES", 2_000)


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gather the tasks that are given to workers."""
    given: list[int] = []
    begin = WorkerPool._fork

    def counted(self: WorkerPool) -> None:
        given.extend(task.number for task in self._tasks)
        begin(self)

    monkeypatch.setattr(WorkerPool, "_fork", counted)
    return given


def _outcome(sources: list[Any], target: Path, jobs: int, **options: Any) -> dict[str, Any]:
    issues: list[converter.Issue] = []
    result = converter.convert(
        [str(it) if isinstance(it, Path) else it for it in sources],
        str(target),
        jobs=jobs,
        report=issues.append,
        **options,
    )
    files = {path.name: path.read_bytes() for path in sorted(target.parent.glob("out*"))}
    for path in target.parent.glob("out*"):
        path.unlink()
    counted = (result.urls, result.skipped, dict(result.lost), dict(result.altered))
    return {"files": files, "issues": issues, "counted": counted}


def test_a_stream_without_a_file_is_read_by_the_parent(tmp_path: Path) -> None:
    feed = FEED.format(items=_items(0, 60)).encode()
    packed = [tmp_path / f"{number}.gz" for number in range(3)]
    for path in packed:
        path.write_bytes(gzip.compress(feed, 0))
    with ExitStack() as opened:
        streams: list[Any] = [opened.enter_context(gzip.open(path)) for path in packed]
        alone = _outcome(streams, tmp_path / "out.xml", 1)
        for stream in streams:
            stream.seek(0)
        assert _outcome(streams, tmp_path / "out.xml", 2) == alone


@pytest.mark.parametrize(
    "options", [{}, {"sort": "url"}, {"host": "www.example.com"}, {"to": "rss"}]
)
def test_sources_side_by_side_are_the_same(
    options: dict[str, Any], tmp_path: Path, tasks: list[int]
) -> None:
    names = [f"feed-{n}.xml" for n in range(7)]
    sources = [_feed(tmp_path / name, _items(20 * n, 30)) for n, name in enumerate(names)]
    alone = _outcome(sources, tmp_path / "out.xml", 1, **options)
    assert not tasks
    assert _outcome(sources, tmp_path / "out.xml", 3, **options) == alone
    assert sorted(set(tasks)) == list(range(len(sources)))


@pytest.mark.parametrize("fails", [{1}, {0, 1, 2, 3, 4, 5, 6}])
def test_a_source_that_a_worker_cannot_read_is_read_by_the_parent(
    fails: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [_feed(tmp_path / f"feed-{n}.xml", _items(20 * n, 30)) for n in range(7)]
    alone = _outcome(sources, tmp_path / "out.xml", 1)
    result = WorkerPool._result

    def dying(self: WorkerPool, task: Any) -> Any:
        if task[0] in fails:
            os._exit(1)
        return result(self, task)

    monkeypatch.setattr(WorkerPool, "_result", dying)
    assert _outcome(sources, tmp_path / "out.xml", 2) == alone


def test_a_broken_source_fails_with_workers(tmp_path: Path, tasks: list[int]) -> None:
    sources = [_feed(tmp_path / f"{n}.xml", _items(0, 20)) for n in range(3)]
    sources[1].write_text("<rss><channel><item><title>" + "x" * 400)
    told = []
    for jobs in (1, 2):
        with pytest.raises(converter.DocumentError) as error:
            _outcome(sources, tmp_path / "out.xml", jobs)
        told.append(str(error.value))
    assert told[0] == told[1]
    assert tasks


# -- slices -----------------------------------------------------------------------------------

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>T</title>
<link href="https://ex.com/"/><updated>2026-01-01T00:00:00Z</updated><id>urn:x</id>
{entries}</feed>
"""
ATOM_ENTRY = """<entry><title>E {n}</title><link href="/{n}?utm_source=a"/><id>urn:x:{n}</id>
<updated>2026-01-0{day}T00:00:00Z</updated><published>no date</published></entry>
"""
SITEMAP = """<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{urls}</urlset>
"""
URL = "<url><loc>https://ex.com/{n}?sid={n}</loc><lastmod>2026-01-0{day}</lastmod></url>\n"


def _documents() -> dict[str, bytes]:
    """Documents of each format that are cut, with duplicates and things to report."""
    numbers = [n if n % 37 else n // 2 for n in range(130)]
    lines = [
        "# a comment" if n % 41 == 3 else "no url, this" if n % 53 == 7 else f"https://ex.com/{n}"
        for n in numbers
    ]
    return {
        "a.rss": FEED.format(items=_items(0, 45) + _items(30, 20)).encode(),
        "a.atom": ATOM.format(
            entries="".join(ATOM_ENTRY.format(n=n, day=n % 9 + 1) for n in numbers)
        ).encode(),
        "a.xml": SITEMAP.format(
            urls="".join(URL.format(n=n, day=n % 9 + 1) for n in numbers * 2)
        ).encode(),
        "a.txt": "\n".join(lines * 8).encode(),
    }


def _read_whole(monkeypatch: pytest.MonkeyPatch, *of: Any, **options: Any) -> dict[str, Any]:
    with monkeypatch.context() as patch:
        patch.setattr(slices, "_MIN_BYTES", 1 << 40)
        return _outcome(*of, **options)


@pytest.mark.parametrize("name", _documents())
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sort": "url", "max_entries": 30},
        {"since": "2024-01-03", "exclude": ["7"], "tell_losses": True},
        {"to": "atom"},
        {"sort": "newest", "limit_urls": 50, "count_fields": True},
        {"news": "Times", "news_language": "en"},
        {"split_hosts": True},
    ],
)
def test_slices_are_the_whole(
    name: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, target = tmp_path / name, tmp_path / ("out.atom" if "to" in options else "out.xml")
    path.write_bytes(_documents()[name])
    whole = _read_whole(monkeypatch, [path], target, 1, **options)
    assert _outcome([path], target, 3, **options) == whole


def test_slices_of_several_sources_are_taken_in_turn(
    tmp_path: Path, tasks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = []
    for name, document in _documents().items():
        (tmp_path / name).write_bytes(document)
        sources += [tmp_path / name, _feed(tmp_path / f"small-{name}.rss", _items(0, 5))]
    whole = _read_whole(monkeypatch, sources, tmp_path / "out.xml", 1)
    assert _outcome(sources, tmp_path / "out.xml", 3) == whole
    assert len(tasks) > 20


RSS_ITEM = "<item><link>https://ex.com/{n}</link><title>{n}</title></item>\n"
MANY = "".join(RSS_ITEM.format(n=n) for n in range(120))


@pytest.mark.parametrize(
    "document",
    [
        FEED.format(items=MANY + "<item><link>https://ex.com/&nbsp;</link></item>" + MANY),
        FEED.format(items=MANY + "<!-- </item> -->" + MANY),
        FEED.format(items=MANY + "<link>https://other.example/</link>" + MANY),
        FEED.format(items=MANY + "</channel><channel><title>2</title>" + MANY),
        FEED.format(items=MANY + '<item a=">"/><language>de</language>' + MANY),
        FEED.format(items=MANY + "<item/><language>de</language>" + MANY),
        FEED.format(items=MANY + "<copyright>late, and nothing depends on it</copyright>" + MANY),
        FEED.format(items=MANY + MANY + "<lastBuildDate>no date</lastBuildDate>"),
        FEED.format(items=MANY + "<item><![CDATA[</item>]]><title>&lt;</title></item>" + MANY),
        FEED.format(items=MANY + "<item><title>" + MANY),
        FEED.format(items=MANY)[:-60],
        FEED.format(items=MANY) + "<more/>",
        FEED.format(items="")
        .replace("</channel>", "<description>late</description></channel>")
        .replace("<description>late", MANY + "<description>late"),
        FEED.format(items=MANY).replace("?>", "?><!DOCTYPE rss>"),
        FEED.format(items=MANY).replace("https://ex.com/700", "https://ex.com/\x01"),
        FEED.format(items=MANY).replace("<item>", "<Item>").replace("</item>", "</Item>"),
        FEED.format(items=MANY + "<x:item xmlns:x='u'><link>https://ex.com/x</link></x:item>"),
    ],
)
@pytest.mark.parametrize("target", ["out.xml", "out.atom"])
def test_a_document_that_cannot_be_sliced_is_read_as_a_whole(
    document: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "feed.rss"
    path.write_text(document)
    whole = _read_whole(monkeypatch, [path], tmp_path / target, 1)
    assert _outcome([path], tmp_path / target, 3) == whole


@pytest.mark.parametrize("codec", ["utf-16", "latin-1", "utf-8-sig"])
@pytest.mark.parametrize("name", ["a.rss", "a.txt"])
def test_other_encodings_are_the_same(
    name: str, codec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = _documents()[name].decode().replace('"UTF-8"', f'"{codec.removesuffix("-sig")}"')
    path = tmp_path / name
    path.write_bytes(document.replace("story-9", "caf\xe9").encode(codec, "replace"))
    whole = _read_whole(monkeypatch, [path], tmp_path / "out.xml", 1)
    assert _outcome([path], tmp_path / "out.xml", 3) == whole


def test_a_slice_that_a_worker_cannot_read_is_read_with_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _feed(tmp_path / "feed.rss", MANY)
    whole = _read_whole(monkeypatch, [path], tmp_path / "out.xml", 1)
    result = WorkerPool._result

    def dying(self: WorkerPool, task: Any) -> Any:
        if task.read.args[0].start > 5_000:
            os._exit(1)
        return result(self, task)

    monkeypatch.setattr(WorkerPool, "_result", dying)
    assert _outcome([path], tmp_path / "out.xml", 2) == whole


# -- the workers ------------------------------------------------------------------------------


def _children() -> set[str]:
    return {path.read_text() for path in Path("/proc/self/task").glob("*/children")} - {""}


@pytest.mark.parametrize("target", ["out.xml", "out.rss"])
@pytest.mark.parametrize("is_list", [False, True])
def test_duplicates_are_merged_in_the_order_of_the_sources(
    target: str, is_list: bool, tmp_path: Path, tasks: list[int]
) -> None:
    sources: list[Path] = []
    for number in range(9):
        items = "".join(
            f"<item><link>https://ex.com/{n}</link><title>{number}</title></item>\n"
            for n in range(number, number + 40)
        )
        sources.append(_feed(tmp_path / f"{number}.rss", items))
        if number % 3 == 2:  # is read in this process
            sources[-1] = tmp_path / f"{number}.rss.gz"
            sources[-1].write_bytes(gzip.compress(FEED.format(items=items).encode()))
        if is_list:
            sources.append(tmp_path / f"{number}.txt")
            sources[-1].write_text("".join(f"https://ex.com/{n}\n" for n in range(number + 9)))
    alone = _outcome(sources, tmp_path / target, 1)
    assert _outcome(sources, tmp_path / target, 3) == alone
    assert tasks


def test_no_worker_is_left_when_a_conversion_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tasks: list[int]
) -> None:
    path = _feed(tmp_path / "feed.rss", _items(0, 60))

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(WorkerPool, "_take_duplicates", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _outcome([path], tmp_path / "out.xml", 3)
    assert tasks
    assert not _children()


def test_no_worker_is_forked_while_other_threads_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tasks: list[int]
) -> None:
    path = _feed(tmp_path / "feed.rss", _items(0, 60))
    alone = _outcome([path], tmp_path / "out.xml", 1)
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert _outcome([path], tmp_path / "out.xml", 3) == alone
    assert not tasks
