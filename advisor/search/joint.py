"""All that a plan decides, chosen together: allocation, processors, programs and overlays.

What programs leave open depends on their machine alone, so that the best of it is known for every
machine before the search (`advisor.allocation.program_options`): one search of the allocation
then finds both. Trees of overlays slow the tasks beside them: those that do best beside the plans
at hand are searched with. At last moves of all kinds improve the best plan, the executed timeline
being the judge. What is found is never worse than deciding one kind after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from advisor import kernels
from advisor.allocation.choices import TaskChoice, ordered
from advisor.allocation.evaluation import reached_s
from advisor.allocation.feasibility import can_run
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.basics.rounding import ALIKE
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.decision import Decision
from advisor.decisions.registry import DECISIONS
from advisor.decisions.tree import trees_of
from advisor.overlays.overlay_load import running
from advisor.overlays.overlay_measures import latency_s
from advisor.overlays.overlay_options import candidates
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.search.incumbent import Asked, Incumbent
from machines import InfeasibleError, InputError

_SEARCHED = 3  # trees beside which the allocation is searched
_ALLOCATED = 0.8  # of the budget, for the searches of the allocation
_EXECUTED, _PRICED = 20, 40_000  # placements that carrying a plan out and pricing it stand for

Trees = tuple[OverlayPlan, ...]
# an ordinary problem and what is asked of it → its answer
Search = Callable[[Problem, Asked], Recommendation]


def is_joint(problem: Problem) -> bool:
    """Whether a plan decides more than where tasks run, and on how many processors."""
    return not problem.is_decided and bool(problem.workload.overlays or problem.program_options)


def advise_jointly(problem: Problem, asked: Asked, search: Search) -> Recommendation:
    """The best plan with all its decisions.

    Parameters
    ----------
    problem : Problem
    asked : Asked
    search : callable
        Searches ordinary problems, in which nothing but allocation, order and numbers of
        processors is open.
    """
    kernels.load(asked.should_stop)  # before the clock starts
    run = JointSearch(problem, asked, search)
    run.search()
    return run.recommendation()


@dataclass
class JointSearch(Incumbent):
    """One search over all kinds of decisions."""

    inner: Search
    answer: Recommendation | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        workload = self.problem.workload
        carried = _EXECUTED * (len(workload.tasks) + len(workload.edges))
        self.per_plan = carried + _PRICED

    def search(self) -> None:
        """The present plan, the default trees, those that do better, then moves of all kinds."""
        start = self.asked.start
        if start is not None:
            present = replace(start, strategy="start")
            if can_run(self.problem, present):
                self._offer(present)
        default = trees_of(self.problem, Plan(()))
        if not default:
            self._allocate((), _ALLOCATED)
            self._improve()
            return
        share = _ALLOCATED / (1 + _SEARCHED)
        self._allocate(default, share)
        better = self._better_trees(default)
        for place, trees in enumerate(better):
            if place == _SEARCHED:
                self._improve()
            # where the best allocation beside a tree is quickly found, it is beside all of them
            if not self.going() or (place >= _SEARCHED and not self._is_quick):
                break
            self._allocate(trees, share)
        self._improve()

    def is_proved(self, value_s: float) -> bool:
        """Whether no plan is better: the bound is met, or none is with all programs at their best.

        Choices that make a program slower are left aside, though in the executed timeline a slower
        task may, rarely, make a schedule shorter.
        """
        if super().is_proved(value_s):
            return True
        found = self.answer
        return (
            not self.problem.workload.overlays
            and found is not None
            and found.proved_optimal
            and value_s <= found.value_s * (1.0 + ALIKE)
        )

    def _allocate(self, trees: Trees, share: float) -> None:
        """Search the allocation beside these trees, every program at its best where it is."""
        here = self.problem.decided((), trees).freest
        seconds = share * self.asked.seconds
        asked = replace(
            self.asked,
            seconds=seconds,
            start=self._bare(),
            on_progress=self._relayed(trees),
            should_stop=self.watch.stopped,
        )
        try:
            answer = self.inner(here, asked)
        except InfeasibleError:
            return
        self.effort.spent += answer.steps
        self.answer = answer
        for name, plan, _ in ((answer.strategy, answer.plan, 0.0), *answer.alternatives):
            named = "moves" if name == "start" else name  # what it began with was found before
            self._offer(replace(self._dressed(plan, trees), strategy=named))

    def _bare(self) -> Plan | None:
        """The best plan so far, or the present one, as ordinary problems take it."""
        plan = self.best[0] if self.found else self.asked.start
        return None if plan is None else replace(plan, choices=(), overlays=())

    def _dressed(self, plan: Plan, trees: Trees) -> Plan:
        """The plan with the best choices wherever its programs are, and these trees."""
        kept = () if self.asked.start is None else self.asked.start.choices
        choices = ordered((*kept, *self._best_choices(plan)))
        return replace(plan, choices=choices, overlays=trees)

    def _best_choices(self, plan: Plan) -> Iterator[TaskChoice]:
        """What is best of all that programs leave open, where the plan has them."""
        for options in self.problem.program_options:
            yield from options.on(plan.allocation[options.task])

    def _better_trees(self, default: Trees) -> list[Trees]:
        """The trees that do best beside the best plan, overlay by overlay."""
        if not self.found:
            return []
        tried: dict[Trees, tuple[float, float]] = {}
        best, overlays = default, self.problem.workload.overlays
        for overlay in range(len(default)):
            for candidate in candidates(self.problem.platform, overlays[overlay]):
                if not self.going():
                    break
                trees = (*best[:overlay], candidate, *best[overlay + 1 :])
                value_s = self._offer(replace(self.best[0], overlays=trees, strategy="trees"))
                tried[trees] = value_s, self._latency_s(trees)
            best = min((best, *tried), key=lambda one: tried.get(one, (float("inf"), 0.0)))
        tried.pop(default, None)
        able = [one for one in tried if tried[one][0] < float("inf")]
        return sorted(able, key=tried.__getitem__)

    def _latency_s(self, trees: Trees) -> float:
        """Seconds of one operation of each overlay, in all: what tells apart trees alike."""
        platform = self.problem.platform
        pairs = zip(self.problem.workload.overlays, trees, strict=True)
        return sum(latency_s(running(platform, one, tree)) for one, tree in pairs)

    def _improve(self) -> None:
        """First improvement over the moves of all kinds, until none gains or the effort ends."""
        improved = bool(self.found)
        while improved and self.going():
            improved = False
            plan, value_s = self.best
            for other in self._neighbours(plan):
                if not self.going():
                    break
                if self._offer(replace(other, strategy="moves")) < value_s * (1.0 - ALIKE):
                    improved = True
                    break

    def _neighbours(self, plan: Plan) -> Iterator[Plan]:
        """The plan with one decision otherwise, what is cheapest to say first."""
        for kind in reversed(DECISIONS):
            for subject in kind.values(self.problem, plan):
                if kind.is_open(self.problem, subject):
                    for value in kind.moves(self.problem, plan, subject):
                        yield self._moved(kind, plan, subject, value)

    def _moved(self, kind: Decision, plan: Plan, subject: int, value: object) -> Plan:
        """The plan with that decision; a program that moves takes what is best where it goes."""
        moved = kind.put(self.problem, plan, subject, value)
        if kind is not ALLOCATION:
            return moved
        there = (one for one in self._best_choices(moved) if one.task == subject)
        return replace(moved, choices=ordered((*moved.choices, *there)))

    @property
    def _is_quick(self) -> bool:
        """Whether the allocation was proved the best beside the trees searched last."""
        return self.answer is not None and self.answer.proved_optimal

    def _offer(self, plan: Plan) -> float:
        """Keep the plan if it is its strategy's best; its value, inf where it can't run."""
        self.effort.spent += self.per_plan
        try:
            value_s = reached_s(self.problem, self.asked.objective, plan)
        except InputError:  # a tree that can't keep up, a choice that its network refuses
            return float("inf")
        self.keep(plan, value_s)
        self.tell()
        return value_s

    def _relayed(self, trees: Trees) -> Callable[[Progress], None] | None:
        """What the inner search tells, with all decisions and as part of the whole."""
        tell = self.asked.on_progress
        if tell is None:
            return None
        spent, best_s = self.effort.share, self.best_s

        def relay(told: Progress) -> None:
            if told.value_s > best_s:
                return
            plan = self._dressed(told.plan, trees)
            bound_s = min(self.bound_s, told.value_s)
            share = spent + _ALLOCATED * told.fraction * (1.0 - spent)
            tell(replace(told, plan=plan, lower_bound_s=bound_s, fraction=share, left_s=None))

        return relay
