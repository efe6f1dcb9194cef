"""The communication of common programs: rings, stencils, transposes and so on.

Every function gives a `Communication`; a flow is one message of `size_bytes` but where said.
Processes of a grid are numbered as nodes of a mesh: first dimension fastest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from advisor.messages.mapping.process_communication import (
    Communication,
    communication,
    expect_flows,
)
from machines.checks import number, whole
from machines.errors import InputError


def ring(processes: int, size_bytes: float = 1024.0) -> Communication:
    """Process i sends to i + 1, the last one to the first."""
    number("bytes", size_bytes, above=True, where="ring")
    every = np.arange(_several("ring", processes))
    return communication("ring", processes, every, (every + 1) % processes, size_bytes)


def stripes(processes: int, size_bytes: float = 1024.0, messages: int = 1) -> Communication:
    """The stripes of a Diamond DAG: i sends `messages` block edges of `size_bytes` to i + 1.

    Moritz & Frank 2001, sec. 5.2; one message for each of the b blocks of a stripe.
    """
    number("bytes", size_bytes, above=True, where="diamond")
    whole("messages", messages, low=1, where="diamond")
    first = np.arange(_several("diamond", processes) - 1)
    return communication("diamond", processes, first, first + 1, size_bytes * messages, messages)


def stencil(dims: Sequence[int], size_bytes: float = 1024.0, wrap: bool = False) -> Communication:
    """Every process of a grid sends to its neighbours along each dimension, both ways.

    `dims`: processes along each dimension, the first the fastest in the numbers. `size_bytes`: of
    each message. `wrap`: whether the grid is periodic.
    """
    name = f"stencil {'×'.join(map(str, dims))}"
    number("bytes", size_bytes, above=True, where=name)
    sizes = [whole("dims", k, low=1, where=name) for k in dims]
    processes = _several(name, math.prod(sizes))
    grid = np.arange(processes).reshape(sizes[::-1])
    sources, targets = [], []
    for axis, k in enumerate(grid.shape):
        ahead = np.roll(grid, -1, axis)
        # the last one has a neighbour ahead only across the edge, and with two it has it already
        inner = np.arange(k) < (k if wrap and k > 2 else k - 1)
        here, there = (each.compress(inner, axis).reshape(-1) for each in (grid, ahead))
        sources += [here, there]
        targets += [there, here]
    return communication(
        name, processes, np.concatenate(sources), np.concatenate(targets), size_bytes
    )


def transpose(rows: int, columns: int, size_bytes: float = 1024.0) -> Communication:
    """Process r·columns + c of a matrix sends to c·rows + r, its place in the transposed one."""
    name = f"transpose {rows}×{columns}"
    number("bytes", size_bytes, above=True, where=name)
    whole("rows", rows, low=1, where=name)
    whole("columns", columns, low=1, where=name)
    processes = _several(name, rows * columns)
    every = np.arange(processes)
    return communication(
        name, processes, every, every % columns * rows + every // columns, size_bytes
    )


def all_to_all(processes: int, size_bytes: float = 1024.0) -> Communication:
    """Every process sends one message to every other one."""
    number("bytes", size_bytes, above=True, where="all-to-all")
    every = np.arange(_several("all-to-all", processes))
    expect_flows(processes**2, "all-to-all")
    return communication(
        "all-to-all",
        processes,
        np.repeat(every, processes),
        np.tile(every, processes),
        size_bytes,
    )


def random_messages(
    processes: int, messages: int, size_bytes: float = 1024.0, seed: int = 0
) -> Communication:
    """`messages` messages, each between two different processes drawn at random."""
    number("bytes", size_bytes, above=True, where="random")
    whole("messages", messages, low=1, where="random")
    whole("seed", seed, where="random")
    rng = np.random.default_rng(seed)
    sources = rng.integers(_several("random", processes), size=messages)
    targets = (sources + 1 + rng.integers(processes - 1, size=messages)) % processes
    return communication("random", processes, sources, targets, size_bytes)


def grid_of(processes: int, dimensions: int) -> tuple[int, ...]:
    """The most cubic grid of so many processes, largest dimension first."""
    whole("processes", processes, low=1, where="grid")
    sides: list[int] = []
    rest = processes
    for left in range(dimensions, 0, -1):
        root = round(rest ** (1 / left))
        root += root**left < rest
        side = next(k for k in range(root, rest + 1) if rest % k == 0)
        sides.append(side)
        rest //= side
    return tuple(sorted(sides, reverse=True))


def _several(name: str, processes: int) -> int:
    """At least two processes, or nobody would send; InputError otherwise."""
    if whole("processes", processes, low=1, where=name) < 2:
        raise InputError(
            "one process has no other to send to",
            where=name,
            value=processes,
            remedy="Allowed: 2 or more",
        )
    return processes
