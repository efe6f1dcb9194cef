"""The arrays that kernels work on: one scheduling instance.

A named tuple, because numba passes it to compiled code by field. Flows are renumbered to
*edges*: sorted by target, then by position, so that a task's inputs lie side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.kernels import kept_kernel
from advisor.kernels.kept_kernel import Kept
from machines.arrays import Floats, Indices


class Instance(NamedTuple):
    """A scheduling instance: n tasks, m machines, e edges; all seconds under contention.

    Attributes
    ----------
    task_s : array (n, m)
        Durations; inf where the task may not run, lacks cores or outgrows the memory, and where
        a file from outside can't get.
    outside_s, outside_total_s : array (n, m)
        When the last file from outside has arrived, all leaving at 0 for every reader alone, and
        the sum of their seconds; 0 where there are none or task_s is inf. (0, m) without `outside`.
    first_in : int32 array (n + 1,)
        Edges ``first_in[t]`` to ``first_in[t + 1] - 1`` enter task t.
    source, target, flow : int32 arrays (e,)
        Ends of every edge, and the workload's flow that it is.
    first_out, edge_out : int32 arrays (n + 1,), (e,)
        ``edge_out[first_out[t]:first_out[t + 1]]`` are the edges that leave task t.
    messages, size_bytes : array (e, bins)
        What an edge carries, by message size bin.
    startup_s, per_byte_s : array (bins, m, m)
        Cost of a message and of a byte from machine p to q; 0 on the diagonal.
    table : int32 array (e,)
        Row of `tables` that states the edge's seconds, or -1.
    tables : array (tables, m, m)
        Stated seconds; 0 on the diagonal.
    task_cores, machine_cores : int32 arrays (n,), (m,)
    task_memory, machine_memory : arrays (n,), (m,)
    amount, place, room : array (n, k), int32 array (k, m), array (c,)
        What tasks hold beside cores, by kind; kind i of machine q has ``room[place[i, q]]``.
    kept : Kept
        Outputs that stay in memory.
    topological_order : int32 array (n,)
    plain : bool
        One bin and no tables.
    limited : bool
        Some machine's memory can be exceeded.
    instant : bool
        Some task may take no time.
    outside : bool
        Some task reads files from outside.
    """

    task_s: Floats
    outside_s: Floats
    outside_total_s: Floats
    first_in: Indices
    source: Indices
    target: Indices
    flow: Indices
    first_out: Indices
    edge_out: Indices
    messages: Floats
    size_bytes: Floats
    startup_s: Floats
    per_byte_s: Floats
    table: Indices
    tables: Floats
    task_cores: Indices
    machine_cores: Indices
    task_memory: Floats
    machine_memory: Floats
    amount: Floats
    place: Indices
    room: Floats
    kept: Kept
    topological_order: Indices
    plain: bool
    limited: bool
    instant: bool
    outside: bool


def tiny() -> Instance:
    """Two machines, one with two cores, and a chain of two tasks: to compile and to try with."""
    pair = np.array([[[0.0, 1.0], [1.0, 0.0]]])
    return Instance(
        task_s=np.ones((2, 2)),
        outside_s=np.zeros((0, 2)),
        outside_total_s=np.zeros((0, 2)),
        first_in=np.array([0, 0, 1], np.int32),
        source=np.array([0], np.int32),
        target=np.array([1], np.int32),
        flow=np.array([0], np.int32),
        first_out=np.array([0, 1, 1], np.int32),
        edge_out=np.array([0], np.int32),
        messages=np.ones((1, 1)),
        size_bytes=np.ones((1, 1)),
        startup_s=pair,
        per_byte_s=pair.copy(),
        table=np.array([-1], np.int32),
        tables=np.zeros((0, 2, 2)),
        task_cores=np.ones(2, np.int32),
        machine_cores=np.array([1, 2], np.int32),
        task_memory=np.zeros(2),
        machine_memory=np.full(2, np.inf),
        amount=np.ones((2, 1)),
        place=np.array([[0, 1]], np.int32),
        room=np.ones(2),
        kept=kept_kernel.nothing(),
        topological_order=np.array([0, 1], np.int32),
        plain=True,
        limited=False,
        instant=False,
        outside=False,
    )
