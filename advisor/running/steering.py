"""A run that is steered: its waiting tasks go where they end first, as things turn out."""

from __future__ import annotations

from typing import Any

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, duration
from advisor.running.replanning import Progress, Replanner
from advisor.running.run_local import Slots

_EVERY = 0.02  # of the predicted makespan, at least, between two looks
_SAID = 0.25  # of the tasks, after which what is left is said again


class Steering:
    """What a run has done, and what its waiting tasks should do.

    `slots`: those of the run, set by whoever carries it out.
    """

    def __init__(self, problem: Problem, plan: Plan, makespan_s: float, began_s: float) -> None:
        workload, platform = problem.workload, problem.platform
        self.slots: Slots | None = None
        self._replanner = Replanner(problem, plan)
        self._progress = Progress()
        self._task = {task.name: place for place, task in enumerate(workload.tasks)}
        self._machine = {one.name: place for place, one in enumerate(platform.machines)}
        self._names = [one.name for one in platform.machines]
        self._began_s, self._every_s = began_s, _EVERY * makespan_s
        self._looked_s = self._said = 0.0

    def take(self, slots: Slots) -> None:
        """The run begins."""
        self.slots = slots

    def hear(self, kind: str, name: str, value: Any, machine: str) -> str:
        """What happened, and on which machine; what is to be said of the rest, or nothing."""
        progress = self._progress
        if kind == "started":
            progress.now_s = value - self._began_s
            progress.running[self._task[name]] = (self._machine[machine], progress.now_s)
            return ""
        if kind == "lost":
            progress.lost.add(self._machine[name])
            for task in value:
                progress.running.pop(self._task[task], None)
            return self._looked(f"{name} is gone, {count(len(value), 'task')} must run again")
        if kind == "ended":
            task = self._task[name]
            progress.running.pop(task, None)
            times = value["taken"] - self._began_s, value["end"] - self._began_s
            progress.now_s = max(progress.now_s, times[1])
            progress.ended[task] = (self._machine[machine], *times)
            if progress.now_s >= self._looked_s + self._every_s:
                return self._looked("")
        return ""

    def _looked(self, why: str) -> str:
        """Put the waiting tasks where they end first."""
        progress, slots = self._progress, self.slots
        if slots is None:
            return ""
        self._looked_s = progress.now_s
        rest = self._replanner.rest(progress)
        place = {task: at for at, task in enumerate(rest.machine)}
        for task in slots.waiting:
            if (one := self._task[task["task"]]) in rest.machine:
                task["machine"] = self._names[rest.machine[one]]
        slots.waiting.sort(key=lambda task: place.get(self._task[task["task"]], -1))
        share = len(progress.ended) / len(self._task)
        if rest.moved or why:
            said = [why] if why else []
            said.append(f"replanned, {count(rest.moved, 'task')} moved")
            text = "; ".join(said)
        elif share >= self._said + _SAID and rest.machine:
            text = f"{len(progress.ended):,} of {len(self._task):,} tasks have ended"
        else:
            return ""
        self._said = max(self._said, share)
        left = (max(0.0, one - progress.now_s) for one in (rest.end_s, rest.low_s, rest.high_s))
        middle, low, high = (duration(one) for one in left)
        return f"{text[0].upper()}{text[1:]}: about {middle} left ({low} to {high})"
