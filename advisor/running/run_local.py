"""Tasks carried out by processes of this machine: the same as on Dask, without it.

Every machine of the plan is so many slots here as it has cores; what its tasks hold, they hold.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue as Queue
from typing import Any, Protocol

from advisor.allocation.plan_jobs import MACHINE_VARIABLE
from advisor.engines.shell import Commands
from machines.errors import PlacewiseError
from machines.resources import CORES

_ASK_S = 0.05
Happening = tuple[str, str, Any]


def carried(
    tasks: list[dict[str, Any]],
    machines: dict[str, int],
    room: dict[str, dict[str, int]],
    strict: bool,
    should_stop: Callable[[], bool],
    steering: Steers | None = None,
) -> Iterator[Happening]:
    """Carry tasks out; what it is given and yields is told at `advisor.engines.on_dask.carried`."""
    commands, inbox = Commands(), Queue[Happening]()
    with ThreadPoolExecutor(max(1, sum(machines.values()))) as threads:

        def begin(task: dict[str, Any]) -> None:
            future = threads.submit(
                commands.run_command, task["work"], task["folder"], task["environment"]
            )
            future.add_done_callback(lambda done: inbox.put(("ended", task["task"], done.result())))

        try:
            slots = Slots(tasks, machines, room, strict, begin)
            if steering is not None:
                steering.take(slots)
            yield from slots.followed(partial(taken, inbox), should_stop)
        finally:
            commands.stop()


def taken(inbox: Queue[Happening]) -> Iterator[Happening]:
    """What is in an inbox; waits a little for the first of it."""
    with contextlib.suppress(queue.Empty):
        yield inbox.get(timeout=_ASK_S)


class Steers(Protocol):
    """Who moves the waiting tasks of a run, by what the run tells."""

    @property
    def always(self) -> bool:
        """Whether it does without being asked."""

    def take(self, slots: Slots) -> None:
        """The run begins."""


class Slots:
    """What waits, what is free, and what has ended.

    `waiting`: tasks in the order in which they are begun; whoever follows may put them into another
    order, and on other machines, between what it is told. `asked`: whether that is wished, which is
    told then. `begin`: runs a task. `take_back`: where an engine has all tasks and begins them:
    from then on it begins none; the names of those that have begun.
    """

    def __init__(
        self,
        tasks: list[dict[str, Any]],
        machines: dict[str, int],
        room: dict[str, dict[str, int]],
        strict: bool,
        begin: Callable[[dict[str, Any]], None],
        take_back: Callable[[], set[str]] | None = None,
    ) -> None:
        self.waiting = list(tasks)
        self.strict = strict
        self.asked: Callable[[], bool] = lambda: False
        self.clock: Callable[[], float] = time.time  # of starts
        self._left = len(tasks)
        # by machine: cores, and what it has of memory and resources
        self._free = {name: {CORES: n} | room.get(name, {}) for name, n in machines.items()}
        self._begin, self._take_back = begin, take_back
        self._well: dict[str, bool] = {}  # of tasks that ended, or never will begin
        self._running: dict[str, dict[str, Any]] = {}
        self._told: set[str] = set()  # whose start was told

    def followed(
        self, heard: Callable[[], Iterator[Happening]], should_stop: Callable[[], bool]
    ) -> Iterator[Happening]:
        """Begin what can, then wait for what ends; a machine that is lost gives its tasks back.

        Beside what happens: ("asked", "", None), and ("stuck", "", None) where a machine is lost
        and nothing can run.
        """
        yield from self._begun()
        while self._left and not should_stop():
            for kind, name, value in heard():
                yield from self._taken_in(kind, name, value)
                yield from self._begun()
            if self.asked():
                self._have_all()
                yield "asked", "", None
                yield from self._begun()
            if self._left and not self._running and self._take_back is None:
                yield "stuck", "", None
                yield from self._begun()
                if self._left and not self._running:
                    raise PlacewiseError(
                        f"no machine that is left can run {self.waiting[0]['task']}",
                        where=self.waiting[0]["machine"],
                        remedy="Finished tasks are kept; run the plan again with this machine",
                    )

    def _taken_in(self, kind: str, name: str, value: Any) -> Iterator[Happening]:
        """What was heard; what is to be told of it."""
        if kind == "silent":
            yield kind, name, value
        elif kind == "lost":
            if value in self._free:
                self._have_all()
                yield kind, value, self._lose(value)
            elif self._take_back is not None:
                raise RuntimeError(name)
        elif kind == "started" and self._may_have_begun(name):
            self._told.add(name)
            yield kind, name, value
        elif kind == "ended" and name in self._running:
            task = self._running.pop(name)
            self._hold(task, -1)
            self._close(task, well=bool(value["ok"]))
            yield kind, name, value | {"machine": task["machine"]}
        elif kind == "skipped" and self._may_have_begun(name):
            task = self._running.pop(name)
            self._hold(task, -1)
            self._close(task, well=False)
            yield kind, name, value

    def _may_have_begun(self, name: str) -> bool:
        """Whether a start is news: of a task that an engine began by itself."""
        if self._take_back is not None and name not in self._running:
            self._run_now(name)
        return name in self._running and name not in self._told

    def _have_all(self) -> None:
        """An engine that has all tasks gives back those that have not begun."""
        if self._take_back is not None:
            begun, self._take_back = self._take_back(), None
            for name in begun:
                self._run_now(name)

    def _run_now(self, name: str) -> None:
        """A task runs that an engine began, if that is news."""
        task = next((one for one in self.waiting if one["task"] == name), None)
        if task is not None:
            self.waiting.remove(task)
            self._hold(task, 1)
            self._running[name] = task

    def _lose(self, machine: str) -> list[str]:
        """Nothing runs there any more; the names of the tasks that have to run again."""
        del self._free[machine]
        again = [task for task in self._running.values() if task["machine"] == machine]
        for task in again:
            del self._running[task["task"]]
            self._told.discard(task["task"])
        self.waiting[:0] = again
        return [task["task"] for task in again]

    def _begun(self) -> Iterator[Happening]:
        if self._take_back is not None:
            return
        for task in list(self.waiting):
            needs = task["after"]
            if not all(one in self._well for one in needs):
                continue
            failed = [one for one in needs if not self._well[one]]
            if failed:
                self.waiting.remove(task)
                self._close(task, well=False)
                yield "skipped", task["task"], failed
            elif self._may_begin(task):
                self.waiting.remove(task)
                self._hold(task, 1)
                self._running[task["task"]] = task
                self._told.add(task["task"])
                where = {MACHINE_VARIABLE: task["machine"]}
                task["environment"] = task["environment"] | where
                yield "started", task["task"], self.clock()
                self._begin(task)

    def _may_begin(self, task: dict[str, Any]) -> bool:
        """Whether it may; of several machines it goes to the one with most free cores."""
        behind = task["behind"] if self.strict else None
        if behind is not None and behind not in self._well:
            return False
        for machine in sorted(task["among"], key=self._busy):
            if self._fits(task, machine):
                task["machine"] = machine
                return True
        return not task["among"] and self._fits(task, task["machine"])

    def _busy(self, machine: str) -> int:
        return -self._free[machine][CORES] if machine in self._free else 0

    def _fits(self, task: dict[str, Any], machine: str) -> bool:
        if machine not in self._free:
            return False
        free = self._free[machine]
        return all(free.get(kind, n) >= n for kind, n in self._held(task).items())

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
