"""From staged parts to a published set: file names, the index, and stale files to remove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from converter.conversion.result import OutputFile, Result
from converter.errors import OptionError
from converter.issues import Code, Issue, printable
from converter.model import Moment
from converter.publish.existing_index import ExistingIndex, IndexRow
from converter.publish.file_names import part_name
from converter.publish.publisher import OutputPart
from converter.sitemap_limits import MAX_SITEMAPS
from converter.values import dates

if TYPE_CHECKING:
    from converter.conversion.conversion import Conversion


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
    _files: list[OutputPart] = field(default_factory=list)
    """All files of the new set, in the order of the renames."""

    def publish(self, outputs: Sequence[Output], *, remove: Iterable[str] = ()) -> Result:
        """Publish all files or none.

        Args:
            outputs: with staged and kept parts.
            remove: names of other existing files.

        Returns:
            The files that were written (the index first), kept and removed.

        Raises:
            OptionError: one of the files is a source, or there are too many.
        """
        conversion, publisher = self.conversion, self.conversion.publisher
        indexes = {output.name: publisher.index(output.name) for output in outputs}
        for output in outputs:
            self._name_parts(output, indexes[output.name])
        names = {file.name for file in self._files}
        staged = [file for file in self._files if file.temporary]
        own = [index for index in indexes.values() if index and index.is_own]
        stale = [name for index in own for name in index.parts] + list(remove)
        stale = [name for name in dict.fromkeys(stale) if name not in names]
        if publisher.name != "-":
            conversion.check_targets(publisher.path_of(name) for name in (*names, *stale))
        conversion.stage_side_files()
        self._report_foreign_files(indexes, {"", *names, *stale})
        changed = None
        if conversion.options.dry_run:
            changed = self._would_change(staged, stale)
        elif staged or stale:
            publisher.publish([(file.name, file) for file in staged], remove=stale)
        if (sibling := publisher.existing_sibling()) is not None:
            message = f"{sibling} is left from an earlier run; it is unchanged"
            self._report(Code.FILE_LEFT_OVER, message)
        kept = [publisher.path_of(file.name) for file in self._files if not file.temporary]
        return Result(
            files=tuple(map(self._described, sorted(staged, key=lambda it: it.kind != "index"))),
            kept=tuple(kept),
            removed=tuple(map(publisher.path_of, stale)),
            changed=changed,
            unchanged=bool(kept) and not (staged or stale),
        )

    def _would_change(self, staged: Sequence[OutputPart], stale: Sequence[str]) -> bool | None:
        """Return True if publishing would change existing files; None if there are none."""
        publisher = self.conversion.publisher
        if not any(publisher.exists(file.name) for file in self._files):
            return None
        return bool(stale) or not all(publisher.is_unchanged(file.name, file) for file in staged)

    def _described(self, file: OutputPart) -> OutputFile:
        return OutputFile(
            path=self.conversion.publisher.path_of(file.name),
            kind=file.kind or self.conversion.target.name,
            urls=file.urls,
            images=file.images,
            videos=file.videos,
            news=file.news,
            bytes=file.bytes,
            raw_bytes=file.raw_bytes,
        )

    # -- names --------------------------------------------------------------------------------

    def _name_parts(self, output: Output, index: ExistingIndex | None) -> None:
        """Name the parts of an output and stage their index.

        Raises:
            OptionError: the output needs several files and cannot have them.
        """
        parts, target, publisher = output.parts, self.conversion.target, self.conversion.publisher
        updates = self.conversion.options.publish.update
        index = index if updates else None
        if len(parts) == 1 and index is None and not parts[0].period:
            parts[0].name = output.name
            self._add(parts[0])
            return
        _number(output)
        if publisher.name == "-":
            raise OptionError(
                "the output needs several files, and standard output or a stream takes one; name "
                "a file with -o PATH"
            )
        if target.index is None and updates:
            raise OptionError(
                f"--update: {publisher.path_of(output.name)} would need {len(parts):,} files "
                f"without an index, so the next run could not find them again: {target.title} has "
                "no index. Write a sitemap (-t sitemap), or omit --update"
            )
        for part in parts:
            self._add(part)
        if target.index is not None:
            chunks = target.index(self._index_rows(output, index.rows if index else ()))
            staged = publisher.stage(chunks, compress=self.conversion.compress)
            staged.name, staged.kind = output.name, "index"
            self._add(staged)
            return
        names = ", ".join(self.conversion.publisher.path_of(part.name) for part in parts)
        self._report(Code.PARTS_SPLIT, f"{len(parts)} files without an index: {names}")

    def _add(self, file: OutputPart) -> None:
        """Add a file; an update keeps an existing one with the same content."""
        publisher = self.conversion.publisher
        is_update = self.conversion.options.publish.update
        if is_update and file.temporary and publisher.is_unchanged(file.name, file):
            publisher.discard([file])
            file.temporary = ""
        self._files.append(file)

    # -- the index ----------------------------------------------------------------------------

    def _index_rows(
        self, output: Output, rows: Sequence[IndexRow]
    ) -> list[tuple[str, Moment | None]]:
        """Return URL and date of each part; a part that is kept also keeps its row."""
        from urllib.parse import quote  # most runs write one file

        options = self.conversion.options
        now, known = Moment(instant=options.write.now), {row.name: row for row in rows}
        base = self._base_url(output, rows)
        listed: list[tuple[str, Moment | None]] = []
        for part in output.parts:
            row = known.get(part.name)
            keeps_loc = row and options.transforms.sitemap_url is None
            loc = row.loc if row and keeps_loc else base + quote(part.name)
            listed.append((loc, now if part.temporary else _lastmod(row)))
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
                self._report(
                    Code.FILE_LEFT_OVER,
                    f"the index that is replaced lists {printable(', '.join(others))}. Another "
                    "program or an earlier version wrote it, so these files are unchanged and the "
                    "new output does not list them; remove them if nothing needs them",
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
