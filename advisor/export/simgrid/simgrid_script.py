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
import math
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from advisor.export.simgrid.simgrid_runtime import Plan, Runtime, Transfer

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
        settings = plan["runtime"]
        self.dispatched = any(
            settings[f"{name}_s"] for name in ("begin", "poll", "submit", "cycle", "reclaim")
        ) or any(host["up_s"] for host in plan["hosts"])
        self.desk: list[int] = []  # tasks that the engine sees and has not handed out
        self.engine_s = settings["begin_s"]  # until when it hands out others
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
        for task in self.runtime.ready():
            if self.dispatched:
                self._actor(self.hosts[0], self._hand_out, task)
            else:
                self.runtime.let_start(task)
        for one in self.runtime.due():
            if isinstance(one, Transfer):
                self._actor(self.hosts[one.source], self._transfer, one)
            else:
                self._actor(self.hosts[self.runtime.machine[one]], self._task, one)

    def _hand_out(self, task: int) -> None:
        """The engine sees that a task is ready, and hands out the first of those that it sees."""
        settings = self.plan["runtime"]
        self._sleep_until(_after(self.simgrid.Engine.clock, settings["poll_s"]))
        self.desk.append(task)
        self.simgrid.this_actor.yield_()
        first = min(self.desk, key=self.runtime.rank.__getitem__)
        self.desk.remove(first)
        self.engine_s = max(self.engine_s, self.simgrid.Engine.clock) + settings["submit_s"]
        up_s = self.plan["hosts"][self.runtime.machine[first]]["up_s"]
        self._sleep_until(max(_after(self.engine_s, settings["cycle_s"]), up_s))
        self.runtime.let_start(first)
        self._go_on()

    def _sleep_until(self, when: float) -> None:
        self._sleep(when - self.simgrid.Engine.clock)

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
            self._compute(described, self.runtime.slow[task])
        self.end_s[task] = self.simgrid.Engine.clock
        self.done.append(task)
        self.on_end()
        self.runtime.ended(task)
        free_s = _after(self.end_s[task], self.plan["runtime"]["reclaim_s"])
        if free_s > self.end_s[task]:
            self._go_on()
            self._sleep_until(free_s)
        self.runtime.freed(task)
        self._go_on()

    def _compute(self, described: Plan, slow: float) -> None:
        """Compute on as many cores as the task holds."""
        self._tell(described["machine"], described["cores"])
        flops = described["seconds"] * slow * HOST_SPEED
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


def _after(now: float, period_s: float) -> float:
    """The first multiple of a period from now on, but for rounding."""
    return period_s * math.ceil(now / period_s - 1e-9) if period_s > 0 else now


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
