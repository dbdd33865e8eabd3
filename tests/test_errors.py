"""Errors keep what they say and all their attributes when they are pickled or copied."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import pytest

from converter import errors
from converter.errors import ConverterError


def kinds(kind: type[ConverterError] = ConverterError) -> Iterator[type[ConverterError]]:
    """Every public error, as the library raises it."""
    yield kind
    for derived in kind.__subclasses__():
        yield from kinds(derived)


def pickled(error: Exception) -> Exception:
    again: Exception = pickle.loads(pickle.dumps(error))  # noqa: S301
    return again


def made(kind: type[ConverterError]) -> ConverterError:
    if issubclass(kind, errors.LimitError):
        return kind("too large", limit="max_bytes", line=3)
    if issubclass(kind, errors.HttpError):
        return kind("gone", status=410)
    if issubclass(kind, errors.DocumentError):
        return kind("broken", line=7, column=2)
    return kind("no")


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("through", [copy.copy, copy.deepcopy, pickled])
def test_an_error_survives_pickling_and_copying(
    kind: type[ConverterError], through: object
) -> None:
    error = made(kind)
    error.add_note("in the report, too")
    again = through(error)  # type: ignore[operator]
    assert type(again) is kind
    assert (again.args, vars(again)) == (error.args, vars(error))
