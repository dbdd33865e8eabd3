"""Check sources: find out what each is, apply its rules, and follow indexes and robots.txt."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from converter.checks import files
from converter.checks.context import CheckContext
from converter.checks.files import CheckedFile
from converter.checks.index import Child
from converter.checks.rule import CheckRule, Finding
from converter.checks.sets import PageSet
from converter.errors import ConverterError, DocumentError, HttpError, SourceError
from converter.formats import urllist
from converter.formats.base import Spool
from converter.issues import Issue, ignore
from converter.options import FetchOptions, Limits
from converter.sources.sitemap_index import find_files
from converter.sources.source import Source, SourceSpec, open_source
from converter.values import urls
from converter.xml import detect

if TYPE_CHECKING:
    from converter.sources.http.client import HttpClient

Kind: TypeAlias = Literal["sitemap", "index", "list", "robots", "feed", "html", "unknown", "empty"]

_ROBOTS: Final = re.compile(
    r"\s*(?:#.*\s*)*(?:user-agent|sitemap|disallow|allow)\s*:", re.IGNORECASE
)
_FEEDS: Final = frozenset({"rss", "rdf", "feed"})
_PATTERNS: Final = ("*.xml", "*.xml.gz", "*.rss", "*.atom", "*.txt")
_ROBOTS_NAME: Final = "robots.txt"
_WBITS_GZIP: Final = 31
_CHUNK_BYTES: Final = 64 * 1024


@dataclass(slots=True, kw_only=True)
class CheckOptions:
    """What is checked, and how sources are opened."""

    rules: Mapping[str, CheckRule]
    now: datetime
    sitemap_url: str | None = None
    """The public URL of the sources that are named."""
    fetch: FetchOptions = field(default_factory=FetchOptions)
    limits: Limits = field(default_factory=Limits)


class _UnusableGzipError(Exception):
    """Nothing of the gzip data can be decompressed."""


class CheckedSource(NamedTuple):
    """A source that was checked."""

    name: str
    kind: Kind
    urls: int
    """The number of entries."""
    size_bytes: int
    """Decompressed, as far as it was read."""


class Checker:
    """Checks the sources of one run, one after the other.

    Attributes:
        sources: those that were read.
        errors: of sources that could not be read; the others were checked.
    """

    def __init__(
        self,
        options: CheckOptions,
        take: Callable[[Finding], None],
        spool: Spool,
        closing: ExitStack,
    ) -> None:
        self.sources: list[CheckedSource] = []
        self.errors: list[ConverterError] = []
        self._options = options
        self._take = take
        self._spool = spool
        self._closing = closing
        self._pages = PageSet(spool)
        self._seen: set[str] = set()
        self._unreachable: set[str | None] = set()
        """Hosts of children that could not be reached."""

    def check_each(self, specs: Iterable[SourceSpec]) -> Iterator[None]:
        """Check sources, and at the end the pages of all of them together.

        Yields after each file, so that the caller can use its findings before the next one.
        """
        for spec in specs:
            for each in self._expanded(spec):
                try:
                    yield from self._check_named(each)
                except ConverterError as error:
                    self.errors.append(error)
        yield from self._pages.finish()

    # -- opening ------------------------------------------------------------------------------

    def _expanded(self, spec: SourceSpec) -> Sequence[SourceSpec]:
        """Return the sitemaps, feeds and lists of a folder, or the source itself."""
        if not isinstance(spec, str | os.PathLike) or not os.path.isdir(spec):  # noqa: PTH112
            return [spec]
        folder = Path(spec)
        found = sorted({path for pattern in _PATTERNS for path in folder.glob(pattern)})
        if not found:
            message = f"{folder}: there is no sitemap, feed or list in this folder"
            self.errors.append(SourceError(message))
        return [str(path) for path in found]

    @cached_property
    def _client(self) -> HttpClient:
        from converter.sources.http.client import HttpClient  # imports requests

        options = self._options
        client = HttpClient(options.fetch, options.limits, self._spool, ignore)
        self._closing.callback(client.close)
        return client

    def _check_named(self, spec: SourceSpec) -> Iterator[None]:
        published = self._options.sitemap_url
        try:
            with self._open(spec) as (source, damage):
                yield from self._check(source, damage, published or source.url)
        except _UnusableGzipError as error:
            name = os.fsdecode(spec) if isinstance(spec, str | os.PathLike) else "-"
            self._context(name, published).report("gzip-truncated", str(error))

    @contextmanager
    def _open(self, spec: SourceSpec) -> Iterator[tuple[Source, list[Issue]]]:
        """Open a source; yield it, and a list that receives the damages of its gzip data.

        Raises:
            SourceError: it is missing or unreadable.
            _UnusableGzipError: nothing can be decompressed.
        """
        options, damage = self._options, list[Issue]()
        if isinstance(spec, str) and urls.is_http(spec):
            source = self._client.fetch(spec)
            with source.stream:
                yield source, damage
            return
        with ExitStack() as stack:
            try:
                opened = open_source(
                    spec, limits=options.limits, spool=self._spool, report=damage.append
                )
                source = stack.enter_context(opened)
            except DocumentError as error:
                raise _UnusableGzipError(str(error)) from error
            yield source, damage

    def _check_child(
        self, child: Child, parent: Source, context: CheckContext, code: str
    ) -> Iterator[None]:
        """Check what an index or robots.txt names, once."""
        context.entry = child.loc
        if child.loc in self._seen:
            return
        self._seen.add(child.loc)
        published = child.loc if parent.url or context.published_url else None
        try:
            spec: Path | str = child.loc
            if parent.url is None and not code.startswith("robots"):
                (spec,) = find_files(parent.name, [child.loc])
            if spec == child.loc:
                self._refuse_unreachable(child.loc)
            with self._open(str(spec)) as (source, damage):
                yield from self._check_part(source, damage, published, context, child)
        except (SourceError, DocumentError, _UnusableGzipError) as error:
            if isinstance(error, HttpError) and error.status is None:
                self._unreachable.add(urls.host_of(child.loc))
            context.entry = child.loc
            context.report(code, f"{error}", child.place)

    def _refuse_unreachable(self, url: str) -> None:
        """Raise SourceError for a host that could not be reached before."""
        host = urls.host_of(url)
        if host in self._unreachable:
            raise SourceError(f"{url}: not fetched, because {host} could not be reached before")

    def _check_part(
        self,
        source: Source,
        damage: list[Issue],
        published: str | None,
        parent: CheckContext,
        child: Child,
    ) -> Iterator[None]:
        """Check a child of an index or of robots.txt."""
        kind, place = kind_of(source), child.place
        parent.entry = child.loc
        if kind == "index" and not parent.source.endswith(_ROBOTS_NAME):
            message = f"{source.name} is an index itself"
            parent.report("index-nested", message, place, path="sitemap/loc")
            return
        if kind in {"html", "unknown", "feed", "robots"}:
            message = f"{source.name} is no sitemap"
            parent.report("index-child-not-sitemap", message, place, path="sitemap/loc")
            return
        yield from self._check(source, damage, published)

    def _context(self, name: str, published: str | None) -> CheckContext:
        options = self._options
        return CheckContext(
            source=name,
            rules=options.rules,
            take=self._take,
            now=options.now,
            published_url=published,
        )

    # -- one source ---------------------------------------------------------------------------

    def _check(self, source: Source, damage: list[Issue], published: str | None) -> Iterator[None]:
        context, kind = self._context(source.name, published), kind_of(source)
        _check_extension(context, source)
        source.stream.seek(0)
        checked = _CHECKS[kind](context, source, self._pages)
        for issue in damage:
            code = "gzip-trailing-bytes" if _is_whole(source) else "gzip-truncated"
            context.report(code, issue.message)
        self.sources.append(CheckedSource(source.name, kind, checked.urls, checked.size_bytes))
        code = "robots-sitemap-unreachable" if kind == "robots" else "index-child-unreadable"
        yield
        for child in checked.children:
            yield from self._check_child(child, source, context, code)


_CHECKS: Final[Mapping[Kind, Callable[[CheckContext, Source, PageSet], CheckedFile]]] = {
    "sitemap": files.check_sitemap,
    "index": files.check_index,
    "list": files.check_list,
    "robots": files.check_robots,
    "feed": files.check_feed,
    "html": files.check_html,
    "empty": files.check_empty,
    "unknown": files.check_unknown,
}


def kind_of(source: Source) -> Kind:
    """Return what a source is, by its root element, its name and its text."""
    prefix = source.prefix()
    if not prefix.strip():
        return "empty"
    name = source.name.partition("?")[0].rpartition("/")[2].lower()
    if name == _ROBOTS_NAME:
        return "robots"
    root = detect.root_name(prefix)
    if root in {"urlset", "sitemapindex"}:
        return "sitemap" if root == "urlset" else "index"
    if root in _FEEDS:
        return "feed"
    if detect.is_html(prefix):
        return "html"
    if root is None and _ROBOTS.match(detect.decode_head(prefix)):
        return "robots"
    is_text = root is None and b"<" not in prefix[:1]
    if urllist.sniff(prefix) or (is_text and name.removesuffix(".gz").endswith(".txt")):
        return "list"
    return "unknown"


def _is_whole(source: Source) -> bool:
    """Return True if the first member of a damaged gzip file is whole: other bytes follow it."""
    if source.path is None:
        return False
    member = zlib.decompressobj(_WBITS_GZIP)
    with open(source.path, "rb") as file, suppress(zlib.error):  # noqa: PTH123
        while not member.eof and (chunk := member.unconsumed_tail or file.read(_CHUNK_BYTES)):
            member.decompress(chunk, _CHUNK_BYTES)
    return member.eof


def _check_extension(context: CheckContext, source: Source) -> None:
    """Check that a local file is compressed if its extension says so, and only then."""
    if source.path is None:
        return
    with open(source.path, "rb") as file:  # noqa: PTH123
        is_gzip = file.read(2) == b"\x1f\x8b"
    has_extension = source.name.endswith(".gz")
    if is_gzip != has_extension:
        what = (
            "compressed, but its name does not end"
            if is_gzip
            else "not compressed, but its name ends"
        )
        context.report("document-extension-mismatch", f"the file is {what} in .gz")
