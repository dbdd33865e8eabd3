"""Claims about the temporary files of an update: they have no name, and stay small."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from converter import convert
from converter.errors import SinkError
from converter.update.entry_store import EntryStore

SEAL = EntryStore.seal


def pages(path: Path, count: int) -> Path:
    path.write_text("".join(f"https://ex.com/{'x' * 60}/{n}\n" for n in range(count)))
    return path


def unnamed() -> list[os.stat_result]:
    """Give the regular files that this process has open and that have no name."""
    found: dict[int, os.stat_result] = {}
    for path in Path("/proc/self/fd").iterdir():
        try:
            status = path.stat()
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and not status.st_nlink:
            found[status.st_ino] = status
    return list(found.values())


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors cannot be listed")
def test_new_entries_are_stored_in_a_private_unnamed_file_smaller_than_the_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = pages(tmp_path / "a.txt", 5_000), tmp_path / "out" / "s.xml"
    target.parent.mkdir()
    convert(source, target)
    size = target.stat().st_size
    before = {status.st_ino for status in unnamed()}
    seen: list[tuple[set[str], list[os.stat_result]]] = []

    def watched(store: EntryStore) -> None:
        SEAL(store)
        new = [status for status in unnamed() if status.st_ino not in before]
        seen.append(({path.name for path in target.parent.iterdir()}, new))

    monkeypatch.setattr(EntryStore, "seal", watched)
    assert convert(source, target, update=True).unchanged
    ((names, files),) = seen
    assert names == {"s.xml", ".s.xml.lock"}
    assert {stat.S_IMODE(status.st_mode) for status in files} == {0o600}
    assert 0 < sum(status.st_size for status in files) < size


def test_a_temporary_file_on_a_full_disk_is_an_error(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    source, target = pages(tmp_path / "a.txt", 5_000), tmp_path / "s.xml"
    convert(source, target, max_entries=1)
    before = target.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(SinkError, match=r"a temporary file in .* could not be written"):
            convert(source, target, update=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert target.read_bytes() == before
