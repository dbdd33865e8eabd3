"""Read, convert and write over paths, streams and several sources: the library's face.

    document = read("blog.rss")
    result = convert("blog.rss", "sitemap.xml", news="The Example Times")
    write(entries, "sitemap.xml")

The command line is a thin layer over `convert`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self, TypeAlias, Unpack, cast

from converter.conversion import clock
from converter.conversion.conversion import Conversion, TargetSpec
from converter.conversion.result import Result
from converter.conversion.side_files import SideFiles
from converter.errors import OptionError
from converter.formats.base import Document
from converter.issues import Issue, Report, printable
from converter.model import Entry, Feed
from converter.options import RunOptions
from converter.options.parsing import parse
from converter.pipeline.inputs import EntriesDocument, Input
from converter.sources.opener import OpenedSource, SourceOpener, SourceSpec
from converter.values.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from converter.options.keywords import ConvertOptions, ReadKeywords

#: What begins as markup or JSON does, or has several lines.
_DOCUMENT: Final = lazy_regex(r'\s*[<\ufeff]|\s*\{\s*"|[^\n]*\S[^\n]*\n\s*\S')

Progress: TypeAlias = Callable[[int, int | None], None]


class OpenDocument:
    """A document that is read as `entries` is iterated; closed at the end, or by `with`."""

    def __init__(self, opened: ExitStack, document: Document, issues: list[Issue]) -> None:
        self.issues = issues
        """What was found so far, where no `report` was given."""
        self._opened = opened
        self._document = document

    @property
    def feed(self) -> Feed:
        """The header as far as it was read; complete once `entries` is exhausted."""
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        """The sitemaps that an index names."""
        return self._document.children

    @property
    def entries(self) -> Iterator[Entry]:
        """The entries, in document order, once."""
        with self._opened:
            yield from self._document.entries

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
    """Read a feed, a sitemap or a list: entry by entry, in constant memory.

    Of an index the entries are those of its sitemaps; of a page at a URL, those of its feed.

    Args:
        source: a path, a URL, `-` for standard input, or a binary stream.
        report: receives every issue as it is found; without it they gather on the document.
        options: as the command line's, see `ReadKeywords`: `format`, `base_url`, ….

    Raises:
        TypeError: there is no such keyword, or the source is bytes.
        ConverterError: see `errors`; while `entries` is iterated, too.
    """
    _refuse_data(source)
    issues: list[Issue] = []
    report = report or issues.append
    run_options = parse(options, clock.now())
    with ExitStack() as opened:
        document = (
            SourceOpener(run_options, _spool, report, opened)
            .taken(source)
            .document(run_options.read, report)
        )
        return OpenDocument(opened.pop_all(), document, issues)
    raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover


def _spool() -> BinaryIO:
    import tempfile

    return cast("BinaryIO", tempfile.TemporaryFile())


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
        source: a path, a URL, `-` for standard input, a binary stream, or several of these, which
            are read in the order given.
        target: a path; None or `-` for standard output; or a binary stream.
        report: receives every issue; without it they gather on the result.
        progress: receives now and then the bytes read, and of how many (None: unknown).
        options: as the command line's, see `ConvertOptions`.

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
    """Write entries that come from anywhere: the way in for a program that has no feed.

    They are treated as those of a source: URL cleaning, de-duplication, limits, publishing.
    An iterator is read once, and kept on disk in case a second pass is needed.

    Raises:
        ConverterError: see `errors`; the existing output is unchanged.
    """
    return _convert((), (entries, feed or Feed()), target, report, None, options)


def _convert(
    specs: Sequence[SourceSpec],
    given: tuple[Iterable[Entry], Feed] | None,
    target: TargetSpec,
    report: Report | None,
    progress: Progress | None,
    options: Mapping[str, Any],
) -> Result:
    """Convert sources, or else entries that are given with their header."""
    issues: list[Issue] = []
    report = report or issues.append
    run_options = parse(options, clock.now())
    with ExitStack() as closing:
        conversion = Conversion.begin(run_options, target, report, closing)
        conversion.protect([*specs, *run_options.publish.merge])
        side_files = SideFiles.begin(conversion, closing)
        spool = conversion.publisher.spool
        opener = SourceOpener(run_options, spool, report, closing)
        intakes = opener.all_taken(specs)
        inputs = _checked(intakes, conversion)
        if given is not None:
            document = EntriesDocument(*given, spool)
            inputs = [Input(name="entries", open=lambda *_: document)]
        conversion.ready = lambda: side_files.stage(inputs)
        others = SourceOpener(_for_existing(run_options), spool, report, closing)
        merged = _checked(others.all_taken(run_options.publish.merge), conversion)
        result = conversion.convert(
            inputs,
            _progress(intakes, progress),
            merged=merged,
            existing=lambda: _existing(conversion, closing),
        )
        result = side_files.publish(result)
    return replace(
        result,
        named=None if given else len(intakes),
        read_apart=_read_apart(intakes),
        found=tuple(opener.found),
        unchanged_sources=opener.unchanged,
        issues=tuple(issues),
    )


def _checked(intakes: Iterable[OpenedSource], conversion: Conversion) -> list[Input]:
    """Return what is read, also of what an index names, after checking that no output replaces it.

    Raises:
        OptionError: one would.
    """
    inputs = [given for intake in intakes for given in intake.inputs]
    conversion.protect(
        given.name for given in inputs if given.name != "-"
    )  # which may be any stream
    return inputs


def _existing(conversion: Conversion, closing: ExitStack) -> Sequence[Input]:
    """Open the existing output, whole or not at all."""
    from converter.update.strict_reader import strict_inputs  # most runs begin anew

    def opened(report: Report) -> Sequence[Input]:
        opener = SourceOpener(
            _for_existing(conversion.options), conversion.publisher.spool, report, closing
        )
        return opener.taken(conversion.path).inputs

    return strict_inputs(conversion.path, opened, conversion.report)


def _for_existing(run_options: RunOptions) -> RunOptions:
    """Return the options for what is added to: `--from` and the like are for the sources."""
    return run_options._replace(format=None, fetch=run_options.fetch._replace(follow_pages=False))


def _read_apart(intakes: Iterable[OpenedSource]) -> Mapping[str, int]:
    """Count what was read in the place of sources, by its kind."""
    counts: Counter[str] = Counter()
    for intake in intakes:
        if intake.children is not None or len(intake.inputs) != 1:
            counts[intake.kind] += len(intake.inputs)
    return dict(counts)


def _specs(given: object) -> Sequence[SourceSpec]:
    """Return a list of one source or several."""
    is_one = isinstance(given, str | bytes | bytearray | memoryview | os.PathLike)
    if is_one or callable(getattr(given, "read", None)):
        given = [given]
    specs = list(cast("Iterable[SourceSpec]", given))
    for spec in specs:
        _refuse_data(spec)
    if not specs:
        raise OptionError("there is no source; name a file, a URL, or - for standard input")
    return specs


def _refuse_data(spec: object) -> None:
    """Refuse the data of a document in the place of its name.

    Raises:
        TypeError: it is bytes.
        OptionError: it is text, and no file has such a name.
    """
    if isinstance(spec, bytes | bytearray | memoryview):
        raise TypeError(
            f"a source is a path, a URL, '-' or a binary stream, not {type(spec).__name__}; "
            "give data as a stream: io.BytesIO(data)"
        )
    if isinstance(spec, str) and _DOCUMENT.match(spec) and not os.path.lexists(spec):
        raise OptionError(
            f'a source is the text of a document ("{printable(spec[:40])}…"), and not its name. '
            "Name a file or a URL, or - for standard input; "
            "in Python give text as a stream: io.BytesIO(text.encode())"
        )


def _progress(intakes: Iterable[OpenedSource], progress: Progress | None) -> Callable[[], None]:
    if progress is None:
        return lambda: None
    gauges = [gauge for intake in intakes for gauge in intake.gauges]
    sizes = [gauge.total_bytes for gauge in gauges]
    total = None if None in sizes else sum(filter(None, sizes))
    return lambda: progress(sum(gauge.consumed() for gauge in gauges), total)
