"""What happened to a task in words, beside what was predicted of it: tooltips, screen readers."""

from __future__ import annotations

import math

import numpy as np

from advisor.basics.quantities import duration, number, size
from advisor.basics.units import durations
from advisor.runs.actual import Actual
from advisor.runs.growing import Coming
from gui.board.run_bars import Happened, predicted_there
from gui.document.document import Outcome
from machines.errors import visible

_LINES, _WIDEST = 8, 160  # of a failed task's output in a tooltip


def happened_to(outcome: Outcome, happened: Happened, task: int) -> str:
    """Where it ran, how long beside the prediction, from when to when; or that it did not."""
    actual = happened.actual
    start, end, taken = (
        float(times[task]) for times in (actual.start_s, actual.end_s, actual.taken_s)
    )
    machine = int(actual.machine[task])
    place = "" if machine < 0 else f" on {outcome.project.platform.machines[machine].name}"
    if not math.isfinite(start + end):
        begun = math.isfinite(taken) or math.isfinite(start)
        if happened.now_s is not None:
            if begun:
                return f"actual: running{place}"
            return _to_come(outcome, happened.coming, task) or "actual: not begun yet"
        failed = task in actual.failed
        return f"actual: failed{place}" if failed else "actual: not in the run"
    predicted = float(predicted_there(outcome, actual)[task])
    moved = machine >= 0 and machine != outcome.prediction.plan.allocation[task]
    took, planned = durations(end - start, predicted if predicted > 0 else 0.0)
    planned += " there" if moved else ""
    begin, over = durations(start, end)
    ratio = f", ×{number((end - start) / predicted)}" if predicted > 0 else ""
    lines = [f"actual{place}: {took}, predicted {planned}{ratio}", f"from {begin} to {over}"]
    if task in actual.failed:
        lines[0] = f"failed{place} after {took}, predicted {planned}"
        lines += _said_last(actual, outcome.project.workload.tasks[task].name)
    if math.isfinite(taken) and start > taken:
        lines[1] += f", after {duration(start - taken)} of fetching in its slot"
    if actual.bytes_in[task] > 0:
        lines.append(f"fetched {size(float(actual.bytes_in[task]))} from other machines")
    return "\n".join(lines)


def _to_come(outcome: Outcome, coming: Coming | None, task: int) -> str:
    """Where and when a task is to run since the rest was replanned; empty: it was not."""
    if coming is None or task not in coming.task:
        return ""
    at = int(np.flatnonzero(coming.task == task)[0])
    machine = outcome.project.platform.machines[int(coming.machine[at])].name
    begin, over = durations(float(coming.start_s[at]), float(coming.end_s[at]))
    return f"replanned: on {machine}, from {begin} to {over}"


def _said_last(actual: Actual, task: str) -> list[str]:
    """The last lines of what a failed task said, where that is known."""
    said = next((one.output for one in reversed(actual.run.tasks) if one.task == task), "")
    lines = [visible(line) for line in said.splitlines() if line.strip()]
    return [one[:_WIDEST] for one in lines[-_LINES:]]
