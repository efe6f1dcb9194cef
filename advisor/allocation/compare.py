"""Plans side by side on common axes, with signed differences and the Pareto front."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.spread import alike
from advisor.basics.rounding import ALIKE
from machines import InputError


@dataclass(frozen=True, eq=False)
class Row:
    """One plan of a comparison.

    Attributes
    ----------
    makespan_s, total_s : float
        Both objectives.
    breakdown_s : dict
        Cause → seconds; sums to `total_s`.
    utilisation : tuple of float
        Busy share of every machine's cores.
    gap : float
        value/bound − 1 of the objective asked for.
    makespan_difference_s, total_difference_s : float
        Against the first plan; negative is better.
    on_front : bool
        No other plan is at least as good in both objectives and better in one.
    busiest, busy_share : str and float
        The link, direction or switch that transfers used most, and its mean load; "" and 0 where
        nothing is shared.
    endless_s : float
        The makespan on an endless network, where each transfer has it to itself.
    sharing : {"fair", "none"}
        Which timeline it rests on.
    """

    name: str
    plan: Plan
    prediction: Prediction
    makespan_s: float
    total_s: float
    breakdown_s: dict[str, float]
    utilisation: tuple[float, ...]
    gap: float
    makespan_difference_s: float
    total_difference_s: float
    on_front: bool
    busiest: str
    busy_share: float
    endless_s: float
    sharing: str

    def difference_s(self, objective: str) -> float:
        """The signed difference of that objective against the first plan."""
        return self.makespan_difference_s if objective == MAKESPAN else self.total_difference_s

    def alike_to(self, other: Row, objective: str) -> bool:
        """Whether the two differ in that objective by no more than the model's own error."""
        return alike(self.prediction.value_s(objective), other.prediction.value_s(objective))


def compare(
    problem: Problem, named_plans: Iterable[tuple[str, Plan]], objective: str = MAKESPAN
) -> tuple[Row, ...]:
    """Predict every plan and set it against the first.

    Parameters
    ----------
    problem : Problem
        The question that all plans answer.
    named_plans : iterable of (name, plan)
        In the order of the rows.
    objective : str
        "makespan" or "total": the one that `gap` is of.

    Raises
    ------
    InputError
        Unknown objective.
    InfeasibleError
        One of the plans can't run; the message names it.
    """
    if objective not in OBJECTIVES:
        raise InputError("unknown objective", value=objective, remedy="Use makespan or total")
    named = [(name, predict(problem, plan)) for name, plan in named_plans]
    values = [(prediction.makespan_s, prediction.total_s) for _, prediction in named]
    front = pareto_front(values)
    return tuple(
        Row(
            name=name,
            plan=prediction.plan,
            prediction=prediction,
            makespan_s=prediction.makespan_s,
            total_s=prediction.total_s,
            breakdown_s=prediction.breakdown_s,
            utilisation=tuple(prediction.utilisation.tolist()),
            gap=prediction.gap(objective),
            makespan_difference_s=prediction.makespan_s - values[0][0],
            total_difference_s=prediction.total_s - values[0][1],
            on_front=on_front,
            busiest="" if (use := prediction.busiest) is None else use.name,
            busy_share=0.0 if use is None else use.busy_share,
            endless_s=_endless(prediction),
            sharing=prediction.sharing,
        )
        for (name, prediction), on_front in zip(named, front, strict=True)
    )


def _endless(prediction: Prediction) -> float:
    found = prediction.endless_s
    return prediction.makespan_s if found is None else found


def pareto_front(values: list[tuple[float, float]]) -> list[bool]:
    """For every pair (makespan, total) whether no other pair dominates it.

    One dominates another when it is nowhere worse and somewhere better, beyond rounding.
    """
    return [not any(_dominates(other, one) for other in values) for one in values]


def _dominates(one: tuple[float, float], other: tuple[float, float]) -> bool:
    slack = [ALIKE * max(abs(a), abs(b)) for a, b in zip(one, other, strict=True)]
    nowhere_worse = all(a <= b + s for a, b, s in zip(one, other, slack, strict=True))
    return nowhere_worse and any(a < b - s for a, b, s in zip(one, other, slack, strict=True))
