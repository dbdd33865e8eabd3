"""A library stand-in that checks options only: tests of the command line alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from converter import api
from converter.conversion.result import OutputFile, Result
from converter.issues import Issue
from converter.options.parsing import parse
from tests.builders import NOW


def output_file(path: str = "sitemap.xml", kind: str = "sitemap", **counts: int) -> OutputFile:
    zero = dict.fromkeys(("urls", "images", "videos", "news", "bytes", "raw_bytes"), 0)
    return OutputFile(path=path, kind=kind, **(zero | counts))


def result(*files: OutputFile, **given: Any) -> Result:
    zero = dict.fromkeys(("urls", "images", "videos", "news", "skipped"), 0)
    rest = {"sources": 1, "removed": (), "changed": None, "issues": ()}
    return Result(files=files or (output_file(),), **(zero | rest | given))


@dataclass
class Library:
    """What was asked of `convert`, and what it is to do."""

    issues: Iterable[Issue] = ()
    outcome: Result | BaseException = field(default_factory=result)
    act: Callable[[], None] = lambda: None
    sources: tuple[str, ...] = ()
    target: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    progress: Callable[[int, int | None], None] | None = None
    called: bool = False
    jobs: int = 0

    def convert(
        self,
        source: tuple[str, ...],
        target: str,
        /,
        *,
        report: Callable[[Issue], None],
        progress: Callable[[int, int | None], None] | None,
        jobs: int,
        **options: Any,
    ) -> Result:
        parse(options, NOW)
        self.called, self.jobs = True, jobs
        self.sources, self.target, self.options, self.progress = source, target, options, progress
        for issue in self.issues:
            report(issue)
        self.act()
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    stand_in = Library()
    monkeypatch.setattr(api, "convert", stand_in.convert)
    return stand_in


@pytest.fixture(autouse=True)
def _in_tmp_path(in_tmp_path: Path) -> None:
    """Run every test in a folder of its own."""
