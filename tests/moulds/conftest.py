"""The short way beside the plain way: what comes out must be the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import converter
from converter import shortcut
from converter.issues import Issue
from converter.moulds import caster, press, sizes, slices

_NOW = str(int(datetime(2026, 1, 15, tzinfo=UTC).timestamp()))

_COUNTED = ("urls", "images", "videos", "news", "skipped", "sources", "lost", "altered")

#: Converts a document both ways, holds one against the other, and gives the number of casts.
Both: TypeAlias = Callable[..., int]


@dataclass(frozen=True)
class _Outcome:
    """All that can be seen of a conversion."""

    files: dict[str, bytes]
    issues: list[Issue]
    counted: dict[str, Any]
    error: str


class _Ways:
    """Both ways of one document."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(
        self,
        source: bytes | str,
        *,
        first_bytes: int = 600,
        slice_bytes: int = 700,
        proofs: int = 0,
        **options: Any,
    ) -> int:
        """Compare.

        Args:
            source: the document.
            first_bytes: so much goes the plain way.
            slice_bytes: so much is looked at in one go.
            proofs: how many casts of a mould are compared with the plain way: that would mend what
                is looked for here.
            options: of `converter.convert`.
        """
        data = source if isinstance(source, bytes) else source.encode()
        casters: list[caster.Caster] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SOURCE_DATE_EPOCH", _NOW)
            patch.setattr(sizes, "FIRST_BYTES", first_bytes)
            patch.setattr(slices, "_SLICE_BYTES", slice_bytes)
            patch.setattr(press, "_PROOFS", proofs)
            patch.setattr(press, "_PROOF_EVERY", 1 << 40)
            _spy(patch, casters)
            short = self._converted(data, options)
            patch.setattr(shortcut, "is_open", lambda *_: False)
            plain = self._converted(data, options)
        assert short.error == plain.error
        assert short.files == plain.files
        assert short.issues == plain.issues
        assert short.counted == plain.counted
        return max((one.casts for one in casters), default=0)

    def _converted(self, data: bytes, options: dict[str, Any]) -> _Outcome:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        issues: list[Issue] = []
        counted, error = {}, ""
        try:
            result = converter.convert(
                BytesIO(data), self._folder / "out.xml", report=issues.append, **options
            )
            counted = {name: getattr(result, name) for name in _COUNTED}
        except converter.ConverterError as raised:
            error = f"{type(raised).__name__}: {raised}"
        files = {path.name: path.read_bytes() for path in self._folder.iterdir()}
        return _Outcome(files, issues, counted, error)


def _spy(patch: pytest.MonkeyPatch, casters: list[caster.Caster]) -> None:
    begin = caster.Caster.__init__

    def spied(self: caster.Caster, *given: Any, **named: Any) -> None:
        begin(self, *given, **named)
        casters.append(self)

    patch.setattr(caster.Caster, "__init__", spied)


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """Convert a document both ways, hold one against the other, and give the number of casts."""
    return _Ways(tmp_path_factory.mktemp("ways") / "out")
