"""Turns in groups: how few there are on regular networks, and what each of them stands for."""

from __future__ import annotations

import numpy as np
import pytest

from advisor import kernels
from advisor.messages.patterns import all_to_all, hotspot, permutation
from advisor.models import transition_classes as alike
from advisor.models.demand import Demand, demand_of
from machines import Dragonfly, FatTree, Hypercube, Mesh
from machines.arrays import Floats
from machines.network import Network
from machines.traffic import routes_of


def grouped(network: Network, chances: Floats, patch: pytest.MonkeyPatch) -> Demand:
    """A demand in groups, whatever they save."""
    patch.setattr(kernels, "loaded", lambda: True)
    patch.setattr("advisor.models.demand.GROUPED", 0)
    return demand_of(routes_of(network), chances, keep=False)


def test_where_all_send_to_all_through_one_switch_all_ports_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    demand = grouped(FatTree((20,)), all_to_all(20), monkeypatch)
    # from hosts to their links up, from there to links down, from there to receivers
    into, out = dict(zip(demand.slots.tolist(), demand.into.tolist(), strict=True)), demand.out
    assert len(demand.load) == 3
    assert sorted(into.values()) == [1.0, 1.0, 19.0]
    assert sorted(out.tolist()) == [1.0, 1.0, 19.0]


def test_a_hotspot_has_ports_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    few = len(grouped(FatTree((20,)), all_to_all(20), monkeypatch).load)
    assert few < len(grouped(FatTree((20,)), hotspot(20, 0.3, 7), monkeypatch).load) < 20


@pytest.mark.parametrize(
    "network",
    [FatTree((3, 4)), FatTree((2, 2, 2)), Hypercube(4), Mesh((5, 3), wrap=True), Mesh((4, 4)),
     Dragonfly((2, 3, 4))],
    ids=str,
)  # fmt: skip
def test_groups_hold_all_turns_and_what_they_carry(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chances in (all_to_all(network.size), permutation(network.size, 2)):
        alone = demand_of(routes_of(network), chances, keep=False)
        demand = grouped(network, chances, monkeypatch)
        monkeypatch.undo()
        sizes = np.bincount(demand.classes[demand.classes >= 0])
        turns = demand.into * sizes[demand.slots]
        assert turns == pytest.approx(np.rint(turns))
        assert turns.sum() == pytest.approx(len(alone.load))
        assert (turns * demand.load).sum() == pytest.approx(alone.load.sum())
        assert demand.slot_loads == pytest.approx(alone.slot_loads, rel=1e-12)
        # every slot is as deep as the others of its class
        used = demand.classes >= 0
        assert (demand.order.depth[demand.classes[used]] == alone.order.depth[used]).all()


def test_so_many_groups_that_they_would_save_nothing_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(alike, "_GROUPS", 4)
    monkeypatch.setattr(alike, "_MOST", 4)
    chances = np.random.default_rng(1).random((9, 9))
    np.fill_diagonal(chances, 0.0)
    demand = grouped(FatTree((9,)), chances / chances.sum(axis=1, keepdims=True), monkeypatch)
    assert (demand.into == 1.0).all()
    assert len(demand.load) == 9 * 10  # each turn for itself


def test_more_groups_than_there_was_room_for_at_first_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    roomy = grouped(Mesh((4, 4)), hotspot(16, 0.2, 5), monkeypatch)
    monkeypatch.setattr(alike, "_GROUPS", 4)
    tight = grouped(Mesh((4, 4)), hotspot(16, 0.2, 5), monkeypatch)
    assert len(tight.load) == len(roomy.load) > 4
    assert (tight.kinds == roomy.kinds).all()
