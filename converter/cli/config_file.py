"""Reads options from a TOML file in the working directory; checks each key and type."""

from __future__ import annotations

import os
from datetime import date
from typing import Any, Final

import click

from converter.cli import PROGRAM
from converter.cli.argument_checks import find_similar
from converter.options.option_types import TYPE_NAMES, Option
from converter.options.parsing import OPTIONS

_OWN_FILE, _SHARED_FILE = "feed2sitemap.toml", "pyproject.toml"

#: Keys in `Context.meta`: a note for the user, and the name of the file in messages.
CONFIG_NOTE, CONFIG_NAME = "converter.cli.config_file.note", "converter.cli.config_file.name"

_OPTIONS: Final = {option.name: option for option in OPTIONS if option.name != "config"}


def load_config(ctx: click.Context, _param: click.Parameter, path: str | None) -> str | None:
    """Use the options of the file as defaults of the command line.

    Raises:
        click.UsageError: the file is missing or not TOML; a key is unknown; a type is wrong.
    """
    if ctx.resilient_parsing:
        return path
    paths = [path] if path else list(filter(os.path.isfile, (_OWN_FILE, _SHARED_FILE)))
    name, table = _read_table(paths[0]) if paths else (_OWN_FILE, {})
    if len(paths) > 1 and _has_table(_SHARED_FILE):
        ctx.meta[CONFIG_NOTE] = (
            f"{_OWN_FILE} is used; [tool.{PROGRAM}] in {_SHARED_FILE} is ignored"
        )
    defaults: dict[str, Any] = {}
    for key, value in table.items():
        option = _find_option(key, name)
        if option.name in defaults:
            raise click.UsageError(f'{name}: the option "{key}" is set twice.')
        defaults[option.name] = _check_type(key, value, option, name)
    ctx.default_map = defaults
    ctx.meta[CONFIG_NAME] = name
    return path


def _read_table(path: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a file in messages, and its options."""
    import tomllib  # most runs have no such file

    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # also UnicodeDecodeError, and huge numbers
        raise click.UsageError(f"{path} is not TOML: {error}") from error
    if os.path.basename(path) != _SHARED_FILE:
        return path, document
    name = f"{path} [tool.{PROGRAM}]"
    tool = document.get("tool", {})
    table = tool.get(PROGRAM, {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise click.UsageError(f"{name} is not a table.")
    return name, table


def _has_table(path: str) -> bool:
    try:
        return bool(_read_table(path)[1])
    except click.UsageError:
        return False  # faults of an ignored file do not matter


def _find_option(key: str, name: str) -> Option:
    option = _OPTIONS.get(key.replace("-", "_"))
    if option is not None:
        return option
    nearest = find_similar(key.replace("_", "-"), [it.replace("_", "-") for it in _OPTIONS])
    hint = f'; did you mean "{nearest}"?' if nearest else "."
    raise click.UsageError(f'{name}: there is no option "{key}"{hint}')


def _check_type(key: str, value: object, option: Option, name: str) -> object:
    """Check the type of a value: `"yes"` is no flag. The library checks the value itself."""
    accepts = option.type.accepts
    if option.type.is_repeatable:
        texts = [value] if isinstance(value, str) else value
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            return texts
    elif isinstance(value, (*accepts, int) if float in accepts else accepts) and (
        isinstance(value, bool) is (bool in accepts)  # a bool is an int in Python
    ):
        return value.isoformat() if isinstance(value, date) else value
    wanted = " or ".join(TYPE_NAMES[kind] for kind in accepts if kind in TYPE_NAMES)
    raise click.UsageError(f'{name}: "{key}" must be {wanted}.')
