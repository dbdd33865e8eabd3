"""Finds and opens the files that a local sitemap index names, and never another file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from converter.errors import SourceError
from converter.formats.base import Document, Spool
from converter.issues import Report, printable
from converter.options import ReadOptions, RunOptions
from converter.pipeline.inputs import DocumentProxy, Input
from converter.sources.source import Source, format_of, input_of, open_source
from converter.values import urls
from converter.values.lazy_regex import lazy_regex
from converter.xml import detect

_HTTP: Final = lazy_regex(
    r"https?://[^/?#]*(?P<path>[^?#]*)(?P<query>\?[^#]*)?.*", re.IGNORECASE | re.DOTALL
)
_OTHER_SCHEME: Final = lazy_regex(r"[a-z][a-z0-9+.\-]*:", re.IGNORECASE)

_OUTSIDE: Final = "which leads out of the folder of the index; not read"


class SitemapFile:
    """A sitemap of a local index: opened only while it is read, as there may be 50,000."""

    def __init__(self, path: Path, index: str, options: RunOptions, spool: Spool) -> None:
        self.name = str(path)
        self.total_bytes: int | None = path.stat().st_size
        self.consumed: Callable[[], int] = lambda: 0
        self._index = index
        self._open = partial(open_source, self.name, limits=options.read.limits, spool=spool)

    @contextmanager
    def open_lazily(self, report: Report) -> Iterator[Input]:
        """Open the file for the duration of the context.

        Raises:
            SourceError: the file is an index itself.
        """
        with self._open(report=report) as source:
            refuse_index(source, self._index)
            self.consumed = source.consumed
            yield input_of(source, format_of(source, None))
        self.consumed = lambda: self.total_bytes or 0

    def open(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read the file, which is closed when all entries are read."""
        with ExitStack() as closing:
            opened = closing.enter_context(self.open_lazily(report))
            return DocumentProxy(opened.open(options, report), closing.pop_all())
        raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover


def refuse_index(child: Source, index: str) -> None:
    """Refuse an index within an index, which the sitemap protocol forbids.

    Raises:
        SourceError: the child is an index.
    """
    if detect.root_name(child.prefix()) == "sitemapindex":
        raise SourceError(
            f"{printable(child.name)}: this is a sitemap index, but the index {printable(index)} "
            "names it as a sitemap. Name it as a source of its own"
        )


def find_files(index: str, names: Iterable[str]) -> list[Path | str]:
    """Return the children of a local index: files in its folder, else the URLs as they are.

    A URL is looked up by its file name beside the index, where a download of all of them usually
    is; anything else is a path from there. An index is untrusted: no absolute path, no `..`, no
    link that leads out of the folder, nothing but regular files, each once.

    Raises:
        SourceError: a file is missing, or must not be read.
    """
    found: dict[Path | str, Path | str] = {}
    for name in names:
        file_name = _file_name(index, name)
        real = file_name and _real_path(index, name, file_name)
        if not real:
            found[name] = name
        elif real in found:
            reason = f"but another child is already the file {printable(file_name)}. Rename one"
            raise _error(index, name, reason)
        else:
            found[real] = Path(index).parent / file_name
    return list(found.values())


def _real_path(index: str, child: str, file_name: str) -> Path | None:
    """Return the file of a child after following links; None if there is none for a URL."""
    path = Path(index)
    try:
        real = (path.parent / file_name).resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: circular links before Python 3.13
        if urls.is_http(child):
            return None
        reason = f"but there is no file {printable(file_name)} in its folder"
        raise _error(index, child, reason) from error
    if real == path.resolve():
        raise _error(index, child, "which is the index itself. Fix the index")
    if not real.is_relative_to(path.parent.resolve()):
        raise _error(index, child, _OUTSIDE)
    if not real.is_file():
        raise _error(index, child, "which is no regular file; not read")
    return real


def _file_name(index: str, child: str) -> str:
    """Return the path of a child, relative to the folder of the index; "" if it can have none.

    A query is part of the name, as `wget` saves it: `sitemap.php?page=2` is not page 1.
    """
    if url := _HTTP.fullmatch(child):
        last = unquote(url["path"].rpartition("/")[2])
        name = last + (url["query"] or "")
        return "" if not last.strip(".") or "/" in name or "\0" in name else name
    if _OTHER_SCHEME.match(child):
        raise _error(index, child, "which is neither an http(s) URL nor a path in its folder")
    name = unquote(child)
    if name.startswith("/") or ".." in name.split("/"):
        raise _error(index, child, _OUTSIDE)
    if "\0" in name:
        raise _error(index, child, "but a file name cannot hold NUL")
    return name


def _error(index: str, child: str, reason: str) -> SourceError:
    return SourceError(f"{printable(index)}: the index names {urls.quoted(child)}, {reason}")
