"""The answers of a campaign as columns, for statistics and tables of a hundred thousand rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.campaigns.generators.registry import GENERATORS
from advisor.campaigns.row_columns import NUMBERS, TEXTS, Numbered, Row, Rows
from advisor.search.titles import title_of
from machines.arrays import Flags, Floats, Indices
from machines.stopping import ask

Texts = np.ndarray[tuple[int], np.dtype[np.object_]]
INSTANCE = ("study", "workload", "seed", "platform", "load", "sharing", "objective")
"""What strategies are compared on: all of the question but the strategy."""
TITLED: dict[str, Callable[[str], str]] = {
    "strategy": title_of,
    "sharing": lambda name: SHARING_WORDS.get(name, name),
    "generator": lambda name: GENERATORS[name].title if name in GENERATORS else name,
}
"""Columns whose names people read as titles."""


@dataclass(frozen=True, eq=False)
class Results:
    """Rows of one campaign, in the order of their cases or as they came, with the time of each."""

    rows: Sequence[Row]  # kept as columns: a row is made when it is asked for
    took_s: Floats  # measured seconds of every row; NaN: not known

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", Rows.of(self.rows))
        object.__setattr__(self, "took_s", np.asarray(self.took_s, dtype=np.float64))

    def __len__(self) -> int:
        return len(self.took_s)

    @property
    def columns(self) -> Rows:
        """The rows, which are columns."""
        assert isinstance(self.rows, Rows)
        return self.rows

    def extended(self, rows: Sequence[Row], took_s: Sequence[float]) -> Results:
        """These and what came since; best called with some at once, as these are copied."""
        return Results(self.columns.extended(rows), np.concatenate((self.took_s, took_s)))

    def numbers(self, column: str) -> Floats:
        """A column of numbers; NaN where a row has none."""
        return np.asarray(self.columns.number(column), dtype=np.float64)

    def texts(self, column: str) -> Texts:
        """A column of texts."""
        return self.numbered(column).of_rows()

    def numbered(self, column: str) -> Numbered:
        """A column of texts, each of which is kept once."""
        return self.columns.numbered(column)

    @cached_property
    def answered(self) -> Flags:
        """Whether every row has a value."""
        return ~np.isnan(self.numbers("value"))

    @cached_property
    def instances(self) -> tuple[Indices, int]:
        """Every row's question whatever the strategy, numbered from 0, and how many there are."""
        return self.grouped(INSTANCE)

    def grouped(self, names: Sequence[str]) -> tuple[Indices, int]:
        """Rows that agree in some columns have one number, from 0 as they first occur."""
        key = np.zeros(len(self), dtype=np.int64)
        for name in names:
            ask()
            is_text = name in TEXTS
            column = self.numbered(name).places if is_text else self.columns.number(name)
            many, places = _renumbered(column)
            key = _renumbered(key * many + places)[1].astype(np.int64)
        many, places = _renumbered(key, in_order=True)
        return places, many

    def distinct(self, column: str) -> tuple[object, ...]:
        """The values that some row has, in the order in which they first occur."""
        if column in TEXTS:
            return self.numbered(column).distinct()
        found, first = np.unique(self.columns.number(column), return_index=True)
        return tuple(found[np.argsort(first)].tolist())

    def matching(self, filters: Filters) -> Flags:
        """Whether each row passes; for `where`."""
        passes = np.ones(len(self), dtype=bool)
        if filters.answered is not None:
            passes &= self.answered == filters.answered
        for column, values in filters.among:
            passes &= self._is_among(column, values)
        for column, least, most in filters.between:
            numbers = self.took_s if column == "took_s" else self.numbers(column)
            passes &= (numbers >= least) & (numbers <= most)
        for word in filters.words.casefold().split():
            ask()
            passes &= self._has(word)
        return passes

    def where(self, chosen: Sequence[int] | NDArray[Any]) -> Results:
        """Some of the rows: their places, or whether each."""
        given = np.asarray(chosen)
        places = np.flatnonzero(given) if given.dtype == bool else given.astype(np.intp)
        return Results(self.columns.taken(places), self.took_s[places])

    def titled(self) -> Results:
        """The same rows, whose strategies, timelines and generators have their titles for names."""
        columns = dict(self.columns.columns)
        for column, titled in TITLED.items():
            names = self.numbered(column)
            titles = tuple(titled(str(one)) for one in names.values)
            columns[column] = Numbered(names.places, titles)
        return replace(self, rows=Rows(columns))

    def _is_among(self, column: str, values: tuple[object, ...]) -> Flags:
        if column in NUMBERS:
            return np.isin(self.numbers(column), np.array(values, dtype=np.float64))
        numbered = self.numbered(column)
        wanted = np.array([one in values for one in numbered.values], dtype=bool)
        return wanted[numbered.places]

    def _has(self, word: str) -> Flags:
        """Whether a text of each row has a word; every text is looked at once."""
        found = np.zeros(len(self), dtype=bool)
        for column in TEXTS:
            numbered = self.numbered(column)
            has = np.array([word in _read(column, one) for one in numbered.values], dtype=bool)
            if has.any():
                found |= has[numbered.places]
        return found


def _read(column: str, value: object) -> str:
    """A text, or several, as they are searched: those with titles by these, too."""
    texts = value if isinstance(value, tuple) else (str(value),)
    titles = map(TITLED[column], texts) if column in TITLED else ()
    return "\n".join((*texts, *titles)).casefold()


def _renumbered(values: np.ndarray, in_order: bool = False) -> tuple[int, Indices]:
    """How many values differ, and each one's number: by size, or `in_order` as they occur."""
    found, first, places = np.unique(values, return_index=True, return_inverse=True)
    if in_order:
        rank = np.empty(len(found), dtype=np.int32)
        rank[np.argsort(first)] = np.arange(len(found), dtype=np.int32)
        return len(found), rank[places]
    return len(found), places.astype(np.int32)


# Which rows of a campaign are looked at.


@dataclass(frozen=True)
class Filters:
    """What rows must have, all of it; the default lets every row pass.

    `among`: pairs (column, values); the column has one of the values.
    `between`: each (column, least, most); a column of numbers is in the range, ends included; rows
        without a number are not.
    """

    among: tuple[tuple[str, tuple[object, ...]], ...] = ()
    between: tuple[tuple[str, float, float], ...] = ()
    words: str = ""  # each of the words is in one of the row's texts, capital or not
    answered: bool | None = None  # whether the row has a value; None: either
