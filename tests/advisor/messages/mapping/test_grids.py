"""Grids are recognised by who talks to whom, whatever the processes are called."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.grids import Grid, grid_of
from advisor.messages.mapping.process_communication import Communication, communication


def renamed(given: Communication, seed: int) -> Communication:
    """The same communication under other numbers."""
    names = np.random.default_rng(seed).permutation(given.processes)
    sources, targets = names[given.sources], names[given.targets]
    return communication("renamed", given.processes, sources, targets, given.size_bytes)


def apart(grid: Grid, one: int, other: int) -> int:
    """Steps between two processes, along rings the shorter way."""
    steps = np.abs(grid.points[one] - grid.points[other])
    return int(np.minimum(steps, np.array(grid.sizes) - steps).sum())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("sizes", "wrap"),
    [
        ((12,), False),
        ((7, 5), False),
        ((4, 3, 5), False),
        ((12,), True),
        ((6, 8), True),
        ((5, 6, 7), True),
    ],
)
def test_a_renamed_grid_is_found(sizes: tuple[int, ...], wrap: bool, seed: int) -> None:
    given = patterns.stencil(sizes, wrap=wrap) if len(sizes) > 1 else patterns.ring(12)
    if len(sizes) == 1 and not wrap:
        given = patterns.stripes(12)
    talk = renamed(given, seed)
    grid = grid_of(talk)
    assert grid is not None
    assert sorted(grid.sizes) == sorted(sizes)
    assert len({tuple(point) for point in grid.points.tolist()}) == talk.processes
    assert all(apart(grid, *pair) == 1 for pair in zip(talk.sources, talk.targets, strict=True))


@pytest.mark.parametrize(
    "given",
    [
        patterns.random_messages(30, 90),
        patterns.all_to_all(9),
        patterns.transpose(5, 5),
        communication("star", 5, [0, 0, 0, 0], [1, 2, 3, 4], 8.0),
        communication("two pairs", 4, [0, 2], [1, 3], 8.0),
        communication("idle", 4, [0, 1], [1, 2], 8.0),
    ],
    ids=lambda one: one.name,
)
def test_what_is_no_grid_is_called_none(given: Communication) -> None:
    assert grid_of(given) is None


def test_a_grid_with_one_more_flow_is_none() -> None:
    given = patterns.stencil((6, 6))
    sources, targets = np.append(given.sources, 0), np.append(given.targets, 21)
    assert grid_of(communication("chord", 36, sources, targets, 8.0)) is None
