"""What the shell may complete, and the kinds of words that click has no type for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem
from click.types import FloatParamType, StringParamType

from converter.values import numbers

if TYPE_CHECKING:
    from converter.seams import Format

__all__ = [
    "LineWord",
    "ListWord",
    "PercentWord",
    "complete_path",
    "complete_readable",
    "complete_writable",
]


class ListWord(StringParamType):
    """A word of an option that can be repeated; its variable separates words with commas."""

    def split_envvar_value(self, rv: str | None) -> list[str]:
        return [word.strip() for word in (rv or "").split(",") if word.strip()]


class LineWord(StringParamType):
    """The same for words that may hold spaces and commas: its variable holds one a line."""

    def split_envvar_value(self, rv: str | None) -> list[str]:
        return [word.strip() for word in (rv or "").splitlines() if word.strip()]


class PercentWord(FloatParamType):
    """A number that may have a `%` behind it."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if isinstance(value, int | float):
            return float(value)
        try:
            return numbers.percentage(str(value))
        except ValueError:
            self.fail(f"'{value}' is no percentage; give one as 20 or 20%.", param, ctx)


def complete_readable(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Words for `--from`."""
    names = ("auto", *(row.name for row in _formats() if row.read is not None))
    return [name for name in names if name.startswith(begun)]


def complete_writable(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Words for `--to`."""
    names = (row.name for row in _formats() if row.writer is not None)
    return [name for name in names if name.startswith(begun)]


def _formats() -> Iterator[Format]:
    # The registry brings lxml with it, so it is asked only when a format is wanted.
    from converter.registry import FORMATS

    yield from FORMATS.values()


def complete_path(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Leave it to the shell, which knows its files."""
    return [CompletionItem(begun, type="file")]
