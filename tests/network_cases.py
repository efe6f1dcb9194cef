"""The plans that SimGrid simulated (`network_cases.json` here) as platforms and workloads.

Contenders compute all the time; a machine's tasks take the stated seconds; the plan's order is the
executed one. `makespan_s` and `end_s` are what SimGrid 3.32 gave.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan, from_names
from advisor.allocation.workload import Flow, Task, Workload
from machines import Contender, Direction, Link, Machine, Platform, Runtime, Store, Switch

FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, eq=False)
class Case:
    """One plan, and what SimGrid made of it.

    Attributes
    ----------
    kind, what : str
        Of its network and of what its tasks do, as the file names them.
    end_s : tuple of float
        End of every task, in the workload's order.
    """

    name: str
    kind: str
    what: str
    platform: Platform
    workload: Workload
    plan: Plan
    makespan_s: float
    end_s: tuple[float, ...]


@cache
def cases() -> tuple[Case, ...]:
    """All of them."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(_case(entry) for entry in document["cases"])


def spread(number: int) -> tuple[Case, ...]:
    """So many of them, spread evenly over all kinds."""
    found = cases()
    return tuple(found[place * len(found) // number] for place in range(number))


def _case(entry: Mapping[str, Any]) -> Case:
    platform, workload = _platform(entry), _workload(entry)
    return Case(
        entry["id"],
        entry["kind"],
        entry["what"],
        platform,
        workload,
        from_names(entry["allocation"], workload, platform, entry["order"]),
        entry["makespan_s"],
        tuple(entry["end_s"][task.name] for task in workload.tasks),
    )


def _platform(entry: Mapping[str, Any]) -> Platform:
    machines = tuple(
        Machine(
            one["name"],
            one["cores"],
            contenders=tuple(Contender(f"busy {k}", 1.0) for k in range(one["contenders"])),
        )
        for one in entry["machines"]
    )
    runtime = Runtime(entry["fetch"], entry["copies"], entry["task_overhead_s"])
    return Platform(
        entry["id"],
        machines,
        tuple(_link(one) for one in entry["links"]),
        switches=tuple(Switch(one["name"], one.get("bandwidth")) for one in entry["switches"]),
        stores=tuple(Store(name) for name in entry["stores"]),
        runtime=runtime,
    )


def _link(entry: Mapping[str, Any]) -> Link:
    way = Direction(entry["startup_s"], entry["bandwidth"])
    return Link(*entry["between"], way, way, sharing=entry["sharing"])


def _workload(entry: Mapping[str, Any]) -> Workload:
    tasks = tuple(
        Task(
            one["name"],
            seconds=tuple(one["seconds"].items()),
            reads=tuple(one.get("reads", ())),
            writes=tuple(one.get("writes", ())),
        )
        for one in entry["tasks"]
    )
    flows = tuple(
        Flow(one["from"], one["to"], ((1, float(one["bytes"])),) if one["bytes"] else ())
        for one in entry.get("flows", ())
    )
    files = tuple(
        DataFile(one["name"], one["bytes"], one.get("at")) for one in entry.get("files", ())
    )
    return Workload(entry["id"], tasks, flows, files)
