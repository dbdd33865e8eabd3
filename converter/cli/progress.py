"""A progress bar on standard error, for runs that take more than a second."""

from __future__ import annotations

import time
from collections.abc import Callable

from converter.cli.output import print_raw

_DELAY_S = 1.0
_INTERVAL_S = 0.1
_WIDTH = 24


class ProgressBar:
    """Redraws one line; call `clear` before printing another line."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due_s = clock() + _DELAY_S
        self._width = 0

    def __call__(self, done_bytes: int, total_bytes: int | None) -> None:
        now_s = self._clock()
        if now_s < self._due_s:
            return
        self._due_s = now_s + _INTERVAL_S
        line = _line(done_bytes / 1e6, (total_bytes or 0) / 1e6)
        print_raw(f"\r{line:<{self._width}}")
        self._width = len(line)

    def clear(self) -> None:
        """Remove the bar until its next update."""
        if self._width:
            print_raw(f"\r{'':<{self._width}}\r")
            self._width = 0


def _line(done_mb: float, total_mb: float) -> str:
    if not total_mb:
        return f"{done_mb:,.1f} MB read"
    share = min(done_mb / total_mb, 1.0)
    cells = "#" * int(share * _WIDTH)
    return f"[{cells:-<{_WIDTH}}] {share:4.0%}  {done_mb:,.1f} of {total_mb:,.1f} MB"
