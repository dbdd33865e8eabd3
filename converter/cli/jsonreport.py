"""`--report`: the run as one JSON document, gathered as it goes and published at its end.

docs/report.md explains the keys. Issues go to a temporary file beside the report, so that a
million of them need no memory; the document appears whole or not at all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from converter.cli.exits import Exit, exit_of, reason
from converter.cli.identity import PROGRAM, VERSION
from converter.cli.terminal import complain
from converter.edge.sinks import open_target
from converter.errors import ConverterError
from converter.issues import Issue
from converter.record import field_names
from converter.userinfo import hide_userinfo
from converter.values.urls import discreet

if TYPE_CHECKING:
    from converter.api import OutputFile, Result

__all__ = ["JsonReport"]

#: Of the document; raised when a key goes or changes its meaning, not when one is added.
_LAYOUT = 1

#: Issues that are written at once: the spool goes through to the disk each time.
_BATCH = 256

_CHUNK_BYTES = 1 << 16

_TOTALS = (
    "urls",
    "images",
    "videos",
    "news",
    "skipped",
    "sources",
    "unchanged_sources",
    "added",
    "renewed",
    "dropped",
)

_encoder = json.JSONEncoder(ensure_ascii=False)


def _json(value: object) -> str:
    """Encode; every text loses the user names and passwords of the URLs in it."""
    return _encoder.encode(_discreet(value))


def _discreet(value: object) -> object:
    if isinstance(value, str):
        return hide_userinfo(value)
    if isinstance(value, Mapping):
        return {hide_userinfo(key): _discreet(item) for key, item in value.items()}
    return list(map(_discreet, value)) if isinstance(value, list | tuple) else value


class JsonReport:
    """A report under way; leaving the context publishes it, also if the run has failed.

    Raises:
        SinkError: the file cannot be written. Where possible, that is known before the run.
    """

    def __init__(self, path: str, inputs: Sequence[str]) -> None:
        self._inputs = tuple(map(discreet, inputs))
        self._publisher = open_target(path)
        self._held = ExitStack()
        self._pending: list[bytes] = []
        self._codes: Counter[str] = Counter()
        self._severities: Counter[str] = Counter()
        self._outcome: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._held.enter_context(self._publisher)
        self._spool = self._publisher.spool()
        return self

    def __call__(self, issue: Issue) -> None:
        """Take down an issue."""
        separator = ",\n    " if self._codes else "\n    "
        self._codes[issue.code] += 1
        self._severities[issue.severity.word] += 1
        self._pending.append(_encoded(separator + _json(_row(issue))))
        if len(self._pending) >= _BATCH:
            self._spill()

    def conclude(self, result: Result, exit_code: Exit) -> None:
        """Take down how it ended."""
        self._outcome = _success(result) | {"exit_code": int(exit_code)}

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        with self._held:
            if error is None:
                self._publish()
            elif reason(error) is not None:  # Ctrl-C and the like leave nothing to tell
                self._outcome = _failure(error)
                self._publish_beside(error)

    def _publish_beside(self, error: BaseException) -> None:
        """Publish, but let the error that ended the run decide what it ends with."""
        try:
            self._publish()
        except ConverterError as second:
            complain("error", str(second))
            error.add_note(str(second))

    def _publish(self) -> None:
        self._spill()
        staged = self._publisher.stage(self._chunks(), compress=False)
        self._publisher.publish([(self._publisher.name, staged)])

    def _chunks(self) -> Iterator[bytes]:
        head: dict[str, object] = {
            "generator": PROGRAM,
            "version": VERSION,
            "layout": _LAYOUT,
            **self._outcome,
            "inputs": self._inputs,
            "counts": {"by_severity": self._severities, "by_code": self._codes},
        }
        members = ",".join(f"\n  {_json(key)}: {_json(value)}" for key, value in head.items())
        yield _encoded(f'{{{members},\n  "issues": [')
        self._spool.seek(0)
        while chunk := self._spool.read(_CHUNK_BYTES):
            yield chunk
        yield b"\n  ]\n}\n" if self._codes else b"]\n}\n"

    def _spill(self) -> None:
        self._spool.write(b"".join(self._pending))
        self._pending.clear()


def _row(issue: Issue) -> dict[str, object]:
    return {
        "severity": issue.severity.word,
        "code": issue.code,
        "source": issue.source,
        "line": issue.line,
        "path": issue.path,
        "entry": issue.entry,
        "message": issue.message,
    }


def _success(result: Result) -> dict[str, object]:
    return {
        "error": None,
        "outputs": [_output(file) for file in result.files],
        "kept": result.kept,
        "removed": result.removed,
        "changed": result.changed,
        "unchanged": result.unchanged,
        "robots": result.robots,
        "found": result.found,
        "totals": {name: getattr(result, name) for name in _TOTALS},
        "lost": dict(result.lost),
        "altered": dict(result.altered),
    }


def _output(file: OutputFile) -> dict[str, object]:
    return {name: getattr(file, name) for name in field_names(type(file))}


def _failure(error: BaseException) -> dict[str, object]:
    told = {
        "kind": type(error).__name__,
        "message": reason(error),
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", None),
    }
    return {
        "error": told,
        "outputs": [],
        "kept": [],
        "removed": [],
        "changed": None,
        "unchanged": False,
        "robots": None,
        "found": [],
        "totals": None,
        "lost": {},
        "altered": {},
        "exit_code": int(exit_of(error)),
    }


def _encoded(text: str) -> bytes:
    # A lone surrogate (of a file name that is no UTF-8) becomes \udcxx: so JSON writes it too.
    return text.encode("utf-8", "backslashreplace")
