"""Refuses two options that name one file, and outputs that would replace a source."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from converter.errors import OptionError
from converter.issues import printable
from converter.publish.file_names import FileNames
from converter.sources.file_identity import Identity, folded, identity, is_same_file
from converter.values import urls

_NamedPath: TypeAlias = tuple[str, str]
"""An option and its path."""


def refuse_sources(targets: Iterable[object], sources: Iterable[object]) -> None:
    """Check that none of the files that a run writes or removes is a source.

    Device and inode identify a file: no spelling or link hides it.

    Raises:
        OptionError: one is.
    """
    names: dict[Identity | None, str] = {}
    for source in sources:
        names.setdefault(identity(source), _described(source, "standard input"))
    for target in targets:
        found = identity(target, is_output=True)
        if found is not None and (source_name := names.get(found)) is not None:
            name = _described(target, "standard output")
            known = "" if name == source_name else f" ({source_name})"
            raise OptionError(
                f"{name} is a source of this run{known}, and would be replaced. Name another "
                "file with --output, or add to this one with --update, or replace it with --force"
            )


def _described(place: object, standard: str) -> str:
    if isinstance(place, str | os.PathLike) and place != "-":
        return _quoted(os.fsdecode(place))
    return standard if place in (None, "-") else "a stream"


def check_paths(
    options: Mapping[str, str | None],
    output: object,
    sources: Iterable[object],
    *,
    split_hosts: bool,
) -> None:
    """Check that each path that an option names is a file of its own.

    Args:
        options: the paths of `--report`, `--news-output`, `--robots` and `--cache`.
        output: the target of the run.
        sources: URLs and streams are skipped.
        split_hosts: each host has its own output.

    Raises:
        OptionError: one is a source, the output, a part of it, or the file of another option.
    """
    named = list(_named(options))
    outputs = list(_paths("--output", [output], "/dev/stdout"))
    outputs += [(option, path) for option, path in named if option == "--news-output"]
    read = list(_paths("a source", sources, "/dev/stdin"))
    for number, (option, path) in enumerate(named):
        for other, place in (*named[number + 1 :], *outputs, *read):
            if option != other and is_same_file(path, place):
                raise OptionError(
                    f"{option} and {other} name one file, {_quoted(path)}; give each its own"
                )
        for other, target in outputs:
            if option != other and _is_part(path, target, split_hosts=split_hosts):
                raise OptionError(
                    f"{option}: {_quoted(path)} is a name that {other} may need for one of its "
                    "parts; choose another name"
                )
    if (cache := options.get("--cache")) is not None:
        _check_cache(cache, [path for _, path in (*named, *outputs, *read)])


def _named(options: Mapping[str, str | None]) -> Iterator[_NamedPath]:
    for option, path in options.items():
        if path is not None and "\0" in os.fspath(path):
            raise OptionError(f"{option}: the path holds a NUL; name another file")
        if path is not None and path != os.devnull:  # several options may name /dev/null
            yield option, os.fspath(path)


def _paths(option: str, places: Iterable[object], standard: str) -> Iterator[_NamedPath]:
    """Yield the paths; `standard` is that of standard input or output, which may be a file."""
    for place in places:
        if place is None or place == "-":
            yield option, standard
        elif isinstance(place, str | os.PathLike):
            path = os.fsdecode(place)
            if not urls.is_http(path) and "\0" not in path:  # NUL is refused elsewhere
                yield option, path


def _is_part(path: str, target: str, *, split_hosts: bool) -> bool:
    """Return True if an output may need the name for a part or a hidden file."""
    folder, name = os.path.split(os.path.realpath(path))
    target_folder, target_name = os.path.split(os.path.realpath(target))
    names, name = FileNames(folded(target_name)), folded(name)
    return is_same_file(folder, target_folder) and (
        names.is_part(name)
        or name in {names.sibling, names.lock, names.journal}
        or names.is_temporary(name)
        or (split_hosts and names.is_own(name))
    )


def _check_cache(cache: str, others: Sequence[str]) -> None:
    """Check that the cache is a folder and that no other file of the run is one of its files.

    Raises:
        OptionError: it is not, or one is.
    """
    from converter.sources.http.cache import is_cache_file_name  # most runs fetch nothing

    if os.path.lexists(cache) and not os.path.isdir(cache):
        raise OptionError(f"--cache: {_quoted(cache)} is a file; name a folder")
    for path in others:
        folder, name = os.path.split(os.path.realpath(path))
        if is_cache_file_name(name) and is_same_file(folder, cache):
            raise OptionError(
                f"--cache: {_quoted(path)} is in this folder and has a name that the cache uses; "
                "name another folder"
            )


def _quoted(path: str) -> str:
    return f'"{printable(path)}"'
