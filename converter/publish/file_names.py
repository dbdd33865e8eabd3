"""Names the files of one output: its parts, its hosts, and what is hidden beside it meanwhile."""

from __future__ import annotations

import os
import re
from typing import TypeVar

from converter.values.lazy_regex import lazy_regex

T = TypeVar("T")

#: Hidden names are 22 bytes longer than the name that they are made of; a name ends at 255.
_LONGEST = 220
_UNSAFE = lazy_regex(r"[^A-Za-z0-9.-]")
#: A month, a year, or neither.
_PERIOD = r"[0-9]{4}(?:-[0-9]{2})?|undated"


def part_name(target_name: str, number: int, period: str = "") -> str:
    """Name a part: "sitemap.xml.gz", 3 → "sitemap-3.xml.gz"; of a period, the first without number.

    "sitemap.xml", 1, "2026-11" → "sitemap-2026-11.xml"; 2 → "sitemap-2026-11.2.xml".
    """
    stem, extension = _split(target_name)
    if not period:
        return f"{stem}-{number}{extension}"
    return f"{stem}-{period}{extension}" if number == 1 else f"{stem}-{period}.{number}{extension}"


def period_of(target_name: str, name: str) -> str | None:
    """Return the period of a part, as `part_name` put it there; None if it has none."""
    found = _match(target_name, rf"({_PERIOD})(?:\.[1-9][0-9]*)?", name)
    return found[1] if found else None


def host_name(target_name: str, host: str) -> str:
    """Name the output of one host: "sitemap.xml", "ex.com:8080" → "sitemap-ex.com_8080.xml"."""
    stem, extension = _split(target_name)
    return f"{stem}-{_UNSAFE.sub('_', host)}{extension}"


def with_gz(target: T, gzip: bool) -> T | str:
    """Return what `--gzip` makes of a target: a path gets ".gz", unless it has that."""
    if not gzip or target == "-" or not isinstance(target, str | os.PathLike):
        return target
    path = os.fsdecode(target)
    return path if path.lower().endswith(".gz") else f"{path}.gz"


def _split(name: str) -> tuple[str, str]:
    stem, extension = os.path.splitext(name)  # of a name, not of a path
    if extension.lower() == ".gz":
        stem, inner = os.path.splitext(stem)
        extension = inner + extension
    return stem, extension


def _match(target_name: str, middle: str, name: str) -> re.Match[str] | None:
    """Match a name that has `middle` between the stem and the extension of the target's."""
    stem, extension = _split(target_name)
    plain = re.escape(extension.removesuffix(".gz"))
    return re.fullmatch(rf"{re.escape(stem)}-{middle}{plain}(?:\.gz)?", name)


class FileNames:
    """The names that belong to the output called `target`; nothing else is written or removed.

    Attributes:
        lock: the file that a run holds locked.
        journal: what a run was about to rename when it was killed.
        temporary_prefix: what every temporary name begins with; it ends with ".tmp".
        sibling: the same file with, or without, ".gz".
    """

    def __init__(self, target: str) -> None:
        self.target = target
        hidden, encoded = target, os.fsencode(target)
        if len(encoded) > _LONGEST:
            from hashlib import sha256

            hidden = sha256(encoded).hexdigest()
        self.lock, self.journal = f".{hidden}.lock", f".{hidden}.journal"
        self.temporary_prefix = f".{hidden}."
        stem, gz = os.path.splitext(target)
        self.sibling = stem if gz.lower() == ".gz" and stem else f"{target}.gz"

    def temporary(self) -> str:
        """Return a new name for a file that is not finished."""
        return f"{self.temporary_prefix}{os.urandom(8).hex()}.tmp"

    def is_temporary(self, name: str) -> bool:
        """Return True if a run on this very target made up this name (or tempfile did for it)."""
        pattern = rf"{re.escape(self.temporary_prefix)}[a-z0-9_]{{8,16}}\.tmp"
        return name.endswith(".tmp") and re.fullmatch(pattern, name) is not None

    def is_own(self, name: str) -> bool:
        """Return True for the target, its parts, its hosts, and their parts."""
        return name == self.target or _match(self.target, "[A-Za-z0-9._-]+", name) is not None

    def is_part(self, name: str) -> bool:
        """Return True if a file may be removed as a stale part.

        NAME-3.xml, NAME-HOST-3.xml, NAME-2026-11.xml, NAME-2026-11.2.xml, all also with .gz.
        """
        numbered = "(?:[A-Za-z0-9._-]+-)?[1-9][0-9]{0,8}"
        dated = rf"(?:{_PERIOD})(?:\.[1-9][0-9]{{0,8}})?"
        return _match(self.target, f"(?:{numbered}|{dated})", name) is not None

    def may_go(self, name: str) -> bool:
        """Return True for a part, and the target: an output may be not wanted any more."""
        return name == self.target or self.is_part(name)
