"""Long tuples of alike records pickle by columns, which is quick to write and to read.

One by one, a hundred thousand records take a pickler 0.2 s, and its memory of what it has met grows
so large that to move it keeps the interpreter from other threads for 20 ms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

_FEW = 100  # records that are as quick one by one
_PIECE = 2000  # values that are written without letting other threads in: some 0.3 ms


class InColumns:
    """Base of frozen dataclasses that hold long tuples of records, which have slots."""

    def __getstate__(self) -> dict[str, object]:
        return {name: _packed(value) for name, value in dict(vars(self)).items()}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(
            (name, value.records() if isinstance(value, _Columns) else value)
            for name, value in state.items()
        )


class _Piece(tuple[object, ...]):
    """Some values; a pickler that meets one asks Python, where other threads are let in."""

    def __reduce__(self) -> tuple[type, tuple[tuple[object, ...]]]:
        return _Piece, (tuple(self),)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The fields of `count` records of a class: the values of each, or what all have."""

    kind: type
    count: int
    several: dict[str, list[_Piece]]
    common: dict[str, object]

    def records(self) -> tuple[object, ...]:
        """As they were."""
        made: tuple[object, ...] = tuple(map(object.__new__, repeat(self.kind, self.count)))
        columns: dict[str, Iterable[object]] = {
            **{name: chain.from_iterable(pieces) for name, pieces in self.several.items()},
            **{name: repeat(value, self.count) for name, value in self.common.items()},
        }
        for name, values in columns.items():
            slot: Any = getattr(self.kind, name)
            deque(map(slot.__set__, made, values), 0)
        return made


def _packed(value: object) -> object:
    """Columns, where these are many records of one class."""
    if not isinstance(value, tuple) or len(value) < _FEW:
        return value
    kinds = set(map(type, value))
    kind = kinds.pop()
    if kinds or not hasattr(kind, "__dataclass_fields__") or "__slots__" not in vars(kind):
        return value
    several, common = {}, {}
    for name in (field.name for field in fields(kind)):
        column = list(map(attrgetter(name), value))
        if column[0] is column[-1] and len(set(map(id, column))) == 1:
            common[name] = column[0]
        else:
            several[name] = [
                _Piece(column[begin : begin + _PIECE]) for begin in range(0, len(column), _PIECE)
            ]
    return _Columns(kind, len(value), several, common)
