"""The numbers of processors that can be named, each with the throughput that can be promised.

A measured number has its measured throughput. One between has that of the laws' mean, only where
the measurements don't contradict the laws, and never less than a measured number below it has.
Where every law is contradicted, measured numbers alone can be named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.scaling.averaged import Averaged
from advisor.scaling.data import Measurements
from advisor.studies.scaling.processor_choice import (
    BUDGET,
    CLOSE,
    POWER,
    TIME,
    ChosenProcessors,
)
from advisor.studies.scaling.runnable import Runnable
from machines.arrays import Floats
from machines.errors import InputError

_NUMBERS = 20_000  # up to so many each number of processors is looked at


@dataclass(frozen=True, eq=False)
class Candidates:
    """Numbers in increasing order with their throughputs; arrays of one shape."""

    numbers: Floats
    rates: Floats
    measured: NDArray[np.bool_]
    base: tuple[int, float]  # what speedups are against: P and its throughput
    slack: float  # of the best measured throughput, by its repetitions

    @property
    def last(self) -> int:
        """The largest number."""
        return int(self.numbers[-1])

    @property
    def grows(self) -> bool:
        """Whether the largest number is the fastest, clearly."""
        before = self.rates[:-1].max(initial=0.0)
        return bool(self.rates[-1] > before and self.numbers.size > 1)

    def at(self, place: int, purpose: str, *, at_end: bool = False) -> ChosenProcessors:
        """One of them as a choice."""
        P, X = self.base
        return ChosenProcessors(
            purpose, int(self.numbers[place]), float(self.rates[place]) / X, at_end,
            P, bool(self.measured[place]),
        )  # fmt: skip

    def choices(self, affordable: int | None) -> tuple[ChosenProcessors, ...]:
        """The best time, the best efficiency × speed, and the best time within a budget."""
        power = int(np.argmax(self.rates**2 / self.numbers))
        fastest = self._fewest(self.numbers.size)
        found = [
            self.at(fastest, TIME, at_end=self._is_last(fastest, self.numbers.size)),
            self.at(power, POWER, at_end=power + 1 == self.numbers.size),
        ]
        if affordable is not None:
            paid = int(np.searchsorted(self.numbers, affordable, side="right"))
            if paid == 0:
                raise InputError(
                    "the budget buys fewer than can be named", where="setting budget",
                    value=affordable, remedy=f"The fewest are {self.numbers[0]:.0f}",
                )  # fmt: skip
            place = self._fewest(paid)
            found.append(self.at(place, BUDGET, at_end=self._is_last(place, paid)))
        return tuple(found)

    def _is_last(self, place: int, size: int) -> bool:
        return place + 1 == size or int(np.argmax(self.rates[:size])) + 1 == size

    def _fewest(self, size: int) -> int:
        """Place of the fewest within `CLOSE` of the best, and of the measured best's noise."""
        rates, known = self.rates[:size], self.rates[:size][self.measured[:size]]
        least = (1.0 - CLOSE) * float(rates.max())
        if known.size:
            least = max(least, float(known.max()) - self.slack)
        return int(np.argmax(rates >= min(least, float(rates.max()))))


@dataclass(frozen=True, eq=False)
class Promised:
    """What candidates are made of."""

    curve: Averaged  # the laws' mean
    stands: bool  # whether the measurements don't contradict it
    known: Measurements  # without slow outliers
    base: tuple[int, float]
    slack: float


def candidates(promised: Promised, last: int | None, runnable: Runnable) -> Candidates:
    """The numbers that can be named and run, up to `last` or as far as was measured."""
    P, X = promised.known.means()
    most = int(P[-1]) if last is None else last
    numbers = np.array(P[most >= P])
    if promised.stands:
        numbers = np.union1d(numbers, _between(int(P[0]), most, runnable))
    measured = np.isin(numbers, P)
    rates = _bounded(promised.curve.throughput(numbers), numbers, P, X)
    rates[measured] = X[np.isin(P, numbers)]
    beneath = np.maximum.accumulate(np.where(measured, rates, 0.0))
    named = (measured | (rates > beneath)) & runnable.fits(numbers)
    if not named.any():
        raise InputError(
            "none of the numbers that can be run can be named", where="setting runnable",
            value=runnable.text,
            remedy=f"Measured are {_listed(P)}; "
            + ("no law holds between them" if not promised.stands else f"looked at up to {most}"),
        )  # fmt: skip
    return Candidates(
        numbers[named], rates[named], measured[named], promised.base, promised.slack
    )  # fmt: skip


def _bounded(curve: Floats, numbers: Floats, P: Floats, X: Floats) -> Floats:
    """The laws' mean, no faster than both measured neighbours unless it peaks between them."""
    right = np.searchsorted(P, numbers)
    inside = (right > 0) & (right < P.size)
    after = np.minimum(right, P.size - 1)
    before = np.maximum(after - 1, 0)
    by_law = np.interp(P, numbers, curve)
    peaks = curve > np.maximum(by_law[before], by_law[after])
    most = np.maximum(X[before], X[after])
    bounded: Floats = np.where(inside & ~peaks, np.minimum(curve, most), curve)
    return bounded


def _between(first: int, most: int, runnable: Runnable) -> Floats:
    """Numbers to look at; all where they are few, and all that exist where they are listed."""
    if most - first < _NUMBERS:
        return np.arange(float(first), most + 1.0)
    spread = np.unique(np.geomspace(first, most, _NUMBERS).round())
    return np.union1d(spread, runnable.near(spread))


def _listed(P: Iterable[float]) -> str:
    return ", ".join(f"{one:.0f}" for one in P)
