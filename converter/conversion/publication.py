"""From staged parts to a published set: file names, the index, and stale files to remove."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from converter.conversion.result import OutputFile, Result
from converter.errors import OptionError
from converter.issues import Code, Issue, printable
from converter.model import Moment
from converter.publish.existing_index import ExistingIndex, IndexRow
from converter.publish.file_names import part_name
from converter.publish.publisher import OutputPart, Staged
from converter.sitemap_limits import MAX_SITEMAPS
from converter.values import dates

if TYPE_CHECKING:
    from converter.conversion.conversion import Conversion

#: Other files of a replaced index that a message names.
_MOST_NAMED: Final = 5


@dataclass(slots=True, kw_only=True, eq=False)
class Output:
    """The parts of one output: one file, or a set with an index."""

    name: str
    parts: list[OutputPart] = field(default_factory=list)
    first_loc: str | None = None
    refused: int = 0
    """Entries that the writer cannot write."""

    def add(self, part: OutputPart) -> None:
        """Add a part.

        Raises:
            OptionError: there are more than an index may list.
        """
        self.parts.append(part)
        if len(self.parts) > MAX_SITEMAPS:
            raise OptionError(
                f"the output needs more than {MAX_SITEMAPS:,} files, the most that an index may "
                "list; raise --limit-urls or --limit-bytes"
            )


@dataclass(slots=True, eq=False)
class Publication:
    """Names and publishes the files of one run."""

    conversion: Conversion
    _files: list[OutputFile] = field(default_factory=list)
    _staged: list[tuple[str, Staged]] = field(default_factory=list)
    """The names of these files, in the order of the renames."""
    _kept: list[str] = field(default_factory=list)
    """Names of files that are not changed."""

    def publish(self, outputs: Sequence[Output], *, emptied: Iterable[str] = ()) -> Result:
        """Publish all files or none.

        Args:
            outputs: with staged and kept parts.
            emptied: names of existing parts without entries.

        Returns:
            The files that were written (the index first), kept and removed.

        Raises:
            OptionError: one of the files is a source, or there are too many.
        """
        conversion, publisher = self.conversion, self.conversion.publisher
        indexes = {output.name: publisher.index(output.name) for output in outputs}
        for output in outputs:
            self._name_parts(output, indexes[output.name])
        names = {*self._kept, *(name for name, _ in self._staged)}
        own = [index for index in indexes.values() if index and index.is_own]
        stale = [part for index in own for part in index.parts if part not in names]
        stale += [name for name in emptied if name not in {*stale, *names}]
        if publisher.name != "-":
            conversion.check_targets(conversion.path_of(name) for name in (*names, *stale))
        conversion.stage_side_files()
        self._report_foreign_files(indexes, {"", *names, *stale})
        changed = None
        if conversion.options.dry_run:
            changed = self._would_change(names, stale)
        elif self._staged or stale:
            publisher.publish(self._staged, remove=stale)
        if (sibling := publisher.existing_sibling()) is not None:
            message = f"{sibling} is left from an earlier run; it is unchanged"
            self._report(Code.FILE_LEFT_OVER, message)
        return Result(
            files=tuple(sorted(self._files, key=lambda file: file.kind != "index")),
            kept=tuple(map(conversion.path_of, self._kept)),
            removed=tuple(map(conversion.path_of, stale)),
            changed=changed,
            unchanged=bool(self._kept) and not (self._files or stale),
        )

    def _would_change(self, names: Iterable[str], stale: Sequence[str]) -> bool | None:
        """Return True if publishing would change existing files; None if there are none."""
        publisher = self.conversion.publisher
        paths = map(self.conversion.path_of, names)
        if publisher.name == "-" or not any(map(os.path.exists, paths)):
            return None
        return bool(stale) or not all(publisher.is_unchanged(*each) for each in self._staged)

    # -- names --------------------------------------------------------------------------------

    def _name_parts(self, output: Output, index: ExistingIndex | None) -> None:
        """Name the parts of an output and stage their index.

        Raises:
            OptionError: the output needs several files and cannot have them.
        """
        parts, target = output.parts, self.conversion.target
        updates = self.conversion.options.publish.update
        index = index if updates else None
        if len(parts) == 1 and index is None and not parts[0].period:
            self._add_file(output.name, parts[0])
            return
        _number(output)
        if self.conversion.publisher.name == "-":
            raise OptionError(
                f"the output needs {len(parts):,} files, and standard output or a stream takes "
                "one; name a file with -o PATH"
            )
        if target.index is None and updates:
            raise OptionError(
                f"--update: {self.conversion.path_of(output.name)} would need {len(parts):,} files "
                f"without an index, so the next run could not find them again: {target.title} has "
                "no index. Write a sitemap (-t sitemap), or omit --update"
            )
        are_kept = [self._add_file(part.name, part) for part in parts]
        if target.index is not None:
            listed = self._index_rows(output, index.rows if index else (), are_kept)
            chunks = target.index(listed)
            staged = self.conversion.publisher.stage(chunks, compress=self.conversion.compress)
            self._add_file(output.name, OutputPart(0, 0, 0, 0, staged), kind="index")
            return
        names = ", ".join(self.conversion.path_of(part.name) for part in parts)
        self._report(Code.PARTS_SPLIT, f"{len(parts)} files without an index: {names}")

    def _add_file(self, name: str, part: OutputPart, *, kind: str | None = None) -> bool:
        """Add a file; return True if the existing one is kept."""
        conversion, publisher, staged = self.conversion, self.conversion.publisher, part.staged
        updates = conversion.options.publish.update
        if staged and updates and publisher.is_unchanged(name, staged):
            publisher.discard([staged])
            staged = None
        if staged is None:
            self._kept.append(name)
            return True
        file = OutputFile(
            path=conversion.path_of(name),
            kind=kind or conversion.target.name,
            urls=part.urls,
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

    def _index_rows(
        self, output: Output, rows: Sequence[IndexRow], are_kept: Sequence[bool]
    ) -> list[tuple[str, Moment | None]]:
        """Return URL and date of each part; a part that is kept also keeps its row."""
        from urllib.parse import quote  # most runs write one file

        options = self.conversion.options
        now, known = Moment(instant=options.write.now), {row.name: row for row in rows}
        base = self._base_url(output, rows)
        listed: list[tuple[str, Moment | None]] = []
        for part, is_kept in zip(output.parts, are_kept, strict=True):
            row = known.get(part.name)
            keeps_loc = row and options.transforms.sitemap_url is None
            loc = row.loc if row and keeps_loc else base + quote(part.name)
            listed.append((loc, _lastmod(row) if is_kept else now))
        return listed

    def _base_url(self, output: Output, rows: Sequence[IndexRow]) -> str:
        """Return the URL of the folder of the sitemaps, with its final slash."""
        from urllib.parse import urljoin

        url = self.conversion.options.transforms.sitemap_url or (rows[0].loc if rows else None)
        if url is not None:
            return urljoin(url, ".")
        root = urljoin(output.first_loc or "", "/")
        message = (
            f"the index lists its sitemaps under {root}; if they will have other URLs, give that "
            "of the output with --sitemap-url"
        )
        self._report(Code.SITEMAP_URL_ASSUMED, message)
        return root

    def _report_foreign_files(
        self, indexes: Mapping[str, ExistingIndex | None], names: set[str]
    ) -> None:
        """Report the files of a replaced index that stay and that the new output does not list."""
        for index in filter(None, indexes.values()):
            others = [row.name for row in index.rows if row.name not in names]
            if others := [name for name in others if self.conversion.publisher.exists(name)]:
                listed = ", ".join(map(printable, others[:_MOST_NAMED]))
                more = len(others) - _MOST_NAMED
                listed += f" and {more:,} more" if more > 0 else ""
                self._report(
                    Code.FILE_LEFT_OVER,
                    f"the index that is replaced lists {listed}. Another program or an earlier "
                    "version wrote it, so these files are unchanged and the new output does not "
                    "list them; remove them if nothing needs them",
                )

    def _report(self, code: Code, message: str) -> None:
        self.conversion.report(Issue(code=code, message=message, source=self.conversion.path))


def _number(output: Output) -> None:
    """Name the parts without a name, each with the next free number of its period."""
    taken = {part.name for part in output.parts if part.name not in {"", output.name}}
    numbers: Counter[str] = Counter()
    for part in output.parts:
        if part.name in taken:
            continue
        part.name = ""
        while not part.name or part.name in taken:
            numbers[part.period] += 1
            part.name = part_name(output.name, numbers[part.period], part.period)
        taken.add(part.name)


def _lastmod(row: IndexRow | None) -> Moment | None:
    """Return the time at which a kept part was written; None if the index does not have it."""
    try:
        moment = dates.parse_w3c(row.lastmod or "") if row else None
    except ValueError:
        return None
    return None if moment and moment.is_partial else moment
