"""Which machines have no way to each other, so that tasks which exchange data stay together."""

from __future__ import annotations

import numpy as np

from advisor.allocation.problem import Problem
from advisor.basics.quantities import few

_NAMED = 3  # machines
_LINK_THEM = "Link them, or add a switch that joins all"


def apart_sentence(problem: Problem) -> str:
    """Which machines can't exchange data with the others; empty if all can, or no data flow."""
    costs = problem.costs.flows
    if not ((costs.messages.sum(axis=1) > 0) & (costs.table < 0)).any():
        return ""
    reached = np.isfinite(costs.startup_s[0])
    most = reached[reached.sum(axis=1).argmax()]
    if most.all():
        return ""
    names = np.array([machine.name for machine in problem.platform.machines])
    others, main = names[~most].tolist(), names[most].tolist()
    return (
        f"No link joins {few(others, _NAMED, last='or')} to {few(main, _NAMED, last='or')}: tasks "
        f"that exchange data can't be parted there. {_LINK_THEM}."
    )
