"""Programs run in turn; who is not there, or does not do the same work, is left out by name."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner

from benchmarks import run
from benchmarks.__main__ import program
from benchmarks.data import Source, generate
from benchmarks.peers import PEERS, Found, PeerPaths, find
from benchmarks.profile import frames_per_entry, profiled
from benchmarks.results import load
from benchmarks.run import Runner
from benchmarks.workloads import GROUPS, Run, Workload, workloads

NOWHERE = PeerPaths(pythons=(), modules=None)
ITEMS = 20


def peer(program: str) -> Found:
    return Found((sys.executable, "-c", program), "1")


def runner(folder: Path, found: Mapping[str, Found | str]) -> Runner:
    return Runner(folder, NOWHERE, repeat=2, say=lambda line: None, found=dict(found))


def workload(*peers: str, words: tuple[str, ...] = ("-o", "sitemap.xml")) -> Workload:
    source = Source(kind="small", entries=ITEMS)
    return Workload("tried", GROUPS[0], "Tried", source, {"feed2sitemap": Run(words)}, peers)


@pytest.mark.parametrize("name", PEERS)
def test_a_missing_peer_is_skipped_with_an_installation_hint(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    sentence = find(name, NOWHERE)
    assert isinstance(sentence, str)
    assert sentence.startswith(f"{name} is left out: ")
    assert "install" in sentence
    assert "\n" not in sentence


def test_a_package_is_found_where_it_is_and_its_program_runs(tmp_path: Path) -> None:
    paths = PeerPaths.given("/no/such/python", None)
    found = {name: find(name, paths) for name in ("lxml", "feedparser")}
    assert all(isinstance(one, Found) and one.version for one in found.values())
    outcome = runner(tmp_path, found).run(workload(*found))
    assert list(outcome.costs) == ["feed2sitemap", *found]


@pytest.mark.parametrize("given", ["", "node_modules"])
def test_packages_of_node_are_found_in_or_below_a_folder(given: str, tmp_path: Path) -> None:
    folder = tmp_path / "node_modules"
    assert PeerPaths.given(None, str(tmp_path / given)).modules == folder


def test_slow_workloads_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    monkeypatch.setattr(run, "ONCE_S", 0.3)
    slow = f"import time; time.sleep(.4); open({str(log)!r}, 'a').write('x'); print({ITEMS})"
    quick = f"open({str(log)!r}, 'a').write('y'); print({ITEMS})"
    runner(tmp_path, {"lxml": peer(slow), "feedparser": peer(quick)}).run(
        workload("lxml", "feedparser")
    )
    assert sorted(log.read_text()) == ["x", "y", "y", "y"], "sampled, and then timed twice"


def test_a_workload_continues_without_failing_peers(tmp_path: Path) -> None:
    found = {
        "feedparser": peer(f"print({ITEMS})"),
        "lxml": peer(f"print({ITEMS + 1})"),
        "fastfeedparser": peer("raise SystemExit('too hard')"),
        "feedsmith": "feedsmith is left out: nobody asked for it",
    }
    tried = runner(tmp_path, found)
    outcome = tried.run(workload(*found))
    assert list(outcome.costs) == ["feed2sitemap", "feedparser"]
    assert tried.left_out == [
        f"lxml is left out of tried: it found {ITEMS + 1} of {ITEMS} entries",
        "fastfeedparser is left out of tried: exit 1: too hard",
    ]
    assert outcome.entries == ITEMS


def test_an_internal_error_is_reported_and_other_workloads_continue(tmp_path: Path) -> None:
    tried = runner(tmp_path, {"lxml": peer(f"print({ITEMS})")})
    outcome = tried.run(workload("lxml", words=("--no-such-option",)))
    assert list(outcome.costs) == ["lxml"]
    assert tried.failed == ["tried"]
    assert "--no-such-option" in tried.left_out[0]


ALONE = "import time; held = bytearray(40_000_000); time.sleep(0.5)"
SHARED = """
import os, time
child = os.fork()
held = bytearray(40_000_000)
time.sleep(0.5)
child and os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of another's memory")
def test_memory_of_child_processes_is_included(tmp_path: Path) -> None:
    found = {"lxml": peer(ALONE), "feedparser": peer(SHARED)}
    costs = runner(tmp_path, found).run(workload(*found)).costs
    assert costs["feedparser"].peak_bytes > costs["lxml"].peak_bytes


def test_a_run_finds_what_the_one_before_it_published(tmp_path: Path) -> None:
    words = ("-o", "sitemap.xml", "--sitemap-url", "https://www.example.com/sitemap.xml")
    known = Run(words, sources=[Source(kind="list", entries=ITEMS)])
    update = Run((*words, "--update", "--min-urls", str(2 * ITEMS)), before=known)
    source = Source(kind="small", entries=ITEMS)
    tried = runner(tmp_path, {})
    tried.run(Workload("tried", GROUPS[0], "Tried", source, {"--update": update}))
    assert tried.failed == []
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


def test_workloads_have_names_of_their_own_and_runs_that_exist() -> None:
    found = list(workloads(scale=1))
    assert len({one.name for one in found}) == len(found)
    assert {one.group for one in found} == set(GROUPS)
    for one in found:
        assert set(one.peers) <= set(PEERS)
        assert {aim.run for aim in one.aims} <= set(one.ours)
        assert {aim.compared_with for aim in one.aims} <= {*one.ours, *one.peers}
        assert all(aim.aim is None or aim.aim < aim.must for aim in one.aims)


def test_sources_that_are_read_together_have_no_entries_in_common(tmp_path: Path) -> None:
    (cliff,) = [one for one in workloads(scale=0.002) if one.name == "cliffs-small"]
    many = max(map(cliff.sources, cliff.ours.values()), key=len)
    assert len(many) == 10
    items = [
        generate(source, tmp_path).path.read_text("utf-8").split("<item>")[1:] for source in many
    ]
    assert len({item for each in items for item in each}) == sum(map(len, items))


# -- the command line -------------------------------------------------------------------------


def test_a_run_is_saved(tmp_path: Path) -> None:
    saved = tmp_path / "results.json"
    words = ["--repeat", "1", "--only", "start-up", "--data", str(tmp_path)]
    done = CliRunner().invoke(program, [*words, "--save", str(saved)])
    assert done.exit_code == 0, done.output
    assert [outcome.name for outcome in load(saved).outcomes] == ["start-up"]


def test_a_name_that_nothing_has_is_answered_with_those_that_are(tmp_path: Path) -> None:
    done = CliRunner().invoke(program, ["--only", "nothing", "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "there is no nothing" in done.output
    assert all(group in done.output for group in GROUPS)


def test_a_profile_names_functions_and_modules(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("https://ex.com/a\n", "ascii")
    shown = "\n".join(profiled([str(path), "-o", "sitemap.xml"]))
    assert "function" in shown
    assert "\n" in shown.partition("module")[2]
    assert "converter." in shown


def test_a_run_that_fails_has_no_profile() -> None:
    with pytest.raises(ClickException, match="exit 2"):
        list(profiled(["--no-such-option"]))


def test_frames_are_grouped_by_function(tmp_path: Path) -> None:
    few, many = (generate(Source(kind="small", entries=n), tmp_path) for n in (ITEMS, 2 * ITEMS))
    lines = list(frames_per_entry(few, many, "sitemap"))
    totals = {
        line.split()[1]: float(line.split()[0]) for line in lines if line.endswith(" an entry")
    }
    assert list(totals) == ["frames", "rules", "values"]
    assert all(rate > 0 for rate in totals.values())
    assert any("converter.values." in line for line in lines)


def test_the_command_counts_frames(tmp_path: Path) -> None:
    done = CliRunner().invoke(program, ["frames", "list", "--data", str(tmp_path), "--to", "txt"])
    assert done.exit_code == 0, done.output
    assert "frames an entry" in done.output
