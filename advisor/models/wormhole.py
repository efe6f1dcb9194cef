"""What wormhole messages wait for on their real routes: the route-aware estimate.

Every channel carries its own load and is held until the tail has passed, so its holding time
contains the waits downstream; receivers are resources like channels. All nodes send equally many
messages, so that one interval T_c holds for all: the slowest node or the busiest resource sets
it. No constant is fitted. Times take any one unit; inside they are multiples of `occ`.

For a resource r and the messages that reach it through input a (the resource held before it):
u_a = lambda_a H_r, the share of time that r serves input a, H_r its mean holding time;
w_a = H_r [R sum_b u_b + sum_b lambda_b w_b] over the other inputs b ≠ a: input a is itself held
as long as its message is at r, so that no message meets another of its own input;
R = (1 + (1 − occ/H_r)²)/2, the residual of a holding time whose deviation is H_r − occ (Draper &
Ghosh 1994); H_r = occ + the mean of the waits after r. The equations of one resource have a
closed solution, and routes without circles are solved from the receivers backwards.

Measured against `advisor.messages.simulation.simulated_traffic`
(``tests.benchmarks.bench_wormhole``): within 6 % on the 8 × 4 mesh for uniform traffic and hotspots
of shares 0 … 0.5 at T = 1 … 20 occ; −10 … +3 % on other meshes, −14 % on a torus of 512 nodes;
permutations ±10 % at random intervals, −8 … +37 % at regular ones, where messages fall into step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import brentq

from advisor import kernels
from advisor.kernels import waits as kernel
from advisor.models.demand import Demand, Solution, added, demand_of
from machines.arrays import Floats, Ints
from machines.checks import number
from machines.errors import InputError
from machines.network import Channel

__all__ = [
    "Demand",
    "Estimate",
    "demand_of",
    "doubts",
    "estimate",
    "estimate_open",
    "node_waits",
    "waits_at",
]


_PRECISION = 1e-8  # of the contention, relative
_SMALLEST = 1e-100
_ROUNDING = 1e-12
_TOGETHER = 2_000_000  # waits of turns that nodes' waits are told from at once
_NUMPY = 20_000  # turns that are solved as fast by arrays as by loops


@dataclass(frozen=True, eq=False)
class Estimate:
    """The route-aware estimate at one interval and message size.

    Attributes
    ----------
    T_c : float
        Interval between the messages of every sending node.
    C_n : float
        Contention per message: T_c = max(T, occ) + terms · C_n; open: the mean of `node_waits`.
    node_waits : array, (P,)
        Mean wait of the messages of each node at that interval. Where a resource is saturated
        nodes wait longer, and T_c says so alone.
    utilisation : array, (channels,)
        Share of time that each channel carries a message.
    receivers : array, (P,)
        Share of time that each receiver takes a message in.
    held : array, (channels,)
        Share of time that each channel is held, the mean of its lanes.
    busiest : (int, int)
        The channel (u, v) that is held most, or (v, v) for the receiver of node v.
    saturated : bool
        Whether `busiest` sets T_c: it is held all the time.
    """

    T_c: float
    C_n: float
    node_waits: Floats
    utilisation: Floats
    receivers: Floats
    held: Floats
    busiest: Channel
    saturated: bool


@dataclass(frozen=True, eq=False)
class _Flow:
    """Waits (P,) and holding times (slot count,) in multiples of occ at one rate."""

    waits: Floats
    held: Floats  # share of time, by slot

    @property
    def busy(self) -> float:
        return float(self.held.max())


def estimate(demand: Demand, T: float, occ: float, terms: float = 1.0) -> Estimate:
    """T_c of nodes that wait for their messages: T_c = max(T, occ) + terms · W(1/T_c).

    W is the greatest mean wait of a node's messages at rate 1/T_c; T_c is at least such that no
    resource is held more than all the time. Stands in for the mean channel of Moritz & Frank
    2001, Eq. (7).

    Parameters
    ----------
    demand : Demand
    T : float
        Interval without contention, which contains the message's own `occ`, ≥ 0.
    occ : float
        Time that a message occupies a channel, > 0.
    terms : float
        Messages' worth of contention per interval, > 0.
    """
    duration = number("occ", occ, above=True)
    base = max(number("T", T), duration)
    worth = number("terms", terms, above=True)
    alone = base / duration

    @cache
    def needed(extra: float) -> float:
        flow = _flow(demand, 1.0 / (alone + extra))
        return max(worth * float(flow.waits.max()), (alone + extra) * flow.busy - alone)

    extra = _crossing(needed, max(demand.bound - alone, 0.0)) * duration
    return _made(demand, base + extra, extra / worth, duration)


def estimate_open(demand: Demand, T: float, occ: float) -> Estimate:
    """Contention of messages that appear at every sending node with mean interval T.

    C_n is the mean wait for channels and receiver, without the queue at the source. Stands in for
    Moritz & Frank 2001, Eq. (6), and knows where the network saturates.

    Parameters
    ----------
    demand : Demand
    T, occ : float
        Interval and time that a message occupies a channel, > 0.

    Raises
    ------
    InputError
        A value out of range, or messages more frequent than the network can carry.
    """
    duration, interval = number("occ", occ, above=True), number("T", T, above=True)
    flow = _flow(demand, duration / interval) if interval >= demand.bound * duration else None
    if flow is None or flow.busy > 1.0 or duration + duration * flow.waits.max() > interval:
        raise InputError(
            "the network saturates at this interval",
            where="T",
            value=T,
            remedy=f"Nodes that wait for their messages reach {estimate(demand, 0.0, occ).T_c:.4g}",
        )
    return _made(demand, interval, float(flow.waits[demand.sends].mean()) * duration, duration)


def node_waits(demand: Demand, T: float, occ: float) -> Floats:
    """Mean waits of the messages of each node that appear with mean interval T, (P,).

    Those of `estimate_open`, without the rest of an estimate; all infinite where the network
    can't carry that.

    Parameters
    ----------
    demand : Demand
    T, occ : float
        Interval, and time that a message occupies a channel, > 0.
    """
    waits: Floats = _flow(demand, occ / T).waits * occ
    return waits


def waits_at(demand: Demand, intervals: Floats) -> Floats:
    """`node_waits` at several intervals, (P, intervals), all in multiples of `occ`."""
    waits = np.full((len(demand.sends), len(intervals)), np.inf)
    width = max(1, _TOGETHER // len(demand.load))
    for begin in range(0, len(intervals), width):
        solved = [_solved(demand, 1.0 / T) for T in intervals[begin : begin + width].tolist()]
        known = {begin + place: found for place, found in enumerate(solved) if found is not None}
        if known:
            met = demand.by_node(np.column_stack([wait for wait, _, _ in known.values()]))
            met += [own - 1.0 for _, _, own in known.values()]
            waits[:, list(known)] = np.where(demand.sends[:, np.newaxis], met, 0.0)
    return waits


def doubts(
    T: float,
    occ: float,
    *,
    k_d: float | None = None,
    T_c: float | None = None,
    guard: float | None = None,
    cycle: float = 1.0,
) -> tuple[str, ...]:
    """Where the published closed model leaves its domain, one sentence each; empty: nowhere.

    Accuracies as measured by simulation on an 8 × 4 mesh, physical reading.

    Parameters
    ----------
    T, occ : float
        Interval without contention and time that a message occupies a channel, in one unit.
    k_d : float, optional
        Mean hops per dimension.
    T_c, guard : float, optional
        What the model says, and occ times the messages through the busiest receiver or channel
        per message of a node, which no T_c can fall below.
    cycle : float
        One cycle of the network in that unit.
    """
    found = []
    if T / occ < 3.0:
        found.append(
            f"Messages follow one another at {T / occ:.3g} occupancies: below 3 the closed model "
            "is optimistic by 8 to 35 %."
        )
    if k_d is not None and k_d > 3.0:
        found.append(
            f"Messages travel {k_d:.3g} hops per dimension: above 3 the busiest channels in the "
            "middle of a mesh set the pace, which the model does not know."
        )
    if occ < 10.0 * cycle:
        found.append(
            f"A message occupies a channel for {occ / cycle:.3g} cycles: below 10 the time of its "
            "header counts as well."
        )
    if T_c is not None and guard is not None and guard > T_c:
        found.append(
            f"The busiest receiver or channel needs {guard / T_c:.3g} times the interval that the "
            "model gives: the model does not know hotspots."
        )
    return tuple(found)


def _crossing(needed: Callable[[float], float], low: float) -> float:
    """Where x = needed(x), at `low` or above; `needed` falls and is infinite before some point."""
    at_low = needed(low)
    if at_low <= low:
        return low
    high = at_low if at_low < np.inf else 2.0 * low + 1.0
    while needed(high) > high:
        low, high = high, 2.0 * high
    while needed(low) == np.inf and high - low > _PRECISION * high:
        middle = (low + high) / 2.0
        if needed(middle) > middle:
            low = middle
        else:
            high = middle
    if high - low <= _PRECISION * high:
        return high
    # scipy keeps what it is given in a circle, from which the demand, of hundreds of MB, is taken
    asked = [needed]
    try:
        return float(brentq(lambda x: asked[0](x) - x, low, high, rtol=_PRECISION, xtol=_SMALLEST))
    finally:
        asked.clear()


def _flow(demand: Demand, rate: float) -> _Flow:
    """Waits and holding times at a rate of every sending node, in messages per occ.

    All are infinite where the network can't carry that rate.
    """
    found = _solved(demand, rate)
    if found is None:
        count = len(demand.held.partner)
        return _Flow(np.full(len(demand.sends), np.inf), np.full(count, np.inf))
    wait, held, own = found
    met = demand.by_node(wait[:, np.newaxis])[:, 0]
    return _Flow(np.where(demand.sends, met + (own - 1.0), 0.0), held)


def _solved(demand: Demand, rate: float) -> Solution | None:
    """The solution at a rate, which is looked for once."""
    if rate not in demand.solved:
        demand.remember(rate, found := _solution(demand, rate))
        return found
    return demand.solved[rate]


def _solution(demand: Demand, rate: float) -> Solution | None:
    """What messages wait at each turn, level by level; None where that is endless."""
    flows, entering = rate * demand.load, rate * demand.entering
    own = _transfer(rate * demand.meetings)
    held, wait = np.zeros(len(entering)), np.empty(len(flows))
    if demand.effort > _NUMPY and kernels.loaded():
        demand.pause()
        turns = demand.inputs, demand.slots, demand.order.receiving
        many = demand.into, demand.out
        endless = not kernel.solved(*turns, flows, *many, entering, own, held, wait)
    else:
        endless = not _by_levels(demand, flows, entering, own, held, wait)
    if endless:
        return None
    each = np.append(held, 0.0)[demand.classes]  # the last of those that nobody uses
    return wait, rate * demand.slot_loads * each, own


def _by_levels(
    demand: Demand, flows: Floats, entering: Floats, own: float, held: Floats, wait: Floats
) -> bool:
    """As `advisor.kernels.waits.solved`, to the last digit, without compiled code."""
    on = np.empty(len(flows))
    for level in demand.order.levels:
        demand.pause()
        part = slice(level.first, level.last)
        if level.first:
            after = added(level.behind, on[level.leaving], len(level.slots))
            held[level.slots] = after / entering[level.slots]
        else:  # the receivers
            held[level.slots] = own
        found = _waits(level.group, flows[part], demand.into[part], held[level.slots], own)
        if found is None:
            return False
        wait[part] = found
        on[part] = demand.out[part] * (flows[part] * (found + held[demand.slots[part]]))
    return True


def _waits(slots: Ints, flows: Floats, into: Floats, held: Floats, own: float) -> Floats | None:
    """Waits of turns into slots held for `held` by each message; None where they are endless.

    With u = lambda H, w = H (R U + Q)/(1 + u), where U and Q = sum of lambda w are of all inputs;
    summed over the inputs that is linear in Q.
    """
    count = len(held)
    time = held[slots]
    use = flows * time
    others = added(slots, into * use, count)[slots] - use
    others[others < _ROUNDING] = 0.0  # an only input leaves rounding errors
    residual = 0.5 * (1.0 + (1.0 - own / time) ** 2) * others
    yielding = use / (1.0 + use)
    spare = 1.0 - added(slots, into * yielding, count)
    if spare.min() <= 0.0:
        return None
    queued = added(slots, into * (yielding * residual), count) / spare
    waits: Floats = time * (residual + queued[slots]) / (1.0 + use)
    return waits


def _transfer(met: float) -> float:
    """Time to transfer a message, in occ: more than 1 where it shares channels of rings.

    Sharing halves the rate; a message finds the other lane busy somewhere on its way with a
    probability of at most the sum over its channels, `met`.
    """
    # duration = 1 + half of the time shared, which is met * duration² but at most all of it
    return float(2.0 / (1.0 + np.sqrt(max(1.0 - 2.0 * met, 0.0))))


def _made(demand: Demand, T_c: float, C_n: float, occ: float) -> Estimate:
    """The estimate with what holds at interval `T_c`."""
    slots, rate = demand.held, occ / T_c
    flow = _flow(demand, rate)
    loads = demand.slot_loads
    lanes = slots.by_channel(np.ones(len(loads)))
    where = int(np.argmax(flow.held))
    return Estimate(
        T_c=T_c,
        C_n=C_n,
        node_waits=flow.waits * occ,
        utilisation=rate * demand.channel_loads,
        receivers=rate * slots.by_receiver(loads),
        held=slots.by_channel(flow.held) / lanes,
        busiest=slots.end_points(where),
        saturated=flow.busy > 1.0 - 1e-6,
    )
