"""Plans side by side on common axes, with signed differences against the first.

What a table of them shows is in `advisor.allocation.traits`, which of them are worth a look in
`advisor.allocation.measures`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.spending import Spending, spending
from advisor.allocation.spread import alike
from machines import InputError


@dataclass(frozen=True, eq=False)
class Row:
    """One plan of a comparison.

    Attributes
    ----------
    problem : Problem
        The question that the plan answers.
    first : Plan
        The plan that it is set against.
    makespan_s, total_s : float
        Both objectives.
    spent : Spending
        Machines, processors, money and energy that it takes.
    breakdown_s : dict
        Cause → seconds; sums to `total_s`.
    utilisation : tuple of float
        Busy share of every machine's cores.
    gap : float
        value/bound − 1 of the objective asked for.
    makespan_difference_s, total_difference_s : float
        Against the first plan; negative is better.
    busiest, busy_share : str and float
        The link, direction or switch that transfers used most, and its mean load; "" and 0 where
        nothing is shared.
    endless_s : float
        The makespan without network contention, where each transfer has it to itself.
    sharing : {"fair", "none"}
        Which timeline it rests on.
    """

    name: str
    problem: Problem
    first: Plan
    plan: Plan
    prediction: Prediction
    makespan_s: float
    total_s: float
    spent: Spending
    breakdown_s: dict[str, float]
    utilisation: tuple[float, ...]
    gap: float
    makespan_difference_s: float
    total_difference_s: float
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
    first = named[0][1] if named else None
    return tuple(
        Row(
            name=name,
            problem=problem,
            first=first.plan,
            plan=prediction.plan,
            prediction=prediction,
            makespan_s=prediction.makespan_s,
            total_s=prediction.total_s,
            spent=spending(problem, prediction),
            breakdown_s=prediction.breakdown_s,
            utilisation=tuple(prediction.utilisation.tolist()),
            gap=prediction.gap(objective),
            makespan_difference_s=prediction.makespan_s - first.makespan_s,
            total_difference_s=prediction.total_s - first.total_s,
            busiest="" if (use := prediction.busiest) is None else use.name,
            busy_share=0.0 if use is None else use.busy_share,
            endless_s=_endless(prediction),
            sharing=prediction.sharing,
        )
        for name, prediction in named
        if first is not None
    )


def _endless(prediction: Prediction) -> float:
    found = prediction.endless_s
    return prediction.makespan_s if found is None else found
