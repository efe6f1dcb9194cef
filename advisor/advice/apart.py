"""Which machines have no way to each other, so that tasks which exchange data stay together."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from advisor.allocation.problem import Problem
from advisor.basics.quantities import few

_NAMED = 3  # machines
_LINK_THEM = "Link them, or add a switch that joins all"


def apart_sentence(problem: Problem) -> str:
    """Which machines can't exchange data with the others; empty if all can, or no data flow."""
    costs = problem.costs.flows
    if not ((costs.messages.sum(axis=1) > 0) & (costs.table < 0)).any():
        return ""
    _, group = connected_components(np.isfinite(costs.startup_s[0]))
    largest = np.bincount(group).argmax()
    machines = problem.platform.machines
    others = [machines[at].name for at in np.flatnonzero(group != largest)]
    if not others:
        return ""
    main = [machines[at].name for at in np.flatnonzero(group == largest)]
    return (
        f"No link joins {few(others, _NAMED)} to {few(main, _NAMED)}: tasks "
        f"that exchange data can't be parted there. {_LINK_THEM}."
    )
