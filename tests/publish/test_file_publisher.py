"""Publishing to files: names, modes, owners, the order of renames, and unchanged files."""

from __future__ import annotations

import errno
import gzip
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import SinkError
from converter.publish.file_names import FileNames, host_name, part_name
from converter.publish.target import open_target
from tests.builders import put, tree


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# names


@pytest.mark.parametrize(
    ("target", "third", "host"),
    [
        ("sitemap.xml", "sitemap-3.xml", "sitemap-ex.com.xml"),
        ("sitemap.xml.gz", "sitemap-3.xml.gz", "sitemap-ex.com.xml.gz"),
        ("sitemap", "sitemap-3", "sitemap-ex.com"),
        ("sitemap.gz", "sitemap-3.gz", "sitemap-ex.com.gz"),
        ("map.2026.xml", "map.2026-3.xml", "map.2026-ex.com.xml"),
        (".map", ".map-3", ".map-ex.com"),
        ("karte-ü.xml", "karte-ü-3.xml", "karte-ü-ex.com.xml"),
    ],
)
def test_parts_and_hosts_are_named_after_the_target(target: str, third: str, host: str) -> None:
    assert part_name(target, 3) == third
    assert host_name(target, "ex.com") == host
    assert FileNames(target).is_own(third)
    assert FileNames(target).is_part(third)
    assert FileNames(target).is_own(host)
    assert not FileNames(target).is_part(host)


def test_the_name_of_a_host_stays_in_the_folder() -> None:
    assert host_name("s.xml", "../[::1]:80\n") == "s-..____1__80_.xml"


@pytest.mark.parametrize(
    "name",
    [
        "sitemap.xml",
        "sitemap-0.xml",
        "sitemap-x.xml",
        "sitemap-1.txt",
        "other-1.xml",
        "a/sitemap-1.xml",
    ],
)
def test_only_parts_are_removable(name: str) -> None:
    assert not FileNames("sitemap.xml").is_part(name)


@pytest.mark.property
@given(
    target=st.text(min_size=1, max_size=300).filter(
        lambda name: "/" not in name and "\0" not in name
    ),
    number=st.integers(1, 60_000),
)
def test_names_of_parts_and_hosts_belong_to_their_target(target: str, number: int) -> None:
    names = FileNames(target)
    assert names.is_part(part_name(target, number))
    assert names.is_temporary(names.temporary())
    assert not names.is_own(names.temporary()) or target.startswith(".")
    if len(os.fsencode(target)) <= 255:
        assert len(os.fsencode(names.temporary())) <= 255
    assert not FileNames(f"{target}.xml").is_temporary(names.temporary())


# one file


def test_a_new_file_follows_the_umask_and_leaves_no_other_files(tmp_path: Path) -> None:
    with umask(0o027):
        put(tmp_path / "sitemap.xml", b"new")
    assert tree(tmp_path) == {"sitemap.xml": b"new"}
    assert mode_of(tmp_path / "sitemap.xml") == 0o640


def test_a_staged_file_has_its_stored_and_its_uncompressed_size(tmp_path: Path) -> None:
    with open_target(tmp_path / "s.xml.gz") as sink:
        staged = sink.stage([b"a" * 5000, b"", b"b" * 5000], compress=True)
        assert staged.raw_bytes == 10_000
        sink.publish([(sink.name, staged)])
    assert staged.bytes == (tmp_path / "s.xml.gz").stat().st_size < 1000
    assert gzip.decompress((tmp_path / "s.xml.gz").read_bytes()) == b"a" * 5000 + b"b" * 5000


def test_gzip_output_contains_no_time_and_no_name(tmp_path: Path) -> None:
    put_twice = []
    for name in ("a.gz", "b.gz"):
        with open_target(tmp_path / name) as sink:
            sink.publish([(name, sink.stage([b"same"], compress=True))])
        put_twice.append((tmp_path / name).read_bytes())
    assert put_twice[0] == put_twice[1]
    flags, mtime = put_twice[0][3], put_twice[0][4:8]
    assert (flags, mtime) == (0, bytes(4))


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o444, 0o666])
def test_the_mode_of_the_old_file_is_kept(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "sitemap.xml"
    target.write_bytes(b"old")
    target.chmod(mode)
    with umask(0o077):
        put(target, b"new")
    assert (target.read_bytes(), mode_of(target)) == (b"new", mode)


def test_the_replacement_of_a_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    with open_target(tmp_path / "sitemap.xml") as sink:
        sink.stage([b"x"], compress=False)
        (temporary,) = tmp_path.glob(".*.tmp")
        assert mode_of(temporary) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_of_the_old_file_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "sitemap.xml"
    target.write_bytes(b"old")
    os.chown(target, 1234, 2345)
    put(target, b"new")
    assert (target.stat().st_uid, target.stat().st_gid) == (1234, 2345)


def test_failing_to_keep_the_owner_is_not_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not yours")

    target = tmp_path / "sitemap.xml"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "fchown", refuse)
    monkeypatch.setattr(os, "fchmod", refuse)
    put(target, b"new")
    assert tree(tmp_path) == {"sitemap.xml": b"new"}


def test_without_publish_nothing_changes(tmp_path: Path) -> None:
    put(tmp_path / "sitemap.xml", b"old")
    with open_target(tmp_path / "sitemap.xml") as sink:
        sink.stage([b"new"], compress=False)
        sink.spool().write(b"spilled")
    assert tree(tmp_path) == {"sitemap.xml": b"old"}


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, RuntimeError])
def test_an_exception_leaves_the_existing_output(
    tmp_path: Path, error: type[BaseException]
) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"half"
        raise error

    put(tmp_path / "sitemap.xml", b"old")
    with pytest.raises(error), open_target(tmp_path / "sitemap.xml") as sink:
        sink.stage(chunks(), compress=False)
    assert tree(tmp_path) == {"sitemap.xml": b"old"}


def test_discarded_files_are_removed_and_others_can_be_staged(tmp_path: Path) -> None:
    with open_target(tmp_path / "s.xml") as sink:
        sink.stage([b"first walk"], compress=False)
        sink.discard()
        kept = sink.stage([b"second walk"], compress=False)
        sink.discard([sink.stage([b"of another host"], compress=False)])
        assert len(list(tmp_path.glob(".*.tmp"))) == 1
        sink.publish([("s.xml", kept)])
    assert tree(tmp_path) == {"s.xml": b"second walk"}


def test_source_and_target_may_be_the_same(tmp_path: Path) -> None:
    target = tmp_path / "list.txt"
    target.write_bytes(b"one\ntwo\n")
    with target.open("rb") as source, open_target(target) as sink:
        sink.publish([(sink.name, sink.stage((line.upper() for line in source), compress=False))])
    assert target.read_bytes() == b"ONE\nTWO\n"


def test_a_relative_path_is_resolved_when_the_target_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with open_target("s.xml") as sink:
        monkeypatch.chdir(tmp_path / "elsewhere")
        sink.publish([("s.xml", sink.stage([b"x"], compress=False))])
    assert (tmp_path / "s.xml").read_bytes() == b"x"


@pytest.mark.parametrize(
    "name", ["x" * 251 + ".xml", "naïve 🗺.xml", "with\nline.xml", "-o.xml", "a-1.xml"]
)
def test_unusual_names_work(tmp_path: Path, name: str) -> None:
    put(tmp_path / name, b"1")
    put(tmp_path / name, b"2")
    assert tree(tmp_path) == {name: b"2"}


def test_a_file_name_may_be_invalid_utf8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.xml")
    put(tmp_path / name, b"index", n1=b"part")
    assert set(tree(tmp_path)) == {name, os.fsdecode(b"caf\xe9-1.xml")}


# several files


def test_parts_are_in_the_folder_of_the_index(tmp_path: Path) -> None:
    put(tmp_path / "s.xml", b"index", n1=b"one", n2=b"two")
    assert tree(tmp_path) == {"s.xml": b"index", "s-1.xml": b"one", "s-2.xml": b"two"}


def test_parts_are_renamed_first_and_removals_come_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "s.xml", b"index", n1=b"one", n2=b"two", n3=b"three")
    steps: list[str] = []
    replace, unlink = os.replace, os.unlink

    def noted_replace(source: str, target: str) -> None:
        steps.append(f"+{Path(target).name}")
        replace(source, target)

    def noted_unlink(path: str) -> None:
        steps.append(f"-{Path(path).name}")
        unlink(path)

    with open_target(tmp_path / "s.xml") as sink:
        monkeypatch.setattr(os, "replace", noted_replace)
        monkeypatch.setattr(os, "unlink", noted_unlink)
        files = [(name, sink.stage([b"new"], compress=False)) for name in ("s-1.xml", "s.xml")]
        sink.publish(files, remove=["s-3.xml", "s-1.xml", "s-2.xml", "s-9.xml"])
    assert steps == [
        "+.s.xml.journal",
        "+s-1.xml",
        "+s.xml",
        "-s-3.xml",
        "-s-2.xml",
        "-s-9.xml",
        "-.s.xml.journal",
        "-.s.xml.lock",
    ]
    assert tree(tmp_path) == {"s.xml": b"new", "s-1.xml": b"new"}


def test_each_part_keeps_the_mode_of_the_existing_one(tmp_path: Path) -> None:
    with umask(0o022):
        put(tmp_path / "s.xml", b"index", n1=b"one")
        (tmp_path / "s-1.xml").chmod(0o604)
        put(tmp_path / "s.xml", b"index", n1=b"one", n2=b"two")
    modes = {path.name: mode_of(path) for path in tmp_path.iterdir()}
    assert modes == {"s.xml": 0o644, "s-1.xml": 0o604, "s-2.xml": 0o644}


@pytest.mark.parametrize(
    ("names", "remove"),
    [
        (["other.xml"], []),
        (["../s.xml"], []),
        (["s.xml", "s.xml"], []),
        (["s.xml"], ["s-ex.com.xml"]),
        (["s.xml"], ["/etc/passwd"]),
    ],
)
def test_names_of_other_files_are_neither_written_nor_removed(
    tmp_path: Path, names: list[str], remove: list[str]
) -> None:
    with open_target(tmp_path / "s.xml") as sink:
        files = [(name, sink.stage([b"x"], compress=False)) for name in names]
        with pytest.raises(ValueError, match=r"s\.xml"):
            sink.publish(files, remove=remove)
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("kind", ["folder", "link", "fifo"])
def test_a_part_replaces_regular_files_only(tmp_path: Path, kind: str) -> None:
    put(tmp_path / "s.xml", b"old")
    in_the_way = tmp_path / "s-1.xml"
    if kind == "folder":
        in_the_way.mkdir()
    elif kind == "link":
        in_the_way.symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(in_the_way)
    with pytest.raises(SinkError, match=r"s-1\.xml.*in the way"):
        put(tmp_path / "s.xml", b"new", n1=b"part")
    assert (tmp_path / "s.xml").read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} == {"s.xml", "s-1.xml"}
