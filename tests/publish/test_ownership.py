"""Hidden files of other users in the output folder are refused and not obeyed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from converter.errors import SinkError
from converter.publish.target import open_target
from tests.builders import make_irregular, tree

TEMPORARY = ".s.xml.0123456789abcdef.tmp"
JOURNAL = json.dumps(
    {"version": 1, "target": "s.xml", "renames": [[TEMPORARY, "s.xml"]], "removals": ["s-1.xml"]}
)
HIDDEN = {".s.xml.lock": "", ".s.xml.journal": JOURNAL, TEMPORARY: "new"}

Give = Callable[[Path], None]


@pytest.fixture(params=["chown", "mapped"])
def given_away(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Give:
    """Make a file another user's: in truth, or by what the system says of it."""
    if request.param == "chown":
        if os.geteuid() != 0:
            pytest.skip("only root may give files away")
        return lambda path: os.chown(path, 4321, 4321, follow_symlinks=False)
    theirs: set[int] = set()

    def mapped(status: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
        def asked(*of: Any, **more: Any) -> os.stat_result:
            found = status(*of, **more)
            if found.st_ino not in theirs:
                return found
            return os.stat_result((*found[:4], found.st_uid + 1, *found[5:]))

        return asked

    monkeypatch.setattr(os, "fstat", mapped(os.fstat))
    monkeypatch.setattr(os, "lstat", mapped(os.lstat))
    return lambda path: theirs.add(path.lstat().st_ino)


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_files_of_another_user_are_refused(
    tmp_path: Path, given_away: Give, name: str
) -> None:
    for visible in ("s.xml", "s-1.xml"):
        (tmp_path / visible).write_text("old")
    (tmp_path / name).write_text(HIDDEN[name])
    given_away(tmp_path / name)
    if name.endswith("journal"):
        (tmp_path / TEMPORARY).write_text("new")
    before = tree(tmp_path)
    with (
        pytest.raises(SinkError, match=rf"{name}. cannot be trusted.*another user.*remove it"),
        open_target(tmp_path / "s.xml"),
    ):
        pass
    assert tree(tmp_path) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_temporary_file_of_another_user_in_our_own_journal_is_refused(tmp_path: Path) -> None:
    for name, content in {**HIDDEN, "s.xml": "old", "s-1.xml": "old"}.items():
        (tmp_path / name).write_text(content)
    os.chown(tmp_path / TEMPORARY, 4321, 4321)
    with (
        pytest.raises(SinkError, match=rf"{TEMPORARY}. cannot be trusted"),
        open_target(tmp_path / "s.xml"),
    ):
        pass
    assert (tmp_path / "s.xml").read_text() == (tmp_path / "s-1.xml").read_text() == "old"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_publication_by_root_for_the_owner_of_the_output_is_completed(
    tmp_path: Path,
) -> None:
    for name, content in {**HIDDEN, "s.xml": "old"}.items():
        (tmp_path / name).write_text(content)
    os.chown(tmp_path / TEMPORARY, 4321, 4321)
    os.chown(tmp_path / "s.xml", 4321, 4321)
    with open_target(tmp_path / "s.xml") as sink:
        assert sink.completed == 1
    assert tree(tmp_path) == {"s.xml": b"new"}
    (tmp_path / TEMPORARY).write_text("before its journal")
    os.chown(tmp_path / TEMPORARY, 4321, 4321)
    with open_target(tmp_path / "s.xml"):
        pass
    assert tree(tmp_path) == {"s.xml": b"new"}


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_a_lock_is_a_regular_file(tmp_path: Path, kind: str) -> None:
    lock = tmp_path / ".s.xml.lock"
    make_irregular(lock, kind)
    with (
        pytest.raises(SinkError, match=r"lock. cannot be trusted"),
        open_target(tmp_path / "s.xml"),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [".s.xml.lock"]


def test_a_temporary_file_that_became_a_link_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o600)
    with open_target(tmp_path / "s.xml") as sink:
        staged = sink.stage([b"new"], compress=False)
        (tmp_path / staged.temporary).unlink()
        (tmp_path / staged.temporary).hardlink_to(secret)
        with pytest.raises(SinkError, match="replaced by a link"):
            sink.publish([("s.xml", staged)])
    assert {path.name for path in tmp_path.iterdir()} == {"secret"}
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_hidden_files_are_private_from_the_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, int]] = []
    opened = os.open

    def noted(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        handle = opened(path, flags, mode, **more)
        if os.fstat(handle).st_nlink and flags & os.O_CREAT:
            made.append((Path(path).name, stat.S_IMODE(os.fstat(handle).st_mode)))
        return handle

    umask = os.umask(0)
    try:
        with open_target(tmp_path / "s.xml") as sink:
            monkeypatch.setattr(os, "open", noted)
            sink.spool().write(b"x")
            files = [(name, sink.stage([b"new"], compress=False)) for name in ("s-1.xml", "s.xml")]
            sink.publish(files)
    finally:
        os.umask(umask)
    assert len(made) >= 3  # two files and a journal
    assert {mode for _, mode in made} == {0o600}
    assert stat.S_IMODE((tmp_path / "s.xml").stat().st_mode) == 0o666
