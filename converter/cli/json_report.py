"""Writes the JSON document of `--report`; docs/report.md explains its keys.

Issues are stored in a temporary file, so memory does not depend on their number. The document is
published at the end of the run, completely or not at all.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from typing import Any, Self

from converter import __version__
from converter.cli import PROGRAM
from converter.cli.exit_codes import Exit, error_message, exit_code_of
from converter.cli.output import print_message
from converter.conversion.result import Result
from converter.errors import ConverterError, OptionError
from converter.issues import Issue, printable
from converter.publish import open_target
from converter.userinfo import hide_userinfo
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import hide_credentials

#: Version of the document; raised when a key is removed or changes its meaning.
_LAYOUT = 1

_CHUNK_BYTES = 1 << 16

#: The start of a report; `generator` is its first key.
_START = lazy_regex(rb'\s*\{\s*"generator"\s*:\s*"' + PROGRAM.encode() + rb'"\s*[,}]')
_START_BYTES = 4096

#: Attributes of results and issues that are keys of the document.
_RESULT = ("kept", "removed", "changed", "unchanged", "robots", "found")
_COUNTS = ("urls", "images", "videos", "news", "skipped", "merged", "sources", "unchanged_sources")
_CHANGES = ("added", "renewed", "dropped")
_ISSUE = ("code", "source", "line", "path", "entry", "message")

_encode = json.JSONEncoder(ensure_ascii=False).encode


def _json(value: object) -> bytes:
    """Encode a value without the user names and passwords of URLs."""
    # A lone surrogate (of a file name that is not UTF-8) becomes \udcxx, as in JSON.
    return _encode(_without_userinfo(value)).encode("utf-8", "backslashreplace")


def _without_userinfo(value: object) -> object:
    if isinstance(value, str):
        return hide_userinfo(value)
    if isinstance(value, Mapping):
        return {hide_userinfo(key): _without_userinfo(item) for key, item in value.items()}
    return list(map(_without_userinfo, value)) if isinstance(value, list | tuple) else value


class JsonReport:
    """Context manager that collects issues and publishes the report, also if the run fails.

    Raises:
        OptionError: the file exists and is not a report.
        SinkError: the file cannot be written; if possible, this is raised before the run.
    """

    def __init__(self, path: str, inputs: Sequence[str]) -> None:
        self._inputs = tuple(map(hide_credentials, inputs))
        self._publisher = open_target(path)
        _check_existing(path)
        self._stack = ExitStack()
        self._codes: Counter[str] = Counter()
        self._severities: Counter[str] = Counter()
        self._result_keys: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._stack.enter_context(self._publisher)
        self._spool = self._publisher.spool()
        return self

    def __call__(self, issue: Issue) -> None:
        """Add an issue."""
        separator = b",\n    " if self._codes else b"\n    "
        self._codes[issue.code] += 1
        self._severities[issue.severity.word] += 1
        row = {"severity": issue.severity.word, **{name: getattr(issue, name) for name in _ISSUE}}
        self._spool.write(separator + _json(row))

    def add_result(self, result: Result, exit_code: Exit) -> None:
        """Add the result of a successful run."""
        self._result_keys = _result_keys(result, None, exit_code)

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        with self._stack:
            if error is None:
                self._publish()
            elif error_message(error) is not None:  # no report after Ctrl-C or SIGTERM
                self._result_keys = _result_keys(Result(), error, exit_code_of(error))
                try:
                    self._publish()
                except ConverterError as second:  # the first error decides the exit code
                    print_message("error", str(second))
                    error.add_note(str(second))

    def _publish(self) -> None:
        staged = self._publisher.stage(self._chunks(), compress=False)
        self._publisher.publish([(self._publisher.name, staged)])

    def _chunks(self) -> Iterator[bytes]:
        head: dict[str, object] = {
            "generator": PROGRAM,
            "version": __version__,
            "layout": _LAYOUT,
            **self._result_keys,
            "inputs": self._inputs,
            "counts": {"by_severity": self._severities, "by_code": self._codes},
        }
        members = (b"\n  %b: %b," % (_json(key), _json(value)) for key, value in head.items())
        yield b"{" + b"".join(members) + b'\n  "issues": ['
        self._spool.seek(0)
        yield from iter(lambda: self._spool.read(_CHUNK_BYTES), b"")
        yield b"\n  ]\n}\n" if self._codes else b"]\n}\n"


def _check_existing(path: str) -> None:
    """Raise OptionError unless the file is missing, empty, or an earlier report."""
    start = b""
    with suppress(OSError):  # publishing reports an unreadable file
        if os.path.isfile(path):  # opening a FIFO would block
            with open(path, "rb") as file:
                start = file.read(_START_BYTES)
    if start and not _START.match(start):
        raise OptionError(
            f'--report: "{printable(path)}" exists and is not a report of this program; '
            "use another file name, or remove the file first"
        )


def _result_keys(result: Result, error: BaseException | None, code: Exit) -> dict[str, object]:
    """Return the keys for the end of a run; after an error, `result` is empty."""
    values = asdict(result)
    lost = Counter(result.lost) + Counter(result.altered)
    return {
        "error": None if error is None else _error_keys(error),
        "outputs": values["files"],
        **{name: values[name] for name in _RESULT},
        "totals": None if error else {name: values[name] for name in (*_COUNTS, *_CHANGES)},
        "lost": result.lost,
        "altered": result.altered,
        # The number of entries or headers that keep a field which others lose or alter.
        "held": {name: max(result.present.get(name, 0) - lost[name], 0) for name in lost},
        "left_out": values["left_out"],
        "read_apart": result.read_apart,
        "exit_code": int(code),
    }


def _error_keys(error: BaseException) -> dict[str, object]:
    return {
        "kind": type(error).__name__,
        "message": error_message(error),
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", None),
    }
