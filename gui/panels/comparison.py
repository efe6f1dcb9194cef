"""What a comparison shows: predictions of the current plan and the pins as columns and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from advisor.allocation.compare import Row, compare
from advisor.allocation.feasibility import check_feasible
from advisor.allocation.labels import counts_in_words
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.sharing import FAIR
from advisor.allocation.spread import WITHIN
from advisor.basics.quantities import MINUS, UNKNOWN, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from advisor.basics.units import Unit
from gui.basics.theme import theme
from gui.document.document import Outcome
from gui.panels.breakdown import cause_segments
from gui.plots.bars import Bar, Group, Segment
from gui.tables.columns import Column, Texts
from machines.arrays import Floats
from machines.errors import InfeasibleError

CURRENT = "current plan"
Numbers: TypeAlias = Callable[[Callable[[Row], float]], Floats]
FITS, FRONT, BEATEN = "", "on the front", "beaten in both"


@dataclass(frozen=True, eq=False)
class Comparison:
    """The predictions that belong to an outcome.

    Attributes
    ----------
    rows : tuple of (name, Row or None)
        The current plan, then every pin in its order; ``None``: it can't run any more.
    misfits : tuple of (name, reason)
        Why not.
    """

    outcome: Outcome
    rows: tuple[tuple[str, Row | None], ...]
    misfits: tuple[tuple[str, str], ...]


def compared(outcome: Outcome, should_stop: ShouldStop) -> Comparison:
    """Predict the current plan and every pin that can run; the others say why not."""
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
    found = {row.name: row for row in compare(problem, fitting, project.objective)}
    names = [CURRENT, *(pin.name for pin in project.pins)]
    return Comparison(outcome, tuple((name, found.get(name)) for name in names), tuple(misfits))


def columns_of(comparison: Comparison) -> list[Column]:
    """One row a plan; differences are signed, against the current plan."""
    rows = [row for _, row in comparison.rows]
    objective = comparison.outcome.project.objective

    def numbers(value: Callable[[Row], float]) -> Floats:
        return np.array([math.nan if row is None else value(row) for row in rows])

    totals = (numbers(lambda r: r.total_s), numbers(lambda r: r.total_difference_s))
    return [
        Column("plan", "Name of the plan", Texts([name for name, _ in comparison.rows])),
        *_processors(comparison),
        *_makespans(comparison, numbers),
        *_busiest(rows, numbers),
        *_times("total", "Sum of all task and transfer times", "total against now", *totals),
        Column(
            "gap",
            f"{objective.capitalize()} over its proved lower bound, minus 1",
            numbers(lambda r: r.gap),
            share,
        ),
        Column(
            "utilisation",
            "Mean over the machines of their cores' busy share until the makespan",
            numbers(lambda r: float(np.mean(r.utilisation))),
            share,
        ),
        Column(
            "makespan and total",
            "On the front: no other plan here is better in one and no worse in the other",
            Texts([verdict(row) for row in rows]),
        ),
    ]


def _makespans(comparison: Comparison, numbers: Numbers) -> list[Column]:
    """The makespan, how it differs and, where transfers share, what an endless network gives."""
    found = (numbers(lambda r: r.makespan_s), numbers(lambda r: r.makespan_difference_s))
    title = "End of the last task"
    if comparison.outcome.project.sharing != FAIR:
        return _times("makespan", title, "against now", *found)
    endless_s = numbers(lambda r: r.endless_s)
    columns = _times("makespan", f"{title}: transfers share links", "against now", *found)
    text = Unit.of_times(found[0], endless_s).text
    hint = "Makespan were the network endless, each transfer alone (s)"
    return [
        replace(columns[0], text=text),
        columns[1],
        Column("endless network", hint, endless_s, text, "s"),
    ]


def _times(
    heading: str, hint: str, against: str, values_s: Floats, differences_s: Floats
) -> list[Column]:
    """Times and what they are more than the current plan's, in one unit."""
    unit = Unit.of_times(values_s)
    return [
        Column(heading, f"{hint} (s)", values_s, unit.text, "s"),
        Column(
            against,
            f"{heading.capitalize()} against the current plan (s); negative is better",
            differences_s,
            lambda seconds: marked(unit.signed(seconds)),
            "s",
        ),
    ]


def _busiest(rows: list[Row | None], numbers: Numbers) -> list[Column]:
    """What transfers share most, and how busy it is; nothing where nothing is shared."""
    if not any(row is not None and row.sharing == FAIR for row in rows):
        return []
    names = [UNKNOWN if row is None or not row.busiest else row.busiest for row in rows]
    return [
        Column("busiest", "The link or switch that transfers keep busiest", Texts(names)),
        Column("busy", "Its mean load until the makespan", numbers(lambda r: r.busy_share), share),
    ]


def _processors(comparison: Comparison) -> list[Column]:
    """How many the scalable tasks take; nothing where none scales."""
    workload = comparison.outcome.project.workload
    if not workload.scalable:
        return []
    texts = [
        UNKNOWN if row is None else counts_in_words(row.prediction.plan.counts(workload))
        for _, row in comparison.rows
    ]
    return [Column("processors", "How many each scalable task takes", Texts(texts))]


def groups_of(comparison: Comparison) -> tuple[Group, ...]:
    """The bars: both objectives by cause, the gap and the utilisation, each on one axis."""
    shown = [(name, row) for name, row in comparison.rows if row is not None]
    objective = comparison.outcome.project.objective
    grey = theme().colours.muted
    units = (
        Unit.of_times(np.array([row.makespan_s for _, row in shown])),
        Unit.of_times(np.array([row.total_s for _, row in shown])),
    )
    makespans = tuple(
        Bar(
            name,
            cause_segments(row.prediction.critical_breakdown_s),
            _with_difference(units[0], row.makespan_s, row.makespan_difference_s),
            row.prediction.lower_bounds_s[MAKESPAN],
            "proved lower bound",
        )
        for name, row in shown
    )
    totals = tuple(
        Bar(
            name,
            cause_segments(row.breakdown_s),
            _with_difference(units[1], row.total_s, row.total_difference_s),
        )
        for name, row in shown
    )
    gaps = tuple(
        Bar(name, (Segment("", 100.0 * row.gap, grey),), share(row.gap))
        for name, row in shown
        if math.isfinite(row.gap)
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
    also = f"; alike {WITHIN}: {', '.join(others)}" if others else ""
    return f"Best {objective}: {name}{also}."


def verdict(row: Row | None) -> str:
    """Whether a plan is on the Pareto front of makespan and total."""
    if row is None:
        return "▲ can't run any more"
    return FRONT if row.on_front else BEATEN


def marked(text: str) -> str:
    """A signed text with ▼ for less, which is better, and ▲ for more."""
    if text.startswith("+"):
        return f"▲ {text}"
    return f"▼ {text}" if text.startswith(MINUS) else text


def share(value: float) -> str:
    """A share in percent, a dash where there is none."""
    if math.isnan(value):
        return UNKNOWN
    return percent(value if abs(value) > ALIKE else 0.0)


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
