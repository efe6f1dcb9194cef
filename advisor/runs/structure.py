"""Tasks without names of their own, known by their dependencies and the order of submission.

Parsl's monitoring tells of a task its number, its function and which numbers it waited for. Where
those numbers, in the workload's order of tasks, wait for each other exactly as the workload's tasks
do, each is taken for the task at its place. That can't tell apart what is alike (two tasks without
flows; a branch from its twin, submitted in exchanged order), so that a workload in which tasks have
no flow is not matched so, and what was done is said.
"""

from __future__ import annotations

from advisor.allocation.workload import Workload
from advisor.runs.name_patterns import NUMBERED
from advisor.runs.record import Run


def by_structure(
    run: Run, found: dict[str, int], workload: Workload
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Positions of names that are numbers alone, and what to say of it; none where unsure.

    Parameters
    ----------
    run : Run
        Whose names end in a number after `NUMBERED`.
    found : dict
        What was matched by name: then there is nothing to do.
    workload : Workload
    """
    after = {one.task: one.after for one in run.tasks}
    if found or not after or any(NUMBERED not in name for name in after):
        return {}, ()
    names = sorted(after, key=_number)
    said = f"{len(names)} tasks have numbers instead of names"
    if len(names) != len(workload.tasks):
        return {}, (f"{said}, and the workload has {len(workload.tasks)}",)
    position = {name: place for place, name in enumerate(names)}
    told = {
        (position[source], position[name])
        for name, sources in after.items()
        for source in sources
        if source in position
    }
    stated = set(zip(workload.sources.tolist(), workload.targets.tolist(), strict=True))
    joined = {place for edge in stated for place in edge}
    if told != stated or len(joined) < len(names):
        return {}, (f"{said}, and they do not depend on each other as the workload's do",)
    return position, (
        f"{said}: matched by their order, in which they depend on each other as the workload's "
        "tasks do; tasks that are alike may be exchanged",
    )


def _number(name: str) -> tuple[int, str]:
    digits = name.rpartition(NUMBERED)[2]
    return (int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0, name)
