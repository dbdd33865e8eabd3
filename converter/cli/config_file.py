"""Options from a TOML file in the working directory: each key and type is checked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import click

from converter.cli import PROGRAM
from converter.options.parsing import OPTIONS
from converter.options.types import Option

#: Looked for in the working directory: a file of this program, and one that many programs share.
_OWN, _SHARED = "feed2sitemap.toml", "pyproject.toml"

#: Keys in `Context.meta`: what to tell the user about the files, and what to call the file in use.
CONFIG_NOTE, CONFIG_PLACE = "converter.cli.config.note", "converter.cli.config.place"

_OPTIONS: Final = {option.name: option for option in OPTIONS if option.name != "config"}

_WANTED: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    date: "a date",
    list: "a text or a list of texts",
}


def load_config(ctx: click.Context, _param: click.Parameter, named: str | None) -> str | None:
    """Make the file's options the defaults of this command line.

    Raises:
        click.UsageError: no such file, no TOML, an unknown key, or a value of another type.
    """
    if ctx.resilient_parsing:
        return named
    names = [named] if named else list(filter(os.path.isfile, (_OWN, _SHARED)))
    place, table = _table(names[0]) if names else (_OWN, {})
    if len(names) > 1 and _has_table(_SHARED):
        ctx.meta[CONFIG_NOTE] = f"{_OWN} is used; [tool.{PROGRAM}] in {_SHARED} is ignored"
    defaults: dict[str, Any] = {}
    for key, value in table.items():
        name = _name(key, place)
        if name in defaults:
            raise click.UsageError(f'{place}: "{key}" is there twice.')
        defaults[name] = _value(key, value, _OPTIONS[name], place)
    ctx.default_map = defaults
    ctx.meta[CONFIG_PLACE] = place
    return named


def _table(path: str) -> tuple[str, dict[str, Any]]:
    """Read the options of a file, and what to call the place where they are."""
    import tomllib  # most runs have no such file

    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # also UnicodeDecodeError, and huge numbers
        raise click.UsageError(f"{path} is not TOML: {error}") from error
    if os.path.basename(path) != _SHARED:
        return path, document
    place = f"{path} [tool.{PROGRAM}]"
    tool = document.get("tool", {})
    table = tool.get(PROGRAM, {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise click.UsageError(f"{place} is not a table.")
    return place, table


def _has_table(path: str) -> bool:
    try:
        return bool(_table(path)[1])
    except click.UsageError:
        return False  # an ignored file may be wrong


def _name(key: str, place: str) -> str:
    name = key.replace("-", "_")
    if name in _OPTIONS:
        return name
    import difflib

    near = difflib.get_close_matches(name, _OPTIONS, n=1)
    hint = f'; did you mean "{near[0].replace("_", "-")}"?' if near else "."
    raise click.UsageError(f'{place}: there is no option "{key}"{hint}')


def _value(key: str, value: object, option: Option, place: str) -> object:
    """Check the type of a value: `"yes"` is not a flag. The rest is checked later."""
    accepts = option.type.accepts
    if option.type.is_repeatable:
        texts = [value] if isinstance(value, str) else value
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            return texts
    elif isinstance(value, (*accepts, int) if float in accepts else accepts) and (
        isinstance(value, bool) is (bool in accepts)  # which Python calls an int, too
    ):
        return value.isoformat() if isinstance(value, date) else value
    wanted = " or ".join(_WANTED[kind] for kind in accepts if kind in _WANTED)
    raise click.UsageError(f'{place}: "{key}" must be {wanted}.')
