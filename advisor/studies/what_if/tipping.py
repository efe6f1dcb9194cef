"""One sentence: which of the figures that nobody told would make another plan best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import monotonic

from advisor.advice.assumptions import Assumption
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count
from advisor.basics.stop_rule import ShouldStop
from advisor.studies.what_if.run import Tornado, WhatIfParameters, run
from advisor.studies.what_if.sides import Side
from machines.errors import capital

_MOST_S = 3.0
_SEARCH_S = 0.5


def tipping(
    problem: Problem, plan: Plan, kinds: Sequence[str], objective: str = MAKESPAN,
    should_stop: ShouldStop = lambda: False,
) -> str:  # fmt: skip
    """Each figure of these kinds from half to twice its value; empty: time was up, or no kinds.

    The figure that is nearest to its border is named, as a ratio to its value now.
    """
    if not kinds:
        return ""
    end = monotonic() + _MOST_S
    asked = WhatIfParameters(problem, objective, 2.0, _SEARCH_S, (plan,), tuple(kinds))
    found = run(asked, should_stop=lambda: should_stop() or monotonic() > end)
    (picture,) = found.pictures
    assert isinstance(picture, Tornado)
    borders = [
        (_way(bar.assumption, side), bar.assumption, side)
        for bar in picture.bars for side in (bar.low, bar.high) if side.flip is not None
    ]  # fmt: skip
    if borders:
        _, one, side = min(borders, key=lambda border: border[0])
        return _named(picture, one, side, len({each.key for _, each, _ in borders}) - 1)
    if not found.complete or not picture.bars:
        return ""
    return f"None of the assumed figures ({', '.join(kinds)}) tips the plan, halved or doubled."


def _way(one: Assumption, side: Side) -> float:
    """How many times more or less the border is than the value now."""
    assert side.flip is not None
    if min(side.flip, one.present) <= 0.0:
        return math.inf
    return abs(math.log(side.flip / one.present))


def _named(found: Tornado, one: Assumption, side: Side, more: int) -> str:
    first = side.takeovers[0]
    name = found.names[first.best]
    also = f"; {count(more, 'more assumed figure')} could, too" if more else ""
    if side.flip == one.present:
        less = "lower" if side.end < one.present else "higher"
        return (
            f"Assumed, and decisive: {one.title}. With any {less} value another plan is best: "
            f"{name}{also}."
        )
    return (
        f"Assumed, and decisive: {one.title} ({one.words(one.present)}). "
        f"{capital(first.place(one))} another plan is best: {name}{also}."
    )
