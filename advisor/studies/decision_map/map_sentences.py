"""A decision map in sentences, a table and JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from advisor.advice.judged_plan import Judge
from advisor.advice.plan_names import names_beside
from advisor.allocation.comparison import label
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import timeline_sentence
from advisor.basics.quantities import count, duration, percent
from advisor.decisions.instructions import start
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_odds import EVEN
from advisor.studies.decision_map.map_picture import UNKNOWN, DecisionMap, region_name
from advisor.studies.facts import Fact
from advisor.studies.study import Note, StudyResult, Table
from machines.errors import capital

BEST_NOW = "best now"
_NAMED_TASKS = 3


def name_of(problem: Problem, plan: Plan) -> str:
    """The name of the best plan at the present load, from which the others' moves are counted."""
    spread = len(set(plan.allocation)) > 1 and len(plan.allocation) > _NAMED_TASKS
    return BEST_NOW if spread else label(problem, plan.allocation)


def names_of(problem: Problem, plans: Sequence[Plan]) -> tuple[str, ...]:
    """Names of a map's plans: moves are counted from the first, the best at the present load.

    The plan on the board may be another one, so that the first is named where it is meant.
    """
    return name_of(problem, plans[0]), *names_beside(problem, plans)[1:]


def answer(parameters: DecisionMapParameters, found: DecisionMap, judge: Judge) -> StudyResult:
    """The map so far in a sentence, reasons and a table."""
    best = f"{found.labels[0]} is best at the present load"
    if found.labels[0] == BEST_NOW:
        best = f"{start(parameters.problem, found.plans[0])}: that is best at the present load"
    others = len(found.plans) - 1
    rows = tuple(
        (region_name(index), name, 100.0 * share, *_span(found, index))
        for index, (name, share) in enumerate(zip(found.labels, found.shares(), strict=True))
    )
    notes = []
    if found.unmoved and not others:
        loads = count(found.unmoved, "load")
        text = f"Varied {loads} over the whole range, one by one: the plan stays best."
        notes.append(Note(True, text))
    x_range, y_range = (
        load.ranging(float(values[0]), float(values[-1]))
        for load, values in ((found.x, found.x_values), (found.y, found.y_values))
    )
    notes.append(Note(found.exact, judge.compared(f"{x_range} with {y_range}")))
    points = len(found.x_values)
    if points < parameters.points:
        notes.append(Note(False, _fewer_points(points, parameters, judge)))
    if found.odds is not None:
        even = float(np.mean(found.odds[found.region != UNKNOWN] < EVEN))
        text = "Colour fades where the odds are even, with times as spread: "
        notes.append(Note(True, f"{text}under 75 % on {percent(even)} of the map."))
    notes += [Note(False, text) for text in parameters.problem.costs.warnings]
    x, y = (
        f"{axis.sentence(value)}"
        for axis, value in zip((found.x, found.y), found.present, strict=True)
    )
    now, tail = duration(found.present_s), _elsewhere(parameters, found)
    return StudyResult(
        headline=f"{capital(best)} ({x}, {y}; {found.objective} {now}){tail}.",
        facts=_facts(found),
        tables=(
            Table(
                f"Best allocations ({found.objective})",
                (("region", ""), ("allocation", ""), ("share", "%"), ("from", "s"), ("to", "s")),
                rows,
            ),
        ),
        reasons=(
            *(
                f"{region}, {name}: {duration(low)} to {duration(high)}."
                for region, name, _, low, high in rows
            ),
            timeline_sentence(found.sharing),
        ),
        notes=tuple(notes),
        pictures=(found,),
        complete=found.complete,
    )


def _elsewhere(parameters: DecisionMapParameters, found: DecisionMap) -> str:
    """What is best beyond the present load."""
    if others := len(found.plans) - 1:
        varied = "plan" if parameters.problem.workload.variable else "allocation"
        verb = "is" if others == 1 else "are"
        return f"; {count(others, f'other {varied}')} {verb} best elsewhere on this map"
    return ", and nothing changes that" if found.unmoved else ", and everywhere on this map"


def _fewer_points(points: int, parameters: DecisionMapParameters, judge: Judge) -> str:
    """What bounds the number of points."""
    effort, few = duration(parameters.seconds), count(points, "point")
    return (
        f"{few} an axis instead of {parameters.points}, for a budget of about {effort}: at each "
        f"point {judge.contestants} are compared."
    )


def _span(found: DecisionMap, index: int) -> tuple[float, float]:
    values_s = found.values_s[(found.region == index) & ~np.isnan(found.values_s)]
    if values_s.size == 0:
        return math.nan, math.nan
    return float(values_s.min()), float(values_s.max())


def _facts(found: DecisionMap) -> tuple[Fact, ...]:
    """How much of the map is that of the best now, and how many others there are."""
    share = 100.0 * float(found.shares()[0])
    others = len(found.plans) - 1
    return Fact("share of the map", share, "%"), Fact("other allocations", others)
