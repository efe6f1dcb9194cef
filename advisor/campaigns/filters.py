"""Which rows of a campaign are looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Filters:
    """What rows must have, all of it; the default lets every row pass.

    Attributes
    ----------
    among : tuple of (column, values)
        The column has one of the values.
    between : tuple of (column, least, most)
        A column of numbers is in the range, ends included; rows without a number are not.
    words : str
        Each of the words is in one of the row's texts, capital or not.
    answered : bool or None
        Whether the row has a value; None: either.
    """

    among: tuple[tuple[str, tuple[object, ...]], ...] = ()
    between: tuple[tuple[str, float, float], ...] = ()
    words: str = ""
    answered: bool | None = None
