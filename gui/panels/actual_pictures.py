"""What the pictures and tables of a run are made of; built off the window's thread.

Bars split the difference into causes, points set actual against predicted seconds by machine or by
kind of task, rows tell of every task and of what was matched otherwise than by name.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.basics import causes
from advisor.basics.units import Unit
from advisor.runs.actual import Actual
from advisor.runs.several import TaskSeconds, task_seconds
from advisor.studies.study import Series
from gui.document.actuals import Review
from gui.plots.bars import Bar, Group, Segment
from gui.tables.columns import Column, Texts
from machines.arrays import Ints

if TYPE_CHECKING:
    from advisor.runs.difference import Difference, Part

AS_PREDICTED = "as predicted"
_MOST = 12  # groups of points with a name each; the smaller ones are together
_OTHERS = "others"
_ENDS = ("failed", "not in the log", "")


@dataclass(frozen=True, eq=False)
class Pictures:
    """Everything that the panel shows of a review.

    Attributes
    ----------
    split : tuple of Group
        The difference as bars.
    by_machine, by_kind : tuple of Series
        Points of actual against predicted seconds, with the diagonal.
    tasks, matching : tuple of Column
    """

    review: Review
    split: tuple[Group, ...]
    by_machine: tuple[Series, ...]
    by_kind: tuple[Series, ...]
    tasks: tuple[Column, ...]
    matching: tuple[Column, ...]


def pictures(review: Review, whole: bool) -> Pictures:
    """Of the run that is looked at; with `whole` tasks have their median over all runs."""
    actual = review.actual
    if actual is None:
        return Pictures(review, (), (), (), (), _refused(review))
    seconds = task_seconds(review.actuals if whole else (actual,))
    project = review.outcome.project
    machines = [machine.name for machine in project.platform.machines]
    kinds = [task.group for task in project.workload.tasks]
    ran_on = [machines[place] if place >= 0 else "not told" for place in actual.machine.tolist()]
    split = () if review.difference is None else (split_of(review.difference),)
    return Pictures(
        review,
        split,
        _points(review, seconds, ran_on, whole),
        _points(review, seconds, kinds, whole),
        _task_columns(review, actual, seconds, whole),
        _matching(review, actual),
    )


def split_of(difference: Difference) -> Group:
    """What makes the run longer in one bar, what makes it shorter in the other."""
    unit = Unit.of_times(*(one.seconds for one in difference.parts), difference.change_s)
    bars = []
    for label, sign in (("longer", 1.0), ("shorter", -1.0)):
        parts = [one for one in difference.parts if sign * one.seconds > 0]
        segments = tuple(
            Segment(part.words, abs(part.seconds), colour, unit.signed(part.seconds))
            for part, colour in zip(parts, _colours(parts), strict=True)
        )
        if segments:
            bars.append(Bar(label, segments, unit.signed(sum(one.seconds for one in parts))))
    net = unit.signed(difference.change_s)
    return Group(f"difference to the predicted makespan, {net} in all", "s", tuple(bars))


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


def _points(
    review: Review, seconds: TaskSeconds, groups: list[str], whole: bool
) -> tuple[Series, ...]:
    """Points by group, the largest first, and the diagonal on which they would be as predicted."""
    predicted, names = review.outcome.prediction.task_s, review.outcome.project.workload.tasks
    told = np.flatnonzero(np.isfinite(seconds.median) & np.isfinite(predicted))
    if not told.size:
        return ()
    sizes = Counter(groups[task] for task in told.tolist())
    kept = {name for name, _ in sizes.most_common(_MOST if len(sizes) <= _MOST else _MOST - 1)}
    members: dict[str, list[int]] = {}
    for task in told.tolist():
        members.setdefault(groups[task] if groups[task] in kept else _OTHERS, []).append(task)
    axes = ("predicted time of a task", "s", "actual time of a task", "s")
    ends = _ends(predicted[told], seconds.median[told])
    series = [Series(AS_PREDICTED, ends, ends, *axes)]
    several = len(review.actuals) if whole else 1
    for name in sorted(members, key=lambda one: (one == _OTHERS, -len(members[one]), one)):
        tasks = members[name]
        series.append(
            Series(
                name,
                tuple(predicted[tasks].tolist()),
                tuple(seconds.median[tasks].tolist()),
                *axes,
                kind="points",
                labels=tuple(_label(names[task].name, seconds, task, several) for task in tasks),
            )
        )
    return tuple(series)


def _ends(*values: np.ndarray) -> tuple[float, ...]:
    """Both ends of the diagonal."""
    joined = np.concatenate(values)
    return float(joined.min()), float(joined.max())


def _label(name: str, seconds: TaskSeconds, task: int, runs: int) -> str:
    if runs < 2:
        return name
    low, high = seconds.least[task], seconds.most[task]
    return f"{name}: median of {runs} runs, {low:.4g} to {high:.4g} s"


def _task_columns(
    review: Review, actual: Actual, seconds: TaskSeconds, whole: bool
) -> tuple[Column, ...]:
    """One row a task: where and how long, predicted and actual, in one unit."""
    outcome = review.outcome
    prediction, tasks = outcome.prediction, outcome.project.workload.tasks
    machines = ["", *(machine.name for machine in outcome.project.platform.machines)]
    planned = np.array(prediction.plan.allocation, dtype=np.intp)
    unit = Unit.of_times(prediction.task_s, seconds.median[np.isfinite(seconds.median)])
    ends = Unit.of_times(prediction.end_s, actual.end_s[np.isfinite(actual.end_s)])
    ratio = np.full(len(tasks), np.nan)
    some = prediction.task_s > 0
    ratio[some] = seconds.median[some] / prediction.task_s[some]
    columns = [
        Column("task", "Name of the task", Texts([task.name for task in tasks]).prepare()),
        Column("kind", "Tasks of one kind", Texts.grouped([task.group for task in tasks])),
        Column("planned on", "Where the plan puts it", Texts(machines, planned + 1)),
        Column("ran on", "Where the log says it ran", Texts(machines, actual.machine + 1)),
        Column("predicted", "Predicted time on its machine (s)", prediction.task_s, unit.text, "s"),
        Column("actual", "Time that it computed (s)", seconds.median, unit.text, "s"),
        Column("ratio", "Actual over predicted time", ratio, lambda one: f"×{one:.3g}"),
        Column("predicted end", "From the run's start (s)", prediction.end_s, ends.text, "s"),
        Column("actual end", "From the run's start (s)", actual.end_s, ends.text, "s"),
        Column("fetching", "In its slot, before it computed (s)", actual.fetch_s, unit.text, "s"),
        Column("state", "How it ended", Texts(_ENDS, _states(actual))),
    ]
    if whole and len(review.actuals) > 1:
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
    return _three(rows + _refusals(review))


def _refused(review: Review) -> tuple[Column, ...]:
    return _three(_refusals(review))


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
