"""Gaussian elimination of an m × m matrix: the graph of Topcuoglu, Hariri & Wu 2002, sec. 5.3.

Step k = 1 … m − 1 has one pivot task and an update of every later column j = k + 1 … m, which
needs the pivot and the same column of the step before; the update of column k + 1 feeds the next
pivot. (m² + m − 2)/2 tasks, m² − m − 1 flows. The paper prints no times: here they are the
operations, m − k divisions of a pivot and m − k products and differences of an update, and each
flow carries the m − k numbers below the pivot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, family
from advisor.campaigns.generators.generator_settings import Settings
from machines.parameters import parameter


@dataclass(frozen=True)
class Gaussian(Settings):
    """Settings of Gaussian elimination."""

    FAMILY: ClassVar[str] = "gaussian"

    m: int = parameter(
        10, low=3, high=446, title="Matrix", help="Rows m: (m² + m − 2)/2 tasks (5: 14, 50: 1,274)"
    )


def shape(settings: Gaussian, rng: np.random.Generator) -> Shape:  # noqa: ARG001 - times are counted
    """Pivots and updates, step by step."""
    found, m = Shape(), settings.m
    column: dict[int, int] = {}  # what updated each column last
    for k in range(1, m):
        below = float(m - k)
        pivot = found.task("pivot", f"pivot-{k}", below)
        if k > 1:
            found.flow(column[k], pivot, below + 1.0)
        for j in range(k + 1, m + 1):
            update = found.task("update", f"update-{k}-{j}", 2.0 * below)
            found.flow(pivot, update, below)
            if k > 1:
                found.flow(column[j], update, below + 1.0)
            column[j] = update
    return found


GENERATOR = family(
    Gaussian,
    "Gaussian elimination",
    "Pivots one after the other, each with the columns that it updates",
    shape,
    "H. Topcuoglu, S. Hariri and M.-Y. Wu, Performance-effective and low-complexity task "
    "scheduling for heterogeneous computing, IEEE TPDS 13(3), 2002, sec. 5.3",
)
