"""Names of the files of one output: parts, hosts, and hidden files in the same folder."""

from __future__ import annotations

import os
import re
from typing import TypeVar

from converter.values.lazy_regex import lazy_regex

T = TypeVar("T")

#: In bytes. A hidden name is 22 bytes longer than its target's, and file systems allow 255.
_LONGEST = 220
_UNSAFE = lazy_regex(r"[^A-Za-z0-9.-]")
_PERIOD = r"[0-9]{4}(?:-[0-9]{2})?|undated"


def part_name(target_name: str, number: int, period: str = "") -> str:
    """Return the name of a part: "sitemap.xml.gz", 3 → "sitemap-3.xml.gz".

    With the period "2026-11": 1 → "sitemap-2026-11.xml", 2 → "sitemap-2026-11.2.xml".
    """
    stem, extension = _split(target_name)
    if not period:
        return f"{stem}-{number}{extension}"
    return f"{stem}-{period}{extension}" if number == 1 else f"{stem}-{period}.{number}{extension}"


def period_of(target_name: str, name: str) -> str | None:
    """Return the period in the name of a part; None if the name has no period."""
    match = _match(target_name, rf"({_PERIOD})(?:\.[1-9][0-9]*)?", name)
    return match[1] if match else None


def host_name(target_name: str, host: str) -> str:
    """Return the name for one host: "sitemap.xml", "ex.com:8080" → "sitemap-ex.com_8080.xml"."""
    stem, extension = _split(target_name)
    return f"{stem}-{_UNSAFE.sub('_', host)}{extension}"


def with_gz(target: T, gzip: bool) -> T | str:
    """Append ".gz" to a path if `gzip` is set and the path has no such extension."""
    if not gzip or target == "-" or not isinstance(target, str | os.PathLike):
        return target
    path = os.fsdecode(target)
    return path if path.lower().endswith(".gz") else f"{path}.gz"


def _split(name: str) -> tuple[str, str]:
    stem, extension = os.path.splitext(name)
    if extension.lower() == ".gz":
        stem, inner = os.path.splitext(stem)
        extension = inner + extension
    return stem, extension


def _match(target_name: str, middle: str, name: str) -> re.Match[str] | None:
    """Match a name with `middle` between the stem and the extension of the target."""
    stem, extension = _split(target_name)
    unpacked = re.escape(extension.removesuffix(".gz"))
    return re.fullmatch(rf"{re.escape(stem)}-{middle}{unpacked}(?:\.gz)?", name)


class FileNames:
    """The names that belong to the output `target`; a run writes and removes no other files.

    Attributes:
        lock: the file that a run locks.
        journal: the file that lists the renames of a publication.
        temporary_prefix: the start of each temporary name, which ends with ".tmp".
        sibling: the target with (or without) ".gz".
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
        """Return a new temporary name."""
        return f"{self.temporary_prefix}{os.urandom(8).hex()}.tmp"

    def is_temporary(self, name: str) -> bool:
        """Return True if a run on this target, or `tempfile` for it, created this name."""
        pattern = rf"{re.escape(self.temporary_prefix)}[a-z0-9_]{{8,16}}\.tmp"
        return name.endswith(".tmp") and re.fullmatch(pattern, name) is not None

    def is_own(self, name: str) -> bool:
        """Return True for the target, its hosts, and the parts of both."""
        return name == self.target or _match(self.target, "[A-Za-z0-9._-]+", name) is not None

    def is_part(self, name: str) -> bool:
        """Return True for the name of a part, which may be removed once it is stale.

        NAME-3.xml, NAME-HOST-3.xml, NAME-2026-11.xml and NAME-2026-11.2.xml, also with .gz.
        """
        numbered = "(?:[A-Za-z0-9._-]+-)?[1-9][0-9]{0,8}"
        dated = rf"(?:{_PERIOD})(?:\.[1-9][0-9]{{0,8}})?"
        return _match(self.target, f"(?:{numbered}|{dated})", name) is not None
