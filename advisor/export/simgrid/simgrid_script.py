"""A plan of Placewise, simulated by SimGrid: transfers share links, tasks share processors.

Needs Python 3.9 and its module ``simgrid`` (3.32 or later; Debian: python3-simgrid), nothing else:

    python3 FILE [--output RESULT.json] [--platform PLATFORM.xml] [--progress]

It prints start and end of every task and transfer as JSON. Platform and plan are at the end of
the file; as exported, the simulated network is SimGrid's flow model CM02 without corrections:
rates are max–min fair, and a route's startup passes before its bytes move.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HOST_SPEED = 1e9  # flop/s of every core in the platform: one second of work is so many flops
UNLIMITED = 1e30  # bytes/s
ENDLESS = 1e300  # flops of an application that runs beside the plan
CONFIG = (
    "network/model:CM02",
    "network/latency-factor:1",
    "network/bandwidth-factor:1",
    "network/TCP-gamma:1e30",  # no limit; 0 would also lift the limits of single transfers
    "network/crosstraffic:0",
    "network/optim:Full",
)
RESULT_FORMAT = "placewise-simulated"


Plan = dict[str, Any]


class Transfer:
    """One item on its way from a host to another.

    Attributes
    ----------
    item, source, target : int
        Positions in the plan's items and hosts.
    reader : int or None
        The task for which it moves; None: for all readers there.
    """

    def __init__(self, item: int, source: int, target: int, reader: int | None) -> None:
        self.item, self.source, self.target, self.reader = item, source, target, reader
        self.start_s = self.end_s = 0.0


class Runtime:
    """What runs the tasks: decides what is fetched and started when, and knows no clock.

    `begin` and then every `arrived` and `ended` note what happened; `due` gives what starts by
    that: transfers and tasks, in the order in which they start. A task that `due` gives holds its
    cores, has its data and computes from now on (its overhead first).

    fetch "ahead": an item leaves at its producer's end; a task takes its cores when its data are
    there. "slot": a task takes its cores when its producers have ended, then fetches.
    copies "once": an item crosses to a machine once, for all its readers there. "each": for every
    reader.
    order "plan": a machine starts its tasks in the plan's order. "ready": the first in that order
    that is ready; it waits until its cores are free, and the others behind it.
    """

    def __init__(self, plan: Plan) -> None:
        self.tasks, self.items = plan["tasks"], plan["items"]
        runtime = plan["runtime"]
        self.ahead, self.once = runtime["fetch"] == "ahead", runtime["copies"] == "once"
        self.strict = runtime["order"] == "plan"
        self.machine = [task["machine"] for task in self.tasks]
        self.free = [host["cores"] for host in plan["hosts"]]
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

    def begin(self) -> None:
        """Time 0: items that no task writes are there."""
        if self.ahead:
            for place, item in enumerate(self.items):
                if item["writer"] is None:
                    self._send(place)

    def ended(self, task: int) -> None:
        """A task has ended: its cores are free, its items are written."""
        self.free[self.machine[task]] += self.tasks[task]["cores"]
        self.changed.add(self.machine[task])
        for reader in self.consumers[task]:
            self.producers[reader] -= 1
            self.changed.add(self.machine[reader])
        if self.ahead:
            for place in self.written[task]:
                self._send(place)

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
            ready = self.producers[task] == 0 and not (self.ahead and self.missing[task])
            if ready and self.tasks[task]["cores"] <= self.free[machine]:
                del queue[place]
                self.free[machine] -= self.tasks[task]["cores"]
                self._take(task)
            elif self.strict or ready:
                return
            else:
                place += 1

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


class Simulation:
    """Carries a plan out on SimGrid's hosts and links: one actor a running task or transfer."""

    def __init__(
        self,
        simgrid: Any,
        plan: Plan,
        hosts: Sequence[Any],
        links: Sequence[Any],
        on_end: Callable[[], None],
    ) -> None:
        self.simgrid, self.plan, self.hosts, self.on_end = simgrid, plan, hosts, on_end
        self.runtime = Runtime(plan)
        self.start_s = [0.0 for _ in plan["tasks"]]
        self.end_s = [0.0 for _ in plan["tasks"]]
        self.done: list[int] = []
        self.transfers: list[Transfer] = []
        self.computing = [0 for _ in plan["hosts"]]
        # SimGrid weighs a transfer by 1 / latency of its route, or all the same without latencies:
        # these then pass as waiting before the transfer.
        self.equal = plan["runtime"]["fairness"] == "equal"
        self.latency_s = {pair: self._latency_s(*pair) for pair in self.runtime.pairs()}
        for link in links:
            if self.equal:
                link.set_latency(0.0)
            if link.name in plan["lifted"]:
                link.set_bandwidth(UNLIMITED)

    def _latency_s(self, source: int, target: int) -> float:
        return float(self.hosts[source].route_to(self.hosts[target])[1])

    def launch(self) -> None:
        """Create the actors that are there from the beginning."""
        for place, described in enumerate(self.plan["hosts"]):
            for _ in range(described["contenders"]):
                self._actor(self.hosts[place], self.simgrid.this_actor.execute, ENDLESS).daemonize()
        self._actor(self.hosts[0], self._begin)

    def _actor(self, host: Any, action: Callable[..., object], *of: object) -> Any:
        return self.simgrid.Actor.create("placewise", host, action, *of)

    def _begin(self) -> None:
        self.runtime.begin()
        self._go_on()

    def _go_on(self) -> None:
        """Start what is due, when all that happens at this moment is noted."""
        self.simgrid.this_actor.yield_()
        for one in self.runtime.due():
            if isinstance(one, Transfer):
                self._actor(self.hosts[one.source], self._transfer, one)
            else:
                self._actor(self.hosts[self.runtime.machine[one]], self._task, one)

    def _transfer(self, transfer: Transfer) -> None:
        item = self.plan["items"][transfer.item]
        way = item["ways"].get(str(transfer.target), {})
        transfer.start_s = self.simgrid.Engine.clock
        if "seconds" in way:
            self._sleep(way["seconds"])
        else:
            latency_s = self.latency_s[transfer.source, transfer.target]
            passing_s = 0.0 if self.equal else latency_s
            self._sleep(way.get("delay_s", latency_s) - passing_s)
            self._send(transfer, max(1, round(item["bytes"])), way.get("rate"))
        transfer.end_s = self.simgrid.Engine.clock
        self.transfers.append(transfer)
        self.runtime.arrived(transfer)
        self._go_on()

    def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.simgrid.this_actor.sleep_for(seconds)

    def _send(self, transfer: Transfer, size: int, rate: float | None) -> None:
        """Move the bytes, at the rate of the route, or at the stated one if it is less."""
        source, target = self.hosts[transfer.source], self.hosts[transfer.target]
        if rate is None:
            self.simgrid.Comm.sendto(source, target, size)
            return
        mailbox = self.simgrid.Mailbox.by_name(f"{transfer.item} {transfer.target} {id(transfer)}")
        self._actor(target, mailbox.get)
        mailbox.put_init(None, size).set_rate(rate).start().wait()

    def _task(self, task: int) -> None:
        described = self.plan["tasks"][task]
        self.start_s[task] = self.simgrid.Engine.clock
        self._sleep(self.plan["runtime"]["task_overhead_s"])
        if described["seconds"] > 0:
            self._compute(described)
        self.end_s[task] = self.simgrid.Engine.clock
        self.done.append(task)
        self.on_end()
        self.runtime.ended(task)
        self._go_on()

    def _compute(self, described: Plan) -> None:
        """Compute on as many cores as the task holds."""
        self._tell(described["machine"], described["cores"])
        flops = described["seconds"] * HOST_SPEED
        beside = [self.simgrid.this_actor.exec_async(flops) for _ in range(described["cores"] - 1)]
        self.simgrid.this_actor.execute(flops)
        for one in beside:
            one.wait()
        self._tell(described["machine"], -described["cores"])

    def _tell(self, machine: int, more: int) -> None:
        """Set the speed that a machine has with so many busy cores, where the plan states it."""
        self.computing[machine] += more
        if self.plan["hosts"][machine]["speeds"] and self.computing[machine] > 0:
            self.hosts[machine].pstate = self.computing[machine] - 1


def simulate(platform_file: Path, plan: Plan, on_end: Callable[[], None]) -> Plan:
    """Simulate; what `result` makes of it, with the seconds that SimGrid itself took."""
    import simgrid  # noqa: PLC0415 - the rest of this file works without

    options = [f"--cfg={one}" for one in CONFIG]
    engine = simgrid.Engine(["placewise", *options, "--log=root.thresh:warning"])
    engine.load_platform(str(platform_file))
    known = {host.name: host for host in engine.all_hosts}
    hosts = [known[host["host"]] for host in plan["hosts"]]
    simulation = Simulation(simgrid, plan, hosts, engine.all_links, on_end)
    simulation.launch()
    began = time.perf_counter(), time.process_time()
    engine.run()
    spent_s = time.perf_counter() - began[0], time.process_time() - began[1]
    if len(simulation.done) < len(plan["tasks"]):
        sys.exit("no task can start any more: does the plan's sequence fit its data?")
    return result(simulation, f"SimGrid {simgrid.simgrid_version}", spent_s)


def result(simulation: Simulation, simulator: str, spent_s: tuple[float, float]) -> Plan:
    """Times of all tasks and transfers, in seconds from the start, with names."""
    plan, hosts = simulation.plan, simulation.plan["hosts"]
    tasks = {
        task["name"]: {
            "machine": hosts[task["machine"]]["name"],
            "start_s": simulation.start_s[place],
            "end_s": simulation.end_s[place],
        }
        for place, task in enumerate(plan["tasks"])
    }
    transfers = [
        {
            "item": plan["items"][one.item]["name"],
            "from": hosts[one.source]["name"],
            "to": hosts[one.target]["name"],
            "start_s": one.start_s,
            "end_s": one.end_s,
            "bytes": plan["items"][one.item]["bytes"],
        }
        for one in simulation.transfers
    ]
    return {
        "format": RESULT_FORMAT,
        "version": 1,
        "simulator": simulator,
        "spent_s": spent_s[0],
        "processor_s": spent_s[1],
        "makespan_s": max(simulation.end_s, default=0.0),
        "tasks": tasks,
        "transfers": transfers,
    }


def main() -> None:
    """Simulate what this file holds and print or write the result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--output", metavar="FILE", help="for the result (default: print it)")
    parser.add_argument("--platform", metavar="FILE", help="XML in place of the one in here")
    parser.add_argument("--progress", action="store_true", help="say on stderr what has ended")
    asked = parser.parse_args()
    plan = json.loads(PLAN)
    ended: list[None] = []

    def on_end() -> None:
        ended.append(None)
        if asked.progress:
            print(f"progress {len(ended)} {len(plan['tasks'])}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        platform = Path(asked.platform or Path(folder, "platform.xml"))
        if not asked.platform:
            platform.write_text(PLATFORM, encoding="utf-8")
        text = json.dumps(simulate(platform, plan, on_end), indent=1) + "\n"
    if asked.output:
        Path(asked.output).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


# What is simulated.
PLATFORM = ""
PLAN = ""

if __name__ == "__main__":
    main()
