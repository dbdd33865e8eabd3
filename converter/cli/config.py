"""Options from a TOML file: found in the working directory only, checked key by key."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from converter.cli.identity import CONFIG_FILES, PROGRAM
from converter.cli.words import PercentWord

__all__ = ["CONFIG_NOTE", "CONFIG_PLACE", "load_config"]

_OWN, _SHARED = CONFIG_FILES

#: Key in `Context.meta`: what the user should know about the files that were found.
CONFIG_NOTE = "converter.cli.config.note"

#: Likewise: what to call the file whose options count.
CONFIG_PLACE = "converter.cli.config.place"

#: What TOML has a type for, and the command line reads as text.
_TYPED_TEXT: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "limit_bytes": (int,),
        "max_bytes": (int,),
        "priority": (int, float),
        "since": (date, datetime),
        "until": (date, datetime),
    }
)

#: By the type of the option, what a file must say; else a text.
_WANTED: Mapping[object, tuple[str, tuple[type, ...]]] = MappingProxyType(
    {click.INT: ("a whole number", (int,)), click.FLOAT: ("a number", (int, float))}
)


def load_config(ctx: click.Context, _param: click.Parameter, named: str | None) -> str | None:
    """Make the file's options the defaults of this command line.

    Raises:
        click.UsageError: no such file, no TOML, an unknown key, or a value of another type.
    """
    if ctx.resilient_parsing:
        return named
    if named in {"", "-"}:
        raise click.UsageError("--config needs the name of a file.")
    place, table = _table(Path(named)) if named is not None else _found(ctx)
    options = {
        option.name: option
        for option in ctx.command.params
        if isinstance(option, click.Option) and option.expose_value and option.name != "config"
    }
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
    own, shared = Path(_OWN), Path(_SHARED)
    if not own.is_file():
        return _table(shared) if shared.is_file() else (_SHARED, {})
    if shared.is_file() and _has_table(shared):
        ctx.meta[CONFIG_NOTE] = f"{_OWN} counts; [tool.{PROGRAM}] in {_SHARED} does not"
    return _table(own)


def _table(path: Path) -> tuple[str, dict[str, Any]]:
    """Read the options of a file, and how to call the place that they stand in."""
    document = _parsed(path)
    if path.name != _SHARED:
        return str(path), document
    place = f"{path} [tool.{PROGRAM}]"
    tool = document.get("tool", {})
    table = tool.get(PROGRAM, {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise click.UsageError(f"{place} is not a table.")
    return place, table


def _has_table(shared: Path) -> bool:
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


def _parameter(key: str, options: Mapping[str, click.Option], place: str) -> str:
    name = key.replace("-", "_")
    if name in options:
        return name
    import difflib

    near = difflib.get_close_matches(name, options, n=1)
    hint = f'; did you mean "{near[0].replace("_", "-")}"?' if near else "."
    raise click.UsageError(f'{place}: there is no option "{key}"{hint}')


def _value(key: str, value: object, option: click.Option, place: str) -> object:
    """Hold a value to the type of its option: `"yes"` is no flag. click looks at the rest."""
    if option.multiple:
        words = [value] if isinstance(value, str) else value
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            return words
        raise click.UsageError(f'{place}: "{key}" must be a text or a list of texts.')
    wanted, kinds = _wanted(option)
    if type(value) in kinds:
        return value
    if type(value) in _TYPED_TEXT.get(option.name or "", ()):
        return value.isoformat() if isinstance(value, date) else str(value)
    raise click.UsageError(f'{place}: "{key}" must be {wanted}.')


def _wanted(option: click.Option) -> tuple[str, tuple[type, ...]]:
    if option.is_flag:
        return "true or false", (bool,)
    if isinstance(option.type, PercentWord):
        return 'a number, or a text as "20%"', (int, float, str)
    return _WANTED.get(option.type, ("a text", (str,)))
