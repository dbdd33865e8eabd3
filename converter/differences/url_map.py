r"""Rewrite the URLs of the old side before they are compared (`--map-host`, `--map`).

`OLD=NEW` replaces a host. `REGEX=TEMPLATE` replaces each match, with groups as `\1`; in REGEX, an
equals sign is written `\=`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import is_dataclass, replace
from functools import reduce
from typing import Any, Final, NamedTuple, TypeAlias

from converter.differences.options import DiffOptions
from converter.errors import OptionError
from converter.issues import printable
from converter.model import Entry
from converter.values import urls
from converter.values.urls import hosts, syntax

Rewrite: TypeAlias = Callable[[str], str]

_SEPARATOR: Final = re.compile(r"(?<!\\)=")
#: The attributes with URLs of an entry, its media and its language versions.
_URLS: Final = frozenset({"loc", "url", "href", "content_url", "player_url"})
_RECORDS: Final = ("images", "videos", "alternates")


def transform(options: DiffOptions) -> Callable[[Entry], Entry] | None:
    """Return the function that rewrites all URLs of an entry; None if none are rewritten.

    Raises:
        OptionError: a value is no pair, no host, or no regular expression.
    """
    origins = [_OriginRule.parse(text) for text in options.map_host]
    rewrites: list[Rewrite] = [*([_first_of(origins)] if origins else [])]
    rewrites += [_pattern(text) for text in options.map_url]
    if not rewrites:
        return None

    def rewrite(url: str) -> str:
        return reduce(lambda text, each: each(text), rewrites, url)

    return lambda entry: _rewritten(entry, rewrite, ("loc", *_RECORDS))


def _rewritten(record: Any, rewrite: Rewrite, names: Iterable[str] = ()) -> Any:
    """Rewrite the URLs of a record and of the records in it; other values are returned as is."""
    if isinstance(record, tuple):
        values = [_rewritten(each, rewrite) for each in record]
        return type(record)(*values) if hasattr(record, "_fields") else tuple(values)
    if not is_dataclass(record):
        return record
    changes = {}
    for name in names or record.__dataclass_fields__:
        value = getattr(record, name)
        if isinstance(value, str):
            changes[name] = rewrite(value) if name in _URLS else value
        elif value:
            changes[name] = _rewritten(value, rewrite)
    return replace(record, **changes)  # type: ignore[type-var]  # it is an instance


class _OriginRule(NamedTuple):
    """A host that is replaced, and its scheme."""

    old_scheme: str
    """Empty: any."""
    old_authority: str
    new_scheme: str
    """Empty: that of the URL."""
    new_authority: str

    @classmethod
    def parse(cls, text: str) -> _OriginRule:
        old, _, new = text.partition("=")
        try:
            return cls(*_origin(old), *_origin(new))
        except ValueError as error:
            message = f'--map-host: "{printable(text)}" is not OLD=NEW, two hosts: {error}'
            raise OptionError(message) from None


def _origin(text: str) -> tuple[str, str]:
    """Return the scheme, empty if there is none, and the canonical host with its port.

    Raises:
        ValueError: the host is not valid.
    """
    parts = syntax.split(text if urls.is_http(text) else f"//{text}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("a host has no path")
    host, port = syntax.split_host_port(parts.authority or "")
    return parts.scheme or "", hosts.canonical(host) + (f":{port}" if port else "")


def _first_of(rules: Sequence[_OriginRule]) -> Rewrite:
    """Return the function that applies the first rule that fits, so that hosts can be swapped."""

    def rewrite(url: str) -> str:
        parts = syntax.split(url)
        for rule in rules:
            if parts.authority == rule.old_authority and rule.old_scheme in ("", parts.scheme):
                scheme = rule.new_scheme or parts.scheme
                return str(parts._replace(scheme=scheme, authority=rule.new_authority))
        return url

    return rewrite


def _pattern(text: str) -> Rewrite:
    separator = _SEPARATOR.search(text)
    if separator is None:
        raise OptionError(f'--map: "{printable(text)}" is not REGEX=TEMPLATE')
    template = text[separator.end() :]
    try:
        pattern = re.compile(text[: separator.start()])
        pattern.sub(template, "")  # compiles the template
    except (re.error, IndexError) as error:
        raise OptionError(f'--map: "{printable(text)}": {error}') from None
    return lambda url: pattern.sub(template, url)
