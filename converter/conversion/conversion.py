"""One run: opens the target, converts the inputs in as many passes as needed, and publishes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

from converter.conversion import publish_guards
from converter.conversion.publication import Output, Publication
from converter.conversion.result import Result, left_out
from converter.errors import ConverterError, OptionError, SinkError
from converter.formats import registry
from converter.formats.base import Format, Part
from converter.issues import Code, Issue, Report
from converter.options import RunOptions, parsing
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import IssueBuffer, LimitedReport
from converter.pipeline.pipeline import Pipeline
from converter.publish.file_names import host_name, with_gz
from converter.publish.path_conflicts import check_paths, refuse_sources
from converter.publish.publisher import Publisher
from converter.publish.target import open_target
from converter.sources.file_identity import is_terminal
from converter.sources.opener import OpenedSource, SourceOpener

if TYPE_CHECKING:
    from converter.conversion.news_file import NewsFile
    from converter.publish.robots_txt import RobotsTxt
    from converter.update.existing_output import ExistingOutput

TargetSpec: TypeAlias = str | os.PathLike[str] | BinaryIO | None

#: Reported by readers for entries that they leave out.
_LEFT_OUT_BY_READERS: Final = (Code.LINE_NOT_URL, Code.ENTRY_SKIPPED)


@dataclass(slots=True, kw_only=True, eq=False)
class Conversion:
    """One run with an open target.

    Attributes:
        target: the format of the output.
        compress: the output is compressed with gzip.
        closing: closes what the run opens.
        destination: the path or stream of the output, with the `.gz` of `--gzip`.
        inputs: the new documents.
        advice: what to do if there are no URLs.
        skipped: entries that the writer did not get.
        merged: entries that were merged with an earlier one.
    """

    options: RunOptions
    target: Format
    publisher: Publisher
    report: Report
    compress: bool
    closing: ExitStack
    destination: TargetSpec = None
    inputs: Sequence[Input] = ()
    advice: str = "See the messages above, or use -v, for the reason"
    skipped: int = 0
    merged: int = 0
    _sources: list[object] = field(default_factory=list)
    _news: NewsFile | None = None
    _robots: RobotsTxt | None = None
    _robots_changed: bool | None = None

    @classmethod
    def open(
        cls,
        options: RunOptions,
        destination: TargetSpec,
        report: Report,
        closing: ExitStack,
        *,
        option: str = "--output",
    ) -> Conversion:
        """Choose the format of the output and lock the target, which `option` names.

        Raises:
            OptionError: the format has no writer or is unknown, or contradicts the file name.
            SinkError: the target cannot be written, or another run has locked it.
        """
        path = _path_of(destination)
        target = registry.target_of(path, options.to, option=option)
        compress = options.gzip or (path is not None and path.lower().endswith(".gz"))
        if compress and is_terminal(destination):
            raise OptionError(
                "compressed data is not for a terminal; name a file with --output, omit "
                "--gzip, or redirect standard output"
            )
        destination = with_gz(destination, options.gzip)
        path = _path_of(destination)
        publisher = closing.enter_context(open_target(destination))
        if publisher.completed:
            report(_completed(publisher.completed, path))
        has_index, is_stream = target.index is not None, publisher.name == "-"
        parsing.check_target(options, target.title, has_index=has_index, is_stream=is_stream)
        return cls(
            options=options,
            target=target,
            publisher=publisher,
            report=report,
            compress=compress,
            closing=closing,
            destination=destination,
        )

    @property
    def path(self) -> str:
        """The path of the file that will be replaced, as the user named it."""
        return self.publisher.path_of(self.publisher.name)

    # -- sources ------------------------------------------------------------------------------

    def check_sources(self, sources: Iterable[object]) -> None:
        """Check that no file that is written is another one, or one of the sources.

        Raises:
            OptionError: one is.
        """
        options, sources = self.options.publish, list(sources)
        written = {
            "--news-output": with_gz(options.news_output, self.options.gzip),
            "--robots": options.robots,
            "--cache": self.options.fetch.cache,
        }
        check_paths(written, self.destination, sources, split_hosts=self.options.split_hosts)
        self._sources += sources
        self.check_targets([self.destination])

    def check_targets(self, targets: Iterable[object]) -> None:
        """Check that none of the files that are written or removed is a source.

        Raises:
            OptionError: one is, and neither `--force` nor `--update` is given.
        """
        if not (self.options.force or self.options.publish.update):
            refuse_sources(targets, self._sources)

    def checked_inputs(self, opened: Iterable[OpenedSource]) -> list[Input]:
        """Return the documents of sources, also those that an index names, after a check.

        Raises:
            OptionError: the output would replace one of them.
        """
        inputs = [document for source in opened for document in source.inputs]
        self.check_sources(each.name for each in inputs if each.name != "-")  # any stream is "-"
        return inputs

    def opener(self, report: Report) -> SourceOpener:
        """Return what opens existing files; `--from` and paging are for new sources only."""
        fetch = replace(self.options.fetch, follow_pages=False)
        options = replace(self.options, format=None, fetch=fetch)
        return SourceOpener(options, self.publisher.spool, report, self.closing)

    def open_existing(self) -> list[Input]:
        """Open the existing output as sources; damage is an error."""
        from converter.update.existing_output import strict_inputs

        return strict_inputs(self.path, self.opener, self.report)

    @property
    def existing(self) -> ExistingOutput:
        """The existing output."""
        from converter.update.existing_output import ExistingOutput  # most runs need none

        return ExistingOutput(self.publisher, self.target, self.options)

    # -- the run ------------------------------------------------------------------------------

    def open_side_files(self) -> None:
        """Lock the news file and the robots.txt, which are published after the output.

        Raises:
            OptionError: one of them cannot be such a file.
            SinkError: one of them cannot be written, or another run has locked it.
        """
        options = self.options.publish
        if options.news_output is not None:
            from converter.conversion.news_file import NewsFile

            self._news = NewsFile.open(self, options.news_output)
        if options.robots is not None:
            from converter.publish.robots_txt import RobotsTxt

            self._robots = RobotsTxt(options.robots, self.closing)

    def stage_side_files(self) -> None:
        """Stage the news file and the robots.txt."""
        if self._news is not None:
            self._news.stage(self.inputs)
        if self._robots is not None:
            url = with_gz(self.options.transforms.sitemap_url or "", self.options.gzip)
            self._robots_changed = self._robots.stage(url)

    def run(
        self, inputs: Sequence[Input], progress: Callable[[], None], *, merged: Sequence[Input]
    ) -> Result:
        """Convert the inputs, add them to the documents of `--merge`, and publish all files.

        Raises:
            RefusedError: there are no URLs, or fewer than the guards allow.
            DocumentError: a source is broken; likewise the other errors of reading.
            SinkError: the output could not be written.
        """
        self.inputs = inputs
        result = self._convert(inputs, progress, merged)
        if self._news is not None:
            result = self._news.publish(result)
        if self._robots is not None:
            if not self.options.dry_run:
                self._robots.publish()
            is_new = self._robots.is_new
            result = replace(result, robots=self._robots_changed, robots_created=is_new)
        return result

    def _convert(
        self, inputs: Sequence[Input], progress: Callable[[], None], merged: Sequence[Input]
    ) -> Result:
        options = self.options.publish
        adds = bool(merged or options.part_by)
        if adds or (options.update and self.existing.is_updatable()):
            from converter.conversion.update_run import UpdateRun  # most runs write a new output

            return UpdateRun(self, inputs, merged, progress).run()
        pipeline = self.pipeline(inputs, progress)
        if self.options.split_hosts and self.publisher.name == "-":
            raise OptionError("--split-hosts writes several files; name one of them with -o PATH")
        outputs = [output for output in self.outputs(pipeline) if output.parts]
        return self.publish(outputs, pipeline)

    def pipeline(self, inputs: Sequence[Input], progress: Callable[[], None]) -> Pipeline:
        """Return the pipeline that reads some inputs."""
        return Pipeline(
            inputs=inputs,
            target=self.target,
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

    def publish(
        self,
        outputs: Sequence[Output],
        pipeline: Pipeline,
        *,
        existing_urls: int | None = None,
        dropped: int = 0,
    ) -> Result:
        """Apply the guards, publish, and return the files with all counts.

        Args:
            outputs: the files of the run.
            pipeline: has read their entries.
            existing_urls: number of URLs of the existing output, if counted already.
            dropped: number of these that `--drop` or `--expire` removes.

        Raises:
            RefusedError: there are no URLs, or fewer than the guards allow.
        """
        parts = [part for output in outputs for part in output.parts]
        urls, counts = sum(part.urls for part in parts), pipeline.counts
        exists, options = self.publisher.exists(), self.options.publish
        if existing_urls is None and exists and options.fail_if_shrinks is not None:
            existing_urls = self.existing.count_urls(self.open_existing)
        outcome = f"{self.path} is unchanged" if exists else "Nothing was published"
        publish_guards.check(
            options, urls, existing_urls, dropped=dropped, outcome=outcome, advice=self.advice
        )
        return replace(
            Publication(self).publish(outputs),
            urls=urls,
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

    # -- passes -------------------------------------------------------------------------------

    @contextmanager
    def issue_buffer(self) -> Iterator[IssueBuffer]:
        """Yield a buffer for issues, and report them at the end, also after an error."""
        most = self.report.most if isinstance(self.report, LimitedReport) else None
        issue_buffer = IssueBuffer(self.publisher.spool, most)
        if not self.options.write.tell_losses:
            issue_buffer.mute = frozenset({Code.DROPPED_FIELD})  # they are counted elsewhere
        try:
            yield issue_buffer
        except SinkError:
            raise  # the buffer itself may have found the disk full
        except ConverterError:
            issue_buffer.replay(self.report)
            raise
        issue_buffer.replay(self.report)

    def passes(self, pipeline: Pipeline, issue_buffer: IssueBuffer) -> Iterator[None]:
        """Yield before each pass that is needed; only the files of the last one are kept."""
        yield
        while pipeline.needs_another_pass:
            self.publisher.discard()
            issue_buffer.forget()
            pipeline.begin_another_pass()
            yield
        self._count_skipped(pipeline, issue_buffer)

    def outputs(self, pipeline: Pipeline, *, mute: frozenset[Code] = frozenset()) -> list[Output]:
        """Convert and stage one output, or one for each host; drop the issues in `mute`."""
        with self.issue_buffer() as issue_buffer:
            issue_buffer.mute = mute
            pipeline.report = pipeline.report_written = issue_buffer
            for _ in self.passes(pipeline, issue_buffer):
                outputs = [self._staged(pipeline, *output) for output in pipeline.outputs()]
        return outputs

    def _staged(self, pipeline: Pipeline, host: str | None, parts: Iterable[Part]) -> Output:
        name = self.publisher.name
        output = Output(name=host_name(name, host) if host else name)
        offered = pipeline.counts.offered
        for part in parts:
            output.add(self.publisher.stage_part(part, compress=self.compress))
        output.first_loc = pipeline.first_loc
        output.refused = pipeline.counts.offered - offered - sum(p.urls for p in output.parts)
        return output

    def _count_skipped(self, pipeline: Pipeline, issue_buffer: IssueBuffer) -> None:
        """Count the entries that the last pass has not offered to the writer."""
        counts, self.merged = pipeline.counts, pipeline.duplicates.merged
        self.skipped = counts.read - counts.distinct - self.merged
        self.skipped += sum(issue_buffer.counts[code] for code in _LEFT_OUT_BY_READERS)
        if issue_buffer.counts[Code.URL_WITHOUT_BASE]:
            self.advice = "Links are relative and no base URL is known: give it with --base-url"
        elif not counts.read and not self.skipped:
            self.advice = "The sources contain no entries"


def _completed(count: int, path: str | None) -> Issue:
    files = "its file" if count == 1 else f"all of its {count:,} files"
    message = f"an earlier run was killed before it had published {files}; they are published now"
    return Issue(code=Code.OUTPUT_COMPLETED, message=message, source=path)


def _path_of(destination: TargetSpec) -> str | None:
    """Return the path of a target; None for standard output and streams."""
    if destination in (None, "-") or not isinstance(destination, str | os.PathLike):
        return None
    return os.fsdecode(destination)
