"""JSON Feed 1.1 and 1.0: https://www.jsonfeed.org/version/1.1/."""

from __future__ import annotations

from functools import partial
from typing import Final

from converter.extensions.field_support import field_support
from converter.formats.base import Format, import_and_call
from converter.xml import detect

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    name="jsonfeed",
    title="JSON Feed 1.1, 1.0",
    extensions=(".json",),
    media_types=("application/feed+json",),
    sniff=detect.is_json_feed,
    contents=("json",),
    writer=partial(import_and_call, f"{__name__}.write", "JsonFeedWriter"),
    separator=b",\n",
    is_feed=True,
    losses=partial(field_support, "jsonfeed"),
)
