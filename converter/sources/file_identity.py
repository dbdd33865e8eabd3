"""What paths and streams lead to: which file it is, whether two are one, what is a terminal."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any, TypeAlias
from unicodedata import normalize

#: Device and inode.
Identity: TypeAlias = tuple[int, int]


def identity(place: object, *, is_output: bool = False) -> Identity | None:
    """Give what is the same for every name of one regular file; None: it is no such file.

    Args:
        place: a path, an open stream, or `-`.
        is_output: `-` is standard output, not standard input.
    """
    if place in (None, "-"):
        place = sys.stdout if is_output else sys.stdin
    status = status_of(place)
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


def status_of(place: Any) -> os.stat_result | None:
    """Ask the system of what a path or an open stream leads to; None: of nothing that it knows."""
    try:
        if isinstance(place, str | os.PathLike):
            return os.stat(place)
        return os.fstat(place.fileno())
    except (AttributeError, OSError, ValueError):  # no file, closed, or a name with NUL
        return None


def is_terminal(target: object) -> bool:
    """Whether what is written to `target` (a path, an open stream, `-`, None) is shown at once."""
    try:
        if not isinstance(target, str | os.PathLike) or target == "-":
            stream: Any = sys.stdout if target in (None, "-") else target
            return bool(stream.isatty())
        if not stat.S_ISCHR(os.stat(target).st_mode):  # opening a pipe would wait
            return False
        descriptor = os.open(target, os.O_WRONLY | os.O_NOCTTY)
        try:
            return os.isatty(descriptor)
        finally:
            os.close(descriptor)
    except (AttributeError, OSError, ValueError):  # what has no isatty is no terminal
        return False
