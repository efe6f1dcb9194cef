"""Which rows of a campaign are looked at."""

from __future__ import annotations

from dataclasses import dataclass


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
