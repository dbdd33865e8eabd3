from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from converter.cli import main
from converter.options.parsing import DIFF_OPTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "comparing.md").read_text("utf-8")
OLD = "https://ex.com/same\nhttps://ex.com/removed\n"
NEW = "https://ex.com/same\nhttps://ex.com/added\n"


@pytest.fixture(autouse=True)
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.txt").write_text(OLD, "utf-8")
    Path("new.txt").write_text(NEW, "utf-8")


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["diff", *words])
    out, err = capfd.readouterr()
    return code, out, err


def test_changes_are_data_and_the_counts_are_a_message(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "old.txt", "new.txt")
    assert code == 1
    assert out == "+ https://ex.com/added\n- https://ex.com/removed\n"
    assert err.splitlines()[-1] == "1 added, 1 removed, 0 changed, 1 same"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["old.txt", "old.txt"], 0),
        (["old.txt", "new.txt"], 1),
        (["old.txt", "new.txt", "--fail-if-removed", "50%"], 0),
        (["old.txt", "new.txt", "--fail-if-removed", "1"], 0),
        (["old.txt", "new.txt", "--fail-if-removed", "40%"], 1),
        (["old.txt", "new.txt", "--only", "changed"], 1),
        (["--old", "old.txt", "--old", "new.txt", "--new", "new.txt", "--new", "old.txt"], 0),
        (["old.txt"], 2),
        (["old.txt", "new.txt", "--old", "old.txt"], 2),
        (["-", "-"], 2),
        (["old.txt", "new.txt", "--compare", "colour"], 2),
        (["old.txt", "new.txt", "--map-host", "a"], 2),
        (["old.txt", "missing.txt"], 3),
        (["old.txt", "new.txt", "-o", "missing/out.txt"], 6),
    ],
)
def test_exit_codes(capfd: pytest.CaptureFixture[str], words: list[str], code: int) -> None:
    assert run(capfd, *words)[0] == code


def test_a_side_that_breaks_off_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    page = "<url><loc>https://ex.com/same</loc></url>"
    Path("cut.xml").write_text(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{page}<url><lo', "utf-8"
    )
    code, out, err = run(capfd, "old.txt", "cut.xml")
    assert (code, out) == (4, "")
    assert "--allow-truncated" in err
    assert run(capfd, "old.txt", "cut.xml", "--allow-truncated")[0] == 1


def test_standard_input_is_one_side(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(OLD.encode())))
    words = ("-", "new.txt", "--only", "removed", "--format", "txt", "-q")
    assert run(capfd, *words) == (1, "https://ex.com/removed\n", "")


def test_txt_lists_what_must_be_fetched_again(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "old.txt", "new.txt", "--format", "txt")[1] == "https://ex.com/added\n"


def test_json_has_changes_and_counts(capfd: pytest.CaptureFixture[str]) -> None:
    document: Any = json.loads(run(capfd, "old.txt", "new.txt", "--format", "json")[1])
    kinds = [(change["change"], change["url"]) for change in document["changes"]]
    assert kinds == [("added", "https://ex.com/added"), ("removed", "https://ex.com/removed")]
    assert document["counts"]["same"] == 1


def test_the_summary_alone_writes_no_changes(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "old.txt", "new.txt", "--summary")
    assert (code, out) == (1, "")
    assert err.endswith("1 added, 1 removed, 0 changed, 1 same\n")


def test_an_empty_side_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    Path("empty.txt").touch()
    assert "the new side has no pages (empty.txt)" in run(capfd, "old.txt", "empty.txt")[2]


def test_a_file_is_published_whole(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "old.txt", "new.txt", "--format", "csv", "-o", "changes.csv")
    assert (code, out) == (1, "")
    assert Path("changes.csv").read_text("utf-8").splitlines()[0] == "change,url,field,old,new"


def test_options_come_from_the_table_diff_of_the_configuration(
    capfd: pytest.CaptureFixture[str],
) -> None:
    Path("feed2sitemap.toml").write_text('[diff]\nformat = "txt"\nonly = "removed"\n', "utf-8")
    assert run(capfd, "old.txt", "new.txt")[1] == "https://ex.com/removed\n"


def test_every_option_is_on_the_page() -> None:
    own = [option.long for option in DIFF_OPTIONS if option.section in {"Sides", "Comparison"}]
    assert [long for long in own if long not in PAGE] == []
