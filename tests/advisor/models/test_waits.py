"""Waits by the definition: every route followed, every equation iterated, in plain Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from itertools import pairwise

import numpy as np
import pytest

from advisor import kernels
from advisor.kernels import waits as kernel
from advisor.messages.patterns import all_to_all, em3d, hotspot, permutation
from advisor.models import wormhole
from advisor.models.demand import Demand, demand_of
from advisor.models.wormhole import node_waits
from machines import Crossbar, Dragonfly, FatTree, Hypercube, InputError, Mesh
from machines.arrays import Floats
from machines.network import Channel, Network
from machines.traffic import routes_of

NETWORKS: tuple[Network, ...] = (
    Mesh((7,)),
    Mesh((4, 3)),
    Mesh((6,), wrap=True),
    Mesh((4, 3), wrap=True),
    Hypercube(3),
    Crossbar(6),
    FatTree((2, 2, 2)),
    FatTree((4, 3), taper=2),
)
everywhere = pytest.mark.parametrize("network", NETWORKS, ids=str)
Turn = tuple[Hashable, Hashable]


def patterns(nodes: int) -> tuple[Floats, ...]:
    """All that the product offers where all send, and neighbours."""
    return all_to_all(nodes), hotspot(nodes, 0.3, nodes // 3), permutation(nodes, 1), em3d(nodes, 1)


def held_on(network: Network, i: int, j: int) -> list[Hashable]:
    """What a message holds from its node on: channels with their lanes, and its receiver."""
    found: list[Hashable] = [("node", i)]
    before, crossed = -1, False
    for u, v in network.route(i, j):
        ring, seam = ring_of(network, (u, v)) if network.kind == "torus" else (0, False)
        crossed = crossed and ring == before
        found.append((u, v, crossed))
        before, crossed = ring, crossed or seam
    return [*found, ("receiver", j)]


def ring_of(network: Network, channel: Channel) -> tuple[int, bool]:
    """The dimension of a torus that a channel runs along, and whether it is the ring's seam."""
    u, v = channel
    for number, k in enumerate(network.dims):
        (u, x), (v, y) = divmod(u, k), divmod(v, k)
        if x != y:
            return number, abs(x - y) == k - 1
    raise AssertionError(channel)


def plain_waits(network: Network, chances: Floats, rate: float) -> list[float]:
    """Mean waits of each node's messages at a rate, in messages per occupancy."""
    nodes = range(network.size)
    ways = {(i, j): held_on(network, i, j) for i in nodes for j in nodes if chances[i, j] > 0}
    flow: dict[Turn, float] = defaultdict(float)
    for pair, way in ways.items():
        for turn in pairwise(way):
            flow[turn] += rate * chances[pair]
    into: dict[Hashable, list[Hashable]] = defaultdict(list)
    out: dict[Hashable, list[Hashable]] = defaultdict(list)
    for one, other in flow:
        into[other].append(one)
        out[one].append(other)
    own = transferred(flow, into, rate)
    held: dict[Hashable, float] = {}
    wait: dict[Turn, float] = {}

    def solve(slot: Hashable) -> None:
        for after in out[slot]:
            if after not in held:
                solve(after)
        total = sum(flow[slot, after] for after in out[slot])
        on = sum(flow[slot, after] * (wait[slot, after] + held[after]) for after in out[slot])
        H = held[slot] = on / total if out[slot] else own
        rest = 0.5 * (1.0 + (1.0 - own / H) ** 2)
        w = dict.fromkeys(into[slot], 0.0)
        for _ in range(80):
            for a in w:
                others = [b for b in w if b != a]
                w[a] = H * sum(flow[b, slot] * (H * rest + w[b]) for b in others)
        wait.update({(a, slot): one for a, one in w.items()})

    for slot in list(into):
        if slot not in held:
            solve(slot)
    found = [0.0] * network.size
    for (i, j), way in ways.items():
        found[i] += chances[i, j] * (own - 1.0 + sum(wait[turn] for turn in pairwise(way)))
    return found


def transferred(
    flow: dict[Turn, float], into: dict[Hashable, list[Hashable]], rate: float
) -> float:
    """Time to transfer a message, longer where the other lane of a channel is busy, too."""
    through = {slot: sum(flow[one, slot] for one in before) for slot, before in into.items()}
    sent = sum(amount for slot, amount in through.items() if slot[0] == "receiver")  # type: ignore[index]
    met = sum(
        amount * through.get((slot[0], slot[1], not slot[2]), 0.0)  # type: ignore[index]
        for slot, amount in through.items()
        if len(slot) == 3  # type: ignore[arg-type]
    )
    own = 1.0
    for _ in range(80):
        own = 1.0 + met / sent * own**2 / 2.0
    assert rate > 0.0
    return own


@everywhere
@pytest.mark.parametrize("solved", ["arrays", "loops", "groups"])
def test_the_waits_are_those_of_the_definition(
    network: Network, solved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if solved != "arrays":  # plain Python or its twin, whichever is there: the same loops
        monkeypatch.setattr(wormhole, "_NUMPY", 0)
        monkeypatch.setattr(kernels, "loaded", lambda: True)
        monkeypatch.setattr("advisor.models.demand.GROUPED", 0 if solved == "groups" else 10**9)
    for chances in patterns(network.size):
        kept, anew = (demand_of(routes_of(network), chances, keep) for keep in (True, False))
        T = 3.0 * kept.bound
        plain = plain_waits(network, chances, 1.0 / T)
        assert node_waits(kept, T, 1.0) == pytest.approx(plain, rel=1e-9)
        assert node_waits(anew, T, 1.0) == pytest.approx(plain, rel=1e-9)


@pytest.mark.parametrize("network", [*NETWORKS, Dragonfly((2, 3, 4)), Mesh((9, 9))], ids=str)
def test_loops_and_arrays_solve_to_the_same_digit(network: Network) -> None:
    for chances in patterns(network.size):
        demand = demand_of(routes_of(network), chances)
        for T in (1.0, 1.3, 2.0, 20.0):
            solved = [by_arrays(demand, T), by_loops(demand, T)]
            assert solved[0][0] == solved[1][0]
            if solved[0][0]:
                assert (solved[0][1] == solved[1][1]).all()
                assert (solved[0][2] == solved[1][2]).all()


def by_arrays(demand: Demand, T: float) -> tuple[bool, Floats, Floats]:
    """Whether all waits end, the time that each slot is held, and the waits."""
    held, wait = np.zeros(len(demand.slot_loads)), np.zeros(len(demand.load))
    flows, entering = demand.load / T / demand.bound, demand.slot_loads / T / demand.bound
    return wormhole._by_levels(demand, flows, entering, 1.1, held, wait), held, wait


def by_loops(demand: Demand, T: float) -> tuple[bool, Floats, Floats]:
    """The same, by the kernel."""
    held, wait = np.zeros(len(demand.slot_loads)), np.zeros(len(demand.load))
    flows, entering = demand.load / T / demand.bound, demand.slot_loads / T / demand.bound
    turns = demand.inputs, demand.slots, demand.order.receiving
    many = demand.into, demand.out
    return bool(kernel.solved(*turns, flows, *many, entering, 1.1, held, wait)), held, wait


def test_a_circle_of_channels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = routes_of(Mesh((6,), wrap=True))
    monkeypatch.setattr("advisor.models.message_paths._LANES", {})  # one lane each: it can lock up
    with pytest.raises(InputError, match="circle of channels"):
        demand_of(ring, all_to_all(6))


@pytest.mark.parametrize("grouped", [0, 10**9])
def test_a_circle_is_one_in_groups_as_well(grouped: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "loaded", lambda: True)
    monkeypatch.setattr("advisor.models.demand.GROUPED", grouped)
    monkeypatch.setattr("advisor.models.message_paths._LANES", {})
    with pytest.raises(InputError, match="circle of channels"):
        demand_of(routes_of(Mesh((6,), wrap=True)), all_to_all(6))


@everywhere
def test_what_two_watch_is_what_they_watch_together(network: Network) -> None:
    chances = all_to_all(network.size)
    demand = demand_of(routes_of(network), chances, keep=False)
    demand = demand if demand.shares is None else demand.of_nodes(np.arange(network.size))
    one, other = np.array([1, 4]), np.array([0, 5])
    both = demand.of_nodes(one).joined(demand.of_nodes(other))
    together = demand.of_nodes(np.array([0, 1, 4, 5]))
    T = 2.0 * demand.bound
    assert (node_waits(both, T, 1.0) == node_waits(together, T, 1.0)).all()
    assert node_waits(both, T, 1.0)[[0, 1, 4, 5]].min() > 0.0
