"""What a feed says of a page of which nothing else is known: itself, and a title made of it.

It is learnt of an example that went the plain way, as everything here is; the others are a few
slots that are filled. A page with another sort of title goes the plain way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from converter.issues import Issue
from converter.model import Entry, Feed
from converter.options import PassOptions, WriteOptions
from converter.passes.hygiene import hygiene
from converter.seams import Attentive, Common, Format, Listed, Ready, Rendered
from converter.values import dates, text, urls
from converter.xml.emit import escape

__all__ = ["Captions", "is_plain_title"]

_Source: TypeAlias = Literal["loc", "title"]

#: What is escaped, and what readers of HTML look for.
_SIGNS: Final = re.compile("[<>&'\"]")
#: A shorter title than this says nothing: what is written then is the writer's business.
_FEWEST_CHARS: Final = 2
#: The longest that examples try.
_MOST_CHARS: Final = 400


class _Slot(NamedTuple):
    """A place in a message, what stands there, and how much of it; None: all."""

    before: str
    source: _Source | None
    chars: int | None
    behind: str

    def filled(self, loc: str, title: str) -> str:
        """Give the message of a page."""
        if self.source is None:
            return self.before
        value = loc if self.source == "loc" else title
        return f"{self.before}{value[: self.chars]}{self.behind}"


class _Example(NamedTuple):
    """A page that went the plain way."""

    loc: str
    title: str
    rendered: Rendered
    issues: tuple[Issue, ...]


class Captions(NamedTuple):
    """How pages are written, and what is said of them."""

    template: str
    """For `%`, with `loc` and `title` by their names."""
    slots: tuple[_Slot, ...]
    """Messages of what the writer has to say."""
    updated: str
    common: Common

    @classmethod
    def of(
        cls, target: Format, passes: PassOptions, write: WriteOptions, rules: urls.Rules
    ) -> Self | None:
        """Learn them; None: more depends on a page than its own text, or than its title."""
        order = passes.sort or target.order
        writer = target.writer(write) if target.writer else None
        if order != "newest" or not isinstance(writer, Attentive):
            return None

        def example(loc: str) -> _Example | None:
            """Render a page with a writer that knows of no other."""
            issues: list[Issue] = []
            entry = Entry(loc=loc, line=1, feed=Feed(format="txt"))
            is_changed = list(hygiene([entry], rules, issues.append)) != [entry]
            if target.writer is None or is_changed or any(target.losses(write).of(entry)):
                return None
            rendered = target.writer(write).entry(entry, issues.append)
            if rendered is None or rendered.images or rendered.videos or rendered.news:
                return None
            return _Example(loc, text.deslug(loc), rendered, tuple(issues))

        captions = cls._learnt(example)
        if captions and all(captions.explains(example(loc)) for loc in _proofs()):
            return captions
        return None

    @classmethod
    def _learnt(cls, example: Callable[[str], _Example | None]) -> Self | None:
        import secrets  # only where a list is read by the block

        token = f"t{secrets.token_hex(16)}"
        slug = "-".join([token] * (_MOST_CHARS // len(token)))
        given = example(f"https://{token}.example/{token}/{slug}?a={token}&b='{token}'")
        if given is None or given.rendered.memory is None or given.rendered.memory.id != given.loc:
            return None
        template = given.rendered.body.decode().replace("%", "%%")
        template = template.replace(escape(given.loc), "%(loc)s")
        template = template.replace(given.title, "%(title)s")
        slots = [_slot(issue.message, given) for issue in given.issues]
        if token in template or any(token in slot.before + slot.behind for slot in slots):
            return None
        updated = given.rendered.memory.updated
        return cls(
            template=template,
            slots=tuple(slots),
            updated=dates.to_rfc3339(updated) if updated else "",
            common=Common(
                prefixes=given.rendered.prefixes,
                lacks_author=given.rendered.memory.lacks_author,
                codes=tuple((issue.code, issue.path) for issue in given.issues),
            ),
        )

    def explains(self, given: _Example | None) -> bool:
        """Say whether an example is what would have been written and said of it."""
        if given is None or given.rendered.memory is None:
            return False
        loc, title, rendered, issues = given
        id_, updated, lacks_author = given.rendered.memory
        told = tuple((issue.code, issue.path) for issue in issues)
        moment = dates.to_rfc3339(updated) if updated else ""
        return (
            rendered.body.decode() == self._text(loc, title)
            and rendered.prefixes == self.common.prefixes
            and (id_, moment, lacks_author) == (loc, self.updated, self.common.lacks_author)
            and told == self.common.codes
            and self._messages(loc, title) == tuple(issue.message for issue in issues)
            and all((issue.line, issue.entry) == (1, loc) for issue in issues)
        )

    def runs(self, listed: Listed) -> Iterator[Ready | Entry]:
        """Give pages as a writer wants to see them: as runs, but for those with odd titles."""
        locs = list(listed.locs)
        titles = list(map(text.deslug, locs))
        start = 0
        for place in _odd(titles):
            if start < place:
                yield self._run(listed, locs, titles, range(start, place))
            yield listed.entry_of(place)
            start = place + 1
        if start < len(titles):
            yield self._run(listed, locs, titles, range(start, len(titles)))

    def _run(self, listed: Listed, locs: list[str], titles: list[str], places: range) -> Ready:
        whole = slice(places.start, places.stop)
        pairs = list(zip(locs[whole], titles[whole], strict=True))
        count = len(pairs)
        return Ready(
            locs=locs[whole],
            texts=[self._text(*pair) for pair in pairs],
            moulds=bytes(count),
            common=(self.common,),
            moments=[""] * count,
            ids=locs[whole],
            updates=[self.updated] * count,
            messages=[self._messages(*pair) for pair in pairs],
            source=listed.feed.source,
            line_of=lambda number: listed.lines[places[number]],
            markup_of=lambda number: str(places[number]),
            read=lambda markup, line: listed.entry_of(int(markup)),
        )

    def _text(self, loc: str, title: str) -> str:
        written = escape(loc) if "&" in loc or "'" in loc else loc
        return self.template % {"loc": written, "title": title}

    def _messages(self, loc: str, title: str) -> tuple[str, ...]:
        return tuple([slot.filled(loc, title) for slot in self.slots])


def is_plain_title(title: str) -> bool:
    """Say whether a title is written as it is, wherever it stands."""
    return (
        _FEWEST_CHARS <= len(title) <= _MOST_CHARS
        and title.isprintable()
        and _SIGNS.search(title) is None
    )


def _odd(titles: Sequence[str]) -> list[int]:
    """Give the places of titles that are not plain; nearly always there is none."""
    joined = "".join(titles)
    lengths = list(map(len, titles))
    is_sound = joined.isprintable() and _SIGNS.search(joined) is None
    if is_sound and min(lengths) >= _FEWEST_CHARS and max(lengths) <= _MOST_CHARS:
        return []
    return [place for place, title in enumerate(titles) if not is_plain_title(title)]


def _slot(message: str, given: _Example) -> _Slot:
    """Find what of a page stands in a message: the longest stretch from its beginning."""
    sources: tuple[tuple[_Source, str], ...] = (("loc", given.loc), ("title", given.title))
    for source, value in sources:
        chars = next((n for n in range(len(value), 0, -1) if value[:n] in message), 0)
        if chars > len("https://t"):
            before, _, behind = message.partition(value[:chars])
            return _Slot(before, source, chars if chars < len(value) else None, behind)
    return _Slot(message, None, None, "")


def _proofs() -> Iterator[str]:
    """Give pages of all sorts: short and long titles, none, and signs that are escaped."""
    yield "http://a.example:8080/b/ab.html"
    yield "https://www.example.com/2024/01/12345"
    yield "https://www.example.com/"
    yield "https://www.example.com/some-longer_path+to/a-page-of-which-more-is-said/?id=7&b=c%2Fd"
    yield "https://www.example.com/it's(a)%C3%A9t%C3%A9;!/a@b,c=d~e$f.g*h:i"
    yield f"https://www.example.com/{'-'.join(['word'] * 70)}?{'q' * 300}"
