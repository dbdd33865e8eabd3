"""A bar on standard error, for runs that take long enough to wonder about."""

from __future__ import annotations

import time
from collections.abc import Callable

from converter.cli.terminal import write

__all__ = ["Bar"]

_PATIENCE_S = 1.0
_BETWEEN_S = 0.1
_CELLS = 24
_MEGABYTE = 1_000_000


class Bar:
    """Draws over one line; whoever prints another line calls `clear` before."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due_s = clock() + _PATIENCE_S
        self._width = 0

    def __call__(self, done_bytes: int, total_bytes: int | None) -> None:
        now_s = self._clock()
        if now_s < self._due_s:
            return
        self._due_s = now_s + _BETWEEN_S
        line = _line(done_bytes, total_bytes)
        write(f"\r{line:<{self._width}}")
        self._width = len(line)

    def clear(self) -> None:
        """Take the bar away until it is drawn again."""
        if self._width:
            write(f"\r{'':<{self._width}}\r")
            self._width = 0


def _line(done_bytes: int, total_bytes: int | None) -> str:
    if not total_bytes:
        return f"{done_bytes / _MEGABYTE:,.1f} MB read"
    share = min(done_bytes / total_bytes, 1.0)
    cells = "#" * int(share * _CELLS)
    read = f"{done_bytes / _MEGABYTE:,.1f} of {total_bytes / _MEGABYTE:,.1f} MB"
    return f"[{cells:-<{_CELLS}}] {share:4.0%}  {read}"
