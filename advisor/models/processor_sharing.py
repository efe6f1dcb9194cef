"""Exact processor sharing: the slowdown of a newcomer among applications that compute and transfer.

A contender alternates phases of computing, transferring and idling. Phases queue at a shared
processor and link, which serve all present alike. The stationary weights of that closed network
have product form, so the slowdown needs no simulation and no 2^p subsets. Only the ratios of the
mean phases matter, not their law.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from machines.arrays import Floats
from machines.checks import number, whole
from machines.errors import InputError

Phases = tuple[float, float, float]

CPU = "cpu"
LINK = "link"
SHARED = "shared"
PRIVATE = "private"
_REMEMBERED = 1024  # a map of loads asks for each of its columns as often as it has rows


def sharing_slowdown(
    contenders: Sequence[tuple[float, float]],
    resource: str = CPU,
    link: str = SHARED,
    cores: int = 1,
    held: int = 1,
) -> float:
    """Long-run slowdown of an endless newcomer under processor sharing.

    1 + the mean number of contenders at `resource` in the network without the newcomer (arrival
    theorem; the value of exact Mean Value Analysis, Reiser & Lavenberg 1980). In product form,
    with W[n, m] the coefficient of x^n y^m in the product of (c_k x + d_k y):
    slowdown = sum W n! m! (1 + n) / sum W n! m!; a private link has no m!.

    Parameters
    ----------
    contenders : sequence of (compute_mean, transfer_mean)
        Mean phases of every contender, any one unit of time; not both 0.
    resource : {"cpu", "link"}
        Where the newcomer works.
    link : {"shared", "private"}
        Whether transfers queue for one link or each has its own.
    cores, held : int
        Cores of the machine, and of them the newcomer's own, as for `resident_slowdown`.

    Returns
    -------
    float
        Slowdown ≥ 1; 1 for "link" with a private link.

    Raises
    ------
    InputError
        A negative phase, two phases of 0, `held` above `cores`, or an unknown `resource` or `link`.
    """
    _choice("resource", resource, (CPU, LINK))
    _choice("link", link, (SHARED, PRIVATE))
    phases = [_normalised(k, pair) for k, pair in enumerate(contenders, start=1)]
    if resource == LINK:
        return _link_slowdown(((tuple(phases), 1),)) if link == SHARED else 1.0
    return _resident_slowdown(tuple(phases), *checked_cores(cores, held), link)


def resident_slowdown(
    shares: Sequence[tuple[float, float]], cores: int = 1, held: int = 1, link: str = SHARED
) -> float:
    """Slowdown of a task that holds `held` cores of a machine of `cores` among contenders.

    With n contenders computing beside it the task runs at r(n) = min(1, cores/(n + held)), as
    each of them does; slowdown = 1/E[r(n)] = sum U / sum U r(n), where
    U[n, m] = W[n, m] · 1/(r(1)…r(n)) · m!. One core, one held: 1 + the mean queue. Contenders
    that always compute: max(1, (p + held)/cores).

    Parameters
    ----------
    shares : sequence of (compute, communicate)
        Shares of every contender's dedicated time, together at most 1; the rest is idle.
    cores, held : int
        Cores of the machine, and of them the task's own (1 … cores).
    link : {"shared", "private"}
        Whether the contenders' transfers queue for one link.

    Returns
    -------
    float
        Slowdown ≥ 1.

    Raises
    ------
    InputError
        Shares outside 0..1 or together above 1, or `held` above `cores`.
    """
    _choice("link", link, (SHARED, PRIVATE))
    phases = tuple(_with_idle(*pair) for pair in shares)
    return _resident_slowdown(phases, *checked_cores(cores, held), link)


def link_sharing_slowdown(ends: Sequence[tuple[Sequence[tuple[float, float]], int]]) -> float:
    """Slowdown of a transfer over a link that the contenders of its end machines share.

    Contenders of each end compute on their own machine and transfer over this one link: a closed
    network of the processors and the link in product form; slowdown = 1 + the mean number of
    contenders at the link without the newcomer.

    Parameters
    ----------
    ends : sequence of (shares, cores)
        For each end machine its contenders' (compute, communicate) shares and its cores.

    Returns
    -------
    float
        Slowdown ≥ 1.

    Raises
    ------
    InputError
        Shares outside 0..1 or together above 1.
    """
    return _link_slowdown(
        tuple(
            (tuple(_with_idle(*pair) for pair in shares), whole("cores", cores, low=1))
            for shares, cores in ends
        )
    )


def checked_cores(cores: int, held: int) -> tuple[int, int]:
    """Both, if a task can hold so many cores of a machine; InputError otherwise."""
    whole("cores", cores, low=1)
    if whole("held", held, low=1) > cores:
        raise InputError("held must not exceed cores", value=held, remedy=f"Allowed: 1 to {cores}")
    return cores, held


@lru_cache(_REMEMBERED)
def _resident_slowdown(phases: tuple[Phases, ...], cores: int, held: int, link: str) -> float:
    def at_cpu(n: Floats) -> Floats:
        return np.maximum(1.0, (n + held) / cores)

    at_link = _queued if link == SHARED else np.ones_like
    weights = _weights(phases, np.ones(1), at_cpu, at_link).sum(axis=1)
    speeds = 1.0 / at_cpu(np.arange(float(len(weights))))
    return float(weights.sum() / (weights @ speeds))


@lru_cache(_REMEMBERED)
def _link_slowdown(ends: tuple[tuple[tuple[Phases, ...], int], ...]) -> float:
    def at_link(m: Floats) -> Floats:
        return m + 1.0

    weights = np.ones(1)
    for phases, cores in ends:

        def at_cpu(n: Floats, cores: int = cores) -> Floats:
            return np.maximum(1.0, n / cores)

        weights = _weights(phases, weights, at_cpu, at_link).sum(axis=0)
    speeds = 1.0 / np.arange(1.0, len(weights) + 1.0)
    return float(weights.sum() / (weights @ speeds))


def _weights(
    phases: Sequence[Phases],
    start: Floats,
    at_cpu: Callable[[Floats], Floats],
    at_link: Callable[[Floats], Floats],
) -> Floats:
    """Stationary weights of (n at the processor, m at the link), up to a common factor.

    One convolution a contender; the queueing factors enter as the state grows and every step is
    scaled to a maximum of 1, so that hundreds of contenders neither overflow nor vanish.

    `phases`: each (compute, transfer, idle); one a contender.
    `start`: shape (m,); weights of the link's state before these contenders.
    `at_cpu`, `at_link`: by how much n at the processor (m at the link) stretch each one's phase
        there.
    Returns: shape (n, m).
    """
    part_time = [one for one in phases if one != (1.0, 0.0, 0.0)]
    always = len(phases) - len(part_time)  # so many are at the processor whatever the others do
    weights = np.zeros((always + 1, len(start)))
    weights[always] = start
    at_cpus = at_cpu(np.arange(1.0, len(phases) + 1.0))
    at_links = at_link(np.arange(1.0, float(len(start) + len(phases))))
    for compute, transfer, idle in part_time:
        rows, columns = weights.shape
        grown = np.zeros((rows + (compute > 0), columns + (transfer > 0)))
        grown[:rows, :columns] = idle * weights
        if compute > 0:
            grown[1:, :columns] += compute * at_cpus[:rows, None] * weights
        if transfer > 0:
            grown[:rows, 1:] += transfer * at_links[:columns] * weights
        weights = grown / grown.max()
    return weights


def _queued(m: Floats) -> Floats:
    """Of m that share a link each is stretched m times."""
    return m


def _normalised(position: int, pair: tuple[float, float]) -> Phases:
    compute, transfer = (number(f"contender {position}", mean) for mean in pair)
    longest = max(compute, transfer)
    if longest == 0.0:
        raise InputError(
            f"contender {position} has no phase",
            where="contenders",
            value=tuple(pair),
            remedy="A mean phase must be > 0",
        )
    return compute / longest, transfer / longest, 0.0


@lru_cache(_REMEMBERED, typed=True)
def _with_idle(compute: float, communicate: float) -> Phases:
    pair = compute, communicate
    compute, communicate = (number("share", share, high=1.0) for share in pair)
    if compute + communicate > 1.0 + 1e-12:
        raise InputError("compute + communicate must not exceed 1", where="shares", value=pair)
    idle = 1.0 - compute - communicate
    return compute, communicate, idle if idle > 1e-12 else 0.0


def _choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(f"unknown {name}", value=value, remedy="Allowed: " + ", ".join(allowed))
