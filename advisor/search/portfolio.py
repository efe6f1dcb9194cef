"""Advice: choose what is exact where the structure allows, else search as long as allowed.

`STRATEGIES` lists what there is to choose from. What each one is for and when it suits a problem is
in its record; the portfolio knows no names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, TOTAL
from advisor.allocation.placement import ordered
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Progress, Recommendation
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.shards import in_order
from advisor.basics.stop_rule import ShouldStop
from advisor.odds.goals import DEADLINE, Goal, check_goal
from advisor.search import (
    batch,
    cut,
    dynamic_levels,
    elimination,
    fast_lists,
    immediate,
    refine,
    robust,
)
from advisor.search import (
    chain_search as chain,
)
from advisor.search import (
    exact_search as exact,
)
from advisor.search import (
    list_scheduling as lists,
)
from advisor.search import (
    network_aware_lists as shared_lists,
)
from advisor.search.allocation_search import AllocationSearch
from advisor.search.counts import advise_counts
from advisor.search.incumbent import Asked, StepBudget, budget, watch_of
from advisor.search.joint import advise_jointly, is_joint
from advisor.search.second_best import with_second_best
from advisor.search.simplest import simplest
from advisor.search.strategy import AUTO, Role, Strategy, anywhere
from advisor.search.variant_search import advise_variants
from machines import InfeasibleError, InputError
from machines.checks import number
from machines.stopping import Stopped, stoppable, stopped

_TINY, _TRIED = 8, 0.5  # tasks up to which a proof is tried first, and its part of the budget
_COMPARED = 0.1  # of the effort, added to find the second best plan
_REFINED, _REFINED_SHARED = 0.7, 0.85  # of the budget before a proof is tried, as `sharing` is


def advise(
    problem: Problem,
    objective: str = MAKESPAN,
    strategy: str = AUTO,
    seconds: float = 2.0,
    seed: int = 0,
    start: Plan | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: ShouldStop | None = None,
    clocked: bool = True,
) -> Recommendation:
    """Search for the best plan.

    Parameters
    ----------
    problem : Problem
    objective : {"makespan", "total"}
    strategy : str
        A key of `STRATEGIES`.
    seconds : float
        Bounds the search by a step budget; ten times as much processor time ends it.
    seed : int
        Of random moves.
    start : Plan, optional
        The present plan; the answer is never worse.
    on_progress, should_stop : callable, optional
        Told the best so far; asked whether to end with it.
    clocked : bool
        Whether the clock ends the search, too; else its steps alone do, and the answer is the same
        on a machine however slow.

    Returns
    -------
    Recommendation

    Raises
    ------
    InputError
        Unknown objective or strategy, or one that does not apply.
    InfeasibleError
        No feasible plan was found.
    """
    if objective not in OBJECTIVES:
        raise InputError("unknown objective", where="objective", value=objective,
                         remedy="Allowed: " + ", ".join(OBJECTIVES))  # fmt: skip
    known = strategy_named(strategy)
    if known is None:
        allowed = ", ".join((*STRATEGIES, robust.DEADLINE_FORM))
        raise InputError("unknown strategy", where="strategy", value=strategy,
                         remedy=f"Allowed: {allowed}")  # fmt: skip
    number("seconds", seconds, above=True, where="advise")
    asked = Asked(objective, strategy, seconds, seed, start, on_progress, should_stop, clocked)
    if known.goal is not None:
        return _robust(problem, asked, known.goal)
    found = (advise_variants(problem, asked, known.role, _in_variants)
             if problem.workload.variable else _in_variants(problem, asked))  # fmt: skip
    effort = StepBudget(budget(_COMPARED * seconds), watch_of(asked).stopped)
    if strategy == AUTO:
        found = simplest(problem, found, start)
    return _in_order(problem, with_second_best(problem, found, effort))


def _robust(problem: Problem, asked: Asked, goal: Goal) -> Recommendation:
    """The plan that is good in most draws, from what the automatic choice finds."""
    if asked.objective != MAKESPAN:
        raise InputError(f"{asked.strategy} is for the makespan alone", where="objective",
                         value=asked.objective, remedy="Ask for the makespan")  # fmt: skip
    check_goal(problem, goal)
    plain = advise(problem, MAKESPAN, AUTO, asked.seconds, asked.seed, asked.start,
                   asked.on_progress, asked.should_stop, asked.clocked)  # fmt: skip
    stop = watch_of(asked).stopped
    found = robust.robust(problem, goal, plain, asked.seconds, asked.seed, stop)
    best = robust.recommended(problem, plain, found)
    if goal.name == DEADLINE:  # a comparison says how often the plan ends by it
        best = replace(best, plan=replace(best.plan, strategy=asked.strategy))
    return best


def _in_order(problem: Problem, found: Recommendation) -> Recommendation:
    """The recommendation with the order in which each of its plans was valued."""
    return replace(
        found,
        plan=ordered(problem, found.plan),
        alternatives=tuple(
            (name, ordered(problem, plan), value_s) for name, plan, value_s in found.alternatives
        ),
    )


def _in_variants(problem: Problem, asked: Asked) -> Recommendation:
    """Search all that is open where no task has variants."""
    if is_joint(problem):
        return advise_jointly(problem, asked, _allocated)
    return _allocated(problem, asked)


def _allocated(problem: Problem, asked: Asked) -> Recommendation:
    """Search allocation, order and, where tasks scale, numbers of processors."""
    if problem.workload.scalable:
        return advise_counts(problem, asked, STRATEGIES[asked.strategy].role, _ordinary)
    return _ordinary(problem, asked, None)


def _ordinary(problem: Problem, asked: Asked, guard_s: float | None) -> Recommendation:
    """Search the allocation of a workload without scalable tasks.

    `guard_s`: seconds of a processor that end the search; None: ten times what was asked for.
    """
    search = AllocationSearch(problem, asked, guard_s=guard_s)
    if asked.start is not None:
        search.offer_if_feasible(replace(asked.start, strategy="start"))
    strategy = STRATEGIES[asked.strategy]
    if not _carried_out(search, strategy) and not _unfinished(search, strategy):
        raise InputError(f"{strategy.name} does not apply: {strategy.refusal}", where="strategy",
                         remedy="Use auto, or another strategy")  # fmt: skip
    if not search.found and asked.objective == TOTAL and problem.costs.needs.outputs_stay:
        # no order was found in which a plan of a small total does not stick
        search.offer(_ordinary(problem, replace(asked, objective=MAKESPAN), guard_s).plan)
    return search.recommendation()


def _unfinished(search: AllocationSearch, strategy: Strategy) -> bool:
    """Whether a proof was begun that needs more effort; what was found without it is the answer."""
    begun = strategy.role is Role.PROOF and strategy.suits(search.problem, search.objective)
    if begun and search.found:
        search.warnings.append(f"{strategy.title} did not end within {search.asked.seconds:g} s of "
                               "effort; more may prove the plan or find a better one")  # fmt: skip
    return begun and bool(search.found)


def _carried_out(search: AllocationSearch, strategy: Strategy) -> bool:
    """Run one strategy and the heuristics that it needs; False: it does not apply.

    No structure tells what waits for outputs in memory.
    """
    stays = search.problem.costs.needs.outputs_stay
    if stays and strategy.role is Role.STRUCTURE:
        return False
    if strategy.role in {Role.PROOF, Role.IMPROVEMENT}:
        _make_plans(search)
    if strategy.refusal and not strategy.suits(search.problem, search.objective):
        return False
    done = strategy.search(search)
    if done and strategy.alternatives:
        _make_plans(search)
    return done


def _automatic(search: AllocationSearch) -> bool:
    """Exact methods that apply, else heuristics and improvement."""
    if any(_carried_out(search, one) for one in _with(Role.STRUCTURE)):
        return True
    asked = search.problem, search.objective
    proofs = [one for one in _with(Role.PROOF) if one.least_s(*asked) <= search.asked.seconds]
    if len(search.problem.workload.tasks) <= _TINY:
        search.effort.budget = int(_TRIED * search.effort.whole)
        if any(_carried_out(search, one) for one in proofs):
            return True
        search.effort.budget = search.effort.whole
    _make_plans(search)
    if any(one.suits(*asked) for one in proofs):
        shared = search.problem.sharing == FAIR and search.objective == MAKESPAN
        part = _REFINED_SHARED if shared else _REFINED
        search.effort.budget = int(part * search.effort.whole)
    for one in _with(Role.IMPROVEMENT):
        _carried_out(search, one)
    search.effort.budget = search.effort.whole
    any(_carried_out(search, one) for one in proofs)
    return True


def _make_plans(search: AllocationSearch) -> None:
    """Run the heuristics that suit the problem and have not yet found a plan.

    However soon the search is stopped, there is one. Nobody asked for one of them by name, so that
    those that find none need no words.
    """
    for one in _with(Role.HEURISTIC):
        if not one.suits(search.problem, search.objective):
            continue
        if one.name in search.found or (search.effort.stopped and search.found):
            continue
        with suppress(InfeasibleError):
            one.search(search)
        search.effort.left()


def _with(role: Role) -> Iterator[Strategy]:
    return (one for one in STRATEGIES.values() if one.role is role)


_AUTO = Strategy(
    AUTO,
    "Automatic",
    "Exact where the structure allows, else the best of all",
    Role.PORTFOLIO,
    anywhere,
    _automatic,
)
STRATEGIES = {
    one.name: one
    for one in (
        _AUTO,
        chain.STRATEGY,
        cut.STRATEGY,
        elimination.STRATEGY,
        exact.STRATEGY,
        lists.HEFT,
        lists.CPOP,
        lists.PEFT,
        lists.MIN_MIN,
        lists.MAX_MIN,
        shared_lists.HEFT_SHARED,
        shared_lists.PEFT_SHARED,
        shared_lists.ONE_MACHINE,
        shared_lists.CLUSTERS,
        refine.STRATEGY,
        immediate.MCT,
        immediate.MET,
        immediate.OLB,
        batch.DUPLEX,
        batch.SUFFERAGE,
        dynamic_levels.ETF,
        dynamic_levels.DLS,
        dynamic_levels.GDL,
        dynamic_levels.BIL,
        fast_lists.FCP,
        fast_lists.FLB,
        fast_lists.LOOKAHEAD,
        *robust.STRATEGIES,
    )
}


def strategy_named(name: str) -> Strategy | None:
    """One of `STRATEGIES`, or that of a deadline (`robust.by_deadline`); None: there is none."""
    return STRATEGIES.get(name) or robust.by_deadline(name)


def deadlines_of(plans: Iterable[Plan]) -> tuple[float, ...]:
    """By when plans were to end that were searched for with a deadline, seconds, ascending."""
    found = (strategy_named(plan.strategy) for plan in plans)
    goals = (one.goal for one in found if one is not None and one.goal is not None)
    return tuple(sorted({goal.deadline_s for goal in goals if goal.name == DEADLINE}))


# Several strategies, each by itself: what each of them finds, or why it finds nothing.


@dataclass(frozen=True)
class Tried:
    """A strategy and what it found, or its refusal."""

    strategy: str
    found: Recommendation | None
    refusal: InputError | InfeasibleError | None = None


def each_strategy(
    problem: Problem,
    objective: str,
    strategies: Sequence[str],
    seconds: float,
    seed: int = 0,
    should_stop: ShouldStop | None = None,
) -> Iterator[Tried]:
    """Search with every strategy, in their order.

    Parameters
    ----------
    problem, objective, seconds, seed
        As of `advise`; the effort is that of each strategy.
    strategies : sequence of str
        Names.
    should_stop : callable, optional
        Ends the searches: the one under way gives its best so far, if it is here.
    """
    search = partial(_tried, problem, objective, seconds, seed)
    with stoppable(should_stop), suppress(Stopped):
        yield from in_order(search, strategies)


def _tried(problem: Problem, objective: str, seconds: float, seed: int, strategy: str) -> Tried:
    try:
        found = advise(problem, objective, strategy, seconds, seed, should_stop=stopped)
    except (InputError, InfeasibleError) as error:
        return Tried(strategy, None, error)
    return Tried(strategy, found)
