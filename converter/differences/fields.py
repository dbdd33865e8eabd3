"""Compare the fields of two entries of one page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, TypeAlias

from converter.differences.change import FieldChange
from converter.differences.options import FIELDS, NOT_COMPARED
from converter.extensions.field_support import KEPT_BY, support_level
from converter.formats import urltable
from converter.model import Entry, Image, Moment, News, Precision, Restriction, Text, Video
from converter.pipeline.transforms.deduplicate import video_key
from converter.values import dates

#: A time before which every date lies: dates in the future are compared, too.
END_OF_TIME: Final = datetime.max.replace(tzinfo=UTC)

_SHAPES: Final = {Precision.YEAR: "%Y", Precision.MONTH: "%Y-%m"}

# -- what formats hold --------------------------------------------------------------------------

#: The names of fields in the table of field support, where they differ from the attributes.
_SUPPORTED_AS: Final = {"images": "image", "videos": "video"}


def comparable(
    wanted: Iterable[str], old_formats: Collection[str], new_formats: Collection[str]
) -> tuple[str, ...]:
    """Return the fields that all formats of both sides hold.

    Of different formats, these are the fields that each holds in every entry.
    """
    formats = {*old_formats, *new_formats}
    holds = _can_hold if len(formats) < 2 else _always_holds
    return tuple(
        field
        for field in wanted
        if all(any(holds(each, name) for name in FIELDS[field]) for each in formats)
    )


def _can_hold(format_: str, attribute: str) -> bool:
    if format_ == "csv":
        return attribute in urltable.FIELDS
    return _column(format_) in KEPT_BY[_SUPPORTED_AS.get(attribute, attribute)]


def _always_holds(format_: str, attribute: str) -> bool:
    if format_ == "csv":
        return attribute in urltable.FIELDS
    name = _SUPPORTED_AS.get(attribute, attribute)
    return support_level(name, _column(format_)) in {"kept", "altered"}


def _column(format_: str) -> str:
    """Return the column of a format that was read: Media RSS is read in every RSS."""
    return "mrss" if format_ == "rss" else format_


# -- two entries --------------------------------------------------------------------------------


def compare(
    old: Entry, new: Entry, wanted: Iterable[str], *, with_parts: bool
) -> tuple[FieldChange, ...]:
    """Return the values that differ.

    Args:
        old: the entry of the old side.
        new: the entry of the new side.
        wanted: names of `FIELDS`.
        with_parts: also compare the values of images and videos that both entries have. Only
            within one format: others cut, round and complete them.
    """
    return tuple(change for name in wanted for change in _COMPARISONS[name](old, new, with_parts))


def lastmod_of(entry: Entry) -> Moment | None:
    """Return the date of a page, as a sitemap has it; else a year or a month."""
    published, updated = entry.published, entry.updated
    chosen = dates.choose_lastmod(published, updated, policy="auto", now=END_OF_TIME).moment
    return chosen or updated or published


def is_same_moment(first: Moment | None, second: Moment | None) -> bool:
    """Return True for equal instants; a plain date equals each moment of its day in UTC."""
    if first is None or second is None:
        return first is second
    if first.precision > second.precision:
        first, second = second, first
    if first.precision == second.precision:
        return first.instant == second.instant
    return first.instant <= second.instant <= dates.last_second(first)


def _lastmod(old: Entry, new: Entry, _with_parts: bool) -> Iterator[FieldChange]:
    before, after = lastmod_of(old), lastmod_of(new)
    if not is_same_moment(before, after):
        yield FieldChange("lastmod", _text(before), _text(after))


def _title(old: Entry, new: Entry, _with_parts: bool) -> Iterator[FieldChange]:
    if old.title != new.title:
        yield FieldChange("title", old.title, new.title)


def _images(old: Entry, new: Entry, with_parts: bool) -> Iterator[FieldChange]:
    def by_url(entry: Entry) -> Mapping[str, Image]:
        return {image.url: image for image in reversed(entry.images)}

    return _records("images", by_url(old), by_url(new), with_parts)


def _videos(old: Entry, new: Entry, with_parts: bool) -> Iterator[FieldChange]:
    def by_url(entry: Entry) -> Mapping[str, Video]:
        return {str(video_key(video)): video for video in reversed(entry.videos)}

    return _records("videos", by_url(old), by_url(new), with_parts)


def _news(old: Entry, new: Entry, _with_parts: bool) -> Iterator[FieldChange]:
    yield from _parts("news", None, old.news or News(), new.news or News())


def _alternates(old: Entry, new: Entry, _with_parts: bool) -> Iterator[FieldChange]:
    def texts(entry: Entry) -> dict[str, None]:
        return {f"{each.hreflang.lower()} {each.href}": None for each in entry.alternates}

    return _records("alternates", texts(old), texts(new), with_parts=False)


def _hints(old: Entry, new: Entry, _with_parts: bool) -> Iterator[FieldChange]:
    for name in FIELDS["hints"]:
        before, after = _text(getattr(old, name)), _text(getattr(new, name))
        if before != after:
            yield FieldChange("hints", before, after, name=name)


_Comparison: TypeAlias = Callable[[Entry, Entry, bool], Iterator[FieldChange]]
_COMPARISONS: Final[Mapping[str, _Comparison]] = {
    "lastmod": _lastmod,
    "title": _title,
    "images": _images,
    "videos": _videos,
    "news": _news,
    "alternates": _alternates,
    "hints": _hints,
}


def _records(
    field: str, old: Mapping[str, Any], new: Mapping[str, Any], with_parts: bool
) -> Iterator[FieldChange]:
    """Compare the members of two sets, in the order of their keys."""
    for key in sorted({*old, *new}):
        if key not in new:
            yield FieldChange(field, key, None)
        elif key not in old:
            yield FieldChange(field, None, key)
        elif with_parts:
            yield from _parts(field, key, old[key], new[key])


def _parts(field: str, item: str | None, old: Any, new: Any) -> Iterator[FieldChange]:
    """Compare two records value by value."""
    for name in (each.name for each in fields(old) if each.name not in NOT_COMPARED):
        before, after = getattr(old, name), getattr(new, name)
        are_dates = isinstance(before, Moment) and isinstance(after, Moment)
        is_same = is_same_moment(before, after) if are_dates else _text(before) == _text(after)
        if not is_same:
            yield FieldChange(field, _text(before), _text(after), item=item, name=name)


# -- values as text -----------------------------------------------------------------------------


def _text(value: Any) -> str | None:
    """Return a value of an entry as text; None if it is not set."""
    if value is None or value == ():
        return None
    form = _FORMS.get(type(value))
    if form is not None:
        return form(value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return ", ".join(text for each in value if (text := _text(each)) is not None)
    names: Iterable[str] = getattr(value, "_fields", ())
    if is_dataclass(value):
        names = (each.name for each in fields(value))
    named = ((name, _text(getattr(value, name))) for name in names)
    return " ".join(f"{name}={text}" for name, text in named if text is not None) or str(value)


def _date(moment: Moment) -> str:
    if shape := _SHAPES.get(moment.precision):
        return moment.instant.strftime(shape)
    return dates.to_w3c(moment)


def _number(value: Decimal | float) -> str:
    return f"{Decimal(str(value)).normalize():f}"


def _restriction(value: Restriction) -> str:
    return " ".join((value.relationship, *sorted((*value.codes, *value.unknown))))


_FORMS: Final[Mapping[type, Callable[[Any], str]]] = {
    str: str,
    bool: lambda value: "yes" if value else "no",
    int: str,
    float: _number,
    Decimal: _number,
    Moment: _date,
    Text: lambda text: text.value,
    Restriction: _restriction,
}
