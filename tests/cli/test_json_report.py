"""The JSON report of `--report`."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from converter.conversion.result import LeftOut
from converter.errors import DocumentError, RefusedError
from converter.issues import Code, Issue
from tests.cli.conftest import output_file, result

LOST = Issue(code=Code.DROPPED_FIELD, message="no place for it", path="item/georss:point")
ISSUE = Issue(
    code=Code.DATE_UNREADABLE,
    message='pubDate "yesterday" is not a date; left out',
    source="blog.rss",
    line=118,
    path="item/pubDate",
    entry="https://a.example/",
)
NUMBERS = {"urls": 2, "images": 1, "videos": 0, "news": 0}


def test_a_report_holds_the_whole_run(run: Any, library: Any) -> None:
    library.issues = [ISSUE, LOST, LOST]
    library.outcome = result(
        output_file("s.xml", **NUMBERS, bytes=70, raw_bytes=700),
        **NUMBERS,
        skipped=4,
        merged=3,
        sources=2,
        lost={"comments": 2},
        altered={"published": 1},
        present={"comments": 7},
        left_out=(LeftOut(item="video", number=2, why="one file", kept_by=("mrss",)),),
        read_apart={"page": 12},
        kept=("s-1.xml",),
        added=5,
        renewed=4,
        dropped=0,
        unchanged_sources=1,
        robots=True,
        found=("https://a.example/: a page; reading its feed",),
    )
    ended = run("blog.rss", "b.rss", "-o", "s.xml", "--report", "r.json", "--strict")
    assert ended.code == 1
    report = json.loads(Path("r.json").read_text())
    version = report.pop("version")
    assert version == "unknown" or version[0].isdigit()
    assert report.pop("issues")[0] == {
        "severity": "warning",
        "code": "date-unreadable",
        "source": "blog.rss",
        "line": 118,
        "path": "item/pubDate",
        "entry": "https://a.example/",
        "message": 'pubDate "yesterday" is not a date; left out',
    }
    assert report == {
        "generator": "feed2sitemap",
        "layout": 1,
        "error": None,
        "outputs": [{"path": "s.xml", "kind": "sitemap", **NUMBERS, "bytes": 70, "raw_bytes": 700}],
        "kept": ["s-1.xml"],
        "removed": [],
        "changed": None,
        "unchanged": False,
        "robots": True,
        "found": ["https://a.example/: a page; reading its feed"],
        "totals": {
            **NUMBERS,
            "skipped": 4,
            "merged": 3,
            "sources": 2,
            "unchanged_sources": 1,
            "added": 5,
            "renewed": 4,
            "dropped": 0,
        },
        "exit_code": 1,
        "inputs": ["blog.rss", "b.rss"],
        "counts": {
            "by_severity": {"warning": 1, "info": 2},
            "by_code": {"date-unreadable": 1, "dropped-field": 2},
        },
        "lost": {"comments": 2},
        "altered": {"published": 1},
        "held": {"comments": 5, "published": 0},
        "left_out": [{"item": "video", "number": 2, "why": "one file", "kept_by": ["mrss"]}],
        "read_apart": {"page": 12},
    }
    assert [path.name for path in Path().iterdir()] == ["r.json"]


def test_a_report_holds_every_issue_whatever_is_printed(run: Any, library: Any) -> None:
    library.issues = [ISSUE] * 1000
    run("a.rss", "-q", "--report", "r.json")
    assert len(json.loads(Path("r.json").read_text())["issues"]) == 1000


def test_a_failed_run_has_a_report_too(run: Any, library: Any) -> None:
    library.issues = [ISSUE]
    library.outcome = DocumentError("it breaks off", line=7, column=3)
    assert run("a.rss", "--report", "r.json").code == 4
    report = json.loads(Path("r.json").read_text())
    assert report["error"] == {
        "kind": "DocumentError",
        "message": "it breaks off",
        "line": 7,
        "column": 3,
    }
    assert report["exit_code"] == 4
    assert report["outputs"] == []
    assert len(report["issues"]) == 1
    assert report.keys() == _keys(run, library)


def _keys(run: Any, library: Any) -> Any:
    """The keys of a run that succeeds."""
    library.outcome = result()
    run("a.rss", "--report", "good.json")
    return json.loads(Path("good.json").read_text()).keys()


def test_an_internal_error_is_in_the_report(run: Any, library: Any) -> None:
    library.outcome = ZeroDivisionError("oh")
    assert run("a.rss", "--report", "r.json").code == 70
    assert json.loads(Path("r.json").read_text())["exit_code"] == 70


@pytest.mark.parametrize("end", [KeyboardInterrupt(), BrokenPipeError()])
def test_an_interrupted_run_leaves_the_old_report(run: Any, library: Any, end: Any) -> None:
    Path("r.json").write_text("old")
    library.issues = [ISSUE]
    library.outcome = end
    run("a.rss", "--report", "r.json")
    assert [path.name for path in Path().iterdir()] == ["r.json"]
    assert Path("r.json").read_text() == "old"


def test_a_report_keeps_permissions_and_links(run: Any, library: Any, tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("")
    (tmp_path / "real.json").chmod(0o640)
    Path("r.json").symlink_to("real.json")
    assert run("a.rss", "--report", "r.json").code == 0
    assert Path("r.json").is_symlink()
    assert stat.S_IMODE((tmp_path / "real.json").stat().st_mode) == 0o640
    assert json.loads(Path("r.json").read_text())["exit_code"] == 0


@pytest.mark.parametrize("path", ["missing/r.json", ".", "/dev/full"])
def test_a_report_that_cannot_be_written_is_exit_6(run: Any, library: Any, path: str) -> None:
    ended = run("a.rss", "--report", path)
    assert ended.code == 6
    assert ended.err.splitlines()[-1].startswith("feed2sitemap: error: ")


def test_a_missing_report_folder_is_an_error_before_the_run(run: Any, library: Any) -> None:
    run("a.rss", "--report", "missing/r.json")
    assert not library.called


def test_the_first_error_sets_the_exit_code(run: Any, library: Any) -> None:
    library.outcome = RefusedError("no URLs at all")
    ended = run("a.rss", "--report", "/dev/full")
    assert ended.code == 7
    assert "/dev/full" in ended.err
    assert ended.err.splitlines()[-1] == "feed2sitemap: error: no URLs at all"


def test_a_report_can_be_written_to_a_pipe(run: Any, library: Any) -> None:
    read, write = os.pipe()
    try:
        assert run("a.rss", "--report", f"/dev/fd/{write}").code == 0
    finally:
        os.close(write)
    with os.fdopen(read, "rb") as stream:
        assert json.load(stream)["error"] is None


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are always UTF-8")
def test_text_of_any_kind_is_valid_json(run: Any, library: Any) -> None:
    name = "blog\udcff\x1b.rss"
    library.issues = [Issue(code=Code.LINE_COMMENT, message="\0 \u2028 \ud800 é", source=name)]
    run(name, "--report", "r.json")
    report = json.loads(Path("r.json").read_bytes().decode("utf-8"))
    assert report["inputs"] == [name]
    assert report["issues"][0]["message"] == "\0 \u2028 \ud800 é"


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("https://me:s3cret@a.example/feed?x=1", "https://a.example/feed?x=1"),
        ("HTTP://me:s3cret@a.example/" + "x" * 200, "HTTP://a.example/" + "x" * 200),
        ("http:/me:s3cret@a.example/", "http:/a.example/"),
        ("me:s3cret@a.example/", "a.example/"),
        ("https://a.example/@me", "https://a.example/@me"),
        ("a folder/b@c: d.rss", "a folder/b@c: d.rss"),
    ],
)
def test_passwords_of_sources_are_not_reported(
    run: Any, library: Any, source: str, shown: str
) -> None:
    run(source, "--report", "r.json")
    written = Path("r.json").read_text("utf-8")
    assert json.loads(written)["inputs"] == [shown]
    assert "s3cret" not in written


def test_the_page_explains_every_key(run: Any, library: Any) -> None:
    page = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    sample = json.loads(page.split("```json")[1].split("```")[0])
    library.issues = [ISSUE]
    run("a.rss", "--report", "r.json")
    report = json.loads(Path("r.json").read_text())
    assert sample.keys() == report.keys()
    assert sample["outputs"][0].keys() == report["outputs"][0].keys()
    assert sample["totals"].keys() == report["totals"].keys()
    assert sample["issues"][0].keys() == report["issues"][0].keys()
    rows = page.split("|---|---|")[1]
    assert all(f"`{key}`" in rows for key in report)
