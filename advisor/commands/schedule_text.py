"""What the command line prints of a schedule: causes, machines, peaks, and task by task."""

from __future__ import annotations

import numpy as np

from advisor.allocation.peaks import peaks
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, duration, percent, size, slowdown
from advisor.basics.units import Unit
from advisor.commands.text import columns, say
from advisor.decisions.variant_decision import VARIANT
from advisor.export.json_answer import ratio
from machines.resources import CORES, MEMORY

_ROWS = 40
_RESOURCES = 8


def _say_shared(prediction: Prediction) -> None:
    """The busiest of what transfers share, and the contention-free value."""
    used = sorted(
        (one for one in prediction.resources if one.size_bytes > 0),
        key=lambda one: one.busy_share,
        reverse=True,
    )
    if not used or prediction.endless_s is None:
        return
    moved = Unit.of("B", *(one.size_bytes for one in used[:_RESOURCES]))
    rows = [
        (one.name, moved.text(one.size_bytes), percent(one.busy_share)) for one in used[:_RESOURCES]
    ]
    say("", columns(("shared", "moved", "busy"), rows, "lrr"))
    if len(used) > _RESOURCES:
        say(f"… and {count(len(used) - _RESOURCES, 'more', 'more')}; --json gives all.")
    say(f"Without network contention: {duration(prediction.endless_s)}.")


def _say_peaks(problem: Problem, prediction: Prediction) -> None:
    """The most that is held of memory and resources at a time, where there is any."""
    found = [one for one in peaks(problem, prediction) if one.kind != CORES]
    machines = problem.platform.machines
    rows = [
        (
            "platform" if one.machine is None else machines[one.machine].name,
            one.kind,
            size(one.held) if one.kind == MEMORY else f"{one.held:,.0f}",
            "no limit" if not np.isfinite(one.count)
            else size(one.count) if one.kind == MEMORY else f"{one.count:,.0f}",
            duration(one.at_s),
        )
        for one in found
    ]  # fmt: skip
    if rows:
        say("", columns(("at most", "held", "", "of", "at"), rows[:_ROWS], "llrrr"))


def say_schedule(problem: Problem, prediction: Prediction) -> None:
    """Print where the time goes, what machines do and hold, and the first rows of the schedule."""
    machines = problem.platform.machines
    place = prediction.plan.allocation
    unit = Unit.of_times(*prediction.breakdown_s.values())
    causes = [
        (cause, unit.text(seconds), percent(seconds / prediction.total_s))
        for cause, seconds in prediction.breakdown_s.items()
        if seconds > 0
    ]
    if causes:
        say("", columns(("time spent", "", ""), causes, "lrr"))
    tasks = np.bincount(np.array(place), minlength=len(machines)).tolist()
    used = [
        (machine.name, f"{tasks[index]:,}", percent(float(prediction.utilisation[index])))
        for index, machine in enumerate(machines)
        if tasks[index] or len(machines) <= _ROWS
    ]
    if len(used) < len(machines):
        idle = count(len(machines) - len(used), "idle machine")
        used.append((idle, "0", percent(0.0)))
    say("", columns(("machine", "tasks", "busy"), used, "lrr"))
    _say_peaks(problem, prediction)
    _say_shared(prediction)
    order = np.lexsort((np.arange(len(place)), prediction.start_s)).tolist()
    listed = order[:_ROWS]
    times = Unit.of_times(prediction.start_s[listed], prediction.end_s[listed])
    ways = {
        task: f" · {VARIANT.words(problem, task, way)}"
        for task, way in VARIANT.values(problem, prediction.plan).items()
    }
    rows = [
        (
            f"{problem.workload.tasks[task].name}{' *' if prediction.critical[task] else ''}",
            machines[place[task]].name + ways.get(task, ""),
            times.text(float(prediction.start_s[task])),
            times.text(float(prediction.end_s[task])),
            slowdown(
                ratio(float(prediction.task_s[task]), float(prediction.task_dedicated_s[task]))
            ),
        )
        for task in listed
    ]
    say("", columns(("task", "machine", "start", "end", "slowdown"), rows, "llrrr"), "")
    if len(order) > _ROWS:
        say(f"… and {count(len(order) - _ROWS, 'more task', 'more tasks')}; --json gives all.")
    say("* on the critical path")


# What `compare` prints: the best plan, and all of them as a table of what tells them apart.
