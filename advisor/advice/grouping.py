"""Tasks that are shorter than what the runtime takes for each, and the grouping that pays.

Tasks that follow one another on one machine, of which one at least is short, may become one task:
the runtime's overhead is paid once, but what they make is there only when all of them have ended,
and none begins before what all of them need is there. Which of these *joints* are closed is tried
by carrying the plan out: all sets of up to ten joints; of more, chains, and runs of 2, 4, 8, …
tasks of one depth, then one joint after the other as long as that helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise

import numpy as np

from advisor.advice.merged import Groups, Merged, may_merge, merged
from advisor.allocation.execution import executed_makespan, executed_run
from advisor.allocation.feasibility import places
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Workload
from advisor.basics.quantities import count, duration, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import durations
from machines.errors import PlacewiseError

_ALL = 10  # joints whose sets are all tried
_EFFORT, _LEAST = 12_000, 16  # tasks that are carried out together; plans at least
_WORTH = 1e-3  # of the makespan: less is no saving
_SHOWN = 3

Joint = tuple[int, int]


@dataclass(frozen=True)
class Grouping:
    """A workload whose short tasks are grouped, with its plan.

    `workload`, `plan`: of the same platform; every group is one task.
    `groups`: pairs (name, members); name of the new task → those of the old ones, in the order in
        which they run.
    `before_s`, `after_s`: predicted makespans with the overhead.
    """

    workload: Workload
    plan: Plan
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    short: int  # how many tasks are shorter than the overhead
    before_s: float
    after_s: float
    sentence: str


def short_tasks(problem: Problem, plan: Plan, overhead_s: float) -> tuple[int, ...]:
    """The tasks that compute for less than the runtime takes for each, where the plan has them."""
    if overhead_s <= 0.0:
        return ()
    here = problem.settled(plan)
    seconds = here.costs.task_s[np.arange(len(plan.allocation)), list(plan.allocation)]
    return tuple(np.flatnonzero(seconds < overhead_s).tolist())


def short_sentence(problem: Problem, plan: Plan) -> str:
    """What is said of tasks shorter than the platform's own overhead; empty: there are none."""
    overhead_s = problem.platform.runtime.task_overhead_s
    short = short_tasks(problem, plan, overhead_s)
    if not short:
        return ""
    verb = "takes" if len(short) == 1 else "take"
    return (
        f"{_named(problem.workload, short)} {verb} less than the {duration(overhead_s)} that the "
        "runtime takes for each"
    )


def grouped(
    problem: Problem, plan: Plan, overhead_s: float, should_stop: ShouldStop | None = None
) -> Grouping | None:
    """The grouping of short tasks that shortens the plan most, of those that are tried.

    `problem`, `plan`: what is to be run.
    `overhead_s`: seconds that the runtime takes for each task.
    `should_stop`: the best so far is then given.
    Returns None: no task is short, or no grouping pays.
    """
    short = short_tasks(problem, plan, overhead_s)
    if not short:
        return None
    runtime = replace(problem.platform.runtime, task_overhead_s=overhead_s)
    platform = replace(problem.platform, runtime=runtime)
    asked = replace(problem, sharing=FAIR).on(platform)
    search = _Search(asked, plan, short, should_stop or (lambda: False))
    found = search.best()
    if found is None or search.best_s > (1.0 - _WORTH) * search.before_s:
        return None
    names = tuple(
        (task.name, tuple(problem.workload.tasks[one].name for one in members))
        for task, members in zip(found.workload.tasks, search.groups, strict=True)
        if len(members) > 1
    )
    times = search.before_s, search.best_s
    return Grouping(
        found.workload,
        found.plan,
        names,
        len(short),
        *times,
        _sentence(problem.workload, short, overhead_s, names, times),
    )


class _Search:
    """Which joints are closed; the best plan so far."""

    def __init__(
        self, problem: Problem, plan: Plan, short: Sequence[int], should_stop: ShouldStop
    ) -> None:
        self.problem, self.plan, self.should_stop = problem, plan, should_stop
        self.settled = problem.settled(plan)
        machine, order = placement(self.settled, plan.bare())
        self.before_s, run = executed_run(self.settled.executed, machine, order)
        self.order: list[int] = np.lexsort((places(order), run.taken_s)).tolist()
        self.joints = self._joints(set(short))
        self.needs = _needs(self.settled.workload)
        self.depth = _depths(self.settled.workload, self.needs)
        self.left = max(_LEAST, _EFFORT // len(self.order))
        self.known: dict[frozenset[Joint], float] = {frozenset(): self.before_s}
        self.best_s, self.closed = self.before_s, frozenset[Joint]()

    def _joints(self, short: set[int]) -> list[Joint]:
        """Tasks of one machine, one after the other, that may become one."""
        tasks = self.problem.workload.tasks
        lanes: dict[int, list[int]] = {}
        for task in self.order:
            lanes.setdefault(self.plan.allocation[task], []).append(task)
        return [
            (one, other)
            for one, other in chain.from_iterable(pairwise(lane) for lane in lanes.values())
            if (one in short or other in short)
            and may_merge(tasks[one])
            and may_merge(tasks[other])
            and tasks[one].cores == tasks[other].cores
        ]

    def best(self) -> Merged | None:
        """The workload and plan of the best set of joints; None: no joint is closed."""
        if len(self.joints) <= _ALL:
            sizes = range(1, len(self.joints) + 1)
            self._try(chain.from_iterable(combinations(self.joints, size) for size in sizes))
        else:
            self._try(self._runs())
            self._improve()
        return self._merged(self.closed) if self.closed else None

    @property
    def groups(self) -> Groups:
        """Those of the best set."""
        return self._groups(self.closed)

    def _try(self, sets: Iterable[Iterable[Joint]]) -> None:
        for joints in sets:
            if self.should_stop():
                return
            self._value(frozenset(joints))

    def _runs(self) -> Iterator[list[Joint]]:
        """Chains, then runs of 2, 4, 8, … tasks of one depth: neither can wait for one another.

        What enters a chain enters its first task; between tasks of one depth nothing goes, and from
        one depth to the next all goes one way.
        """
        yield [joint for joint in self.joints if self._is_chain(*joint)]
        size, before = 2, 0
        while True:
            found = self._alike(size)
            if len(found) == before:
                return
            yield found
            size, before = 2 * size, len(found)

    def _is_chain(self, one: int, other: int) -> bool:
        """Whether the second needs the first alone."""
        return self.needs[other] == [one]

    def _alike(self, size: int) -> list[Joint]:
        """Runs of so many tasks of one depth."""
        found: list[Joint] = []
        length: dict[int, int] = {}
        for one, other in self.joints:
            before = length.get(one, 1)
            if before < size and self.depth[one] == self.depth[other]:
                found.append((one, other))
                length[other] = before + 1
        return found

    def _improve(self) -> None:
        """Open or close one joint after the other as long as that helps."""
        better = True
        while better and self.left > 0:
            better = False
            for joint in self.joints:
                if self.left <= 0 or self.should_stop():
                    return
                before_s = self.best_s
                self._value(self.closed ^ {joint})
                better |= self.best_s < before_s

    def _value(self, joints: frozenset[Joint]) -> None:
        """Carry the plan out with these joints closed; keep it if it is the best."""
        if joints in self.known:
            return
        self.left -= 1
        self.known[joints] = value_s = self._makespan_s(joints)
        if value_s < (1.0 - 1e-9) * self.best_s:
            self.best_s, self.closed = value_s, joints

    def _makespan_s(self, joints: frozenset[Joint]) -> float:
        found = self._merged(joints)
        if found is None:
            return np.inf
        try:
            here = self.problem.about(found.workload).settled(found.plan)
        except PlacewiseError:  # together they fit nowhere
            return np.inf
        return executed_makespan(here.executed, *placement(here, found.plan.bare()))

    def _merged(self, joints: frozenset[Joint]) -> Merged | None:
        return merged(self.problem, self.plan, self.order, self._groups(joints))

    def _groups(self, joints: frozenset[Joint]) -> list[tuple[int, ...]]:
        """Every task once, in the workload's order of their first members."""
        after = dict(joints)
        inner = set(after.values())
        found = []
        for task in range(len(self.order)):
            if task in inner:
                continue
            members = [task]
            while members[-1] in after:
                members.append(after[members[-1]])
            found.append(tuple(members))
        return found


def _needs(workload: Workload) -> list[list[int]]:
    """The tasks that each needs."""
    found: list[list[int]] = [[] for _ in workload.tasks]
    for source, target in workload.ends():
        if source not in found[target]:
            found[target].append(source)
    return found


def _depths(workload: Workload, needs: list[list[int]]) -> list[int]:
    """How many tasks come before each on the longest way to it."""
    depth = [0] * len(needs)
    for task in workload.topological_order.tolist():
        depth[task] = max((depth[one] + 1 for one in needs[task]), default=0)
    return depth


def _named(workload: Workload, tasks: Sequence[int]) -> str:
    """Tasks with some of their names: "18 of 29 tasks (raw0, raw1, raw2, …)"."""
    names = ", ".join(workload.tasks[one].name for one in tasks[:_SHOWN])
    more = ", …" if len(tasks) > _SHOWN else ""
    return f"{len(tasks):,} of {count(len(workload.tasks), 'task')} ({names}{more})"


def _sentence(
    workload: Workload,
    short: Sequence[int],
    overhead_s: float,
    groups: Sequence[tuple[str, tuple[str, ...]]],
    times: tuple[float, float],
) -> str:
    before, after = durations(*times)
    inside = sum(len(members) for _, members in groups)
    verb = "takes" if len(short) == 1 else "take"
    return (
        f"{_named(workload, short)} {verb} less than the {duration(overhead_s)} that the runtime "
        f"takes for each: {count(inside, 'task')} as {count(len(groups), 'group')} "
        f"{'takes' if len(groups) == 1 else 'take'} the plan from {before} to {after} "
        f"(−{percent(1.0 - times[1] / times[0])})."
    )
