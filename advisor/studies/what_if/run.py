"""Study: how much each assumption changes the makespan, and where another plan becomes best.

The best plan is kept while one assumption at a time goes from its lowest to its highest value; the
others stay. Beside it all candidate plans are valued, and short searches look for better ones at
the ends. Where one is better by more than the model's own error, the border is narrowed down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.advice.assumptions import TIME, Assumption, assumptions_of
from advisor.advice.contest import (
    candidates,
    distinct,
    in_best_order,
)
from advisor.advice.held_limits import MORE_SECONDS
from advisor.advice.kept_decisions import MOST_VARIED, alike, at_best_decisions, too_many_variants
from advisor.advice.plan_names import names_beside
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES, WITHIN
from advisor.allocation.placement import ordered
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import timeline_sentence
from advisor.basics.quantities import count, duration
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.search import advise
from advisor.search.joint import is_joint
from advisor.studies.facts import Fact
from advisor.studies.parameters import parameter
from advisor.studies.study import Note, OnProgress, StudyProgress, StudyResult, Table
from advisor.studies.what_if.competing_plans import (
    Contest,
)
from advisor.studies.what_if.sides import Bar, Side, side_of
from machines.arrays import Floats

_SEARCHED = 8  # assumptions at whose ends is searched
_BARS = 24  # assumptions that are looked at in full
_FIRST = 40  # assumptions with a bar before plans are searched
_DECIDED = "Programs and numbers of processors stay as the plan advised has them."
_UNSEARCHED = (
    f"Of more than {MOST_VARIED:,} tasks with variants the plans that are known are compared; none "
    "is searched."
)
_SEARCH_SHARE = 0.5  # of the time


@dataclass(frozen=True)
class WhatIfParameters:
    """What the study asks for."""

    problem: Problem
    objective: str = parameter(MAKESPAN, choices=OBJECTIVES, help="What is to be smallest.")
    factor: float = parameter(
        2.0, low=1.01, high=100.0,
        help="Each assumption goes from its value divided by this to its value times this.",
    )  # fmt: skip
    seconds: float = parameter(
        2.0, unit="s", low=0.01, high=3600.0, help="Approximate time of its searches."
    )
    known: tuple[Plan, ...] = ()  # the plan to keep, then others to compare
    kinds: tuple[str, ...] = ()  # of assumptions; none: all


@dataclass(frozen=True, eq=False)
class MiniBoard:
    """Who runs where and when under a plan, as a small picture shows it.

    `machines`: their names. `machine`, `start_s`, `end_s`: by task. `moved`: tasks that the kept
    plan has elsewhere or in another variant.
    """

    machines: tuple[str, ...]
    machine: tuple[int, ...]
    start_s: Floats
    end_s: Floats
    moved: frozenset[int]


@dataclass(frozen=True, eq=False)
class Tornado:
    """All bars, the longest first; `plans[0]` is kept, `names` tell the others from it.

    `boards`: of every plan, at the present values.
    """

    objective: str
    present_s: float
    plans: tuple[Plan, ...]
    names: tuple[str, ...]
    bars: tuple[Bar, ...]
    boards: tuple[MiniBoard, ...] = ()

    def beyond(self, one: Assumption, side: Side) -> tuple[str, str]:
        """Where other plans are best, and which: "below 1.85", "B on M2; below 1.2 both on M1"."""
        places = [takeover.place(one) for takeover in side.takeovers]
        names = [self.names[takeover.best] for takeover in side.takeovers]
        later = (f"{place}: {name}" for place, name in zip(places[1:], names[1:], strict=True))
        return "".join(places[:1]), "; ".join((*names[:1], *later))


def run(
    parameters: WhatIfParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Vary every assumption; the picture is the `Tornado`, of those varied until stopped."""
    stop = should_stop or (lambda: False)
    tell = on_progress or (lambda _progress: None)
    tell(StudyProgress(0.0, "searching plans", _first_bars(parameters)))
    asked, effort = parameters.problem, _SEARCH_SHARE * parameters.seconds / 2.0
    objective, known = parameters.objective, parameters.known
    problem, kept = asked, None
    if asked.workload.scalable or is_joint(asked):  # what else is open stays open
        problem, kept = at_best_decisions(asked, objective, effort, stop, known)
    if kept is not None:
        known = alike(known, kept)
    plans = tuple(in_best_order(problem, objective, one) for one in known)
    if not (plans and too_many_variants(problem)):
        found = advise(problem, objective, seconds=effort, should_stop=stop)
        plans = distinct([*plans, *candidates(problem, found, None, known)])
    contest = Contest(
        problem, objective, plans, decided=bool(asked.workload.scalable) or is_joint(asked)
    )
    present = contest.values()
    best = int(np.argmax(present <= present.min() * (1.0 + ALIKE)))
    contest.keep(best)
    every = assumptions_of(problem, predict(problem, contest.plans[0]), parameters.factor)
    if parameters.kinds:
        every = tuple(one for one in every if one.kind in parameters.kinds)
    bars = _varied(contest, every, parameters.seconds, stop, tell)
    return _answer(contest, float(present[best]), bars, len(every), not stop())


def _first_bars(parameters: WhatIfParameters) -> StudyResult | None:
    """The bars of the plan to keep before others are looked for; None: it is not known yet."""
    problem = parameters.problem
    if not parameters.known or problem.workload.scalable or is_joint(problem):
        return None
    if too_many_variants(problem):  # then no plans are looked for
        return None
    plan = ordered(problem, parameters.known[0])
    contest = Contest(problem, parameters.objective, (plan,))
    prediction = predict(problem, plan)
    every = assumptions_of(problem, prediction, parameters.factor)[:_FIRST]
    bars = tuple(
        Bar(one, *(Side(end, float(contest.at(one, end)[0])) for end in (one.low, one.high)))
        for one in every
        if not parameters.kinds or one.kind in parameters.kinds
    )
    present_s = prediction.value_s(parameters.objective)
    answer = _answer(contest, present_s, bars, len(every), complete=False)
    return replace(answer, headline="Bars of the plan advised; searching for plans that beat it.")


def _varied(
    contest: Contest,
    every: Sequence[Assumption],
    seconds: float,
    stop: ShouldStop,
    tell: OnProgress,
) -> tuple[Bar, ...]:
    """Bars of the assumptions that matter most, the longest first."""
    kept: dict[str, float] = {}
    ends: list[tuple[float, Assumption]] = []
    for place, one in enumerate(every):
        if stop():
            break
        values = [float(contest.at(one, end)[0]) for end in (one.low, one.present, one.high)]
        ends.append((max(values) - min(values), one))
        kept[one.key] = values[1]
        tell(StudyProgress(0.3 * (place + 1) / len(every), one.title))
    ends.sort(key=lambda pair: -pair[0])
    share_s = _SEARCH_SHARE * seconds / (2 * _SEARCHED)
    for rank, (_, one) in enumerate(ends):
        for end in (one.low, one.high):
            if (rank < _SEARCHED or one.is_whole) and not stop() and end != one.present:
                contest.search(
                    one, end, max(share_s, MORE_SECONDS) if one.is_whole else share_s, stop
                )
    bars = []
    chosen = [one for _, one in ends[:_BARS]]
    for place, one in enumerate(chosen):
        if stop():
            break
        bars.append(Bar(one, side_of(contest, one, one.low), side_of(contest, one, one.high)))
        tell(StudyProgress(0.5 + 0.5 * (place + 1) / len(chosen), one.title))
    return tuple(bars)


def _answer(
    contest: Contest, present_s: float, bars: tuple[Bar, ...], asked: int, complete: bool
) -> StudyResult:
    used = sorted({0}.union(*(bar.plans for bar in bars)))
    plans = tuple(contest.plans[plan] for plan in used)
    bars = tuple(bar.renumbered({plan: place for place, plan in enumerate(used)}) for bar in bars)
    bars = tuple(sorted(bars, key=lambda bar: -bar.swing_s(present_s)))
    names = names_beside(contest.problem, plans)
    boards = tuple(_board(contest.problem, plan, plans[0]) for plan in plans)
    found = Tornado(contest.objective, present_s, plans, names, bars, boards)
    flips = sum(side.flip is not None for bar in bars for side in (bar.low, bar.high))
    return StudyResult(
        headline=_headline(found, flips),
        facts=(Fact(contest.objective, present_s, "s"), Fact("assumptions that flip it", flips)),
        tables=(_table(found),),
        notes=(
            Note(
                True,
                f"Compared {count(len(contest.plans), 'plan')}, varying "
                f"{count(asked, 'assumption')} one by one. "
                f"Another plan counts as better beyond a tie {WITHIN}.",
            ),
            *([Note(True, _DECIDED)] if contest.decided else []),
            *([Note(True, _UNSEARCHED)] if too_many_variants(contest.problem) else []),
            *_left_out(contest.problem, bars),
            Note(True, timeline_sentence(contest.problem.sharing)),
        ),
        pictures=(found,),
        complete=complete,
    )


def _left_out(problem: Problem, bars: tuple[Bar, ...]) -> list[Note]:
    """How many tasks have no bar of their own."""
    own = sum(bar.assumption.kind == TIME and len(bar.assumption.places) == 1 for bar in bars)
    more = len(problem.workload.tasks) - own
    if not own or more <= 0:
        return []
    text = "{} on the critical path and then the longest have bars of their own; {} none"
    return [Note(True, text.format(count(own, "task"), f"{more:,} more have"))]


def _board(problem: Problem, plan: Plan, kept: Plan) -> MiniBoard:
    found = predict(problem, plan)
    here, there = (tuple(zip(one.allocation, one.variants or one.allocation, strict=True))
                   for one in (plan, kept))  # fmt: skip
    return MiniBoard(
        tuple(machine.name for machine in problem.platform.machines),
        plan.allocation,
        found.start_s,
        found.end_s,
        frozenset(task for task in range(len(here)) if here[task] != there[task]),
    )


def _headline(found: Tornado, flips: int) -> str:
    if not found.bars:
        return "No assumption was varied."
    bar = found.bars[0]
    if not bar.swing_s(found.present_s):
        return f"No assumption that was varied changes the {found.objective}."
    one = bar.assumption
    sides = [side.value_s for side in (bar.low, bar.high)]
    effect = f"{found.objective} from {duration(sides[0])} to {duration(sides[1])}"
    if not all(map(math.isfinite, sides)):
        effect = "the plan can't run at one end"
    ends = f"{one.words(one.low)} to {one.words(one.high)}"
    worst = f"Largest effect: {one.title} ({ends}), {effect}"
    if not flips:
        return f"{worst}. No plan compared is better anywhere."
    verb = "makes" if flips == 1 else "make"
    return f"{worst}. {count(flips, 'change')} {verb} another plan best."


def _table(found: Tornado) -> Table:
    rows = []
    for bar in found.bars:
        one = bar.assumption
        for side in (bar.low, bar.high):
            if side.end == one.present:
                continue  # nothing changes
            where, which = found.beyond(one, side)
            rows.append(
                (
                    one.title,
                    one.words(one.present),
                    one.words(side.end),
                    side.value_s if math.isfinite(side.value_s) else None,
                    where,
                    which,
                    side.best_s if side.takeovers else None,
                )
            )
    columns = (
        ("assumption", ""), ("now", ""), ("changed to", ""), (found.objective, "s"),
        ("another plan is best", ""), ("which", ""), ("it takes", "s"),
    )  # fmt: skip
    return Table("What if", columns, tuple(rows))
