"""Verifies that equal digests of lists stand for equal URLs, by reading the lists once more.

That takes far less time than a second pass, for only the first entry of each duplicate is cleaned
and filtered again. If any URL differs, the second pass merges what the first one held back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from converter.entry_stage import EntryStage, StageOptions
from converter.issues import ignore
from converter.ledger import Tally
from converter.model import Entry
from converter.options import ReadOptions
from converter.passes.merge import Deduplicator
from converter.readers import Around, Input
from converter.seams import Document

__all__ = ["verify_lists"]


def verify_lists(
    duplicates: Deduplicator,
    inputs: Sequence[Input],
    options_of: Callable[[int], ReadOptions],
    stage_options: StageOptions,
) -> None:
    """Compare the URLs of lists that the first pass took for equal; what is equal is verified.

    Args:
        duplicates: at the end of the first pass.
        inputs: all sources.
        options_of: gives the options of a source by its number.
        stage_options: what the first stage does.
    """
    passes = stage_options.passes
    if not duplicates.unverified or duplicates.needs_merging:
        return
    if passes.unify_host and passes.host is None:
        return  # the first entry of all decides the host
    stage = EntryStage(stage_options, Tally(), ignore)
    for number, wanted in list(duplicates.unverified.items()):
        document = inputs[number].open(options_of(number), ignore)
        found = stage.converted(_Chosen(document, wanted))
        if {item.line: item.loc for item in found} == wanted:
            del duplicates.unverified[number]


class _Chosen(Around):
    """The entries of some lines of a document."""

    def __init__(self, document: Document, lines: Mapping[int, str]) -> None:
        super().__init__(document)
        self._lines = lines

    @property
    def entries(self) -> Iterator[Entry]:
        lines = self._lines
        return (entry for entry in self._document.entries if entry.line in lines)
