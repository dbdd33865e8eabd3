"""Frozen values with named fields: what `dataclasses` gives, at a fraction of its start-up time.

A dataclass compiles half a dozen functions for each class as it is imported. Here a class costs
little until its first instance is made. docs/decisions/0011 tells more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from dataclasses import Field, replace

__all__ = ["field", "field_names", "record", "replace"]

T = TypeVar("T")

_UNSET: Any = object()


class _Field:
    """What is said of a field beside its type."""

    __slots__ = ("compare", "default", "default_factory", "init", "repr")

    def __init__(self, default: Any, default_factory: Any, **flags: bool) -> None:
        self.default = default
        self.default_factory = default_factory
        self.init = flags.get("init", True)
        self.repr = flags.get("repr", True)
        self.compare = flags.get("compare", True)

    @property
    def is_wanted(self) -> bool:
        return self.default is _UNSET and self.default_factory is None

    def otherwise(self) -> Any:
        """The value of one that is not given."""
        return self.default if self.default_factory is None else self.default_factory()


def field(
    *,
    default: Any = _UNSET,
    default_factory: Callable[[], Any] | None = None,
    init: bool = True,
    repr: bool = True,  # noqa: A002  as in `dataclasses`
    compare: bool = True,
) -> Any:
    """Say more of a field than its type and its default; as in `dataclasses`."""
    return _Field(default, default_factory, init=init, repr=repr, compare=compare)


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, frozen: bool = ..., kw_only: bool = ...) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def record(cls: Any = None, /, *, frozen: bool = True, kw_only: bool = True) -> Any:
    """Make a record of a class of annotated fields: slotted, compared and shown by its fields.

    Args:
        cls: fields, methods and properties; it has no bases, and nothing is derived from it.
        frozen: no field can be set again, and a record can be a key.
        kw_only: all fields are named where a record is made.
    """
    if cls is None:
        return partial(record, frozen=frozen, kw_only=kw_only)
    space = {name: value for name, value in vars(cls).items() if name not in _UNSLOTTED}
    fields = {name: _field_of(space.pop(name, _UNSET)) for name in cls.__annotations__}
    space |= _FROZEN if frozen else _MUTABLE
    space |= {
        "__slots__": tuple(fields),
        "__match_args__": () if kw_only else tuple(fields),
        "__qualname__": cls.__qualname__,
        "__init__": _Constructor(fields, is_frozen=frozen, is_kw_only=kw_only),
        "__record_fields__": fields,
        "__record_compared__": attrgetter(*(n for n, about in fields.items() if about.compare)),
    }
    return type(cls.__name__, (), space)


def field_names(cls: type, /) -> tuple[str, ...]:
    """The fields of a record, in their order."""
    return tuple(_fields(cls))


if not TYPE_CHECKING:  # checkers know of the other `replace` what no annotation can say

    def replace(record, /, **changes):
        """Make a record like another, but for what is named."""
        return _replaced(record, **changes)


#: Of a class without slots; the one that is made of it gets none of these.
_UNSLOTTED = frozenset(("__dict__", "__weakref__"))


def _field_of(given: object) -> _Field:
    return given if isinstance(given, _Field) else _Field(given, None)


def _fields(cls: type) -> Mapping[str, _Field]:
    fields: Mapping[str, _Field] = vars(cls)["__record_fields__"]
    return fields


# -- construction -----------------------------------------------------------------------------


#: Compiling a constructor takes about as long as filling so many instances without it.
_FEW = 10


class _Constructor:
    """Stands for `__init__` until there are some instances: then it is compiled, once a class."""

    __slots__ = ("_fields", "_is_frozen", "_is_kw_only", "_spared")

    def __init__(self, fields: Mapping[str, _Field], *, is_frozen: bool, is_kw_only: bool) -> None:
        self._fields = fields
        self._is_frozen = is_frozen
        self._is_kw_only = is_kw_only
        self._spared = _FEW

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is not None and self._spared:
            self._spared -= 1
            return partial(self._fill, instance)
        init = self._compiled(owner)
        owner.__init__ = init  # type: ignore[misc]  # in place of this
        return init.__get__(instance, owner)

    def _fill(self, instance: Any, /, *placed: Any, **given: Any) -> None:
        """Do what the compiled one does; what that would refuse is left to it."""
        fields = {name: about for name, about in self._fields.items() if about.init}
        named = dict(zip(() if self._is_kw_only else fields, placed, strict=False))
        is_odd = len(named) < len(placed) or not named.keys().isdisjoint(given)
        named |= given
        wanted = {name for name, about in fields.items() if about.is_wanted}
        if is_odd or not wanted <= named.keys() <= fields.keys():
            self._compiled(type(instance))(instance, *placed, **given)
        for name, about in fields.items():
            value = named[name] if name in named else about.otherwise()
            object.__setattr__(instance, name, value)
        if hasattr(instance, "__post_init__"):
            instance.__post_init__()

    def _compiled(self, owner: type) -> Any:
        known: dict[str, Any] = {"_unset": _UNSET}
        words = ["*"] if self._is_kw_only else []
        given = [(name, about) for name, about in self._fields.items() if about.init]
        words += [_parameter(name, about, known) for name, about in given]
        steps = [_assignment(name, about) for name, about in given]
        if self._is_frozen:
            # Filled as one of a class that is alike, but not frozen: assigning to a slot takes a
            # tenth of the time of object.__setattr__, by which a frozen dataclass is filled.
            twin = type(owner.__name__, (), {"__slots__": tuple(self._fields)})
            known |= {"_unlock": _SET_CLASS, "_unlocked": twin, "_locked": owner}
            steps = ["_unlock(self, _unlocked)", *steps, "self.__class__ = _locked"]
        if hasattr(owner, "__post_init__"):
            steps.append("self.__post_init__()")
        source = f"def __init__(self, {', '.join(words)}):\n " + "\n ".join(steps)
        exec(source, known)  # noqa: S102  made of nothing but the names of our fields
        init = known["__init__"]
        init.__module__ = owner.__module__
        init.__qualname__ = f"{owner.__qualname__}.__init__"
        init.__annotations__ = {**owner.__annotations__, "return": None}
        return init


_SET_CLASS = vars(object)["__class__"].__set__


def _parameter(name: str, about: _Field, known: dict[str, Any]) -> str:
    if about.default_factory is not None:
        known[f"_make_{name}"] = about.default_factory
        return f"{name}=_unset"
    if about.default is _UNSET:
        return name
    known[f"_default_{name}"] = about.default
    return f"{name}=_default_{name}"


def _assignment(name: str, about: _Field) -> str:
    if about.default_factory is None:
        return f"self.{name} = {name}"
    return f"self.{name} = _make_{name}() if {name} is _unset else {name}"


# -- what every record can do -----------------------------------------------------------------


def _given(self: object) -> dict[str, Any]:
    """What the constructor needs to make the same again."""
    fields = _fields(type(self)).items()
    return {name: getattr(self, name) for name, about in fields if about.init}


def _eq(self: Any, other: Any) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    compared = self.__record_compared__
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash(self.__record_compared__(self))


def _repr(self: object) -> str:
    shown = (name for name, about in _fields(type(self)).items() if about.repr)
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({told})"


def _replaced(self: Any, /, **changes: Any) -> Any:
    return type(self)(**{**_given(self), **changes})


def _reduced(self: object) -> tuple[Any, ...]:
    return _again, (type(self), _given(self))


def _again(cls: type[T], given: Mapping[str, Any]) -> T:
    """Make a record of what was pickled."""
    return cls(**given)


def _refused(self: object, name: str, _value: object = None) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot change {type(self).__name__}.{name}")


def _underived(cls: type, /, **_words: object) -> None:
    raise TypeError(f"{cls.__name__} cannot be derived from a record")


class _DataclassFields:
    """Lets `dataclasses.replace`, `fields` and `asdict` take records, as people may expect."""

    def __get__(self, _instance: object, owner: type) -> dict[str, Field[Any]]:
        return _dataclass_fields(owner)


@cache
def _dataclass_fields(cls: Any) -> dict[str, Field[Any]]:
    import dataclasses

    told = [
        (name, cls.__annotations__[name], _dataclass_field(about))
        for name, about in _fields(cls).items()
    ]
    like: Any = dataclasses.make_dataclass(cls.__name__, told, kw_only=True)
    fields: dict[str, Field[Any]] = like.__dataclass_fields__
    return fields


def _dataclass_field(about: _Field) -> Any:
    import dataclasses

    said: dict[str, Any] = {"init": about.init, "repr": about.repr, "compare": about.compare}
    if about.default_factory is not None:
        said["default_factory"] = about.default_factory
    elif about.default is not _UNSET:
        said["default"] = about.default
    return dataclasses.field(**said)


_MUTABLE: Mapping[str, Any] = {
    "__dataclass_fields__": _DataclassFields(),
    "__eq__": _eq,
    "__hash__": None,
    "__init_subclass__": classmethod(_underived),
    "__reduce__": _reduced,
    "__replace__": _replaced,
    "__repr__": _repr,
}
_FROZEN: Mapping[str, Any] = {
    **_MUTABLE,
    "__hash__": _hash,
    "__setattr__": _refused,
    "__delattr__": _refused,
}
