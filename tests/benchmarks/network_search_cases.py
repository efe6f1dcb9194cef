"""Twenty cases whose plans the network decides: workflows of the corpus, and small generated ones.

Each on a bus, a star or two stars joined by a backbone, at 1 Gb/s or 100 Mb/s. Nothing is copied
from the corpus: its files are named by their paths.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.wfformat.wfformat_reader import workload_from
from machines import Direction, Link, Machine, Platform
from machines.platform import Store, Switch

GIGABIT, FAST = 125e6, 12.5e6  # bytes/s
_STARTUP_S = 1e-4
_SPEEDS = (1.0, 1.0, 1.5, 2.0, 1.0, 1.5, 2.0, 3.0)

CORPUS = (
    ("blast-chameleon-medium-001", "star", GIGABIT),
    ("montage-chameleon-2mass-005d-001", "bus", FAST),
    ("montage-chameleon-2mass-05d-001", "backbone", GIGABIT),
    ("montage-chameleon-dss-075d-001", "star", FAST),
    ("1000genome-chameleon-2ch-100k-001", "bus", GIGABIT),
    ("1000genome-chameleon-22ch-250k-001", "star", FAST),
    ("epigenomics-chameleon-hep-1seq-100k-001", "bus", FAST),
    ("bacass-dirt02-001", "backbone", FAST),
    ("rnaseq-dirt02-001", "star", GIGABIT),
    ("sarek-dirt02-001", "backbone", FAST),
    ("seismology-chameleon-1100p-001", "bus", FAST),
    ("soykb-chameleon-10fastq-10ch-001", "backbone", GIGABIT),
)
GENERATED = (
    ("fork-join", "bus", FAST),
    ("butterfly", "star", FAST),
    ("wavefront", "bus", GIGABIT),
    ("layers", "backbone", GIGABIT),
    ("in-tree", "star", GIGABIT),
    ("out-tree", "bus", FAST),
    ("elimination", "backbone", FAST),
    ("exchange", "star", GIGABIT),
)


def cases(corpus: Path) -> Iterator[tuple[str, Problem]]:
    """(name, problem) of every case; without the corpus, the generated ones."""
    for stem, kind, bandwidth in CORPUS:
        file = corpus / f"{stem}.json"
        if file.is_file():
            workload = workload_from(json.loads(file.read_text(encoding="utf-8"))).workload
            yield _named(stem.split("-001")[0], workload, kind, bandwidth, cores=4)
    for name, kind, bandwidth in GENERATED:
        yield _named(name, generated(name, bandwidth), kind, bandwidth, cores=1)


def _named(
    name: str, workload: Workload, kind: str, bandwidth: float, cores: int
) -> tuple[str, Problem]:
    most = max((task.cores for task in workload.tasks), default=1)
    made = platform(kind, bandwidth, 8 if cores > 1 else 4, max(cores, most))
    speed = "1 Gb/s" if bandwidth == GIGABIT else "100 Mb/s"
    return f"{name}, {kind} {speed}", Problem.of(made, workload)


def platform(kind: str, bandwidth: float, count: int, cores: int) -> Platform:
    """Machines of several speeds and a store on one network."""
    speeds = [_SPEEDS[i % len(_SPEEDS)] for i in range(count)]
    machines = tuple(Machine(f"m{i}", cores=cores, speed=speeds[i]) for i in range(count))
    way = Direction(_STARTUP_S, bandwidth)
    names = [*(one.name for one in machines), "store"]
    stores = (Store("store"),)
    if kind == "backbone":
        switches = (Switch("left"), Switch("right"))
        links = [Link(one, "left" if i % 2 else "right", way, way) for i, one in enumerate(names)]
        links.append(Link("left", "right", way, way, sharing="shared"))
    else:
        switches = (Switch("bus", bandwidth if kind == "bus" else None),)
        links = [Link(one, "bus", way, way) for one in names]
    return Platform(kind, machines, tuple(links), switches=switches, stores=stores)


def generated(name: str, bandwidth: float) -> Workload:
    """A small workload whose transfers take about as long as its tasks."""
    rng = random.Random(name)
    edges = _EDGES[name](rng)
    count = 1 + max(max(pair) for pair in edges)
    tasks = tuple(Task(f"t{i}", work=round(rng.uniform(2.0, 20.0), 3)) for i in range(count))
    flows = tuple(
        Flow(f"t{a}", f"t{b}", ((1, round(rng.uniform(2.0, 10.0) * bandwidth)),)) for a, b in edges
    )
    return Workload(name, tasks, flows)


def _fork_join(_: random.Random) -> list[tuple[int, int]]:
    return [pair for i in range(1, 13) for pair in ((0, i), (i, 13))]


def _butterfly(_: random.Random) -> list[tuple[int, int]]:
    wide = 8
    return [
        (level * wide + i, (level + 1) * wide + j)
        for level in range(3)
        for i in range(wide)
        for j in (i, i ^ (1 << level))
    ]


def _wavefront(_: random.Random) -> list[tuple[int, int]]:
    side = 5
    right = [(r * side + c, r * side + c + 1) for r in range(side) for c in range(side - 1)]
    down = [(r * side + c, (r + 1) * side + c) for r in range(side - 1) for c in range(side)]
    return right + down


def _layers(rng: random.Random) -> list[tuple[int, int]]:
    wide, found = 6, set()
    for level in range(4):
        for i in range(wide):
            for j in rng.sample(range(wide), 2):
                found.add((level * wide + j, (level + 1) * wide + i))
    return sorted(found)


def _in_tree(_: random.Random) -> list[tuple[int, int]]:
    return [(i, 16 + i // 2) for i in range(16)] + [(16 + i, 24 + i // 2) for i in range(14)]


def _out_tree(_: random.Random) -> list[tuple[int, int]]:
    return [((i - 1) // 3, i) for i in range(1, 40)]


def _elimination(_: random.Random) -> list[tuple[int, int]]:
    size, found, place = 6, [], {}
    for k in range(size - 1):
        for j in range(k, size):
            place[k, j] = len(place)
    for k in range(size - 1):
        for j in range(k + 1, size):
            found.append((place[k, k], place[k, j]))
            if (k + 1, j) in place:
                found.append((place[k, j], place[k + 1, j]))
    return found


def _exchange(_: random.Random) -> list[tuple[int, int]]:
    wide = 5
    return [
        (level * wide + i, (level + 1) * wide + j)
        for level in range(3)
        for i in range(wide)
        for j in range(wide)
    ]


_EDGES = {
    "fork-join": _fork_join,
    "butterfly": _butterfly,
    "wavefront": _wavefront,
    "layers": _layers,
    "in-tree": _in_tree,
    "out-tree": _out_tree,
    "elimination": _elimination,
    "exchange": _exchange,
}
