"""What runs the tasks in the script for SimGrid: what is fetched and started when.

Scripts hold this text; it needs nothing but Python 3.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Plan = dict[str, Any]


class Transfer:
    """One item on its way between two hosts, for one task or (reader None) for all that read it."""

    def __init__(self, item: int, source: int, target: int, reader: int | None) -> None:
        self.item, self.source, self.target, self.reader = item, source, target, reader
        self.start_s = self.end_s = 0.0


class Runtime:
    """What runs the tasks: decides what is fetched and started when, and knows no clock.

    `begin` and then every `arrived`, `ended` and `freed` note what happened. `ready` gives the
    tasks that only the engine keeps waiting by that, and `let_start` notes that it does so no more;
    `due` gives what starts: transfers and tasks, in the order in which they start. A task that
    `due` gives holds its cores, has its data and computes from now on (its overhead first).

    fetch "ahead": an item leaves at its producer's end; a task takes its cores when its data are
    there. "slot": a task takes its cores when its producers have ended, then fetches.
    copies "once": an item crosses to a machine once, for all its readers there. "each": for every
    reader.
    order "plan": a machine starts its tasks in the plan's order. "ready": the first in that order
    that is ready; it waits until its cores are free, and the others behind it; one that waits for
    memory or a resource lets them pass. Of unequal cores a task takes the fastest that are free.
    """

    def __init__(self, plan: Plan) -> None:
        self.tasks, self.items = plan["tasks"], plan["items"]
        runtime = plan["runtime"]
        self.ahead, self.once = runtime["fetch"] == "ahead", runtime["copies"] == "once"
        self.strict = runtime["order"] == "plan"
        self.machine = [task["machine"] for task in self.tasks]
        self.free = [host["cores"] for host in plan["hosts"]]
        self.room = list(plan["room"])
        self.kept = [(one["room"], one["bytes"]) for one in plan.get("kept", ())]
        self.makes: list[list[int]] = [[] for _ in self.tasks]
        self.reads: list[list[int]] = [[] for _ in self.tasks]
        self.unread = [0] * len(self.kept)
        for place, one in enumerate(plan.get("kept", ())):
            self.makes[one["writer"]].append(place)
            self.unread[place] = len(one["readers"])
            for reader in one["readers"]:
                self.reads[reader].append(place)
        self.groups = [[count for count, _ in host["groups"]] for host in plan["hosts"]]
        self.speeds = [[speed for _, speed in host["groups"]] for host in plan["hosts"]]
        self.all_cores = [list(counts) for counts in self.groups]
        self.grabbed: dict[int, list[int]] = {}
        self.slow = [1.0] * len(self.tasks)  # times longer than on the fastest cores
        self.queues: list[list[int]] = [[] for _ in plan["hosts"]]
        for task in plan["sequence"]:
            self.queues[self.machine[task]].append(task)
        self.producers = [len(task["after"]) for task in self.tasks]
        self.consumers: list[list[int]] = [[] for _ in self.tasks]
        for reader, task in enumerate(self.tasks):
            for writer in task["after"]:
                self.consumers[writer].append(reader)
        self.needs: list[list[int]] = [[] for _ in self.tasks]
        self.written: list[list[int]] = [[] for _ in self.tasks]
        for place, item in enumerate(self.items):
            for reader in item["readers"]:
                if self.machine[reader] != item["host"]:
                    self.needs[reader].append(place)
            if item["writer"] is not None:
                self.written[item["writer"]].append(place)
        self.missing = [len(needs) if self.ahead else 0 for needs in self.needs]
        self.there: set[tuple[int, int]] = set()
        self.coming: dict[tuple[int, int], list[int]] = {}
        self.changed = set(range(len(self.queues)))
        self.starting: list[int | Transfer] = []
        self.rank = {task: place for place, task in enumerate(plan["sequence"])}
        self.waiting = set(range(len(self.tasks)))
        self.released: set[int] = set()

    def begin(self) -> None:
        """Time 0: items that no task writes are there."""
        if self.ahead:
            for place, item in enumerate(self.items):
                if item["writer"] is None:
                    self._send(place)

    def ended(self, task: int) -> None:
        """A task has ended: its items are written."""
        for reader in self.consumers[task]:
            self.producers[reader] -= 1
            self.changed.add(self.machine[reader])
        if self.ahead:
            for place in self.written[task]:
                self._send(place)

    def freed(self, task: int) -> None:
        """What an ended task held can be taken again."""
        machine = self.machine[task]
        self.free[machine] += self.tasks[task]["cores"]
        for place, amount in self.tasks[task]["held"]:
            self.room[place] += amount
        self._keep(task)
        for group, count in enumerate(self.grabbed.pop(task, ())):
            self.groups[machine][group] += count
        self.changed.update(range(len(self.queues)) if self.tasks[task]["held"] else [machine])

    def _keep(self, task: int) -> None:
        """What a task made stays in memory; what it was the last to read does not."""
        for item in self.makes[task]:
            room, size = self.kept[item]
            self.room[room] -= size
        for item in self.reads[task]:
            self.unread[item] -= 1
            if self.unread[item] == 0:
                room, size = self.kept[item]
                self.room[room] += size

    def arrived(self, transfer: Transfer) -> None:
        """A transfer has ended."""
        if transfer.reader is not None:
            readers = [transfer.reader]
        else:
            key = transfer.item, transfer.target
            self.there.add(key)
            readers = self.coming.pop(key)
        for reader in readers:
            self.missing[reader] -= 1
            if self.ahead:
                self.changed.add(self.machine[reader])
            elif self.missing[reader] == 0:
                self.starting.append(reader)

    def due(self) -> Sequence[int | Transfer]:
        """What starts now: transfers, and positions of tasks."""
        for machine in sorted(self.changed):
            self._start_on(machine)
        self.changed.clear()
        starting, self.starting = self.starting, []
        return starting

    def ready(self) -> list[int]:
        """The tasks that, since it was last asked, only the engine keeps waiting, in order."""
        found = [one for one in self.waiting if self._supplied(one)]
        self.waiting.difference_update(found)
        return sorted(found, key=self.rank.__getitem__)

    def let_start(self, task: int) -> None:
        """The engine lets a task start."""
        self.released.add(task)
        self.changed.add(self.machine[task])

    def _supplied(self, task: int) -> bool:
        return self.producers[task] == 0 and not (self.ahead and self.missing[task])

    def pairs(self) -> set[tuple[int, int]]:
        """Hosts between which items move."""
        return {
            (self.items[place]["host"], self.machine[reader])
            for reader, needs in enumerate(self.needs)
            for place in needs
        }

    def _start_on(self, machine: int) -> None:
        """Give cores to the tasks whose turn it is."""
        queue, place = self.queues[machine], 0
        while place < len(queue):
            task = queue[place]
            ready = task in self.released
            roomy = self.tasks[task]["cores"] <= self.free[machine]
            fits = all(amount <= self.room[at] for at, amount in self.tasks[task]["held"])
            if ready and roomy and fits:
                del queue[place]
                self._hold(task, machine)
                self._take(task)
            elif self.strict or (ready and not roomy):
                return
            else:
                place += 1

    def _hold(self, task: int, machine: int) -> None:
        """A task takes its cores and all else that it holds."""
        cores = self.tasks[task]["cores"]
        self.free[machine] -= cores
        for place, amount in self.tasks[task]["held"]:
            self.room[place] -= amount
        if self.speeds[machine]:
            self.grabbed[task] = _fastest(self.groups[machine], cores)
            best = _work(_fastest(list(self.all_cores[machine]), cores), self.speeds[machine])
            self.slow[task] = best / _work(self.grabbed[task], self.speeds[machine])

    def _take(self, task: int) -> None:
        """A task has its cores: with fetch "slot" it fetches what is not there."""
        if not self.ahead:
            for place in self.needs[task]:
                self._fetch(place, task)
        if self.missing[task] == 0:
            self.starting.append(task)

    def _send(self, place: int) -> None:
        """Send an item to all that read it elsewhere."""
        for reader in self.items[place]["readers"]:
            if self.machine[reader] != self.items[place]["host"]:
                self._move(place, reader)

    def _fetch(self, place: int, reader: int) -> None:
        if (place, self.machine[reader]) not in self.there:
            self.missing[reader] += 1
            self._move(place, reader)

    def _move(self, place: int, reader: int) -> None:
        """Let a transfer leave for the reader, or the reader wait for one that is under way."""
        source, target = self.items[place]["host"], self.machine[reader]
        if not self.once:
            self.starting.append(Transfer(place, source, target, reader))
        elif (place, target) in self.coming:
            self.coming[place, target].append(reader)
        else:
            self.coming[place, target] = [reader]
            self.starting.append(Transfer(place, source, target, None))


def _fastest(free: list[int], cores: int) -> list[int]:
    """Take so many cores from groups, the fastest first; how many of each."""
    taken = []
    for group, count in enumerate(free):
        taken.append(min(count, cores))
        free[group] -= taken[-1]
        cores -= taken[-1]
    return taken


def _work(counts: list[int], speeds: list[float]) -> float:
    return sum(count * speed for count, speed in zip(counts, speeds))  # noqa: B905 - Python 3.9
