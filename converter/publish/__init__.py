"""Publishes output whole or not at all: to a file, to several beside it, or into a stream."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import nullcontext
from io import TextIOBase
from typing import BinaryIO, cast

from converter.errors import OptionError, SinkError
from converter.publish.existing_index import ExistingIndex, IndexRow
from converter.publish.file_names import host_name, part_name, period_of, with_gz
from converter.publish.file_publisher import FilePublisher
from converter.publish.publisher import Publisher, Staged, StreamPublisher
from converter.publish.write_errors import sink_errors
from converter.values.lazy_regex import lazy_regex

__all__ = [
    "ExistingIndex",
    "IndexRow",
    "Publisher",
    "Staged",
    "host_name",
    "open_target",
    "part_name",
    "period_of",
    "with_gz",
]

_Target = str | os.PathLike[str] | BinaryIO | None

#: Names of what this process holds open already. They are links, and under `> file` to a regular
#: file, which would then be replaced behind the back of the shell that holds it.
_THEN = r"/(?:\.?/)*"  # a folder's name ends so, however often
_DESCRIPTOR = lazy_regex(
    rf"/dev{_THEN}(?P<name>stdout|stderr)"
    rf"|/(?:dev|proc{_THEN}self){_THEN}fd{_THEN}(?P<number>\d{{1,9}})"
)
_STANDARD = {"stdout": 1, "stderr": 2}


def open_target(target: _Target, *, wait_s: float = 10.0) -> Publisher:
    """Choose how `target` is published; nothing is touched before the publisher is entered.

    None and "-" are standard output. A regular file, or nothing yet, is replaced by renaming;
    what is neither (a FIFO, a device) is written to. A symbolic link stands for what it points
    to: parts lie beside that, and are named after it.

    Args:
        target: a path, or a binary stream, which is not closed.
        wait_s: how long to wait for another run on the same target.

    Raises:
        OptionError: the target is neither a path nor a binary stream.
        SinkError: it is a folder, or its path leads nowhere.
    """
    if target is None or target == "-":
        return StreamPublisher(lambda: nullcontext(_standard_output()), "standard output")
    if not isinstance(target, str | os.PathLike):
        stream: object = target
        if isinstance(stream, TextIOBase) or not hasattr(stream, "write"):
            raise OptionError(
                f"the output is a {type(target).__name__}; wanted a path or a binary stream,"
                " such as the .buffer of a text stream"
            )
        return StreamPublisher(lambda: nullcontext(target), "the output stream")
    shown = os.fsdecode(target)
    if not shown or "\0" in shown:
        raise OptionError(
            "the name of the output is empty or holds a NUL; name a file, or - for standard output"
        )
    path = shown if os.path.isabs(shown) else os.path.join(os.getcwd(), shown)
    is_special = path.startswith(("/dev/", "/proc/"))
    if is_special and (named := _DESCRIPTOR.fullmatch(path)):
        number = int(named["number"] or _STANDARD[named["name"]])
        return StreamPublisher(lambda: os.fdopen(os.dup(number), "wb"), f'"{shown}"')
    with sink_errors(f'"{shown}"'):
        if _is_replaceable(path, shown):
            return FilePublisher(path, shown=shown, wait_s=wait_s)
    # Not "wb" alone: that would create a regular file, should the FIFO have gone meanwhile.
    flags = os.O_WRONLY | os.O_NOCTTY
    return StreamPublisher(lambda: os.fdopen(os.open(path, flags), "wb"), f'"{shown}"')


def _is_replaceable(path: str, shown: str) -> bool:
    """Whether a rename may put a file there; a dangling link counts as nothing yet."""
    if os.path.basename(shown) in {"", ".", ".."}:
        raise SinkError(f'"{shown}" is the name of a folder; name a file in it')
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise SinkError(f'"{shown}" is a folder; name a file in it')
    return stat.S_ISREG(mode)


def _standard_output() -> BinaryIO:
    if sys.stdout is None:  # it was closed before Python began
        raise SinkError("standard output is closed; give -o PATH")
    return cast("BinaryIO", sys.stdout.buffer)
