"""Writes the JSON document of `--report`; docs/report.md explains its keys.

Issues are stored in a temporary file, so memory does not depend on their number. The document is
published at the end of the run, completely or not at all.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from typing import BinaryIO

from converter import __version__
from converter.cli import PROGRAM
from converter.cli.exit_codes import Exit, error_message, exit_code_of
from converter.cli.output import print_message
from converter.conversion.result import Result
from converter.errors import ConverterError, OptionError
from converter.issues import Issue, hide_userinfo, printable
from converter.publish.publisher import Publisher
from converter.publish.target import open_target
from converter.values.urls import hide_credentials

#: The start of each report.
_START = b'{\n  "generator": "%b",\n' % PROGRAM.encode()

#: Attributes of results and issues that are keys of the document.
_RESULT = (
    *("kept", "removed", "changed", "unchanged", "robots", "found"),
    *("lost", "altered", "left_out", "read_apart"),
)
_TOTALS = (
    *("urls", "images", "videos", "news", "skipped", "merged", "sources", "unchanged_sources"),
    *("added", "renewed", "dropped"),
)
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
    """Collects the issues of a run in a temporary file, and its result."""

    def __init__(self, spool: BinaryIO, inputs: Sequence[str]) -> None:
        self._spool = spool
        self._inputs = tuple(map(hide_credentials, inputs))
        self._codes: Counter[str] = Counter()
        self._severities: Counter[str] = Counter()
        self._result_keys: dict[str, object] = {}

    def __call__(self, issue: Issue) -> None:
        """Add an issue."""
        separator = b",\n    " if self._codes else b"\n    "
        self._codes[issue.code] += 1
        self._severities[issue.severity.word] += 1
        row = {"severity": issue.severity.word, **{name: getattr(issue, name) for name in _ISSUE}}
        self._spool.write(separator + _json(row))

    def add_result(
        self, result: Result, exit_code: Exit, error: BaseException | None = None
    ) -> None:
        """Add the end of the run; after an error, the result is empty."""
        values = asdict(result)
        affected = (Counter(result.lost) + Counter(result.altered)).items()
        self._result_keys = {
            "error": error
            and {
                "kind": type(error).__name__,
                "message": error_message(error),
                "line": getattr(error, "line", None),
                "column": getattr(error, "column", None),
            },
            "outputs": values["files"],
            **{name: values[name] for name in _RESULT},
            # The number of entries or headers that keep a field which others lose or alter.
            "held": {name: max(result.present.get(name, 0) - n, 0) for name, n in affected},
            "totals": None if error else {name: values[name] for name in _TOTALS},
            "exit_code": int(exit_code),
        }

    def publish(self, publisher: Publisher) -> None:
        """Write the document."""
        staged = publisher.stage(self._chunks(), compress=False)
        publisher.publish([(publisher.name, staged)])

    def _chunks(self) -> Iterator[bytes]:
        head: dict[str, object] = {
            "generator": PROGRAM,
            "version": __version__,
            "layout": 1,  # raised when a key is removed or changes its meaning
            **self._result_keys,
            "inputs": self._inputs,
            "counts": {"by_severity": self._severities, "by_code": self._codes},
        }
        members = (b"\n  %b: %b," % (_json(key), _json(value)) for key, value in head.items())
        yield b"{" + b"".join(members) + b'\n  "issues": ['
        self._spool.seek(0)
        yield from self._spool
        yield b"\n  ]\n}\n" if self._codes else b"]\n}\n"


@contextmanager
def open_report(path: str, inputs: Sequence[str]) -> Iterator[JsonReport]:
    """Publish the report at the end of the context, also if the run fails.

    Raises:
        OptionError: the file exists and is not a report.
        SinkError: the file cannot be written; if possible, this is raised before the run.
    """
    with open_target(path) as publisher:
        _check_existing(path)
        report = JsonReport(publisher.spool(), inputs)
        try:
            yield report
        except BaseException as error:
            if error_message(error) is None:  # no report after Ctrl-C or SIGTERM
                raise
            report.add_result(Result(), exit_code_of(error), error)
            try:
                report.publish(publisher)
            except ConverterError as second:  # the first error decides the exit code
                print_message("error", str(second))
            raise
        report.publish(publisher)


def _check_existing(path: str) -> None:
    """Raise OptionError unless the file is missing, empty, or an earlier report."""
    start = b""
    with suppress(OSError):  # publishing reports an unreadable file
        if os.path.isfile(path):  # opening a FIFO would block
            with open(path, "rb") as file:
                start = file.read(len(_START))
    if start not in {b"", _START}:
        raise OptionError(
            f'--report: "{printable(path)}" exists and is not a report of this program; '
            "use another file name, or remove the file first"
        )
