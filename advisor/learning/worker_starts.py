"""Lesson: when the worker of each machine is up, as engines bring them up one after the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.basics.quantities import count, duration
from advisor.learning.calibration import Calibration, some_of
from advisor.learning.run_evidence import Evidence
from advisor.learning.runtime_calibration import there
from advisor.learning.starts import starts
from advisor.runs.actual import Actual

NAME, TITLE = "workers", "Starts of workers"
HEADER = ("Machine", "Worker up after", "Was", "From")
_CLEAR = 0.02  # of the makespan that a first task waited, from which its worker was late
_STEPS = 3.0  # resolutions of the clock that this must be long
_NONE = "No worker was late: the first task of each machine started as soon as it was ready"


def workers(evidence: Evidence) -> Calibration:
    """A machine's worker is up when its first task took its slot, if that had long been ready.

    The median over runs; in one where that task started as soon as it was ready, near the start,
    the worker was up at 0. Times of the engine itself (`machines.runtime.ENGINE_TIMES`) can't be
    told from it: nothing is learnt where some are stated.
    """
    problem = evidence.problem
    platform = problem.platform
    found: dict[int, list[float]] = {}
    for actual in evidence.actuals:
        for machine, up_s in up_in(evidence, actual).items():
            found.setdefault(machine, []).append(up_s)
    if platform.runtime.dispatches:
        found = {}
    up = {machine: float(np.median(times)) for machine, times in found.items()}
    machines = tuple(
        replace(one, up_s=round(up[at], 6) or None) if at in up else one
        for at, one in enumerate(platform.machines)
    )
    learnt = any(
        (one.up_s or 0.0) != (was.up_s or 0.0)
        for one, was in zip(machines, platform.machines, strict=True)
    )
    rows = tuple(
        (platform.machines[at].name, duration(up[at]), duration(platform.machines[at].up_s or 0.0),
         count(len(found[at]), "run")) for at in sorted(up)
    )  # fmt: skip
    said = [
        f"{machines[at].name}'s worker is up after {duration(up[at])}{_range(found[at])}"
        for at in sorted(up, key=up.__getitem__)
        if up[at] > 0.0 or platform.machines[at].up_s
    ]
    text = some_of(said, "worker") if said else _NONE
    if platform.runtime.dispatches:
        text = "Not separable from the times of the engine, which the platform states"
    after = replace(platform, machines=machines) if learnt else platform
    return Calibration(
        NAME, TITLE, text, HEADER, rows, after, problem.workload, learnt=learnt
    )  # fmt: skip


def up_in(evidence: Evidence, actual: Actual) -> dict[int, float]:
    """When workers were up in a run, s from its first slot taken, by machine; not those unknown.

    Of one whose first task was ready only later nothing is known, nor of one whose first task had
    data of another machine to wait for.
    """
    least_s = max(_CLEAR * actual.makespan_s, _STEPS * actual.run.resolution_s)
    known, found = there(evidence, actual), dict[int, float]()
    seen: set[int] = set()
    for turn in starts(evidence, actual):
        first = turn.machine not in seen
        seen.add(turn.machine)
        if not first or not known[turn.task]:
            continue
        if turn.taken_s - turn.ready_s > least_s:
            found[turn.machine] = turn.taken_s
        elif turn.taken_s <= least_s:
            found[turn.machine] = 0.0
    return found


def _range(times: list[float]) -> str:
    """From how many runs, and how far they differ."""
    if len(times) == 1:
        return ""
    low, high = duration(min(times)), duration(max(times))
    return f" (median of {len(times):,} runs, {low} to {high})"
