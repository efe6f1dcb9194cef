"""Networks by name and shape, orders of processes on them, and times in words."""

from __future__ import annotations

import pytest

from advisor.messages.networks import ORDER_NAMES, Clock, chosen_network, placed, shape
from machines import Crossbar, Dragonfly, FatTree, InputError, Mesh, MultiCore, Network
from machines.catalogue import interconnect


def test_a_preset_keeps_its_costs_in_another_shape() -> None:
    other = chosen_network("alewife", "4×4×2 torus")
    assert other.network == Mesh((4, 4, 2), wrap=True)
    assert other.long == interconnect("alewife").long
    assert chosen_network("alewife", " ") is interconnect("alewife")
    assert chosen_network("alewife", "6 x 6").network == Mesh((6, 6))


@pytest.mark.parametrize(
    ("dims", "network", "words"),
    [
        ("16x4 fat tree", FatTree((16, 4)), "16 × 4 fat tree"),
        ("4x4x4 fat-tree", FatTree((4, 4, 4)), "4 × 4 × 4 fat tree"),
        ("16×4 Fat tree 2:1", FatTree((16, 4), taper=2), "16 × 4 fat tree 2:1"),
        ("4x8x9 dragonfly", Dragonfly((4, 8, 9)), "4 × 8 × 9 dragonfly"),
        ("32 crossbar", Crossbar(32), "32 crossbar"),
    ],
)
def test_shapes_of_switches_are_read_and_told(dims: str, network: Network, words: str) -> None:
    assert chosen_network("alewife", dims).network == network
    assert shape(network) == words
    assert shape(MultiCore(network, 8)) == f"{words} of 8 cores a node"


@pytest.mark.parametrize(
    "dims",
    [
        "8y4",
        "x",
        "4x",
        "0x4",
        "4x4 fat tree 0:1",
        "8x4 ring",
        "-3",
        "8x4 torus 2:1",
        "9x4 fat tree 2:1",
        "4x4 dragonfly",
    ],
)
def test_a_shape_that_is_none_is_refused(dims: str) -> None:
    with pytest.raises(InputError):
        chosen_network("alewife", dims)


@pytest.mark.parametrize("order", ORDER_NAMES)
def test_every_order_gives_each_process_a_node_of_its_own(order: str) -> None:
    nodes = placed(Mesh((4, 4)), order, 10, seed=3)
    assert len(set(nodes)) == len(nodes) == 10
    assert max(nodes) < 16


def test_what_can_not_be_placed_is_refused() -> None:
    with pytest.raises(InputError, match="do not fit"):
        placed(Mesh((2, 2)), "row-major", 5)
    with pytest.raises(InputError, match="snake"):
        placed(Mesh((2, 2)), "spiral", 4)


def test_times_are_shown_in_cycles_or_seconds() -> None:
    cycles, seconds = Clock.of(interconnect("alewife")), Clock.of(interconnect("myrinet-now"))
    assert (cycles.unit, cycles.shown(453.0), cycles.text(453.0)) == ("cycle", 453.0, "453 cycles")
    assert seconds.unit == "s"
    assert seconds.text(2.9) == "2.90 µs"
    assert shape(Mesh((8, 4))) == "8 × 4 mesh"


def test_a_measured_time_comes_with_its_interval() -> None:
    cycles, seconds = Clock.of(interconnect("alewife")), Clock.of(interconnect("slingshot"))
    assert cycles.measured(1804.4, 11.3) == "1,804 ± 11 cycles"
    assert cycles.measured(1020.0, 0.0) == cycles.text(1020.0)
    unit_s = interconnect("slingshot").unit_s
    assert seconds.measured(14.2e-6 / unit_s, 0.24e-6 / unit_s) == "14.2 ± 0.2 µs"
