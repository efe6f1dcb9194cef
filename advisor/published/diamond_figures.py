"""The published figures of the Diamond DAG (Moritz & Frank 2001, sec. 5.2) against its model.

The program of Fig. 9 on the preset "alewife": 1024 × 1024 tasks of 100 cycles in 32 stripes and 64
blocks. "physical" is the reading of a channel's occupancy that fits here; the notes give the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from advisor.models.logpc import (
    channel_occupancy,
    diamond_contention,
    diamond_makespan,
    diamond_steps,
)
from advisor.published.figure import Figure, compared, withheld
from machines.catalogue import interconnect
from machines.traffic import channel_loads, routes_of

MODEL = "Moritz & Frank 2001"
_compared = partial(compared, MODEL)
_withheld = partial(withheld, MODEL)


def figures() -> Iterator[Figure]:
    """Every figure that the paper prints of the Diamond DAG."""
    program = "n 1024, P 32, b 64, 100 cycles a task"
    random = f"{program}; k_d 2, occupancy B·G"
    p = interconnect("alewife").long
    computing = diamond_steps(1024, 32, 64, 100.0, p, 32_000.0).work
    yield _compared(
        "communication over computation at 32 000 bytes",
        "sec. 5.2.2",
        f"{program}; 2 B G",
        0.625,
        2 * channel_occupancy(32_000.0, p.G) / computing,
    )
    yield _compared(
        "makespan over that without contention at 16 000 bytes",
        "sec. 5.2.2",
        random,
        1,
        1 + diamond_slowdown(16_000.0, "physical"),
        within=0.0314,
        note="printed: no contention observed, model within 3.14 %; occupancy B gives "
        f"{1 + diamond_slowdown(16_000.0, 'bytes'):.4g}",
    )
    sizes = range(1000, 64_001, 1000)
    yield _compared(
        "size at which contention begins, bytes",
        "sec. 5.2.2",
        f"{random}; more than 3.14 %",
        32_000,
        next(size for size in sizes if diamond_slowdown(size, "physical") > 0.0314),
        note=f"at 32 000 bytes the model has {100 * diamond_slowdown(32_000.0, 'physical'):.3g} %; "
        "the model sees contention earlier than the machine",
    )
    slowdown = 100 * diamond_slowdown(320_000.0, "physical")
    in_bytes = f"occupancy B gives {100 * diamond_slowdown(320_000.0, 'bytes'):.4g} %"
    for where, printed in (("sec. 5.2.2", 56), ("sec. 1", 54)):
        yield _compared(
            "slowdown of the random mapping at 320 000 bytes, %",
            where,
            random,
            printed,
            slowdown,
            note=f"one random mapping was measured; {in_bytes}",
        )
    yield _default_mapping()
    yield _compared(
        "contention in the Diamond DAG, %",
        "sec. 7",
        "0.56/1.56",
        30,
        100 * 0.56 / 1.56,
        note=f"the paper contradicts itself; the default mapping: {100 * 0.31 / 1.31:.3g} %",
    )


def diamond_slowdown(B: float, occupancy: str) -> float:
    """Makespan with contention over that without, less 1: Fig. 9's program, random mapping.

    `B`: bytes of a message. `occupancy`: "bytes" or "physical".
    """
    p = interconnect("alewife").long
    _, loaded = diamond_contention(1024, 32, 64, 100.0, p, B, 2.0, occupancy=occupancy)
    return loaded / diamond_makespan(1024, 32, 64, 100.0, p, B) - 1.0


def _default_mapping() -> Figure:
    mesh = interconnect("alewife").network
    onward = np.diag(np.ones(mesh.size - 1), 1)
    busiest = channel_loads(routes_of(mesh), onward).max()
    return _withheld(
        "slowdown of the default mapping at 320 000 bytes, %",
        "sec. 5.2.2",
        31,
        "1.875/2 hops per dimension are below 1, which Eq. (5) can't describe; by dimension-order "
        f"routes the busiest channel carries {busiest:g} message a block: nothing is shared",
    )
