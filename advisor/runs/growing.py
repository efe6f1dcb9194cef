"""A run while it goes on, beside its prediction: how far it is, and what is left of it.

Nothing of it is guessed: how far a run is, is told as the moment at which the prediction has done
as much; what is left is what the prediction takes from there. Once the rest is replanned, the new
schedule takes the prediction's place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.runs.actual import Actual
from advisor.runs.left_band import left_between, spread_of
from advisor.runs.run_record import OK, Run, TaskRun
from machines.arrays import Flags, Floats, Ints

_LATE, _LATE_S = 1.5, 1.0  # times its prediction, and beyond it, that a task is late
_EARLY = 0.1  # of the prediction: before it, the pace says nothing
_ALIKE = 1e-9  # of all work: as much done


def late(for_s: Floats, predicted_s: Floats) -> Flags:
    """Which tasks run for much longer than was predicted; arrays (tasks,), NaN: not running."""
    found: Flags = (for_s > _LATE * predicted_s) & (for_s > predicted_s + _LATE_S)
    return found


@dataclass(frozen=True)
class Late:
    """A task that runs for much longer than was predicted."""

    task: str
    for_s: float
    predicted_s: float


def stopped_words(left: int, tasks: int) -> str:
    """What the notes of a run say that was stopped."""
    return f"Stopped: {left:,} of {tasks:,} tasks did not end"


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    `ended`, `failed`, `running`, `lost`, `tasks`: tasks that ended (well or not), of these the
        failed ones, those that run, those that can't run because what they need failed, and all.
    """

    ended: int
    failed: int
    running: int
    lost: int
    tasks: int
    now_s: float  # since the run's start
    reached_s: float  # when the prediction has done as much
    left_s: float  # what the prediction takes from there
    late: tuple[Late, ...] = ()  # tasks that run, the latest first
    spread: float = 0.0  # of ln of what tasks took over what was predicted

    @property
    def left_at_pace_s(self) -> float:
        """What is left where the run goes on as many times as slow as so far; early: `left_s`."""
        early = self.reached_s <= _EARLY * (self.reached_s + self.left_s)
        return self.left_s * (1.0 if early else self.now_s / self.reached_s)

    @property
    def left_between_s(self) -> tuple[float, float]:
        """The 90 % range of `left_at_pace_s`."""
        return left_between(self.left_at_pace_s, self.spread, self.ended, self.waiting)

    @property
    def waiting(self) -> int:
        """Tasks that have not begun and can run."""
        return self.tasks - self.ended - self.lost - self.running

    @property
    def share(self) -> float:
        """Of the tasks, those that nothing more will be heard of."""
        return (self.ended + self.lost) / self.tasks if self.tasks else 1.0


@dataclass(frozen=True, eq=False)
class Coming:
    """Where and when tasks that had not ended were expected to run when the rest was replanned.

    Arrays (tasks,): task and machine by position, seconds from the run's start.
    """

    task: Ints
    machine: Ints
    start_s: Floats
    end_s: Floats


class Growing:
    """A run of a plan, so far; fed by what is heard of it.

    `problem`, `prediction`: what runs, and what is predicted of it. `coming`: the rest, once it
    was replanned.
    """

    def __init__(self, problem: Problem, prediction: Prediction, engine: str = "") -> None:
        workload, platform = problem.workload, problem.platform
        count = len(workload.tasks)
        self._workload, self._engine = workload, engine
        self.coming: Coming | None = None
        self._place = {task.name: at for at, task in enumerate(workload.tasks)}
        self._machines = {one.name: at for at, one in enumerate(platform.machines)}
        self._machine = np.full(count, -1, dtype=np.int32)
        self._taken, self._start, self._end, self._bytes = (
            np.full(count, np.nan) for _ in range(4)
        )
        self._ran = np.zeros(count, dtype=np.bool_)
        self._lost = np.zeros(count, dtype=np.bool_)
        self._failed: list[int] = []
        self.tasks: list[TaskRun] = []
        taken = prediction.start_s if prediction.taken_s is None else prediction.taken_s
        self._expected = taken.copy(), prediction.end_s.copy()
        self._predicted_s = prediction.end_s - taken
        self._logs: list[float] = []
        self._pace = _Pace(*self._expected, ~self._lost)

    def begin(self, task: str, machine: str, at_s: float) -> None:
        """A task took its slot."""
        place = self._place[task]
        self._machine[place] = self._machines[machine]
        self._taken[place] = self._start[place] = at_s

    def end(self, one: TaskRun) -> None:
        """A task ended, well or not."""
        place = self._place[one.task]
        self._machine[place] = self._machines[one.machine]
        self._taken[place], self._start[place] = one.taken_s, one.start_s
        self._end[place] = one.end_s
        self._bytes[place] = np.nan if one.bytes_in is None else one.bytes_in
        self._ran[place] = one.status == OK
        self.tasks.append(one)
        took_s, predicted_s = one.end_s - one.taken_s, float(self._predicted_s[place])
        if one.status == OK and took_s > 0.0 and predicted_s > 0.0:
            self._logs.append(math.log(took_s / predicted_s))
        if one.status != OK:
            self._failed.append(place)
            self._lose(place)

    def lose(self, tasks: Iterable[str]) -> None:
        """Tasks ran on a machine that is gone: they wait again."""
        for task in tasks:
            place = self._place[task]
            self._machine[place], self._taken[place], self._start[place] = -1, np.nan, np.nan

    def replan(self, rest: Iterable[tuple[str, str, float, float]]) -> None:
        """What has not ended is expected elsewhere: task, machine, start and end, s, of each."""
        listed = [
            (self._place[task], self._machines[name], start_s, end_s)
            for task, name, start_s, end_s in rest
        ]
        task, machine = (np.array([one[at] for one in listed], np.int64) for at in (0, 1))
        start_s, end_s = (np.array([one[at] for one in listed], np.float64) for at in (2, 3))
        self.coming = Coming(task, machine, start_s, end_s)
        over = np.isfinite(self._end)
        begin, end = self._expected
        begin[over], end[over] = self._taken[over], self._end[over]
        begin[task], end[task] = start_s, end_s
        waits = np.isnan(self._taken[task])
        self._predicted_s[task[waits]] = (end_s - start_s)[waits]
        self._pace = _Pace(begin, end, ~self._lost)

    @property
    def stopped(self) -> str:
        """What is to be said if nothing more is heard of it, as it was stopped."""
        over = len(self.tasks) + int(self._lost.sum())
        return stopped_words(len(self._ran) - over, len(self._ran))

    def run(self, name: str, notes: tuple[str, ...] = ()) -> Run:
        """What ended so far."""
        return Run(name, tuple(self.tasks), self._engine, notes=notes)

    def actual(self) -> Actual:
        """What is known so far; a task that runs has a start and no end."""
        count = len(self._ran)
        return Actual(
            self.run("so far"), self._machine.copy(), np.full(count, np.nan), self._taken.copy(),
            self._start.copy(), self._end.copy(), self._bytes.copy(), self._ran.copy(),
            failed=tuple(sorted(self._failed)),
        )  # fmt: skip

    def progress(self, now_s: float) -> Progress:
        """How far it is, so many seconds after its start."""
        over = np.isfinite(self._end)
        going = np.isfinite(self._taken) & ~over
        for_s = np.where(going, now_s - self._taken, 0.0)
        reached, left = self._pace.at(over, for_s, now_s)
        counts = int(over.sum()), len(self._failed), int(going.sum()), int(self._lost.sum())
        late_ones, spread = self._late(going, for_s), spread_of(self._logs)
        return Progress(*counts, len(over), now_s, reached, left, late_ones, spread)

    def _late(self, going: Flags, for_s: Floats) -> tuple[Late, ...]:
        predicted_s = self._predicted_s
        found = np.flatnonzero(going & late(for_s, predicted_s)).tolist()
        found.sort(key=lambda place: predicted_s[place] - for_s[place])
        tasks = self._workload.tasks
        return tuple(Late(tasks[at].name, float(for_s[at]), float(predicted_s[at])) for at in found)

    def _lose(self, failed: int) -> None:
        """What needs a failed task, directly or not, does not run."""
        waiting = [failed]
        sources, targets = self._workload.sources, self._workload.targets
        while waiting:
            for child in targets[sources == waiting.pop()].tolist():
                if not self._lost[child]:
                    self._lost[child] = True
                    waiting.append(child)
        self._pace = _Pace(*self._expected, ~self._lost)


class _Pace:
    """Work done by the moment of a schedule: W(t) = Σ min(max(t − taken, 0), seconds in slot).

    `taken`, `end`, `counted`: shape (tasks,); seconds, and tasks that can run. `span_s`: what each
    is expected to take.
    """

    def __init__(self, taken: Floats, end: Floats, counted: Flags) -> None:
        self.span_s = np.where(counted, end - taken, 0.0)
        begin, end = taken[counted], end[counted]
        moments = np.concatenate(([0.0], begin, end))
        slopes = np.concatenate(([0.0], np.ones(len(begin)), -np.ones(len(end))))
        order = np.argsort(moments, kind="stable")
        self._moment_s = moments[order]
        running = np.cumsum(slopes[order])[:-1]
        self._work_s = np.concatenate(([0.0], np.cumsum(running * np.diff(self._moment_s))))

    def at(self, over: Flags, for_s: Floats, now_s: float) -> tuple[float, float]:
        """When the schedule has done as much, and what is left of it then.

        While it does nothing (it waits for transfers), the run may be anywhere in it.
        """
        done = float(np.where(over, self.span_s, np.clip(for_s, 0.0, self.span_s)).sum())
        near = _ALIKE * max(float(self._work_s[-1]), 1e-12)
        if done >= float(self._work_s[-1]) - near:
            return float(self._moment_s[-1]), 0.0
        first = float(np.interp(done - near, self._work_s, self._moment_s))
        last = float(np.interp(done + near, self._work_s, self._moment_s))
        reached = min(max(now_s, first), last)
        return reached, float(self._moment_s[-1]) - reached
