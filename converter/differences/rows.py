"""Entries as rows of bytes: the compared fields of an entry, without its URL.

Equal rows are equal entries, so that most pages are compared without being restored. The dates,
which nearly every entry of a sitemap has, are packed; pickles of them are ten times as large.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable
from dataclasses import is_dataclass
from datetime import UTC, datetime, timedelta, timezone
from struct import Struct
from typing import Any, Final

from converter.differences.options import FIELDS, NOT_COMPARED
from converter.model import Entry, Moment, Precision

_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001  local: some first moments have no UTC
_UTC_OFFSET: Final = timedelta()
#: Precision or 0, local time in seconds since 1970, offset in seconds.
_MOMENT: Final = Struct("<Bqi")
_NO_MOMENT: Final = _MOMENT.pack(0, 0, 0)
_PRECISIONS: Final = {int(precision): precision for precision in Precision}


class RowFormat:
    """Turns the attributes that some fields of `FIELDS` compare into bytes and back."""

    def __init__(self, fields: Iterable[str]) -> None:
        fields = set(fields)
        self._has_dates = "lastmod" in fields
        self._names = [
            name for field in FIELDS if field in fields - {"lastmod"} for name in FIELDS[field]
        ]

    def dump(self, entry: Entry) -> bytes:
        """Return the row of an entry; empty if it has no compared value."""
        dates = b""
        if self._has_dates and (entry.published or entry.updated):
            dates = _packed(entry.published) + _packed(entry.updated)
        values = {
            name: value
            for name in self._names
            if (value := getattr(entry, name)) is not None and value != ()
        }
        return (dates or _NO_MOMENT * 2) + _pickled(values) if values else dates

    def load(self, loc: str, row: bytes) -> Entry:
        """Return the entry of a row, with the compared attributes only."""
        if not row:
            return Entry(loc=loc)
        size = _MOMENT.size
        values = pickle.loads(row[2 * size :]) if len(row) > 2 * size else {}  # noqa: S301  our own
        published, updated = _unpacked(row, 0), _unpacked(row, size)
        return Entry(loc=loc, published=published, updated=updated, **values)


def _packed(moment: Moment | None) -> bytes:
    if moment is None:
        return _NO_MOMENT
    instant, precision = moment
    since, offset = instant.replace(tzinfo=None) - _EPOCH, instant.utcoffset() or _UTC_OFFSET
    seconds = since.days * 86_400 + since.seconds
    return _MOMENT.pack(precision, seconds, offset.days * 86_400 + offset.seconds)


def _unpacked(row: bytes, start: int) -> Moment | None:
    precision, seconds, offset = _MOMENT.unpack_from(row, start)
    if not precision:
        return None
    zone = timezone(timedelta(seconds=offset)) if offset else UTC
    local = _EPOCH + timedelta(seconds=seconds)
    return Moment(local.replace(tzinfo=zone), _PRECISIONS[precision])


def _pickled(values: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    _RecordPickler(file, pickle.HIGHEST_PROTOCOL).dump(values)
    return file.getvalue()


class _RecordPickler(pickle.Pickler):
    """Stores the attributes of records that are set and compared."""

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if not is_dataclass(kind):
            return NotImplemented
        names = (name for name in kind.__dataclass_fields__ if name not in NOT_COMPARED)
        found = {name: getattr(value, name) for name in names}
        return _record, (kind, {name: it for name, it in found.items() if it not in (None, ())})


def _record(kind: type, values: dict[str, Any]) -> Any:
    return kind(**values)
