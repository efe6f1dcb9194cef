"""Why a run took longer, or less, than predicted: causes that add up to the difference.

Predicted and actual timeline differ by where tasks ran, by their order, and by delays. First the
tasks move to the machines where they ran (*other machine*), the plan carried out again. Then order
and delays change together: each is exchanged before and after the other, and the mean counts
(Shapley's value of two). Where tasks moved, their order is no more the plan's, and both are one
part. What all delays of one kind cost, between two timelines of one order, is
their Aumann–Shapley price (`advisor.runs.delay_chain`):

    part = Σ w(x) (x actual − x predicted),   w(x): share of the way on which x is critical

so that a cause that alone differs has the whole difference, and all parts add up exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.execution import executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan
from advisor.allocation.timeline_modes import FAIR
from advisor.runs.actual import Actual
from advisor.runs.delay_chain import Chain, weights
from advisor.runs.difference_words import (
    BEFORE,
    EARLY,
    FETCHING,
    GAPS,
    LINKS,
    MACHINE,
    ORDER,
    REARRANGED,
    SHARING,
    TASKS,
    TRIES,
    Part,
    notes_on,
    sentence_of,
    worded,
)
from advisor.runs.matched_problem import Question, question
from advisor.runs.timelines import (
    Parts,
    Predicted,
    chain,
    fetched_in_slot,
    in_order,
    measured,
    predicted,
)
from machines.arrays import Floats

__all__ = ["Difference", "Part", "difference"]

_NOTHING = 1e-9  # of the makespan: rounding
_USUAL, _ODD, _FEW = 0.02, 0.2, 3  # factors off 1 by less, and by more; tasks of a machine

_SETTLED = (MACHINE, REARRANGED, BEFORE, SHARING)  # parts that nothing is left over of

Seconds = dict[tuple[str, int], float]


@dataclass(frozen=True)
class Difference:
    """A run beside its prediction.

    `predicted_s`, `actual_s`: makespans; of the tasks that ran.
    `sentence`: "Took 9.42 s, 14 % longer than the 8.26 s predicted: tasks on M2 ran 1.12 times as
        long (+0.61 s), …".
    `notes`: what was assumed, and what speaks against it; beside those of the run itself.
    """

    predicted_s: float
    actual_s: float
    parts: tuple[Part, ...]  # they add up to actual − predicted; the greatest first
    sentence: str
    notes: tuple[str, ...] = ()

    @property
    def change_s(self) -> float:
        """Actual − predicted."""
        return self.actual_s - self.predicted_s


def difference(problem: Problem, plan: Plan, actual: Actual) -> Difference:
    """Split the difference between a run and its prediction into causes.

    `problem`: the question whose plan was carried out. `actual`: a run of it; where tasks did not
    run, only the others are compared.
    """
    asked = question(problem, plan, actual)
    predicted_s, shares = _predicted(asked)
    here = asked.problem
    if here.sharing != FAIR:
        here = replace(here, sharing=FAIR).about(here.workload)
        asked = replace(asked, problem=here)
    actual_s = float(asked.end_s.max())
    seconds: Seconds = {(SHARING, -1): shares}
    _, order = placement(here, asked.plan)
    planned = np.array(asked.plan.allocation, np.int32)
    moved = int((asked.machine != planned).sum())
    there = predicted(here, asked.machine, order)
    seconds[MACHINE, -1] = there.makespan_s - predicted_s - shares if moved else 0.0
    lead_s = float(there.begin_s.min())
    seconds[BEFORE, -1] = -lead_s
    for key, value in _delays(asked.later(lead_s), there).items():
        seconds[key] = value
    if moved and seconds.get((ORDER, -1)):
        seconds[REARRANGED, -1] = seconds.pop((MACHINE, -1)) + seconds.pop((ORDER, -1))
    scale_s = max(predicted_s, actual_s)
    parts = _parts(asked, _balanced(seconds, actual_s - predicted_s, scale_s), there, moved)
    sizes = (actual.ran.size, int(actual.ran.sum()))
    return Difference(
        predicted_s,
        actual_s,
        parts,
        sentence_of(predicted_s, actual_s, parts, *sizes, asked.run.notes),
        (*asked.notes, *notes_on(asked, there, parts)),
    )


def _predicted(asked: Question) -> tuple[float, float]:
    """The makespan under the problem's own timeline, and what sharing adds to it."""
    problem = asked.problem
    machine, order = placement(problem, asked.plan)
    if problem.sharing == FAIR:
        return executed_makespan(problem.executed, machine, order), 0.0
    alone_s = makespan(problem.instance, machine, order)
    fair = replace(problem, sharing=FAIR).about(problem.workload)
    return alone_s, executed_makespan(fair.executed, *placement(fair, asked.plan)) - alone_s


def _delays(asked: Question, there: Predicted) -> Seconds:
    """What order and delays cost on the machines where the tasks ran."""
    problem, machine = asked.problem, asked.machine
    took = np.asarray(asked.end_s > asked.begin_s, np.float64)  # of one second: none came first
    ran = chain(problem, machine, in_order(problem, asked.begin_s, asked.start_s, took))
    meant = chain(problem, machine, in_order(problem, there.begin_s, asked.begin_s))
    if _by_machine(ran) == _by_machine(meant):
        return _prices(asked, ran, there.parts(ran), measured(asked, ran, there))
    same = predicted(problem, machine, np.array(ran.order, np.int32), strictly=True)
    actual = measured(asked, ran, same)
    found = [
        _prices(asked, ran, same.parts(ran), actual),
        _prices(asked, meant, there.parts(meant), actual),
    ]
    seconds = {key: 0.5 * (found[0][key] + found[1][key]) for key in found[0]}
    before, after = same.makespan_s - there.makespan_s, 0.0
    after = float(asked.end_s.max()) - there.makespan_s - sum(found[1].values())
    seconds[ORDER, -1] = 0.5 * (before + after)
    return seconds


def _prices(asked: Question, links: Chain, first: Parts, last: Parts) -> Seconds:
    """Cause and machine → seconds, of all delays between two timelines of one order."""
    weight = weights(links, first.delays, last.delays)
    changed = Parts(*(after - before for before, after in zip(first, last, strict=True)))
    data = FETCHING if fetched_in_slot(asked) else LINKS
    moving = float(weight.held @ changed.fetch_s + weight.arc @ changed.link_s)
    found: Seconds = {
        (GAPS, -1): float(weight.gap @ changed.gap_s),
        (TRIES, -1): float(weight.gap @ changed.tried_s),
        (EARLY, -1): float(weight.gap @ changed.early_s),
        (data, -1): moving,
    }
    slower = np.bincount(asked.machine, weight.held * changed.compute_s)
    return found | {(TASKS, place): s for place, s in enumerate(slower.tolist())}


def _by_machine(links: Chain) -> dict[int, list[int]]:
    """The tasks of each machine in their order."""
    found: dict[int, list[int]] = {}
    for task in links.order:
        found.setdefault(links.machine[task], []).append(task)
    return found


def _balanced(seconds: Seconds, whole_s: float, scale_s: float) -> Seconds:
    """What is not rounding; the greatest delay gets what the halving of ways leaves over."""
    kept = {key: value for key, value in seconds.items() if abs(value) > _NOTHING * scale_s}
    delays = [key for key in kept if key[0] not in _SETTLED] or list(kept)
    if delays:
        greatest = max(delays, key=lambda key: abs(kept[key]))
        kept[greatest] += whole_s - sum(kept.values())
    return kept


def _parts(asked: Question, seconds: Seconds, there: Predicted, moved: int) -> tuple[Part, ...]:
    """The greatest first, in words."""
    found = []
    for (cause, place), value in seconds.items():
        if cause == TASKS:
            part = _of_machine(asked, there, place, value)
        else:
            part = Part(cause, "", value, tasks=moved if cause in (MACHINE, REARRANGED) else 0)
        found.append(worded(part))
    return tuple(sorted(found, key=lambda one: (-abs(one.seconds), one.cause, one.machine)))


def _of_machine(asked: Question, there: Predicted, place: int, seconds: float) -> Part:
    """What the tasks of a machine add: all of them, or one that alone is unlike its prediction."""
    own = np.flatnonzero(asked.machine == place)
    took_s, meant_s = (asked.end_s - asked.start_s)[own], there.compute_s[own]
    name = asked.problem.platform.machines[place].name
    odd = int(np.argmax(np.abs(took_s - meant_s)))
    others = _factor(np.delete(took_s, odd), np.delete(meant_s, odd))
    own_factor, factor = _factor(took_s[[odd]], meant_s[[odd]]), _factor(took_s, meant_s)
    usual = others is not None and abs(others - 1.0) < _USUAL and own.size > _FEW
    if usual and own_factor is not None and abs(own_factor - 1.0) > _ODD:
        task = asked.problem.workload.tasks[own[odd]].name
        return Part(TASKS, name, seconds, own_factor, 1, task)
    return Part(TASKS, name, seconds, factor, own.size)


def _factor(actual_s: Floats, predicted_s: Floats) -> float | None:
    """How many times as long as predicted tasks took, all together."""
    expected = float(predicted_s.sum())
    return float(actual_s.sum()) / expected if expected > 0.0 else None
