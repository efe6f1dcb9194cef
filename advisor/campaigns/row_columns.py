"""Rows kept as columns: a hundred thousand of them in some 20 MB, none of them an object.

Numbers are arrays, NaN where a row has none. Of texts few differ: they are numbered, and each is
kept once.

What is known of a case once it is answered: a line of the results.

A row follows from its case alone, so that it is the same wherever and whenever it is computed;
how long that took is measured beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from operator import attrgetter
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Indices


@dataclass(frozen=True)
class Row:
    """One case with its answer; the fields are the columns of `results.csv`, in this order.

    `tasks`, `flows`, `machines`: the size of the instance; 0 where the question has none.
    `ccr`: communication to computation ratio: mean time of a transfer between different machines
        over mean time of a task on a machine (Topcuoglu, Hariri & Wu 2002, sec. 5.1).
    `heterogeneity`: mean over tasks of the coefficient of variation of their times over the
        machines.
    `platform`, `load`: the machines, and who computes there already ("desk-1 2"; empty: as the
        platform says).
    `sharing`, `strategy`, `objective`: as of `advise`.
    `value`, `bound`, `gap`: what was reached, in `unit`, the best proved bound over all plans, and
        value/bound − 1.
    """

    case: int  # its number in the campaign, from 0
    study: str  # the question: "allocation", or the name of a study
    workload: str  # its file, or the generator with its settings; of a study its settings
    generator: str  # the generator's name; empty: a file
    tasks: int
    flows: int
    machines: int
    ccr: float | None
    heterogeneity: float | None
    seed: int  # of the generator, and of random moves
    platform: str
    load: str
    sharing: str
    strategy: str
    objective: str
    seconds: float  # effort that the search was asked to take
    value: float | None
    unit: str
    bound: float | None
    gap: float | None
    proved: bool  # whether no plan is better
    steps: int  # effort that the search took, in placements of a task
    warnings: tuple[str, ...] = ()
    error: str = ""  # why there is no answer; empty: there is one


COLUMNS = tuple(field.name for field in fields(Row))


Numbers: TypeAlias = NDArray[Any]  # float64, int64 or bool, as the field is

_TYPES = {"int": np.int64, "float": np.float64, "float | None": np.float64, "bool": np.bool_}
_KINDS = {field.name: str(field.type) for field in fields(Row)}
NUMBERS = tuple(name for name in COLUMNS if _KINDS[name] in _TYPES)
TEXTS = tuple(name for name in COLUMNS if name not in NUMBERS)
_AT_ONCE = 500  # rows that are turned in one step, during which no other thread goes on
_all_of = attrgetter(*COLUMNS)


@dataclass(frozen=True, eq=False)
class Numbered:
    """A column of which few values differ."""

    places: Indices  # shape (rows,); which of the values each row has
    values: tuple[object, ...]  # each once; some may be of no row

    def of_rows(self) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
        """The value of every row."""
        values = np.empty(len(self.values), dtype=object)
        values[:] = self.values
        return values[self.places]

    def distinct(self) -> tuple[object, ...]:
        """Those that some row has, in the order in which they first occur."""
        found, first = np.unique(self.places, return_index=True)
        return tuple(self.values[place] for place in found[np.argsort(first)].tolist())


Column: TypeAlias = Numbers | Numbered


@dataclass(frozen=True, eq=False)
class Rows(Sequence[Row]):
    """A sequence of rows, made as they are asked for."""

    columns: dict[str, Column]  # by name, in the order of `COLUMNS`

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Rows:
        """The same rows as columns."""
        if isinstance(rows, Rows):
            return rows
        return _EMPTY.extended(rows)

    def extended(self, more: Iterable[Row]) -> Rows:
        """These and more of them; takes as long as it takes to copy these, some ms."""
        told: list[list[object]] = [[] for _ in COLUMNS]
        rows = iter(more)
        while block := list(islice(rows, _AT_ONCE)):
            for column, values in zip(told, zip(*map(_all_of, block), strict=True), strict=True):
                column.extend(values)
        if not told[0]:
            return self
        added = dict(zip(COLUMNS, told, strict=True))
        return Rows({name: _joined(name, self.columns[name], added[name]) for name in COLUMNS})

    def taken(self, places: NDArray[np.integer]) -> Rows:
        """Those at some places, in that order."""
        return Rows({name: _taken(one, places) for name, one in self.columns.items()})

    def __len__(self) -> int:
        return len(self.number("case"))

    def __iter__(self) -> Iterator[Row]:
        return map(Row, *(_values(name, one) for name, one in self.columns.items()))

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Rows: ...
    def __getitem__(self, place: int | slice) -> Row | Rows:
        places = np.arange(len(self))[place]
        if isinstance(place, slice):
            return self.taken(places)
        return next(iter(self.taken(np.array([places]))))

    def number(self, name: str) -> Numbers:
        """A column of numbers, as they are kept."""
        column = self.columns[name]
        assert not isinstance(column, Numbered), name
        return column

    def numbered(self, name: str) -> Numbered:
        """A column of texts; of `warnings`, tuples of texts."""
        column = self.columns[name]
        assert isinstance(column, Numbered), name
        return column


def _joined(name: str, before: Column, more: Sequence[object]) -> Column:
    if isinstance(before, Numbered):
        known = {value: place for place, value in enumerate(before.values)}
        places = [known.setdefault(value, len(known)) for value in more]
        joined = np.concatenate((before.places, np.array(places, dtype=np.int32)))
        return Numbered(_fixed(joined), tuple(known))
    given = [np.nan if one is None else one for one in more]
    return _fixed(np.concatenate((before, np.array(given, dtype=_TYPES[_KINDS[name]]))))


def _taken(column: Column, places: NDArray[np.integer]) -> Column:
    if isinstance(column, Numbered):
        return Numbered(_fixed(column.places[places]), column.values)
    return _fixed(column[places])


def _values(name: str, column: Column) -> Iterable[object]:
    """As rows have them."""
    if isinstance(column, Numbered):
        return column.of_rows()
    values: list[object] = column.tolist()
    if _KINDS[name] == "float | None":
        return (None if one != one else one for one in values)  # noqa: PLR0124 - NaN
    return values


def _fixed(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


_EMPTY = Rows(
    {
        name: _fixed(np.zeros(0, dtype=_TYPES[_KINDS[name]]))
        if name in NUMBERS
        else Numbered(_fixed(np.zeros(0, dtype=np.int32)), ())
        for name in COLUMNS
    }
)
