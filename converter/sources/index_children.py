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
from converter.values.lazy_regex import lazy_regex

_HTTP: Final = lazy_regex(
    r"https?://[^/?#]*(?P<path>[^?#]*)(?P<query>\?[^#]*)?.*", re.IGNORECASE | re.DOTALL
)
_OTHER_SCHEME: Final = lazy_regex(r"[a-z][a-z0-9+.\-]*:", re.IGNORECASE)

_OUTSIDE: Final = "which leads out of the folder of the index; not read"


class Child(NamedTuple):
    """A file that may be read."""

    path: str
    bytes: int


def located(index: str, names: Iterable[str]) -> list[Child | str]:
    """Find all children of an index: files below its folder, and URLs of which no file lies there.

    A URL is looked for by its file name beside the index, where whoever downloaded the one will
    have put the other; anything else is a path from there. An index is a document from outside:
    no absolute path, no `..`, no link that leads out, nothing but regular files, each once.

    Raises:
        SourceError: there is no such file, or it may not be read.
    """
    found: dict[Path | str, Child | str] = {}
    for name in names:
        file_name = _file_name(index, name)
        real = file_name and _real(index, name, file_name)
        if not real:
            found[name] = name
        elif real in found:
            reason = f"and another child is the file {printable(file_name)} already. Rename one"
            raise _refused(index, name, reason)
        else:
            found[real] = Child(str(Path(index).parent / file_name), real.stat().st_size)
    return list(found.values())


def _real(index: str, child: str, file_name: str) -> Path | None:
    """Find the file that a child is; None: there is none, and it is a URL.

    Raises:
        SourceError: there is none, or it may not be read.
    """
    itself = Path(index)
    try:
        real = (itself.parent / file_name).resolve(strict=True)
    except (OSError, RuntimeError) as error:  # before Python 3.13, links in a circle
        if urls.is_http(child):
            return None
        reason = f"and there is no file {printable(file_name)} in its folder"
        raise _refused(index, child, reason) from error
    if real == itself.resolve():
        raise _refused(index, child, "which is the index itself. Mend the index")
    if not real.is_relative_to(itself.parent.resolve()):
        raise _refused(index, child, _OUTSIDE)
    if not real.is_file():
        raise _refused(index, child, "which is no regular file here; not read")
    return real


def _file_name(index: str, child: str) -> str:
    """Give the path that a child is looked for at, from the folder of the index; "": none can be.

    A query is part of the name, as `wget` saves it: `sitemap.php?page=2` is not page 1.
    """
    if url := _HTTP.fullmatch(child):
        last = unquote(url["path"].rpartition("/")[2])
        name = last + (url["query"] or "")
        return "" if not last.strip(".") or "/" in name or "\0" in name else name
    if _OTHER_SCHEME.match(child):
        raise _refused(index, child, "which is neither an http(s) URL nor a path in its folder")
    name = unquote(child)
    if name.startswith("/") or ".." in name.split("/"):
        raise _refused(index, child, _OUTSIDE)
    if "\0" in name:
        raise _refused(index, child, "and a file name cannot hold NUL")
    return name


def _refused(index: str, child: str, reason: str) -> SourceError:
    return SourceError(f"{printable(index)}: the index names {urls.quoted(child)}, {reason}")
