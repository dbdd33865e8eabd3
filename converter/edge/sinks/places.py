"""Refuses two names for one file, before anything is written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from converter.edge.identity import folded, is_same_file, status_of
from converter.edge.sinks.names import Names
from converter.errors import OptionError
from converter.issues import printable
from converter.values import urls

__all__ = ["Places"]


class Places(NamedTuple):
    """The paths that one run is given; URLs, streams and what is not given do not count."""

    sources: Sequence[object] = ()
    merged: Sequence[str] = ()
    output: object = None
    gzip: bool = False
    split_hosts: bool = False
    report: str | None = None
    news_output: str | None = None
    robots: str | None = None
    cache: str | None = None

    def check(self) -> None:
        """See that what is written beside the output is a file of its own.

        Raises:
            OptionError: it is a source, the output, a part of it, or another such file.
        """
        beside, outputs, read = list(self._beside()), list(self._outputs()), list(self._read())
        for number, (option, path) in enumerate(beside):
            for other, place in (*beside[number + 1 :], *outputs, *read):
                if option != other and is_same_file(path, place):
                    raise OptionError(
                        f"{option} and {other} name one file, {_shown(path)}; give each its own"
                    )
            for other, target in outputs:
                if option != other and self._is_part(path, target):
                    raise OptionError(
                        f"{option}: {_shown(path)} is a name that {other} may need for a part of "
                        "itself; choose another name"
                    )
        if self.cache is not None:
            self._check_cache(self.cache, [path for _, path in (*beside, *outputs, *read)])

    def _beside(self) -> Iterator[tuple[str, str]]:
        for option, path in (
            ("--report", self.report),
            ("--news-output", self.news_output),
            ("--robots", self.robots),
            ("--cache", self.cache),
        ):
            if path is not None and "\0" in os.fspath(path):
                raise OptionError(f"{option}: a path holds no NUL; give another")
            if path is not None and path != os.devnull:  # which any number of options may name
                yield option, os.fspath(path)

    def _outputs(self) -> Iterator[tuple[str, str]]:
        if self.output is None or self.output == "-":
            yield "--output", "/dev/stdout"  # which may be a file
        elif isinstance(self.output, str | os.PathLike) and "\0" not in os.fspath(self.output):
            path = os.fsdecode(self.output)
            adds_gz = self.gzip and not path.lower().endswith(".gz")
            yield "--output", f"{path}.gz" if adds_gz else path
        if self.news_output is not None:
            yield "--news-output", self.news_output

    def _read(self) -> Iterator[tuple[str, str]]:
        named = [("a source", source) for source in self.sources]
        for what, source in (*named, *(("--merge", merged) for merged in self.merged)):
            if source == "-":
                yield what, "/dev/stdin"  # which may be a file
            elif isinstance(source, str | os.PathLike):
                path = os.fsdecode(source)
                if not urls.is_http(path) and "\0" not in path:  # that is refused elsewhere
                    yield what, path

    def _is_part(self, path: str, target: str) -> bool:
        """Whether an output may need a name for a part of itself, or for a hidden file."""
        folder, name = os.path.split(os.path.realpath(path))
        home, target_name = os.path.split(os.path.realpath(target))
        if not is_same_file(folder, home):
            return _is_linked_to_part(path, home, Names(target_name))
        names, name = Names(folded(target_name)), folded(name)
        return (
            names.is_part(name)
            or name in {names.sibling, names.lock, names.journal}
            or names.is_temporary(name)
            or (self.split_hosts and names.is_own(name))
            or _is_linked_to_part(path, home, Names(target_name))
        )

    @staticmethod
    def _check_cache(cache: str, others: Sequence[str]) -> None:
        """See that the cache is a folder, and that no other file of the run has a name of its own.

        Raises:
            OptionError: it is not so.
        """
        from converter.edge.web.cache import is_own_name  # most runs fetch nothing

        if os.path.lexists(cache) and not os.path.isdir(cache):
            raise OptionError(f"--cache: {_shown(cache)} is a file; name a folder")
        for path in others:
            folder, name = os.path.split(os.path.realpath(path))
            if is_own_name(name) and is_same_file(folder, cache):
                raise OptionError(
                    f"--cache: {_shown(path)} is in this folder, and has a name as files of the "
                    "cache have; name another folder"
                )


def _is_linked_to_part(path: str, folder: str, names: Names) -> bool:
    """Whether a file has another name, which is that of the output or of a part of it."""
    status = status_of(path)
    if status is None or status.st_nlink <= 1:
        return False
    try:
        with os.scandir(folder) as entries:
            own = [entry.path for entry in entries if names.is_own(entry.name)]
    except OSError:
        return False  # whoever opens the output says what is wrong with its folder
    return any(is_same_file(path, other) for other in own)


def _shown(path: str) -> str:
    return f'"{printable(path)}"'
