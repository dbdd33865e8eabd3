"""What a path or a stream leads to: which file it is, and whether it is a terminal."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["Identity", "identity", "is_terminal"]

#: Device and inode.
Identity: TypeAlias = tuple[int, int]


def identity(place: object, *, is_output: bool = False) -> Identity | None:
    """Give what is the same for every name of one regular file; None: it is no such file.

    Args:
        place: a path, an open stream, or `-`.
        is_output: `-` is standard output, not standard input.
    """
    status = _status(place, is_output=is_output)
    if status is None or not stat.S_ISREG(status.st_mode):
        return None
    return status.st_dev, status.st_ino


def is_terminal(target: object) -> bool:
    """Whether what is written to `target` (a path, an open stream, `-`, None) is shown at once."""
    if isinstance(target, str | os.PathLike) and target != "-":
        return _is_terminal_device(target)
    stream = sys.stdout if target in (None, "-") else target
    try:
        return bool(stream.isatty())  # type: ignore[union-attr]  # what has none is no terminal
    except (AttributeError, ValueError):
        return False


def _status(place: Any, *, is_output: bool) -> os.stat_result | None:
    if place in (None, "-"):
        place = sys.stdout if is_output else sys.stdin
    try:
        if isinstance(place, str | os.PathLike):
            return Path(place).stat()
        return os.fstat(place.fileno())
    except (AttributeError, OSError, ValueError):  # no file, closed, or a name with NUL
        return None


def _is_terminal_device(path: str | os.PathLike[str]) -> bool:
    try:
        if not stat.S_ISCHR(Path(path).stat().st_mode):
            return False
        descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    except (OSError, ValueError):
        return False
    try:
        return os.isatty(descriptor)
    finally:
        os.close(descriptor)
