"""Updates that are killed at any moment: what the next run finds is all old, or all new."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import converter
from converter import Entry, RefusedError

PAGES = [Entry(loc=f"https://ex.com/{number}") for number in range(40)]
NEW = [Entry(loc=page.loc, changefreq="daily") for page in PAGES[::5]]
MORE = [Entry(loc=f"https://ex.com/new-{number}") for number in range(9)]


def tree(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.startswith(".")}


def publish(folder: Path, entries: list[Entry], *, update: bool) -> None:
    target = folder / "s.xml"
    url = "https://ex.com/s.xml"
    converter.write(entries, target, update=update, limit_urls=3, sitemap_url=url)


def killed(after_s: float, work: Callable[[], None]) -> None:
    """Do something in another process, and kill it."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def fail(folder: Path) -> None:
    """A run on the same target that comes to nothing."""
    with pytest.raises(RefusedError):
        converter.write([], folder / "s.xml")


def test_killed_at_any_of_a_hundred_moments(tmp_path: Path) -> None:
    whole = {}
    for name, updates in (("old", []), ("new", [NEW + MORE])):
        folder = tmp_path / name
        folder.mkdir()
        publish(folder, PAGES, update=False)
        for entries in updates:
            publish(folder, entries, update=True)
        whole[name] = tree(folder)
    assert whole["old"] != whole["new"]
    folder = tmp_path / "set"
    folder.mkdir()
    publish(folder, PAGES, update=False)
    begun = time.perf_counter()
    publish(folder, NEW + MORE, update=True)
    usual_s = time.perf_counter() - begun
    moments = random.Random(5)  # noqa: S311  not for security
    seen = {"old": 0, "new": 0}
    tries = 0
    while tries < 100 or not all(seen.values()):
        tries += 1
        assert tries < 1000, "no run came to its end, or none was killed before"
        for path in folder.iterdir():
            path.unlink()
        for name, data in whole["old"].items():
            (folder / name).write_bytes(data)
        moment = moments.uniform(0, 1.5 * usual_s)
        killed(moment, lambda: publish(folder, NEW + MORE, update=True))
        fail(folder)
        after = tree(folder)
        assert after in (whole["old"], whole["new"])
        seen["old" if after == whole["old"] else "new"] += 1
        assert not [p for p in folder.iterdir() if p.suffix in {".tmp", ".journal"}]
