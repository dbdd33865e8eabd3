"""Feeds and URL lists in, valid sitemaps out.

import converter

converter.convert("blog.rss", "sitemap.xml")

document = converter.read("blog.rss")
for entry in document.entries:
print(entry.loc, entry.title)
"""

from converter.api import ConvertOptions, OpenDocument, convert, read, write
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
from converter.run import OutputFile, Result

__all__ = [
    "Audio",
    "Code",
    "ConvertOptions",
    "ConverterError",
    "DocumentError",
    "Entry",
    "Feed",
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
    "convert",
    "read",
    "write",
]
