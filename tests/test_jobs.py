"""`--jobs N`: whatever works side by side, what comes out is that of one process."""

import gzip
import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import tasks as tasks_module
from converter.workers import Workers, can_fork

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
    monkeypatch.setattr(tasks_module, "_FEWEST_BYTES", 1)
    monkeypatch.setattr(tasks_module, "_WORTH_BYTES", 1)


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gather the tasks that are given to workers."""
    given: list[int] = []
    give = Workers.give

    def counted(self: Workers[Any], number: int) -> None:
        given.append(number)
        give(self, number)

    monkeypatch.setattr(Workers, "give", counted)
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


def test_what_has_a_descriptor_and_is_no_plain_file_is_read_here(tmp_path: Path) -> None:
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
def test_what_a_worker_cannot_read_is_read_here(
    fails: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [_feed(tmp_path / f"feed-{n}.xml", _items(20 * n, 30)) for n in range(7)]
    alone = _outcome(sources, tmp_path / "out.xml", 1)
    read = ahead.Ahead._read

    def dying(self: ahead.Ahead, number: int) -> Any:
        if number in fails:
            os._exit(1)
        return read(self, number)

    monkeypatch.setattr(ahead.Ahead, "_read", dying)
    assert _outcome(sources, tmp_path / "out.xml", 2) == alone


def test_a_broken_source_fails_as_ever(tmp_path: Path, tasks: list[int]) -> None:
    sources = [_feed(tmp_path / f"{n}.xml", _items(0, 20)) for n in range(3)]
    sources[1].write_text("<rss><channel><item><title>" + "x" * 400)
    told = []
    for jobs in (1, 2):
        with pytest.raises(converter.DocumentError) as error:
            _outcome(sources, tmp_path / "out.xml", jobs)
        told.append(str(error.value))
    assert told[0] == told[1]
    assert tasks


# -- the workers ------------------------------------------------------------------------------


@pytest.fixture
def hired() -> Iterator[list[Workers[Any]]]:
    all_of_them: list[Workers[Any]] = []
    yield all_of_them
    for each in all_of_them:
        each.dismiss()


def test_results_come_back_in_the_order_of_the_tasks(hired: list[Workers[Any]]) -> None:
    workers: Workers[tuple[int, int]] = Workers(3, lambda number: (os.getpid(), -number))
    hired.append(workers)
    waiting, back, seen = deque(range(10)), [], set()
    while len(back) < 10:
        while waiting and workers.has_room:
            workers.give(waiting.popleft())
        result = workers.next()
        assert result is not None
        seen.add(result[0])
        back.append(-result[1])
    assert back == list(range(10))
    assert len(seen) == 3
    assert os.getpid() not in seen


def test_a_task_that_fails_gives_none_and_its_worker_takes_the_next(
    hired: list[Workers[Any]],
) -> None:
    workers = Workers(1, lambda number: 1 / number)
    hired.append(workers)
    workers.give(0)
    assert workers.next() is None
    workers.give(2)
    assert workers.next() == 0.5


def test_the_task_of_a_worker_that_dies_gives_none(hired: list[Workers[Any]]) -> None:
    workers: Workers[int] = Workers(1, lambda _: os._exit(3))
    hired.append(workers)
    workers.give(1)
    assert workers.next() is None
    assert not workers.has_room


def test_dismissed_workers_are_gone() -> None:
    workers = Workers(2, lambda number: b"x" * 1_000_000 * number)  # more than a pipe holds
    processes = list(workers._processes)
    workers.give(1)
    workers.give(2)
    workers.dismiss()
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_nobody_forks_with_threads_about(monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_fork()
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert not can_fork()
