"""Why a recommendation is what it is.

What it saves and by what cause, how sure it is, and what change of load would make another
allocation better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from advisor.advice.flips import Flip, find_flips
from advisor.allocation.labels import counts_in_words, label, moves_in_words, plan_label
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.causes import CAUSES, IDLE
from advisor.basics.quantities import count, duration, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from machines import InfeasibleError

_TIES_NAMED = 3


@dataclass(frozen=True)
class Saving:
    """What the recommended plan saves against another.

    Attributes
    ----------
    against : str
        "the present allocation", or the strategy or allocation of the runner-up.
    value_s, saved_s : float
        The other plan's objective, and how much less the recommended one takes.
    by_cause_s : tuple of (cause, seconds)
        Signed, positive saved; sums to `saved_s`. For the makespan along the critical paths.
    sentence : str
        "Saves 10.0 s against the present allocation: waiting for the processor 32.0 s less, …"
    """

    against: str
    plan: Plan
    value_s: float
    saved_s: float
    by_cause_s: tuple[tuple[str, float], ...]
    sentence: str


@dataclass(frozen=True)
class Explanation:
    """The reasons of a recommendation, as sentences and numbers.

    Attributes
    ----------
    headline : str
        What to do and what it saves.
    proof : str
        How good the plan is known to be.
    ties : str
        Other allocations of the same value; empty when there are none.
    against_current, against_runner_up : Saving or None
        None: no present plan (or one that can't run), no second allocation.
    flips : tuple of Flip
        Nearest first.
    flips_searched : str
        Among what they were looked for.
    """

    headline: str
    proof: str
    ties: str
    against_current: Saving | None
    against_runner_up: Saving | None
    flips: tuple[Flip, ...]
    flips_searched: str

    @property
    def reasons(self) -> tuple[str, ...]:
        """All sentences but the headline, in the order in which people ask."""
        savings = (self.against_current, self.against_runner_up)
        sentences = [saving.sentence for saving in savings if saving is not None]
        sentences += [self.proof, self.ties]
        sentences += [flip.sentence for flip in self.flips]
        return tuple(sentence for sentence in (*sentences, self.flips_searched) if sentence)


def explain(
    problem: Problem,
    recommendation: Recommendation,
    current: Plan | None = None,
    should_stop: ShouldStop | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Explanation:
    """Say what a recommendation saves, how sure it is and what would flip it.

    Parameters
    ----------
    problem, recommendation
        The question and its answer.
    current : Plan, optional
        The present plan.
    should_stop : callable, optional
        Ends the search for flips; all else is given in any case.
    on_progress : callable, optional
        Told the share done.

    Returns
    -------
    Explanation
    """
    objective = recommendation.objective
    chosen = predict(problem, recommendation.plan)
    present = _feasible(problem, current)
    runner_up = _runner_up(recommendation)
    second = None if runner_up is None else _feasible(problem, runner_up[1])
    found = find_flips(problem, recommendation, chosen, current, should_stop, on_progress)
    against_current = None
    if present is not None and not _same(present, chosen):
        against_current = saving("the present allocation", objective, chosen, present)
    against_runner_up = None
    if runner_up is not None and second is not None:
        name = plan_label(problem, runner_up[1], recommendation.plan)
        against = f"the runner-up ({name}; {runner_up[0]})"
        against_runner_up = saving(against, objective, chosen, second)
    return Explanation(
        headline=headline(problem, objective, chosen, current, recommendation.proved_optimal),
        proof=proof_sentence(problem, recommendation),
        ties=ties_sentence(problem, recommendation),
        against_current=against_current,
        against_runner_up=against_runner_up,
        flips=found.flips,
        flips_searched=found.sentence,
    )


def _same(one: Prediction, other: Prediction) -> bool:
    plans = (one.plan, other.plan)
    same = len({(plan.allocation, plan.processors) for plan in plans}) == 1
    return same and one.makespan_s == other.makespan_s


def headline(
    problem: Problem,
    objective: str,
    chosen: Prediction,
    current: Plan | None = None,
    proved: bool = False,
) -> str:
    """The answer in one sentence: "Move A to M2: saves 10.0 s (21 %)."."""
    value_s = chosen.value_s(objective)
    goal = f"{objective} {duration(value_s)}"
    if current is None:
        return f"{_started(problem, chosen.plan)}: {goal}."
    moved = [
        task
        for task, (old, new) in enumerate(
            zip(current.allocation, chosen.plan.allocation, strict=True)
        )
        if old != new
    ]
    action = _changed(problem, moved, current, chosen.plan)
    present = _feasible(problem, current)
    if present is None:
        return f"{action}: the present allocation can't run; {goal}."
    now_s = present.value_s(objective)
    if now_s - value_s <= ALIKE * now_s:
        known = "none is better" if proved else "nothing better was found"
        return f"Keep the present allocation: {known} ({goal})."
    return f"{action}: saves {duration(now_s - value_s)} ({percent((now_s - value_s) / now_s)})."


def saving(against: str, objective: str, chosen: Prediction, other: Prediction) -> Saving:
    """What `chosen` saves against `other`, by cause.

    Parameters
    ----------
    against : str
        Name of the other plan in the sentence.
    objective : str
        "makespan": causes along both critical paths; "total": of all tasks and transfers.
    """
    before, after = _by_cause(other, objective), _by_cause(chosen, objective)
    value_s = other.value_s(objective)
    saved_s = value_s - chosen.value_s(objective)
    causes = [cause for cause in (*CAUSES, IDLE) if cause in before or cause in after]
    differences = [(cause, before.get(cause, 0.0) - after.get(cause, 0.0)) for cause in causes]
    rounding = ALIKE * max(value_s, chosen.value_s(objective))
    by_cause = tuple((cause, gain) for cause, gain in differences if abs(gain) > rounding)
    words = [
        f"{cause} {duration(abs(gain))} {'less' if gain > 0 else 'more'}"
        for cause, gain in sorted(by_cause, key=lambda one: -abs(one[1]))
    ]
    if abs(saved_s) <= rounding:
        verb = f"Takes as long as {against}"
    elif saved_s > 0:
        verb = f"Saves {duration(saved_s)} against {against}"
    else:
        verb = f"Takes {duration(-saved_s)} longer than {against}"
    sentence = f"{verb}: {', '.join(words)}." if words else f"{verb}."
    return Saving(against, other.plan, value_s, saved_s, by_cause, sentence)


def proof_sentence(problem: Problem, recommendation: Recommendation) -> str:
    """How good the plan is known to be: "Proved best of 4 allocations."."""
    if recommendation.proved_optimal:
        machines = len(problem.platform.machines)
        tasks = len(problem.workload.tasks)
        few = tasks * len(str(machines)) <= 12 and machines**tasks < 1_000_000
        if problem.workload.scalable:
            strategy = recommendation.strategy
            return f"Proved best of all allocations and numbers of processors ({strategy})."
        allocations = count(machines**tasks, "allocation") if few else "all allocations"
        return f"Proved best of {allocations} ({recommendation.strategy})."
    if recommendation.lower_bound_s <= 0 < recommendation.value_s:
        return f"Best found by {recommendation.strategy}; no bound is known."
    return (
        f"Within {percent(recommendation.gap)} of the bound "
        f"{duration(recommendation.lower_bound_s)} ({recommendation.strategy})."
    )


def ties_sentence(problem: Problem, recommendation: Recommendation) -> str:
    """Which other allocations are as good; empty when there are none."""
    ties = [tie for tie in recommendation.ties if tie != recommendation.plan.allocation]
    if not ties:
        return ""
    names = [label(problem, tie, recommendation.plan.allocation) for tie in ties[:_TIES_NAMED]]
    more = len(ties) - len(names)
    if more:
        names.append(f"{more:,} more")
    least = "" if recommendation.ties_complete else "at least "
    return f"As good: {least}{'; '.join(names)}."


def _by_cause(prediction: Prediction, objective: str) -> dict[str, float]:
    if objective == MAKESPAN:
        return prediction.critical_breakdown_s
    return prediction.breakdown_s


def _feasible(problem: Problem, plan: Plan | None) -> Prediction | None:
    if plan is None:
        return None
    try:
        return predict(problem, plan)
    except InfeasibleError:
        return None


def _runner_up(recommendation: Recommendation) -> tuple[str, Plan] | None:
    chosen = recommendation.plan
    for strategy, plan, _ in recommendation.alternatives:
        if (plan.allocation, plan.processors) != (chosen.allocation, chosen.processors):
            return strategy, plan
    for tie in recommendation.ties:
        if tie != chosen.allocation:
            return "tie", replace(recommendation.plan, allocation=tie, strategy="tie")
    return None


def _changed(problem: Problem, moved: list[int], current: Plan, chosen: Plan) -> str:
    """What to do to come from one plan to the other."""
    before, after = current.counts(problem.workload), chosen.counts(problem.workload)
    counts = {name: processors for name, processors in after.items() if before[name] != processors}
    if not moved and not counts:
        return "Start the tasks in another order"
    actions = []
    if 0 < len(moved) <= 3:
        actions = [f"Move {moves_in_words(problem, moved, chosen.allocation)}"]
    elif moved:
        actions = [f"Move {len(moved):,} of {count(len(problem.workload.tasks), 'task')}"]
    if counts:
        now = {before[name] for name in counts}
        was = f" (now {now.pop():,})" if len(now) == 1 else ""
        actions.append(f"{'run' if actions else 'Run'} {counts_in_words(counts)}{was}")
    return " and ".join(actions)


def _started(problem: Problem, plan: Plan) -> str:
    name, allocation = plan_label(problem, plan), plan.allocation
    if len(set(allocation)) > 1 and len(allocation) > 3:
        return f"Spread {name}"
    return f"Run {name}"
