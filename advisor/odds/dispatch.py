"""Whether a plan should be kept to: strictly, its places, its priorities alone, or not at all.

In every draw four ways to run are simulated on one timeline, with and without stragglers, and
beside it with and without the loss of a machine (`online`):

- *strict*: machines take their tasks in the plan's order;
- *places*: a task runs where the plan has it, machines start the first that is ready;
- *priorities*: an idle machine takes the ready task that is first in the plan's order;
- *engine*: it takes the ready task that became ready first.

Of several idle machines the one with most of a task's input takes it, then the one with most free
cores: what engines do that know no times (Dask's workers, pilot jobs, make). Where tasks then run
is simulated with times as drawn and without contention of transfers, and valued like every plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import percent
from advisor.odds.drawn_plan import Sampler
from advisor.odds.draws import Draws
from advisor.odds.online import NONE_LOST, Online, Rule
from machines.arrays import Indices
from machines.runtime import READY

STRICT, PLACES, PRIORITIES, ENGINE = "strict", "places", "priorities", "engine"
WAYS = (STRICT, PLACES, PRIORITIES, ENGINE)
STEPS = 4_000  # tasks that are dispatched in all draws of a way
_FEWEST, _MOST = 4, 32
_MOST_PAIRS = 200_000  # flows times pairs of machines whose times are looked up
_MOST_TIMES = 20_000  # tasks times machines
_STRAGGLERS, _LONGER = 0.05, 3.0


@dataclass(frozen=True)
class Dispatch:
    """Mean makespans of the four ways, seconds.

    Attributes
    ----------
    usual_s, straggling_s : dict of str to float
        Way → mean makespan: as spread, and with one task in twenty three times as long.
    draws : int
    whole_s, lost_s : dict of str to float
        The same without contention of transfers: with all machines, and where one of those that
        the plan uses is lost at some time of the run; empty: it can't do without any of them.
    """

    usual_s: dict[str, float]
    straggling_s: dict[str, float]
    draws: int
    whole_s: dict[str, float] = field(default_factory=dict)
    lost_s: dict[str, float] = field(default_factory=dict)

    @property
    def best(self) -> str:
        """The way that takes least over both; what keeps most of the plan where it is as good."""
        least = min(map(self.total_s, WAYS))
        return next(way for way in WAYS if self.total_s(way) <= least * (1.0 + _AS_GOOD))

    def total_s(self, way: str) -> float:
        """Of both conditions together."""
        return self.usual_s[way] + self.straggling_s[way]

    @property
    def sentence(self) -> str:
        """What to keep of the plan, with the figures."""
        return f"{self._kept} {self._lost}".strip()

    @property
    def _lost(self) -> str:
        """What the loss of a machine costs, and whether another way would take it better."""
        if not self.lost_s:
            return ""
        whole_s, own_s = self.whole_s[self.best], self.lost_s[self.best]
        told = f"A machine lost on the way makes a run {percent(own_s / whole_s - 1.0)} longer"
        least = min(self.lost_s, key=self.lost_s.__getitem__)
        if self.lost_s[least] < own_s * (1.0 - _AS_GOOD):
            told += f", {percent(self.lost_s[least] / whole_s - 1.0)} {_WITH[least]}"
        return f"{told}."

    @property
    def _kept(self) -> str:
        strict_s, best = self.total_s(STRICT), self.best
        if best != STRICT:
            gain = percent(1.0 - self.total_s(best) / strict_s)
            return f"{_KEEP[best]}: {gain} earlier than in the plan's strict order, {_MEASURED}."
        loss = self.total_s(ENGINE) / strict_s - 1.0
        if loss <= _AS_GOOD:
            return f"Leaving places and order to the engine is as good as the plan, {_MEASURED}."
        return f"Keep to the plan: left to the engine it takes {percent(loss)} longer, {_MEASURED}."


_AS_GOOD = 0.01
_MEASURED = (
    "averaged over usual runs and runs in which one task in twenty takes three times as long"
)
_KEEP = {
    PLACES: "Keep the places and let machines start what is ready first (Order of tasks)",
    PRIORITIES: "Give the engine the plan's priorities and no places (Dask script, machines left "
    "open)",
    ENGINE: "Leave places and order to the engine",
}
_WITH = {
    STRICT: "in the plan's strict order",
    PLACES: "where machines start what is ready first",
    PRIORITIES: "with the plan's priorities alone",
    ENGINE: "left to the engine",
}


def dispatched(problem: Problem, plan: Plan, draws: Draws, seed: int = 0) -> Dispatch | None:
    """The four ways in as many of the draws as half a second allows; ``None``: too large for it.

    Only of the contention-aware schedule, and of tasks whose variants, processors and programs are
    as the plan has them on every machine.
    """
    tasks, machines = len(problem.workload.tasks), len(problem.platform.machines)
    settled = problem.workload.settled and not problem.workload.variable
    pairs = len(problem.workload.edges) * machines**2
    if problem.sharing != FAIR or not settled or tasks > STEPS or pairs > _MOST_PAIRS:
        return None
    if problem.costs.needs.outputs_stay:  # other ways may stick
        return None
    if tasks * machines > _MOST_TIMES:
        return None
    few = draws.some(0, max(_FEWEST, min(_MOST, draws.count, STEPS // tasks)))
    random = np.random.default_rng([seed, 3])
    late = random.random((few.count, tasks)) < _STRAGGLERS
    straggling = replace(few, stretch=np.where(late, _LONGER, 1.0))
    places, order = placement(problem, plan)
    rank = np.empty(tasks)
    rank[order] = np.arange(tasks)
    rules = {
        STRICT: Rule(rank, places, strict=True),
        PLACES: Rule(rank, places),
        PRIORITIES: Rule(rank),
        ENGINE: Rule(np.zeros(tasks)),
    }
    kept, usual = replace(plan, order=tuple(order.tolist())), Online(problem, few)
    return Dispatch(
        _means(problem, kept, few, usual, rules),
        _means(problem, kept, straggling, Online(problem, straggling), rules),
        few.count,
        *_losing(usual, usual.spare(places), rules, few.count, random),
    )


def _means(
    problem: Problem, kept: Plan, draws: Draws, simulated: Online, rules: dict[str, Rule]
) -> dict[str, float]:
    """Mean makespans of the ways, valued like every plan."""
    platform = problem.platform
    ready = problem.on(replace(platform, runtime=replace(platform.runtime, order=READY)))
    found = {
        STRICT: float(Sampler(problem, draws).makespans_s(kept).mean()),
        PLACES: float(Sampler(ready, draws).makespans_s(kept).mean()),
    }
    for way in (PRIORITIES, ENGINE):
        seconds = []
        for draw in range(draws.count):
            where, when, _ = simulated.run(draw, rules[way])
            made = replace(kept, allocation=tuple(where.tolist()), order=tuple(when.tolist()))
            seconds += Sampler(problem, draws.some(draw, draw + 1)).makespans_s(made).tolist()
        found[way] = float(np.mean(seconds))
    return found


def _losing(
    simulated: Online,
    spare: Indices,
    rules: dict[str, Rule],
    draws: int,
    random: np.random.Generator,
) -> tuple[dict[str, float], dict[str, float]]:
    """Mean makespans of the ways with all machines, and with one lost at any time of the run."""
    if not spare.size:
        return {}, {}
    lost, when = random.choice(spare, draws), random.random(draws)
    found = np.empty((2, len(rules), draws))
    for draw in range(draws):
        planned_s = simulated.run(draw, rules[STRICT])[2]
        loss = (int(lost[draw]), float(when[draw] * planned_s))
        for way, rule in enumerate(rules.values()):
            for place, one in enumerate((NONE_LOST, loss)):
                found[place, way, draw] = simulated.run(draw, replace(rule, lost=one))[2]
    if not np.isfinite(found).all():  # a task moves to where no link leads
        return {}, {}
    whole, losing = (dict(zip(rules, one.mean(axis=1).tolist(), strict=True)) for one in found)
    return whole, losing
