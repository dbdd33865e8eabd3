"""What paths and streams lead to: which file it is, whether two are one, what is a terminal."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any, TypeAlias
from unicodedata import normalize

__all__ = ["Identity", "folded", "identity", "is_same_file", "is_terminal", "status_of"]

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


def is_same_file(left: str, right: str) -> bool:
    """Whether two paths lead to one file: by another spelling, a link, or letters' case.

    Where not both are there, names count as one that differ only in case or in the form of their
    accents: many file systems do not tell these apart.
    """
    statuses = [status_of(left), status_of(right)]
    found = [status for status in statuses if status is not None]
    if not all(stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode) for status in found):
        return os.path.abspath(left) == os.path.abspath(right)  # a terminal has many names
    if len(found) == len(statuses):
        return os.path.samestat(*found)
    return folded(os.path.realpath(left)) == folded(os.path.realpath(right))


def folded(path: str) -> str:
    """Spell a path as a file system does that does not tell case and forms of accents apart."""
    return normalize("NFC", path).casefold()


def status_of(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Ask the system of what a path leads to; None: nothing is there, or it cannot be."""
    try:
        return os.stat(path)
    except (OSError, ValueError):  # ValueError: a name with NUL
        return None


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
    if isinstance(place, str | os.PathLike):
        return status_of(place)
    try:
        return os.fstat(place.fileno())
    except (AttributeError, OSError, ValueError):  # no file, or closed
        return None


def _is_terminal_device(path: str | os.PathLike[str]) -> bool:
    try:
        if not stat.S_ISCHR(os.stat(path).st_mode):
            return False
        descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    except (OSError, ValueError):
        return False
    try:
        return os.isatty(descriptor)
    finally:
        os.close(descriptor)
