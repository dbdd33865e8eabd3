"""Checks by others: their documents, their readers, their attacks. They need `--reference DIR`.

    pytest tests/reference --reference DIR

DIR holds `corpus/` (documents from many projects), `oracles/` (judges that know nothing of this
program) and `abuse/` (a generator of hostile documents, and a runner). The judges have an
environment of their own: ORACLES_PYTHON names its interpreter, ORACLES_NODE the folder of its
`node_modules`.
"""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import converter
from converter.cli import exit_codes

HERE = Path(__file__).parent
ENVIRONMENT = Path("~/.cache/feed2sitemap-oracles").expanduser()

#: After the newest document of the corpus, and close enough to it for news.
NOW_EPOCH = "1771372800"  # 2026-02-18T00:00:00Z

#: Everything that can be asked for in one go: more for the judges to look at.
EVERY_OPTION: Mapping[str, Any] = MappingProxyType(
    {
        "news": "The Example Times",
        "news_language": "en",
        "mobile": True,
        "legacy_tags": True,
        "scan_html": True,
        "changefreq": "daily",
        "priority": "0.8",
    }
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--reference") is None:
        for item in items:
            if item.path.is_relative_to(HERE):
                item.add_marker(pytest.mark.skip(reason="needs --reference DIR"))


@dataclass(frozen=True)
class Reference:
    """The reference data, and how to run its programs."""

    folder: Path
    python: str
    node: str

    @property
    def corpus(self) -> tuple[Path, ...]:
        files = (self.folder / "corpus").iterdir()
        return tuple(sorted(path for path in files if path.name != "ORIGINS.md"))

    def run(self, program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.python, self.folder / program, *arguments],
            env=os.environ | {"ORACLES_NODE": self.node},
            capture_output=True,
            text=True,
            check=False,
        )

    def judged(
        self, judge: str, files: Iterable[Path], *options: str, fine: Iterable[int] = (0,)
    ) -> list[Any]:
        """Give a judge's verdicts, one for each file; half of them by each of two processes."""
        files = list(files)
        halves = [half for half in (files[::2], files[1::2]) if half]

        def run(half: list[Path]) -> subprocess.CompletedProcess[str]:
            return self.run(f"oracles/{judge}", *options, *half)

        with ThreadPoolExecutor() as pool:
            runs = list(pool.map(run, halves))
        for done in runs:
            assert done.returncode in fine, done.stderr or done.stdout[:4000]
        return [verdict for done in runs for verdict in json.loads(done.stdout)]


@dataclass(frozen=True)
class Outcome:
    """What became of one document."""

    exit: int
    said: str = ""
    sitemap: Path | None = None


@pytest.fixture(scope="session")
def reference(pytestconfig: pytest.Config) -> Reference:
    python = os.environ.get("ORACLES_PYTHON", str(ENVIRONMENT / "venv" / "bin" / "python"))
    node = os.environ.get("ORACLES_NODE", str(ENVIRONMENT / "node"))
    assert Path(python).exists(), f"{python}: ORACLES_PYTHON must name the judges' interpreter"
    return Reference(Path(pytestconfig.getoption("--reference")).resolve(), python, node)


@pytest.fixture(scope="session")
def converted(reference: Reference, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Every document of the corpus, converted without options."""
    folder = tmp_path_factory.mktemp("converted")
    return {path.name: _convert(path, folder / f"{path.name}.xml") for path in reference.corpus}


@pytest.fixture(scope="session")
def everything(
    reference: Reference, converted: Mapping[str, Outcome], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """All documents that convert, in one sitemap with every option."""
    target = tmp_path_factory.mktemp("everything") / "everything.xml"
    sources = [path for path in reference.corpus if converted[path.name].sitemap]
    outcome = _convert(sources, target, **EVERY_OPTION)
    assert outcome.exit == 0, outcome.said
    return target


def _convert(source: Path | Sequence[Path], target: Path, **options: Any) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", NOW_EPOCH)
        try:
            converter.convert(source, target, report=lambda issue: None, **options)
        except Exception as error:
            return Outcome(
                int(exit_codes.exit_code_of(error)), exit_codes.error_message(error) or ""
            )
    return Outcome(0, sitemap=target)


@pytest.fixture(scope="session")
def listed() -> Mapping[str, Mapping[str, Any]]:
    """The exceptions that are known, and why: each `.toml` beside this file, by its name."""
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in HERE.glob("*.toml")}
