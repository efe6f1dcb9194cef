"""Gunther: which stage to make faster, so that more processors pay."""

from __future__ import annotations

from advisor.basics.quantities import number
from advisor.lessons.lesson import Lesson, State, Verdict, answered, figure
from advisor.studies.scaling.parameters import ScalingParameters, stated_case

_FIELD, _SPEEDUP, _ENOUGH = "demands", "speedup", 0.99


def _judge(state: State) -> Verdict:
    values = dict(state.values or {})
    before, now = _demands({}), _demands(values)
    wrong = _not_allowed(before, now)
    if wrong:
        return Verdict(False, wrong)
    gains = [_speedup(values, _halved(before, stage)) for stage in range(len(before))]
    got, was = _speedup(values, now), _speedup(values, before)
    words = f"The speedup goes from {number(was)} to {number(got)}"
    if got < _ENOUGH * max(gains):
        return Verdict(False, f"{words}; one of the stages gives more: which one is always busy?")
    other = number(sorted(gains)[-2])
    return Verdict(
        True,
        f"Right: {words[0].lower()}{words[1:]}. Halving any other stage gives {other} at most.",
    )


def _not_allowed(before: tuple[float, ...], now: tuple[float, ...]) -> str:
    """What the change is not: one stage that is faster, by half at most; empty: it is."""
    if len(now) != len(before):
        return f"There are {len(before)} stages: keep all of them."
    faster = [k for k, (old, new) in enumerate(zip(before, now, strict=True)) if new != old]
    if not faster:
        return "All stages still take what they did."
    if len(faster) > 1 or now[faster[0]] > before[faster[0]]:
        return "Make one stage faster, and leave the others as they are."
    return "By half at most, please." if now[faster[0]] < before[faster[0]] / 2 else ""


def _demands(values: dict[str, object]) -> tuple[float, ...]:
    """Of the stages, in cycles."""
    return stated_case(ScalingParameters(**values)).machine.demands  # type: ignore[arg-type]


def _halved(demands: tuple[float, ...], stage: int) -> tuple[float, ...]:
    return tuple(d / 2 if k == stage else d for k, d in enumerate(demands))


def _speedup(values: dict[str, object], demands: tuple[float, ...]) -> float:
    text = ", ".join(f"{one:.17g}" for one in demands)
    return figure(answered("scaling", values, **{_FIELD: text}), _SPEEDUP)


LESSON = Lesson(
    "scaling",
    "The stage that is always busy",
    "Gunther 2002, 2008",
    "Make one stage faster, by half at most, so that the best speedup grows most.",
    _judge,
    asked=(_FIELD,),
    study="scaling",
)
