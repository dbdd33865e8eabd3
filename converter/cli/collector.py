"""Python's garbage collector, which finds nothing in what a short run has only just imported.

Looking there all the same, during the imports and again at exit, was a sixth of such a run.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["paused", "resume"]


@contextmanager
def paused(*, is_ours: bool) -> Iterator[None]:
    """Let nothing be collected, until `resume`, in a process that is ours; others stay as they are.

    At the end of a process nothing is: its memory goes back to the system as a whole.
    """
    if not is_ours:
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()


def resume() -> None:
    """Collect again, but leave alone what is there already: it is code, and stays."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
