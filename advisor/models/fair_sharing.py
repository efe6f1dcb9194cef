"""Transfers that share links, and tasks that share processors: rates of max–min fair sharing.

Rates are max–min fair: raise all rates together, in proportion to the weights; a resource that is
full freezes the transfers that cross it; go on with the rest (Bertsekas & Gallager, *Data
Networks*, 2nd ed. 1992, sec. 6.5). As a model of concurrent TCP transfers: Casanova et al. 2014
(SimGrid), its limits: Velho et al. 2013. On a machine of c cores n tasks of one core each proceed
at min(1, c/n) of their dedicated speed (processor sharing).

Valid for transfers that are long against the round trip: packets, slow start and the cross traffic
of others are not modelled. Any one unit of data and of time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.models.processor_sharing import sharing_slowdown
from machines.arrays import Flags, Floats
from machines.checks import number, whole
from machines.errors import InputError


def fair_rates(
    routes: Sequence[Sequence[int]],
    capacities: Sequence[float],
    weights: Sequence[float] | None = None,
    caps: Sequence[float | None] | None = None,
) -> Floats:
    """Max–min fair rates of transfers under way.

    Parameters
    ----------
    routes : sequence of sequences of int
        The resources that each transfer crosses, once each; may be empty.
    capacities : sequence of float
        Data per time of every resource, > 0.
    weights : sequence of float, optional
        Of every transfer, > 0: rates rise in proportion to them. Default 1.
    caps : sequence of float or None, optional
        What each transfer can reach alone, > 0; None: no limit of its own.

    Returns
    -------
    array (transfers,)
        Data per time; inf of a transfer that nothing limits.

    Raises
    ------
    InputError
        A resource that does not exist, or a number out of its range.

    Notes
    -----
    Progressive filling (Bertsekas & Gallager 1992, sec. 6.5), O(transfers · resources).
    """
    spare = np.array([number("capacities", one, above=True) for one in capacities], np.float64)
    weight = _checked("weights", weights, len(routes), 1.0)
    cap = _checked("caps", caps, len(routes), np.inf)
    crosses = _crossings(routes, spare.size)
    rates = np.full(len(routes), np.inf)
    rising = np.ones(len(routes), np.bool_)
    while rising.any():
        pull = weight[rising] @ crosses[rising]
        ratio = np.divide(spare, pull, out=np.full(spare.size, np.inf), where=pull > 0)
        own = np.where(rising, cap / weight, np.inf)
        level = min(ratio.min(initial=np.inf), own.min())
        if level == np.inf:
            break
        stopped = rising & ((own <= level) | crosses[:, ratio <= level].any(axis=1))
        rates[stopped] = level * weight[stopped]
        spare = np.maximum(0.0, spare - rates[stopped] @ crosses[stopped])
        rising &= ~stopped
    return rates


def processor_rate(own: int, cores: int, contenders: int = 0) -> float:
    """Speed of each of `own` one-core tasks beside CPU-bound contenders, of its dedicated speed.

    min(1, cores / (own + contenders)): equal shares of a machine's cores.

    Raises
    ------
    InputError
        Fewer than one task or core, or a negative number of contenders.
    """
    whole("own", own, low=1)
    whole("cores", cores, low=1)
    whole("contenders", contenders, low=0)
    return min(1.0, cores / (own + contenders))


def processor_rates(cores: int, contenders: Sequence[tuple[float, float]]) -> Floats:
    """Speed of each of r = 1 … cores own one-core tasks beside contenders that also communicate.

    E[min(1, cores/(n + r))] over the number n of contenders that compute while r tasks always do:
    the exact sharing queue of `advisor.models.slowdown.sharing_slowdown`.

    Parameters
    ----------
    cores : int
    contenders : sequence of (compute_mean, transfer_mean)
        Mean phases of every contender, any one unit of time; not both 0.

    Returns
    -------
    array (cores,)
        Each in (0, 1].

    Raises
    ------
    InputError
        Fewer than one core, or contenders out of their range.
    """
    whole("cores", cores, low=1)
    owns = range(1, cores + 1)
    return np.array([1.0 / sharing_slowdown(contenders, cores=cores, held=own) for own in owns])


def _crossings(routes: Sequence[Sequence[int]], resources: int) -> Flags:
    """Whether each transfer crosses each resource, shape (transfers, resources)."""
    crosses = np.zeros((len(routes), resources), np.bool_)
    for transfer, route in enumerate(routes):
        for resource in route:
            whole("routes", resource, low=0)
            if resource >= resources:
                raise InputError(
                    "unknown resource",
                    where=f"routes of transfer {transfer}",
                    value=resource,
                    remedy=f"Allowed: 0 to {resources - 1}",
                )
            crosses[transfer, resource] = True
    return crosses


def _checked(
    name: str, values: Sequence[float | None] | None, count: int, default: float
) -> Floats:
    """One number > 0 for every transfer."""
    if values is None:
        return np.full(count, default)
    if len(values) != count:
        raise InputError(
            f"{name} must have one entry for each transfer", where=name, value=len(values),
            remedy=f"There are {count} transfers",
        )  # fmt: skip
    found = [default if one is None else number(name, one, above=True) for one in values]
    return np.array(found, np.float64)
