"""A plan and its platform as what SimGrid simulates: the XML platform and the plan's document.

The document is plain JSON: hosts, tasks with their dedicated seconds where the plan puts them,
items with the bytes that move, the order of the tasks, and the runtime's rules. What SimGrid does
not simulate by itself enters as numbers, and a note says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from advisor.allocation.feasibility import check_feasible
from advisor.allocation.outputs import staying_items
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import count, size
from advisor.export.simgrid.platform_xml import XmlPlatform, render, xml_platform
from advisor.models.contention import PacedContender, link_slowdown, machine_slowdown
from machines import InputError, Machine, Platform
from machines.checks import LARGEST
from machines.parameters import slowed_by
from machines.resources import by_speed
from machines.routes import Route, routes
from machines.runtime import ENGINE_TIMES, RTT
from machines.sharing import inner_bandwidth, inner_startup_s

FORMAT = "placewise-simulation"
VERSION = 1
_SAME = 1e-12  # relative: what differs by rounding alone is not stated twice

DataSets = Sequence[tuple[float, float]]
Document = dict[str, Any]


@dataclass(frozen=True)
class Simulated:
    """What is handed to SimGrid.

    Attributes
    ----------
    platform : str
        XML text.
    plan : dict
        JSON document.
    notes : tuple of str
        What SimGrid is told and does not check by itself, in sentences.
    """

    platform: str
    plan: Document
    notes: tuple[str, ...]


def simulated(problem: Problem, plan: Plan) -> Simulated:
    """Platform and plan as SimGrid takes them.

    Parameters
    ----------
    problem : Problem
    plan : Plan
        Made for it.

    Raises
    ------
    InputError, InfeasibleError
        The plan is none for this problem, or can't run; tasks share memory bandwidth.
    """
    check_feasible(problem, plan)
    if problem.executed.draws.size:
        remedy = "Leave memory_bandwidth out to check the rest"
        raise InputError("SimGrid does not simulate memory bandwidth", where="platform",
                         remedy=remedy)  # fmt: skip
    problem = problem.settled(plan)
    platform = problem.loaded
    hosts = [_host(machine, problem.reading) for machine in platform.machines]
    speeds = [host["speeds"] or [1.0] for host in hosts]
    xml = xml_platform(platform, problem.reading, speeds)
    hosts += [
        {"name": store.name, "cores": 1, "contenders": 0, "speeds": [], "groups": [], "up_s": 0.0}
        for store in platform.stores
    ]
    items, notes = _Items(problem, plan, xml).found()
    document = {
        "format": FORMAT,
        "version": VERSION,
        "name": problem.workload.name,
        "runtime": {
            "fetch": platform.runtime.fetch,
            "copies": platform.runtime.copies,
            "task_overhead_s": platform.runtime.task_overhead_s,
            **{name: getattr(platform.runtime, name) for name in ENGINE_TIMES},
            "order": platform.runtime.order,
            "fairness": platform.runtime.fairness,
        },
        "hosts": [{**host, "host": name} for host, name in zip(hosts, xml.hosts, strict=True)],
        "room": [one if np.isfinite(one) else None for one in problem.costs.needs.room.tolist()],
        "kept": _kept(problem, plan),
        "tasks": _tasks(problem, plan),
        "sequence": placement(replace(problem, sharing=FAIR), plan)[1].tolist(),
        "items": items,
        "lifted": _lifted(platform, xml),
    }
    return Simulated(render(xml), document, (*_host_notes(platform.machines, hosts), *notes))


def _lifted(platform: Platform, xml: XmlPlatform) -> list[str]:
    """Names of the links whose limit every transfer carries itself.

    A full FATPIPE link stops all that cross it in SimGrid (3.32), those of less weight below its
    bandwidth: where weights differ, it is not left to it.
    """
    unlike = platform.runtime.fairness == RTT
    return [link.name for link in xml.links if unlike and not link.shared]


def _host(machine: Machine, reading: str) -> Document:
    """CPU-bound contenders run beside the tasks; other ones enter as the machine's speeds."""
    endless = all(
        one.compute >= 1.0 and not isinstance(one, PacedContender) for one in machine.contenders
    )
    speeds: list[float] = []
    if machine.slowdown is not None or not endless or slowed_by(machine):
        owns = range(1, machine.cores + 1)
        speeds = [1.0 / machine_slowdown(machine, own, reading).value for own in owns]
    contenders = 0 if speeds else len(machine.contenders)
    return {
        "name": machine.name, "cores": machine.cores, "contenders": contenders, "speeds": speeds,
        "groups": [[count, speed] for count, speed in by_speed(machine.core_groups)],
        "up_s": machine.up_s or 0.0,
    }  # fmt: skip


def _host_notes(machines: Sequence[Machine], hosts: Sequence[Document]) -> list[str]:
    told = [machine.name for machine, host in zip(machines, hosts, strict=False) if host["speeds"]]
    if not told:
        return []
    names = ", ".join(told[:4]) + (", …" if len(told) > 4 else "")
    return [
        f"SimGrid takes the speed of tasks on {names} from the contention model; it checks the rest"
    ]


def _tasks(problem: Problem, plan: Plan) -> list[Document]:
    """Name, machine, cores, dedicated seconds there, and the tasks that must have ended."""
    workload, costs, needs = problem.workload, problem.costs, problem.costs.needs
    stay = np.zeros(len(workload.tasks))
    for one in _kept(problem, plan):
        stay[one["writer"]] += one["bytes"]
    after: list[set[int]] = [set() for _ in workload.tasks]
    for source, target in workload.ends():
        after[target].add(source)
    return [
        {
            "name": task.name,
            "machine": machine,
            "cores": task.cores,
            "seconds": float(costs.task_dedicated_s[place, machine]),
            "after": sorted(after[place]),
            "held": [
                [int(needs.place[kind, machine]), amount]
                for kind, own in enumerate(needs.amount[place].tolist())
                if (amount := own if kind else max(own, float(stay[place])))
                and np.isfinite(needs.room[needs.place[kind, machine]])
            ],
        }
        for place, (task, machine) in enumerate(zip(workload.tasks, plan.allocation, strict=True))
    ]


def _kept(problem: Problem, plan: Plan) -> list[Document]:
    """What stays in memory: its room and bytes, and who makes and reads it there."""
    needs, allocation = problem.costs.needs, np.array(plan.allocation, np.int32)
    return [
        {"room": int(needs.place[0, on]), "bytes": float(needs.kept.size[item]),
         "writer": int(needs.kept.writer[item]), "readers": readers.tolist()}
        for item, on, readers in staying_items(needs.kept, allocation)
        if np.isfinite(needs.room[needs.place[0, on]])
    ]  # fmt: skip


class _Items:
    """What moves between the machines of a plan."""

    def __init__(self, problem: Problem, plan: Plan, xml: XmlPlatform) -> None:
        self._problem, self._machine, self._xml = problem, plan.allocation, xml
        switches = problem.loaded.switches
        self._switch_s = {one.name: 1.0 / one.bandwidth for one in switches if one.bandwidth}
        self._unlike = problem.loaded.runtime.fairness == RTT
        self._routes, self._quick = routes(problem.loaded), False
        links = problem.loaded.links
        self._slowdowns = [
            link_slowdown(problem.loaded, link, problem.reading).value for link in links
        ]

    def found(self) -> tuple[list[Document], list[str]]:
        """The items, and what to say of them."""
        notes: list[str] = []
        items = [*self._flows(), *self._files(notes)]
        parts = sum(not float(one["bytes"]).is_integer() for one in items)
        if parts:
            is_rounded = "size is rounded" if parts == 1 else "sizes are rounded"
            notes.append(f"SimGrid moves whole bytes: {parts:,} {is_rounded}")
        stated = sum(any("seconds" in way for way in one["ways"].values()) for one in items)
        if self._unlike and self._quick:
            notes.append(
                "Messages that start up faster than their route's short ones, or on a route "
                "without startup, move by SimGrid's own weights"
            )
        if stated:
            take = "flow takes its" if stated == 1 else "flows take their"
            notes.append(f"{stated:,} {take} stated seconds in SimGrid, too, and no link's share")
        return items, notes

    def _flows(self) -> list[Document]:
        """Stated flows that carry data, or take stated seconds."""
        workload, costs = self._problem.workload, self._problem.costs.flows
        found = []
        for place, flow in enumerate(workload.flows):
            source, target = int(workload.sources[place]), int(workload.targets[place])
            p, q = self._machine[source], self._machine[target]
            ways: Document = {}
            if flow.seconds:
                ways = {str(q): {"seconds": float(costs.tables[costs.table[place], p, q])}}
            elif flow.size_bytes <= 0:
                continue
            elif p != q:
                ways = self._ways(p, [q], flow.data_sets)
            found.append(
                {"name": flow.name, "bytes": flow.size_bytes, "host": p, "writer": source,
                 "readers": [target], "ways": ways}
            )  # fmt: skip
        return found

    def _files(self, notes: list[str]) -> list[Document]:
        """Files that hold data and that some task reads."""
        workload = self._problem.workload
        found, nowhere = [], []
        for place, file in enumerate(workload.files):
            readers, writer = workload.use.readers[place], int(workload.use.writer[place])
            if not readers or file.size_bytes <= 0:
                continue
            host = self._home(file.at) if writer < 0 else self._machine[writer]
            if host is None:
                nowhere.append(file.size_bytes)
                continue
            targets = sorted({self._machine[reader] for reader in readers} - {host})
            ways = self._ways(host, targets, ((1, file.size_bytes),))
            found.append(
                {"name": file.name, "bytes": file.size_bytes, "host": host,
                 "writer": None if writer < 0 else writer, "readers": list(readers), "ways": ways}
            )  # fmt: skip
        if nowhere:
            files = count(len(nowhere), "outside file")
            where = "lies nowhere and costs" if len(nowhere) == 1 else "lie nowhere and cost"
            notes.append(f"{files} of {size(sum(nowhere))} {where} nothing: at is not stated")
        return found

    def _home(self, at: str | None) -> int | None:
        """The host where an outside file lies: where it says, else the only store."""
        platform = self._problem.loaded
        if at is not None:
            return platform.host_index[at]
        return len(platform.machines) if len(platform.stores) == 1 else None

    def _ways(self, host: int, targets: Sequence[int], data_sets: DataSets) -> Document:
        """By target: startups and rate, where they are not those of the XML's route."""
        found: Document = {}
        for target in targets:
            pair = host, target
            delay_s, rate = self._alone(self._routes[pair], data_sets)
            way: Document = {}
            latency_s = self._xml.latency_s(pair)
            self._quick |= latency_s <= 0 or delay_s < latency_s * (1.0 - _SAME)
            if abs(delay_s - latency_s) > _SAME * latency_s:
                way["delay_s"] = delay_s
            narrowest, shared = self._xml.narrowest(pair), self._xml.narrowest(pair, shared=True)
            if self._unlike and narrowest < shared:
                way["rate"] = min(rate, narrowest)
            elif rate < narrowest * (1.0 - _SAME):
                way["rate"] = rate
            if way:
                found[str(target)] = way
        return found

    def _alone(self, route: Route, data_sets: DataSets) -> tuple[float, float]:
        """(startups of all messages, bytes/s at their narrowest places) of one transfer alone."""
        platform = self._problem.loaded
        through = (self._switch_s.get(hop.ends(platform)[1], 0.0) for hop in route)
        switch_s = max(through, default=0.0)
        ends = (route[0].ends(platform)[0], route[-1].ends(platform)[1])
        inside = [platform.machines[platform.index[end]] for end in ends if end in platform.index]
        inner_s = sum(inner_startup_s(machine) for machine in inside)
        per_byte = (1.0 / (inner_bandwidth(one) or LARGEST) for one in inside)
        switch_s = max(switch_s, *per_byte, 0.0)
        delay_s = seconds = 0.0
        size_bytes = sum(messages * each for messages, each in data_sets)
        for messages, each in data_sets:
            ways = [(hop.direction(platform).at(each), self._slowdowns[hop.link]) for hop in route]
            startups_s = sum(startup_s * slow for (startup_s, _), slow in ways)
            delay_s += messages * (startups_s + inner_s)
            per_byte_s = max(slow / bandwidth for (_, bandwidth), slow in ways)
            seconds += messages * each * max(per_byte_s, switch_s)
        return delay_s, size_bytes / seconds if seconds > 0 else float("inf")
