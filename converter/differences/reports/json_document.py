"""The output formats `json`, one document, and `jsonl`, one object for each change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from converter.differences.change import KINDS, Change, DiffTotals, FieldChange, SideTotals


def document(changes: Iterable[Change], totals: DiffTotals) -> Iterator[str]:
    """Yield the changes first, because the totals are known last."""
    separator = '{"layout": 1, "changes": [\n'
    for change in changes:
        yield separator + _json(as_dict(change))
        separator = ",\n"
    counts: dict[str, int] = {kind: totals.kinds[kind] for kind in KINDS}
    tail = {
        "old": _side(totals.old),
        "new": _side(totals.new),
        "counts": {**counts, "less_precise": totals.less_precise},
        "compared": ["loc", *totals.compared],
        "not_compared": totals.not_compared,
    }
    end = "\n" if separator == ",\n" else separator
    yield f"{end}], {_json(tail)[1:]}\n"


def lines(changes: Iterable[Change], _totals: DiffTotals) -> Iterator[str]:
    """Yield one object for each change."""
    for change in changes:
        yield f"{_json(as_dict(change))}\n"


def as_dict(change: Change) -> dict[str, Any]:
    """Return the keys of a change; they are public."""
    found: dict[str, Any] = {"change": change.kind, "url": change.url}
    fields: dict[str, Any] = {}
    for each in change.fields:
        _add(fields, each)
    return {**found, "fields": fields} if fields else found


def _add(fields: dict[str, Any], change: FieldChange) -> None:
    """Add a value: `[old, new]` under its name, or a member of a set as added or removed."""
    values = [change.old, change.new]
    if change.item is not None:
        changed = fields.setdefault(change.field, {}).setdefault("changed", {})
        changed.setdefault(change.item, {})[change.name] = values
    elif change.name is not None:
        fields.setdefault(change.field, {})[change.name] = values
    elif change.field in {"lastmod", "title"}:
        fields[change.field] = values
    else:
        members = fields.setdefault(change.field, {})
        key, value = ("added", change.new) if change.old is None else ("removed", change.old)
        members.setdefault(key, []).append(value)


def _side(side: SideTotals) -> dict[str, Any]:
    return {
        "sources": side.names,
        "formats": sorted(side.formats),
        "urls": side.urls,
        "duplicates": side.duplicates,
        "left_out": side.left_out,
        "filtered": side.filtered,
    }


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # lone surrogates
        return json.dumps(value)
    return text
