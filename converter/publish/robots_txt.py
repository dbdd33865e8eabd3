"""Adds or updates the `Sitemap:` line of a robots.txt; every other byte stays.

Such a line belongs to no group of user agents and may be anywhere in the file
(https://www.rfc-editor.org/rfc/rfc9309#section-2.2.4, https://www.sitemaps.org/protocol.html).
"""

from __future__ import annotations

import codecs
import re
from contextlib import ExitStack
from typing import Final
from urllib.parse import unquote, urlsplit

from converter.errors import OptionError
from converter.publish.publisher import OutputPart
from converter.publish.target import open_target
from converter.values import urls

#: Crawlers read the first 500 KiB (https://www.rfc-editor.org/rfc/rfc9309#section-2.5); a file of
#: this size is something else.
_MAX_BYTES: Final = 8 << 20

#: XML, HTML, JSON, gzip and UTF-16 begin so; no robots.txt does.
_NO_ROBOTS: Final = (b"<", b"{", b"[", b"\x1f", b"\0", b"\xff\xfe", b"\xfe\xff")
_BLANKS: Final = codecs.BOM_UTF8 + b" \t\r\n"

#: The key in any case, then the URL, up to a comment. Google also reads the key with a hyphen:
#: https://github.com/google/robotstxt/blob/master/robots.cc
_LINE: Final = re.compile(rb"(?P<key>[ \t]*site-?map[ \t]*:[ \t]*)(?P<url>[^\s#]+)", re.IGNORECASE)


def with_sitemap_line(content: bytes, sitemap_url: str) -> bytes:
    """Return a robots.txt with one line for our sitemap, and all other bytes unchanged.

    A line is ours if its URL is that of our file over http or https, with or without `www`, with
    or without `.gz`. The first such line is updated, the others are removed; without one, ours is
    appended.

    Args:
        content: the robots.txt, in any encoding that extends ASCII.
        sitemap_url: the URL of our sitemap or its index.
    """
    url = (urls.clean_media(sitemap_url).url or sitemap_url).encode()
    ours, lines, is_present = _normalised(url), list[bytes](), False
    text = content.removeprefix(codecs.BOM_UTF8)
    for line in text.splitlines(keepends=True):
        match = _LINE.match(line)
        if match is None or _normalised(match["url"]) != ours:
            lines.append(line)
        elif not is_present:
            is_present = True
            lines.append(match["key"] + url + line[match.end() :])
    if not is_present:
        end = b"\r\n" if any(line.endswith(b"\r\n") for line in lines) else b"\n"
        is_open = lines and not lines[-1].endswith((b"\r", b"\n"))
        lines.append((end if is_open else b"") + b"Sitemap: " + url + end)
    return content.removesuffix(text) + b"".join(lines)


def _normalised(url: bytes) -> tuple[str, str, str]:
    """Return host, path and query, which the spellings of one file's URL have in common."""
    text = url.decode("utf-8", "replace")
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return "", text, ""
    return host.removeprefix("www."), unquote(parts.path).removesuffix(".gz"), parts.query


class RobotsTxt:
    """An open robots.txt that will name our sitemap.

    Raises:
        OptionError: it is no regular file, or has other content than a robots.txt.
        SinkError: it cannot be read or written.
    """

    def __init__(self, path: str, closing: ExitStack) -> None:
        self.path = path
        self._publisher = closing.enter_context(open_target(path))
        if self._publisher.name == "-":
            raise OptionError(f'--robots: "{path}" is no regular file; name the robots.txt')
        self.is_new = not self._publisher.exists()
        self._content = b"" if self.is_new else self._read()
        self._staged: OutputPart | None = None

    def _read(self) -> bytes:
        with self._publisher.open_existing(self._publisher.name) as file:
            content = file.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES or content.lstrip(_BLANKS).startswith(_NO_ROBOTS):
            raise OptionError(
                f'--robots: "{self.path}" is no robots.txt, but XML, HTML, JSON, UTF-16, '
                "compressed or very large, and is unchanged. Name the robots.txt"
            )
        return content

    def stage(self, sitemap_url: str) -> bool:
        """Stage the new content; return False if the line for our sitemap is up to date."""
        content = with_sitemap_line(self._content, sitemap_url)
        if content == self._content:
            return False
        self._staged = self._publisher.stage([content], compress=False)
        return True

    def publish(self) -> None:
        """Publish the new content, if any; raise SinkError if the system refuses."""
        if self._staged is not None:
            self._publisher.publish([(self._publisher.name, self._staged)])
