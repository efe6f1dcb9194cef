"""Numbers that are compared get one unit, and as many digits as keep their differences visible.

A column of a table, or a sentence with two of a kind, is read down: "62.4 s" above "112.0 s", not
"1 min 52 s"; "12.50 MB/s" above "1250.00 MB/s".
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from advisor.basics.quantities import MINUS, UNKNOWN
from machines.arrays import Floats

_TIMES = (("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
_FROM_S = {"h": 1e5, "min": 6e3}  # below that, seconds are read more easily
_PREFIXES = ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0)
_MOST_DECIMALS, _MOST_DIGITS = 6, 9
_FEW = 64  # rows that are read one beside the other: their differences count
_SAME = 1e-9  # relative: values as close are the same


class Unit(NamedTuple):
    """One unit for many values.

    Attributes
    ----------
    name : str
        With its prefix: "ms", "MB/s"; empty: none.
    size : float
        How many of the base unit it is.
    decimals : int
        Digits after the point.
    """

    name: str
    size: float
    decimals: int

    @classmethod
    def of_times(cls, *values: Floats | float) -> Unit:
        """For times in seconds."""
        most, known = _known(values)
        name, size = next(
            (one for one in _TIMES if most >= _FROM_S.get(one[0], one[1])), ("s", 1.0)
        )
        return cls(name, size, _decimals(known / size))

    @classmethod
    def of(cls, unit: str, *values: Floats | float) -> Unit:
        """For amounts of `unit` >= 0, with the prefix of the largest."""
        most, known = _known(values)
        prefix, size = next((one for one in _PREFIXES if most >= one[1]), ("", 1.0))
        whole = not prefix and bool((known == np.rint(known)).all())
        return cls(prefix + unit, size, 0 if whole else _decimals(known / size))

    def text(self, value: float) -> str:
        """A value in this unit; a dash where there is none."""
        if not math.isfinite(value):
            return UNKNOWN
        plain = f"{value / self.size:,.{self.decimals}f}".replace("-", MINUS)
        return f"{plain} {self.name}".rstrip()

    def signed(self, value: float) -> str:
        """A difference with its sign; "0 s" where it is none at these digits."""
        if not math.isfinite(value):
            return UNKNOWN
        if round(abs(value) / self.size, self.decimals) == 0.0:
            return f"0 {self.name}"
        return self.text(value) if value < 0 else f"+{self.text(value)}"


def _known(values: tuple[Floats | float, ...]) -> tuple[float, Floats]:
    """The largest amount, and all that are above 0."""
    joined = np.concatenate([np.abs(np.atleast_1d(np.asarray(one, float))) for one in values])
    known = joined[np.isfinite(joined) & (joined > 0.0)]
    return (float(known.max()) if known.size else 0.0), known


def _decimals(known: Floats) -> int:
    """Three digits of the smallest that is not a crumb; more where few would read alike."""
    if not known.size:
        return 0
    most = float(known.max())
    least = float(known[known >= 1e-3 * most].min())
    top = min(_MOST_DECIMALS, max(0, _MOST_DIGITS - 1 - math.floor(math.log10(most))))
    decimals = min(top, max(0, 2 - math.floor(math.log10(least))))
    if known.size <= _FEW:
        apart = np.diff(np.sort(known))
        apart = apart[apart > _SAME * most]
        while decimals < min(top, 4) and apart.size and float(apart.min()) < 5.0 * 10.0**-decimals:
            decimals += 1
    return decimals
