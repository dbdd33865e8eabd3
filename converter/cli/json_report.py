"""`--report`: the run as one JSON document, gathered as it goes and published at its end.

docs/report.md explains the keys. Issues go to a temporary file beside the report, so that a
million of them need no memory; the document appears whole or not at all.
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
from converter.cli.exit_codes import Exit, exit_of, reason
from converter.cli.output import complain
from converter.conversion.result import Result
from converter.errors import ConverterError, OptionError
from converter.issues import Issue, printable
from converter.publish import open_target
from converter.userinfo import hide_userinfo
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import hide_credentials

#: Of the document; raised when a key goes or changes its meaning, not when one is added.
_LAYOUT = 1

#: Issues that are written at once: the spool goes through to the disk each time.
_BATCH = 256

_CHUNK_BYTES = 1 << 16

#: How a report begins; `generator` is its first key.
_START = lazy_regex(rb'\s*\{\s*"generator"\s*:\s*"' + PROGRAM.encode() + rb'"\s*[,}]')
_START_BYTES = 4096

#: Attributes that are keys of the document, of its totals, and of an issue, in this order.
_OUTCOME = ("kept", "removed", "changed", "unchanged", "robots", "found")
_COUNTS = ("urls", "images", "videos", "news", "skipped", "merged", "sources", "unchanged_sources")
_CHANGES = ("added", "renewed", "dropped")
_ISSUE = ("code", "source", "line", "path", "entry", "message")

_encode = json.JSONEncoder(ensure_ascii=False).encode


def _json(value: object) -> str:
    """Encode; every text loses the user names and passwords of the URLs in it."""
    return _encode(_discreet(value))


def _discreet(value: object) -> object:
    if isinstance(value, str):
        return hide_userinfo(value)
    if isinstance(value, Mapping):
        return {hide_userinfo(key): _discreet(item) for key, item in value.items()}
    return list(map(_discreet, value)) if isinstance(value, list | tuple) else value


def _encoded(text: str) -> bytes:
    # A lone surrogate (of a file name that is not UTF-8) becomes \udcxx: so JSON writes it too.
    return text.encode("utf-8", "backslashreplace")


class JsonReport:
    """A report under way; leaving the context publishes it, also if the run has failed.

    Raises:
        OptionError: there is a file that is not a report.
        SinkError: the file cannot be written. Where possible, that is known before the run.
    """

    def __init__(self, path: str, inputs: Sequence[str]) -> None:
        self._inputs = tuple(map(hide_credentials, inputs))
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
        """Add an issue."""
        separator = ",\n    " if self._codes else "\n    "
        self._codes[issue.code] += 1
        self._severities[issue.severity.word] += 1
        row = {"severity": issue.severity.word, **{name: getattr(issue, name) for name in _ISSUE}}
        self._pending.append(_encoded(separator + _json(row)))
        if len(self._pending) >= _BATCH:
            self._spill()

    def conclude(self, result: Result, exit_code: Exit) -> None:
        """Add the result of a run that has not failed."""
        self._outcome = _outcome(result, None, exit_code)

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        with self._held:
            if error is None:
                self._publish()
            elif reason(error) is not None:  # Ctrl-C and the like leave no report
                self._outcome = _outcome(Result(), error, exit_of(error))
                try:
                    self._publish()
                except ConverterError as second:  # the first error decides the exit code
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
        yield from iter(lambda: self._spool.read(_CHUNK_BYTES), b"")
        yield b"\n  ]\n}\n" if self._codes else b"]\n}\n"

    def _spill(self) -> None:
        self._spool.write(b"".join(self._pending))
        self._pending.clear()


def _refuse_other_content(path: str) -> None:
    """Refuse to replace anything but an empty file, or an earlier report.

    Raises:
        OptionError: the file holds something else.
    """
    start = b""
    with suppress(OSError):  # it does not exist; or the run says what is wrong
        if os.path.isfile(path):  # not a FIFO, which is written to
            with open(path, "rb") as file:
                start = file.read(_START_BYTES)
    if start and not _START.match(start):
        raise OptionError(
            f'--report: "{printable(path)}" is not a report of this program, and is unchanged; '
            "name another file, or remove it first"
        )


def _outcome(result: Result, error: BaseException | None, code: Exit) -> dict[str, object]:
    """Return the keys that say how a run ended; after an error, `result` is empty."""
    given = asdict(result)
    lost = Counter(result.lost) + Counter(result.altered)
    return {
        "error": None if error is None else _described(error),
        "outputs": given["files"],
        **{name: given[name] for name in _OUTCOME},
        "totals": None if error else {name: given[name] for name in (*_COUNTS, *_CHANGES)},
        "lost": result.lost,
        "altered": result.altered,
        # In how many entries, or headers, each field is kept that is lost or altered in others.
        "held": {name: max(result.present.get(name, 0) - lost[name], 0) for name in lost},
        "left_out": given["left_out"],
        "read_apart": result.read_apart,
        "exit_code": int(code),
    }


def _described(error: BaseException) -> dict[str, object]:
    return {
        "kind": type(error).__name__,
        "message": reason(error),
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", None),
    }
