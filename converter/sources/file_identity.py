"""Identifies files: whether two paths or streams lead to the same one, or to a terminal."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any, TypeAlias
from unicodedata import normalize

#: Device and inode.
Identity: TypeAlias = tuple[int, int]


def identity(file: object, *, is_output: bool = False) -> Identity | None:
    """Return what all names of a regular file have in common; None if it is not a regular file.

    Args:
        file: a path, an open stream, or `-`.
        is_output: `-` is standard output, not standard input.
    """
    if file in (None, "-"):
        file = sys.stdout if is_output else sys.stdin
    status = status_of(file)
    if status is None or not stat.S_ISREG(status.st_mode):
        return None
    return status.st_dev, status.st_ino


def is_same_file(left: str, right: str) -> bool:
    """Return True if two paths lead to one file: by another spelling, a link, or letter case.

    If one of the files is missing, names that differ only in case or in the form of their accents
    count as equal: many file systems do not distinguish them.
    """
    statuses = [status_of(left), status_of(right)]
    found = [status for status in statuses if status is not None]
    if not all(stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode) for status in found):
        return os.path.abspath(left) == os.path.abspath(right)  # a terminal has many names
    if len(found) == len(statuses):
        return os.path.samestat(*found)
    return folded(os.path.realpath(left)) == folded(os.path.realpath(right))


def folded(path: str) -> str:
    """Return a path as a file system spells it that ignores case and the form of accents."""
    return normalize("NFC", path).casefold()


def status_of(file: Any) -> os.stat_result | None:
    """Return the status of a path or an open stream; None if there is no such file."""
    try:
        if isinstance(file, str | os.PathLike):
            return os.stat(file)
        return os.fstat(file.fileno())
    except (AttributeError, OSError, ValueError):  # no file, closed, or a name with NUL
        return None


def is_terminal(target: object) -> bool:
    """Return True if a path, an open stream, or `-` or None (standard output) is a terminal."""
    try:
        if not isinstance(target, str | os.PathLike) or target == "-":
            stream: Any = sys.stdout if target in (None, "-") else target
            return bool(stream.isatty())
        if not stat.S_ISCHR(os.stat(target).st_mode):  # opening a pipe would block
            return False
        with open(
            target, "wb", opener=lambda it, _: os.open(it, os.O_WRONLY | os.O_NOCTTY)
        ) as file:
            return file.isatty()
    except (AttributeError, OSError, ValueError):  # a stream without isatty is not a terminal
        return False
