"""One allocation question: a platform, a workload and a contention reading, with their arrays.

Built once for each edit and shared by predictions, previews, searches and explanations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from advisor.allocation.bounds import bounds_of
from advisor.allocation.costs import EXACT, Costs, build_costs
from advisor.allocation.executed_bounds import executed_bounds
from advisor.allocation.execution import Executed, Items, executed_of
from advisor.allocation.processor_times import (
    ProcessorTimes,
    at_best,
    core_seconds,
    processor_times,
)
from advisor.allocation.processors import checked
from advisor.allocation.shared_routes import SharedRoutes, shared_routes
from advisor.allocation.sharing import FAIR, check_sharing
from advisor.allocation.timeline import Instance, prepare, rank_order
from advisor.allocation.workload import Workload
from machines import Platform
from machines.arrays import Floats, Indices

_KEPT = 4  # problems at stated numbers of processors that are remembered


@dataclass(frozen=True, eq=False)
class Problem:
    """Platform and workload under one reading, with the arrays derived from them.

    Scalable tasks take their own `cores` in the arrays; `at` gives the problem in which they take
    a plan's.

    Attributes
    ----------
    reading : str
        "exact" (processor sharing) or "published" (Figueira & Berman's formula).
    costs : Costs
        Seconds by task, machine and flow.
    instance : Instance
        The same, laid out for the kernels.
    sharing : {"fair", "none"}
        Which timeline is meant: the executed plan, or each transfer and task alone.
    """

    platform: Platform
    workload: Workload
    reading: str
    costs: Costs
    instance: Instance
    sharing: str = FAIR

    @cached_property
    def executed(self) -> Executed:
        """What the executed timeline works on (`advisor.allocation.execution`)."""
        return self._executed[0]

    @cached_property
    def items(self) -> Items:
        """What moves in the executed timeline."""
        return self._executed[1]

    @cached_property
    def _executed(self) -> tuple[Executed, Items]:
        return executed_of(self.platform, self.workload, self.costs, self.shared, self.reading)

    @cached_property
    def shared(self) -> SharedRoutes:
        """The platform's routes and what they share."""
        return shared_routes(self.platform, self.costs.between)

    @cached_property
    def lower_bounds_s(self) -> dict[str, float]:
        """Objective → proved lower bound over all plans, on the timeline that is meant.

        `advisor.allocation.bounds`, `advisor.allocation.executed_bounds`.
        """
        loosest, core_s = self.instance, None
        if self.workload.scalable:
            loosest = self._with(*at_best(self.costs, self.processor_times, bound=True)).instance
            core_s = core_seconds(self.costs, self.processor_times)
        if self.sharing != FAIR:
            return bounds_of(loosest, core_s)
        between = self.costs.between
        return executed_bounds(loosest, self.executed, self.workload, between, core_s)

    @cached_property
    def rank_order(self) -> Indices:
        """Task positions by decreasing upward rank (`advisor.allocation.timeline.rank_order`)."""
        return rank_order(self.instance)

    @cached_property
    def processor_times(self) -> tuple[ProcessorTimes, ...]:
        """What the scalable tasks take by number of processors and machine."""
        return processor_times(self.platform, self.workload, self.reading)

    @cached_property
    def relaxed(self) -> Problem:
        """The ordinary problem in which each scalable task takes its best number everywhere."""
        return self._with(*at_best(self.costs, self.processor_times))

    def at(self, counts: Sequence[int] | None) -> Problem:
        """The ordinary problem at stated numbers of processors; itself if none of its tasks scale.

        Parameters
        ----------
        counts : sequence of int, length tasks, or None
            A plan's `processors`; ``None``: every task's own `cores`.

        Raises
        ------
        InputError
            Not numbers for these tasks.
        InfeasibleError
            A task fits on no machine with so many.
        """
        if counts is None and not self.workload.scalable:
            return self
        wanted = checked(self.workload, counts)
        if not self.workload.scalable:
            return self
        found = self._known.get(wanted)
        if found is None:
            found = self._known[wanted] = self._at(wanted)
            # threads share this memory: what is listed may have been forgotten by another one
            for oldest in list(self._known)[:-_KEPT]:
                self._known.pop(oldest, None)
        return found

    @cached_property
    def _known(self) -> dict[tuple[int, ...], Problem]:
        return {}

    def _at(self, counts: tuple[int, ...]) -> Problem:
        """Price the scalable tasks anew; all else stays."""
        workload = self.workload.at(counts)
        rows = list(self.workload.scalable)
        changed = tuple(replace(workload.tasks[row], reads=(), writes=()) for row in rows)
        found = build_costs(
            self.platform, Workload(workload.name, changed), self.reading, self.sharing
        )
        task_s, dedicated_s = self.costs.task_s.copy(), self.costs.task_dedicated_s.copy()
        cores = self.costs.task_cores.copy()
        task_s[rows], dedicated_s[rows] = found.task_s, found.task_dedicated_s
        cores[rows] = found.task_cores
        return self._with(task_s, dedicated_s, cores, found.warnings, workload)

    def _with(
        self,
        task_s: Floats,
        dedicated_s: Floats,
        cores: Indices,
        warnings: tuple[str, ...] = (),
        workload: Workload | None = None,
    ) -> Problem:
        """The same flows and machines with other tasks."""
        costs = replace(
            self.costs,
            task_s=task_s,
            task_dedicated_s=dedicated_s,
            task_cores=cores,
            warnings=tuple(dict.fromkeys((*self.costs.warnings, *warnings))),
        )
        if workload is None:
            workload = self.workload.at([task.cores for task in self.workload.tasks])
        twin = Problem(self.platform, workload, self.reading, costs, prepare(costs), self.sharing)
        if "shared" in self.__dict__:
            twin.__dict__["shared"] = self.shared
        return twin

    @classmethod
    def of(
        cls, platform: Platform, workload: Workload, reading: str = EXACT, sharing: str = FAIR
    ) -> Problem:
        """Derive the arrays.

        Raises
        ------
        InputError
            The workload names a machine that the platform lacks, or an unknown reading or sharing.
        InfeasibleError
            A task can run on no machine.
        """
        check_sharing(sharing)
        ordinary = workload
        if workload.scalable:
            ordinary = workload.at([task.cores for task in workload.tasks])
        costs = build_costs(platform, ordinary, reading, sharing)
        return cls(platform, workload, reading, costs, prepare(costs), sharing)
