"""What a comparison shows: predictions of the current plan and the pins as columns and bars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from advisor.advice.how_sure import draws_for, side_by_side, with_p90
from advisor.allocation.comparison import Row, compare
from advisor.allocation.feasibility import check_feasible
from advisor.allocation.measures import Measure, front
from advisor.allocation.objectives import MAKESPAN, NO_BOUND, WITHIN, certainty
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.traits import SHARE, Trait, differ, is_text, share
from advisor.basics.quantities import MINUS, UNKNOWN, duration
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import Unit
from advisor.decisions.decision import Decision
from advisor.decisions.decision_traits import shown
from advisor.decisions.registry import differing
from advisor.odds import Band, Duel
from advisor.search.portfolio import deadlines_of
from gui.basics.theme import theme
from gui.document.document import Outcome
from gui.panels.breakdown import bars_unit, cause_segments
from gui.plots.bar_chart import Bar, Group, Segment
from gui.tables.table_columns import Column, Texts
from machines.arrays import Floats
from machines.errors import InfeasibleError, PlacewiseError

CURRENT = "current plan"
FRONT, BEATEN = "on the front", "beaten"
_BEFORE = "pinned before the change"


@dataclass(frozen=True, eq=False)
class Comparison:
    """The predictions that belong to an outcome.

    `rows`: pairs (name, Row or None); the current plan, then every pin in its order; ``None``: it
        can't run any more.
    `before`: names of the pins that were made for other tasks or machines.
    `bound_s`: below which no plan's objective is, as a search has proved; 0: none did.
    `differing`: name of a pin → the kinds in which it decides otherwise than the current plan.
    `odds`: name → what to expect, and against the current plan; none where all is exact.
    `deadlines_s`: by which some of the plans were to end; the bands of `odds` have their shares.
    """

    outcome: Outcome
    rows: tuple[tuple[str, Row | None], ...]
    misfits: tuple[tuple[str, str], ...]  # pairs (name, reason); why not
    traits: tuple[Trait, ...] = ()  # what tells the rows apart
    differing: Mapping[str, tuple[Decision, ...]] = field(default_factory=dict)
    bound_s: float = 0.0
    before: frozenset[str] = frozenset()
    odds: Mapping[str, tuple[Band, Duel]] = field(default_factory=dict)
    deadlines_s: tuple[float, ...] = ()

    def called(self, name: str) -> str:
        """What a plan is called: a strategy that is asked now may find another one."""
        return f"{name} ({_BEFORE})" if name in self.before else name


def compared(
    outcome: Outcome,
    should_stop: ShouldStop,
    bound_s: float = 0.0,
    before: frozenset[str] = frozenset(),
) -> Comparison:
    """Predict the current plan and every pin that can run; the others say why not.

    `bound_s`: that the last search has proved. `before`: pins that were made for another question.
    """
    problem, project = outcome.problem, outcome.project
    fitting = [(CURRENT, project.plan)]
    misfits = []
    for pin in project.pins:
        if should_stop():
            break
        try:
            check_feasible(problem, pin.plan)
        except InfeasibleError as error:
            misfits.append((pin.name, str(error)))
        else:
            fitting.append((pin.name, pin.plan))
    rows = compare(problem, fitting, project.objective, bound_s)
    deadlines_s = deadlines_of([row.plan for row in rows])
    odds = {} if should_stop() else _odds(problem, rows, deadlines_s)
    rows = with_p90(rows, list(odds.values()))
    found = {row.name: row for row in rows}
    names = [CURRENT, *(pin.name for pin in project.pins)]
    named = tuple((name, found.get(name)) for name in names)
    decided = {pin.name: _differing(problem, project.plan, pin.plan) for pin in project.pins}
    return Comparison(
        outcome, named, tuple(misfits), shown(rows), decided, bound_s, before, odds, deadlines_s
    )  # fmt: skip


def _odds(
    problem: Problem, rows: Sequence[Row], deadlines_s: tuple[float, ...]
) -> dict[str, tuple[Band, Duel]]:
    """What to expect of every plan, and how often it ends before the current one."""
    draws = draws_for(problem)  # as many as the answer has, so that both say the same
    if draws is None or not rows or not problem.instance.task_s.any():
        return {}
    plans = [(row.plan, row.makespan_s) for row in rows]
    pairs = side_by_side(problem, plans, rows[0].plan, draws, deadlines_s)
    return dict(zip([row.name for row in rows], pairs, strict=True))


def _differing(problem: Problem, plan: Plan, other: Plan) -> tuple[Decision, ...]:
    """The kinds in which two plans differ; none where one fits the workload no longer."""
    try:
        return differing(problem, plan, other)
    except PlacewiseError:
        return ()


def columns_of(comparison: Comparison, measure: Measure) -> list[Column]:
    """One row a plan: what stays and what tells plans apart; differences against the current."""
    known = [row for _, row in comparison.rows if row is not None]
    names = Texts([comparison.called(name) for name, _ in comparison.rows])
    columns = [Column("plan", "Name of the plan", names)]
    if len(comparison.rows) > 1:
        hint = (
            f"On the Pareto front of makespan and {measure.title}: no other plan here is as good "
            "in both and better in one"
        )
        verdicts = Texts(_verdicts(comparison, measure))
        columns.append(Column(f"front, {measure.title}", hint, verdicts))
    for trait in comparison.traits:
        columns += _trait_columns(comparison, trait, known)
    columns += [_in_time(comparison, at) for at in range(len(comparison.deadlines_s))]
    return columns + (_odds_columns(comparison) if len(comparison.odds) > 1 else [])


def _in_time(comparison: Comparison, at: int) -> Column:
    """The share of runs that end by one of the deadlines; of exact numbers all or none."""
    deadline_s = comparison.deadlines_s[at]

    def share_of(name: str, row: Row | None) -> float:
        if row is None:
            return math.nan
        known = comparison.odds.get(name)
        return float(row.makespan_s <= deadline_s) if known is None else known[0].in_time[at]

    return Column(
        f"within {duration(deadline_s)}",
        f"Share of runs that end by the deadline of {duration(deadline_s)}",
        np.array([share_of(name, row) for name, row in comparison.rows]),
        share,
    )


def _odds_columns(comparison: Comparison) -> list[Column]:
    """What to expect of the makespan, and how often a plan ends before the current one."""
    pairs = [comparison.odds.get(name) for name, _ in comparison.rows]
    nan = math.nan
    expected = np.array([nan if one is None else one[0].expected_s for one in pairs])
    late = np.array([nan if one is None else one[0].p90_s for one in pairs])
    wins = np.array([nan if one is None else one[1].odds for one in pairs])
    unit = Unit.of_times(expected, late)
    return [
        Column("expected", "Mean makespan where numbers are not known exactly (s)", expected,
               unit.text, "s"),
        Column("9 of 10 within", "Makespan of which nine of ten runs stay below (s)", late,
               unit.text, "s"),
        Column("earlier than current", "Share of runs, under the same conditions, in which it ends "
               "before the current plan", wins, share),
    ]  # fmt: skip


def _trait_columns(comparison: Comparison, trait: Trait, known: list[Row]) -> list[Column]:
    """A trait's column and, where it differs, that of its differences."""
    rows = [row for _, row in comparison.rows]
    hint = f"{trait.help} ({trait.unit})" if trait.unit not in {"", SHARE} else trait.help
    if is_text(trait, known):
        texts = [UNKNOWN if row is None else str(trait.of(row)) or UNKNOWN for row in rows]
        return [Column(trait.title, hint, Texts(texts))]
    values = np.array([math.nan if row is None else trait.number(row) for row in rows])
    unit = "" if trait.unit == SHARE else trait.unit
    if trait.whole and np.isfinite(values).all():
        return [Column(trait.title, hint, values.astype(np.int64), "{:,}".format, unit)]
    columns = [Column(trait.title, hint, values, trait.writer(known), unit)]
    if trait.against and differ(trait, known):
        columns.append(_difference(trait, values))
    return columns


def _difference(trait: Trait, values: Floats) -> Column:
    """How much more a plan has than the current one, in the unit of the values."""
    unit = Unit.of(trait.unit, values)
    return Column(
        trait.against,
        f"{trait.title.capitalize()} against the current plan ({trait.unit}); negative is better",
        values - values[0],
        lambda value: marked(unit.signed(value)),
        trait.unit,
    )


def groups_of(comparison: Comparison) -> tuple[Group, ...]:
    """The bars: both objectives by cause, the gap and the utilisation, each on one axis."""
    shown = [(comparison.called(name), row) for name, row in comparison.rows if row is not None]
    objective = comparison.outcome.project.objective
    proved_s = comparison.bound_s if objective == MAKESPAN else 0.0
    grey = theme().colours.muted
    units = (
        bars_unit(
            (row.prediction.critical_breakdown_s for _, row in shown),
            (row.makespan_s for _, row in shown),
        ),
        bars_unit((row.breakdown_s for _, row in shown), (row.total_s for _, row in shown)),
    )
    makespans = tuple(
        Bar(
            name,
            cause_segments(row.prediction.critical_breakdown_s, units[0]),
            _with_difference(units[0], row.makespan_s, row.makespan_difference_s),
            max(row.prediction.lower_bounds_s[MAKESPAN], proved_s),
            "proved lower bound",
        )
        for name, row in shown
    )
    totals = tuple(
        Bar(
            name,
            cause_segments(row.breakdown_s, units[1]),
            _with_difference(units[1], row.total_s, row.total_difference_s),
        )
        for name, row in shown
    )
    gaps = tuple(
        Bar(name, (Segment("", 100.0 * row.gap, grey),), share(row.gap))
        if certainty(row.gap) != NO_BOUND
        else Bar(name, (), NO_BOUND)
        for name, row in shown
    )
    busy = tuple(
        Bar(name, (Segment("", 100.0 * mean, grey),), share(mean))
        for name, row in shown
        for mean in (float(np.mean(row.utilisation)),)
    )
    return (
        Group("makespan, along the critical path", "s", makespans),
        Group("total time of all tasks and transfers", "s", totals),
        Group(f"gap of the {objective} to its bound", "%", gaps),
        Group("utilisation, mean over the machines", "%", busy, limit=100.0),
    )


def best_sentence(comparison: Comparison) -> str:
    """Which plan is best, and which differ from it by no more than the model's own error."""
    objective = comparison.outcome.project.objective
    rows = [(name, row) for name, row in comparison.rows if row is not None]
    if not rows:
        return ""
    name, best = min(rows, key=lambda one: one[1].prediction.value_s(objective))
    others = [other for other, row in rows if row is not best and row.alike_to(best, objective)]
    also = f"; tied {WITHIN}: {', '.join(others)}" if others else ""
    return f"Best {objective}: {name}{also}."


def _verdicts(comparison: Comparison, measure: Measure) -> list[str]:
    """Whether each plan is on the Pareto front of makespan and a measure."""
    known = [row for _, row in comparison.rows if row is not None]
    on_front = dict(zip(map(id, known), front(known, measure), strict=True))

    def verdict(row: Row | None) -> str:
        if row is None:
            return "▲ can't run any more"
        if lack := measure.lack([row]):
            return f"not known: {lack}"
        return FRONT if on_front[id(row)] else BEATEN

    return [verdict(row) for _, row in comparison.rows]


def marked(text: str) -> str:
    """A signed text with ▼ for less, which is better, and ▲ for more."""
    if text.startswith("+"):
        return f"▲ {text}"
    return f"▼ {text}" if text.startswith(MINUS) else text


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, with a number where a pin or the current plan already has that name."""
    used = {CURRENT, *taken}
    if wanted not in used:
        return wanted
    return next(name for n in range(2, len(used) + 3) if (name := f"{wanted} {n}") not in used)


def _with_difference(unit: Unit, value_s: float, difference_s: float) -> str:
    change = marked(unit.signed(difference_s))
    text = unit.text(value_s)
    return text if change.startswith("0") else f"{text}  {change}"
