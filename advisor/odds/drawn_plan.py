"""What a plan takes in every draw, on the timeline of its question.

The arrays of a plan are made once; a draw changes the seconds of tasks on their machines, what the
routes in use cost and what their links can move, in place. Where other numbers are drawn too
(`advisor.odds.elsewhere`) the arrays are made anew in every draw. Many draws are shared out among
workers, where there are some.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from advisor.allocation.execution import Executed
from advisor.allocation.host_costs import inner_startups_s
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import Instance
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.used_machines import of_used_machines, used_hosts
from advisor.basics.shards import in_order, is_elsewhere
from advisor.basics.stop_rule import ShouldStop
from advisor.kernels import drawn_kernel as kernel
from advisor.kernels.drawn_kernel import Varied
from advisor.odds.draws import BATCH, Draws
from advisor.odds.elsewhere import with_drawn
from advisor.odds.spread_factors import Factors, spreads_of
from machines.arrays import Floats, Indices, Ints
from machines.errors import InfeasibleError
from machines.route_costs import Ways


def drawn_makespans(
    problem: Problem, plan: Plan, draws: Draws, should_stop: ShouldStop = lambda: False
) -> Floats:
    """Makespan of a plan in every draw, seconds; its order of tasks is kept.

    Parameters
    ----------
    problem, plan
        The question, and a plan that can run.
    draws : Draws
        Of the question: the same for plans that are compared.
    should_stop : callable
        Asked after every draw, of small plans after several; those that are done, one at least, are
        returned. Workers that share the draws (`advisor.basics.shards`) do them all.

    Raises
    ------
    InfeasibleError
        The plan can't run.
    """
    events = len(problem.workload.tasks) + len(problem.workload.edges)
    if not is_elsewhere() or draws.count * events < _WORTH_SHARING:
        return Sampler(problem, draws).makespans_s(plan, should_stop)
    pieces = [draws.some(begin, begin + _PIECE) for begin in range(0, draws.count, _PIECE)]
    return np.concatenate(list(in_order(partial(_piece, problem, plan), pieces)))


def _piece(problem: Problem, plan: Plan, draws: Draws) -> Floats:
    return Sampler(problem, draws).makespans_s(plan)


_PIECE = 4 * BATCH
_AT_ONCE = 20_000  # tasks and transfers between two looks whether to stop: some milliseconds
_WORTH_SHARING = 15_000_000  # tasks and transfers in all draws: some two seconds


class Sampler:
    """Values many plans in the same draws."""

    def __init__(self, problem: Problem, draws: Draws) -> None:
        self.problem, self.draws = problem, draws
        self._factors = Factors(problem.platform, draws, spreads_of(problem))

    def makespans_s(self, plan: Plan, should_stop: ShouldStop = lambda: False) -> Floats:
        """As of `drawn_makespans`."""
        return np.concatenate(
            list(_batches(self.problem, plan, self.draws, self._factors, should_stop))
        )


def _batches(
    problem: Problem, plan: Plan, draws: Draws, factors: Factors, should_stop: ShouldStop
) -> Iterator[Floats]:
    """As `drawn_makespans`, a batch at a time."""
    allocation, order = placement(problem, plan)
    tasks = problem.workload.tasks
    variants = problem.variants_of(plan) if problem.workload.variable else ()
    work = factors.work(tasks, variants, allocation)
    settled = problem.settled(plan)
    step = 1 if draws.places else BATCH
    base = _Drawn.of(settled, allocation, order)
    at_once = max(1, _AT_ONCE // (len(tasks) + len(problem.workload.edges)))
    for first in range(0, draws.count, step):
        if draws.places:
            base = _Drawn.of(_repriced(problem, plan, draws, first), allocation, order)
        routes = base.routes(factors.some(first, first + step))
        times = work[first : first + step]
        for begin in range(0, len(times), at_once):
            some = slice(begin, begin + at_once)
            found = base.makespans(times[some], *(one[some] for one in routes))
            if not np.isfinite(found).all():
                raise InfeasibleError("the plan can't run", where="plan")
            yield found
            if should_stop():
                return


def _repriced(problem: Problem, plan: Plan, draws: Draws, draw: int) -> Problem:
    """The settled problem of a draw of the numbers elsewhere."""
    platform, workload = with_drawn(
        problem.platform, problem.workload, draws.places, draws.other[draw]
    )
    fresh = Problem.of(platform, workload, problem.reading, problem.sharing)
    return fresh.settled(plan)


Routes = tuple[Floats, Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Arrays of a settled plan, changed in place from draw to draw.

    Attributes
    ----------
    problem : Problem
        Settled.
    ways : Ways
        Routes on which the plan moves data.
    source, target : int arrays (ways,)
        Their ends in the arrays, which may lack machines that are not used.
    work_s : array (tasks,)
        Of every task on its machine, as stated.
    """

    problem: Problem
    instance: Executed | Instance
    allocation: Indices
    order: Indices
    ways: Ways
    source: Ints
    target: Ints
    work_s: Floats
    stated_s: Floats
    per_byte_s: Floats
    capacity: Floats

    @classmethod
    def of(cls, settled: Problem, allocation: Indices, order: Indices) -> _Drawn:
        """Copies of the arrays of a plan."""
        whole: Executed | Instance
        fair = settled.sharing == FAIR
        whole = settled.executed if fair else settled.instance
        table, total = settled.costs.between.table, len(settled.platform.hosts)
        pairs = _moved_between(whole, allocation, total)
        pairs = pairs[table.begin[pairs + 1] > table.begin[pairs]]
        hosts = used_hosts(settled.executed, allocation) if fair else None
        place = np.arange(total)
        here = allocation
        if hosts is not None and isinstance(whole, Executed):
            whole, here = of_used_machines(whole, allocation)
            place = np.full(total, -1)
            place[hosts] = np.arange(hosts.size)
        source, target = np.divmod(pairs, total)
        ways = Ways.of(table, source, target)
        copied = {"startup_s", "per_byte_s", "tables", "capacity", "work_s", "task_s"}
        instance = whole._replace(
            **{name: getattr(whole, name).copy() for name in copied if hasattr(whole, name)}
        )
        seconds = instance.work_s if isinstance(instance, Executed) else instance.task_s
        at = place[source], place[target]
        return cls(
            settled, instance, here, order, ways, *at,
            work_s=seconds[np.arange(here.size), here],
            stated_s=instance.tables[:, at[0], at[1]].copy(),
            per_byte_s=instance.per_byte_s[:, at[0], at[1]].copy(),
            capacity=instance.capacity.copy() if isinstance(instance, Executed) else np.zeros(0),
        )  # fmt: skip

    def routes(self, factors: Factors) -> Routes:
        """Of every draw: startups, seconds per byte, stated seconds, capacities."""
        problem, ways = self.problem, self.ways
        between = problem.costs.between
        codes = np.unique(ways.codes).astype(np.int64)
        found = factors.hops(between, codes)
        cost = np.zeros((*found.shape[:3], 2 * len(problem.platform.links)))
        cost[..., codes] = found
        startup_s = ways.added(cost[0])
        if problem.sharing == FAIR:
            inner = inner_startups_s(problem.loaded)
            startup_s = startup_s + inner[ways.source] + inner[ways.target]
            per_byte_s = ways.narrowest(problem.loaded, cost[1])
        else:
            per_byte_s = ways.relayed(problem.loaded, cost[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            slower = np.where(self.per_byte_s[0] > 0.0, per_byte_s[:, 0] / self.per_byte_s[0], 1.0)
        stated_s = self.stated_s * slower[:, None, :]
        return startup_s, per_byte_s, stated_s, self._capacities(factors)

    def _capacities(self, factors: Factors) -> Floats:
        """(draws, resources): what a draw leaves of each, by its link's first piece."""
        capacity = np.tile(self.capacity, (factors.draws.count, 1))
        if not isinstance(self.instance, Executed):
            return capacity
        for place in self._crossed(self.instance):
            one = self.problem.shared.resources[place]
            if one.link is not None:
                capacity[:, place] *= factors.bandwidth(one.link, forward=one.forward)
        return capacity

    def _crossed(self, instance: Executed) -> list[int]:
        """The resources on the routes in use."""
        cell = self.source * instance.startup_s.shape[1] + self.target
        ranges = zip(instance.first_pass[cell], instance.first_pass[cell + 1], strict=True)
        parts = [instance.passed[begin:end] for begin, end in ranges]
        found: list[int] = np.unique(np.concatenate(parts)).tolist() if parts else []
        return found

    def makespans(
        self, work: Floats, startup_s: Floats, per_byte_s: Floats, stated_s: Floats, room: Floats
    ) -> Floats:
        """Seconds, where times are so many times those stated and routes cost so much."""
        seconds = self.work_s * work, startup_s, per_byte_s, stated_s, room
        varied = Varied(self.source, self.target, *map(np.ascontiguousarray, seconds))
        values = np.empty(len(work))
        if isinstance(self.instance, Executed):
            kernel.executed(self.instance, self.allocation, self.order, varied, values)
        else:
            kernel.scheduled(self.instance, self.allocation, self.order, varied, values)
        return values


def _moved_between(whole: Executed | Instance, allocation: Indices, hosts: int) -> Ints:
    """The pairs of hosts between which a plan moves data, each source · hosts + target, once."""
    if isinstance(whole, Executed):
        writer = whole.writer[whole.item]
        source = np.where(writer >= 0, allocation[writer], whole.home[whole.item])
        target = allocation[whole.reader]
    else:
        source, target = allocation[whole.source], allocation[whole.target]
    apart = (source != target) & (source >= 0)
    return np.unique(source[apart].astype(np.int64) * hosts + target[apart])
