"""A run that is steered: its waiting tasks go where they end first, as things turn out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from typing import Any

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, duration
from advisor.basics.units import durations
from advisor.running.replanning import Progress, Replanner, Rest
from advisor.running.run_local import Slots
from advisor.running.run_settings import Lost, Move, Note, Planned, Replanned, ShouldStop
from advisor.runs.run_record import GONE, REPLANNED

_EVERY = 0.02  # of the predicted makespan, at least, between two looks
_SAID = 0.25  # of the tasks, after which what is left is said again


class Steering:
    """What a run has done, and what its waiting tasks should do.

    `always`: they move whenever that is clearly better; else when `asked` is true, and where a
    machine is lost and nothing else can run. `began_s`: when the run began, of `clock`; set before
    anything is heard.
    `there`: the machines that the run has; None: all of the platform.
    `slots`: those of the run, set by whoever carries it out.
    """

    def __init__(
        self,
        problem: Problem,
        plan: Plan,
        makespan_s: float,
        began_s: float = 0.0,
        *,
        always: bool = True,
        asked: ShouldStop = lambda: False,
        there: Collection[str] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        workload, platform = problem.workload, problem.platform
        self.always = always
        self.slots: Slots | None = None
        self._replanner = Replanner(problem, plan)
        self._names = [one.name for one in platform.machines]
        away = () if there is None else {*self._names}.difference(there)
        self._tasks = [task.name for task in workload.tasks]
        self._task = {name: place for place, name in enumerate(self._tasks)}
        self._machine = {name: place for place, name in enumerate(self._names)}
        self._progress = Progress(lost={self._machine[name] for name in away})
        self.began_s, self._every_s = began_s, _EVERY * makespan_s
        self._asked, self._clock = asked, clock
        self._looked_s = self._said = 0.0

    def take(self, slots: Slots) -> None:
        """The run begins."""
        self.slots, slots.asked, slots.clock = slots, self._asked, self._clock

    def hear(
        self, kind: str, name: str, value: Any, machine: str
    ) -> tuple[Note | Lost | Replanned, ...]:
        """What happened, and on which machine; what is to be said of the rest."""
        progress = self._progress
        if kind == "started":
            progress.now_s = max(progress.now_s, value - self.began_s)
            progress.running[self._task[name]] = self._machine[machine], value - self.began_s
        elif kind == "silent":
            left = f"{name} has not answered for {duration(value)}: it is used no more in this run"
            return (Note(left),)
        elif kind == "lost":
            self._catch_up()
            progress.lost.add(self._machine[name])
            for task in value:
                progress.running.pop(self._task[task], None)
            return self._lost(name, tuple(value))
        elif kind in {"asked", "stuck"}:
            self._catch_up()
            why = "" if kind == "asked" else "nothing else can continue"
            return self._looked(why, asked=True)
        elif kind == "skipped":
            progress.running.pop(self._task[name], None)
        elif kind == "ended":
            task = self._task[name]
            progress.running.pop(task, None)
            times = value["taken"] - self.began_s, value["end"] - self.began_s
            progress.now_s = max(progress.now_s, times[1])
            progress.ended[task] = (self._machine[machine], *times)
            if self.always and progress.now_s >= self._looked_s + self._every_s:
                return self._looked("")
        return ()

    def _catch_up(self) -> None:
        """It is now, not the moment of what was heard last."""
        self._progress.now_s = max(self._progress.now_s, self._clock() - self.began_s)

    def _lost(self, machine: str, again: tuple[str, ...]) -> tuple[Note | Lost | Replanned, ...]:
        assert self.slots is not None
        there = sum(task["machine"] == machine for task in self.slots.waiting)
        text = f"{machine}{GONE}"
        if not there:
            text += "; no task waits for it"
        elif again:
            text += f", {count(len(again), 'task')} must run again"
        if there and not self.always:
            wait = "1 task waits" if there == 1 else f"{there:,} tasks wait"
            text += f"; {wait} for it until the rest is replanned"
        lost = Lost(text, self._progress.now_s, machine, again)
        return (lost, *self._looked("", asked=True)) if self.always else (lost,)

    def _looked(self, why: str, asked: bool = False) -> tuple[Note | Replanned, ...]:
        """Put the waiting tasks where they end first."""
        progress, slots = self._progress, self.slots
        if slots is None:
            return ()
        self._looked_s = progress.now_s
        rest = self._replanner.rest(progress)
        self._place(slots, rest)
        share = len(progress.ended) / len(self._task)
        if rest.moved or asked:
            self._said = max(self._said, share)
            return (self._replanned(rest, why),)
        if share < self._said + _SAID or not rest.machine:
            return ()
        self._said = share
        left = (max(0.0, one - progress.now_s) for one in (rest.end_s, rest.low_s, rest.high_s))
        middle, low, high = (duration(one) for one in left)
        ended = f"{len(progress.ended):,} of {len(self._task):,} tasks have ended"
        return (Note(f"{ended}: about {middle} left ({low} to {high})"),)

    def _place(self, slots: Slots, rest: Rest) -> None:
        """Give the waiting tasks their machines and their order, in which they pass one another."""
        place = {task: at for at, task in enumerate(rest.machine)}
        for task in slots.waiting:
            if (one := self._task[task["task"]]) in rest.machine:
                task["machine"] = self._names[rest.machine[one]]
        slots.waiting.sort(key=lambda task: place.get(self._task[task["task"]], -1))
        slots.strict = False

    def _replanned(self, rest: Rest, why: str) -> Replanned:
        moves = tuple(
            Move(self._tasks[task], self._names[before], self._names[rest.machine[task]])
            for task, before in rest.moved_from.items()
        )
        running = {task: machine for task, (machine, _) in self._progress.running.items()}
        planned = tuple(
            Planned(self._tasks[task], self._names[machine], *rest.span_s[task])
            for task, machine in (running | rest.machine).items()
            if math.isfinite(rest.span_s[task][1])
        )
        now_s = self._progress.now_s
        text = f"{why}; {_said(now_s, rest)}" if why else _said(now_s, rest)
        return Replanned(f"{text[0].upper()}{text[1:]}", now_s, moves, planned, rest.end_s)


def _said(now_s: float, rest: Rest) -> str:
    """What a look at the rest has changed, and when all ends."""
    if not math.isfinite(rest.end_s):
        moved = f"{count(rest.moved, 'task')} moved" if rest.moved else "nothing moved"
        limit = "no machine that is left can run all of the rest"
        return f"{REPLANNED}{duration(now_s)}: {moved}, {limit}"
    known = math.isfinite(rest.before_s)
    end, before = durations(rest.end_s, rest.before_s if known else rest.end_s)
    likely = f"({duration(rest.low_s)} to {duration(rest.high_s)})"
    if not rest.moved:
        at = duration(now_s)
        return f"nothing clearly better was found at {at}: ends at {end} {likely} as it is"
    moved, instead = count(rest.moved, "task"), f" instead of {before}" if known else ""
    return f"{REPLANNED}{duration(now_s)}: {moved} moved, ends at {end}{instead} {likely}"
