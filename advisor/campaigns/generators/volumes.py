"""Bytes of flows whose mean transfer takes so many seconds on a platform.

A message of s bytes takes startup_s + s/bandwidth over its route, alone; both of the piece of
the protocol that s falls in (`advisor.allocation.host_costs`).
"""

from __future__ import annotations

from math import fsum, inf

from advisor.allocation.character import mean_message
from advisor.allocation.host_costs import host_costs
from advisor.allocation.sharing import FAIR
from advisor.models.contention import EXACT
from machines import InputError, Platform


def flow_bytes(
    volumes: list[float], ccr: float, task_s: float, platform: Platform, where: str
) -> list[float]:
    """The volumes times one factor, so that their mean transfer takes ccr · task_s.

    The mean is over flows and ordered pairs of different machines that can exchange data, of the
    seconds of a transfer alone.

    `volumes`: > 0; in any unit. `ccr`: 0: no bytes at all. `task_s`: mean time of a task. `where`:
    names the place in messages.
    """
    if ccr == 0.0:
        return [0.0] * len(volumes)
    between, name = host_costs(platform, EXACT, FAIR), platform.name or "the platform"
    found = mean_message(between.dedicated.first(len(platform.machines)))
    if found is None or not volumes:
        what = "its tasks exchange no data" if found else f"no machines of {name} exchange data"
        raise InputError(
            f"{what}, so that it has no CCR", where=where, remedy="State ccr = 0, or another size"
        )
    startup_s, per_byte_s = found
    least = startup_s[0] / task_s
    if ccr <= least:
        raise InputError(
            f"the startups of its transfers alone make a CCR of {least:.3g} on {name}",
            where=where, value=f"ccr = {ccr:g}",
            remedy="State a larger ccr or task_seconds, or ccr = 0 for no data at all",
        )  # fmt: skip
    total = ccr * task_s * len(volumes)
    factor = _factor(volumes, total, startup_s, per_byte_s, between.thresholds.tolist())
    if factor is None:
        raise InputError(
            f"no volumes give this CCR on {name}: what a message takes there leaps at a size",
            where=where, value=f"ccr = {ccr:g}", remedy="State another ccr or another seed",
        )  # fmt: skip
    return [factor * one for one in volumes]


def _factor(
    volumes: list[float],
    total_s: float,
    startup_s: list[float],
    per_byte_s: list[float],
    thresholds: list[float],
) -> float | None:
    """The least x with Σ startup_s[b] + x·v·per_byte_s[b] = total_s, b the piece that x·v is in.

    Between two sizes at which a flow changes its piece the sum is a line in x. ``None``: the sum
    leaps over the total.
    """
    # (x, volume, piece) at which a flow leaves a piece for the next
    leaves = sorted(
        (threshold / volume, volume, piece)
        for piece, threshold in enumerate(thresholds)
        for volume in volumes
    )
    fixed = fsum([startup_s[0]] * len(volumes))
    slope = per_byte_s[0] * fsum(volumes)
    begin = 0.0
    for end, volume, piece in [*leaves, (inf, 0.0, -1)]:
        if slope > 0.0 and begin <= (found := (total_s - fixed) / slope) <= end:
            return found
        begin = end
        if piece >= 0:
            fixed += startup_s[piece + 1] - startup_s[piece]
            slope += volume * (per_byte_s[piece + 1] - per_byte_s[piece])
    return None
