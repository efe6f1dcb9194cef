"""Machines that a generator brings along: one switch, and a link to each."""

from __future__ import annotations

import numpy as np

from advisor.campaigns.generators.settings import GIGABIT, Settings
from machines import Direction, Link, Machine, Platform, Switch

_STARTUP_S = 50e-6  # of a link; two make 0.1 ms, of the order of one small message over TCP
_SWITCH = "switch"


def own_machines(settings: Settings, count: int, rng: np.random.Generator) -> Platform:
    """So many machines on one switch.

    Where machines are consistent, the seconds of a unit of work are drawn uniformly from
    1 ± √3·h, and a machine's speed is their inverse; else all speeds are 1.

    `settings`: cores, bandwidth and heterogeneity h.
    """
    names = [f"m{number}" for number in range(1, count + 1)]
    unit_s = [1.0] * count
    if settings.consistent and settings.spread:
        unit_s = rng.uniform(1.0 - settings.spread, 1.0 + settings.spread, count).tolist()
    bandwidth = GIGABIT if settings.bandwidth is None else settings.bandwidth
    way = Direction(_STARTUP_S, bandwidth)
    return Platform(
        f"{count} machines",
        tuple(
            Machine(name, cores=settings.cores or 1, speed=1.0 / seconds)
            for name, seconds in zip(names, unit_s, strict=True)
        ),
        tuple(Link(name, _SWITCH, way, way) for name in names),
        switches=(Switch(_SWITCH),),
    )
