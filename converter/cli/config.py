"""Options from a TOML file: found in the working directory only, checked key by key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from converter.cli import PROGRAM
from converter.options.table import OPTIONS, Option

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CONFIG_NOTE", "CONFIG_PLACE", "load_config"]

#: Looked for in the working directory: a file of this program, and one that many programs share.
_OWN, _SHARED = "feed2sitemap.toml", "pyproject.toml"

#: Key in `Context.meta`: what the user should know about the files that were found.
CONFIG_NOTE = "converter.cli.config.note"

#: Likewise: what to call the file whose options count.
CONFIG_PLACE = "converter.cli.config.place"

#: By the kind of an option's type, what a file must say; else a text.
_WANTED: Mapping[str, tuple[str, tuple[type, ...]]] = {
    "flag": ("true or false", (bool,)),
    "switch": ("true or false", (bool,)),
    "integer": ("a whole number", (int,)),
    "number": ("a number", (int, float)),
    "percent": ('a number, or a text as "20%"', (int, float, str)),
}


def load_config(ctx: click.Context, _param: click.Parameter, named: str | None) -> str | None:
    """Make the file's options the defaults of this command line.

    Raises:
        click.UsageError: no such file, no TOML, an unknown key, or a value of another type.
    """
    if ctx.resilient_parsing:
        return named
    if named in {"", "-"}:
        raise click.UsageError("--config needs the name of a file.")
    place, table = _table(named) if named is not None else _found(ctx)
    options = {option.name: option for option in OPTIONS if option.name != "config"}
    defaults: dict[str, Any] = {}
    for key, value in table.items():
        name = _parameter(key, options, place)
        if name in defaults:
            raise click.UsageError(f'{place}: "{key}" is there twice.')
        defaults[name] = _value(key, value, options[name], place)
    ctx.default_map = defaults
    ctx.meta[CONFIG_PLACE] = place
    return named


def _found(ctx: click.Context) -> tuple[str, dict[str, Any]]:
    """Take the program's own file; the table in pyproject.toml counts only where there is none."""
    has_shared = os.path.isfile(_SHARED)
    if not os.path.isfile(_OWN):
        return _table(_SHARED) if has_shared else (_SHARED, {})
    if has_shared and _has_table(_SHARED):
        ctx.meta[CONFIG_NOTE] = f"{_OWN} counts; [tool.{PROGRAM}] in {_SHARED} does not"
    return _table(_OWN)


def _table(name: str) -> tuple[str, dict[str, Any]]:
    """Read the options of a file, and how to call the place that they stand in."""
    from pathlib import Path  # most runs have no such file

    path = Path(name)
    document = _parsed(path)
    if path.name != _SHARED:
        return str(path), document
    place = f"{path} [tool.{PROGRAM}]"
    tool = document.get("tool", {})
    table = tool.get(PROGRAM, {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise click.UsageError(f"{place} is not a table.")
    return place, table


def _has_table(shared: str) -> bool:
    try:
        _, table = _table(shared)
    except click.UsageError:
        return False  # it does not count, so it need not be right
    return bool(table)


def _parsed(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # also UnicodeDecodeError, and huge numbers
        raise click.UsageError(f"{path} is not TOML: {error}") from error


def _parameter(key: str, options: Mapping[str, Option], place: str) -> str:
    name = key.replace("-", "_")
    if name in options:
        return name
    import difflib

    near = difflib.get_close_matches(name, options, n=1)
    hint = f'; did you mean "{near[0].replace("_", "-")}"?' if near else "."
    raise click.UsageError(f'{place}: there is no option "{key}"{hint}')


def _value(key: str, value: object, option: Option, place: str) -> object:
    """Check the type of a value: `"yes"` is no flag. click checks the rest."""
    if option.type.kind in {"words", "lines"}:
        texts = [value] if isinstance(value, str) else value
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            return texts
        raise click.UsageError(f'{place}: "{key}" must be a text or a list of texts.')
    wanted, kinds = _WANTED.get(option.type.kind, ("a text", (str,)))
    if type(value) in kinds:
        return value
    if type(value) in option.type.toml:
        return value.isoformat() if isinstance(value, date) else str(value)
    raise click.UsageError(f'{place}: "{key}" must be {wanted}.')
