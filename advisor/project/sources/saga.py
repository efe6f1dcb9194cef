"""Problem instances of SAGA, a library of schedulers: a task graph and a network in JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from advisor.project.sources.source import Graph, Source, Step, Steps, plain, quantity
from machines import Direction, InputError, Link, Machine, Platform

_GRAPH = re.compile(rb'"task_graph"\s*:')
_NETWORK = re.compile(rb'"network"\s*:')


def _read(text: str, where: str) -> Graph:
    try:
        source = json.loads(text)
        graph, network = source["task_graph"], source["network"]
        steps = Steps()
        for one in graph["tasks"]:
            name = str(one["name"])
            steps.step(name, Step(name, quantity(one["cost"], "cost", where)), where)
        for one in graph["dependencies"]:
            size = quantity(one["size"], "size", where)
            steps.edge(str(one["source"]), str(one["target"]), size, where)
        platform = _platform(network, where)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"not an instance with task_graph and network: {error!r}",
                         where=where) from None  # fmt: skip
    note = "Costs are taken as seconds at speed 1, sizes as bytes, speeds of edges as bytes/s"
    found = steps.graph(str(source.get("name") or "instance"), where, [note])
    return found._replace(platform=platform)


def _platform(network: Any, where: str) -> Platform:
    machines = tuple(
        Machine(plain(str(one["name"])), speed=quantity(one["speed"], "speed", where))
        for one in network["nodes"]
    )
    links: dict[frozenset[str], Link] = {}
    for one in network["edges"]:
        ends = plain(str(one["source"])), plain(str(one["target"]))
        if ends[0] == ends[1]:
            continue
        # null: without limit
        speed = _NO_LIMIT if one["speed"] is None else quantity(one["speed"], "speed", where)
        way = Direction(0.0, speed)
        links.setdefault(frozenset(ends), Link(*ends, way, way))
    return Platform("network of the instance", machines, tuple(links.values()))


_NO_LIMIT = 1e18  # bytes/s

SOURCE = Source(
    "saga",
    "SAGA instance",
    (".json",),
    lambda head: bool(_GRAPH.search(head) and _NETWORK.search(head)),
    _read,
    machines=True,
)
