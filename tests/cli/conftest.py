"""A library that checks options, and does what a test says: the command line is tried alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from converter import api
from converter.cli import main
from converter.conversion.result import OutputFile, Result
from converter.issues import Issue
from converter.options.parsing import parse

NOW = datetime(2026, 1, 15, tzinfo=UTC)


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
def _quiet_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration and no variable of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("FEED2SITEMAP_") or name in {"NO_COLOR", "FORCE_COLOR", "TERM"}:
            monkeypatch.delenv(name)


@dataclass(frozen=True)
class Conversion:
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Conversion]:
    def run(*words: str) -> Conversion:
        code = main(words)
        captured = capsys.readouterr()
        return Conversion(code, captured.out, captured.err)

    return run
