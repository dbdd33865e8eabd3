"""What a word of the command line may be, where click has no type for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from converter.issues import printable

if TYPE_CHECKING:
    from converter.seams import Format

__all__ = [
    "ListWord",
    "complete_path",
    "complete_readable",
    "complete_writable",
    "count",
    "readable_format",
    "size_bytes",
    "writable_format",
]

_SIZE = re.compile(r"([0-9]{1,15}) ?([kmg]i?)?b?", re.IGNORECASE)
_UNIT_BYTES = {
    "": 1,
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "ki": 2**10,
    "mi": 2**20,
    "gi": 2**30,
}

#: More digits than anybody has entries; int() refuses thousands of them.
_COUNT = re.compile(r"0*[1-9][0-9]{0,14}")


def size_bytes(text: str | int) -> int:
    """Read `10485760`, `10MB` (powers of 1000) or `10MiB` (powers of 1024) as bytes.

    Raises:
        click.BadParameter: anything else.
    """
    match = _SIZE.fullmatch(str(text).strip())
    if match is None:
        raise click.BadParameter(f"{_quoted(text)} is not a size; write 10485760, 10MB or 10MiB.")
    digits, unit = match.groups(default="")
    return int(digits) * _UNIT_BYTES[unit.lower()]


def count(text: str | int) -> int:
    """Read a whole number from 1 on.

    Raises:
        click.BadParameter: anything else.
    """
    if _COUNT.fullmatch(str(text)) is None:
        raise click.BadParameter(f"{_quoted(text)} is not a whole number from 1 on.")
    return int(text)


def _quoted(text: object) -> str:
    return f'"{printable(str(text), 40)}"'


class ListWord(StringParamType):
    """A word of an option that can be repeated; its variable separates words with commas."""

    def split_envvar_value(self, rv: str | None) -> list[str]:
        return [word.strip() for word in (rv or "").split(",") if word.strip()]


def readable_format(text: str) -> str:
    """Take the name of a format that can be read, or `auto`.

    Raises:
        click.BadParameter: any other word.
    """
    return _among(("auto", *_readable()), text, "read")


def writable_format(text: str) -> str:
    """Take the name of a format that can be written.

    Raises:
        click.BadParameter: any other word.
    """
    return _among(tuple(_writable()), text, "written")


def _among(names: tuple[str, ...], text: str, verb: str) -> str:
    if text.lower() in names:
        return text.lower()
    raise click.BadParameter(f"{_quoted(text)} is not a format that is {verb}: {', '.join(names)}.")


def _formats() -> Iterator[Format]:
    # The registry brings lxml with it, so it is asked only when a format is named.
    from converter.registry import FORMATS

    yield from FORMATS.values()


def _readable() -> Iterator[str]:
    return (row.name for row in _formats() if row.read is not None)


def _writable() -> Iterator[str]:
    return (row.name for row in _formats() if row.writer is not None)


def complete_readable(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Words for `--from`."""
    return [name for name in ("auto", *_readable()) if name.startswith(begun)]


def complete_writable(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Words for `--to`."""
    return [name for name in _writable() if name.startswith(begun)]


def complete_path(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Leave it to the shell, which knows its files."""
    return [CompletionItem(begun, type="file")]
