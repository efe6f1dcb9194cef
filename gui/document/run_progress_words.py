"""How far a run is, in words: beside its prediction, what is left, and how it ended."""

from __future__ import annotations

from advisor.basics.quantities import count, duration
from advisor.basics.units import durations
from advisor.runs.growing import Progress
from gui.document.runner import RunState
from machines.errors import visible

FAILED_SIGN = "✕"
_ALIKE = 0.01  # of the time so far: as predicted
_STARTING = {"dask": "Dask starts", "bash": "The first tasks start"}


def all_of(runs: int) -> str:
    """Several runs together: "both runs", "all 3 runs"."""
    return "both runs" if runs == 2 else f"all {runs:,} runs"


def told(state: RunState) -> str:
    """How far a run is, in a sentence."""
    progress = state.progress
    if state.over:
        return _ended(state)
    if state.stopping:
        return "Stopping; finished tasks are kept …"
    if progress is None:
        return f"{_STARTING[state.settings.engine]} …"
    so_far = duration(progress.now_s)
    side = "behind" if progress.now_s >= progress.reached_s else "ahead of"
    schedule, beside = "the prediction", "as predicted"
    if state.coming is not None:
        schedule, beside = "the new plan", "as replanned"
    if abs(progress.now_s - progress.reached_s) > _ALIKE * progress.now_s:
        so_far, behind = durations(progress.now_s, abs(progress.now_s - progress.reached_s))
        beside = f"{behind} {side} {schedule}"
    failed = f", {FAILED_SIGN} {progress.failed:,} failed" if progress.failed else ""
    return (
        f"Running: {progress.ended:,} of {count(progress.tasks, 'task')} ended{failed}. "
        f"{so_far} so far, {beside}."
    )


def left(progress: Progress) -> str:
    """What is left, as the run goes so far."""
    if progress.left_s <= 0:
        return "about to end"
    return f"about {duration(progress.left_at_pace_s)} left"


def notes_of(state: RunState, changed: bool) -> list[str]:
    """What is left by the prediction, where the record is, and what else there is to know.

    `changed`: the plan was edited since the run began.
    """
    progress, found = state.progress, list[str]()
    if not state.over and progress is not None:
        found.append(_left(state, progress))
        found += _late(progress)
    if changed and not state.over:
        found.append("Outlines are the current plan, filled bars the running one")
    found.append(f"Record: {state.settings.record}")
    return [*found, *(note for note in state.notes if state.over or note != state.news)]


def _late(progress: Progress) -> list[str]:
    """The latest task, and how many more are late."""
    if not progress.late:
        return []
    one, more = progress.late[0], len(progress.late) - 1
    for_, predicted = durations(one.for_s, one.predicted_s)
    others = f", and {count(more, 'more task')}" if more else ""
    return [f"Late: {visible(one.task)}, {for_} so far where {predicted} was predicted{others}"]


def _left(state: RunState, progress: Progress) -> str:
    makespan_s, by = state.outcome.prediction.makespan_s, "prediction"
    if state.coming is not None:
        makespan_s, by = progress.reached_s + progress.left_s, "new plan"
    if progress.left_s <= 0:
        return f"Predicted {duration(makespan_s)} in all"
    at_pace, predicted, whole = map(
        duration, (progress.left_at_pace_s, progress.left_s, makespan_s)
    )
    low, high = map(duration, progress.left_between_s)
    return f"About {at_pace} left ({low} to {high}), {predicted} by the {by} of {whole}"


def _ended(state: RunState) -> str:
    progress = state.progress
    if progress is None:
        return "No task ended."
    well = progress.ended - progress.failed
    tasks = count(progress.tasks, "task")
    failed = f"; {FAILED_SIGN} {progress.failed:,} failed" if progress.failed else ""
    lost = f", so that {progress.lost:,} could not run" if progress.lost else ""
    return f"{well:,} of {tasks} ran well{failed}{lost}."
