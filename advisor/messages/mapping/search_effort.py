"""What the search for a mapping costs, in looks at a partner of a moved process."""

from __future__ import annotations

from advisor.messages.mapping.mapping_problem import MappingProblem

SLICE = 400_000
"""Looks between two questions whether to stop."""

MEASURED = 75.0
"""Of a mapping of many processes: looks a flow to measure it."""

POLISHED = 30_000.0
"""Of few processes: looks to measure a mapping, and 2 % of it for each flow."""

QUENCHED = 50
"""Moves a process of a round where there are many processes."""

_LARGE = 50_000_000  # processes times places, of which no sweep looks at all moves
# what a move costs: choosing it, and each partner of the two processes
_FIXED, _PARTNER = 20.0, 1.5
# … with loads: each channel (looked through for the busiest), partner, and hop to a partner
_CHANNEL, _FLOW, _HOP = 0.06, 33.0, 6.0


def is_large(problem: MappingProblem) -> bool:
    """Whether all moves are too many to try in turn."""
    return problem.communication.processes * problem.network.size > _LARGE


def looks_of(problem: MappingProblem, *, large: bool) -> dict[bool, float]:
    """Looks of a move, by whether hops are searched, else loads.

    `large`: loads without a look for the busiest channel.
    """
    degree = len(problem.landscape.partner) / problem.communication.processes
    flow = _FLOW + _HOP * problem.network.mean_distance()
    channels = 0.0 if large else _CHANNEL * len(problem.network.channels)
    return {True: _FIXED + _PARTNER * degree, False: _FIXED + channels + flow * degree}
