"""What the pictures and tables of a run are made of; built off the window's thread.

Bars split the difference into causes, points set actual against predicted seconds by machine or by
kind of task, rows tell of every task and of what was matched otherwise than by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.basics import causes
from advisor.basics.quantities import count
from advisor.basics.units import Unit
from advisor.runs.actual import Actual, TaskSeconds, task_seconds
from advisor.studies.study import Series
from gui.board.run_bars import predicted_there
from gui.document.actuals import Review
from gui.plots.bar_chart import Bar, Group, Segment
from gui.tables.table_columns import Column, Texts
from machines.arrays import Floats, Ints
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from advisor.runs.difference import Difference, Part
    from advisor.runs.scatter import Scatter

AS_PREDICTED = "as predicted"
_TOLD = 0.05  # of the greatest part: smaller ones do not ask for more digits
_MOST = 12  # groups of points with a name each; the smaller ones are together
_OTHERS = "others"
_MOST_POINTS = 60_000  # of several runs
_ENDS = ("failed", "not in the log", "")


@dataclass(frozen=True, eq=False)
class Pictures:
    """Everything that the panel shows of a review.

    `by_machine`, `by_kind`: points of actual against predicted seconds, with the diagonal.
    """

    review: Review
    split: tuple[Group, ...]  # the difference as bars
    by_machine: tuple[Series, ...]
    by_kind: tuple[Series, ...]
    factors: tuple[Column, ...]
    tasks: tuple[Column, ...]
    matching: tuple[Column, ...]


def pictures(review: Review, whole: bool) -> Pictures:
    """Of the run that is looked at; with `whole` points and medians are of all runs."""
    actual = review.actual
    if actual is None:
        return Pictures(review, (), (), (), (), (), _three(_refusals(review)))
    actuals = review.actuals if whole else (actual,)
    clouds = _clouds(review, actuals)
    machines = [machine.name for machine in review.outcome.project.platform.machines]
    return Pictures(
        review,
        () if review.difference is None else (split_of(review.difference),),
        _points(review, clouds, lambda one: [machines[at] for at in one.machine.tolist()]),
        _points(review, clouds, lambda one: list(one.kind)),
        _factors(clouds.get(actual.run.name), f" in {actual.run.name}" if len(actuals) > 1 else ""),
        _task_columns(review, actual, task_seconds(actuals), len(actuals)),
        _matching(review, actual),
    )


def split_of(difference: Difference) -> Group:
    """What makes the run longer in one bar, what makes it shorter in the other."""
    most = max((abs(one.seconds) for one in difference.parts), default=0.0)
    told = [abs(one.seconds) for one in difference.parts if abs(one.seconds) >= _TOLD * most]
    unit = Unit.of_times(*told, abs(difference.change_s))
    bars = []
    for label, sign in (("longer", 1.0), ("shorter", -1.0)):
        parts = [one for one in difference.parts if sign * one.seconds > 0]
        segments = tuple(
            Segment(
                part.words,
                abs(part.seconds),
                colour,
                unit.signed(part.seconds) if len(parts) > 1 else "",  # the bar's own says it
            )
            for part, colour in zip(parts, _colours(parts), strict=True)
        )
        if segments:
            bars.append(Bar(label, segments, unit.signed(sum(one.seconds for one in parts))))
    title = f"actual − predicted makespan: {unit.signed(difference.change_s)} in all"
    return Group(title, "s", tuple(bars), max((bar.value for bar in bars), default=1.0))


def _colours(parts: list[Part]) -> list[str]:
    """Fixed by cause; tasks of several machines in tints of one colour."""
    found, tints = [], 0
    for part in parts:
        colour = causes.COLOURS[_cause(part.cause)]
        if part.machine:
            colour = _tinted(colour, 0.65**tints)
            tints += 1
        found.append(colour)
    return found


def _cause(cause: str) -> str:
    """Whose colour a cause of difference has: that of the time which it adds."""
    from advisor.runs import difference_words as words  # noqa: PLC0415 - where there are runs

    return {
        words.TASKS: causes.COMPUTING,
        words.FETCHING: causes.TRANSFERRING,
        words.LINKS: causes.LINK_WAIT,
        words.GAPS: causes.STARTING,
        words.ORDER: causes.MESSAGE_OVERHEAD,
        words.MACHINE: causes.PROCESSOR_WAIT,
        words.TRIES: causes.NETWORK_CONTENTION,
        words.SHARING: causes.LINK_SHARING,
    }.get(cause, causes.IDLE)


def _tinted(colour: str, share: float) -> str:
    """So much of a colour, the rest white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02X}" for part in parts)


def _clouds(review: Review, actuals: tuple[Actual, ...]) -> dict[str, Scatter]:
    """Predicted and actual seconds by run; too many points are those of the run in sight alone."""
    from advisor.runs.scatter import scatter  # noqa: PLC0415 - where there are runs

    outcome, shown = review.outcome, review.actual
    if sum(one.ran.size for one in actuals) > _MOST_POINTS and shown is not None:
        actuals = (shown,)
    found = {}
    for one in actuals:
        try:
            found[one.run.name] = scatter(outcome.problem, outcome.project.plan, one)
        except PlacewiseError:
            continue  # the sentence says why
    return found


def _points(
    review: Review, clouds: dict[str, Scatter], groups: Callable[[Scatter], list[str]]
) -> tuple[Series, ...]:
    """Points by group, the largest first, and the diagonal on which they would be as predicted."""
    tasks = review.outcome.project.workload.tasks
    members: dict[str, list[tuple[float, float, str]]] = {}
    for run, one in clouds.items():
        names = [tasks[task].name for task in one.task.tolist()]
        labels = names if len(clouds) == 1 else [f"{name}, {run}" for name in names]
        points = zip(one.predicted_s.tolist(), one.actual_s.tolist(), labels, strict=True)
        for group, point in zip(groups(one), points, strict=True):
            members.setdefault(group, []).append(point)
    if not members:
        return ()
    largest = sorted(members, key=lambda name: -len(members[name]))
    if len(largest) > _MOST:
        rest = largest[_MOST - 1 :]
        members[_OTHERS] = [point for name in rest for point in members.pop(name)]
        largest = [*largest[: _MOST - 1], _OTHERS]
    axes = ("predicted time of a task", "s", "actual time of a task", "s")
    every = [value for points in members.values() for point in points for value in point[:2]]
    ends = min(every), max(every)
    series = [Series(AS_PREDICTED, ends, ends, *axes)]
    for name in largest:
        x, y, marks = zip(*members[name], strict=True)
        series.append(Series(name, x, y, *axes, kind="points", labels=marks))
    return tuple(series)


def _factors(cloud: Scatter | None, where: str) -> tuple[Column, ...]:
    """By how much tasks took longer than predicted, by machine and kind; of several runs in one."""
    rows = () if cloud is None else cloud.rows
    if not rows:
        return ()
    kinds = [row.kind or "all kinds" for row in rows]
    ratios = (
        (f"median{where}", "Median of actual over predicted seconds", [row.median for row in rows]),
        ("lower quartile", "A quarter of the tasks took less", [row.low for row in rows]),
        ("upper quartile", "A quarter of the tasks took more", [row.high for row in rows]),
    )
    said = _ratios(np.array([values for _, _, values in ratios]))
    return (
        Column("machine", "Where they ran", Texts.grouped([row.machine for row in rows])),
        Column("kind", "Tasks of one kind", Texts.grouped(kinds)),
        Column("tasks", "How many", np.array([row.tasks for row in rows]), "{:,}".format),
        *(Column(name, hint, np.array(values), said) for name, hint, values in ratios),
    )


def _ratios(values: Floats) -> Callable[[float], str]:
    """How factors that are compared are written; what is unknown stays empty."""
    unit = Unit.of("", values)
    return lambda value: f"×{unit.text(value)}" if np.isfinite(value) else ""


def _task_columns(
    review: Review, actual: Actual, seconds: TaskSeconds, runs: int
) -> tuple[Column, ...]:
    """One row a task: where and how long, predicted and actual, in one unit.

    Of several runs times are medians; what is of the one that is drawn says so.
    """
    outcome = review.outcome
    prediction, tasks = outcome.prediction, outcome.project.workload.tasks
    machines = ["", *(machine.name for machine in outcome.project.platform.machines)]
    planned = np.array(prediction.plan.allocation, dtype=np.intp)
    meant = predicted_there(outcome, actual)
    unit = Unit.of_times(*(one[np.isfinite(one)] for one in (meant, seconds.median)))
    ends = Unit.of_times(prediction.end_s, actual.end_s[np.isfinite(actual.end_s)])
    unknown = np.full(len(tasks), np.nan)
    ratio = np.divide(seconds.median, meant, out=unknown, where=meant > 0)
    took, where = "actual", ""
    waited = "In its slot, before it computed (s)"
    if runs > 1:
        took, where = f"median of {count(runs, 'run')}", f" in {actual.run.name}"
    columns = [
        Column("task", "Name of the task", Texts([task.name for task in tasks]).prepare()),
        Column("kind", "Tasks of one kind", Texts.grouped([task.group for task in tasks])),
        Column("planned on", "Where the plan puts it", Texts(machines, planned + 1)),
        Column(f"ran on{where}", "Where the log says it ran", Texts(machines, actual.machine + 1)),
        Column("predicted", "Predicted time where it ran (s)", meant, unit.text, "s"),
        Column(took, "Time that it computed (s)", seconds.median, unit.text, "s"),
        Column("ratio", "Actual over predicted time", ratio, _ratios(ratio)),
        Column("predicted end", "From the run's start (s)", prediction.end_s, ends.text, "s"),
        Column(f"actual end{where}", "From the run's start (s)", actual.end_s, ends.text, "s"),
        Column(f"fetching{where}", waited, actual.fetch_s, unit.text, "s"),
        Column(f"state{where}", "How it ended", Texts(_ENDS, _states(actual))),
    ]
    if runs > 1:
        hint = "Time that it computed, over all runs (s)"
        columns[6:6] = [
            Column("least", f"Least: {hint}", seconds.least, unit.text, "s"),
            Column("most", f"Most: {hint}", seconds.most, unit.text, "s"),
        ]
    return tuple(_known_only(column) for column in columns)


def _known_only(column: Column) -> Column:
    """A column that leaves cells empty where nothing is known."""
    if isinstance(column.values, Texts) or column.values.dtype.kind != "f":
        return column
    text = column.text
    return Column(
        column.heading,
        column.hint,
        column.values,
        lambda value: text(value) if np.isfinite(value) else "",
        column.unit,
    )


def _states(actual: Actual) -> Ints:
    found = np.full(actual.ran.size, 2, dtype=np.int64)
    found[list(actual.missing)] = 1
    found[list(actual.failed)] = 0
    return found


def _matching(review: Review, actual: Actual) -> tuple[Column, ...]:
    """What did not match by name, one row each."""
    tasks = [task.name for task in review.outcome.project.workload.tasks]
    rows = [(name, "matched by pattern", tasks[task]) for name, task in actual.renamed]
    rows += [(name, "no task of the workload", "") for name in actual.unknown]
    rows += [("", "failed", tasks[task]) for task in actual.failed]
    rows += [("", "not in the log", tasks[task]) for task in actual.missing]
    rows += [("", note, "") for note in actual.notes]
    return _three(rows + _refusals(review))


def _refusals(review: Review) -> list[tuple[str, str, str]]:
    return [(name, f"not read: {error}", "") for name, error in review.refused]


def _three(rows: list[tuple[str, str, str]]) -> tuple[Column, ...]:
    if not rows:
        return ()
    hints = ("Name in the log", "What became of it", "Task of the workload")
    return tuple(
        Column(heading, hint, Texts.grouped([row[at] for row in rows]).prepare())
        for at, (heading, hint) in enumerate(
            zip(("in the log", "what", "task"), hints, strict=True)
        )
    )
