"""Regions of one fan-out in a map, and the room for a number in each of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from machines.arrays import Flags, Ints


class Room(NamedTuple):
    """A rectangle of cells inside a region: what is written there, and where."""

    value: int
    top: int
    left: int
    rows: int
    columns: int


def rooms(values: Ints) -> tuple[Room, ...]:
    """One rectangle for each connected region of equal values: round its longest row."""
    seen = np.zeros(values.shape, dtype=np.bool_)
    found = []
    for cell in np.ndindex(*values.shape):
        if not seen[cell]:
            region = _region(values, cell)
            seen |= region
            found.append(_room(region, int(values[cell])))
    return tuple(found)


def _region(values: Ints, start: tuple[int, ...]) -> Flags:
    """The cells that hang together with one."""
    region = np.zeros(values.shape, dtype=np.bool_)
    region[start] = True
    waiting = [start]
    while waiting:
        row, column = waiting.pop()
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= near[0] < values.shape[0] and 0 <= near[1] < values.shape[1]
            if inside and not region[near] and values[near] == values[start]:
                region[near] = True
                waiting.append(near)
    return region


def _room(region: Flags, value: int) -> Room:
    """The longest run of a row, and as many rows as go along with all of it."""
    longest = (0, 0, 0)  # cells, minus the row, left
    for row, line in enumerate(region):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
        for left, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            longest = max(longest, (end - left, -row, left))
    columns, row, left = longest[0], -longest[1], longest[2]
    filled = np.logical_and.reduce(region[:, left : left + columns], axis=1).tolist()
    top = bottom = row
    while top > 0 and filled[top - 1]:
        top -= 1
    while bottom < len(filled) - 1 and filled[bottom + 1]:
        bottom += 1
    return Room(value, top, left, bottom - top + 1, columns)
