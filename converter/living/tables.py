"""A temporary SQLite database, for what does not fit into memory.

The file has no name: SQLite makes it with mode 0600 and unlinks it in the same call
(https://www.sqlite.org/inmemorydb.html, "Temporary Databases"). So nobody else can read or change
what is in it, a killed run leaves nothing behind, and it may hold pickles. docs/decisions/0019 says
why it is not a file beside the output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from converter.errors import SinkError

if TYPE_CHECKING:
    import sqlite3

__all__ = ["AT_ONCE", "by_some", "in_words", "opened"]

T = TypeVar("T")

#: Values in one statement; SQLite before 3.32 takes no more than 999.
AT_ONCE: Final = 900
#: Pages that SQLite holds, in KiB; negative, as it wants them.
_CACHE_KIB: Final = -16_384


def opened() -> sqlite3.Connection:
    """Open an empty database in a file without a name; it is gone when it is closed."""
    import sqlite3

    base = sqlite3.connect("", isolation_level=None)
    for setting in ("journal_mode=OFF", "synchronous=OFF", f"cache_size={_CACHE_KIB}"):
        base.execute(f"PRAGMA {setting}")
    return base


@contextmanager
def in_words() -> Iterator[None]:
    """Turn an error of SQLite into a `SinkError` that says what to do about it."""
    try:
        yield
    except Exception as error:
        import sqlite3  # most runs do without

        if not isinstance(error, sqlite3.Error):
            raise
        raise SinkError(
            f"a temporary database could not be written: {error}; make room in the folder for "
            "temporary files (/var/tmp, or set TMPDIR) and run again"
        ) from error


def by_some(values: Iterable[T]) -> Iterator[tuple[list[T], str]]:
    """Give as many as one statement takes, and the marks that stand for them in it."""
    asked = list(values)
    for start in range(0, len(asked), AT_ONCE):
        some = asked[start : start + AT_ONCE]
        yield some, ",".join("?" * len(some))
