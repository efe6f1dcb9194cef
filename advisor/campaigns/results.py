"""The answers of a campaign as columns, for statistics and tables of a hundred thousand rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.campaigns.row import Row
from machines.arrays import Flags, Floats, Indices

Texts = np.ndarray[tuple[int], np.dtype[np.object_]]


@dataclass(frozen=True, eq=False)
class Results:
    """Rows of one campaign, in the order of their cases, with the time that each took.

    Attributes
    ----------
    rows : tuple of Row
    took_s : array of float
        Measured seconds of every row; NaN: not known.
    """

    rows: tuple[Row, ...]
    took_s: Floats

    def numbers(self, column: str) -> Floats:
        """A column of numbers; NaN where a row has none."""
        return np.array(
            [np.nan if (value := getattr(row, column)) is None else value for row in self.rows],
            dtype=float,
        )

    def texts(self, column: str) -> Texts:
        """A column of texts."""
        return np.array([getattr(row, column) for row in self.rows], dtype=object)

    @cached_property
    def answered(self) -> Flags:
        """Whether every row has a value."""
        return np.array([row.value is not None for row in self.rows], dtype=bool)

    @cached_property
    def instances(self) -> tuple[Indices, int]:
        """Every row's question whatever the strategy, numbered from 0, and how many there are."""
        places: dict[tuple[object, ...], int] = {}
        numbers = [places.setdefault(instance_of(row), len(places)) for row in self.rows]
        return np.array(numbers, dtype=np.int32), len(places)

    def where(self, chosen: Sequence[int] | Flags) -> Results:
        """Some of the rows: their places, or whether each."""
        places = np.flatnonzero(chosen) if np.asarray(chosen).dtype == bool else np.array(chosen)
        return Results(tuple(self.rows[place] for place in places), self.took_s[places])


def instance_of(row: Row) -> tuple[object, ...]:
    """What strategies are compared on: all of the question but the strategy."""
    return (
        row.study, row.workload, row.seed, row.platform, row.load, row.sharing, row.objective,
    )  # fmt: skip
