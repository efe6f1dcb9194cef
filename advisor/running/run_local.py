"""Tasks carried out by processes of this machine: the same as on Dask, without it.

Every machine of the plan is so many slots here as it has cores; what its tasks hold, they hold.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from advisor.engines.plan_jobs import MACHINE_VARIABLE
from advisor.engines.shell import Commands
from machines.resources import CORES

_ASK_S = 0.05


def carried(
    tasks: list[dict[str, Any]],
    machines: dict[str, int],
    room: dict[str, dict[str, int]],
    strict: bool,
    should_stop: Callable[[], bool],
) -> Iterator[tuple[str, str, Any]]:
    """Carry tasks out; what it is given and yields is told at `advisor.engines.on_dask.carried`."""
    commands = Commands()
    with ThreadPoolExecutor(max(1, sum(machines.values()))) as threads:
        try:
            yield from _Slots(tasks, machines, room, strict, commands, threads).followed(
                should_stop
            )
        finally:
            commands.stop()


class _Slots:
    """What waits, what is free, and what has ended."""

    def __init__(
        self,
        tasks: list[dict[str, Any]],
        machines: dict[str, int],
        room: dict[str, dict[str, int]],
        strict: bool,
        commands: Commands,
        threads: ThreadPoolExecutor,
    ) -> None:
        self._waiting = list(tasks)
        self._left = len(tasks)
        # by machine: cores, and what it has of memory and resources
        self._free = {name: {CORES: n} | room.get(name, {}) for name, n in machines.items()}
        self._strict = strict
        self._commands, self._threads = commands, threads
        self._well: dict[str, bool] = {}  # of tasks that ended, or never will begin
        self._inbox: queue.SimpleQueue[tuple[dict[str, Any], Future[dict[str, Any]]]] = (
            queue.SimpleQueue()
        )

    def followed(self, should_stop: Callable[[], bool]) -> Iterator[tuple[str, str, Any]]:
        """Begin what can, then wait for what ends."""
        yield from self._begun()
        while self._left and not should_stop():
            try:
                task, future = self._inbox.get(timeout=_ASK_S)
            except queue.Empty:
                continue
            outcome = future.result()
            self._hold(task, -1)
            self._close(task, well=bool(outcome["ok"]))
            yield "ended", task["task"], outcome | {"machine": task["machine"]}
            yield from self._begun()

    def _begun(self) -> Iterator[tuple[str, str, Any]]:
        for task in list(self._waiting):
            needs = task["after"]
            if not all(one in self._well for one in needs):
                continue
            failed = [one for one in needs if not self._well[one]]
            if failed:
                self._waiting.remove(task)
                self._close(task, well=False)
                yield "skipped", task["task"], failed
            elif self._may_begin(task):
                self._waiting.remove(task)
                self._hold(task, 1)
                yield "started", task["task"], time.time()
                future = self._threads.submit(
                    self._commands.run_command, task["work"], task["folder"], task["environment"]
                )
                future.add_done_callback(partial(self._put, task))

    def _may_begin(self, task: dict[str, Any]) -> bool:
        """Whether it may; of several machines it goes to the one with most free cores."""
        behind = task["behind"] if self._strict else None
        if behind is not None and behind not in self._well:
            return False
        for machine in sorted(task["among"], key=lambda one: -self._free[one][CORES]):
            if self._fits(task, machine):
                task["machine"] = machine
                task["environment"] = task["environment"] | {MACHINE_VARIABLE: machine}
                return True
        return not task["among"] and self._fits(task, task["machine"])

    def _fits(self, task: dict[str, Any], machine: str) -> bool:
        free = self._free[machine]
        return all(free.get(kind, n) >= n for kind, n in self._held(task).items())

    def _put(self, task: dict[str, Any], done: Future[dict[str, Any]]) -> None:
        self._inbox.put((task, done))

    def _hold(self, task: dict[str, Any], times: int) -> None:
        """Take what a task holds, or give it back."""
        free = self._free[task["machine"]]
        for kind, n in self._held(task).items():
            if kind in free:
                free[kind] -= times * n

    def _held(self, task: dict[str, Any]) -> dict[str, int]:
        held: dict[str, int] = {CORES: task["cores"], **task["held"]}
        return held

    def _close(self, task: dict[str, Any], *, well: bool) -> None:
        self._well[task["task"]] = well
        self._left -= 1
