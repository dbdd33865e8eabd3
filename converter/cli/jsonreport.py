"""`--report`: the run as one JSON document, gathered as it goes and published at its end.

docs/report.md explains the keys. Issues go to a temporary file beside the report, so that a
million of them need no memory; the document appears whole or not at all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from converter import __version__
from converter.cli import PROGRAM
from converter.cli.exits import Exit, exit_of, reason
from converter.cli.terminal import complain
from converter.edge.sinks import open_target
from converter.errors import ConverterError, OptionError
from converter.issues import Issue, printable
from converter.userinfo import hide_userinfo
from converter.values.patterns import lazy
from converter.values.urls import discreet

if TYPE_CHECKING:
    from converter.api import LeftOut, OutputFile, Result

__all__ = ["JsonReport"]

#: Of the document; raised when a key goes or changes its meaning, not when one is added.
_LAYOUT = 1

#: Issues that are written at once: the spool goes through to the disk each time.
_BATCH = 256

_CHUNK_BYTES = 1 << 16

#: How a report begins; `generator` is its first key.
_START = lazy(rb'\s*\{\s*"generator"\s*:\s*"' + PROGRAM.encode() + rb'"\s*[,}]')
_START_BYTES = 4096

_TOTALS = (
    "urls",
    "images",
    "videos",
    "news",
    "skipped",
    "merged",
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
        OptionError: there is a file that is no report.
        SinkError: the file cannot be written. Where possible, that is known before the run.
    """

    def __init__(self, path: str, inputs: Sequence[str]) -> None:
        self._inputs = tuple(map(discreet, inputs))
        self._publisher = open_target(path)
        _refuse_other_content(path)
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
            "version": __version__,
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


def _refuse_other_content(path: str) -> None:
    """See that a report replaces nothing but an empty file, or an earlier report.

    Raises:
        OptionError: the file holds something else.
    """
    try:
        if not Path(path).is_file():
            return  # a FIFO, say: it is written to
        with Path(path).open("rb") as file:
            start = file.read(_START_BYTES)
    except OSError:
        return  # it is not there; or the run says what is wrong
    if start and not _START.match(start):
        raise OptionError(
            f'--report: "{printable(path)}" holds something else than a report of this program, '
            "and stays as it is; name another file, or remove it first"
        )


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
        "outputs": [_values(file) for file in result.files],
        "kept": result.kept,
        "removed": result.removed,
        "changed": result.changed,
        "unchanged": result.unchanged,
        "robots": result.robots,
        "found": result.found,
        "totals": {name: getattr(result, name) for name in _TOTALS},
        "lost": dict(result.lost),
        "altered": dict(result.altered),
        "held": _held(result),
        "left_out": [_values(row) for row in result.left_out],
        "read_apart": dict(result.read_apart),
    }


def _values(record: OutputFile | LeftOut) -> dict[str, object]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _held(result: Result) -> dict[str, int]:
    """Give in how many entries, or headers, each field that is lost or altered is kept."""
    lost = Counter(result.lost) + Counter(result.altered)
    return {name: max(result.present.get(name, 0) - count, 0) for name, count in lost.items()}


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
        "held": {},
        "left_out": [],
        "read_apart": {},
        "exit_code": int(exit_of(error)),
    }


def _encoded(text: str) -> bytes:
    # A lone surrogate (of a file name that is no UTF-8) becomes \udcxx: so JSON writes it too.
    return text.encode("utf-8", "backslashreplace")
