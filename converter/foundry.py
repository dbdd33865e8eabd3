"""The short way through one document: what the plain way is that its moulds are learnt from."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from io import BytesIO
from typing import Final, NamedTuple, Self

from lxml import etree

from converter.errors import DocumentError
from converter.issues import Code, Issue
from converter.model import Entry, Feed, Precision
from converter.moulds.caster import Caster
from converter.moulds.mould import Days, Pages
from converter.moulds.school import Outcome, School, Words
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.passes.hygiene import hygiene, issues_of
from converter.record import replace
from converter.seams import Attentive, Format, Item, Memory, Outline, Raw, Ready
from converter.values import dates, urls
from converter.xml.names import canonical

__all__ = ["Shortcut"]


class Shortcut:
    """The short way through one document."""

    def __init__(
        self,
        raw: Raw,
        outline: Outline,
        target: Format,
        read: ReadOptions,
        passes: PassOptions,
        write: WriteOptions,
        excluded: Collection[str],
        jobs: int = 1,
    ) -> None:
        """Get ready to read a document ahead.

        Args:
            raw: the document.
            outline: how its entries stand in it.
            target: what is written.
            read: as for its reader.
            passes: what is done to its entries.
            write: as for the writer.
            excluded: pages that are to go the plain way.
            jobs: how many processes may work.
        """
        self.header: Callable[[], Feed] = Feed
        """Gives the header, as far as it was read."""
        self._raw = raw
        self._outline = outline
        self._target = target
        self._read = read
        self._passes = passes
        self._write = write
        self._rules = urls.Rules.of(passes)
        self._token = secrets.token_hex(16)
        self._days = Days((passes.now - timedelta(days=2)).date())
        placeholder = outline.placeholder % f"{self._token}-%d"
        self._order = passes.sort or target.order
        self.stream = Caster(
            raw.stream,
            outline.tag,
            placeholder,
            self._school,
            excluded,
            jobs,
            are_held=self._order != "input",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.stream.close()
        if kind is None:
            self.stream.conclude()

    def taken(self, entry: Entry) -> Ready | None:
        """Give the run that an entry of the reader stands for; None: it stands for itself."""
        name = entry.id or entry.loc
        if name is None or self._token not in name:
            return None
        return self.stream.take(int(name.partition(f"{self._token}-")[2].partition(".")[0]))

    def _school(self, head: str) -> School | None:
        scope = _Scope.of(head)
        if scope is None:
            return None
        header = self.header()
        options = replace(self._read, header=header)

        def read(markup: str, issues: list[Issue]) -> list[Item]:
            source = BytesIO(f"{head}{markup}{scope.tail}".encode())
            document = self._raw.reader(source, options, issues.append)
            return list(hygiene(document.entries, self._rules, issues.append))

        of_header: list[Issue] = []
        with suppress(DocumentError):  # there is no entry
            read("", of_header)

        def teach(markup: str) -> Outcome | None:
            issues: list[Issue] = []
            entries = read(markup, issues)
            if len(entries) != 1 or not isinstance(entries[0], Entry):
                return None
            return self._outcome(entries[0], [i for i in issues if i not in of_header])

        own = frozenset(filter(None, (header.link, header.self_url)))
        return School(
            teach=teach,
            name_of=lambda name: scope.name_of(name, self._outline.home),
            source=self._read.name,
            pages=Pages(self._rules, own),
            days=self._days,
            issues_of=issues_of,
        )

    def _outcome(self, entry: Entry, issues: list[Issue]) -> Outcome | None:
        if self._target.writer is None or not entry.loc or entry.alternates:
            return None
        told: list[Issue] = []
        writer = self._target.writer(self._write)
        rendered = writer.entry(entry, told.append)
        if rendered is None or rendered.news:
            return None
        lost = [(loss.name, loss.is_altered) for loss in self._target.losses(self._write).of(entry)]
        lost += [(i.path or i.message, False) for i in told if i.code is Code.DROPPED_FIELD]
        told = [issue for issue in told if issue.code is not Code.DROPPED_FIELD]
        words = None
        order = self._order
        if order != "input" or isinstance(writer, Attentive):
            words = self._words(entry, rendered.memory, told, order)
            if words is None:
                return None
        return Outcome(
            entry=entry,
            loc=entry.loc,
            text=rendered.body.decode(),
            images=rendered.images,
            videos=rendered.videos,
            prefixes=rendered.prefixes,
            lost=tuple(lost),
            issues=tuple(issues if words else issues + told),
            words=words,
        )

    def _words(
        self, entry: Entry, memory: Memory | None, told: list[Issue], order: str
    ) -> Words | None:
        """Put what else there is to say of an entry into words; None: there are none for it.

        In the input's order, what the writer has to say would come between what readers say.
        """
        chosen = dates.lastmod(
            entry.published, entry.updated, policy=self._passes.lastmod, now=self._passes.now
        )
        moment = chosen.moment if order == "newest" else None
        if memory is None or (told and order == "input"):
            return None
        if any(issue.line != entry.line or issue.entry != entry.loc for issue in told):
            return None
        if any(m and m.precision not in _WRITTEN for m in (moment, memory.updated)):
            return None
        return Words(
            moment=dates.to_rfc3339(moment)[: _WRITTEN[moment.precision]] if moment else "",
            id=memory.id,
            updated=dates.to_rfc3339(memory.updated) if memory.updated else "",
            lacks_author=memory.lacks_author,
            codes=tuple((issue.code, issue.path) for issue in told),
            messages=tuple(issue.message for issue in told),
        )


#: How much of a date is written, by its precision, so that dates are told apart in a `Ready`.
_WRITTEN: Final = {Precision.SECOND: None, Precision.DAY: len("2024-12-31")}

#: Nobody declares it: https://www.w3.org/TR/xml-names/#ns-decl
_XML = "http://www.w3.org/XML/1998/namespace"


class _Scope(NamedTuple):
    """What is open where the first entry begins."""

    prefixes: dict[str | None, str]
    tail: str

    @classmethod
    def of(cls, head: str) -> _Scope | None:
        """Find it; None: this is no beginning of a document."""
        parser = etree.XMLPullParser(
            events=("start", "end"), no_network=True, load_dtd=False, resolve_entities=False
        )
        opened: list[etree._Element] = []
        try:
            parser.feed(head.encode())
            for action, element in parser.read_events():
                if action == "start":
                    opened.append(element)
                else:
                    opened.pop()
        except etree.XMLSyntaxError:
            return None
        if not opened:
            return None
        names = [
            f"{element.prefix}:{etree.QName(element).localname}"
            if element.prefix
            else etree.QName(element).localname
            for element in opened
        ]
        return cls(dict(opened[-1].nsmap), "".join(f"</{name}>" for name in reversed(names)))

    def name_of(self, written: str, home: str) -> str | None:
        """Give the canonical name of a tag; None: its prefix is not declared."""
        prefix, colon, local = written.rpartition(":")
        uri = _XML if prefix == "xml" else self.prefixes.get(prefix or None)
        if uri is None:
            return None if colon else local
        return canonical(f"{{{uri}}}{local}", home)
