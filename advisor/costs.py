"""Models → arrays: seconds of every task on every machine and of every flow on every pair.

The only place where the models meet. `timeline` and `search` see these arrays and no model.
Contended arrays include slowdown; dedicated ones do not; their difference is the waiting.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EXACT = "exact"
PUBLISHED = "published"
READINGS = (EXACT, PUBLISHED)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FlowCosts:
    """Seconds of flow f from machine p to q (p ≠ q).

    With t = table[f] ≥ 0: ``tables[t, p, q]`` (stated seconds); else
    ``Σ_b messages[f, b]·startup_s[b, p, q] + size_bytes[f, b]·per_byte_s[b, p, q]``, where bin b
    holds the data sets between two consecutive protocol thresholds of the platform. inf: p and q
    can't exchange this flow. On one machine every flow costs 0.
    """

    messages: Floats  # (flows, bins)
    size_bytes: Floats  # (flows, bins)
    startup_s: Floats  # (bins, machines, machines)
    per_byte_s: Floats  # (bins, machines, machines)
    table: NDArray[np.int32]  # (flows,)
    tables: Floats  # (tables, machines, machines)


@dataclass(frozen=True, eq=False)
class Costs:
    """All that a timeline needs, in arrays; picklable, no names, no model.

    Attributes
    ----------
    task_s, task_dedicated_s : array (tasks, machines)
        Duration under contention and alone; inf where the task may not run.
    sources, targets : int32 array (flows,)
        Task positions.
    flows, flows_dedicated : FlowCosts
        Under contention and alone; they share `messages`, `size_bytes` and `table`.
    task_cores, machine_cores : int32 array
        Cores a task holds, cores a machine has.
    task_memory, machine_memory : array
        Bytes; machine_memory is inf where unlimited.
    topological_order : int32 array (tasks,)
        From the workload.
    warnings : tuple of str
        Validity notes of the models that were used.
    """

    task_s: Floats
    task_dedicated_s: Floats
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    flows: FlowCosts
    flows_dedicated: FlowCosts
    task_cores: NDArray[np.int32]
    machine_cores: NDArray[np.int32]
    task_memory: Floats
    machine_memory: Floats
    topological_order: NDArray[np.int32]
    warnings: tuple[str, ...] = ()
