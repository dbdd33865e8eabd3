"""Claims about temporary databases: they have no name, and nobody else can read them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from converter import convert
from converter.errors import SinkError
from converter.living import tables

#: Past what the store holds in memory.
MANY = 4_500


def feed(path: Path) -> Path:
    items = "".join(
        f"<item><link>https://ex.com/{n}</link><description>{n} {'x' * 100}</description></item>"
        for n in range(MANY)
    )
    path.write_text(f'<rss version="2.0"><channel>{items}</channel></rss>')
    return path


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors cannot be listed")
def test_a_database_has_no_name_and_is_private(tmp_path: Path) -> None:
    def files() -> dict[str, os.stat_result]:
        found = {}
        for path in Path("/proc/self/fd").iterdir():
            try:
                status = path.stat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                found[path.name] = status
        return found

    before = files()
    umask = os.umask(0)
    try:
        base = tables.opened()
        base.execute(f"PRAGMA cache_size={-100}")
        base.execute("CREATE TABLE t (b BLOB)")
        base.executemany("INSERT INTO t VALUES (?)", ((b"x" * 1000,) for _ in range(2000)))
    finally:
        os.umask(umask)
    made = [status for name, status in files().items() if name not in before]
    assert [(status.st_nlink, stat.S_IMODE(status.st_mode)) for status in made] == [(0, 0o600)]
    base.close()


def test_an_update_leaves_no_file_of_the_database_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = feed(tmp_path / "a.rss"), tmp_path / "out" / "s.xml"
    target.parent.mkdir()
    convert(source, target)
    seen: set[tuple[str, int]] = set()
    opened = tables.opened

    def watched() -> object:
        base = opened()
        for path in target.parent.iterdir():
            seen.add((path.name, stat.S_IMODE(path.stat().st_mode)))
        return base

    monkeypatch.setattr(tables, "opened", watched)
    convert(source, target, update=True)
    assert seen == {("s.xml", target.stat().st_mode & 0o777), (".s.xml.lock", 0o600)}


def test_a_full_disk_under_a_database_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = feed(tmp_path / "a.rss"), tmp_path / "s.xml"
    convert(source, target, max_entries=1)
    before = target.read_bytes()
    opened = tables.opened

    def narrow() -> object:
        base = opened()
        base.execute("PRAGMA max_page_count=20")
        return base

    monkeypatch.setattr(tables, "opened", narrow)
    with pytest.raises(SinkError, match=r"temporary database.*full; make room.*TMPDIR"):
        convert(source, target, update=True)
    assert target.read_bytes() == before
