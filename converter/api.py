"""The library's functions: read, convert, write and check with paths, URLs and streams.

    document = read("blog.rss")
    result = convert("blog.rss", "sitemap.xml", news="The Example Times")
    write(entries, "sitemap.xml")
    findings = check("sitemap.xml")

The command line is a thin layer over `convert`.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, TypeAlias, Unpack, cast

from converter.conversion import clock
from converter.conversion.conversion import Conversion, TargetSpec
from converter.conversion.result import Result
from converter.errors import OptionError
from converter.formats.base import Document
from converter.issues import Issue, Report
from converter.model import Entry, Feed
from converter.options.parsing import parse
from converter.pipeline.inputs import DocumentProxy, EntriesDocument, Input
from converter.publish.publisher import temporary_file
from converter.sources.opener import OpenedSource, SourceOpener
from converter.sources.source import SourceSpec

if TYPE_CHECKING:
    from converter.checks.rule import Finding
    from converter.options.typed_dicts import ConvertOptions, ReadKeywords

Progress: TypeAlias = Callable[[int, int | None], None]


class OpenDocument(DocumentProxy):
    """A document that is read while `entries` is iterated; closed at the end, or by `with`.

    Attributes:
        issues: the issues so far, if no `report` was given.
    """

    def __init__(self, opened: ExitStack, document: Document, issues: list[Issue]) -> None:
        super().__init__(document, opened)
        self.issues = issues
        self._opened = opened

    def __iter__(self) -> Iterator[Entry]:
        return self.entries

    def close(self) -> None:
        """Close the source."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def read(
    source: SourceSpec, /, *, report: Report | None = None, **options: Unpack[ReadKeywords]
) -> OpenDocument:
    """Read a feed, a sitemap or a list, one entry at a time, in constant memory.

    The entries of an index are those of its sitemaps, the entries of a web page those of its feed.

    Args:
        source: a path, a URL, `-` for standard input, or a binary stream.
        report: receives each issue when it is found; without it they are on the document.
        options: those of the command line, see `ReadKeywords`: `format`, `base_url`, ….

    Raises:
        TypeError: there is no such keyword, or the source is bytes.
        ConverterError: see `errors`; also while `entries` is iterated.
    """
    _refuse_bytes(source)
    issues: list[Issue] = []
    report = report or issues.append
    run_options = parse(options, clock.now())
    with ExitStack() as opened:
        sources = SourceOpener(run_options, temporary_file, report, opened)
        document = sources.open(source).document(run_options.read, report)
        return OpenDocument(opened.pop_all(), document, issues)
    raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover


def convert(
    source: SourceSpec | Sequence[SourceSpec],
    target: TargetSpec = None,
    /,
    *,
    report: Report | None = None,
    progress: Progress | None = None,
    **options: Unpack[ConvertOptions],
) -> Result:
    """Convert sources to one output, published whole or not at all.

    Args:
        source: a path, a URL, `-` for standard input, a binary stream, or several in order.
        target: a path; None or `-` for standard output; or a binary stream.
        report: receives each issue; without it they are on the result.
        progress: receives the bytes read so far and their total (None if unknown).
        options: those of the command line, see `ConvertOptions`.

    Raises:
        TypeError: there is no such keyword, or a source is bytes.
        ConverterError: see `errors`; the existing output is unchanged.
    """
    return _convert(_specs(source), None, target, report, progress, options)


def write(
    entries: Iterable[Entry],
    target: TargetSpec = None,
    /,
    *,
    feed: Feed | None = None,
    report: Report | None = None,
    **options: Unpack[ConvertOptions],
) -> Result:
    """Write the entries of a program as `convert` writes those of a source.

    An iterator is read once and stored on disk in case a second pass is needed.

    Raises:
        ConverterError: see `errors`; the existing output is unchanged.
    """
    return _convert((), (entries, feed or Feed()), target, report, None, options)


def check(
    source: SourceSpec | Sequence[SourceSpec],
    /,
    *,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    profiles: Iterable[str] = ("google", "bing"),
    sitemap_url: str | None = None,
    now: datetime | None = None,
    **options: Unpack[ReadKeywords],
) -> Iterator[Finding]:
    """Check sitemaps, indexes with their sitemaps, lists and robots.txt, one source at a time.

    Args:
        source: as for `convert`; a folder stands for the sitemaps, feeds and lists in it.
        select: codes or families of rules, or `all`; empty for the default rules.
        ignore: codes or families of rules.
        profiles: the search engines whose rules apply: `google`, `bing`, `yandex`.
        sitemap_url: the URL where the source is, or will be, published.
        now: the time for rules about dates; default: the present.
        options: those that fetch sources, see `ReadKeywords`.

    Raises:
        TypeError: there is no such keyword, or a source is bytes.
        ConverterError: an option is invalid; or, after the findings of all other sources, a
            source could not be read.
    """
    from converter.checks.checker import Checker, CheckOptions
    from converter.checks.rules import selected

    run_options = parse(options, now or clock.now())
    findings: deque[Finding] = deque()
    with ExitStack() as closing:
        check_options = CheckOptions(
            rules=selected(select, ignore, frozenset(profiles)),
            now=run_options.transforms.now,
            sitemap_url=sitemap_url,
            fetch=run_options.fetch,
            limits=run_options.read.limits,
        )
        checker = Checker(check_options, findings.append, temporary_file, closing)
        for _ in checker.check_each(_specs(source)):
            while findings:
                yield findings.popleft()
    if checker.errors:
        raise checker.errors[0]


def _convert(
    specs: Sequence[SourceSpec],
    written: tuple[Iterable[Entry], Feed] | None,
    target: TargetSpec,
    report: Report | None,
    progress: Progress | None,
    options: Mapping[str, Any],
) -> Result:
    """Convert sources, or the entries and the header that a program has written."""
    issues: list[Issue] = []
    report = report or issues.append
    run_options = parse(options, clock.now())
    merge = run_options.publish.merge
    with ExitStack() as closing:
        conversion = Conversion.open(run_options, target, report, closing)
        conversion.check_sources([*specs, *merge])
        conversion.open_side_files()
        spool = conversion.publisher.spool
        opener = SourceOpener(run_options, spool, report, closing)
        opened = opener.open_all(specs)
        inputs = conversion.checked_inputs(opened)
        if written is not None:
            document = EntriesDocument(*written, spool)
            inputs = [Input(name="entries", open=lambda *_: document)]
        merged = conversion.checked_inputs(conversion.opener(report).open_all(merge))
        result = conversion.run(inputs, _progress(opened, progress), merged=merged)
    return replace(
        result,
        named=None if written else len(opened),
        read_apart=_read_apart(opened),
        found=tuple(opener.found),
        unchanged_sources=opener.unchanged,
        issues=tuple(issues),
    )


def _read_apart(opened: Iterable[OpenedSource]) -> Mapping[str, int]:
    """Count the documents that were read in place of sources, by kind."""
    counts: Counter[str] = Counter()
    for source in opened:
        if source.children is not None or len(source.inputs) != 1:
            counts[source.kind] += len(source.inputs)
    return dict(counts)


def _specs(source: object) -> Sequence[SourceSpec]:
    """Return a list of one source or several."""
    is_one = isinstance(source, str | bytes | bytearray | memoryview | os.PathLike)
    if is_one or callable(getattr(source, "read", None)):
        source = [source]
    specs = list(cast("Iterable[SourceSpec]", source))
    for spec in specs:
        _refuse_bytes(spec)
    if not specs:
        raise OptionError("there is no source; name a file, a URL, or - for standard input")
    return specs


def _refuse_bytes(spec: object) -> None:
    """Refuse the content of a document instead of its name.

    Raises:
        TypeError: it is bytes.
    """
    if isinstance(spec, bytes | bytearray | memoryview):
        raise TypeError(
            f"a source is a path, a URL, '-' or a binary stream, not {type(spec).__name__}; "
            "pass data as a stream: io.BytesIO(data)"
        )


def _progress(opened: Iterable[OpenedSource], progress: Progress | None) -> Callable[[], None]:
    if progress is None:
        return lambda: None
    parts = [part for source in opened for part in source.inputs]
    sizes = [part.total_bytes for part in parts]
    total = None if None in sizes else sum(filter(None, sizes))
    return lambda: progress(sum(part.consumed() for part in parts), total)
