"""From staged parts to a published set: names, the index, what stays as it is, what goes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from converter.edge import sinks
from converter.errors import OptionError
from converter.issues import Code, Issue, printable
from converter.ledger import Tally
from converter.model import Moment
from converter.run.results import OutputFile
from converter.seams import Part
from converter.values import dates

if TYPE_CHECKING:
    from converter.run import Run

__all__ = ["Output", "Piece", "Publication", "Published"]

#: An index lists at most so many sitemaps (https://www.sitemaps.org/protocol.html).
MOST_PARTS: Final = 50_000
#: Of many files.
_MOST_NAMED: Final = 5


@dataclass(slots=True, eq=False)
class Piece:
    """One part: staged, or an existing one that stays."""

    entries: int
    images: int
    videos: int
    news: int
    staged: sinks.Staged | None
    """None: it exists under its name, and stays."""
    period: str = ""
    name: str | None = None
    """None: it gets one when it is known how many there are."""

    @classmethod
    def of(
        cls, part: Part, staged: sinks.Staged, period: str = "", name: str | None = None
    ) -> Piece:
        """Take a part that was staged."""
        return cls(part.entries, part.images, part.videos, part.news, staged, period, name)


@dataclass(slots=True, kw_only=True, eq=False)
class Output:
    """One format's parts for one name."""

    name: str
    pieces: list[Piece] = field(default_factory=list)
    first_loc: str | None = None
    refused: int = 0
    """Entries that the writer could not tell of."""
    tally: Tally = field(default_factory=Tally)
    """What was counted of its entries."""

    def add(self, piece: Piece) -> None:
        """Add a part.

        Raises:
            OptionError: there are more than an index lists.
        """
        self.pieces.append(piece)
        if len(self.pieces) > MOST_PARTS:
            raise OptionError(
                f"more than {MOST_PARTS:,} files, and an index lists no more; "
                "raise --limit-urls or --limit-bytes"
            )


class Published(NamedTuple):
    """What became of the files of a set."""

    files: tuple[OutputFile, ...]
    """Those that were written, the index first."""
    kept: tuple[str, ...]
    removed: tuple[str, ...]
    changed: bool | None
    """With `dry_run`: is there anything to be written or removed? None: nothing stands there."""


@dataclass(slots=True, eq=False)
class Publication:
    """The files of one run."""

    run: Run
    _written: list[tuple[OutputFile, sinks.Staged]] = field(default_factory=list)
    """In the order in which they are to be renamed."""
    _kept: list[str] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)
    """Of all files of the set."""

    def publish(self, outputs: Sequence[Output], *, emptied: Sequence[str] = ()) -> Published:
        """Put all of them in place, or none.

        Args:
            outputs: what was staged, and what stays.
            emptied: names of parts of which nothing is left.

        Raises:
            OptionError: one of the files is a source; or there are too many.
        """
        for output in outputs:
            self._name(output)
        stale = [name for output in outputs for name in self._stale(output)]
        stale += [name for name in emptied if name not in {*stale, *self._names}]
        if self.run.publisher.name != "-":
            self.run.protect_from(self.path(name) for name in (*self._names, *stale))
        self.run.ready()
        for output in outputs:
            self._tell_of_others(output, stale)
        files = [(os.path.basename(file.path), staged) for file, staged in self._written]
        changed = None
        if self.run.job.dry_run:
            changed = self._would_change(files, stale)
        elif files or stale:
            self.run.publisher.publish(files, remove=stale)
        if (left_over := self.run.publisher.left_over()) is not None:
            self._tell(Code.FILE_LEFT_OVER, f"{left_over} is left from an earlier run; not touched")
        written = [file for file, _ in self._written]
        return Published(
            files=tuple(sorted(written, key=lambda file: file.kind != "index")),
            kept=tuple(self.path(name) for name in self._kept),
            removed=tuple(self.path(name) for name in stale),
            changed=changed,
        )

    def _stale(self, output: Output) -> list[str]:
        """List the files that are no longer part of the set, if our own index named them."""
        index = self.run.publisher.index(output.name)
        if index is None or not index.is_own:
            return []
        return [part for part in index.parts if part not in self._names]

    def path(self, name: str) -> str:
        """Give the path of a file as the target's was given."""
        return os.path.join(self.run.folder, name)

    def _would_change(
        self, files: Sequence[tuple[str, sinks.Staged]], stale: Sequence[str]
    ) -> bool | None:
        """Would publishing change what stands there? None: nothing does."""
        names = [name for name, _ in files] + self._kept
        if self.run.publisher.name == "-" or not any(
            os.path.exists(self.path(name)) for name in names
        ):
            return None
        return bool(stale) or not self.run.publisher.unchanged(files)

    # -- names --------------------------------------------------------------------------------

    def _name(self, output: Output) -> None:
        """Name the parts of an output, and make their index."""
        index = self.run.publisher.index(output.name) if self.run.job.live.update else None
        pieces = output.pieces
        if len(pieces) == 1 and index is None and not pieces[0].period:
            self._take(output.name, pieces[0])
            return
        self._number(output)
        if self.run.publisher.name == "-":
            raise OptionError(
                f"the output needs {len(pieces):,} files, and standard output (or a stream) is "
                "one; name a file with -o PATH"
            )
        stayed = [self._take(piece.name or "", piece) for piece in pieces]
        if self.run.row.index is None and self.run.job.live.update:
            raise OptionError(
                f"--update: {self.path(output.name)} would need {len(pieces):,} files, and nothing "
                f"would list them, so the next run could not find them again: {self.run.row.title} "
                "has no index. Write a sitemap (-t sitemap), or leave out --update"
            )
        if self.run.row.index is None:
            listed = ", ".join(self.path(piece.name or "") for piece in pieces)
            self._tell(Code.PARTS_SPLIT, f"{len(pieces)} files, and no index of them: {listed}")
            return
        self._index(output, index.rows if index else (), stayed)

    def _number(self, output: Output) -> None:
        """Give names to those that have none, each the next number of its period."""
        taken = {piece.name for piece in output.pieces if piece.name != output.name}
        numbers: Counter[str] = Counter()
        for piece in output.pieces:
            if piece.name in taken and piece.name is not None:
                continue
            piece.name = None
            while piece.name is None or piece.name in taken:
                numbers[piece.period] += 1
                piece.name = sinks.part_name(output.name, numbers[piece.period], piece.period)
            taken.add(piece.name)

    def _take(self, name: str, piece: Piece, *, kind: str | None = None) -> bool:
        """Take a file under its name; return True if it exists already, and stays."""
        run, staged = self.run, piece.staged
        self._names.add(name)
        if staged and run.job.live.update and run.publisher.unchanged([(name, staged)]):
            run.publisher.discard([staged])
            staged = None
        if staged is None:
            self._kept.append(name)
            return True
        file = OutputFile(
            path=self.path(name),
            kind=kind or run.row.name,
            urls=piece.entries,
            images=piece.images,
            videos=piece.videos,
            news=piece.news,
            bytes=staged.bytes,
            raw_bytes=staged.raw_bytes,
        )
        self._written.append((file, staged))
        return False

    # -- the index ----------------------------------------------------------------------------

    def _index(self, output: Output, rows: Sequence[sinks.Row], stayed: Sequence[bool]) -> None:
        """Make the index; of a part that stays as it is, the row stays too.

        Where that says nothing of when the part was written, nobody knows, and it says so still.
        """
        from urllib.parse import quote  # most runs write one file

        if self.run.row.index is None:
            raise TypeError(f"{self.run.row.name} has no index")
        now = Moment(instant=self.run.job.write.now)
        known = {row.name: row for row in rows}
        base = self._public_base(output, rows)
        listed: list[tuple[str, Moment | None]] = []
        for piece, is_as_it_was in zip(output.pieces, stayed, strict=True):
            name = piece.name or ""
            row = known.get(name)
            lastmod = _moment(row) if is_as_it_was else now
            is_where_it_was = row and self.run.job.passes.sitemap_url is None
            loc = row.loc if row and is_where_it_was else base + quote(name)
            listed.append((loc, lastmod))
        staged = self.run.publisher.stage(self.run.row.index(listed), compress=self.run.compress)
        self._take(output.name, Piece(0, 0, 0, 0, staged), kind="index")

    def _tell_of_others(self, output: Output, stale: Sequence[str]) -> None:
        """Name the files that the replaced index lists, and that are left as they are."""
        index = self.run.publisher.index(output.name)
        ours = {"", *self._names, *stale}
        others = [row.name for row in (index.rows if index else ()) if row.name not in ours]
        if others := [name for name in others if self.run.publisher.exists(name)]:
            named = ", ".join(map(printable, others[:_MOST_NAMED]))
            more = f" and {len(others) - _MOST_NAMED:,} more" if len(others) > _MOST_NAMED else ""
            self._tell(
                Code.FILE_LEFT_OVER,
                f"the index that is replaced lists {named}{more}, and it bears no mark of this "
                "program: another one made it, or an earlier version; the files are left as they "
                "are, and the new output does not list them; remove them if nothing needs them",
            )

    def _public_base(self, output: Output, rows: Sequence[sinks.Row]) -> str:
        """Give the URL of the folder that the sitemaps will stand in, with its final slash."""
        from urllib.parse import urljoin

        if self.run.job.passes.sitemap_url is not None:
            return urljoin(self.run.job.passes.sitemap_url, ".")
        if rows:
            return urljoin(rows[0].loc, ".")
        root = urljoin(output.first_loc or "", "/")
        self._tell(
            Code.SITEMAP_URL_ASSUMED,
            f"the index says that its sitemaps stand at {root}; "
            "if they do not, give their place with --sitemap-url",
        )
        return root

    def _tell(self, code: Code, message: str) -> None:
        self.run.report(
            Issue(code=code, message=message, source=self.path(self.run.publisher.name))
        )


def _moment(row: sinks.Row | None) -> Moment | None:
    """Give the time at which a file was written, as far as an index tells."""
    try:
        moment = dates.from_w3c(row.lastmod or "") if row else None
    except ValueError:
        return None
    return None if moment and moment.is_partial else moment
