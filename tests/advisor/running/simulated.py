"""Steered runs without waiting: the product's slots and steering on a clock that jumps ahead.

One machine dies in the middle; beside the run stands the best plan that knows that, and all
durations, beforehand.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.running.run_local import Happening, Slots
from advisor.running.run_settings import Event, Lost
from advisor.running.steering import Steering
from machines import Machine, Platform
from machines.arrays import Floats

ASKED, ALWAYS, AT_LAST = "asked once", "always", "at last"
_RESTARTS = 300


def layered(tasks: int, seed: int, width: int = 12) -> Problem:
    """Random layers on three machines of speeds 1, 1.3 and 0.8; one layer: independent tasks."""
    draw = np.random.default_rng(seed)
    names = [f"t{k}" for k in range(tasks)]
    made = tuple(Task(name, float(draw.uniform(5.0, 20.0))) for name in names)
    flows = tuple(
        Flow(names[before], names[task])
        for task in range(width, tasks)
        for before in np.unique(
            draw.integers((task // width - 1) * width, task // width * width, 2)
        ).tolist()
    )
    speeds = (1.0, 1.3, 0.8)
    machines = tuple(Machine(f"M{k}", speed=speed) for k, speed in enumerate(speeds))
    return Problem.of(Platform("three", machines), Workload("layers", made, flows))


class Simulated:
    """A run of a plan whose tasks take `seconds` (tasks, machines), with machine `dies` at `at_s`.

    `how`: replanned when asked, which is so once after the loss; always; or at last, where nothing
    else can run.
    """

    def __init__(
        self, problem: Problem, plan: Plan, seconds: Floats, dies: int, at_s: float, how: str
    ) -> None:
        workload = problem.workload
        self._place = {task.name: at for at, task in enumerate(workload.tasks)}
        self._names = [machine.name for machine in problem.platform.machines]
        self._seconds, self._dies, self._how = seconds, dies, how
        self.now_s, self.said, self.ends = 0.0, list[Event](), dict[str, float]()
        self._attempt = dict.fromkeys(self._place, 0)
        self._coming: list[tuple[float, str, int]] = [(at_s, "", 0)]
        self._steering = Steering(
            problem, plan, predict(problem, plan).makespan_s, always=how == ALWAYS,
            asked=self._asked, clock=lambda: self.now_s,
        )  # fmt: skip
        self._asks = 1
        after: dict[str, list[str]] = {name: [] for name in self._place}
        for flow in workload.flows:
            after[flow.target].append(flow.source)
        order = plan.order or range(len(workload.tasks))
        self.tasks: list[dict[str, Any]] = [
            {"task": workload.tasks[at].name, "machine": self._names[plan.allocation[at]],
             "among": [], "cores": 1, "after": after[workload.tasks[at].name], "behind": None,
             "held": {}, "environment": {}} for at in order
        ]  # fmt: skip
        self._at = {task["task"]: task for task in self.tasks}

    @property
    def makespan_s(self) -> float:
        """Of the whole run."""
        slots = Slots(self.tasks, dict.fromkeys(self._names, 1), {}, False, self._begin)
        self._steering.take(slots)
        for kind, name, value in slots.followed(self._heard, lambda: False):
            machine = self._at[name]["machine"] if name in self._at else name
            self.said += self._steering.hear(kind, name, value, machine)
            if kind == "ended":
                assert name not in self.ends, "nothing that has ended runs again"
                self.ends[name] = value["end"]
        assert len(self.ends) == len(self.tasks), "nothing is lost"
        return max(self.ends.values())

    def _begin(self, task: dict[str, Any]) -> None:
        name = task["task"]
        machine = self._names.index(task["machine"])
        self._attempt[name] += 1
        takes = float(self._seconds[self._place[name], machine])
        heapq.heappush(self._coming, (self.now_s + takes, name, self._attempt[name]))

    def _heard(self) -> Iterator[Happening]:
        at_s, name, attempt = heapq.heappop(self._coming)
        if not name:
            self.now_s = at_s
            yield "lost", "it is gone", self._names[self._dies]
        elif attempt == self._attempt[name] and not (
            self._gone and self._machine(name) == self._dies
        ):
            self.now_s = at_s
            taken = at_s - self._seconds[self._place[name], self._machine(name)]
            yield "ended", name, {"taken": float(taken), "end": at_s, "ok": True}

    def _machine(self, name: str) -> int:
        return self._names.index(self._at[name]["machine"])

    @property
    def _gone(self) -> bool:
        return any(isinstance(one, Lost) for one in self.said)

    def _asked(self) -> bool:
        if self._how == ASKED and self._gone and self._asks:
            self._asks -= 1
            return True
        return False


def hindsight_s(problem: Problem, seconds: Floats, dies: int, at_s: float, seed: int = 0) -> float:
    """The best of many list schedules in which nothing runs on machine `dies` that would not end.

    By upward ranks, and by these times a random factor; each task goes where it ends first.
    """
    draw = np.random.default_rng(seed)
    tasks, machines = seconds.shape
    sources, targets = problem.workload.sources.tolist(), problem.workload.targets.tolist()
    into: list[list[int]] = [[] for _ in range(tasks)]
    out: list[list[int]] = [[] for _ in range(tasks)]
    for source, target in zip(sources, targets, strict=True):
        into[target].append(source)
        out[source].append(target)
    rank = np.zeros(tasks)
    for task in reversed(problem.workload.topological_order.tolist()):
        rank[task] = seconds[task].mean() + max((rank[one] for one in out[task]), default=0.0)
    best = np.inf
    for restart in range(_RESTARTS):
        noise = np.exp(draw.normal(0.0, 0.15 * (restart > 0), tasks))
        end, free = np.zeros(tasks), np.zeros(machines)
        left = [len(one) for one in into]
        ready = [(-rank[task] * noise[task], task) for task in range(tasks) if not left[task]]
        heapq.heapify(ready)
        while ready:
            _, task = heapq.heappop(ready)
            begin = max((end[one] for one in into[task]), default=0.0)
            ends = np.maximum(free, begin) + seconds[task]
            if ends[dies] > at_s:
                ends[dies] = np.inf
            machine = int(ends.argmin())
            end[task] = free[machine] = ends[machine]
            for child in out[task]:
                left[child] -= 1
                if not left[child]:
                    heapq.heappush(ready, (-rank[child] * noise[child], child))
        best = min(best, float(end.max()))
    return best


def drawn(problem: Problem, spread: float, unlike: float, seed: int) -> Floats:
    """Seconds (tasks, machines): predicted ones, varied by task and by machine."""
    draw = np.random.default_rng(seed)
    predicted = problem.costs.task_s
    tasks, machines = predicted.shape
    varied = np.exp(draw.normal(0.0, spread, (tasks, 1)) + draw.normal(0.0, unlike, (1, machines)))
    return np.asarray(predicted * varied)
