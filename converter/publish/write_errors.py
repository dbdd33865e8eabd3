"""Says in a sentence what the system says in a number when a file cannot be written."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from converter.errors import SinkError

_MAKE_ROOM: Final = "make room there and run again"
#: What happened, and what to do about it.
_WORDS: Final[Mapping[int, tuple[str, str]]] = {
    errno.ENOSPC: ("the disk is full", _MAKE_ROOM),
    errno.EDQUOT: ("the disk quota is used up", _MAKE_ROOM),
    errno.EFBIG: (
        "the file grew larger than is allowed",
        "raise the limit (ulimit -f) or choose another place",
    ),
    errno.EIO: ("the disk reports an error", "look into the system's log, or choose another place"),
    errno.EACCES: (
        "permission denied",
        "make its folder writable for this user, or choose another place",
    ),
    errno.EPERM: (
        "the system does not permit it",
        "look at the owner and the attributes of file and folder",
    ),
    errno.EROFS: ("the file system is read-only", "choose another place"),
    errno.ENOENT: (
        "its folder, or a temporary file in it, has gone",
        "make the folder and run again",
    ),
    errno.EISDIR: ("a folder has its name", "move the folder away"),
    errno.ENOTDIR: ("what should be its folder is a file", "correct the path"),
    errno.ELOOP: ("its symbolic links lead in a circle", "correct the links"),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter one"),
}


@contextmanager
def sink_errors(what: str) -> Iterator[None]:
    """Turn an `OSError` into a `SinkError` about `what`, but for a broken pipe, which passes."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        system = (error.strerror or str(error), "choose another place")
        found, advice = _WORDS.get(error.errno or 0, system)
        raise SinkError(f"{what} could not be written: {found}; {advice}") from error
