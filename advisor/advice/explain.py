"""Why a recommendation is what it is.

What it saves and by what cause, how sure it is, and what change of load would make another
allocation better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from advisor.advice.anomalies import anomaly_sentence
from advisor.advice.apart import apart_sentence
from advisor.advice.competition import contest_of
from advisor.advice.flips import Flip, Flips, flips_of
from advisor.advice.gains_by_decision import DecisionGain, gains_by_decision, gains_sentence
from advisor.advice.held_limits import held_sentence
from advisor.advice.how_sure import Odds, odds_of
from advisor.advice.known import Valued, best_known, least_moves, moves, valued
from advisor.advice.limits import Limit, limit_of, limits_briefly
from advisor.advice.others import Others, others_of
from advisor.advice.places import Place, places_of, places_sentence
from advisor.advice.savings import Saving, saving
from advisor.allocation.comparison import label, plan_label
from advisor.allocation.objectives import MAKESPAN, NO_BOUND, SPREAD, WITHIN, alike, certainty
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import timeline_sentence
from advisor.basics.quantities import count, duration, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import durations
from advisor.decisions.instructions import instruction, start
from advisor.search.joint import is_joint
from advisor.search.titles import title_of
from machines import InfeasibleError

_TIES_NAMED = 3


@dataclass(frozen=True)
class Explanation:
    """The reasons of a recommendation, as sentences and numbers.

    `recommendation`: what is explained: the one that was asked about, or a better plan that is
        known or was met while loads were varied.
    `advised`: what to do: the recommended plan, or of the plans alike to it the one that changes
        least of the present plan.
    `alike`: each (name, plan, value_s); plans that differ from the recommended one by no more than
        the model's own error.
    `by_decision`: what each kind of decision saves against the present plan; none without one.
    `against_current`, `against_runner_up`: None: no present plan (or one that can't run), no second
        allocation.
    `limit`: what limits the advised plan; None: each transfer is alone, or the objective is the
        total.
    """

    recommendation: Recommendation
    advised: Plan
    advised_s: float  # what that reaches
    headline: str  # what to do and what it saves
    places: tuple[Place, ...]  # who runs where then
    proof: str  # how good the plan is known to be, and how far the advised one is from the best
    ties: str  # other allocations of the same value; empty when there are none
    alike: tuple[tuple[str, Plan, float], ...]
    by_decision: tuple[DecisionGain, ...]
    against_current: Saving | None
    against_runner_up: Saving | None
    flips: tuple[Flip, ...]  # nearest first
    flips_searched: str  # among what they were looked for
    flips_varied: bool  # whether loads were varied at all, to the end
    limit: Limit | None
    limits: str  # what it spends most of its time on, in a few words: "processors 98 %"
    others: Others  # what contenders and other load cost the advised plan
    timeline: str  # the timeline: "Timeline: contention-aware schedule."
    apart: str = ""  # which machines have no way to each other; empty: none, or no data flow
    anomaly: str = ""  # which fall of load would delay the plan; empty: none is known
    held: str = ""  # which resources limit it, and who waits for memory; empty: none, and nobody
    odds: Odds | None = None  # what to expect of the makespan; None: all is exact

    @property
    def no_flip(self) -> str:
        """Why no load tips the plan over, in a few words; only without flips."""
        return "no load within its range" if self.flips_varied else "not searched"

    @property
    def reasons(self) -> tuple[str, ...]:
        """All sentences but the headline, in the order in which people ask."""
        savings = (self.against_current, self.against_runner_up)
        sentences = [
            *(() if self.odds is None else self.odds.sentences),
            places_sentence(self.places),
            self.apart,
            *(saving.sentence for saving in savings if saving is not None),
        ]
        if self.against_current is not None:
            at = sentences.index(self.against_current.sentence) + 1
            gains = gains_sentence(self.by_decision, self.against_current.value_s)
            sentences.insert(at, gains)
        sentences += [] if self.limit is None else [self.limit.sentence]
        sentences.append(self.held)
        sentences.append(self.others.sentence)
        sentences += [self.proof, self.ties]
        sentences += [flip.sentence for flip in self.flips]
        sentences.append(self.anomaly)
        sentences += [self.flips_searched, self.timeline]
        return tuple(sentence for sentence in sentences if sentence)


def explain(
    problem: Problem,
    recommendation: Recommendation,
    current: Plan | None = None,
    should_stop: ShouldStop | None = None,
    on_progress: Callable[[float], None] | None = None,
    *,
    known: Iterable[Plan] = (),
    keep: bool = False,
    draws: int | None = None,
    seed: int = 0,
) -> Explanation:
    """Say what to do, what it saves, how sure that is and what would flip it.

    `problem`, `recommendation`: the question and its answer.
    `current`: the present plan.
    `should_stop`: ends the search for flips; all else is given in any case.
    `known`: pins and other plans that were met; the best of all becomes the recommendation.
    `keep`: the plan stays though a better one is known: its strategy was asked for by name.
    `draws`, `seed`: how many of what is not known exactly, and which; None: half a second's.
    """
    stop = should_stop or (lambda: False)
    others = [plan for plan in (current, *known) if plan is not None]
    if not keep:
        recommendation = best_known(problem, recommendation, others)
    chosen = predict(problem, recommendation.plan)
    contest = contest_of(problem, recommendation, chosen, others, stop)
    better = valued(problem, recommendation.objective, contest.best)
    if better is not None and better.value_s < recommendation.value_s * (1.0 - ALIKE):
        if keep:
            flips = Flips((), _kept(problem, recommendation, better), recommendation.plan)
            advised = Valued(recommendation.plan, recommendation.value_s)
            found = _explained(problem, recommendation, advised, current, flips)
            return replace(found, odds=_odds(problem, found, current, stop, draws, seed))
        proved = contest.judge.exact and contest.kept is None
        recommendation = recommendation.beaten_by(better.plan, better.value_s, proved)
    advised = Valued(recommendation.plan, recommendation.value_s)
    if not keep:
        advised = least_moves(problem, recommendation, current, others, stop)
        if _as_good(advised, recommendation):
            recommendation = _instead(recommendation, advised.plan)
    if not advised.plan.decides_as(contest.best):
        followed = replace(recommendation, plan=advised.plan)
        there = predict(problem, advised.plan)
        contest = contest_of(problem, followed, there, [*others, contest.best], stop)
    slack = ALIKE
    if not _as_good(advised, recommendation):
        slack = max(SPREAD, 1.0 - recommendation.value_s / advised.value_s + ALIKE)
    flips = flips_of(contest, advised.plan, slack, stop, on_progress)
    found = _explained(problem, recommendation, advised, current, flips)
    if recommendation.objective != MAKESPAN:
        return found
    return replace(
        found,
        anomaly=anomaly_sentence(contest, advised.plan, stop),
        odds=_odds(problem, found, current, stop, draws, seed),
    )


def _odds(
    problem: Problem,
    found: Explanation,
    current: Plan | None,
    stop: ShouldStop,
    count: int | None,
    seed: int,
) -> Odds | None:
    """Of the advised plan, against the present one and the best known."""
    if not problem.instance.task_s.any():
        return None
    present = None if _feasible(problem, current) is None else current
    best = found.recommendation.plan
    return odds_of(
        problem, found.advised, found.advised_s, present, best,
        count=count, seed=seed, should_stop=stop, dispatch=True,
    )  # fmt: skip


def _as_good(advised: Valued, recommendation: Recommendation) -> bool:
    return advised.value_s <= recommendation.value_s * (1.0 + ALIKE)


def _instead(recommendation: Recommendation, plan: Plan) -> Recommendation:
    """The recommendation of a plan that is as good."""
    old = recommendation.plan.allocation
    ties = dict.fromkeys((old, *recommendation.ties))
    ties.pop(plan.allocation, None)
    return replace(recommendation, plan=plan, ties=tuple(ties))


def _explained(
    problem: Problem,
    recommendation: Recommendation,
    advised: Valued,
    current: Plan | None,
    flips: Flips,
) -> Explanation:
    objective, best = recommendation.objective, recommendation.plan
    chosen = predict(problem, advised.plan)
    present = _feasible(problem, current)
    against_current: Saving | None = None
    by_decision: tuple[DecisionGain, ...] = ()
    if current is not None and present is not None and not _same(present, chosen):
        against_current = saving("the present allocation", objective, chosen, present)
        by_decision = gains_by_decision(problem, objective, current, advised.plan)
    against_runner_up = None
    if not _as_good(advised, recommendation):
        name = _changes(problem, best, current)
        against = f"the best plan known ({name})"
        against_runner_up = saving(against, objective, chosen, predict(problem, best))
    elif (runner_up := recommendation.runner_up) is not None:
        second = _feasible(problem, runner_up[1])
        named = plan_label(problem, runner_up[1], best)
        against = f"the runner-up ({named}; {title_of(runner_up[0])})"
        if second is not None:
            against_runner_up = saving(against, objective, chosen, second)
    limit = limit_of(problem, chosen) if objective == MAKESPAN else None
    return Explanation(
        recommendation=recommendation,
        advised=advised.plan,
        advised_s=advised.value_s,
        headline=headline(
            problem,
            objective,
            chosen,
            current,
            recommendation.proved_optimal and _as_good(advised, recommendation),
            best_s=recommendation.value_s,
        ),
        places=places_of(problem, advised.plan),
        proof=_distance(problem, recommendation, advised, current)
        + proof_sentence(problem, recommendation),
        ties=ties_sentence(problem, recommendation),
        alike=_alike(recommendation),
        by_decision=by_decision,
        against_current=against_current,
        against_runner_up=against_runner_up,
        flips=flips.flips,
        flips_searched=flips.sentence,
        flips_varied=flips.varied,
        limit=limit,
        apart=apart_sentence(problem),
        held=held_sentence(problem, chosen) if objective == MAKESPAN else "",
        limits=limits_briefly(limit, chosen, objective),
        others=others_of(problem, chosen, objective),
        timeline=timeline_sentence(problem.sharing),
    )


def _kept(problem: Problem, recommendation: Recommendation, better: Valued) -> str:
    """What a strategy that was asked for by name left on the table."""
    saved_s = recommendation.value_s - better.value_s
    share = percent(saved_s / recommendation.value_s)
    name = plan_label(problem, better.plan, recommendation.plan)
    return (
        f"{title_of(recommendation.strategy)} was requested; auto would give {name}: "
        f"{duration(saved_s)} ({share}) less. No loads were varied."
    )


def _distance(
    problem: Problem, recommendation: Recommendation, advised: Valued, current: Plan | None
) -> str:
    """How far the advised plan is from the best, and what that would move; empty if it is it."""
    if _as_good(advised, recommendation) or current is None:
        return ""
    best_s = recommendation.value_s
    share = percent((advised.value_s - best_s) / advised.value_s)
    more = moves(problem, recommendation.plan, current) - moves(problem, advised.plan, current)
    change = f"changes {count(more, 'task')} more" if more else "starts tasks in another order"
    best, own = durations(best_s, advised.value_s)
    return f"The best plan known, {best} against {own}, {change}: {share} less, {WITHIN}. "


def _alike(recommendation: Recommendation) -> tuple[tuple[str, Plan, float], ...]:
    best, best_s = recommendation.plan, recommendation.value_s
    found = [("tie", recommendation.tied(tie), best_s) for tie in recommendation.ties]
    found += [one for one in recommendation.alternatives if alike(one[2], best_s)]
    return tuple(one for one in found if not one[1].alike(best))


def _changes(problem: Problem, plan: Plan, current: Plan | None) -> str:
    if current is None:
        return plan_label(problem, plan)
    text = instruction(problem, plan, current)
    return f"{text[0].lower()}{text[1:]}"


def _same(one: Prediction, other: Prediction) -> bool:
    plans = (one.plan, other.plan)
    return plans[0].alike(plans[1]) and one.makespan_s == other.makespan_s


def headline(
    problem: Problem,
    objective: str,
    chosen: Prediction,
    current: Plan | None = None,
    proved: bool = False,
    best_s: float | None = None,
) -> str:
    """What to do in one sentence: "Move A to M2: saves 10.0 s (21 %)."."""
    if not problem.instance.task_s.any():
        return "No task takes any time: give tasks their work, or seconds by machine."
    value_s = chosen.value_s(objective)
    told = durations(value_s, value_s if best_s is None else best_s)
    goal = f"{objective} {told[0]}"
    if current is None:
        return f"{start(problem, chosen.plan)}: {goal}."
    action = instruction(problem, chosen.plan, current)
    present = _feasible(problem, current)
    if present is None:
        return f"{action}: the present allocation can't run; {goal}."
    now_s = present.value_s(objective)
    if now_s - value_s <= ALIKE * now_s:
        known = "none is better" if proved else "nothing better was found"
        if best_s is not None and now_s - best_s > ALIKE * now_s:
            saved = f"{duration(now_s - best_s)} ({percent((now_s - best_s) / now_s)})"
            known = f"the best plan known saves {saved}, a tie {WITHIN}"
        kept = start(problem, chosen.plan).removeprefix("Run ")
        return f"Keep {kept}: {known} ({goal})."
    share = percent((now_s - value_s) / now_s)
    return f"{action}: saves {duration(now_s - value_s)} ({share})."


def proof_sentence(problem: Problem, recommendation: Recommendation) -> str:
    """How good the plan is known to be: "Proved best of 4 allocations."."""
    if not problem.instance.task_s.any():
        return ""
    if recommendation.proved_optimal:
        machines = len(problem.platform.machines)
        tasks = len(problem.workload.tasks)
        few = tasks * len(str(machines)) <= 12 and machines**tasks < 1_000_000
        allocations = count(machines**tasks, "allocation") if few else "all allocations"
        if problem.workload.scalable:
            allocations = "all allocations and numbers of processors"
        quickest = ", every program at its quickest" if is_joint(problem) else ""
        return f"Proved best of {allocations}{quickest} ({title_of(recommendation.strategy)})."
    if recommendation.lower_bound_s <= 0 < recommendation.value_s:
        return f"Best found ({title_of(recommendation.strategy)}); no bound is known."
    if certainty(recommendation.gap) == NO_BOUND:
        return f"Best found ({title_of(recommendation.strategy)}); {NO_BOUND}."
    return (
        f"Within {percent(recommendation.gap)} of the bound "
        f"{duration(recommendation.lower_bound_s)} ({title_of(recommendation.strategy)})."
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
    return f"Equally good: {least}{'; '.join(names)}."


def _feasible(problem: Problem, plan: Plan | None) -> Prediction | None:
    if plan is None:
        return None
    try:
        return predict(problem, plan)
    except InfeasibleError:
        return None
