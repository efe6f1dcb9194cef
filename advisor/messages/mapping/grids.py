"""Communications that are grids, whatever their processes are called: chains, meshes, tori.

A regular program on a regular network has mappings that no search finds, because all processes have
to agree on them. So grids are recognised by their shape alone: from a corner, or from anywhere on
a torus, the processes along each axis are followed, and every other one is the only common
neighbour that is left of those before it. Weights do not count.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass

import numpy as np

from advisor.messages.mapping.process_communication import Communication
from machines.arrays import Ints

_LEAST_RING = 5  # shorter rings can't be told from other squares
_MOST_AXES = 3

Neighbours = list[set[int]]
Point = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """A communication as a grid."""

    sizes: tuple[int, ...]  # processes along each axis, each > 1
    points: Ints  # shape (processes, axes); where each process is


def grid_of(communication: Communication) -> Grid | None:
    """The grid that a communication is; ``None``: it is none, or one of more than three axes."""
    if np.bincount(communication.sources, minlength=1).max() > 2 * _MOST_AXES:
        return None  # at once: sets of millions of neighbours take long to make and to free
    around: Neighbours = [set() for _ in range(communication.processes)]
    for source, target in zip(
        communication.sources.tolist(), communication.targets.tolist(), strict=True
    ):
        around[source].add(target)
        around[target].add(source)
    least = min(map(len, around))
    if least == 0:
        return None
    degree = max(map(len, around))
    first = min(range(len(around)), key=lambda process: len(around[process]))
    ring = degree == least and degree % 2 == 0 and degree <= 2 * _MOST_AXES
    axes = _ring_axes(around, first) if ring else _open_axes(around, first)
    return None if axes is None else _filled(around, axes)


def _open_axes(around: Neighbours, corner: int) -> list[list[int]] | None:
    """The processes along each axis from a corner of a mesh."""
    if len(around[corner]) > _MOST_AXES:
        return None
    far = _distances(around, corner)
    ahead = {side: _distances(around, side) for side in sorted(around[corner])}
    axes = []
    for side, near in ahead.items():
        axis = [corner, side]
        while True:
            # still on the axis: nearer to this side's process, to no other one's
            following = [
                other
                for other in around[axis[-1]]
                if far[other] == len(axis)
                and near[other] == far[other] - 1
                and all(ahead[one][other] == far[other] + 1 for one in ahead if one != side)
            ]
            if len(following) != 1:
                break
            axis.append(following[0])
        axes.append(axis)
    return axes


def _ring_axes(around: Neighbours, start: int) -> list[list[int]] | None:
    """The processes along each axis of a torus: straight on is where no square leads."""
    sides = sorted(around[start])
    axes, taken = [], set[int]()
    for side in sides:
        if side in taken:
            continue
        axis = [start, side]
        while True:
            straight = [
                other
                for other in around[axis[-1]]
                if other != axis[-2] and len(around[other] & around[axis[-2]]) == 1
            ]
            if len(straight) != 1 or len(axis) > len(around):
                return None
            if straight[0] == start:
                break
            axis.append(straight[0])
        if len(axis) < _LEAST_RING:
            return None
        taken |= {axis[1], axis[-1]}
        axes.append(axis)
    return axes


def _filled(around: Neighbours, axes: list[list[int]]) -> Grid | None:
    """Every point of the grid from those before it; ``None`` where one does not fit."""
    sizes = tuple(map(len, axes))
    if int(np.prod(sizes)) != len(around):
        return None
    at: dict[Point, int] = {}
    for place, axis in enumerate(axes):
        for step, process in enumerate(axis):
            at[tuple(step if place == other else 0 for other in range(len(sizes)))] = process
    for point in itertools.product(*map(range, sizes)):
        if point in at:
            continue
        before = [
            at[(*point[:axis], step - 1, *point[axis + 1 :])]
            for axis, step in enumerate(point)
            if step
        ]
        corner = at[tuple(max(step - 1, 0) for step in point)]
        common = set.intersection(*(around[process] for process in before)) - {corner}
        fresh = common - set(at.values()) if len(common) > 1 else common
        if len(fresh) != 1:
            return None
        at[point] = fresh.pop()
    if len(set(at.values())) != len(around):
        return None
    points = np.zeros((len(around), len(sizes)), np.int64)
    for point, process in at.items():
        points[process] = point
    return Grid(sizes, points) if _is_grid(around, sizes, points) else None


def _is_grid(around: Neighbours, sizes: tuple[int, ...], points: Ints) -> bool:
    """Whether all that talk are neighbours on the grid, or at both ends of one of its rings."""
    for process, others in enumerate(around):
        for other in others:
            apart = np.abs(points[process] - points[other])
            apart = np.minimum(apart, np.array(sizes) - apart)
            if apart.sum() != 1:
                return False
    return True


def _distances(around: Neighbours, start: int) -> list[int]:
    """Steps from `start` to every process; −1 where there is no way."""
    steps = [-1] * len(around)
    steps[start] = 0
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for other in around[here]:
            if steps[other] < 0:
                steps[other] = steps[here] + 1
                waiting.append(other)
    return steps
