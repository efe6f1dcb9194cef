"""Which variant every task runs in, chosen together with its machine and the order.

Beginning with a list schedule that puts each task where and how it ends first, annealing moves one
task to another machine or variant, swaps two, or brings one forward; every plan is carried out.
The search of ordinary problems then improves machines and order at the variants that were found.
For the total each task takes its quickest variant wherever it is, as nothing waits there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from advisor import kernels
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import TOTAL
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.allocation.variant_arrays import VariantArrays
from advisor.allocation.variants import chosen_variants, loosest
from advisor.basics.rounding import ALIKE
from advisor.kernels import cores_kernel as cores
from advisor.kernels import lists_kernel as lists
from advisor.search import exact_search
from advisor.search.incumbent import Asked, StepBudget, budget, watch_of
from advisor.search.strategy import Role
from machines.arrays import Indices

# an ordinary problem and what is asked of it → its answer
Search = Callable[[Problem, Asked], Recommendation]

_ANNEALED = 0.5  # of the budget; the rest is for the search at the variants that were found
_CALLED, _CARRIED_OUT = 2_500, 6  # placements that a trial stands for, and each of its tasks
_HOT, _COLD = 0.5, 0.005  # of the mean seconds of a task
_CYCLES = 4  # of cooling, each from the best, and half as hot
_SMALL, _COMBINATIONS = 8, 64  # tasks and choices of variants up to which all are proved
_RETRIES = 20


def advise_variants(problem: Problem, asked: Asked, role: Role, search: Search) -> Recommendation:
    """The best plan with the variants of its tasks; `search` is of problems without any.

    A heuristic (`role`) that is asked for by name places tasks in the variants of a list schedule.
    """
    kernels.load(asked.should_stop)  # before the clock starts
    if asked.objective == TOTAL:
        least = problem.about(loosest(problem.platform, problem.workload))
        start = asked.start and replace(asked.start, variants=None)
        found = search(least, replace(asked, start=start))
        return _dressed(found, lambda plan: _at_quickest(problem, plan))
    run = _VariantSearch(problem, asked)
    if role is Role.HEURISTIC:
        return run.placed(search)
    best_s, best = run.annealed()
    chosen = best.variants or ()
    told = asked.on_progress
    relay = None if told is None else lambda one: told(_told(one, chosen, run.bound_s))
    here = problem.in_variants(best)
    start = replace(best, variants=None) if math.isfinite(best_s) else None
    left = replace(asked, seconds=asked.seconds * (1.0 - _ANNEALED), on_progress=relay, start=start)
    found = _dressed(search(here, left), lambda plan: replace(plan, variants=chosen))
    if found.strategy == "start":  # what this search found is no present plan
        plan = replace(found.plan, strategy=best.strategy)
        found = replace(found, plan=plan, strategy=best.strategy)
    if best_s < found.value_s:
        found = replace(found, plan=best, value_s=best_s, strategy=best.strategy)
    return run.proved(found)


def _at_quickest(problem: Problem, plan: Plan) -> Plan:
    variants = chosen_variants(problem.platform, problem.workload, plan.allocation)
    return replace(plan, variants=variants)


def _dressed(found: Recommendation, dress: Callable[[Plan], Plan]) -> Recommendation:
    """The answer with variants in all its plans."""
    return replace(
        found,
        plan=dress(found.plan),
        alternatives=tuple((name, dress(plan), value) for name, plan, value in found.alternatives),
    )


def _told(progress: Progress, variants: tuple[int, ...], bound_s: float) -> Progress:
    plan = replace(progress.plan, variants=variants)
    share = _ANNEALED + (1.0 - _ANNEALED) * progress.fraction
    return replace(progress, plan=plan, lower_bound_s=min(bound_s, progress.value_s),
                   fraction=share)  # fmt: skip


@dataclass
class _State:
    """Where an annealing stands: machine and variant of every task, and the order."""

    allocation: Indices
    variants: Indices
    order: Indices
    value_s: float = math.inf

    def copy(self) -> _State:
        return _State(self.allocation.copy(), self.variants.copy(), self.order.copy(), self.value_s)


class _VariantSearch:
    """The search over the arrays of every variant."""

    def __init__(self, problem: Problem, asked: Asked) -> None:
        self.problem, self.asked = problem, asked
        self.bound_s = problem.lower_bounds_s[asked.objective]
        self.watch = watch_of(asked)
        self.effort = StepBudget(budget(_ANNEALED * asked.seconds), self.watch.stopped)
        self._each = np.arange(len(problem.workload.tasks))
        self._arrays = VariantArrays(problem)
        self._able, self._task_s = self._arrays.able, self._arrays.task_s
        able_s = self._task_s[np.isfinite(self._task_s)]
        self._scale = float(able_s.mean()) if able_s.size else 0.0
        sources, targets = problem.costs.sources, problem.costs.targets
        self._near = [
            np.concatenate((targets[sources == task], sources[targets == task]))
            for task in range(self._each.size)
        ]
        self.complete = False  # all plans were carried out
        self._rng = np.random.default_rng(asked.seed)
        self._places = [self._allowed(task) for task in range(self._each.size)]
        self._cost = _CALLED + _CARRIED_OUT * (len(self._each) + self._arrays.executed.reader.size)

    def _allowed(self, task: int) -> Indices:
        """(variant, machine) of every place where a task can run, shape (places, 2)."""
        return np.argwhere(np.isfinite(self._task_s[:, task])).astype(np.int32)

    def annealed(self) -> tuple[float, Plan]:
        """The best plan that lists and annealing find."""
        best = min(self._starts(), key=lambda one: one.value_s)
        if self._enumerable():
            best = min((best, *self._every()), key=lambda one: one.value_s)
            self.complete = True
        now, cycle = best.copy(), 0
        while not self.complete and self._going(best.value_s):
            at = _CYCLES * self.effort.share
            if int(at) > cycle:
                now, cycle = best.copy(), int(at)
            hot = _HOT / 2**cycle
            heat = self._scale * hot * (_COLD / hot) ** (at - cycle)
            trial = self._neighbour(now)
            if trial is None:
                break
            self._value(trial)
            worse_s = trial.value_s - now.value_s if trial.value_s < math.inf else math.inf
            if (
                worse_s <= 0.0
                or now.value_s == math.inf
                or self._rng.random() < math.exp(-worse_s / max(heat, 1e-300))
            ):
                now = trial
            if trial.value_s < best.value_s:
                best = trial.copy()
            self._tell(best)
        plan = self._plan(best)
        return reached_s(self.problem, self.asked.objective, plan), plan

    def placed(self, search: Search) -> Recommendation:
        """What a search finds in the variants of the list schedule."""
        listed = self._plan(self._listed())
        found = search(self.problem.in_variants(listed), replace(self.asked, start=None))
        dressed = _dressed(found, lambda plan: replace(plan, variants=listed.variants))
        return self._bounded(dressed)

    def _going(self, best_s: float) -> bool:
        return self.effort.left() and best_s > self.bound_s * (1.0 + ALIKE)

    def _enumerable(self) -> bool:
        """Whether all plans can be carried out with the effort."""
        tasks = self._each.size
        if tasks > _SMALL:
            return False
        count = math.factorial(tasks) * math.prod(map(len, self._places))
        return count * self._cost <= self.effort.budget

    def _every(self) -> Iterator[_State]:
        """All plans: places and orders."""
        costs = self.problem.costs
        ends = list(zip(costs.sources.tolist(), costs.targets.tolist(), strict=True))
        for order in itertools.permutations(range(self._each.size)):
            if any(order.index(source) > order.index(target) for source, target in ends):
                continue
            for places in itertools.product(*(one.tolist() for one in self._places)):
                variants, allocation = np.array(places, np.int32).T
                state = _State(allocation.copy(), variants.copy(), np.array(order, np.int32))
                self._value(state)
                yield state

    def _starts(self) -> Iterator[_State]:
        """A list schedule; the present plan, in its variants and in the quickest ones."""
        listed = self._listed()
        self._value(listed)
        yield listed
        start = self.asked.start
        if start is None:
            return
        quickest = chosen_variants(self.problem.platform, self.problem.workload, start.allocation)
        for variants in {quickest, start.variants or quickest}:
            here = replace(start, variants=variants)
            if not np.isfinite(reached_s(self.problem, self.asked.objective, here)):
                continue
            allocation, order = placement(self.problem.in_variants(here), here)
            state = _State(allocation.copy(), np.array(variants, np.int32), order.copy())
            self._value(state)
            yield state

    def _listed(self) -> _State:
        """Every task, by rank, where and how it ends first beside those placed before."""
        instance, order = self._arrays.instance, self.problem.rank_order
        held = cores.empty(instance._replace(amount=self._arrays.amount.max(axis=0)))
        tasks, machines = instance.task_s.shape
        allocation, variants = np.full(tasks, -1, np.int32), np.zeros(tasks, np.int32)
        end, ready = np.zeros(tasks), np.empty(machines)
        layers = [self._arrays.layer(v) for v in range(len(self._task_s))]
        for task in order.tolist():
            lists.arrivals(instance, allocation, end, task, ready)
            best: tuple[float, int, int] = (math.inf, 0, 0)
            for v, q in self._places[task].tolist():
                seconds = float(layers[v].task_s[task, q])
                if ready[q] < math.inf:
                    begin = cores.earliest(layers[v], held, task, q, ready[q], seconds)
                    best = min(best, (begin + seconds, v, q))
            end_s, v, q = best
            allocation[task], variants[task] = q, v
            if end_s < math.inf:
                seconds = float(layers[v].task_s[task, q])
                end[task] = cores.hold(layers[v], held, task, q, ready[q], seconds) + seconds
        self.effort.spent += self._cost
        return _State(allocation, variants, np.array(order, np.int32))

    def _value(self, state: _State) -> None:
        """Carry a plan out."""
        self.effort.spent += self._cost
        state.value_s = self._arrays.value_s(state.variants, state.allocation, state.order)

    def _neighbour(self, now: _State) -> _State | None:
        """Tasks elsewhere or otherwise, two that change places, or one earlier in the order."""
        trial, tasks = now.copy(), self._each.size
        for _ in range(_RETRIES):
            kind = self._rng.random()
            one = int(self._rng.integers(tasks))
            other = int(self._rng.integers(tasks))
            if kind < 0.4:
                moved = self._move(trial, one, self._places[one])
            elif kind < 0.55:
                moved = self._join(trial, one)
            elif kind < 0.75:
                moved = self._swap(trial, one, other)
            else:
                moved = self._shift(trial.order, one, other)
            if moved:
                return trial
        return None

    def _move(self, trial: _State, task: int, places: Indices) -> bool:
        """A task to one of some places; False where it is there."""
        if not len(places):
            return False
        v, q = places[self._rng.integers(len(places))]
        if (v, q) == (trial.variants[task], trial.allocation[task]):
            return False
        trial.variants[task], trial.allocation[task] = v, q
        return True

    def _join(self, trial: _State, task: int) -> bool:
        """A task and one that it exchanges data with to one machine."""
        near = self._near[task]
        if not len(near) or not self._move(trial, task, self._places[task]):
            return False
        other = int(near[self._rng.integers(len(near))])
        places = self._places[other]
        self._move(trial, other, places[places[:, 1] == trial.allocation[task]])
        return True

    def _swap(self, trial: _State, one: int, other: int) -> bool:
        """Two tasks exchange machine and variant where both have the place of the other."""
        places = [(trial.variants[task], trial.allocation[task]) for task in (one, other)]
        if places[0] == places[1]:
            return False
        for task, (v, q) in ((one, places[1]), (other, places[0])):
            if v not in self._able[task] or not np.isfinite(self._task_s[v, task, q]):
                return False
        for task, (v, q) in ((one, places[1]), (other, places[0])):
            trial.variants[task], trial.allocation[task] = v, q
        return True

    def _shift(self, order: Indices, one: int, other: int) -> bool:
        """Bring a task to the place of an earlier one, if nothing between feeds it."""
        place = np.empty(order.size, np.int64)
        place[order] = np.arange(order.size)
        first, last = sorted((int(place[one]), int(place[other])))
        moved = int(order[last])
        costs = self.problem.costs
        before = costs.sources[costs.targets == moved]
        first = max(first, int(place[before].max()) + 1 if before.size else 0)
        if first >= last:
            return False
        order[first + 1 : last + 1] = order[first:last].copy()
        order[first] = moved
        return True

    def _plan(self, state: _State) -> Plan:
        return Plan(
            tuple(state.allocation.tolist()), tuple(state.order.tolist()), "variants",
            variants=tuple(state.variants.tolist()),
        )  # fmt: skip

    def _tell(self, best: _State) -> None:
        if self.asked.on_progress is None or not self.watch.report_is_due():
            return
        far = _ANNEALED * self.effort.share
        tried = self.effort.spent // self._cost
        self.asked.on_progress(
            Progress(self._plan(best), best.value_s, min(self.bound_s, best.value_s), "variants",
                     tried, far, None)
        )  # fmt: skip

    def proved(self, found: Recommendation) -> Recommendation:
        """The answer with a bound over all variants, and a proof where there are few of them."""
        found = self._bounded(found)
        bound_s = found.lower_bound_s
        count = math.prod(map(len, self._able)) if self._each.size <= _SMALL else math.inf
        if found.proved_optimal or count > _COMBINATIONS:
            return found
        effort = StepBudget(budget(self.asked.seconds), self.watch.stopped)
        for variants in itertools.product(*self._able):
            here = self.problem.in_variants(Plan((), variants=variants))
            best_s = found.value_s * (1.0 + ALIKE)
            result = exact_search.solve(here, self.asked.objective, best_s, effort, ties=False)
            for plan in result.plans:
                value_s = reached_s(here, self.asked.objective, plan)
                if value_s < found.value_s * (1.0 - ALIKE):
                    best = replace(plan, variants=variants)
                    found = replace(found, plan=best, value_s=value_s, strategy="exact")
            if not result.proved:
                return replace(found, lower_bound_s=min(bound_s, found.value_s))
        return replace(found, proved_optimal=True, lower_bound_s=found.value_s, strategy="exact")

    def _bounded(self, found: Recommendation) -> Recommendation:
        """The answer with a bound over all variants."""
        return replace(
            found,
            lower_bound_s=found.value_s if self.complete else min(self.bound_s, found.value_s),
            proved_optimal=self.complete or found.value_s <= self.bound_s * (1.0 + ALIKE),
            ties=(),
            ties_complete=False,
            steps=self.effort.spent + found.steps,
            seconds_spent=self.watch.seconds,
        )
