"""The comparison of two checkouts finds what differs, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks import coincidences, compare

Compared = Callable[..., Result]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Compared:
    """Run the comparison without the generated documents, which take a second."""
    monkeypatch.setattr(coincidences, "write_all", lambda _: iter(()))

    def run(new: Path, *arguments: str) -> Result:
        return CliRunner().invoke(
            compare.program, [str(compare.ROOT), str(new), *arguments], catch_exceptions=False
        )

    return run


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """Copy the package, and replace a text in one of its modules."""

    def copy(module: str, old: str, new: str) -> Path:
        root = tmp_path / "changed"
        shutil.copytree(
            compare.ROOT / "converter",
            root / "converter",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        path = root / "converter" / module
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
        return root

    return copy


def test_equal_checkouts_have_no_differences(compared: Compared) -> None:
    result = compared(
        compare.ROOT,
        "--only",
        "samples/urls.txt -> txt base_url='https://ex.com/blog/feed.xml' jobs",
    )
    assert (result.exit_code, result.output) == (0, "1 conversions, 0 with a difference\n")


def test_bytes_that_differ_are_shown(
    compared: Compared, changed: Callable[[str, str, str], Path]
) -> None:
    new = changed("formats/urllist.py", 'encode() + b"\\n"', 'encode() + b"#\\n"')
    result = compared(
        new, "--only", "samples/urls.txt -> txt base_url='https://ex.com/blog/feed.xml' jobs"
    )
    assert result.exit_code == 1
    assert "  out.txt: line 1\n    old: https://" in result.output
    assert result.output.endswith("1 conversions, 1 with a difference\n")


def test_differing_messages_can_be_ignored(
    compared: Compared, changed: Callable[[str, str, str], Path]
) -> None:
    new = changed("formats/urllist.py", "is a comment; skipped", "is a remark; skipped")
    case = ("--only", "cases/38-text-list -> txt base_url='https://ex.com/blog/feed.xml' jobs")
    assert "is a remark; skipped" in compared(new, *case).output
    assert compared(new, *case, "--without-messages").exit_code == 0


def test_every_case_names_its_sources(tmp_path: Path) -> None:
    cases = [it for it in compare.documents(tmp_path, ()) if it[0].startswith("cases/")]
    assert len(cases) == len(list((compare.ROOT / "tests" / "cases").iterdir()))
    assert all(sources and "to" not in options for _, sources, options in cases)


def test_no_conversion_is_a_failure(compared: Compared) -> None:
    result = compared(compare.ROOT, "--only", "nothing has this name")
    assert (result.exit_code, result.output) == (1, "0 conversions, 0 with a difference\n")
