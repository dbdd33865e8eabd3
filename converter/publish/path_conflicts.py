"""Refuses two names for one file, before anything is written, and outputs that replace sources."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from converter.errors import OptionError
from converter.issues import printable
from converter.publish.file_names import FileNames
from converter.sources.file_identity import Identity, folded, identity, is_same_file, status_of
from converter.values import urls

_Named: TypeAlias = tuple[str, str]
"""An option, and the path that it names."""


class SourceFiles:
    """The files that a run reads, by device and inode: no spelling or link hides one of them."""

    def __init__(self) -> None:
        self._names: dict[Identity, str] = {}

    def add(self, places: Iterable[object]) -> None:
        """Add paths, streams and `-`; what is no regular file here, as a URL, needs no care."""
        for place in places:
            if (found := identity(place)) is not None:
                self._names.setdefault(found, _described(place, "standard input"))

    def check_targets(self, targets: Iterable[object]) -> None:
        """See that none of the files that a run writes or removes is a source.

        Raises:
            OptionError: one is.
        """
        for target in targets:
            found = identity(target, is_output=True)
            if found is not None and (source := self._names.get(found)) is not None:
                shown = _described(target, "standard output")
                known = "" if shown == source else f" ({source})"
                raise OptionError(
                    f"{shown} is a source of this run{known}, and would be replaced. Name another "
                    "file with --output, or add to this one with --update, or replace it with "
                    "--force"
                )


def _described(place: object, standard: str) -> str:
    if isinstance(place, str | os.PathLike) and place != "-":
        return _shown(os.fsdecode(place))
    return standard if place in (None, "-") else "a stream"


def check_paths(
    options: Mapping[str, str | None],
    output: object,
    sources: Iterable[object],
    *,
    split_hosts: bool,
) -> None:
    """See that what a run writes beside its output is a file of its own.

    Args:
        options: the paths of `--report`, `--news-output`, `--robots` and `--cache`.
        output: what the output goes to.
        sources: what is read; URLs and streams do not count.
        split_hosts: the output has a file for each host.

    Raises:
        OptionError: one is a source, the output, a part of it, or another such file.
    """
    beside = list(_beside(options))
    outputs = list(_paths("--output", [output], "/dev/stdout"))
    outputs += [(option, path) for option, path in beside if option == "--news-output"]
    read = list(_paths("a source", sources, "/dev/stdin"))
    for number, (option, path) in enumerate(beside):
        for other, place in (*beside[number + 1 :], *outputs, *read):
            if option != other and is_same_file(path, place):
                raise OptionError(
                    f"{option} and {other} name one file, {_shown(path)}; give each its own"
                )
        for other, target in outputs:
            if option != other and _is_part(path, target, split_hosts=split_hosts):
                raise OptionError(
                    f"{option}: {_shown(path)} is a name that {other} may need for a part of "
                    "itself; choose another name"
                )
    if (cache := options.get("--cache")) is not None:
        _check_cache(cache, [path for _, path in (*beside, *outputs, *read)])


def _beside(options: Mapping[str, str | None]) -> Iterator[_Named]:
    for option, path in options.items():
        if path is not None and "\0" in os.fspath(path):
            raise OptionError(f"{option}: a path holds no NUL; give another")
        if path is not None and path != os.devnull:  # which any number of options may name
            yield option, os.fspath(path)


def _paths(option: str, places: Iterable[object], standard: str) -> Iterator[_Named]:
    """Yield paths; `standard` stands for standard input or output, which may be a file."""
    for place in places:
        if place is None or place == "-":
            yield option, standard
        elif isinstance(place, str | os.PathLike):
            path = os.fsdecode(place)
            if not urls.is_http(path) and "\0" not in path:  # that is refused elsewhere
                yield option, path


def _is_part(path: str, target: str, *, split_hosts: bool) -> bool:
    """Return True if an output may need a name for a part of itself, or for a hidden file."""
    folder, name = os.path.split(os.path.realpath(path))
    home, target_name = os.path.split(os.path.realpath(target))
    names, name = FileNames(folded(target_name)), folded(name)
    is_needed = is_same_file(folder, home) and (
        names.is_part(name)
        or name in {names.sibling, names.lock, names.journal}
        or names.is_temporary(name)
        or (split_hosts and names.is_own(name))
    )
    return is_needed or _is_linked_to_part(path, home, FileNames(target_name))


def _is_linked_to_part(path: str, folder: str, names: FileNames) -> bool:
    """Return True if a file has another name, which is that of the output or of a part of it."""
    status = status_of(path)
    if status is None or status.st_nlink <= 1:
        return False
    try:
        with os.scandir(folder) as entries:
            own = [entry.path for entry in entries if names.is_own(entry.name)]
    except OSError:
        return False  # whoever opens the output says what is wrong with its folder
    return any(is_same_file(path, other) for other in own)


def _check_cache(cache: str, others: Sequence[str]) -> None:
    """See that the cache is a folder, and that no other file of the run has a name of its own.

    Raises:
        OptionError: it is not so.
    """
    from converter.sources.http.cache import is_cache_file_name  # most runs fetch nothing

    if os.path.lexists(cache) and not os.path.isdir(cache):
        raise OptionError(f"--cache: {_shown(cache)} is a file; name a folder")
    for path in others:
        folder, name = os.path.split(os.path.realpath(path))
        if is_cache_file_name(name) and is_same_file(folder, cache):
            raise OptionError(
                f"--cache: {_shown(path)} is in this folder, and has a name as files of the cache "
                "have; name another folder"
            )


def _shown(path: str) -> str:
    return f'"{printable(path)}"'
