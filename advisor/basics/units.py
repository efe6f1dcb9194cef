"""Numbers that are compared get one unit, and as many digits as keep their differences visible.

A column of a table, an axis, chips or a sentence with two of a kind are read one against the
other: "11 min 58.3 s" above "11 min 59.4 s", "12.50 MB/s" above "1250.00 MB/s".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import (
    MINUS,
    UNKNOWN,
    clock,
    duration,
    least_part_s,
    number,
    takes_prefix,
    with_unit,
)
from machines.arrays import Floats

_PARTS = (("", 1.0), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9), ("p", 1e-12))  # of a second
_MINUTE_S, _YEAR_S = 60.0, 365.25 * 86400.0
_CRUMB_S = 1e-6  # beside minutes less is nothing
_STEPS_S = (1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)  # least parts of long times
_PREFIXES = ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0)
_MOST_DECIMALS, _MOST_DIGITS = 6, 9
_FEW = 64  # rows that are read one beside the other: their differences count
_APART = 5.0  # so many last digits are two that differ
_SAME = 1e-5  # relative: no digits are spent on telling apart what is as close


@dataclass(frozen=True)
class Unit:
    """One unit for many values.

    `base`, `prefix`: "MB/s" is "B/s" with the prefix "M"; empty: none. `step_s`: above 0: times
    as `duration` writes them, with parts down to this many seconds where that is less.
    """

    base: str
    prefix: str
    size: float  # how many of the base unit it is
    decimals: int  # digits after the point
    step_s: float = 0.0

    @classmethod
    def of_times(cls, *values: Floats | float) -> Unit:
        """For times in seconds."""
        most, known = _known(values)
        if most >= 100.0 * _YEAR_S:
            return cls("years", "", _YEAR_S, _decimals(known / _YEAR_S))
        if most >= _MINUTE_S:
            return cls("s", "", 1.0, 0, _step(known))
        prefix, size = next((one for one in _PARTS if most >= one[1]), ("", 1.0))
        return cls("s", prefix, size, _decimals(known / size))

    @classmethod
    def of(cls, unit: str, *values: Floats | float) -> Unit:
        """For amounts of `unit`, with the prefix of the largest where it takes prefixes."""
        if unit == "s":
            return cls.of_times(*values)
        most, known = _known(values)
        prefix, size = next((one for one in _PREFIXES if most >= one[1]), ("", 1.0))
        if not takes_prefix(unit):
            prefix, size = "", 1.0
        whole = not prefix and bool((known == np.rint(known)).all())
        return cls(unit, prefix, size, 0 if whole else _decimals(known / size))

    @property
    def name(self) -> str:
        """With its prefix: "ms", "MB/s"; empty: none."""
        return self.prefix + self.base

    def text(self, value: float) -> str:
        """A value in this unit; a dash where there is none.

        What would read 0 and is not has a prefix of its own: "3.20 µs" in a column of seconds.
        """
        if not math.isfinite(value):
            return UNKNOWN if math.isnan(value) else number(value, self.base)
        if self.step_s >= least_part_s(abs(value)):
            return duration(value if abs(value) >= _CRUMB_S else 0.0)
        if self.step_s:
            return clock(value, self.step_s, padded=True)
        if self._rounded(value) == 0.0:
            return number(value, self.base)
        plain = f"{value / self.size:,.{self.decimals}f}".replace("-", MINUS)
        return with_unit(plain, self.name)

    def signed(self, value: float) -> str:
        """A difference with its sign; "0 s" where it is none at these digits."""
        if not math.isfinite(value):
            return UNKNOWN
        if self._rounded(value) == 0.0:
            return with_unit("0", self.name)
        return self.text(value) if value < 0 else f"+{self.text(value)}"

    def _rounded(self, value: float) -> float:
        if self.step_s:
            return round(abs(value) / self.step_s)
        return round(abs(value) / self.size, self.decimals)


def durations(*times_s: float) -> tuple[str, ...]:
    """Times of one sentence, seconds, in one unit: "11 min 58.3 s" and "11 min 59.4 s"."""
    unit = Unit.of_times(*times_s)
    return tuple(unit.text(one) for one in times_s)


def _known(values: tuple[Floats | float, ...]) -> tuple[float, Floats]:
    """The largest amount, and all that are above 0."""
    flat = [np.empty(0), *(np.abs(np.asarray(one, float)).ravel() for one in values)]
    joined = np.concatenate(flat)
    known = joined[np.isfinite(joined) & (joined > 0.0)]
    return (float(known.max()) if known.size else 0.0), known


def _step(known: Floats) -> float:
    """The usual least part of long times, or a smaller one in which few differ visibly."""
    usual, apart = least_part_s(float(known.max())), _apart(known[known >= _MINUTE_S])
    steps = (usual, *(one for one in _STEPS_S if one < usual))
    return next((one for one in steps if _APART * one <= apart), steps[-1])


def _decimals(known: Floats) -> int:
    """Three digits of the smallest that is not a crumb; more where few would read alike."""
    if not known.size:
        return 0
    top = min(_MOST_DECIMALS, max(0, _MOST_DIGITS - 1 - math.floor(math.log10(known.max()))))
    decimals = min(top, max(0, 2 - math.floor(math.log10(_least(known)))))
    apart = _apart(known)
    while decimals < top and apart < _APART * 10.0**-decimals:
        decimals += 1
    return decimals


def _least(known: Floats) -> float:
    """The smallest that is not a crumb beside the largest."""
    return float(known[known >= 1e-3 * known.max()].min())


def _apart(known: Floats) -> float:
    """The least difference of two among few; infinite where all are the same, or many."""
    if known.size > _FEW:
        return math.inf
    apart = np.diff(np.sort(known))
    return float(apart[apart > _SAME * known.max()].min(initial=math.inf))
