"""From staged parts to a published set: names, the index, what stays as it is, what goes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from converter.conversion.result import OutputFile, Result
from converter.errors import OptionError
from converter.formats.base import Part
from converter.issues import Code, Issue, printable
from converter.model import Moment
from converter.publish import ExistingIndex, IndexRow, Staged, part_name
from converter.values import dates

if TYPE_CHECKING:
    from converter.conversion.conversion import Conversion

#: An index lists at most so many sitemaps (https://www.sitemaps.org/protocol.html).
MOST_PARTS: Final = 50_000
#: Of many files.
_MOST_NAMED: Final = 5


@dataclass(slots=True, eq=False)
class OutputPart:
    """One part: staged, or an existing one that stays."""

    entries: int
    images: int
    videos: int
    news: int
    staged: Staged | None
    """None: it exists under its name, and stays."""
    period: str = ""
    name: str | None = None
    """None: it gets one when it is known how many there are."""

    @classmethod
    def of(
        cls, part: Part, staged: Staged, period: str = "", name: str | None = None
    ) -> OutputPart:
        """Take a part that was staged."""
        return cls(part.entries, part.images, part.videos, part.news, staged, period, name)


@dataclass(slots=True, kw_only=True, eq=False)
class Output:
    """One format's parts for one name."""

    name: str
    parts: list[OutputPart] = field(default_factory=list)
    first_loc: str | None = None
    refused: int = 0
    """Entries that the writer cannot write."""

    def add(self, part: OutputPart) -> None:
        """Add a part.

        Raises:
            OptionError: there are more than an index lists.
        """
        self.parts.append(part)
        if len(self.parts) > MOST_PARTS:
            raise OptionError(
                f"more than {MOST_PARTS:,} files, and an index lists no more; "
                "raise --limit-urls or --limit-bytes"
            )


@dataclass(slots=True, eq=False)
class Publication:
    """The files of one run."""

    conversion: Conversion
    _files: list[OutputFile] = field(default_factory=list)
    _staged: list[tuple[str, Staged]] = field(default_factory=list)
    """The names of these files, in the order in which they are to be renamed."""
    _kept: list[str] = field(default_factory=list)
    """Names of files that stay as they are."""

    def publish(self, outputs: Sequence[Output], *, emptied: Iterable[str] = ()) -> Result:
        """Put all of them in place, or none.

        Args:
            outputs: what was staged, and what stays.
            emptied: names of parts of which nothing is left.

        Returns:
            The files: those that were written (the index first), kept and removed.

        Raises:
            OptionError: one of the files is a source; or there are too many.
        """
        publisher = self.conversion.publisher
        indexes = {output.name: publisher.index(output.name) for output in outputs}
        for output in outputs:
            self._name(output, indexes[output.name])
        names = {*self._kept, *(name for name, _ in self._staged)}
        own = [index for index in indexes.values() if index and index.is_own]
        stale = [part for index in own for part in index.parts if part not in names]
        stale += [name for name in emptied if name not in {*stale, *names}]
        if publisher.name != "-":
            self.conversion.protect_from(self.path(name) for name in (*names, *stale))
        self.conversion.ready()
        self._report_others(indexes, {"", *names, *stale})
        changed = None
        if self.conversion.options.dry_run:
            changed = self._would_change(names, stale)
        elif self._staged or stale:
            publisher.publish(self._staged, remove=stale)
        if (left_over := publisher.left_over()) is not None:
            message = f"{left_over} is left from an earlier run; not touched"
            self._report(Code.FILE_LEFT_OVER, message)
        return Result(
            files=tuple(sorted(self._files, key=lambda file: file.kind != "index")),
            kept=tuple(map(self.path, self._kept)),
            removed=tuple(map(self.path, stale)),
            changed=changed,
            unchanged=bool(self._kept) and not (self._files or stale),
        )

    def path(self, name: str) -> str:
        """Return the path of a file as the target's was given."""
        return os.path.join(self.conversion.folder, name)

    def _would_change(self, names: Iterable[str], stale: Sequence[str]) -> bool | None:
        """Return True if publishing would change existing files; None if there are none."""
        publisher = self.conversion.publisher
        if publisher.name == "-" or not any(os.path.exists(self.path(name)) for name in names):
            return None
        return bool(stale) or not all(publisher.unchanged(*each) for each in self._staged)

    # -- names --------------------------------------------------------------------------------

    def _name(self, output: Output, index: ExistingIndex | None) -> None:
        """Name the parts of an output, and make their index.

        Raises:
            OptionError: the output needs more than one file, and cannot have that.
        """
        parts, row, updates = (
            output.parts,
            self.conversion.row,
            self.conversion.options.publish.update,
        )
        index = index if updates else None
        if len(parts) == 1 and index is None and not parts[0].period:
            self._take(output.name, parts[0])
            return
        self._number(output)
        if self.conversion.publisher.name == "-":
            raise OptionError(
                f"the output needs {len(parts):,} files, and standard output (or a stream) is "
                "one; name a file with -o PATH"
            )
        if row.index is None and updates:
            raise OptionError(
                f"--update: {self.path(output.name)} would need {len(parts):,} files, and nothing "
                f"would list them, so the next run could not find them again: {row.title} "
                "has no index. Write a sitemap (-t sitemap), or leave out --update"
            )
        are_kept = [self._take(part.name or "", part) for part in parts]
        if row.index is not None:
            self._index(output, index.rows if index else (), are_kept)
            return
        listed = ", ".join(self.path(part.name or "") for part in parts)
        self._report(Code.PARTS_SPLIT, f"{len(parts)} files, and no index of them: {listed}")

    def _number(self, output: Output) -> None:
        """Give names to those that have none, each the next number of its period."""
        taken = {part.name for part in output.parts if part.name != output.name}
        numbers: Counter[str] = Counter()
        for part in output.parts:
            if part.name in taken and part.name is not None:
                continue
            part.name = None
            while part.name is None or part.name in taken:
                numbers[part.period] += 1
                part.name = part_name(output.name, numbers[part.period], part.period)
            taken.add(part.name)

    def _take(self, name: str, part: OutputPart, *, kind: str | None = None) -> bool:
        """Take a file under its name; return True if it exists already, and stays."""
        conversion, staged = self.conversion, part.staged
        if (
            staged
            and conversion.options.publish.update
            and conversion.publisher.unchanged(name, staged)
        ):
            conversion.publisher.discard([staged])
            staged = None
        if staged is None:
            self._kept.append(name)
            return True
        file = OutputFile(
            path=self.path(name),
            kind=kind or conversion.row.name,
            urls=part.entries,
            images=part.images,
            videos=part.videos,
            news=part.news,
            bytes=staged.bytes,
            raw_bytes=staged.raw_bytes,
        )
        self._files.append(file)
        self._staged.append((name, staged))
        return False

    # -- the index ----------------------------------------------------------------------------

    def _index(self, output: Output, rows: Sequence[IndexRow], are_kept: Sequence[bool]) -> None:
        """Make the index; of a part that stays as it is, the row stays too.

        Where that says nothing of when the part was written, nobody knows, and it says so still.
        """
        from urllib.parse import quote  # most runs write one file

        conversion = self.conversion
        if conversion.row.index is None:
            raise TypeError(f"{conversion.row.name} has no index")
        now = Moment(instant=conversion.options.write.now)
        known = {row.name: row for row in rows}
        base = self._public_base(output, rows)
        listed: list[tuple[str, Moment | None]] = []
        for part, is_kept in zip(output.parts, are_kept, strict=True):
            name = part.name or ""
            row = known.get(name)
            keeps_place = row and conversion.options.transforms.sitemap_url is None
            loc = row.loc if row and keeps_place else base + quote(name)
            listed.append((loc, _written_at(row) if is_kept else now))
        staged = conversion.publisher.stage(
            conversion.row.index(listed), compress=conversion.compress
        )
        self._take(output.name, OutputPart(0, 0, 0, 0, staged), kind="index")

    def _public_base(self, output: Output, rows: Sequence[IndexRow]) -> str:
        """Return the URL of the folder that the sitemaps will be in, with its final slash."""
        from urllib.parse import urljoin

        url = self.conversion.options.transforms.sitemap_url or (rows[0].loc if rows else None)
        if url is not None:
            return urljoin(url, ".")
        root = urljoin(output.first_loc or "", "/")
        self._report(
            Code.SITEMAP_URL_ASSUMED,
            f"the index says that its sitemaps stand at {root}; "
            "if they do not, give their place with --sitemap-url",
        )
        return root

    def _report_others(self, indexes: Mapping[str, ExistingIndex | None], names: set[str]) -> None:
        """Name the files that a replaced index lists, and that are left as they are."""
        for index in filter(None, indexes.values()):
            others = [row.name for row in index.rows if row.name not in names]
            if others := [name for name in others if self.conversion.publisher.exists(name)]:
                named = ", ".join(map(printable, others[:_MOST_NAMED]))
                more = len(others) - _MOST_NAMED
                named += f" and {more:,} more" if more > 0 else ""
                self._report(
                    Code.FILE_LEFT_OVER,
                    f"the index that is replaced lists {named}, and it bears no mark of this "
                    "program: another one made it, or an earlier version; the files are left as "
                    "they are, and the new output does not list them; remove them if nothing needs "
                    "them",
                )

    def _report(self, code: Code, message: str) -> None:
        path = self.path(self.conversion.publisher.name)
        self.conversion.report(Issue(code=code, message=message, source=path))


def _written_at(row: IndexRow | None) -> Moment | None:
    """Return the time at which a file was written, as far as an index tells."""
    try:
        moment = dates.parse_w3c(row.lastmod or "") if row else None
    except ValueError:
        return None
    return None if moment and moment.is_partial else moment
