"""Whether a plan should be kept to: strictly, its places, its priorities alone, or not at all.

In every draw four ways to run are simulated on one timeline, with and without stragglers:

- *strict*: machines take their tasks in the plan's order;
- *places*: a task runs where the plan has it, machines start the first that is ready;
- *priorities*: an idle machine takes the ready task that is first in the plan's order;
- *engine*: it takes the ready task that became ready first.

Of several idle machines the one with most of a task's input takes it, then the one with most free
cores: what engines do that know no times (Dask's workers, pilot jobs, make). Where tasks then run
is simulated with times as drawn and without contention of transfers, and valued like every plan.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import pair_seconds
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import percent
from advisor.odds.drawn_plan import Sampler
from advisor.odds.draws import Draws
from advisor.odds.spread_factors import Factors, spreads_of
from machines.arrays import Floats, Indices, Ints
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
    """

    usual_s: dict[str, float]
    straggling_s: dict[str, float]
    draws: int

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
        """What to keep of the plan, with the figure."""
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
    PLACES: "Keep the places and let machines start what is ready first",
    PRIORITIES: "Give the engine the plan's priorities and no places",
    ENGINE: "Leave places and order to the engine",
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
    if tasks * machines > _MOST_TIMES:
        return None
    few = draws.some(0, max(_FEWEST, min(_MOST, draws.count, STEPS // tasks)))
    random = np.random.default_rng([seed, 3])
    late = random.random((few.count, tasks)) < _STRAGGLERS
    straggling = replace(few, stretch=np.where(late, _LONGER, 1.0))
    return Dispatch(_means(problem, plan, few), _means(problem, plan, straggling), few.count)


def _means(problem: Problem, plan: Plan, draws: Draws) -> dict[str, float]:
    _, order = placement(problem, plan)
    kept = replace(plan, order=tuple(order.tolist()))
    platform = problem.platform
    ready = problem.on(replace(platform, runtime=replace(platform.runtime, order=READY)))
    simulated = _Online(problem, draws)
    rank = np.empty(order.size)
    rank[order] = np.arange(order.size)
    found = {
        STRICT: float(Sampler(problem, draws).makespans_s(kept).mean()),
        PLACES: float(Sampler(ready, draws).makespans_s(kept).mean()),
    }
    for way, priority in ((PRIORITIES, rank), (ENGINE, np.zeros(order.size))):
        seconds = []
        for draw in range(draws.count):
            where, when = simulated.run(draw, priority)
            made = replace(kept, allocation=tuple(where.tolist()), order=tuple(when.tolist()))
            seconds += Sampler(problem, draws.some(draw, draw + 1)).makespans_s(made).tolist()
        found[way] = float(np.mean(seconds))
    return found


class _Online:
    """Tasks that go to idle machines, one after the other, in times as drawn."""

    def __init__(self, problem: Problem, draws: Draws) -> None:
        factors = Factors(problem.platform, draws, spreads_of(problem))
        tasks, count = problem.workload.tasks, len(problem.platform.machines)
        each = [
            factors.work(tasks, (), np.full(len(tasks), machine, np.int32))
            for machine in range(count)
        ]
        self._slower = np.stack(each, axis=2)  # draws, tasks, machines
        self._costs, self._task_s = problem.costs, problem.instance.task_s
        self._size_bytes = problem.workload.edge_bytes
        sources, targets = self._costs.sources.tolist(), self._costs.targets.tolist()
        self._into: list[list[int]] = [[] for _ in tasks]
        self._after: list[list[int]] = [[] for _ in tasks]
        for edge, (source, target) in enumerate(zip(sources, targets, strict=True)):
            self._into[target].append(edge)
            self._after[source].append(target)
        self._sources = sources
        self._flow_s = [pair_seconds(self._costs.flows, edge) for edge in range(len(sources))]

    def run(self, draw: int, priority: Floats) -> tuple[Indices, Indices]:
        """Machine of every task, and the order in which they start."""
        seconds = self._task_s * self._slower[draw]
        tasks = len(seconds)
        free = self._costs.machine_cores.astype(np.int64).copy()
        where, order = np.full(tasks, -1, np.int32), []
        missing = [len(edges) for edges in self._into]
        ready = [(float(priority[t]), t, t) for t in range(tasks) if not missing[t]]
        heapq.heapify(ready)
        ends: list[tuple[float, int]] = []
        end_s, came = np.zeros(tasks), tasks
        now = 0.0
        while ready or ends:
            waiting = []
            while ready and free.any():
                first = heapq.heappop(ready)
                task = first[2]
                cores = self._costs.task_cores[task]
                able = np.flatnonzero(np.isfinite(seconds[task]) & (free >= cores)).astype(np.int64)
                if not able.size:
                    waiting.append(first)
                    continue
                machine = self._chosen(task, able, where, free)
                begin = max([now, *(self._arrival(edge, machine, where, end_s)
                                    for edge in self._into[task])])  # fmt: skip
                where[task] = machine
                order.append(task)
                free[machine] -= cores
                end_s[task] = begin + seconds[task, machine]
                heapq.heappush(ends, (float(end_s[task]), task))
            for one in waiting:
                heapq.heappush(ready, one)
            if not ends:
                break
            now, ended = heapq.heappop(ends)
            free[where[ended]] += self._costs.task_cores[ended]
            for task in self._after[ended]:
                missing[task] -= 1
                if not missing[task]:
                    came += 1
                    heapq.heappush(ready, (float(priority[task]), came, task))
        return where, np.array(order, np.int32)

    def _chosen(self, task: int, able: Ints, where: Indices, free: Ints) -> int:
        """Of machines that are idle the one with most of its input, then with most free cores."""
        held = np.zeros(free.size)
        for edge in self._into[task]:
            held[where[self._sources[edge]]] += self._size_bytes[edge]
        return int(able[np.lexsort((-free[able], -held[able]))[0]])

    def _arrival(self, edge: int, machine: int, where: Indices, end_s: Floats) -> float:
        source = self._sources[edge]
        return float(end_s[source] + self._flow_s[edge][where[source], machine])
