"""Runs killed, interrupted or refused at every single step: the output is all old or all new."""

from __future__ import annotations

import errno
import os
import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from converter.errors import SinkError
from converter.publish.publisher import Publisher
from converter.publish.target import open_target
from tests.builders import tree

#: Everything that publishing does to the file system through Python, and can be stopped before.
STEPS = ("open", "fchmod", "fsync", "replace", "unlink", "scandir")

OLD = {"s.xml": b"old index", "s-1.xml": b"old 1", "s-2.xml": b"old 2", "s-3.xml": b"old 3"}
NEW = {"s.xml": b"new index", "s-1.xml": b"new 1", "s-2.xml": b"new 2"}
OLD_ALONE = {"s.xml": b"old"}
NEW_ALONE = {"s.xml": b"new"}


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def publish(folder: Path, files: dict[str, bytes]) -> None:
    with open_target(folder / "s.xml") as sink:
        staged = [(name, sink.stage([files[name]], compress=False)) for name in sorted(files)]
        sink.spool().write(b"spilled")
        stale = [name for name in tree(folder) if name not in files and name.startswith("s-")]
        sink.publish(staged, remove=stale)


def enter_and_fail(folder: Path) -> None:
    with open_target(folder / "s.xml", wait_s=5):
        pass


def stopped_at(step: int, stop: Callable[[], None]) -> pytest.MonkeyPatch:
    """Call `stop` once, before the given step."""
    left = step
    patch = pytest.MonkeyPatch()

    def stopping(call: Callable[..., object]) -> Callable[..., object]:
        def stopped(*arguments: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left == 0:
                stop()
            return call(*arguments, **named)

        return stopped

    for name in STEPS:
        patch.setattr(os, name, stopping(getattr(os, name)))
    return patch


def in_child(work: Callable[[], None]) -> int:
    """Run in a process of its own; returns its exit code, negative for a signal."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def killed_at(step: int, work: Callable[[], None]) -> bool:
    """Run in a child that is killed before the given step; False: it had ended by then."""

    def until_killed() -> None:
        stopped_at(step, lambda: os.kill(os.getpid(), signal.SIGKILL))
        work()

    code = in_child(until_killed)
    assert code in (0, -signal.SIGKILL)
    return code != 0


def folders(tmp_path: Path, files: dict[str, bytes]) -> Iterator[tuple[int, Path]]:
    for step in range(1, 200):
        folder = tmp_path / str(step)
        folder.mkdir()
        write(folder, files)
        yield step, folder
    raise AssertionError("it never ends")


@pytest.mark.parametrize(
    ("old", "new"),
    [(OLD, NEW), (OLD_ALONE, NEW_ALONE), (OLD_ALONE, NEW), (OLD, NEW_ALONE), ({}, NEW)],
)
def test_a_run_killed_anywhere_is_completed_or_undone_by_the_next(
    tmp_path: Path, old: dict[str, bytes], new: dict[str, bytes]
) -> None:
    results = []
    for step, folder in folders(tmp_path, old):
        killed = killed_at(step, lambda folder=folder: publish(folder, new))  # type: ignore[misc]
        enter_and_fail(folder)
        results.append(tree(folder))
        assert results[-1] in (old, new)
        if not killed:
            break
    assert results[0] == old
    assert results[-1] == new
    assert sorted(results, key=lambda result: result == new) == results


def test_completing_a_journal_may_be_killed_too(tmp_path: Path) -> None:
    begun = 0
    for step, folder in folders(tmp_path, OLD):
        if not killed_at(step, lambda folder=folder: publish(folder, NEW)):  # type: ignore[misc]
            break
        if not (folder / ".s.xml.journal").exists():
            continue
        begun += 1
        again = 1
        while killed_at(again, lambda folder=folder: enter_and_fail(folder)):  # type: ignore[misc]
            again += 1
        assert tree(folder) == NEW
    assert begun > len(NEW)


def test_nothing_is_visible_before_the_first_rename(tmp_path: Path) -> None:
    for step, folder in folders(tmp_path, OLD):
        killed_at(step, lambda folder=folder: publish(folder, NEW))  # type: ignore[misc]
        seen = {name: content for name, content in tree(folder).items() if name[0] != "."}
        if (folder / ".s.xml.journal").exists():
            break
        assert seen == OLD


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left")])
def test_an_error_at_any_step_leaves_a_complete_set(tmp_path: Path, fault: BaseException) -> None:
    def strike() -> None:
        raise fault

    for step, folder in folders(tmp_path, OLD):
        error: BaseException | None = None
        patch = stopped_at(step, strike)
        try:
            publish(folder, NEW)
        except (KeyboardInterrupt, SinkError) as caught:
            error = caught
        finally:
            patch.undo()
        seen = {name: content for name, content in tree(folder).items() if name[0] != "."}
        assert seen in (OLD, NEW)
        assert error or seen == NEW
        enter_and_fail(folder)
        assert tree(folder) == seen
        if step > 100:
            break
    assert seen == NEW


def test_parallel_runs_leave_the_set_of_one_of_them(tmp_path: Path) -> None:
    def work(letter: bytes) -> None:
        for round_number in range(5):
            parts = 1 + (round_number + letter[0]) % 3
            names = ["s.xml", *(f"s-{number}.xml" for number in range(1, parts + 1))]
            publish(tmp_path, dict.fromkeys(names, letter * parts))

    children = []
    for letter in (b"a", b"b", b"c"):
        child = os.fork()
        if child == 0:
            try:
                work(letter)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    left = tree(tmp_path)
    (content,) = set(left.values())
    assert set(left) == {"s.xml", *(f"s-{number + 1}.xml" for number in range(len(content)))}


@pytest.mark.parametrize("place", ["stage", "memory", "spool"])
def test_a_file_above_the_size_limit_is_an_error(tmp_path: Path, place: str) -> None:
    target = tmp_path / "s.xml"
    target.write_bytes(b"old")
    writes: dict[str, Callable[[Publisher, Iterator[bytes]], object]] = {
        "stage": lambda sink, chunks: sink.stage(chunks, compress=False),
        "memory": lambda sink, chunks: sink.stage(chunks, compress=False),
        "spool": lambda sink, chunks: sink.spool().writelines(chunks),
    }

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
        chunks = (b"x" * 65_536 for _ in range(100))
        sink = open_target(None if place == "memory" else target)
        with pytest.raises(SinkError, match="File too large"), sink:
            writes[place](sink, chunks)

    assert in_child(work) == 0
    assert tree(tmp_path) == {"s.xml": b"old"}
