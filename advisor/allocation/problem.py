"""One allocation question: a platform, a workload and a contention reading, with their arrays.

Built once for each edit and shared by predictions, previews, searches and explanations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from advisor.allocation.assignment_bound import assigned_s
from advisor.allocation.bounds import bounds_of
from advisor.allocation.choices import Choices, chosen, open_choices
from advisor.allocation.costs import EXACT, Costs, build_costs, holding
from advisor.allocation.executed_bounds import executed_bounds
from advisor.allocation.execution import Executed, Items, executed_of
from advisor.allocation.host_costs import BothHostCosts, SharedRoutes, shared_routes
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.processor_times import (
    ProcessorTimes,
    at_best,
    core_seconds,
    processor_times,
)
from advisor.allocation.processors import checked
from advisor.allocation.program_options import ProgramOptions, at_best_choices, program_options
from advisor.allocation.timeline import Instance, dedicated, prepare, rank_order
from advisor.allocation.timeline_modes import FAIR, check_sharing
from advisor.allocation.variants import chosen_variants, each_variant, idle_variants, loosest
from advisor.allocation.workload import Workload
from advisor.overlays.load import loaded
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_options import trees_of
from advisor.overlays.overlay_plan import OverlayPlan
from machines import Platform
from machines.arrays import Floats, Indices, Ints
from machines.errors import InputError

Placed = tuple[tuple[Overlay, OverlayPlan], ...]

_KEPT = 8  # settled problems that are remembered


@dataclass(frozen=True, eq=False)
class Problem:
    """Platform and workload under one reading, with the arrays derived from them.

    Scalable tasks take their own `cores` in the arrays, programs do what they say, overlays have
    their default trees; `settled` gives the ordinary problem in which a plan decides all that.

    Attributes
    ----------
    reading : str
        "exact" (processor sharing) or "published" (Figueira & Berman's formula).
    costs : Costs
        Seconds by task, machine and flow.
    instance : Instance
        The same, laid out for the kernels.
    sharing : {"fair", "none"}
        Which timeline is meant: the contention-aware schedule, or each transfer and task alone.
    is_decided : bool
        Programs and overlays are as a plan has them: what it says of them holds already.
    beside : tuple of (Overlay, OverlayPlan)
        Of a decided problem: the overlays that run beside its tasks, on whatever platform.
    """

    platform: Platform
    workload: Workload
    reading: str
    costs: Costs
    instance: Instance
    sharing: str = FAIR
    is_decided: bool = False
    beside: Placed = ()

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
        return executed_of(self.loaded, self.workload, self.costs, self.shared, self.reading)

    @cached_property
    def shared(self) -> SharedRoutes:
        """The platform's routes and what they share."""
        return shared_routes(self.loaded, self.costs.between)

    @cached_property
    def lower_bounds_s(self) -> dict[str, float]:
        """Objective → proved lower bound over all plans, on the timeline that is meant.

        `advisor.allocation.bounds`, `advisor.allocation.executed_bounds`.
        """
        if self.workload.overlays:
            plain = self.workload.with_overlays(())  # nothing beside the tasks slows them
            return Problem.of(self.platform, plain, self.reading, self.sharing).lower_bounds_s
        if self.program_options:
            return self.freest.lower_bounds_s
        loosest, core_s = self.instance, None
        if self.workload.scalable:
            best = at_best(self.costs, self.processor_times, bound=True)
            loosest = self._with(*best, self.costs.program_parts_s).instance
            core_s = core_seconds(self.costs, self.processor_times)
        if self.sharing != FAIR:
            found = bounds_of(loosest, core_s)
        else:
            between = self.costs.between
            found = executed_bounds(loosest, self.executed, self.workload, between, core_s)
        if self.workload.variable or self.costs.needs.kinds:
            found[MAKESPAN] = max(found[MAKESPAN], assigned_s(self, self.in_each_variant))
        return found

    @cached_property
    def in_each_variant(self) -> list[tuple[Problem, Ints]]:
        """`advisor.allocation.variants.each_variant`, with the problems."""
        every = each_variant(self.platform, self.workload)
        return [(self.in_variants(Plan((), variants=one)), which) for one, which in every]

    def bounds_for(self, plan: Plan) -> dict[str, float]:
        """`lower_bounds_s`, over the plans that overrule as much of what programs state."""
        tasks = self.workload.tasks
        over = tuple(
            one
            for one in plan.choices
            if all(one.name != free.name for free in open_choices(tasks[one.task]))
        )
        if self.is_decided or not over:
            return self.lower_bounds_s

        def made() -> Problem:
            changed = chosen(self.workload, over)
            return Problem.of(self.platform, changed, self.reading, self.sharing)

        return self._remembered(("over", over), made).lower_bounds_s

    @cached_property
    def program_options(self) -> tuple[ProgramOptions, ...]:
        """The best of what programs leave open, by machine."""
        return program_options(self.platform, self.workload)

    @cached_property
    def freest(self) -> Problem:
        """The problem whose programs do what is best wherever they are."""
        found = self.with_programs(self.program_options)
        found.__dict__["program_options"] = ()
        return found

    def with_programs(self, options: tuple[ProgramOptions, ...]) -> Problem:
        """The problem in which some programs do what is best wherever they are."""
        task_s, dedicated_s, parts_s = at_best_choices(
            self.costs, self.loaded, self.workload, options, self.reading
        )
        return self._with(task_s, dedicated_s, self.costs.task_cores, parts_s, (), self.workload)

    @cached_property
    def rank_order(self) -> Indices:
        """Task positions by decreasing upward rank (`advisor.allocation.timeline.rank_order`)."""
        return rank_order(self.instance)

    @cached_property
    def default_order(self) -> Indices:
        """That of plans without an order: by decreasing upward rank of dedicated times."""
        return rank_order(dedicated(self.costs, self.instance))

    @cached_property
    def processor_times(self) -> tuple[ProcessorTimes, ...]:
        """What the scalable tasks take by number of processors and machine."""
        return processor_times(self.loaded, self.workload, self.reading)

    @cached_property
    def loaded(self) -> Platform:
        """The platform as the tasks meet it: with the processes of overlays, else the default's."""
        return loaded(self.platform, self.beside or _placed(self.platform, self.workload, ()))

    @cached_property
    def relaxed(self) -> Problem:
        """The ordinary problem in which each scalable task takes its best number everywhere."""
        return self._with(*at_best(self.costs, self.processor_times), self.costs.program_parts_s)

    def apart(self) -> Problem:
        """The same problem with a memory of its own, for trying many plans."""
        twin = replace(self)
        self._shares_with(twin)
        return twin

    def settled(self, plan: Plan) -> Problem:
        """The ordinary problem of a plan, in which nothing but allocation and order is open.

        Overlays are beside its tasks, which run in the plan's variants, choices and processors.

        Raises
        ------
        InputError, InfeasibleError
            A decision that can't be carried out.
        """
        here = self.in_variants(plan).decided(plan.choices, plan.overlays)
        return here.at(plan.processors)

    def in_variants(self, plan: Plan) -> Problem:
        """The problem whose tasks run in the plan's variants; itself where none has any."""
        if not self.workload.variable:
            return self
        chosen, rows = self.variants_of(plan), list(self.workload.variable)
        made = partial(self.workload.in_variants, chosen)
        return self._remembered(("variants", chosen), lambda: self._repriced(made(), rows))

    def variants_of(self, plan: Plan) -> tuple[int, ...]:
        """The variant of every task in a plan: the quickest alone where it says nothing."""
        if plan.variants is not None:
            return plan.variants
        return chosen_variants(self.platform, self.workload, plan.allocation)

    def decided(
        self, choices: Choices = (), overlays: Sequence[OverlayPlan | None] = ()
    ) -> Problem:
        """The problem whose programs and overlays are as a plan has them; itself without any."""
        if self.is_decided or not (choices or self.workload.overlays):
            return self
        key = (choices, tuple(overlays))
        return self._remembered(key, lambda: self._decided(*key))

    def _decided(self, choices: Choices, overlays: tuple[OverlayPlan | None, ...]) -> Problem:
        named = self.workload.overlays
        if overlays and len(overlays) != len(named):
            raise InputError(
                "the plan is for another workload", where="overlays", value=len(overlays),
                remedy=f"It gives each of {len(named)} overlays its tree",
            )  # fmt: skip
        plain = chosen(self.workload, choices).with_overlays(())
        beside = _placed(self.platform, self.workload, overlays)
        if any(one is not None for one in overlays):
            return Problem._derived(
                self.platform, plain, self.reading, self.sharing, beside, is_decided=True
            )
        rows = sorted({one.task for one in choices})
        base = replace(self, workload=plain, is_decided=True, beside=beside)
        self._shares_with(base)
        return base._repriced(plain, rows) if rows else base

    def on(self, platform: Platform) -> Problem:
        """The same question on another platform; what is decided stays so.

        Raises
        ------
        InputError
            An overlay beside the tasks can't run there, or not keep up.
        """
        beside, known = self.beside, self.costs.between
        if not self.is_decided:
            beside = _placed(platform, self.workload, ())
        return Problem._derived(
            platform, self.workload, self.reading, self.sharing, beside, known,
            is_decided=self.is_decided,
        )  # fmt: skip

    def about(self, workload: Workload) -> Problem:
        """The same question about other tasks; what is decided stays so.

        Raises
        ------
        InfeasibleError
            A task can run on no machine.
        """
        if not self.is_decided:
            return Problem.of(self.platform, workload, self.reading, self.sharing)
        return Problem._derived(
            self.platform, workload, self.reading, self.sharing, self.beside, is_decided=True
        )

    def _shares_with(self, other: Problem) -> None:
        """Give what a problem of the same platform and overlays would derive anew."""
        for name in ("loaded", "shared"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]

    def at(self, counts: Sequence[int] | None) -> Problem:
        """The ordinary problem at stated numbers of processors; itself if none of its tasks scale.

        `counts`: a plan's `processors`; ``None``: every task's own `cores`.

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
        rows = list(self.workload.scalable)
        return self._remembered(wanted, lambda: self._repriced(self.workload.at(wanted), rows))

    def _remembered(self, key: Hashable, made: Callable[[], Problem]) -> Problem:
        """What was made for a key, or is made now; what was not asked for longest is forgotten."""
        # threads share this memory: what is listed may have been forgotten by another one
        found = self._known.pop(key, None)
        self._known[key] = found = made() if found is None else found
        for oldest in list(self._known)[:-_KEPT]:
            self._known.pop(oldest, None)
        return found

    @cached_property
    def _known(self) -> dict[Hashable, Problem]:
        return {}

    def _repriced(self, workload: Workload, rows: list[int]) -> Problem:
        """The same flows and machines with other tasks in some rows, which are priced anew."""
        changed = tuple(replace(workload.tasks[row], reads=(), writes=()) for row in rows)
        found = build_costs(
            self.loaded, Workload(workload.name, changed), self.reading, self.sharing
        )
        task_s, dedicated_s = self.costs.task_s.copy(), self.costs.task_dedicated_s.copy()
        cores = self.costs.task_cores.copy()
        task_s[rows], dedicated_s[rows] = found.task_s, found.task_dedicated_s
        cores[rows] = found.task_cores
        parts_s = self.costs.program_parts_s
        if found.program_tasks.size:
            parts_s = parts_s.copy()
            place = np.searchsorted(self.costs.program_tasks, np.array(rows)[found.program_tasks])
            parts_s[place] = found.program_parts_s
        return self._with(task_s, dedicated_s, cores, parts_s, found.warnings, workload)

    def _with(
        self,
        task_s: Floats,
        dedicated_s: Floats,
        cores: Indices,
        parts_s: Floats,
        warnings: tuple[str, ...] = (),
        workload: Workload | None = None,
    ) -> Problem:
        """The same flows and machines with other tasks."""
        costs = replace(
            self.costs,
            task_s=task_s,
            task_dedicated_s=dedicated_s,
            task_cores=cores,
            program_parts_s=parts_s,
            warnings=tuple(dict.fromkeys((*self.costs.warnings, *warnings))),
        )
        if workload is None:
            workload = self.workload.at([task.cores for task in self.workload.tasks])
        else:
            costs = holding(costs, self.platform, loosest(self.platform, workload))
        twin = replace(self, workload=workload, costs=costs, instance=prepare(costs))
        self._shares_with(twin)
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
        return cls._derived(platform, workload, reading, sharing, _placed(platform, workload, ()))

    @classmethod
    def _derived(
        cls, platform: Platform, workload: Workload, reading: str, sharing: str, beside: Placed,
        known: BothHostCosts | None = None, *, is_decided: bool = False,
    ) -> Problem:  # fmt: skip
        """The arrays beside these overlays; `known`: of the same machines under other loads."""
        ordinary = workload
        if workload.scalable:
            ordinary = workload.at([task.cores for task in workload.tasks])
        met = loaded(platform, beside)
        costs = build_costs(met, loosest(platform, ordinary), reading, sharing, known)
        costs = costs.noted(idle_variants(platform, ordinary))
        kept = beside if is_decided else ()
        found = cls(platform, workload, reading, costs, prepare(costs), sharing, is_decided, kept)
        found.__dict__["loaded"] = met
        return found


def _placed(platform: Platform, workload: Workload, trees: Sequence[OverlayPlan | None]) -> Placed:
    """The overlays of a workload with their trees, the default where there is none."""
    overlays = workload.overlays
    return tuple(zip(overlays, trees_of(platform, overlays, trees), strict=True))
