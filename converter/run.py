"""One conversion from opened inputs to published files: walks, names, index, guards."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias
from urllib.parse import quote, urljoin

from converter import registry
from converter.edge import sinks
from converter.errors import ConverterError, OptionError, RefusedError, SinkError
from converter.issues import Code, Issue, Report, ignore
from converter.keywords import Job
from converter.ledger import Ledger
from converter.model import Entry, Moment
from converter.pipeline import Conversion, Input
from converter.record import field, record
from converter.seams import Format, Part
from converter.values import urls

__all__ = ["OutputFile", "Result", "Run", "TargetSpec"]

TargetSpec: TypeAlias = str | os.PathLike[str] | BinaryIO | None

#: An index lists at most so many sitemaps (https://www.sitemaps.org/protocol.html).
MOST_PARTS: Final = 50_000

#: Of hosts that `--split-hosts` makes a file for: each costs a walk over the input.
MOST_HOSTS: Final = 1000

#: What readers report instead of giving an entry; of what is no entry (comments) not.
_LEFT_OUT_BY_READERS: Final = (Code.LINE_NOT_URL, Code.ENTRY_SKIPPED)


@record
class OutputFile:
    """One file that was published, or with `dry_run` would be."""

    path: str
    """`-` for standard output and streams."""
    kind: str
    """The format's name, or `index`."""
    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    bytes: int = 0
    """As stored."""
    raw_bytes: int = 0
    """Uncompressed."""


@record
class Result:
    """What a conversion did: what the summary line and `--report` are made of."""

    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    skipped: int = 0
    """Entries, and lines of lists, that are not in the output; united duplicates do not count."""
    sources: int = 0
    files: tuple[OutputFile, ...] = ()
    """The index first."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Fields that the format has no place for, by name, and in how many entries."""
    altered: Mapping[str, int] = field(default_factory=dict)
    """Fields that it holds otherwise than they were: cut, rounded, merged; likewise."""
    removed: tuple[str, ...] = ()
    """Parts of an earlier run that are no longer part of the set."""
    changed: bool | None = None
    """With `dry_run`: would the output differ from what stands there? None: nothing does."""
    issues: tuple[Issue, ...] = ()
    """In the order found; empty where `report` was given."""


@record
class _Piece:
    """One part, staged; it gets its name when it is known how many there are."""

    staged: sinks.Staged
    part: Part


@record(frozen=False)
class _Output:
    """One format's parts for one name."""

    name: str
    pieces: list[_Piece] = field(default_factory=list)
    first_loc: str | None = None
    refused: int = 0
    """Entries that the writer could not tell of."""
    lost: Counter[str] = field(default_factory=Counter)
    """Fields that the format has no place for."""
    altered: Counter[str] = field(default_factory=Counter)
    """Fields that it holds otherwise than they were."""


@record(frozen=False)
class Run:
    """A conversion that has taken hold of its target."""

    job: Job
    row: Format
    publisher: sinks.Publisher
    report: Report
    compress: bool
    folder: str
    """Where the output lies, as it was given."""
    advice: str = "See the messages above, or -v, for why"
    """What to do if there is not one URL."""
    skipped: int = 0
    """Entries that never came to the writer."""

    @classmethod
    def begin(cls, job: Job, target: TargetSpec, report: Report, closing: ExitStack) -> Run:
        """Choose the target's format and take hold of the target.

        Raises:
            OptionError: the format cannot be written, or not there.
            SinkError: the target cannot be written, or another run holds it.
        """
        path = _path_of(target)
        row = registry.by_name(job.to) if job.to else registry.target_of(path)
        row = registry.writable(row)
        named_gz = path is not None and path.lower().endswith(".gz")
        if path is not None and job.gzip and not named_gz:
            target = path = f"{path}.gz"
        publisher = closing.enter_context(sinks.open_target(target))
        publisher.threads = job.jobs
        return cls(
            job=job,
            row=row,
            publisher=publisher,
            report=report,
            compress=job.gzip or named_gz,
            folder=_folder(path) if path and publisher.name != "-" else "",
        )

    def convert(self, inputs: Sequence[Input], progress: Callable[[], None]) -> Result:
        """Walk the inputs as often as is needed, and publish.

        Raises:
            RefusedError: there is not one URL.
            DocumentError: a source is broken; likewise the other errors of reading.
            SinkError: the output could not be written.
        """
        conversion = Conversion(
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
        walked = self._by_host(conversion) if self.job.split_hosts else self._whole(conversion)
        outputs = [output for output in walked if output.pieces]
        if not outputs:
            raise RefusedError(
                "there is not one URL to write, so nothing was published; what stood there "
                f"before still stands. {self.advice}"
            )
        return self._published(outputs, conversion)

    # -- walking --------------------------------------------------------------------------

    @contextmanager
    def _ledger(self) -> Iterator[Ledger]:
        """Give a ledger; the walk that it held last is told of, also if an error ended that."""
        ledger = Ledger(self.publisher.spool)
        try:
            yield ledger
        except SinkError:
            raise  # it may have been the ledger that found no room
        except ConverterError:
            ledger.replay(self.report)
            raise
        ledger.replay(self.report)

    def _whole(self, conversion: Conversion) -> list[_Output]:
        """Make one output of everything."""
        with self._ledger() as ledger:
            conversion.report = conversion.report_written = ledger
            ledger.complete = conversion.completed
            output = self._staged(conversion, self.publisher.name)
            while conversion.needs_another_walk:
                self.publisher.discard()
                ledger.forget()
                conversion.begin_another_walk()
                output = self._staged(conversion, self.publisher.name)
            self._conclude(conversion, ledger)
        return [output]

    def _by_host(self, conversion: Conversion) -> list[_Output]:
        """Give every host an output of its own: walks to find the hosts, then one for each."""
        with self._ledger() as ledger:
            conversion.report = ledger
            hosts = self._hosts(conversion)
            while conversion.needs_another_walk:
                ledger.forget()
                conversion.begin_another_walk()
                hosts = self._hosts(conversion)
            self._conclude(conversion, ledger)
        outputs, conversion.report = [], ignore
        for number, host in enumerate(hosts or [""]):  # without hosts, of entries without a page
            conversion.settle()
            conversion.only_host, conversion.takes_homeless = host, number == 0
            name = sinks.host_name(self.publisher.name, host)
            outputs.append(self._staged(conversion, name))
        return outputs

    def _hosts(self, conversion: Conversion) -> list[str]:
        """Walk once, and give the hosts in the order of their first pages."""
        if self.publisher.name == "-":
            raise OptionError("--split-hosts makes several files; name one of them with -o PATH")
        hosts: dict[str, None] = {}
        for entry in conversion.entries():
            if isinstance(entry, Entry) and entry.loc and (host := urls.host_of(entry.loc)):
                hosts[host] = None
            if len(hosts) > MOST_HOSTS:
                raise OptionError(f"--split-hosts: there are more than {MOST_HOSTS:,} hosts")
        return list(hosts)

    def _staged(self, conversion: Conversion, name: str) -> _Output:
        output = _Output(name=name)
        conversion.first_loc = None
        for part in conversion.parts():
            staged = self.publisher.stage(part.chunks, compress=self.compress)
            output.pieces.append(_Piece(staged=staged, part=part))
            if len(output.pieces) > MOST_PARTS:
                raise OptionError(
                    f"more than {MOST_PARTS:,} files, and an index lists no more; "
                    "raise --limit-urls or --limit-bytes"
                )
        output.first_loc = conversion.first_loc
        output.lost, output.altered = conversion.tally.lost, conversion.tally.altered
        output.refused = conversion.tally.offered - sum(p.part.entries for p in output.pieces)
        return output

    def _conclude(self, conversion: Conversion, ledger: Ledger) -> None:
        """The walk counts: remember what fell by the way, and why."""
        tally, merged = conversion.tally, conversion.merger.merged
        self.skipped = tally.read - tally.distinct - merged
        self.skipped += sum(ledger.counts[code] for code in _LEFT_OUT_BY_READERS)
        if ledger.counts[Code.URL_WITHOUT_BASE]:
            self.advice = "Links are relative, and no base is known: give it with --base-url"
        elif not tally.read and not self.skipped:
            self.advice = "There are no entries in what was read"

    # -- publishing -----------------------------------------------------------------------

    def _published(self, outputs: Sequence[_Output], conversion: Conversion) -> Result:
        files: list[tuple[OutputFile, sinks.Staged]] = []
        for output in outputs:
            files += self._named(output)
        by_name = [(os.path.basename(file.path), staged) for file, staged in files]  # noqa: PTH119
        names = {name for name, _ in by_name}
        stale = [
            part
            for output in outputs
            for part in self.publisher.previous_parts(output.name)
            if part not in names
        ]
        changed = None
        if self.job.dry_run:
            changed = self._would_change(by_name, stale)
        else:
            self.publisher.publish(by_name, remove=stale)
        if (left_over := self.publisher.left_over()) is not None:
            self._tell(Code.FILE_LEFT_OVER, f"{left_over} is left from an earlier run; not touched")
        published = [file for file, _ in files]
        return Result(
            urls=sum(file.urls for file in published),
            images=sum(file.images for file in published),
            videos=sum(file.videos for file in published),
            news=sum(file.news for file in published),
            skipped=self.skipped + sum(output.refused for output in outputs),
            sources=len(conversion.inputs),
            lost=dict(sum((output.lost for output in outputs), Counter())),
            altered=dict(sum((output.altered for output in outputs), Counter())),
            files=tuple(sorted(published, key=lambda file: file.kind != "index")),
            removed=tuple(self._path(name) for name in stale),
            changed=changed,
        )

    def _would_change(
        self, files: Sequence[tuple[str, sinks.Staged]], stale: Sequence[str]
    ) -> bool | None:
        """Would publishing change what stands there? None: nothing does."""
        if self.publisher.name == "-" or not any(Path(self._path(n)).exists() for n, _ in files):
            return None
        return bool(stale) or not self.publisher.unchanged(files)

    def _named(self, output: _Output) -> list[tuple[OutputFile, sinks.Staged]]:
        """Name the parts, and make their index; in the order in which they are to be renamed."""
        if len(output.pieces) == 1:
            return [self._file(output.name, output.pieces[0])]
        parts = [
            self._file(sinks.part_name(output.name, piece.part.number), piece)
            for piece in output.pieces
        ]
        if self.publisher.name == "-":
            raise OptionError(
                f"the output needs {len(parts):,} files, and standard output (or a stream) is "
                "one; name a file with -o PATH"
            )
        if self.row.index is None:
            listed = ", ".join(file.path for file, _ in parts)
            self._tell(Code.PARTS_SPLIT, f"{len(parts)} files, and no index of them: {listed}")
            return parts
        base = self._public_base(output)
        written = Moment(instant=self.job.write.now)
        rows = [(base + quote(os.path.basename(file.path)), written) for file, _ in parts]  # noqa: PTH119
        staged = self.publisher.stage(self.row.index(rows), compress=self.compress)
        index = OutputFile(
            path=self._path(output.name),
            kind="index",
            bytes=staged.bytes,
            raw_bytes=staged.raw_bytes,
        )
        return [*parts, (index, staged)]

    def _public_base(self, output: _Output) -> str:
        """Give the URL of the folder that the sitemaps will stand in, with its final slash."""
        if self.job.passes.sitemap_url is not None:
            return urljoin(self.job.passes.sitemap_url, ".")
        root = urljoin(output.first_loc or "", "/")
        self._tell(
            Code.SITEMAP_URL_ASSUMED,
            f"the index says that its sitemaps stand at {root}; "
            "if they do not, give their place with --sitemap-url",
        )
        return root

    def _file(self, name: str, piece: _Piece) -> tuple[OutputFile, sinks.Staged]:
        part, staged = piece.part, piece.staged
        file = OutputFile(
            path=self._path(name),
            kind=self.row.name,
            urls=part.entries,
            images=part.images,
            videos=part.videos,
            news=part.news,
            bytes=staged.bytes,
            raw_bytes=staged.raw_bytes,
        )
        return file, staged

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)  # noqa: PTH118  as it was given

    def _tell(self, code: Code, message: str) -> None:
        self.report(Issue(code=code, message=message, source=self._path(self.publisher.name)))


def _path_of(target: TargetSpec) -> str | None:
    """Give the path of a target that has one: not of standard output, nor of a stream."""
    if target is None or target == "-" or not isinstance(target, str | os.PathLike):
        return None
    return os.fsdecode(target)


def _folder(path: str) -> str:
    """Give the folder of the file that will be replaced, as it was given unless a link led away."""
    folder = os.path.dirname(path)  # noqa: PTH120  pathlib would drop a leading ./
    real = os.path.dirname(os.path.realpath(path))  # noqa: PTH120
    return folder if os.path.realpath(folder or ".") == real else real
