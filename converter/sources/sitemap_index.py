"""Finds and opens the files that a local sitemap index names, and never another file."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import unquote

from converter.errors import SourceError
from converter.formats.base import Document, Spool
from converter.issues import Report, printable
from converter.options import Limits, ReadOptions
from converter.pipeline.inputs import DocumentProxy, Input
from converter.sources.source import Source, format_of, input_of, open_source
from converter.values import urls
from converter.values.urls import syntax
from converter.xml import detect


def file_input(path: Path, index: str, limits: Limits, spool: Spool) -> Input:
    """Return a file of an index, opened only while it is read, as there may be 50,000.

    `Input.open` raises SourceError if the file is an index itself.
    """
    name, size = str(path), path.stat().st_size
    current: Source | None = None

    def opened(options: ReadOptions, report: Report) -> Document:
        nonlocal current
        with ExitStack() as closing:
            opening = open_source(name, limits=limits, spool=spool, report=report)
            current = closing.enter_context(opening)
            refuse_index(current, index)
            document = input_of(current, format_of(current)).open(options, report)
            return DocumentProxy(document, closing.pop_all())
        raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover

    def consumed() -> int:
        if current is None:
            return 0
        return size if current.stream.closed else current.consumed()

    return Input(name, opened, total_bytes=size, consumed=consumed)


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
    is; anything else is a path from there. An index is untrusted: it gets nothing but regular
    files in its folder or below, also after following links, each once.

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


def _file_name(index: str, child: str) -> str:
    """Return the path of a child, relative to the folder of the index; "" if it can have none.

    A query is part of the name, as `wget` saves it: `sitemap.php?page=2` is not page 1.
    """
    parts = syntax.split(child)
    if urls.is_http(child):
        last = unquote(parts.path.rpartition("/")[2])
        name = last if parts.query is None else f"{last}?{parts.query}"
        return "" if not last.strip(".") or "/" in name else name
    if parts.scheme:
        raise _error(index, child, "which is neither an http(s) URL nor a path in its folder")
    return unquote(child)


def _real_path(index: str, child: str, file_name: str) -> Path | None:
    """Return the file of a child after following links; None if there is none for a URL."""
    path = Path(index)
    try:
        real = (path.parent / file_name).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:  # also circular links, and NUL
        if urls.is_http(child):
            return None
        reason = f"but there is no file {printable(file_name)} in its folder"
        raise _error(index, child, reason) from error
    if real == path.resolve():
        raise _error(index, child, "which is the index itself. Fix the index")
    if not (real.is_relative_to(path.parent.resolve()) and real.is_file()):
        raise _error(index, child, "which is no regular file in its folder; not read")
    return real


def _error(index: str, child: str, reason: str) -> SourceError:
    return SourceError(f"{printable(index)}: the index names {urls.quoted(child)}, {reason}")
