"""A server for each test, what fetches from it, and an environment that names no proxies."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from converter.errors import ConverterError, HttpError
from converter.issues import Issue
from converter.options import FetchOptions, Limits
from converter.sources.http.client import HttpClient
from converter.sources.source import Source
from tests.sources.http.server import Server, serving


@pytest.fixture
def web_server() -> Iterator[Server]:
    """A server without pages; tests put them into its `routes`."""
    with serving({}) as server:
        yield server


class Client:
    """Fetches with options that tests like, and closes what it has opened."""

    def __init__(self, closing: ExitStack) -> None:
        self.issues: list[Issue] = []
        self._closing = closing

    def web(
        self,
        *,
        limits: Limits | None = None,
        resolve: Any = None,
        spool: Any = tempfile.TemporaryFile,
        **options: Any,
    ) -> HttpClient:
        options = {"allow_private_hosts": True, "retries": 0, "timeout_s": 20} | options
        named = {"resolve": resolve} if resolve else {}
        web = HttpClient(
            FetchOptions(**options),
            limits or Limits(),
            spool,
            self.issues.append,
            **named,
        )
        return self._closing.enter_context(closing(web))

    def fetched(self, url: str, **options: Any) -> Source:
        fetched = self.web(**options).fetch(url)
        self._closing.callback(fetched.stream.close)
        return fetched

    def read(self, url: str, **options: Any) -> bytes:
        return self.fetched(url, **options).stream.read()

    def refusal(self, url: str, kind: type[ConverterError] = HttpError, **options: Any) -> str:
        with pytest.raises(kind) as caught:
            self.fetched(url, **options)
        return str(caught.value)

    def messages(self) -> list[str]:
        return [f"{issue.severity.word} [{issue.code}] {issue.message}" for issue in self.issues]


@pytest.fixture
def client() -> Iterator[Client]:
    with ExitStack() as closing:
        yield Client(closing)
