"""`--jobs N`: whatever works side by side, what comes out is that of one process."""

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import ahead
from converter.moulds import caster, crew, sizes, slices
from converter.moulds.crew import Crew

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
#: What is not like the others: it goes the plain way, in its place.
ODD = "<item><!-- {n} --><title>Odd</title><link>https://www.example.com/odd-{n}</link></item>\n"
PLAIN_FROM_HERE = (
    "<item><title>a</title><item><link>https://www.example.com/in</link></item></item>"
)


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
    """Let what is done to large documents be done to small ones."""
    monkeypatch.setattr(sizes, "FIRST_BYTES", 1_500)
    monkeypatch.setattr(slices, "_SLICE_BYTES", 4_000)
    monkeypatch.setattr(caster, "_SLICES_ALONE", 2)
    monkeypatch.setattr(ahead, "_FEWEST_BYTES", 1)
    monkeypatch.setattr(ahead, "_WORTH_BYTES", 1)


@pytest.fixture
def crews(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Count what is handed over."""
    handed: list[Any] = []
    give = Crew.give

    def counted(self: Crew[Any], data: bytes) -> None:
        handed.append(data)
        give(self, data)

    monkeypatch.setattr(Crew, "give", counted)
    return handed


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


@pytest.mark.parametrize("options", [{}, {"sort": "url"}, {"host": "www.example.com"}])
def test_sources_side_by_side_are_the_same(
    options: dict[str, Any], tmp_path: Path, crews: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "FIRST_BYTES", 1_000_000)
    names = [f"feed-{n}.xml" for n in range(7)]
    sources = [_feed(tmp_path / name, _items(20 * n, 30)) for n, name in enumerate(names)]
    alone = _outcome(sources, tmp_path / "out.xml", 1, **options)
    assert not crews
    assert _outcome(sources, tmp_path / "out.xml", 3, **options) == alone
    assert len(crews) >= len(sources)


def test_a_broken_source_fails_as_ever(tmp_path: Path, crews: list[Any]) -> None:
    sources = [_feed(tmp_path / f"{n}.xml", _items(0, 20)) for n in range(3)]
    sources[1].write_text("<rss><channel><item><title>" + "x" * 400)
    told = []
    for jobs in (1, 2):
        with pytest.raises(converter.DocumentError) as error:
            _outcome(sources, tmp_path / "out.xml", jobs)
        told.append(str(error.value))
    assert told[0] == told[1]
    assert crews


# -- the crew itself --------------------------------------------------------------------------


@pytest.fixture
def workers() -> Iterator[list[Crew[Any]]]:
    hired: list[Crew[Any]] = []
    yield hired
    for each in hired:
        each.dismiss()


def test_slices_come_back_in_order(workers: list[Crew[Any]]) -> None:
    busy: Crew[tuple[int, bytes]] = Crew(3, lambda data: (os.getpid(), data.upper()))
    workers.append(busy)
    given = [b"%d-a" % n for n in range(10)]
    waiting, back, seen = list(given), [], set()
    while waiting or busy.is_busy:
        while waiting and busy.has_room:
            busy.give(waiting.pop(0))
        data, (process, result) = busy.next()
        seen.add(process)
        back.append(data)
        assert result == data.upper()
    assert back == given
    assert len(seen) == 3
    assert os.getpid() not in seen


def test_what_a_worker_cannot_do_is_raised_here(workers: list[Crew[Any]]) -> None:
    here = os.getpid()

    def work(data: bytes) -> bytes:
        raise ValueError(f"cannot, {'here' if os.getpid() == here else 'there'}")

    busy = Crew(1, work)
    workers.append(busy)
    busy.give(b"x")
    with pytest.raises(ValueError, match="cannot, here"):
        busy.next()


def test_the_work_of_a_worker_that_dies_is_done_here(workers: list[Crew[Any]]) -> None:
    here = os.getpid()

    def work(data: bytes) -> bytes:
        if os.getpid() != here:
            os._exit(3)
        return data

    busy = Crew(1, work)
    workers.append(busy)
    busy.give(b"x")
    assert busy.next() == (b"x", b"x")
    assert not busy.has_room


def test_dismissed_workers_give_their_slices_back_and_are_gone() -> None:
    busy = Crew(2, lambda data: data * 1_000_000)  # more than a pipe holds
    processes = list(busy._processes)
    busy.give(b"a")
    busy.give(b"b")
    assert busy.dismiss() == [b"a", b"b"]
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_nobody_forks_with_threads_about(monkeypatch: pytest.MonkeyPatch) -> None:
    assert crew.can_fork()
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert not crew.can_fork()
