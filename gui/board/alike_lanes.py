"""Idle machines that are alike share one lane, which opens: a site of 1,528 nodes is a few lanes.

Nothing is lost by it: a task dropped there runs on the first of them, as it would on any other.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields

import numpy as np

from gui.board.overlay_badges import overlays_here
from gui.document.document import Outcome
from machines import Link, Machine
from machines.arrays import Ints

LEAST = 6  # fewer have a lane each
_NAMES = ("name", "first", "second")


def stands_for(outcome: Outcome) -> Ints:
    """How many machines the lane of each one stands for: 0 where another lane shows it.

    Shape (machines,). A lane stands for several where none of them has a task, a file, or an
    overlay, and they differ in their names alone: same figures, same links to the same places, same
    tasks that may run there.
    """
    platform, workload = outcome.project.platform, outcome.project.workload
    shown = np.ones(len(platform.machines), dtype=np.int64)
    named = {one.at for one in workload.files}
    busy = set(outcome.prediction.plan.allocation)
    if len(platform.machines) - len(busy) < LEAST:
        return shown
    busy |= {at for at, overlays in enumerate(overlays_here(outcome)) if overlays}
    links: dict[str, list[Hashable]] = {}
    for link in platform.links:
        for end, other in ((link.first, link.second), (link.second, link.first)):
            links.setdefault(end, []).append((end == link.first, other, _figures(link)))
    columns = np.ascontiguousarray(outcome.costs.task_s.T)
    kinds: dict[Hashable, list[int]] = {}
    for position, machine in enumerate(platform.machines):
        if position not in busy and machine.name not in named:
            ways = tuple(links.get(machine.name, ()))
            kind = (_figures(machine), ways, columns[position].tobytes())
            kinds.setdefault(kind, []).append(position)
    for alike in kinds.values():
        if len(alike) >= LEAST:
            shown[alike] = 0
            shown[alike[0]] = len(alike)
    return shown


def _figures(of: Machine | Link) -> Hashable:
    """Everything but names."""
    return tuple(getattr(of, one.name) for one in fields(of) if one.name not in _NAMES)
