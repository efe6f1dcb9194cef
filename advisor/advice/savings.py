"""What one plan saves against another, by cause."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.allocation.objectives import MAKESPAN, WITHIN, alike
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.basics.causes import CAUSES, IDLE
from advisor.basics.quantities import duration
from advisor.basics.rounding import ALIKE


@dataclass(frozen=True)
class Saving:
    """What the recommended plan saves against another.

    `value_s`, `saved_s`: the other plan's objective, and how much less the recommended one takes.
    `by_cause_s`: pairs (cause, seconds); signed, positive saved; sums to `saved_s`. For the
        makespan along the critical paths.
    `sentence`: "Saves 10.0 s against the present allocation: waiting for the processor 32.0 s less,
        …".
    """

    against: str  # "the present allocation", or the strategy or allocation of the runner-up
    plan: Plan
    value_s: float
    saved_s: float
    by_cause_s: tuple[tuple[str, float], ...]
    sentence: str


def saving(against: str, objective: str, chosen: Prediction, other: Prediction) -> Saving:
    """What `chosen` saves against `other`, by cause.

    `against`: name of the other plan in the sentence. `objective`: "makespan": causes along both
    critical paths; "total": of all tasks and transfers.
    """
    before, after = _by_cause(other, objective), _by_cause(chosen, objective)
    value_s = other.value_s(objective)
    saved_s = value_s - chosen.value_s(objective)
    causes = [cause for cause in (*CAUSES, IDLE) if cause in before or cause in after]
    differences = [(cause, before.get(cause, 0.0) - after.get(cause, 0.0)) for cause in causes]
    rounding = ALIKE * max(value_s, chosen.value_s(objective))
    by_cause = tuple((cause, gain) for cause, gain in differences if abs(gain) > rounding)
    words = [
        f"{cause} {duration(abs(gain))} {'less' if gain > 0 else 'more'}"
        for cause, gain in sorted(by_cause, key=lambda one: -abs(one[1]))
    ]
    if abs(saved_s) <= rounding:
        verb = f"Ties with {against}"
    elif alike(value_s, value_s - saved_s):
        less = "less" if saved_s > 0 else "more"
        verb = f"Ties with {against} {WITHIN} ({duration(abs(saved_s))} {less})"
    elif saved_s > 0:
        verb = f"Saves {duration(saved_s)} against {against}"
    else:
        verb = f"Takes {duration(-saved_s)} longer than {against}"
    sentence = f"{verb}: {', '.join(words)}." if words else f"{verb}."
    return Saving(against, other.plan, value_s, saved_s, by_cause, sentence)


def _by_cause(prediction: Prediction, objective: str) -> dict[str, float]:
    if objective == MAKESPAN:
        return prediction.critical_breakdown_s
    return prediction.breakdown_s
