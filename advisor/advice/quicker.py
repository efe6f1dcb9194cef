"""The same machines on a quicker network: some links or switches of more bandwidth.

Startups stay. Of a link in both directions a resource may be one; of an inner network the whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from advisor.allocation.bandwidths import widened, widened_link, widened_switch
from advisor.allocation.execution import Executed
from advisor.allocation.host_costs import host_costs
from advisor.allocation.problem import Problem
from advisor.allocation.shared_routes import shared_routes
from machines import Platform


def quicker(problem: Problem, resources: Iterable[int], factor: float = 2.0) -> Executed:
    """What is executed where some resources have a multiple of their bandwidth.

    `resources`: positions in its `shared.resources`.
    """
    platform, chosen = problem.loaded, list(resources)
    for one in chosen:
        platform = widened(platform, problem.shared.resources[one], factor)
    inner = [one for one in chosen if problem.shared.resources[one].machine is not None]
    return _on(problem, platform, inner, factor)


def quicker_everywhere(problem: Problem, factor: float = 2.0) -> Executed:
    """What is executed where every link, switch and inner network has a multiple of bandwidth."""
    platform = problem.loaded
    platform = replace(
        platform,
        links=tuple(widened_link(link, factor) for link in platform.links),
        switches=tuple(widened_switch(switch, factor) for switch in platform.switches),
    )
    found = enumerate(problem.shared.resources)
    return _on(problem, platform, [at for at, one in found if one.machine is not None], factor)


def _on(problem: Problem, platform: Platform, inner: list[int], factor: float) -> Executed:
    """The problem's tasks on a platform of the same parts, some inner networks quicker."""
    between = host_costs(platform, problem.reading, problem.sharing)
    shared = shared_routes(platform, between)
    capacity = shared.capacity.copy()
    capacity[inner] *= factor
    return problem.executed._replace(
        startup_s=between.contended.startup_s,
        per_byte_s=between.contended.per_byte_s,
        first_pass=shared.first_pass,
        passed=shared.passed,
        pair=shared.pair,
        capacity=capacity,
        weight=shared.weight,
    )
