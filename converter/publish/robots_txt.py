"""The `Sitemap:` line of a robots.txt: ours is added or renewed, every other byte stays.

Such a line belongs to no group of user agents and may stand anywhere
(https://www.rfc-editor.org/rfc/rfc9309#section-2.2.4, https://www.sitemaps.org/protocol.html).
"""

from __future__ import annotations

import codecs
import re
from contextlib import ExitStack
from typing import Final
from urllib.parse import unquote, urlsplit

from converter.errors import OptionError, SinkError
from converter.publish import Staged, open_target
from converter.values import urls

#: Crawlers read the first 500 KiB (https://www.rfc-editor.org/rfc/rfc9309#section-2.5); a file of
#: so much more is none.
_MOST_BYTES: Final = 8 << 20

#: No robots.txt begins so; gzip, XML, HTML and JSON do, in UTF-8 and in UTF-16.
_NO_ROBOTS: Final = (b"\x1f\x8b", b"<", b"{", b"[", b"\0<", b"\xff\xfe<\0", b"\xfe\xff\0<")

#: The key in any case, then the URL, up to a comment. Google reads the one with a hyphen, too:
#: https://github.com/google/robotstxt/blob/master/robots.cc
_LINE: Final = re.compile(rb"(?P<key>[ \t]*site-?map[ \t]*:[ \t]*)(?P<url>[^\s#]+)", re.IGNORECASE)


def renewed(content: bytes, sitemap_url: str) -> bytes:
    """Give a robots.txt in which our line stands once, and all else as it was.

    A line is ours if its URL leads to our file: over http or https, with or without `www`, with or
    without `.gz`. The first of these is renewed in its place, the others go; where there is none,
    ours follows at the end.

    Args:
        content: what stands there, in whatever encoding has ASCII for its first half.
        sitemap_url: where our sitemap, or its index, can be fetched.
    """
    url = (urls.clean_media(sitemap_url).url or sitemap_url).encode()
    ours, lines, stands = _place(url), list[bytes](), False
    text = content.removeprefix(codecs.BOM_UTF8)
    for line in text.splitlines(keepends=True):
        found = _LINE.match(line)
        if found is None or _place(found["url"]) != ours:
            lines.append(line)
        elif not stands:
            stands = True
            lines.append(found["key"] + url + line[found.end() :])
    if not stands:
        end = b"\r\n" if any(line.endswith(b"\r\n") for line in lines) else b"\n"
        is_open = lines and not lines[-1].endswith((b"\r", b"\n"))
        lines.append((end if is_open else b"") + b"Sitemap: " + url + end)
    return content.removesuffix(text) + b"".join(lines)


def _place(url: bytes) -> tuple[str, str, str]:
    """What the spellings of one file's place have in common: host, path, and query."""
    text = url.decode("utf-8", "replace")
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return "", text, ""
    return host.removeprefix("www."), unquote(parts.path).removesuffix(".gz"), parts.query


class RobotsTxt:
    """A robots.txt that is to name our sitemap; it is held, and changed by `publish` alone.

    Raises:
        OptionError: it is no regular file, or XML, HTML or JSON.
        SinkError: it cannot be read or written, or is nothing that crawlers would read.
    """

    def __init__(self, path: str, closing: ExitStack) -> None:
        self.path = path
        self._publisher = closing.enter_context(open_target(path))
        if self._publisher.name == "-":
            raise OptionError(f'--robots: "{path}" is no regular file; name the robots.txt')
        self.is_new = not self._publisher.exists()
        """There is no such file yet."""
        self._content = b"" if self.is_new else self._read()
        self._staged: Staged | None = None

    def _read(self) -> bytes:
        with self._publisher.open_existing(self._publisher.name) as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise SinkError(
                f'"{self.path}" is larger than any robots.txt; see whether it is the right file'
            )
        if content.removeprefix(codecs.BOM_UTF8).lstrip().startswith(_NO_ROBOTS):
            raise OptionError(
                f'--robots: "{self.path}" looks like XML, HTML or JSON, or is compressed; it is '
                "no robots.txt, and stays as it is. Name the robots.txt"
            )
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise SinkError(
                f'"{self.path}" is UTF-16, which crawlers do not read; save it as UTF-8 first'
            )
        return content

    def stage(self, sitemap_url: str) -> bool:
        """Get ready to publish; False: it names our sitemap already."""
        wanted = renewed(self._content, sitemap_url)
        if wanted == self._content:
            return False
        self._staged = self._publisher.stage([wanted], compress=False)
        return True

    def publish(self) -> None:
        """Put it in place, if anything in it changes; raises SinkError where the system refuses."""
        if self._staged is not None:
            self._publisher.publish([(self._publisher.name, self._staged)])
