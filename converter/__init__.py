"""Feeds and URL lists in, valid sitemaps out.

import converter

converter.convert("blog.rss", "sitemap.xml")

document = converter.read("blog.rss")
for entry in document:
print(entry.loc, entry.title)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from converter.api import OpenDocument, check, convert, read, write
    from converter.checks.rule import Finding
    from converter.conversion.result import OutputFile, Result
    from converter.errors import (
        ConverterError,
        DocumentError,
        LimitError,
        OptionError,
        RefusedError,
        SinkError,
        SourceError,
        UnknownFormatError,
    )
    from converter.issues import Code, Issue, Severity
    from converter.model import Audio, Entry, Feed, Image, Moment, News, Person, Text, Video
    from converter.options.typed_dicts import ConvertOptions

#: The package's metadata has it from here.
__version__ = "0.1.0"

__all__ = [
    "Audio",
    "Code",
    "ConvertOptions",
    "ConverterError",
    "DocumentError",
    "Entry",
    "Feed",
    "Finding",
    "Image",
    "Issue",
    "LimitError",
    "Moment",
    "News",
    "OpenDocument",
    "OptionError",
    "OutputFile",
    "Person",
    "RefusedError",
    "Result",
    "Severity",
    "SinkError",
    "SourceError",
    "Text",
    "UnknownFormatError",
    "Video",
    "check",
    "convert",
    "read",
    "write",
]

#: Where the names are defined, cheapest first; a name is imported when it is first asked for, so
#: that the command line can answer `--help` without the library.
_MODULES = (
    "errors",
    "issues",
    "model",
    "api",
    "conversion.result",
    "options.typed_dicts",
    "checks.rule",
)


def __getattr__(name: str) -> Any:
    for module in _MODULES if name in __all__ else ():
        found = getattr(import_module(f"converter.{module}"), name, None)
        if found is not None:
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
