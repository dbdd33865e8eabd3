"""The corpus and the hostile inputs by the short way: the same as by the plain one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import converter
from converter import Issue, shortcut
from converter.moulds import caster, press, sizes, slices
from tests.reference.conftest import NOW_EPOCH

if TYPE_CHECKING:  # pragma: no cover
    from conftest import Reference

#: So many times the entries of a document are repeated, each time with other numbers in them.
TIMES = 6
#: What other sites publish is none of this sitemap's: that is told of each.
_PLACED = "sitemap at https://www.example.com/a/s.xml"
_ENTRY = re.compile(rb"<(item|entry|url)[\s>].*?</\1>\s*", re.DOTALL)


def _multiplied(document: bytes) -> bytes:
    """Make a longer document of the same kind of entries."""
    found = list(_ENTRY.finditer(document))
    if not found:
        return document
    more = [
        re.sub(rb"(?<=[a-z/=-])[0-9]", str(time).encode(), entry[0])
        for time in range(1, TIMES)
        for entry in found
    ]
    end = found[-1].end()
    return document[:end] + b"".join(more) + document[end:]


def _outcome(source: Path, folder: Path, target: str) -> tuple[Any, ...]:
    issues: list[Issue] = []
    told: object
    try:
        to, _, place = target.partition(" at ")
        result = converter.convert(
            source, folder / "out", to=to, sitemap_url=place or None, report=issues.append
        )
        told = [result.urls, result.images, result.videos, result.skipped]
        told += [dict(result.lost), dict(result.altered)]
    except converter.ConverterError as error:
        told = str(error)
    files = {path.name: path.read_bytes() for path in folder.glob("out*")}
    for path in folder.glob("out*"):
        path.unlink()
    return files, issues, told


@pytest.mark.parametrize("target", [*["sitemap", "txt", "atom", "rss"], _PLACED])
def test_the_corpus_comes_out_the_same(
    reference: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", NOW_EPOCH)
    monkeypatch.setattr(sizes, "FIRST_BYTES", 1_500)
    monkeypatch.setattr(slices, "_SLICE_BYTES", 20_000)
    monkeypatch.setattr(press, "_PROOFS", 0)  # they would mend what is looked for here
    monkeypatch.setattr(press, "_PROOF_EVERY", 1 << 40)
    casters: list[caster.Caster] = []
    begin = caster.Caster.__init__

    def spied(self: caster.Caster, *given: Any, **named: Any) -> None:
        begin(self, *given, **named)
        casters.append(self)

    monkeypatch.setattr(caster.Caster, "__init__", spied)
    source, differing = tmp_path / "source", []
    for document in reference.corpus:
        source.write_bytes(_multiplied(document.read_bytes()))
        short = _outcome(source, tmp_path, target)
        with monkeypatch.context() as patch:
            patch.setattr(shortcut, "is_open", lambda *_: False)
            if _outcome(source, tmp_path, target) != short:
                differing.append(document.name)
    assert not differing
    assert sum(one.casts for one in casters) > 1_000
