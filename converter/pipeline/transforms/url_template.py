"""Make page URLs from fields of entries, for feeds of another platform (`--loc-template`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from converter.errors import OptionError
from converter.issues import Code, Issue, Report
from converter.model import Entry
from converter.pipeline.transforms import Transform
from converter.values import urls
from converter.values.lazy_regex import lazy_regex

_NOT_WORD = lazy_regex(r"[\W_]+")
_EXTENSION = lazy_regex(r"\.[A-Za-z0-9]{2,5}\Z")


def template(template: str, report: Report) -> Transform:
    """Return the transform that fills a URL template with percent-encoded fields of an entry.

    An example is `https://ex.com/videos/{yt_id}`; the fields are `FIELDS`. An entry that lacks a
    field keeps its URL, and that is reported. URLs must be cleaned after it.

    Raises:
        OptionError: the template is no absolute http(s) URL with known fields.
    """
    wanted = _fields(template)

    def locate(entry: Entry) -> Entry:
        values = {name: FIELDS[name].value(entry) for name in wanted}
        missing = [name for name, value in values.items() if not value]
        if missing:
            message = f"the entry has no {', '.join(missing)} for the URL template; its URL stays"
            name = entry.loc or entry.id
            report(
                Issue(code=Code.LOC_TEMPLATE_UNFILLED, message=message, line=entry.line, entry=name)
            )
            return entry
        encoded = {name: quote(value or "", safe="") for name, value in values.items()}
        return replace(entry, loc=template.format_map(encoded))

    return locate


def _fields(template: str) -> tuple[str, ...]:
    from string import Formatter

    try:
        pieces = list(Formatter().parse(template))
    except ValueError as error:
        raise OptionError(f'--loc-template: "{template}": {error}') from None
    wanted = tuple(dict.fromkeys(name for _, name, _, _ in pieces if name is not None))
    plain = not any(spec or conversion for _, _, spec, conversion in pieces)
    if not (urls.is_http(template) and wanted and plain and FIELDS.keys() >= set(wanted)):
        known = " ".join(f"{{{name}}}" for name in FIELDS)
        raise OptionError(
            f'--loc-template: "{template}": wanted an absolute http(s) URL with some of {known}'
        )
    return wanted


def _youtube_id(entry: Entry) -> str | None:
    return next((video.youtube_id for video in entry.videos if video.youtube_id), None)


def _slug(entry: Entry) -> str | None:
    """Return the last segment of the path that is not empty, without its extension."""
    path = re.split(r"[?#]", entry.loc or "", maxsplit=1)[0].split("/")[3:]
    segment = next((unquote(segment) for segment in reversed(path) if segment), "")
    return _EXTENSION.sub("", segment)


def _title_slug(entry: Entry) -> str | None:
    """Return the words of the title in lower case, joined by `-`, in any script."""
    return _NOT_WORD.sub("-", (entry.title or "").casefold()).strip("-")


class TemplateField(NamedTuple):
    """A field of `--loc-template`."""

    meaning: str
    value: Callable[[Entry], str | None]


FIELDS: Final[Mapping[str, TemplateField]] = {
    "yt_id": TemplateField("the id of the first YouTube video", _youtube_id),
    "id": TemplateField("the id of the entry: RSS guid, Atom id", lambda entry: entry.id),
    "loc": TemplateField("the URL of the entry in the source", lambda entry: entry.loc),
    "slug": TemplateField("the last part of that URL's path, without an extension", _slug),
    "title_slug": TemplateField("the title in lower case, its words joined by -", _title_slug),
}
"""The fields of `--loc-template`, its help and docs/cli.md."""
