"""Turns of messages: gathered on their way to a target they are those followed from the sources."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from advisor.messages.patterns import all_to_all, hotspot
from advisor.models import wormhole
from advisor.models.channel_transitions import ChannelTransitions
from advisor.models.message_paths import paths_of, slots_of
from advisor.models.wormhole import demand_of, estimate, node_waits
from machines import Crossbar, Dragonfly, FatTree, Hypercube, InputError, Mesh
from machines.arrays import Floats
from machines.traffic import Routes, channel_loads, routes_of

NETWORKS = (
    Mesh((5,)),
    Mesh((5, 3)),
    Mesh((3, 2, 3)),
    Mesh((7,), wrap=True),
    Mesh((5, 4), wrap=True),
    Mesh((2, 3, 4), wrap=True),
    Hypercube(4),
    Crossbar(6),
    FatTree((3, 4)),
    FatTree((2, 3, 2), taper=2),
    Dragonfly((2, 2, 4)),
)
everywhere = pytest.mark.parametrize(
    "routes", [*map(routes_of, NETWORKS)], ids=lambda r: str(r.network)
)


def uneven(nodes: int) -> Floats:
    """Some send here, some there, one nowhere."""
    rng = np.random.default_rng(nodes)
    chances = rng.random((nodes, nodes)) * (rng.random((nodes, nodes)) < 0.7)
    np.fill_diagonal(chances, 0.0)
    chances[nodes // 2] = 0.0
    sums = chances.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(chances, sums, out=np.zeros_like(chances), where=sums > 0.0))


def patterns(nodes: int) -> tuple[Floats, ...]:
    """Even, to one node more than to others, and uneven."""
    return all_to_all(nodes), hotspot(nodes, 0.3, nodes // 3), uneven(nodes)


@everywhere
def test_what_gathers_on_its_way_is_what_is_followed_from_its_sources(routes: Routes) -> None:
    for chances in patterns(routes.network.size):
        turns = ChannelTransitions.of(slots_of(routes), chances)
        blocks, followed = turns.shares(range(len(chances)))
        each = np.random.default_rng(1).random(turns.count)
        loads = turns.loads()
        assert loads == pytest.approx(followed, rel=1e-12, abs=0.0)
        met = [
            float(weights[begin:end] @ each[taken[begin:end]])
            for weights, taken, begins in blocks
            for begin, end in pairwise(begins)
        ]
        assert turns.met(each[:, None], loads)[:, 0] == pytest.approx(met, rel=1e-12, abs=0.0)
        anew = replace(turns, trees=[])  # as where there was no room
        assert (anew.met(each[:, None], loads)[:, 0] == turns.met(each[:, None], loads)[:, 0]).all()


@everywhere
def test_every_message_meets_what_is_at_the_turns_of_its_own_path(routes: Routes) -> None:
    chances = uneven(routes.network.size)
    nodes, turns = len(chances), ChannelTransitions.of(slots_of(routes), chances)
    loads = turns.loads()
    numbers = np.flatnonzero(loads)
    ends = list(zip(*(part.tolist() for part in turns.ends(numbers)), strict=True))
    amount = dict(zip(ends, np.random.default_rng(2).random(len(ends)).tolist(), strict=True))
    each = np.zeros(turns.count)
    each[numbers] = [amount[end] for end in ends]
    paths, met = paths_of(routes, chances > 0.0), np.zeros(nodes)
    slots = len(paths.partner)
    for source, target in np.argwhere(chances > 0.0).tolist():
        begin, end = paths.offsets[source * nodes + target :][:2]
        held = [slots + source, *paths.slots[begin:end].tolist()]
        on_the_way = sum(amount[turn] for turn in pairwise(held))
        met[source] += chances[source, target] * on_the_way
    assert turns.met(each[:, None], loads)[:, 0] == pytest.approx(met, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    "network", [Mesh((300,), wrap=True), Mesh((300,)), Mesh((150, 2), wrap=True)], ids=str
)
@pytest.mark.parametrize("source", [0, 137, 298])
def test_those_that_stay_together_on_long_ways_take_what_each_takes(
    network: Mesh, source: int
) -> None:
    routes, chances = routes_of(network), uneven(network.size)
    turns = ChannelTransitions.of(slots_of(routes), chances)
    [(weights, taken, _)], load = turns.shares([source])
    assert (load[taken] == weights).all()
    sends = np.zeros(chances.shape, np.bool_)
    sends[source] = chances[source] > 0.0
    paths, nodes = paths_of(routes, sends), network.size
    slots, share = len(paths.partner), dict[tuple[int, int], float]()
    for target in np.flatnonzero(sends[source]).tolist():
        begin, end = paths.offsets[source * nodes + target :][:2]
        for turn in pairwise([slots + source, *paths.slots[begin:end].tolist()]):
            share[turn] = share.get(turn, 0.0) + float(chances[source, target])
    order = np.argsort(taken)
    ends = (part.tolist() for part in turns.ends(taken[order].astype(np.int64)))
    found = dict(zip(zip(*ends, strict=True), weights[order].tolist(), strict=True))
    assert found == pytest.approx(share, rel=1e-12)


@everywhere
def test_nothing_kept_is_the_same_as_all_kept(routes: Routes) -> None:
    for chances in patterns(routes.network.size)[:2]:
        kept, anew = demand_of(routes, chances), demand_of(routes, chances, keep=False)
        assert kept.shares is not None
        assert anew.shares is None
        assert anew.load == pytest.approx(kept.load, rel=1e-12, abs=0.0)
        assert anew.channel_loads == pytest.approx(channel_loads(routes, chances), rel=1e-12)
        assert anew.bound == pytest.approx(kept.bound, rel=1e-12)
        T = 2.5 * kept.bound
        all_waits = node_waits(kept, T, 1.0)
        assert node_waits(anew, T, 1.0) == pytest.approx(all_waits, rel=1e-12)
        two = np.array([0, len(chances) - 1])
        for one in (anew, kept):
            some = node_waits(one.of_nodes(two), T, 1.0)
            assert some[two] == pytest.approx(all_waits[two], rel=1e-12)
        assert estimate(anew, 0.0, 1.0).T_c == pytest.approx(estimate(kept, 0.0, 1.0).T_c)


def test_ways_are_kept_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    routes = routes_of(Mesh((9, 9), wrap=True))  # 81 targets: two blocks
    turns = ChannelTransitions.of(slots_of(routes), all_to_all(81))
    each = np.random.default_rng(3).random(turns.count)
    met = turns.met(each[:, None], turns.loads())[:, 0]
    assert len(turns.trees) == 2
    room = 1 + turns.count + len(turns.trees[0].order)
    monkeypatch.setattr("advisor.models.channel_transitions._KEPT", room)
    assert (turns.met(each[:, None], turns.loads())[:, 0] == met).all()
    assert len(turns.trees) == 1


def test_more_turns_than_there_is_room_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.models.channel_transitions._MOST", 1000)
    with pytest.raises(InputError, match=r"dragonfly: messages can take .* fewer links"):
        ChannelTransitions.of(slots_of(routes_of(Dragonfly((1, 2, 24)))), all_to_all(48))


def test_few_messages_are_kept_whatever_is_asked_for() -> None:
    routes = routes_of(Mesh((6, 6)))
    assert demand_of(routes, np.eye(36, k=1), keep=False).shares is not None


def test_many_messages_are_found_anew_however_many_switches_there_are() -> None:
    routes, some = routes_of(FatTree((2,) * 6)), np.random.default_rng(0).permutation(64)[:32]
    chances = np.zeros((64, 64))
    chances[np.ix_(some, some)] = all_to_all(32)
    assert demand_of(routes, chances, keep=False).shares is None


def test_a_message_that_meets_few_others_is_sent_in_hardly_more_than_its_time() -> None:
    # duration = 1 + met duration²/2: 1 + met/2 to first order, however little that is
    for met in (1e-15, 1e-12, 1e-6):
        assert wormhole._transfer(met) - 1.0 == pytest.approx(met / 2.0, rel=1e-2 + 1e-15 / met)
    assert wormhole._transfer(0.0) == 1.0
    assert wormhole._transfer(0.375) == pytest.approx(4.0 / 3.0)
    assert wormhole._transfer(0.5) == wormhole._transfer(3.0) == 2.0


def test_no_rate_is_solved_twice_whoever_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    one = demand_of(routes_of(Mesh((4, 4), wrap=True)), all_to_all(16))
    rates: list[float] = []
    solve = wormhole._solution
    monkeypatch.setattr(wormhole, "_solution", lambda d, r: rates.append(r) or solve(d, r))
    first = estimate(one, 0.0, 1.0)
    assert estimate(one.of_nodes(np.arange(16)), 0.0, 1.0).T_c == first.T_c
    assert len(rates) == len(set(rates)) > 5
    assert node_waits(one, first.T_c, 1.0) == pytest.approx(first.node_waits)
    assert len(rates) == len(set(rates))


def test_solutions_of_large_networks_are_kept_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = demand_of(routes_of(Mesh((4, 4), wrap=True)), all_to_all(16))
    monkeypatch.setattr("advisor.models.demand._REMEMBERED", 3 * len(one.load))
    T_c = estimate(one, 0.0, 1.0).T_c
    assert len(one.solved) == 3
    assert estimate(replace(one, solved={}), 0.0, 1.0).T_c == T_c


def test_the_levels_are_those_of_the_turns() -> None:
    one = demand_of(routes_of(Mesh((4, 3), wrap=True)), all_to_all(12))
    for level in one.order.levels:
        part = slice(level.first, level.last)
        assert (level.slots[level.group] == one.slots[part]).all()
        assert level.first > 0 or not len(level.leaving)
        for place, slot in enumerate(level.slots.tolist() if level.first else []):
            out = level.leaving[level.behind == place]
            assert out.tolist() == np.flatnonzero(one.inputs == slot).tolist()
            assert out.max() < level.first  # solved before
