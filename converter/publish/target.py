"""Chooses the publisher of a target: a path, standard output, a device or a binary stream."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import nullcontext
from io import TextIOBase
from typing import BinaryIO, Final, cast

from converter.errors import OptionError, SinkError, sink_errors
from converter.publish.file_publisher import FilePublisher
from converter.publish.publisher import Publisher, StreamPublisher
from converter.values.lazy_regex import lazy_regex

_Target = str | os.PathLike[str] | BinaryIO | None

#: Names of files that this process has open. With `> file` they lead to a regular file, and a
#: rename would replace it while the shell still holds the old one.
_DESCRIPTOR: Final = lazy_regex(
    r"//?(?:dev/(?P<name>stdout|stderr)|(?:dev|proc/self)/fd/(?P<number>\d{1,9}))"
)
_STANDARD: Final = {"stdout": 1, "stderr": 2}


def open_target(target: _Target, *, wait_s: float = 10.0) -> Publisher:
    """Return the publisher of a target; nothing is written before the publisher is entered.

    None and "-" are standard output. A rename replaces a regular file; other existing files (a
    FIFO, a device) are written to. A symbolic link is followed: parts are created in the folder
    of the file that it points to, and named after that file.

    Args:
        target: a path, or a binary stream, which is not closed.
        wait_s: how long to wait for another run on the same target.

    Raises:
        OptionError: the target is neither a path nor a binary stream.
        SinkError: the target is a folder, or its path cannot be followed.
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
    display_name = os.fsdecode(target)
    if not display_name or "\0" in display_name:
        raise OptionError(
            "the name of the output is empty or holds a NUL; name a file, or - for standard output"
        )
    path = os.path.join(os.getcwd(), display_name)  # which may be absolute
    if named := _DESCRIPTOR.fullmatch(os.path.normpath(path)):
        number = int(named["number"] or _STANDARD[named["name"]])
        return StreamPublisher(lambda: os.fdopen(os.dup(number), "wb"), f'"{display_name}"')
    with sink_errors(f'"{display_name}"'):
        if _is_replaceable(path, display_name):
            return FilePublisher(path, display_name=display_name, wait_s=wait_s)
    # Mode "wb" alone would create a regular file if the FIFO were removed meanwhile.
    flags = os.O_WRONLY | os.O_NOCTTY
    return StreamPublisher(lambda: os.fdopen(os.open(path, flags), "wb"), f'"{display_name}"')


def _is_replaceable(path: str, display_name: str) -> bool:
    """Return True if a rename may create or replace the file; also for a dangling link."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode) or os.path.basename(display_name) in {"", ".", ".."}:
        raise SinkError(f'"{display_name}" is the name of a folder; name a file in it')
    return stat.S_ISREG(mode)


def _standard_output() -> BinaryIO:
    if sys.stdout is None:  # closed before Python started
        raise SinkError("standard output is closed; name a file with -o PATH")
    return cast("BinaryIO", sys.stdout.buffer)
