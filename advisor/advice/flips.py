"""What change of load would make another allocation best, found by search.

Along one load parameter the platform is changed step by step, away from the present value and
in both directions, until a plan is beaten; bisection then narrows the place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from advisor.advice.competition import SEARCH_S, Contest, contest_of
from advisor.advice.contest import contestants_on
from advisor.advice.judged_plan import PlanVerdict
from advisor.allocation.comparison import label
from advisor.allocation.loads import (
    BANDWIDTH,
    CONTENDERS,
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    LoadParameter,
    contenders_in_words,
)
from advisor.allocation.objectives import SPREAD, WITHIN, alike
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.basics.quantities import count, duration, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.shards import each
from advisor.basics.stop_rule import ShouldStop
from machines import Platform
from machines.stopping import Stopped, stoppable, stopped

_NAMED = 3  # of more loads the sentence has the number
_NEAR_TIMES = 1.1  # a ratio below is said in percent
_NOTHING = 0.005  # of a load, or of ten contenders: nobody knows it that well
_ROUNDS, _INSIDE = 5, 0.02  # of searches inside the flips, and how far inside

Way = tuple[LoadParameter, float]  # a load, and the end of its range towards which it varies


@dataclass(frozen=True)
class Flip:
    """The nearest value of a load parameter at which another allocation becomes best.

    `value`, `present`: where the other allocation takes over, and the value now.
    `sentence`: "Below 1.17 CPU-bound contenders on M1 (now 2), another is best: both on M1; staying
        costs 14.0 s (47 %) at 0.".
    `at`, `lost_s`, `lost_share`: a value beyond the flip, and what staying with the plan costs
        there against the best plan there, in seconds and as a share of what the plan then takes.
    """

    parameter: LoadParameter  # what changes
    value: float
    present: float
    sentence: str
    plan: Plan  # what is best beyond
    exact: bool  # all allocations were compared, not a pool of candidates
    at: float
    lost_s: float
    lost_share: float

    @property
    def brief(self) -> str:
        """What tips the plan over, in a few words: "M1–M2 1.7 times slower"."""
        load, tie = self.parameter, self.value == self.present
        if load.kind == CONTENDERS and tie:
            amount = "more" if self.at > self.present else "less"
            return f"any {amount} load on {load.subject} (a tie now)"
        if load.kind == CONTENDERS:
            now = load.words(self.present)
            return f"{contenders_in_words(self.value)} on {load.subject} (now {now})"
        slows = load.kind in {MACHINE_SLOWDOWN, LINK_SLOWDOWN}
        more = (self.at if tie else self.value) > self.present
        way = "slower" if more == slows else "faster"
        if tie:
            return f"{load.subject} any {way} (a tie now)"
        high, low = max(self.value, self.present), min(self.value, self.present)
        times = f"{high / low:.2g} times" if low > 0.0 else "much"
        if low > 0.0 and high < _NEAR_TIMES * low:
            times = percent(high / low - 1.0)
        return f"{load.subject} {times} {way}"


@dataclass(frozen=True)
class Flips:
    """All flips found, nearest first, and in a sentence among what they were looked for.

    `plan` is the one that they flip: the recommended one, unless a better one was met, which then
    is the answer; `proved` says that all allocations were compared with it.
    """

    flips: tuple[Flip, ...]
    sentence: str
    plan: Plan
    proved: bool = False
    varied: bool = False  # loads were varied, over all of their ranges


def flips_of(
    contest: Contest,
    plan: Plan,
    slack: float = ALIKE,
    should_stop: ShouldStop = lambda: False,
    on_progress: Callable[[float], None] | None = None,
) -> Flips:
    """Walk along every load parameter, below and above its present value, until `plan` loses.

    `slack`: by which share of its value it must lose. `should_stop`, `on_progress`: asked before
    every evaluation; told the share done. Returns those found until stopped.
    """
    parameters, judge = contest.parameters, contest.judge
    if not parameters:
        return Flips((), "The workload is too large to search for break-even loads.", plan)
    tell = on_progress or (lambda _share: None)
    ways = [(one, end) for one in parameters for end in (one.low, one.high)]
    flips: dict[int, Flip | None] = {}
    tell(0.0)
    with stoppable(should_stop), suppress(Stopped):
        for place, flip in each(partial(_walked, contest, plan, slack), ways):
            flips[place] = flip
            tell(len(flips) / len(ways))
        if not judge.exact:
            judge = _confirmed(contest, plan, slack, ways, flips, should_stop).judge
    found = sorted(filter(None, (flips[place] for place in sorted(flips))), key=_distance)
    ended = " The search was stopped." if should_stop() else ""
    kept = "" if contest.kept is None else _kept_sentence(contest.kept)
    return Flips(
        tuple(found),
        f"{judge.compared(_one_by_one(parameters))}{ended}{kept}",
        plan,
        judge.exact and contest.kept is None,
        not should_stop(),
    )


def _one_by_one(parameters: tuple[LoadParameter, ...]) -> str:
    """All loads in words, or of many how many there are."""
    if len(parameters) > _NAMED:
        return f"{count(len(parameters), 'load')} one by one, each over its range"
    return ", then ".join(one.ranging(one.low, one.high) for one in parameters)


def _kept_sentence(plan: Plan) -> str:
    more = bool(plan.choices or plan.overlays)
    what = "All other decisions of the plan were" if more else "Processor counts were"
    return f" {what} kept."


def find_flips(
    problem: Problem,
    recommendation: Recommendation,
    prediction: Prediction,
    current: Plan | None = None,
    should_stop: ShouldStop | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Flips:
    """The flips of the best plan met: the recommended one, or a better contestant.

    `problem`, `recommendation`, `prediction`: the question, its answer and the prediction of the
        recommended plan.
    `current`: one more contestant.
    `should_stop`, `on_progress`: asked before every evaluation; told the share done.
    """
    stop = should_stop or (lambda: False)
    known = () if current is None else (current,)
    contest = contest_of(problem, recommendation, prediction, known, stop)
    return flips_of(contest, contest.best, ALIKE, stop, on_progress)


@dataclass(frozen=True)
class _Walk:
    """The search along one parameter."""

    contest: Contest
    plan: Plan
    slack: float
    parameter: LoadParameter

    def towards(self, end: float) -> Flip | None:
        """The nearest flip between the present value and `end`; None: there is none, or stopped."""
        problem, looks = self.contest.problem, self.contest.looks
        present = self.parameter.value(problem.platform, problem.reading)
        kept = present
        if math.isclose(end, present):
            return None
        for look in range(1, looks + 1):
            # quadratic spacing: near changes of load are the likely ones
            value = present + (end - present) * (look / looks) ** 2
            verdict = self._verdict(value)
            if verdict is None:
                return None
            if verdict.lost(self.slack):
                return self._narrowed(kept, value, verdict, present)
            kept = value
        return None

    def _narrowed(
        self, kept: float, lost: float, verdict: PlanVerdict, present: float
    ) -> Flip | None:
        above, counts = lost > kept, self.parameter.kind == CONTENDERS
        for _ in range(self.contest.halvings):
            middle = 0.5 * (kept + lost)
            found = self._verdict(middle)
            if found is None:
                return None
            if found.lost(self.slack):
                lost, verdict = middle, found
            else:
                kept = middle
        if kept == present or abs(lost - present) <= _NOTHING * max(abs(present), 10.0 * counts):
            lost = present  # a tie, as far as it was looked at, or as any load changes by itself
        at = _beyond(self.parameter, lost, present, above)
        there = self._verdict(at)
        if there is None:
            return None
        others = self.contest.kept
        best = verdict.best if others is None else verdict.best.deciding_as(others)
        share = there.lost_s / there.value_s if there.value_s > 0 else 0.0
        sentence = self._sentence(lost, present, best, above)
        staying = f"staying costs {duration(there.lost_s)} ({percent(share)})"
        close = f", a tie {WITHIN}" if alike(there.value_s, there.best_s) else ""
        return Flip(
            parameter=self.parameter,
            value=lost,
            present=present,
            sentence=f"{sentence}; {staying} at {self.parameter.words(at)}{close}.",
            plan=best,
            exact=self.contest.judge.exact,
            at=at,
            lost_s=there.lost_s,
            lost_share=share,
        )

    def _verdict(self, value: float) -> PlanVerdict | None:
        if stopped():
            return None
        problem = self.contest.problem
        platform = self.parameter.applied(problem.platform, value, problem.reading)
        verdict = self.contest.judge(platform, self.plan)
        return None if stopped() else verdict

    def _sentence(self, value: float, present: float, best: Plan, above: bool) -> str:
        name = label(self.contest.problem, best.allocation, self.plan.allocation)
        side = "above" if above else "below"
        another = (
            "the best plan is"
            if self.slack <= ALIKE
            else f"a plan is better by more than {100 * SPREAD:g} %:"
        )
        if value == present:
            now = f"the present {self.parameter.sentence(present)}"
            return f"Break-even at {now}; {side}, {another} {name}"
        there = self.parameter.sentence(value)
        now = self.parameter.words(present)
        return f"Break-even at {there} (now {now}); {side}, {another} {name}"


def _walked(contest: Contest, plan: Plan, slack: float, way: Way) -> Flip | None:
    parameter, end = way
    return _Walk(contest, plan, slack, parameter).towards(end)


def _confirmed(
    contest: Contest,
    plan: Plan,
    slack: float,
    ways: list[Way],
    flips: dict[int, Flip | None],
    stop: ShouldStop,
) -> Contest:
    """Search just inside every flip for a plan that is better before; walk again where there is.

    `flips`, by position in `ways`, is brought up to date. The searches of a flip end with one that
    finds nothing new, all of them after a few rounds.
    """
    open_ = sorted(flips)
    for _ in range(_ROUNDS):
        inside = {
            place: _inside(contest.problem, flip) for place in open_ if (flip := flips[place])
        }
        better = contestants_on(
            contest.problem, inside.values(), contest.objective, SEARCH_S, stop, contest.pool
        )
        contest = contest.joined_by(better, stop)
        open_ = [one for one in inside if contest.judge(inside[one], plan).lost(slack)]
        for place, flip in each(partial(_walked, contest, plan, slack), [ways[i] for i in open_]):
            flips[open_[place]] = flip
        if not open_:
            break
    return contest


def _inside(problem: Problem, flip: Flip) -> Platform:
    """The platform a little nearer to the present load than a flip."""
    value = flip.value + _INSIDE * (flip.present - flip.value)
    return flip.parameter.applied(problem.platform, value, problem.reading)


def _beyond(parameter: LoadParameter, flip: float, present: float, above: bool) -> float:
    """A round value about as far beyond the flip as that is from now, within the range."""
    span = parameter.high - parameter.low
    step = max(abs(flip - present), 0.1 * span)
    end = parameter.high if above else parameter.low
    wanted = min(flip + step, end) if above else max(flip - step, end)
    if parameter.kind == BANDWIDTH:
        rounded = float(f"{wanted:.2g}")
    else:
        rounded = round(wanted, 0 if parameter.kind == CONTENDERS else 1)
    inside = flip < rounded <= end if above else end <= rounded < flip
    return rounded if inside else wanted


def _distance(flip: Flip) -> tuple[float, str]:
    """How far away a flip is, in units of the parameter's range."""
    span = flip.parameter.high - flip.parameter.low
    return abs(flip.value - flip.present) / span, flip.parameter.key
