"""Task graphs that papers print with the makespans of list schedulers on them."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from machines import Direction, Link, Machine, Platform


def published(seconds: str, edges: str = "") -> Problem:
    """Machines P1, P2, … joined at 1 byte/s without startup; tasks t1, t2, …

    `seconds`: a row of every task, `-` where it may not run; `edges`: source, target, bytes.
    """
    rows = [row.split() for row in seconds.split(",")]
    names = [f"P{q + 1}" for q in range(len(rows[0]))]
    way = Direction(0.0, 1.0)
    platform = Platform(
        "published",
        tuple(Machine(name) for name in names),
        tuple(Link(a, b, way, way) for i, a in enumerate(names) for b in names[:i]),
    )
    tasks = tuple(
        Task(
            f"t{i + 1}",
            seconds=tuple((name, float(s)) for name, s in zip(names, row, strict=True) if s != "-"),
        )
        for i, row in enumerate(rows)
    )
    flows = tuple(
        Flow(f"t{a}", f"t{b}", ((1, float(size)),))
        for a, b, size in (edge.split() for edge in edges.split(",") if edge)
    )
    return Problem.of(platform, Workload("published", tasks, flows), sharing=NONE)


TOPCUOGLU = published(
    "14 16 9, 13 19 18, 11 13 19, 13 8 17, 12 13 10, 13 16 9, 7 15 11, 5 11 14, 18 12 20, 21 7 16",
    "1 2 18, 1 3 12, 1 4 9, 1 5 11, 1 6 14, 2 8 19, 2 9 16, 3 7 23, 4 8 27, 4 9 23, 5 9 13, 6 8 15,"
    " 7 10 17, 8 10 11, 9 10 13",
)
"""Topcuoglu, Hariri & Wu 2002."""
ARABNEJAD = published(
    "22 21 36, 22 18 18, 32 27 43, 7 10 4, 29 27 35, 26 17 24, 14 25 30, 29 23 36, 15 21 8,"
    " 13 16 33",
    "1 2 17, 1 3 31, 1 4 29, 1 5 13, 1 6 7, 2 8 3, 2 9 30, 3 7 16, 4 8 11, 4 9 7, 5 9 57, 6 8 5,"
    " 7 10 9, 8 10 42, 9 10 7",
)
"""Arabnejad & Barbosa 2014."""
