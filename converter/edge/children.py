"""Finds the files that a local sitemap index means by its children, and never another file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from converter.errors import SourceError
from converter.issues import printable
from converter.values import urls
from converter.values.patterns import lazy

__all__ = ["Child", "located"]

_HTTP: Final = lazy(
    r"https?://[^/?#]*(?P<path>[^?#]*)(?P<query>\?[^#]*)?.*", re.IGNORECASE | re.DOTALL
)
_OTHER_SCHEME: Final = lazy(r"[a-z][a-z0-9+.\-]*:", re.IGNORECASE)

_OUTSIDE: Final = "which leads out of the folder of the index; not read"
_LATER: Final = "Fetching children comes in a later version: download them to that folder"


class Child(NamedTuple):
    """A file that may be read."""

    path: str
    bytes: int


def located(index: str, names: Iterable[str]) -> list[Child]:
    """Find the files of all children below the folder of their index.

    A URL is looked for by its file name beside the index, where whoever downloaded the one will
    have put the other; anything else is a path from there. An index is a document from outside:
    no absolute path, no `..`, no link that leads out, nothing but regular files, each once.

    Raises:
        SourceError: there is no such file, or it may not be read.
    """
    itself = Path(index)
    folder, real_folder, real_index = itself.parent, itself.parent.resolve(), itself.resolve()
    found: dict[Path, Child] = {}
    for name in names:
        file_name = _file_name(index, name)
        path = folder / file_name
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError) as error:  # before Python 3.13, links in a circle
            advice = f". {_LATER}" if _HTTP.fullmatch(name) else ""
            reason = f"and there is no file {printable(file_name)} in its folder{advice}"
            raise _refused(index, name, reason) from error
        if real == real_index:
            raise _refused(index, name, "which is the index itself. Mend the index")
        if not real.is_relative_to(real_folder):
            raise _refused(index, name, _OUTSIDE)
        if not real.is_file():
            raise _refused(index, name, "which is no regular file here; not read")
        if real in found:
            reason = f"and another child is the file {printable(file_name)} already. Rename one"
            raise _refused(index, name, reason)
        found[real] = Child(str(path), real.stat().st_size)
    return list(found.values())


def _file_name(index: str, child: str) -> str:
    """Give the path that a child is looked for at, from the folder of the index.

    A query is part of the name, as `wget` saves it: `sitemap.php?page=2` is not page 1.
    """
    if url := _HTTP.fullmatch(child):
        last = unquote(url["path"].rpartition("/")[2])
        name = last + (url["query"] or "")
        if not last.strip(".") or "/" in name:
            raise _refused(index, child, f"which has no file name to look for. {_LATER}")
    elif _OTHER_SCHEME.match(child):
        raise _refused(index, child, "which is neither an http(s) URL nor a path in its folder")
    else:
        name = unquote(child)
        if name.startswith("/") or ".." in name.split("/"):
            raise _refused(index, child, _OUTSIDE)
    if "\0" in name:
        raise _refused(index, child, "and a file name cannot hold NUL")
    return name


def _refused(index: str, child: str, reason: str) -> SourceError:
    return SourceError(f"{printable(index)}: the index names {urls.shown(child)}, {reason}")
