"""The journal, temporary files and lock of runs on the same target."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import threading
from pathlib import Path

import pytest

from converter.errors import SinkError
from converter.publish.target import open_target
from tests.builders import make_irregular, put, tree

# the journal and the remains of others


def leave_journal(folder: Path, content: object) -> None:
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    (folder / ".s.xml.journal").write_bytes(text if isinstance(text, bytes) else text.encode())


def journal(renames: object = (), removals: object = (), **changes: object) -> dict[str, object]:
    return {
        "version": 1,
        "target": "s.xml",
        "renames": renames,
        "removals": removals,
    } | changes


TEMPORARY = ".s.xml.0123456789abcdef.tmp"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "7",
        "[" * 100_000,
        '{"version": ' + "9" * 5000 + "}",
        {},
        journal(version=2),
        journal(target="t.xml"),
        journal(renames=7),
        journal(renames=[[1, 2]]),
        journal(renames=[[None, "s.xml"]]),
        journal(renames=[[TEMPORARY, "s.xml", "s-1.xml"]]),
        journal(renames=["ab"]),
        journal(renames={TEMPORARY: "s.xml"}),
        journal(renames="s.xml"),
        journal(removals=[1]),
        journal(removals=[["s-1.xml"]]),
        journal(removals={"s-1.xml": 1}),
        journal(removals="s-1.xml"),
        journal(removals=None),
        journal(removals=["s-1.xml\0"]),
        journal(removals=["s-\ud800.xml"]),
        journal(removals=["/etc/s-1.xml"]),
        journal(renames=[[TEMPORARY, "s-../s-1.xml"]]),
        journal(version="1"),
        journal(version=[1]),
        journal(target=1),
        journal(renames=[[[[]]]] * 1000),
        "[" * 100_000 + "]" * 100_000,
        b"\x00\xff\xfe" * 1000,
        b"\x1f\x8b\x08",
        b" " * (65 << 20),
        journal(renames=[["a"]]),
        journal(renames=[["victim", "s.xml"]]),
        journal(renames=[[TEMPORARY, "victim"]]),
        journal(renames=[[TEMPORARY, "../s.xml"]]),
        journal(renames=[[TEMPORARY, ["s.xml"]]]),
        journal(renames=[[TEMPORARY, "s.xml"], [TEMPORARY, "s-1.xml"]]),
        journal(removals=["victim"]),
        journal(removals=["s.xml", "s.xml"]),
        journal(removals=["s-a.xml"]),
        journal(removals=["../s-1.xml"]),
        journal(removals=["s-1.xml", "s-1.xml"]),
        journal(renames=[[TEMPORARY, "s-1.xml"]], removals=["s-1.xml"]),
        journal(renames=[[".s.xml.linklinklinklink.tmp", "s.xml"]]),
    ],
)
def test_a_journal_that_cannot_be_trusted_is_refused(tmp_path: Path, content: object) -> None:
    for name in ("s.xml", "s-1.xml", "victim", TEMPORARY):
        (tmp_path / name).write_bytes(b"old")
    (tmp_path / ".s.xml.linklinklinklink.tmp").symlink_to("victim")
    leave_journal(tmp_path, content)
    before = tree(tmp_path)
    with (
        pytest.raises(SinkError, match=r"\.s\.xml\.(journal|link).*cannot be trusted.*look at it"),
        open_target(tmp_path / "s.xml"),
    ):
        pass
    assert tree(tmp_path) == before


def test_the_removal_of_a_journal_that_was_killed_is_completed(tmp_path: Path) -> None:
    (tmp_path / "s-1.xml").write_bytes(b"old")
    (tmp_path / "victim").write_bytes(b"old")
    leave_journal(tmp_path, journal(removals=["s.xml", "s-1.xml"]))
    with open_target(tmp_path / "s.xml"):
        pass
    assert tree(tmp_path) == {"victim": b"old"}


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_a_journal_is_a_regular_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ".s.xml.journal"
    (tmp_path / "elsewhere").write_text(json.dumps(journal()))
    make_irregular(path, kind)
    with pytest.raises(SinkError, match="cannot be trusted"), open_target(tmp_path / "s.xml"):
        pass


def test_a_journal_is_completed_even_by_a_run_that_publishes_nothing(tmp_path: Path) -> None:
    (tmp_path / "s.xml").write_bytes(b"old")
    (tmp_path / "s-1.xml").write_bytes(b"new, renamed before the kill")
    (tmp_path / "s-2.xml").write_bytes(b"stale")
    (tmp_path / TEMPORARY).write_bytes(b"new")
    gone = TEMPORARY.replace("0", "f")
    leave_journal(
        tmp_path, journal([[gone, "s-1.xml"], [TEMPORARY, "s.xml"]], ["s-2.xml", "s-3.xml"])
    )
    with open_target(tmp_path / "s.xml") as sink:
        assert sink.completed == 2
    assert tree(tmp_path) == {"s.xml": b"new", "s-1.xml": b"new, renamed before the kill"}
    with open_target(tmp_path / "s.xml") as sink:
        assert sink.completed == 0


def test_only_temporary_files_of_this_target_are_removed(tmp_path: Path) -> None:
    kept = {
        ".s.xml.gz.0123456789abcdef.tmp": b"of another target",
        ".s.xml.short.tmp": b"of nobody",
        ".s.xml.swp": b"of an editor",
        "s.xml.0123456789abcdef.tmp": b"of a user",
        ".t.xml.0123456789abcdef.tmp": b"of another target",
    }
    for name, content in kept.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / TEMPORARY).write_bytes(b"of a dead run")
    (tmp_path / ".s.xml.ab3_defg.tmp").write_bytes(b"of a dead spool")
    (tmp_path / TEMPORARY.replace("0", "1")).mkdir()
    with open_target(tmp_path / "s.xml"):
        pass
    (tmp_path / TEMPORARY.replace("0", "1")).rmdir()
    assert tree(tmp_path) == kept


# the lock


def test_a_second_run_waits_and_then_reports_the_lock(tmp_path: Path) -> None:
    target = tmp_path / "s.xml"
    with open_target(target) as first:
        staged = first.stage([b"first"], compress=False)
        second = open_target(target, wait_s=0.1)
        with pytest.raises(SinkError, match=r"another run on .*s\.xml. holds the lock"), second:
            raise AssertionError("two runs at once")
        first.publish([("s.xml", staged)])
    assert tree(tmp_path) == {"s.xml": b"first"}


def test_a_second_run_continues_when_the_first_ends(tmp_path: Path) -> None:
    target = tmp_path / "s.xml"
    first = open_target(target)
    first.__enter__()
    second = threading.Thread(target=put, args=(target, b"second"))
    second.start()
    first.publish([("s.xml", first.stage([b"first"], compress=False))])
    first.__exit__(None, None, None)
    second.join()
    assert tree(tmp_path) == {"s.xml": b"second"}


def test_other_targets_in_the_folder_do_not_wait(tmp_path: Path) -> None:
    with open_target(tmp_path / "s.xml"), open_target(tmp_path / "t.xml", wait_s=0):
        pass


def test_the_lock_of_a_killed_run_is_free(tmp_path: Path) -> None:
    (tmp_path / ".s.xml.lock").write_bytes(b"")
    put(tmp_path / "s.xml", b"x")
    assert tree(tmp_path) == {"s.xml": b"x"}


@pytest.mark.parametrize("renewed", [False, True])
def test_a_lock_on_a_removed_file_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renewed: bool
) -> None:
    """The run before removes its lock between our opening it and our locking it."""
    flock = fcntl.flock
    lock = tmp_path / ".s.xml.lock"
    rounds: list[int] = []

    def late(handle: int, operation: int) -> None:
        if not rounds:
            lock.unlink()
            if renewed:  # and a third run has made a new one
                lock.touch()
        rounds.append(operation)
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with open_target(tmp_path / "s.xml"):
        assert lock.exists()
    assert len(rounds) == 2


def test_a_folder_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: object, *_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    sink = open_target(tmp_path / "s.xml")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SinkError, match="Permission denied; choose another folder"), sink:
        pass


def test_a_file_system_without_locks_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(SinkError, match="No locks available"), open_target(tmp_path / "s.xml"):
        pass
