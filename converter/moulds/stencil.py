"""How a page of which nothing else is known is written; an example of the plain way tells it."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters, digits
from typing import Final, NamedTuple

from converter.issues import Issue
from converter.model import Entry, Feed
from converter.options import PassOptions, WriteOptions
from converter.passes.hygiene import hygiene
from converter.seams import Attentive, Format
from converter.values import urls

__all__ = ["BARE", "Stencil"]

#: What a clean URL may hold behind its origin, besides letters and digits.
_MARKS: Final = ("-._~:@!$&'()*+,;=/", "?", "%2F")
#: Those that may stand anywhere behind the origin, but for a dot behind a slash. Not there: what
#: may begin a session id or a query.
_QUIET: Final = "-._~:@!$&'*+,=/"

#: Parts that have room for any page, however it is written.
_ROOMY_BYTES: Final = 64 * 1024


class Stencil(NamedTuple):
    """How a page of which nothing else is known is written."""

    before: str
    behind: str
    prefixes: frozenset[str]
    changed: tuple[tuple[str, str], ...]
    """Characters, and what is written in their place, one after the other."""

    @classmethod
    def of(
        cls, target: Format, passes: PassOptions, write: WriteOptions, rules: urls.Rules
    ) -> Stencil | None:
        """Learn it; None: more depends on a page than its own text, or on the other pages."""
        is_tight = write.limit_bytes is not None and write.limit_bytes < _ROOMY_BYTES
        if (passes.sort or target.order) == "url" or target.writer is None or is_tight:
            return None
        writer = target.writer(write)
        if isinstance(writer, Attentive):
            return None
        losses, feed = target.losses(write), Feed(format="txt")

        def render(loc: str) -> tuple[str, frozenset[str]] | None:
            issues: list[Issue] = []
            entry = Entry(loc=loc, line=1, feed=feed)
            rendered = writer.entry(entry, issues.append)
            is_changed = list(hygiene([entry], rules, issues.append)) != [entry]
            if is_changed or rendered is None or any(losses.of(entry)) or rendered.news or issues:
                return None
            return rendered.body.decode(), rendered.prefixes

        return cls._learnt(render)

    @classmethod
    def _learnt(cls, render: Callable[[str], tuple[str, frozenset[str]] | None]) -> Stencil | None:
        import secrets  # only where a list is read by the block

        token = secrets.token_hex(16)
        marks = [*_MARKS[0], *_MARKS[1:]]
        rendered = render(f"https://{token}.example/{token}{_between(marks, token)}")
        if rendered is None:
            return None
        text, prefixes = rendered
        pieces = text.split(token)
        if len(pieces) != len(marks) + 3:
            return None
        before, _, *written, behind = pieces
        pairs = zip(marks, written, strict=True)
        changed = tuple((mark, text) for mark, text in pairs if mark != text)
        stencil = cls(before.removesuffix("https://"), behind, prefixes, changed)
        proof = "http://a.example:8080/" + ascii_letters + digits + "".join(_MARKS) + "=a&b"
        return stencil if render(proof) == (stencil.cast(proof), prefixes) else None

    def cast(self, loc: str) -> str:
        """Give all that is written of one page."""
        return f"{self.before}{self.text(loc)}{self.behind}"

    def text(self, loc: str) -> str:
        """Give what is written of a page between `before` and `behind`."""
        for mark, text in self.changed:
            if mark in loc:
                loc = loc.replace(mark, text)
        return loc

    @property
    def quiet(self) -> bytes:
        """Characters that are written as they are, and never make a URL unclean."""
        marks = "".join(mark for mark in _QUIET if self.text(mark) == mark)
        return (ascii_letters + digits + marks).encode()


#: Pages as they are: something is made of them when all are known.
BARE: Final = Stencil("", "\n", frozenset(), ())


def _between(marks: list[str], token: str) -> str:
    return "".join(f"{mark}{token}" for mark in marks)
