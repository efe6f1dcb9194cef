"""What each kind of decision contributes to the gain of a plan, and what it alone would have given.

From the present plan the kinds that differ are taken over one after the other, at every step the
one that then saves most; where none of them saves anything by itself, the two that do so together,
else all that are left. Their gains add up to that of the plan. Each is also tried alone. Where the
two differ, decisions help or stand in the way of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.basics.quantities import percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.decisions.decision import Decision
from advisor.decisions.registry import differing
from machines import InputError, PlacewiseError

Kinds = tuple[Decision, ...]

_NAMED = 2  # subjects whose new value is named


@dataclass(frozen=True)
class DecisionGain:
    """What one kind of decision saves; of several, where none of them saves anything by itself.

    `alone_s`: seconds that it alone would save; ``None``: alone it can't run, or there are several.
    """

    names: tuple[str, ...]  # the kinds
    words: str  # what is decided: "Message style of FFT: asynchronous long non-blocking"
    gain_s: float  # seconds saved after the kinds before it; below 0: it costs that much
    alone_s: float | None


def gains_by_decision(
    problem: Problem, objective: str, current: Plan, plan: Plan
) -> tuple[DecisionGain, ...]:
    """The kinds in which a plan differs from the present one, what saves most first.

    The gains sum to what the plan saves against the present plan; none if that can't run.
    """
    now_s = _value(problem, objective, current)
    if now_s is None:
        return ()
    left = differing(problem, current, plan)

    def saved(here: Plan, kinds: Kinds, here_s: float) -> float | None:
        value_s = _value(problem, objective, _with(here, kinds, plan))
        return None if value_s is None else here_s - value_s

    alone = {one.name: saved(current, (one,), now_s) for one in left}
    found, here, here_s = [], current, now_s
    while left:
        taken, gain_s = _next(left, partial(saved, here, here_s=here_s), now_s)
        names = tuple(one.name for one in taken)
        words = "; ".join(_words(problem, one, current, plan) for one in taken)
        single = alone[names[0]] if len(names) == 1 else None
        found.append(DecisionGain(names, words, gain_s, single))
        here, here_s = _with(here, taken, plan), here_s - gain_s
        left = tuple(one for one in left if one not in taken)
    return tuple(found)


def _next(left: Kinds, saved: Callable[[Kinds], float | None], now_s: float) -> tuple[Kinds, float]:
    """What is taken over next, and what it saves: a kind, two of them, or all that are left."""
    every = saved(left) or 0.0
    for size in range(1, min(len(left), 3)):
        able = [(gain_s, kinds) for kinds in combinations(left, size)
                if (gain_s := saved(kinds)) is not None]  # fmt: skip
        gain_s, kinds = max(able, key=lambda pair: pair[0], default=(-1.0, left))
        if gain_s >= -ALIKE * now_s:
            return kinds, gain_s
    return left, every


def gains_sentence(gains: Sequence[DecisionGain], now_s: float) -> str:
    """The gains in one sentence: "By decision: allocation −31 %, message style −8 % (alone −2 %)".

    Empty where only one kind differs.
    """
    if sum(len(one.names) for one in gains) < 2 or now_s <= 0.0:
        return ""
    return f"By decision: {', '.join(_said(one, now_s) for one in gains)}."


def _said(one: DecisionGain, now_s: float) -> str:
    share = signed_share(one.gain_s / now_s)
    name = " and ".join(one.names)
    if len(one.names) > 1:
        return f"{name} together {share} (none of them alone)"
    if one.alone_s is None:
        return f"{name} {share} (alone it can't run)"
    alone = signed_share(one.alone_s / now_s)
    return f"{name} {share}" if alone == share else f"{name} {share} (alone {alone})"


def signed_share(share: float) -> str:
    """A share that is saved, as what becomes of the time: "−31 %"."""
    text = percent(abs(share))
    if text == percent(0.0):
        return text
    return f"−{text}" if share > 0 else f"+{text}"


def _words(problem: Problem, kind: Decision, current: Plan, plan: Plan) -> str:
    """What the plan decides otherwise than the present one."""
    subjects = kind.differing(problem, current, plan)
    said = kind.said(problem, kind.values(problem, plan), subjects[:_NAMED])
    more = len(subjects) - len(said)
    return f"{kind.title}: " + "; ".join(said) + (f"; {more:,} more" if more else "")


def _with(plan: Plan, kinds: Sequence[Decision], other: Plan) -> Plan:
    for one in kinds:
        plan = one.taken(plan, other)
    return plan


def _value(problem: Problem, objective: str, plan: Plan) -> float | None:
    """What a plan reaches; None where it can't run."""
    try:
        value_s = reached_s(problem, objective, plan)
    except InputError:
        return None
    return value_s if value_s < float("inf") else None


# What a plan would reach with one kind of decision of another plan, each kind taken over alone.


@dataclass(frozen=True)
class AdoptedGain:
    """One kind of decision as in another plan, all else as it is."""

    kind: Decision
    value_s: float | None  # seconds of the objective that the plan then reaches; None: it can't run
    reason: str = ""  # why it can't; empty where it can


def takings(
    problem: Problem, objective: str, plan: Plan, other: Plan, should_stop: ShouldStop
) -> tuple[AdoptedGain, ...]:
    """The kinds in which two plans differ, each taken over alone; fewer where it was stopped."""
    found = []
    for kind in differing(problem, plan, other):
        if should_stop():
            break
        found.append(_taking(problem, objective, plan, other, kind))
    return tuple(found)


def _taking(
    problem: Problem, objective: str, plan: Plan, other: Plan, kind: Decision
) -> AdoptedGain:
    try:
        value_s = predict(problem, kind.taken(plan, other)).value_s(objective)
    except PlacewiseError as error:
        return AdoptedGain(kind, None, str(error))
    return AdoptedGain(kind, value_s)
