"""One conversion from opened inputs to published files: passes, names, index, guards."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final, TypeAlias

from converter import publish
from converter.conversion import guards
from converter.conversion.publication import Output, Piece, Publication
from converter.conversion.result import Result, left_out
from converter.errors import ConverterError, OptionError, SinkError
from converter.formats import registry
from converter.formats.base import Format, Part
from converter.issues import Code, Issue, Report
from converter.options import Job, parsing
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import Brief, Ledger
from converter.pipeline.pipeline import Conversion
from converter.publish.path_conflicts import SourceFiles, check_paths
from converter.sources.file_identity import is_terminal

TargetSpec: TypeAlias = str | os.PathLike[str] | BinaryIO | None

#: What readers report instead of returning an entry; comments, say, are not counted.
_LEFT_OUT_BY_READERS: Final = (Code.LINE_NOT_URL, Code.ENTRY_SKIPPED)


@dataclass(slots=True, kw_only=True, eq=False)
class Run:
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

    job: Job
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
        job: Job,
        target: TargetSpec,
        report: Report,
        closing: ExitStack,
        *,
        option: str = "--output",
    ) -> Run:
        """Choose the target's format and open the target, which `option` names.

        Raises:
            OptionError: the format cannot be written, or not there; or the name of the target
                says another.
            SinkError: the target cannot be written, or another run holds it.
        """
        path = _path_of(target)
        row = registry.target_of(path, job.to, option=option)
        named_gz = path is not None and path.lower().endswith(".gz")
        if (job.gzip or named_gz) and is_terminal(target):
            raise OptionError(
                "compressed data is not for a terminal; name a file with --output, leave out "
                "--gzip, or send standard output elsewhere"
            )
        target = publish.with_gz(target, job.gzip)
        path = _path_of(target)
        publisher = closing.enter_context(publish.open_target(target))
        publisher.threads = job.jobs
        if publisher.completed:
            report(_completed(publisher.completed, path))
        parsing.check_target(
            job, row.title, has_index=row.index is not None, is_stream=publisher.name == "-"
        )
        return cls(
            job=job,
            row=row,
            publisher=publisher,
            report=report,
            compress=job.gzip or named_gz,
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
        live, sources = self.job.live, list(sources)
        options = {
            "--news-output": publish.with_gz(live.news_output, self.job.gzip),
            "--robots": live.robots,
            "--cache": self.job.fetch.cache,
        }
        check_paths(options, self.target, sources, split_hosts=self.job.split_hosts)
        self.sources.add(sources)
        self.protect_from([self.target])

    def protect_from(self, targets: Iterable[object]) -> None:
        """See that none of the files that are written or removed is a source, but if asked to.

        Raises:
            OptionError: one is.
        """
        if not (self.job.force or self.job.live.update):
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
        live = self.job.live
        if merged or live.part_by or live.update:
            from converter.conversion.existing_output import exists
            from converter.conversion.update import Update  # most runs do without

            if merged or live.part_by or exists(self):
                return Update(self, inputs, merged, existing, progress).convert()
        conversion = self.conversion(inputs, progress)
        if self.job.split_hosts and self.publisher.name == "-":
            raise OptionError("--split-hosts makes several files; name one of them with -o PATH")
        outputs = [output for output in self.outputs(conversion) if output.pieces]
        self.guard(outputs, self.present(existing))
        published = Publication(self).publish(outputs)
        return self.result(outputs, published, conversion)

    def conversion(self, inputs: Sequence[Input], progress: Callable[[], None]) -> Conversion:
        """Prepare to read some inputs."""
        return Conversion(
            inputs=inputs,
            target=self.row,
            read=self.job.read,
            passes=self.job.passes,
            write=self.job.write,
            spool=self.publisher.spool,
            report=self.report,
            report_written=self.report,
            progress=progress,
            is_split=self.job.split_hosts,
            jobs=self.job.jobs,
        )

    def guard(self, outputs: Sequence[Output], present: int | None, *, dropped: int = 0) -> None:
        """Raise RefusedError if suspiciously little would be published."""
        count = sum(piece.entries for output in outputs for piece in output.pieces)
        guards.check(self.job.live, count, present, dropped=dropped, advice=self.advice)

    def present(self, existing: Callable[[], Sequence[Input]]) -> int | None:
        """Count the URLs of the existing output, if that matters; None if it does not."""
        if self.job.live.fail_if_shrinks is None or not self.publisher.exists():
            return None
        from converter.conversion.existing_output import count

        return count(self, existing)

    def result(
        self, outputs: Sequence[Output], published: Result, conversion: Conversion
    ) -> Result:
        """Add to the published files what was counted."""
        pieces = [piece for output in outputs for piece in output.pieces]
        tally = conversion.tally
        return replace(
            published,
            urls=sum(piece.entries for piece in pieces),
            images=sum(piece.images for piece in pieces),
            videos=sum(piece.videos for piece in pieces),
            news=sum(piece.news for piece in pieces),
            skipped=self.skipped + sum(output.refused for output in outputs),
            merged=self.merged,
            sources=len(conversion.inputs),
            lost=dict(tally.lost),
            altered=dict(tally.altered),
            present=dict(tally.present),
            left_out=left_out(tally.left_out, self.job.write),
        )

    # -- reading --------------------------------------------------------------------------

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """Yield a ledger, and report what it holds at the end, also after an error."""
        most = self.report.most if isinstance(self.report, Brief) else None
        ledger = Ledger(self.publisher.spool, most)
        if not self.job.write.tell_losses:
            ledger.mute = frozenset({Code.DROPPED_FIELD})  # what is lost is counted before that
        try:
            yield ledger
        except SinkError:
            raise  # it may have been the ledger that found no room
        except ConverterError:
            ledger.replay(self.report)
            raise
        ledger.replay(self.report)

    def passes(self, conversion: Conversion, ledger: Ledger) -> Iterator[None]:
        """Yield once before each pass that is needed; only the last one counts."""
        yield
        while conversion.needs_another_walk:
            self.publisher.discard()
            ledger.forget()
            conversion.begin_another_walk()
            yield
        self._conclude(conversion, ledger)

    def outputs(
        self, conversion: Conversion, *, mute: frozenset[Code] = frozenset()
    ) -> list[Output]:
        """Convert and stage one output, or that of each host; do not report issues in `mute`."""
        with self.ledger() as ledger:
            ledger.mute = mute
            conversion.report = conversion.report_written = ledger
            for _ in self.passes(conversion, ledger):
                outputs = [self._staged(conversion, *output) for output in conversion.outputs()]
        return outputs

    def _staged(self, conversion: Conversion, host: str | None, parts: Iterable[Part]) -> Output:
        name = self.publisher.name
        output = Output(name=publish.host_name(name, host) if host else name)
        offered = conversion.tally.offered
        for part in parts:
            staged = self.publisher.stage(part.chunks, compress=self.compress)
            output.add(Piece.of(part, staged))
        output.first_loc = conversion.first_loc
        output.refused = conversion.tally.offered - offered - sum(p.entries for p in output.pieces)
        return output

    def _conclude(self, conversion: Conversion, ledger: Ledger) -> None:
        """Count the entries that the last pass has not given to the writer."""
        tally, self.merged = conversion.tally, conversion.merger.merged
        self.skipped = tally.read - tally.distinct - self.merged
        self.skipped += sum(ledger.counts[code] for code in _LEFT_OUT_BY_READERS)
        if ledger.counts[Code.URL_WITHOUT_BASE]:
            self.advice = "Links are relative, and no base is known: give it with --base-url"
        elif not tally.read and not self.skipped:
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
