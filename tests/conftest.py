"""Options and guards that every test shares."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import settings

from converter.cli import main
from tests.builders import NOW_EPOCH

#: The same examples every time, so that a change is judged by what it changes. To look for what
#: nobody has thought of yet: `pytest --hypothesis-profile=hunt`.
settings.register_profile("default", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("hunt", deadline=None, max_examples=2000)
settings.load_profile("default")

#: Variables that change a run.
_CHANGES_A_RUN = re.compile(
    r"FEED2SITEMAP_.*|(?i:.*_proxy)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NO_COLOR|FORCE_COLOR|TERM"
)

#: Holds a text against a file; None: there must be no such file.
Golden: TypeAlias = Callable[[Path, str | None], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite golden files, then fail")
    parser.addoption("--reference", type=Path, help="folder of reference data: more checks run")


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Golden:
    """Compare with golden files; `--update` rewrites them and then fails, to be seen."""

    def hold(file: Path, actual: str | None) -> None:
        expected = file.read_text("utf-8") if file.exists() else None
        if expected != actual and pytestconfig.getoption("--update"):
            if actual is None:
                file.unlink()
            else:
                file.write_text(actual, "utf-8")
            pytest.fail(f"{file} was rewritten; read the difference")
        assert actual == expected

    return hold


@pytest.fixture
def unmeasured() -> dict[str, str]:
    """The environment for a process that no measurement of coverage may slow, fatten or fill."""
    return {name: value for name, value in os.environ.items() if "COVERAGE" not in name}


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches beyond this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family == socket.AF_UNIX or address[0] in {"127.0.0.1", "::1"}:
            return connect(self, address)
        raise AssertionError(f"a test tried to reach {address}")

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True, scope="session")
def _environment() -> Iterator[None]:
    """No variable of the caller changes a test; the time is `NOW`."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if _CHANGES_A_RUN.fullmatch(name):
                patch.delenv(name)
        patch.setenv("SOURCE_DATE_EPOCH", NOW_EPOCH)
        patch.setenv("NETRC", "/nonexistent")
        yield


@pytest.fixture
def in_tmp_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Make `tmp_path` the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@dataclass(frozen=True)
class Conversion:
    """What a command returned and printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Conversion]:
    """Run the command in this process."""

    def run(*words: str) -> Conversion:
        code = main(words)
        captured = capsys.readouterr()
        return Conversion(code, captured.out, captured.err)

    return run
