"""The executed plan once more, as plainly as it can be said: every transfer on its own.

A twin of `advisor.kernels.execution_kernel`: objects instead of arrays, one transfer after the
other instead of classes, and all rates anew at every event (`advisor.models.fair_sharing`).
Quadratic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.models.contention import machine_slowdown
from advisor.models.fair_sharing import fair_rates
from machines import Machine
from machines.routes import routes
from machines.sharing import crossed

EPSILON = 1e-9


def after(now: float, period_s: float) -> float:
    """The first multiple of a period from now on."""
    return period_s * math.ceil(now / period_s - EPSILON) if period_s > 0.0 else now


class Stuck(Exception):
    """Nothing happens any more, and some task has not ended."""


@dataclass
class Moving:
    """A transfer: the seconds until its bytes move, then those that are left."""

    reader: int
    item: int
    wait_s: float
    left: float
    route: tuple[int, ...]
    cap: float
    weight: float


@dataclass
class Plain:
    """One execution."""

    problem: Problem
    plan: Plan
    end_s: dict[int, float] = field(default_factory=dict)
    start_s: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        arrays, platform = self.problem.executed, self.problem.platform
        self.at, self.order = (one.tolist() for one in placement(self.problem, self.plan))
        self.arrays, self.found, self.shared = arrays, routes(platform), self.problem.shared
        self.readers = [
            arrays.reader[arrays.first_slot[one] : arrays.first_slot[one + 1]].tolist()
            for one in range(arrays.writer.size)
        ]
        tasks = range(len(self.at))
        self.inputs = [[i for i, of in enumerate(self.readers) if task in of] for task in tasks]
        self.after: list[list[int]] = [[] for _ in tasks]
        workload = self.problem.workload
        for source, target in zip(workload.sources, workload.targets, strict=True):
            self.after[int(target)].append(int(source))
        self.moving: list[Moving] = []
        self.there: set[tuple[int, int]] = set()  # (item, reader) that need not be waited for
        self.sent: set[tuple[int, int]] = set()  # (item, machine)
        self.taken: set[int] = set()
        self.seen_at: dict[int, float] = {}  # when the engine sees that a task may start
        self.free_at: dict[int, float] = {}  # when it lets a task start
        self.engine_s = self.problem.platform.runtime.begin_s  # until then it hands out others
        self.reclaimed_at: dict[int, float] = {}  # when what a task held can be taken again
        self.ready_at: dict[int, float] = {}  # when the overhead of a task is over
        self.work: dict[int, float] = {}  # dedicated seconds that are left
        self.grabbed: dict[int, list[float]] = {}  # speeds of the cores that a task holds
        self.slow: dict[int, float] = {}
        self.now = 0.0

    def run(self) -> Plain:
        """Until the last task ends."""
        if not self.arrays.slot:
            for item, writer in enumerate(self.arrays.writer.tolist()):
                if writer < 0:
                    self.send_to_all(item)
        while self.step_at_once() or len(self.end_s) < len(self.at):
            while self.step_at_once():
                pass
            if len(self.end_s) < len(self.at):
                self.advance()
        return self

    def source(self, item: int) -> int:
        writer = int(self.arrays.writer[item])
        return int(self.arrays.home[item]) if writer < 0 else self.at[writer]

    def send(self, item: int, reader: int) -> None:
        arrays, p, q = self.arrays, self.source(item), self.at[reader]
        if p == q or (arrays.size_bytes[item] == 0 and arrays.table[item] < 0):
            self.there.add((item, reader))
        elif arrays.table[item] >= 0:
            wait_s = float(arrays.tables[arrays.table[item], p, q])
            self.moving.append(Moving(reader, item, wait_s, 0.0, (), 1.0, 1.0))
        elif not (arrays.once and (item, q) in self.sent):
            self.sent.add((item, q))
            wait_s = sum(
                count * arrays.startup_s[size, p, q]
                for size, count in enumerate(arrays.messages[item])
                if count > 0
            )
            share = arrays.shares[arrays.mix[item]]
            per_byte_s = sum(s * arrays.per_byte_s[k, p, q] for k, s in enumerate(share) if s > 0)
            route = crossed(self.problem.platform, self.shared.resources, self.found[p, q])
            weight = float(self.shared.weight[p * arrays.startup_s.shape[1] + q])
            size = float(arrays.size_bytes[item])
            self.moving.append(Moving(reader, item, wait_s, size, route, 1 / per_byte_s, weight))

    def send_to_all(self, item: int) -> None:
        for reader in self.readers[item]:
            self.send(item, reader)

    def step_at_once(self) -> bool:
        """Something that happens without time passing; False when nothing is left."""
        return self.arrive() or self.prepare() or self.finish() or self.notice() or self.take()

    def needed(self, task: int) -> bool:
        """Whether all that a task waits for is there, the engine aside."""
        return all(source in self.end_s for source in self.after[task]) and (
            self.arrays.slot or all((i, task) in self.there for i in self.inputs[task])
        )

    def notice(self) -> bool:
        """The engine sees what is ready at its next look, and hands that out in order."""
        runtime = self.problem.platform.runtime
        new = [t for t in self.order if t not in self.seen_at and self.needed(t)]
        for task in new:
            self.seen_at[task] = after(self.now, runtime.poll_s)
        due = [
            t
            for t in self.order
            if t not in self.free_at and self.seen_at.get(t, math.inf) <= self.now + EPSILON
        ]
        if new or self.moment():
            return bool(new)
        for task in due:
            self.engine_s = max(self.engine_s, self.now) + runtime.submit_s
            up_s = self.problem.platform.machines[self.at[task]].up_s or 0.0
            self.free_at[task] = max(after(self.engine_s, runtime.cycle_s), up_s)
        return bool(due)

    def moment(self) -> bool:
        """Whether something else still happens now."""
        return any(one.wait_s <= EPSILON and one.left <= EPSILON for one in self.moving) or any(
            left <= EPSILON for left in self.work.values()
        )

    def arrive(self) -> bool:
        done = [one for one in self.moving if one.wait_s <= EPSILON and one.left <= EPSILON]
        for one in done:
            self.moving.remove(one)
            copies = self.readers[one.item] if self.arrays.once else [one.reader]
            for reader in copies:
                if self.at[reader] == self.at[one.reader]:
                    self.there.add((one.item, reader))
        return bool(done)

    def prepare(self) -> bool:
        """Tasks with cores and data start; those whose overhead is over compute."""
        begun = [
            task
            for task in sorted(self.taken - self.start_s.keys())
            if all((item, task) in self.there for item in self.inputs[task])
        ]
        for task in begun:
            self.start_s[task] = self.now
            self.ready_at[task] = self.now + self.arrays.overhead_s
        over = [task for task, when in self.ready_at.items() if when <= self.now + EPSILON]
        for task in over:
            del self.ready_at[task]
            alone_s = float(self.arrays.work_s[task, self.at[task]])
            self.work[task] = alone_s * self.slow.get(task, 1.0)
        return bool(begun or over)

    def finish(self) -> bool:
        ended = [task for task, left in self.work.items() if left <= EPSILON]
        for task in ended:
            del self.work[task]
            self.end_s[task] = self.now
            self.reclaimed_at[task] = after(self.now, self.problem.platform.runtime.reclaim_s)
            if not self.arrays.slot:
                for item, writer in enumerate(self.arrays.writer.tolist()):
                    if writer == task:
                        self.send_to_all(item)
        return bool(ended)

    def take(self) -> bool:
        """Each machine lets tasks take its cores."""
        changed = False
        for q, machine in enumerate(self.problem.platform.machines):
            waiting = [t for t in self.order if self.at[t] == q and t not in self.taken]
            for task in waiting:
                held = sum(
                    int(self.arrays.task_cores[t]) for t in self.holding() if self.at[t] == q
                )
                ready = self.free_at.get(task, math.inf) <= self.now + EPSILON
                if not ready and self.arrays.eager:
                    continue
                if not ready or held + self.arrays.task_cores[task] > machine.cores:
                    break
                if not self.fits(task, q):
                    if self.arrays.eager:
                        continue
                    break
                self.taken.add(task)
                self.grab(task, machine)
                changed = True
                if self.arrays.slot:
                    for item in self.inputs[task]:
                        self.send(item, task)
        return changed

    def reclaimed(self) -> set[int]:
        """Tasks whose slots are free again."""
        return {task for task, when in self.reclaimed_at.items() if when <= self.now + EPSILON}

    def holding(self) -> set[int]:
        """Tasks that hold their slots."""
        return self.taken - self.reclaimed()

    def fits(self, task: int, q: int) -> bool:
        """Whether memory and resources are free, those of the platform on all machines together."""
        platform, tasks = self.problem.platform, self.problem.workload.tasks
        machine, running = platform.machines[q], self.holding()
        beside = [t for t in running if self.at[t] == q]
        memory = sum(max(tasks[t].memory_bytes or 0, self.stays(t)) for t in [*beside, task])
        memory += sum(
            self.stays(t, item)
            for item, t in enumerate(self.arrays.writer.tolist())
            if t in self.reclaimed() and self.at[t] == q and not self.read(item, q)
        )
        if machine.memory_bytes is not None and memory > machine.memory_bytes:
            return False
        everywhere = {one.kind: one.count for one in platform.resources}
        here = {one.kind: one.count for one in machine.resources}
        for kind in dict(tasks[task].resources):
            holders = running if kind in everywhere else beside
            wanted = sum(dict(tasks[t].resources).get(kind, 0) for t in [*holders, task])
            if wanted > everywhere.get(kind, here.get(kind, 0)):
                return False
        return True

    def stays(self, task: int, item: int | None = None) -> int:
        """Bytes of what a task makes, or of one item, that are read on its machine."""
        if self.problem.platform.machines[self.at[task]].holds != "outputs":
            return 0
        made = np.flatnonzero(self.arrays.writer == task) if item is None else [item]
        return sum(
            math.ceil(self.arrays.size_bytes[one])
            for one in made
            if any(self.at[reader] == self.at[task] for reader in self.readers[one])
        )

    def read(self, item: int, q: int) -> bool:
        """Whether all that read an item on a machine have given back what they held."""
        return all(one in self.reclaimed() for one in self.readers[item] if self.at[one] == q)

    def grab(self, task: int, machine: Machine) -> None:
        """Of cores of several speeds, the fastest that nobody has; one entry a core."""
        speeds = sorted(
            (g.speed for g in machine.core_groups for _ in range(g.count)), reverse=True
        )
        free = list(speeds)
        for other in self.holding() - {task}:
            if self.at[other] == self.at[task]:
                for speed in self.grabbed.get(other, ()):
                    free.remove(speed)
        wanted = int(self.arrays.task_cores[task])
        self.grabbed[task] = free[:wanted]
        if speeds:
            self.slow[task] = sum(speeds[:wanted]) / sum(free[:wanted])

    def speed(self, task: int) -> float:
        machine = self.problem.platform.machines[self.at[task]]
        cores = sum(
            int(self.arrays.task_cores[t]) for t in self.work if self.at[t] == self.at[task]
        )
        return 1.0 / machine_slowdown(machine, cores, self.problem.reading).value

    def paces(self) -> dict[int, float]:
        """Seconds that every task computes in a second: its processors', and its memory's."""
        found = {task: self.speed(task) for task in self.work}
        for q, machine in enumerate(self.problem.platform.machines):
            moving = [task for task in self.work if self.at[task] == q and self.moved(task)]
            if machine.memory_bandwidth is None or not moving:
                continue
            draws = [self.moved(task) for task in moving]
            rates = fair_rates(
                [(0,)] * len(moving),
                [machine.memory_bandwidth],
                [1.0] * len(moving),
                [draw * found[task] for draw, task in zip(draws, moving, strict=True)],
            )
            for task, draw, rate in zip(moving, draws, rates.tolist(), strict=True):
                found[task] = rate / draw
        return found

    def moved(self, task: int) -> float:
        """Bytes/s that a task moves through memory while it computes alone."""
        stated = self.problem.workload.tasks[task]
        speed = 1.0 if stated.work is None else self.problem.platform.machines[self.at[task]].speed
        return (stated.memory_bandwidth or 0.0) * speed

    def advance(self) -> None:
        """To the next moment at which something ends, joins or is prepared."""
        flowing = [one for one in self.moving if one.wait_s <= EPSILON]
        rates = fair_rates(
            [one.route for one in flowing],
            self.arrays.capacity.tolist(),
            [one.weight for one in flowing],
            [one.cap for one in flowing],
        ).tolist()
        speeds = self.paces()
        steps = [one.wait_s for one in self.moving if one.wait_s > EPSILON]
        steps += [one.left / rate for one, rate in zip(flowing, rates, strict=True)]
        steps += [when - self.now for when in self.ready_at.values()]
        freed = [when - self.now for when in self.reclaimed_at.values()]
        steps += [step for step in freed if step > EPSILON]
        for task, when in self.seen_at.items():
            step = self.free_at.get(task, when) - self.now
            steps += [step] if step > EPSILON else []
        steps += [left / speeds[task] for task, left in self.work.items()]
        if not steps:
            raise Stuck
        step = min(steps)
        self.now += step
        for one in self.moving:
            if one not in flowing:
                one.wait_s -= step
        for one, rate in zip(flowing, rates, strict=True):
            one.left -= rate * step
        for task in self.work:
            self.work[task] -= speeds[task] * step
