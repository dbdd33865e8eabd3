"""Reads and writes sitemap indexes: https://www.sitemaps.org/protocol.html#index."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO, Final

from converter.errors import LimitError, OptionError
from converter.issues import Code, Issue, Report, naming
from converter.model import Entry, Feed, Moment
from converter.options import ReadOptions
from converter.values import dates
from converter.xml import take
from converter.xml.emit import INDEX_START, leaf
from converter.xml.names import URI_OF
from converter.xml.stream import Walk, line_of
from converter.xml.take import Element

__all__ = ["IndexDocument", "index"]

#: Of one index; from the page above.
_MOST_SITEMAPS: Final = 50_000


class IndexDocument:
    """An index names its children and has no entries of its own; see `seams.Document`.

    `children` are the locations as they stand there, without white space, repetitions and
    judgement: where a child may be read from is decided where sources are opened.
    """

    is_late = False

    def __init__(self, stream: BinaryIO, options: ReadOptions, report: Report) -> None:
        self.feed = Feed(format="sitemap", source=options.name)
        self._report = report
        self._walk = Walk(
            stream,
            entries=frozenset({"sitemap"}),
            containers=frozenset(),
            on_header=lambda _: None,
            is_field=lambda _: False,
            on_restart=lambda: None,
            report=report,
        )

    @property
    def entries(self) -> Iterator[Entry]:
        """None: those of the children are read by whoever may open them."""
        return iter(())

    @cached_property
    def children(self) -> tuple[str, ...]:
        """Walk the document; once.

        Raises:
            LimitError: there are more than an index may list.
        """
        found: dict[str, None] = {}
        with naming(self.feed.source):
            for element in self._walk:
                loc = _loc(element)
                if not loc or loc in found:
                    self._report(_unusable(element, loc))
                    continue
                found[loc] = None
                if len(found) > _MOST_SITEMAPS:
                    raise LimitError(
                        f"the index lists more than {_MOST_SITEMAPS:,} sitemaps, which none may. "
                        "Split it",
                        limit="sitemaps",
                        line=line_of(element),
                    )
        return tuple(found)


def _loc(element: Element) -> str:
    """Give the location, which may be in any namespace, but not in another case."""
    locs = (take.text_of(child) for child in element if take.local_name(child) == "loc")
    return next(filter(None, locs), "")


def _unusable(element: Element, loc: str) -> Issue:
    code, message = Code.ENTRY_WITHOUT_LOC, "a sitemap without its location; left out"
    if loc:
        code, message = Code.URL_DUPLICATE, "the index lists this sitemap twice; read once"
    return Issue(
        code=code, message=message, line=line_of(element), path="sitemap/loc", entry=loc or None
    )


def index(sitemaps: list[tuple[str, Moment | None]]) -> Iterator[bytes]:
    """Render the index of several sitemaps, a line each; a comment tells whose index it is.

    Raises:
        OptionError: there are more than an index may list.
    """
    if len(sitemaps) > _MOST_SITEMAPS:
        raise OptionError(
            f"the output takes {len(sitemaps):,} files, but an index lists {_MOST_SITEMAPS:,}"
            " at most; raise --limit-urls or --limit-bytes"
        )
    yield f'{INDEX_START}<sitemapindex xmlns="{URI_OF["sitemap"]}">\n'.encode()
    for loc, written in sitemaps:
        lastmod = leaf("lastmod", dates.to_w3c(written)) if written else ""
        yield f"<sitemap>{leaf('loc', loc)}{lastmod}</sitemap>\n".encode()
    yield b"</sitemapindex>\n"
