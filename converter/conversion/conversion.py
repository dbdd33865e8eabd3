"""One conversion from opened inputs to published files: passes, names, index, guards."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final, TypeAlias

from converter import publish
from converter.conversion import guards
from converter.conversion.publication import Output, OutputPart, Publication
from converter.conversion.result import Result, left_out
from converter.errors import ConverterError, OptionError, SinkError
from converter.formats import registry
from converter.formats.base import Format, Part
from converter.issues import Code, Issue, Report
from converter.options import RunOptions, parsing
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import IssueBuffer, LimitedReport
from converter.pipeline.pipeline import Pipeline
from converter.publish.path_conflicts import SourceFiles, check_paths
from converter.sources.file_identity import is_terminal

TargetSpec: TypeAlias = str | os.PathLike[str] | BinaryIO | None

#: What readers report instead of returning an entry; comments, say, are not counted.
_LEFT_OUT_BY_READERS: Final = (Code.LINE_NOT_URL, Code.ENTRY_SKIPPED)


@dataclass(slots=True, kw_only=True, eq=False)
class Conversion:
    """A conversion that has opened its target.

    Attributes:
        folder: of the output, as it was given.
        target: as it was given, with the `.gz` of `--gzip`.
        advice: what to do if there is not one URL.
        skipped: entries that never came to the writer.
        merged: entries that were merged with an earlier one.
        ready: called when all is staged, and nothing is published yet.
        sources: the files that the output must not replace.
    """

    options: RunOptions
    row: Format
    publisher: publish.Publisher
    report: Report
    compress: bool
    folder: str
    target: TargetSpec = None
    advice: str = "See the messages above, or -v, for why"
    skipped: int = 0
    merged: int = 0
    ready: Callable[[], None] = lambda: None
    sources: SourceFiles = field(default_factory=SourceFiles)

    @classmethod
    def begin(
        cls,
        options: RunOptions,
        target: TargetSpec,
        report: Report,
        closing: ExitStack,
        *,
        option: str = "--output",
    ) -> Conversion:
        """Choose the target's format and open the target, which `option` names.

        Raises:
            OptionError: the format cannot be written, or not there; or the name of the target
                says another.
            SinkError: the target cannot be written, or another run holds it.
        """
        path = _path_of(target)
        row = registry.target_of(path, options.to, option=option)
        named_gz = path is not None and path.lower().endswith(".gz")
        if (options.gzip or named_gz) and is_terminal(target):
            raise OptionError(
                "compressed data is not for a terminal; name a file with --output, leave out "
                "--gzip, or send standard output elsewhere"
            )
        target = publish.with_gz(target, options.gzip)
        path = _path_of(target)
        publisher = closing.enter_context(publish.open_target(target))
        publisher.threads = options.jobs
        if publisher.completed:
            report(_completed(publisher.completed, path))
        parsing.check_target(
            options, row.title, has_index=row.index is not None, is_stream=publisher.name == "-"
        )
        return cls(
            options=options,
            row=row,
            publisher=publisher,
            report=report,
            compress=options.gzip or named_gz,
            folder=_folder(path) if path and publisher.name != "-" else "",
            target=target,
        )

    def protect(self, sources: Iterable[object]) -> None:
        """See that each file that is written is a file of its own, and none of these.

        Args:
            sources: paths, streams and `-`; URLs are passed over.

        Raises:
            OptionError: it is not.
        """
        options, sources = self.options.publish, list(sources)
        written = {
            "--news-output": publish.with_gz(options.news_output, self.options.gzip),
            "--robots": options.robots,
            "--cache": self.options.fetch.cache,
        }
        check_paths(written, self.target, sources, split_hosts=self.options.split_hosts)
        self.sources.add(sources)
        self.protect_from([self.target])

    def protect_from(self, targets: Iterable[object]) -> None:
        """See that none of the files that are written or removed is a source, but if asked to.

        Raises:
            OptionError: one is.
        """
        if not (self.options.force or self.options.publish.update):
            self.sources.check_targets(targets)

    @property
    def path(self) -> str:
        """The path of the target, after following links."""
        return os.path.join(self.folder, self.publisher.name)  # as it was given

    def convert(
        self,
        inputs: Sequence[Input],
        progress: Callable[[], None],
        *,
        merged: Sequence[Input] = (),
        existing: Callable[[], Sequence[Input]] = tuple,
    ) -> Result:
        """Read the inputs as often as is needed, and publish.

        Args:
            inputs: what is new.
            progress: called now and then, after something was read.
            merged: what it is added to.
            existing: opens the existing output as a source.

        Raises:
            RefusedError: there is not one URL, or fewer than the guards allow.
            DocumentError: a source is broken; likewise the other errors of reading.
            SinkError: the output could not be written.
        """
        options = self.options.publish
        if merged or options.part_by or options.update:
            from converter.conversion.existing_output import exists
            from converter.conversion.update import Update  # most runs do without

            if merged or options.part_by or exists(self):
                return Update(self, inputs, merged, existing, progress).convert()
        pipeline = self.pipeline(inputs, progress)
        if self.options.split_hosts and self.publisher.name == "-":
            raise OptionError("--split-hosts makes several files; name one of them with -o PATH")
        outputs = [output for output in self.outputs(pipeline) if output.parts]
        self.guard(outputs, self.present(existing))
        published = Publication(self).publish(outputs)
        return self.result(outputs, published, pipeline)

    def pipeline(self, inputs: Sequence[Input], progress: Callable[[], None]) -> Pipeline:
        """Prepare to read some inputs."""
        return Pipeline(
            inputs=inputs,
            target=self.row,
            read=self.options.read,
            transforms=self.options.transforms,
            write=self.options.write,
            spool=self.publisher.spool,
            report=self.report,
            report_written=self.report,
            progress=progress,
            is_split=self.options.split_hosts,
            jobs=self.options.jobs,
        )

    def guard(self, outputs: Sequence[Output], present: int | None, *, dropped: int = 0) -> None:
        """Raise RefusedError if suspiciously little would be published."""
        count = sum(part.entries for output in outputs for part in output.parts)
        guards.check(self.options.publish, count, present, dropped=dropped, advice=self.advice)

    def present(self, existing: Callable[[], Sequence[Input]]) -> int | None:
        """Count the URLs of the existing output, if that matters; None if it does not."""
        if self.options.publish.fail_if_shrinks is None or not self.publisher.exists():
            return None
        from converter.conversion.existing_output import count

        return count(self, existing)

    def result(self, outputs: Sequence[Output], published: Result, pipeline: Pipeline) -> Result:
        """Add to the published files what was counted."""
        parts = [part for output in outputs for part in output.parts]
        counts = pipeline.counts
        return replace(
            published,
            urls=sum(part.entries for part in parts),
            images=sum(part.images for part in parts),
            videos=sum(part.videos for part in parts),
            news=sum(part.news for part in parts),
            skipped=self.skipped + sum(output.refused for output in outputs),
            merged=self.merged,
            sources=len(pipeline.inputs),
            lost=dict(counts.lost),
            altered=dict(counts.altered),
            present=dict(counts.present),
            left_out=left_out(counts.left_out, self.options.write),
        )

    # -- reading --------------------------------------------------------------------------

    @contextmanager
    def issue_buffer(self) -> Iterator[IssueBuffer]:
        """Yield a ledger, and report what it holds at the end, also after an error."""
        most = self.report.most if isinstance(self.report, LimitedReport) else None
        issue_buffer = IssueBuffer(self.publisher.spool, most)
        if not self.options.write.tell_losses:
            issue_buffer.mute = frozenset(
                {Code.DROPPED_FIELD}
            )  # what is lost is counted before that
        try:
            yield issue_buffer
        except SinkError:
            raise  # it may have been the ledger that found no room
        except ConverterError:
            issue_buffer.replay(self.report)
            raise
        issue_buffer.replay(self.report)

    def passes(self, pipeline: Pipeline, issue_buffer: IssueBuffer) -> Iterator[None]:
        """Yield once before each pass that is needed; only the last one counts."""
        yield
        while pipeline.needs_another_pass:
            self.publisher.discard()
            issue_buffer.forget()
            pipeline.begin_another_pass()
            yield
        self._conclude(pipeline, issue_buffer)

    def outputs(self, pipeline: Pipeline, *, mute: frozenset[Code] = frozenset()) -> list[Output]:
        """Convert and stage one output, or that of each host; do not report issues in `mute`."""
        with self.issue_buffer() as issue_buffer:
            issue_buffer.mute = mute
            pipeline.report = pipeline.report_written = issue_buffer
            for _ in self.passes(pipeline, issue_buffer):
                outputs = [self._staged(pipeline, *output) for output in pipeline.outputs()]
        return outputs

    def _staged(self, pipeline: Pipeline, host: str | None, parts: Iterable[Part]) -> Output:
        name = self.publisher.name
        output = Output(name=publish.host_name(name, host) if host else name)
        offered = pipeline.counts.offered
        for part in parts:
            staged = self.publisher.stage(part.chunks, compress=self.compress)
            output.add(OutputPart.of(part, staged))
        output.first_loc = pipeline.first_loc
        output.refused = pipeline.counts.offered - offered - sum(p.entries for p in output.parts)
        return output

    def _conclude(self, pipeline: Pipeline, issue_buffer: IssueBuffer) -> None:
        """Count the entries that the last pass has not given to the writer."""
        counts, self.merged = pipeline.counts, pipeline.duplicates.merged
        self.skipped = counts.read - counts.distinct - self.merged
        self.skipped += sum(issue_buffer.counts[code] for code in _LEFT_OUT_BY_READERS)
        if issue_buffer.counts[Code.URL_WITHOUT_BASE]:
            self.advice = "Links are relative, and no base is known: give it with --base-url"
        elif not counts.read and not self.skipped:
            self.advice = "There are no entries in what was read"


def _completed(count: int, path: str | None) -> Issue:
    files = "its file" if count == 1 else f"all of its {count:,} files"
    message = f"an earlier run was killed before it had published {files}; this was completed"
    return Issue(code=Code.OUTPUT_COMPLETED, message=message, source=path)


def _path_of(target: TargetSpec) -> str | None:
    """Return the path of a target, if it has one: standard output and streams do not."""
    if target is None or target == "-" or not isinstance(target, str | os.PathLike):
        return None
    return os.fsdecode(target)


def _folder(path: str) -> str:
    """Return the folder of the file that will be replaced: as given, unless a link leads away."""
    folder = os.path.dirname(path)  # pathlib would drop a leading ./
    real = os.path.dirname(os.path.realpath(path))
    return folder if os.path.realpath(folder or ".") == real else real
