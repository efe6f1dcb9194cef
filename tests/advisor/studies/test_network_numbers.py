"""Numbers of a network in any unit, fitted to files of known lines, and told with who says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.network_settings import NetworkSettings, ShapedNetworkSettings
from advisor.studies.network_source import (
    NetworkFound,
    network_of_settings,
    parallel_machines,
    with_stated_shape,
)
from advisor.studies.styles.parameters import StylesParameters
from machines import Crossbar, InputError, LogGP, Mesh, Platform
from machines.catalogue import interconnect
from machines.parameters import parameters_of
from machines.platform import Machine

OWN = ShapedNetworkSettings(
    network="own numbers", latency=6.0, overhead=2.0, overhead_receive=3.0, gap=4.0,
    gap_per_byte=0.01, dims="4x2",
)  # fmt: skip


def in_seconds(found: NetworkFound) -> list[float]:
    net = found.net
    long, short = ((p.L, p.o_s, p.o_r, p.g, p.G) for p in (net.long, net.short))
    return [value * net.unit_s for value in (*long, *short)]


def texts(found: NetworkFound, inside: bool) -> list[str]:
    return [note.text for note in found.notes if note.inside_domain == inside]


def file_of(folder: Path, *lines: tuple[int, float, float, tuple[int, ...]]) -> str:
    """One-way times on lines of startup and µs a byte, at some sizes each, up to a size."""
    rows = [f"{size},{(startup + each * size) * 1e-6!r}"
            for _, startup, each, sizes in lines for size in sizes]  # fmt: skip
    path = folder / "pp.csv"
    path.write_text("\n".join(("size_bytes,seconds_one_way", *rows)), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("unit", "factor", "cycle_ns"),
    [("µs", 1.0, None), ("ns", 1e3, None), ("ms", 1e-3, None), ("s", 1e-6, None),
     ("cycle", 50.0, 20.0), ("cycle", 1e3, None)],
)  # fmt: skip
def test_the_same_network_in_any_unit_takes_the_same_seconds(
    unit: str, factor: float, cycle_ns: float | None
) -> None:
    scaled = replace(
        OWN, unit=unit, cycle_ns=cycle_ns, latency=6.0 * factor, overhead=2.0 * factor,
        overhead_receive=3.0 * factor, gap=4.0 * factor, gap_per_byte=0.01 * factor,
    )  # fmt: skip
    # a short message has no price of bytes
    expected = [6e-6, 2e-6, 3e-6, 4e-6, 1e-8, 6e-6, 2e-6, 3e-6, 4e-6, 0.0]
    assert in_seconds(network_of_settings(scaled)) == pytest.approx(expected)


@pytest.mark.parametrize("cycle_ns", [1.0, 50.0])
def test_a_cycle_that_is_stated_is_not_called_assumed(cycle_ns: float) -> None:
    stated = replace(OWN, unit="cycle", cycle_ns=cycle_ns)
    assert texts(network_of_settings(stated), inside=False) == []
    assumed = network_of_settings(replace(OWN, unit="cycle"))
    assert texts(assumed, inside=False) == ["Assumed: a cycle of 1 ns, where times are in seconds"]


def test_numbers_that_were_stated_are_told_and_those_left_out_are_assumed() -> None:
    found = network_of_settings(OWN)
    assert texts(found, inside=True) == [
        "Stated: L 6, o 2, o_r 3, g 4, G 0.01 µs", "Stated: 4 × 2 mesh, 8 nodes",
    ]  # fmt: skip
    assert texts(found, inside=False) == []
    open_gap = network_of_settings(replace(OWN, gap=None))
    assert open_gap.net.long.g == 3.0  # the longer overhead
    assert texts(open_gap, inside=False) == ["Assumed: g = 3 µs, the longer overhead"]
    even = network_of_settings(replace(OWN, gap=None, overhead_receive=None))
    assert (even.net.long.o_r, even.net.long.g) == (2.0, 2.0)
    assert texts(even, inside=True)[0] == "Stated: L 6, o 2, G 0.01 µs"


def test_a_startup_is_split_between_the_processors_and_the_network(tmp_path: Path) -> None:
    path = file_of(tmp_path, (0, 12.0, 0.02, (1, 10, 100, 1000, 10_000)))
    asked = ShapedNetworkSettings(network="ping-pong", pingpong=path, dims="4x2")
    found = network_of_settings(asked).net.long
    assert pytest.approx(0.02) == found.G
    assert (found.o_s, found.o_r, found.L) == pytest.approx((3.0, 3.0, 6.0))  # a quarter each
    for sent, received in ((1.0, None), (0.0, 5.0), (6.0, 6.0)):
        given = replace(asked, overhead=sent, overhead_receive=received)
        own = network_of_settings(given).net.long
        o_r = sent if received is None else received
        assert (own.o_s, own.o_r) == (sent, o_r)
        assert pytest.approx(12.0 - sent - o_r, abs=1e-9) == own.L


@pytest.mark.parametrize(("sent", "received"), [(7.0, None), (0.0, 12.5), (12.5, 0.0), (6.0, 6.5)])
def test_overheads_beyond_the_startup_are_refused(
    sent: float, received: float | None, tmp_path: Path
) -> None:
    path = file_of(tmp_path, (0, 12.0, 0.02, (1, 10, 100, 1000)))
    with pytest.raises(InputError, match=r"setting overhead: .*12\.0 µs can't have overheads of"):
        network_of_settings(
            ShapedNetworkSettings(
                network="ping-pong", pingpong=path, dims="4x2", overhead=sent,
                overhead_receive=received,
            )
        )  # fmt: skip


def test_a_file_without_any_startup_is_refused_as_such(tmp_path: Path) -> None:
    path = tmp_path / "pp.csv"
    rows = [f"{size},{1e-9 * size**1.2!r}" for size in (100, 200, 400, 800)]
    path.write_text("\n".join(("size_bytes,seconds_one_way", *rows)), encoding="utf-8")
    asked = ShapedNetworkSettings(network="ping-pong", pingpong=str(path), dims="4x2")
    for overhead in (None, 1.0):
        with pytest.raises(
            InputError, match=r"setting pingpong: .*pp\.csv: .*no startup.*-1\.253e-07 s.*short"
        ):
            network_of_settings(replace(asked, overhead=overhead))


@pytest.mark.parametrize(("size", "side"), [(400, "below"), (9000, "above")])
def test_each_kind_of_message_is_on_its_side_of_a_protocol_switch(
    size: int, side: str, tmp_path: Path
) -> None:
    path = file_of(
        tmp_path,
        (500, 10.0, 0.01, (1, 50, 100, 200, 500)),
        (0, 40.0, 0.002, (1000, 2000, 5000, 10_000, 20_000)),
    )
    asked = StylesParameters(
        network="ping-pong", pingpong=path, dims="4x2", overhead=1.0, message_bytes=size,
        short_bytes=16.0,
    )  # fmt: skip
    found = network_of_settings(asked)
    startup, each = (10.0, 0.01) if side == "below" else (40.0, 0.002)
    assert pytest.approx(startup - 2.0) == found.net.long.L
    assert pytest.approx(each) == found.net.long.G
    assert pytest.approx(10.0 - 2.0) == found.net.short.L  # 16 bytes are always below
    assert found.net.short.G == 0.0
    (told,) = [text for text in texts(found, inside=True) if text.startswith("Fitted")]
    assert (
        f"Fitted to 10 ping-pongs by relative errors, {side} the protocol switch at 500 B" in told
    )
    assert f"2o + L = {startup:.1f} µs, G = {1000 * each:.3g}" in told


def test_the_unit_of_the_overheads_is_that_of_the_settings(tmp_path: Path) -> None:
    path = file_of(tmp_path, (0, 12.0, 0.02, (1, 10, 100, 1000)))
    asked = ShapedNetworkSettings(network="ping-pong", pingpong=path, dims="4x2", overhead=2.0)
    micro = in_seconds(network_of_settings(asked))
    nano = in_seconds(network_of_settings(replace(asked, unit="ns", overhead=2000.0)))
    assert nano == pytest.approx(micro)
    with pytest.raises(InputError, match=r"setting unit: .*not in cycles.*µs, ns, ms, s"):
        network_of_settings(replace(asked, unit="cycle"))


def test_what_was_assumed_of_a_measured_network_names_its_range(tmp_path: Path) -> None:
    path = file_of(tmp_path, (0, 12.0, 0.02, (1, 10, 100, 1000)))
    found = network_of_settings(NetworkSettings(network="ping-pong", pingpong=path))
    assert texts(found, inside=False) == [
        "Assumed: o = 3 µs, a quarter of the startup at either end: a ping-pong does not show it, "
        "anything from 0 to 6 µs fits",
        "Assumed: g = 3 µs, the longer overhead",
    ]
    assert isinstance(found.net.network, Crossbar)  # what has no shape asks for none


@pytest.mark.parametrize(
    ("dims", "nodes", "network"),
    [("4x2", None, Mesh((4, 2))), ("4x2 torus", 8, Mesh((4, 2), wrap=True)),
     ("", 12, Crossbar(12)), ("6 crossbar", None, Crossbar(6))],
)  # fmt: skip
def test_a_shape_is_a_mesh_unless_it_names_another_kind(
    dims: str, nodes: int | None, network: object
) -> None:
    asked = replace(OWN, dims=dims, nodes=nodes)
    assert network_of_settings(asked).net.network == network
    assert with_stated_shape(asked, interconnect("infiniband")).network == network


def test_a_shape_of_other_nodes_and_none_at_all_are_refused() -> None:
    with pytest.raises(InputError, match=r"setting dims: this shape has 8 nodes, not 9.*'4x2'"):
        network_of_settings(replace(OWN, nodes=9))
    with pytest.raises(InputError, match=r"setting dims: the network has no shape.*nodes="):
        with_stated_shape(replace(OWN, dims=" "), interconnect("infiniband"))


def test_parallel_machines_are_those_with_a_network_inside() -> None:
    net = interconnect("alewife")
    platform = Platform("lab", (Machine("a"), Machine("b", network=net), Machine("c", network=net)))
    assert [machine.name for machine in parallel_machines(platform)] == ["b", "c"]
    assert parallel_machines(None) == ()
    only = ShapedNetworkSettings(network="platform", open_platform=platform, machine="c")
    found = network_of_settings(only)
    assert found.notes[0].text == (
        f'Network: {net.name}, inside machine "c" of the open project\'s platform, '
        "one of 2 with a network"
    )
    assert found.notes[0].source == net.source
    with pytest.raises(InputError, match=r"setting machine: .*no parallel machine.*got 'a'"):
        network_of_settings(replace(only, machine="a"))


def test_numbers_below_nothing_are_refused_by_the_network_that_they_are_of() -> None:
    for wrong in (
        replace(OWN, latency=-1.0), replace(OWN, overhead=-1.0), replace(OWN, gap=-1.0),
        replace(OWN, overhead_receive=-1.0), replace(OWN, gap_per_byte=-1.0),
    ):  # fmt: skip
        with pytest.raises(InputError, match="setting network, own numbers"):
            network_of_settings(wrong)
    none = network_of_settings(replace(OWN, latency=0.0)).net.long
    assert none == LogGP(0.0, 2.0, 3.0, 4.0, 0.01)


def test_a_file_that_begins_at_nothing_has_nothing_to_split(tmp_path: Path) -> None:
    path = file_of(tmp_path, (0, 0.0, 0.02, (10, 100, 1000, 10_000)))
    asked = ShapedNetworkSettings(network="ping-pong", pingpong=path, dims="4x2")
    found = network_of_settings(asked).net.long
    assert (found.L, found.o_s, found.o_r) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert pytest.approx(0.02) == found.G


@pytest.mark.parametrize(
    ("values", "time", "per_byte"),
    [
        ({"network": "alewife", "unit": "µs"}, "cycle", "µs/B"),
        ({"network": "own numbers", "unit": "ms"}, "ms", "ms/B"),
        ({"network": "ping-pong", "unit": "ns"}, "ns", "ns/B"),
        ({"network": "platform", "unit": "µs"}, "", "µs/B"),
        ({}, "", ""),
    ],
)
def test_the_unit_of_a_field_is_that_of_the_network_which_is_meant(
    values: dict[str, object], time: str, per_byte: str
) -> None:
    fields = {one.name: one for one in parameters_of(BlocksParameters)}
    assert fields["task_time"].unit_beside(values) == time
    assert fields["gap_per_byte"].unit_beside(values) == per_byte
    assert fields["bytes_per_value"].unit_beside(values) == "B"
