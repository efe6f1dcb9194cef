"""A bar of *What if*: an assumption on its way to both ends, and the plans that take over there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from advisor.advice.assumptions import Assumption
from advisor.allocation.objectives import SPREAD
from advisor.basics.rounding import ALIKE
from advisor.studies.what_if.competing_plans import Contest
from machines.arrays import Floats

_STEPS = (0.25, 0.5, 0.75, 1.0)  # shares of the way to an end
_HALVINGS = 12  # to 1/16,384 of the way: more digits than are told


@dataclass(frozen=True)
class Takeover:
    """A plan that is best from a value of the assumption on.

    `best`: position in the plans. `start`: the value; the present one where both tie now.
    `kept_s`: what the kept plan takes there. `end`: of the side.
    """

    best: int
    start: float
    kept_s: float
    end: float

    def place(self, one: Assumption) -> str:
        """Where it is best: "below 1.85", "with 3"."""
        if self.start == one.present:
            return "now: a tie"
        if one.is_whole:
            return f"with {one.words(self.start)}"
        return f"{'below' if self.end < one.present else 'above'} {one.words(self.start)}"


@dataclass(frozen=True)
class Side:
    """What happens when an assumption goes to one end.

    `value_s`: what the kept plan then takes; infinite: it can't run. `best_s`: what the best plan
    there takes. `takeovers`: the plans that are best on the way, in its order; none: the kept one.
    """

    end: float
    value_s: float
    best_s: float = math.nan
    takeovers: tuple[Takeover, ...] = ()

    @property
    def flip(self) -> float | None:
        """The value beyond which another plan is best; None: the kept one stays best."""
        return self.takeovers[0].start if self.takeovers else None


@dataclass(frozen=True)
class Bar:
    """One assumption, to its lowest and to its highest value."""

    assumption: Assumption
    low: Side
    high: Side

    @property
    def plans(self) -> frozenset[int]:
        """Positions of the plans that are best somewhere on it, beside the kept one."""
        return frozenset(one.best for side in (self.low, self.high) for one in side.takeovers)

    def renumbered(self, places: Mapping[int, int]) -> Bar:
        """The same with other positions of the plans."""
        low, high = (
            replace(
                side,
                takeovers=tuple(replace(one, best=places[one.best]) for one in side.takeovers),
            )
            for side in (self.low, self.high)
        )
        return replace(self, low=low, high=high)

    def swing_s(self, present_s: float) -> float:
        """How far the makespan goes; infinite where the plan can't run."""
        values = (present_s, self.low.value_s, self.high.value_s)
        return max(values) - min(values)


def side_of(contest: Contest, one: Assumption, end: float) -> Side:
    """Walk to an end; where another plan is better by more than the model's error, narrow down."""
    at_end = contest.at(one, end)
    if math.isclose(end, one.present):
        return Side(end, float(at_end[0]), float(at_end[0]))
    takeovers: list[Takeover] = []
    holder, since = 0, one.present
    for share in (1.0,) if one.is_whole else _STEPS:
        value = one.present + share * (end - one.present)
        there = contest.at(one, value)
        while _beaten(there, SPREAD, holder):
            if one.is_whole or len(takeovers) >= len(contest.plans):  # back and forth: enough
                before = since = value
            else:
                before, since = _narrowed(contest, one, holder, since, value)
            holder = int(np.argmin(contest.at(one, since)))
            start = one.present if before == one.present else since
            kept_s = float(contest.at(one, before)[0])
            takeovers.append(Takeover(holder, start, kept_s, end))
    return Side(end, float(at_end[0]), float(at_end[holder]), tuple(takeovers))


def _narrowed(
    contest: Contest, one: Assumption, holder: int, held: float, lost: float
) -> tuple[float, float]:
    """The last value at which a plan is best, and the first at which another one is."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (held + lost)
        if _beaten(contest.at(one, middle), ALIKE, holder):
            lost = middle
        else:
            held = middle
    return held, lost


def _beaten(values: Floats, slack: float, holder: int) -> bool:
    """Whether another plan is better by more than a share than one of them."""
    best = float(values.min())
    return math.isfinite(best) and best < values[holder] * (1.0 - slack)
