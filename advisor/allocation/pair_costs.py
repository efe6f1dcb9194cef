"""Flows → arrays: seconds of every flow between every two machines.

The communication half of `advisor.allocation.costs`. A flow's stated seconds come first; its data
sets are priced by what messages cost between two hosts (`advisor.allocation.host_costs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.allocation.host_costs import BothHostCosts, HostCosts
from advisor.allocation.workload import Flow, Workload
from machines import InputError, Platform
from machines.arrays import Flags, Floats, Indices

_NO_DATA = Flow("any", "other")
DataSets = tuple[tuple[int, float], ...]  # (count, bytes)


@dataclass(frozen=True, eq=False)
class FlowCosts:
    """Seconds of flow f from machine p to q (p ≠ q).

    With t = table[f] ≥ 0: ``tables[t, p, q]`` (stated seconds); else
    ``Σ_b messages[f, b]·startup_s[b, p, q] + size_bytes[f, b]·per_byte_s[b, p, q]``, where bin b
    holds the data sets between two consecutive protocol thresholds of the platform. inf: p and q
    can't exchange this flow. A bin without messages adds nothing, even where startup_s is inf. On
    one machine every flow costs 0.
    """

    messages: Floats  # (flows, bins)
    size_bytes: Floats  # (flows, bins)
    startup_s: Floats  # (bins, machines, machines)
    per_byte_s: Floats  # (bins, machines, machines)
    table: Indices  # (flows,)
    tables: Floats  # (tables, machines, machines)


@dataclass(frozen=True, eq=False)
class PairCosts:
    """Flow costs under contention and alone."""

    contended: FlowCosts
    dedicated: FlowCosts


def flow_costs(platform: Platform, workload: Workload, between: BothHostCosts) -> PairCosts:
    """Arrays of all edges of `workload` on `platform`.

    Parameters
    ----------
    platform, workload
        What runs where.
    between : BothHostCosts
        What messages cost there.

    Returns
    -------
    PairCosts

    Raises
    ------
    InputError
        Stated seconds that name an unknown machine, or numbers too large.
    """
    count, thresholds = len(platform.machines), between.thresholds
    alone, loaded = between.dedicated.first(count), between.contended.first(count)
    messages, size_bytes = (
        np.concatenate(parts)
        for parts in zip(
            binned([flow.data_sets for flow in workload.flows], thresholds),
            _carried(workload, thresholds),
            strict=True,
        )
    )
    empty = messages.sum(axis=1) == 0
    table, keys = _table_rows(workload.flows, empty, bool(np.isinf(alone.startup_s).any()))

    def priced(pairs: HostCosts) -> FlowCosts:
        rows = [_seconds(flow, platform, pairs, thresholds) for flow in keys]
        return FlowCosts(
            messages=messages,
            size_bytes=size_bytes,
            startup_s=pairs.startup_s,
            per_byte_s=pairs.per_byte_s,
            table=table,
            tables=np.array(rows).reshape(-1, *pairs.slowdown.shape),
        )

    contended = priced(loaded)
    _check_sum(workload, contended)
    return PairCosts(contended, priced(alone))


def binned(carried: Sequence[DataSets], thresholds: Floats) -> tuple[Floats, Floats]:
    """Messages and bytes of what each carries by protocol bin; each of shape (carried, bins)."""
    bins = thresholds.size + 1
    lengths = [len(data_sets) for data_sets in carried]
    entries = np.fromiter((each for one in carried for entry in one for each in entry), np.float64)
    count, size = entries.reshape(-1, 2).T
    cell = np.repeat(np.arange(len(carried)), lengths) * bins + np.searchsorted(thresholds, size)
    shape = (len(carried), bins)
    with np.errstate(over="ignore"):
        content = count * size
    cells = len(carried) * bins

    def by_cell(weights: Floats) -> Floats:
        return np.bincount(cell, weights=weights, minlength=cells).reshape(shape).astype(np.float64)

    return by_cell(count), by_cell(content)


def _carried(workload: Workload, thresholds: Floats) -> tuple[Floats, Floats]:
    """Messages and bytes of every edge of files by protocol bin: a message for each with bytes."""
    use, bins = workload.use, thresholds.size + 1
    sizes = np.array([file.size_bytes for file in workload.files])[use.carried]
    pair = np.repeat(np.arange(use.source.size), np.diff(use.first))
    cell = pair * bins + np.searchsorted(thresholds, sizes)
    shape, cells = (use.source.size, bins), use.source.size * bins

    def by_cell(weights: Floats) -> Floats:
        return np.bincount(cell, weights=weights, minlength=cells).reshape(shape).astype(np.float64)

    return by_cell((sizes > 0).astype(np.float64)), by_cell(sizes)


def _table_rows(
    flows: Sequence[Flow], empty: Flags, unreachable: bool
) -> tuple[Indices, tuple[Flow, ...]]:
    """Row of every edge among the tables of stated seconds (−1: none), and a flow of each row.

    Flows of equal costs share a row. An edge without data (`empty`) needs no route: where some pair
    has none, its seconds are a table of zeros.
    """
    rows: dict[object, tuple[int, Flow]] = {}
    table = np.full(empty.size, -1, dtype=np.int32)
    if unreachable and empty.any():
        table[empty] = rows.setdefault(None, (0, _NO_DATA))[0]
    for position, flow in enumerate(flows):
        if flow.seconds:
            key = (flow.seconds, flow.data_sets)
            table[position] = rows.setdefault(key, (len(rows), flow))[0]
    return table, tuple(flow for _, flow in rows.values())


def _seconds(flow: Flow, platform: Platform, pairs: HostCosts, thresholds: Floats) -> Floats:
    """One flow's table: stated seconds, else those of its data sets; (machines, machines)."""
    if flow.seconds and not flow.data_sets:
        seconds = np.full_like(pairs.slowdown, np.inf)
    else:
        seconds = np.zeros_like(pairs.slowdown)
        for messages, size_bytes, startup_s, per_byte_s in zip(
            *(content[0] for content in binned([flow.data_sets], thresholds)),
            pairs.startup_s,
            pairs.per_byte_s,
            strict=True,
        ):
            if messages > 0:
                seconds += messages * startup_s + size_bytes * per_byte_s
    for (first, second), stated in flow.seconds:
        where = f"flow {flow.name}"
        p, q = (machine_position(name, platform, where) for name in (first, second))
        seconds[p, q] = stated * pairs.slowdown[p, q]
    np.fill_diagonal(seconds, 0.0)
    return seconds


def _check_sum(workload: Workload, costs: FlowCosts) -> None:
    """Refuse flows whose seconds overflow, one by one or together."""
    with np.errstate(over="ignore", invalid="ignore"):
        longest = costs.messages @ _largest(costs.startup_s)
        longest += costs.size_bytes @ _largest(costs.per_byte_s)
        if costs.tables.size:
            stated = costs.table >= 0
            longest[stated] += _largest(costs.tables)[costs.table[stated]]
        together = longest.sum()
    if not np.isfinite(together):
        worst = workload.edges[int(np.argmax(longest))]  # NaN counts as the largest
        raise InputError(
            "numbers too large: the transfer times overflow",
            where=f"flow {worst.name}",
            value=worst.data_sets or worst.seconds,
            remedy="Give smaller data sets or seconds, a larger bandwidth or a smaller slowdown",
        )


def _largest(values: Floats) -> Floats:
    """Largest finite value of every matrix."""
    largest: Floats = np.where(np.isfinite(values), values, 0.0).max(axis=(1, 2))
    return largest


def machine_position(name: str, platform: Platform, where: str) -> int:
    """Position of a machine that a task or flow names.

    Raises
    ------
    InputError
        The platform lacks it.
    """
    if name not in platform.index:
        raise InputError(
            "unknown machine",
            where=where,
            value=name,
            remedy="Machines: " + ", ".join(list(platform.index)[:20]),
        )
    return platform.index[name]
