"""The output format `markdown`: a comment of a pull request, with the counts and some changes.

GitHub refuses comments of more than 65,536 characters:
https://github.com/orgs/community/discussions/27190
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from converter.differences.change import KINDS, Change, ChangeKind, DiffTotals
from converter.differences.reports.plain_text import describe, printable_url
from converter.issues import printable

#: Changes of one kind that are shown.
_MAX_ROWS: Final = 50
#: Characters of the rows of one kind, so that all five fit into a comment.
_MAX_CHARACTERS: Final = 12_000
_MAX_DETAILS: Final = 500


def comment(changes: Iterable[Change], totals: DiffTotals) -> Iterator[str]:
    """Yield the counts, and a folded list of changes of each kind."""
    rows: dict[ChangeKind, list[str]] = {kind: [] for kind in KINDS}
    sizes = Counter[ChangeKind]()
    for change in changes:
        kind = change.kind
        if len(rows[kind]) < _MAX_ROWS and sizes[kind] < _MAX_CHARACTERS:
            row = _row(change)
            sizes[kind] += len(row)
            if sizes[kind] <= _MAX_CHARACTERS:
                rows[kind].append(row)
    yield f"**{totals.sentence()}**\n"
    for kind, shown in rows.items():
        if shown:
            more = totals.kinds[kind] - len(shown)
            yield f"\n<details><summary>{totals.kinds[kind]:,} {kind}</summary>\n\n"
            yield from shown
            yield f"\n{more:,} more\n" if more else ""
            yield "\n</details>\n"


def _row(change: Change) -> str:
    url = f"- {_code(printable_url(change.url))}"
    details = printable(describe(change.fields), _MAX_DETAILS)
    return f"{url} {_code(details)}\n" if details else f"{url}\n"


def _code(text: str) -> str:
    """Return text as a code span, in which GitHub interprets nothing else."""
    # https://spec.commonmark.org/0.31.2/#code-spans
    longest, length = 0, 0
    for character in text:
        length = length + 1 if character == "`" else 0
        longest = max(longest, length)
    fence = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"
