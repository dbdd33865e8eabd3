"""A site for each test, and an environment that names no proxies."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import Issue, Result
from tests.sources.http.server import Server, serving

FH = 'xmlns:fh="http://purl.org/syndication/history/1.0"'


class Site:
    """A web server, and what becomes of its pages."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.issues: list[Issue] = []

    def url(self, path: str = "/") -> str:
        return self.server.url(path)

    def convert(self, *paths: Any, **options: Any) -> tuple[list[str], Result]:
        """Convert what stands at these paths of the site; give the URLs, without the host."""
        target, self.issues = io.BytesIO(), []
        named = [self.url(path) if isinstance(path, str) else path for path in paths]
        options = {"allow_private_hosts": True, "retries": 0, "to": "txt"} | options
        result = converter.convert(named, target, report=self.issues.append, **options)
        return target.getvalue().decode().split(), result

    def codes(self) -> list[str]:
        """The severities and codes of all issues."""
        return [f"{issue.severity.word} [{issue.code}]" for issue in self.issues]


def rss(*pages: int, head: str = "") -> bytes:
    """Return a feed of these pages."""
    items = "".join(f"<item><link>https://ex.com/{page}</link></item>" for page in pages)
    spaces = f'xmlns:atom="http://www.w3.org/2005/Atom" {FH}'
    return f'<rss version="2.0" {spaces}><channel>{head}{items}</channel></rss>'.encode()


def locs(*pages: int) -> list[str]:
    """Return the URLs of these pages."""
    return [f"https://ex.com/{page}" for page in pages]


@pytest.fixture
def site() -> Iterator[Site]:
    """A site without pages; tests put them into `server.routes`."""
    with serving({}) as server:
        yield Site(server)


@pytest.fixture(autouse=True)
def _in_tmp_path(in_tmp_path: Path) -> None:
    """Run every test in a folder of its own."""
