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
from types import TracebackType
from typing import BinaryIO, Final, Self, TypeAlias, Unpack, cast

from converter.beside import Beside
from converter.edge import clock
from converter.errors import OptionError
from converter.inputs import Gauge, Intake, Opener, SourceSpec
from converter.issues import Issue, Report, printable
from converter.model import Entry, Feed
from converter.options.keywords import ConvertOptions, Fetching, parse
from converter.pipeline import Input
from converter.readers import GivenEntries
from converter.run import LeftOut, OutputFile, Result, Run, TargetSpec
from converter.seams import Document
from converter.values.patterns import lazy

__all__ = [
    "ConvertOptions",
    "LeftOut",
    "OpenDocument",
    "OutputFile",
    "Result",
    "convert",
    "read",
    "write",
]

#: What begins as markup or JSON does, or has several lines.
_DOCUMENT: Final = lazy(r'\s*[<\ufeff]|\s*\{\s*"|[^\n]*\S[^\n]*\n\s*\S')

Progress: TypeAlias = Callable[[int, int | None], None]


# -- read -------------------------------------------------------------------------------------


class OpenDocument:
    """A document that is read as `entries` is walked; closed at the end, or by `with`."""

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
        """The entries, in document order; walk once."""
        with self._opened:
            yield from self._document.entries

    def __iter__(self) -> Iterator[Entry]:
        return self.entries

    def close(self) -> None:
        """Close the source."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def read(
    source: SourceSpec,
    /,
    *,
    format: str | None = None,  # noqa: A002  as --from; `from` is Python's
    base_url: str | None = None,
    assume_tz: str | None = None,
    scan_html: bool = False,
    report: Report | None = None,
    **fetching: Unpack[Fetching],
) -> OpenDocument:
    """Read a feed, a sitemap or a list: entry by entry, in constant memory.

    Of an index the entries are those of its sitemaps; of a page at a URL, those of its feed.

    Args:
        source: a path, a URL, `-` for standard input, or a binary stream.
        format: as `--from`; otherwise found out from the content.
        base_url: the base of relative references.
        assume_tz: the zone of dates that have none, by its IANA name; UTC if not given.
        scan_html: take `<img>` of the content for pictures of the page.
        report: receives every issue as it is found; without it they gather on the document.
        fetching: as those of `convert`.

    Raises:
        TypeError: there is no such keyword, or the source is bytes.
        ConverterError: see `errors`; while `entries` is walked, too.
    """
    _refuse_data(source)
    issues: list[Issue] = []
    told = report or issues.append
    job = parse(
        {
            "format": format,
            "base_url": base_url,
            "assume_tz": assume_tz,
            "scan_html": scan_html,
            **cast("ConvertOptions", fetching),
        },
        clock.now(),
    )
    with ExitStack() as opened:
        opener = Opener(job, _temporary, told, opened)
        document = opener.taken(source).document(job.read, told)
        return OpenDocument(opened.pop_all(), document, issues)
    raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover


def _temporary() -> BinaryIO:
    import tempfile

    return cast("BinaryIO", tempfile.TemporaryFile())


# -- convert ----------------------------------------------------------------------------------


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
        progress: told now and then how many bytes were read, and of how many (None: unknown).
        options: as the command line's, see `ConvertOptions`.

    Raises:
        TypeError: there is no such keyword, or a source is bytes.
        ConverterError: see `errors`; the old output stands.
    """
    issues: list[Issue] = []
    told = report or issues.append
    job = parse(options, clock.now())
    specs = _specs(source)
    with ExitStack() as closing:
        run = Run.begin(job, target, told, closing)
        run.protect([*specs, *job.live.merge])
        beside = Beside.begin(run, closing)
        opener = Opener(job, run.publisher.spool, told, closing)
        intakes = opener.all_taken(specs)
        inputs = [given for intake in intakes for given in intake.inputs]
        run.protect(_names(inputs))
        gauges = [gauge for intake in intakes for gauge in intake.gauges]
        result = _published(run, beside, inputs, _progress(gauges, progress), closing)
    return replace(
        result,
        named=len(intakes),
        read_apart=_read_apart(intakes),
        found=tuple(opener.found),
        unchanged_sources=opener.unchanged,
        issues=tuple(issues),
    )


def _read_apart(intakes: Iterable[Intake]) -> Mapping[str, int]:
    """Count what was read in the place of sources, by its kind."""
    counts: Counter[str] = Counter()
    for intake in intakes:
        if intake.children is not None or len(intake.inputs) != 1:
            counts[intake.kind] += len(intake.inputs)
    return dict(counts)


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

    They go the same way as those of a source: URL hygiene, de-duplication, limits, publishing.
    An iterator is walked once, and remembered on disk in case a second walk is needed.

    Raises:
        ConverterError: see `errors`; the old output stands.
    """
    issues: list[Issue] = []
    told = report or issues.append
    job = parse(options, clock.now())
    with ExitStack() as closing:
        run = Run.begin(job, target, told, closing)
        run.protect(job.live.merge)
        beside = Beside.begin(run, closing)
        given = GivenEntries(entries, feed or Feed(), run.publisher.spool)
        inputs = [Input(name="entries", open=lambda *_: given)]
        result = _published(run, beside, inputs, lambda: None, closing)
    return replace(result, issues=tuple(issues))


def _published(
    run: Run,
    beside: Beside,
    inputs: Sequence[Input],
    progress: Callable[[], None],
    closing: ExitStack,
) -> Result:
    """Convert the inputs, with what they are added to, and publish what belongs to the output."""
    # `--from` and the like are not meant for sources that are added to
    job = run.job._replace(format=None, fetch=replace(run.job.fetch, follow_pages=False))

    def opener(report: Report) -> Opener:
        return Opener(job, run.publisher.spool, report, closing)

    def existing() -> Sequence[Input]:
        from converter.living.strict import strict_inputs  # most runs begin anew

        return strict_inputs(
            run.path, lambda report: opener(report).taken(run.path).inputs, run.report
        )

    run.ready = lambda: beside.stage(inputs)
    intakes = opener(run.report).all_taken(run.job.live.merge)
    merged = [given for intake in intakes for given in intake.inputs]
    run.protect(_names(merged))
    return beside.publish(run.convert(inputs, progress, merged=merged, existing=existing))


def _specs(given: object) -> Sequence[SourceSpec]:
    """Give a list of one source or several."""
    one = isinstance(given, str | bytes | bytearray | memoryview | os.PathLike)
    is_one = one or callable(getattr(given, "read", None))
    specs = [cast("SourceSpec", given)] if is_one else list(cast("Iterable[SourceSpec]", given))
    for spec in specs:
        _refuse_data(spec)
    if not specs:
        raise OptionError("there is no source; name a file, a URL, or - for standard input")
    return specs


def _names(inputs: Sequence[Input]) -> Iterator[str]:
    """Give the names of what is read, also of what an index names; `-` may be any stream."""
    return (given.name for given in inputs if given.name != "-")


def _refuse_data(spec: object) -> None:
    """See that a source is not the data of a document.

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


def _progress(gauges: Sequence[Gauge], progress: Progress | None) -> Callable[[], None]:
    if progress is None:
        return lambda: None
    sizes = [gauge.total_bytes for gauge in gauges]
    total = None if None in sizes else sum(size for size in sizes if size is not None)
    return lambda: progress(sum(gauge.consumed() for gauge in gauges), total)
