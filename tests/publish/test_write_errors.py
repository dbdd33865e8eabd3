"""Errors of the system: the message names cause and remedy, and the output is unchanged."""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path

import pytest

from converter.errors import OptionError, SinkError
from converter.publish.target import open_target
from tests.builders import put, tree


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "empty"),
        ("a\0b", "NUL"),
    ],
)
def test_an_impossible_name_is_an_option_error(name: str, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        open_target(name)


@pytest.mark.parametrize("target", [io.StringIO(), b"s.xml", 7])
def test_other_targets_than_paths_and_binary_streams_are_option_errors(target: object) -> None:
    with pytest.raises(OptionError, match=r"path or a binary stream"):
        open_target(target)  # type: ignore[arg-type]  # that is what is tried


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (".", "folder"),
        ("folder", "is the name of a folder"),
        ("folder/", "name of a folder"),
        ("missing/", "name of a folder"),
        ("missing/s.xml", r"the folder \".*missing\" does not exist; create it first"),
        ("file/s.xml", "Not a directory"),
        ("circle", "Too many levels of symbolic links"),
        ("x" * 256, "File name too long"),
    ],
)
def test_the_error_for_a_path_names_the_cause(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(SinkError, match=says), open_target(f"{tmp_path}/{name}"):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "file", "circle"}


def test_a_part_whose_name_is_too_long_is_an_error(tmp_path: Path) -> None:
    name = "x" * 251 + ".xml"
    put(tmp_path / name, b"old")
    with pytest.raises(SinkError, match="too long"):
        put(tmp_path / name, b"new", n1=b"part")
    assert tree(tmp_path) == {name: b"old"}


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_write_permission_is_an_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SinkError, match="Permission denied"):
        put(tmp_path / "s.xml", b"x")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "No space left on device; make room"),
        (errno.EDQUOT, "quota"),
        (errno.EFBIG, "File too large"),
        (errno.EIO, "Input/output error"),
        (errno.EACCES, "Permission denied"),
        (errno.EROFS, "Read-only file system; choose another folder"),
        (errno.ETXTBSY, "Text file busy; choose another folder"),
    ],
)
def test_an_error_of_the_system_names_cause_and_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, says: str
) -> None:
    put(tmp_path / "s.xml", b"old")

    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(SinkError, match=rf's\.xml" could not be written: .*{says}'):
        put(tmp_path / "s.xml", b"new")
    assert tree(tmp_path) == {"s.xml": b"old"}


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_failing_to_flush_a_folder_is_not_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    fsync = os.fsync

    def only_files(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, os.strerror(number))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    put(tmp_path / "s.xml", b"index", n1=b"part")
    assert tree(tmp_path) == {"s.xml": b"index", "s-1.xml": b"part"}


def test_an_error_after_the_first_rename_names_its_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "s.xml", b"old", n1=b"old")
    replace = os.replace

    def refuse_index(source: str, target: str) -> None:
        if Path(target).name == "s.xml":
            raise PermissionError(errno.EPERM, "Operation not permitted", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse_index)
    for _ in range(2):  # the next run cannot complete it either, and says the same
        with pytest.raises(SinkError, match=r"only in part: Operation not permitted at .*s\.xml"):
            put(tmp_path / "s.xml", b"new", n1=b"new")
    monkeypatch.undo()
    with open_target(tmp_path / "s.xml"):
        pass
    assert tree(tmp_path) == {"s.xml": b"new", "s-1.xml": b"new"}
