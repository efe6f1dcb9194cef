"""Processor time, messages and bytes of every process, by hand and against the model of MRNet."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from advisor.models.mrnet import front_end_utilisation, utilisation
from advisor.overlays.overlay import ASKED
from advisor.overlays.overlay_load import running
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from machines import Machine
from machines.interconnect import LogGP
from tests.advisor.overlays.monitored import STARTUP_S, cluster, monitor, placed, star

O_S = 2 * STARTUP_S / 4  # a quarter of a route's startup, over two links
C_S = 2e-6
EIGHT = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)


def test_shares_of_64_back_ends_at_ten_reductions_a_second_are_those_counted_by_hand() -> None:
    found = running(cluster(), monitor(), EIGHT)
    share = found.share
    assert share[0] == pytest.approx(10 * 8 * (50e-6 + 2e-6))
    assert share[1:9] == pytest.approx(np.full(8, 10 * (8 * (50e-6 + 2e-6) + 50e-6)))
    assert share[9:] == pytest.approx(np.full(64, 10 * 50e-6))


@pytest.mark.parametrize("operation", ["broadcast", "reduction"])
def test_with_like_routes_shares_are_those_of_the_model(operation: str) -> None:
    found = running(cluster(), monitor(operation=operation), EIGHT)
    p = LogGP(L=O_S * 2, o_s=O_S, o_r=O_S)
    assert found.share[0] == pytest.approx(front_end_utilisation(8, p, 10.0, operation, C_S))
    assert found.share[1] == pytest.approx(utilisation(8, p, 10.0, operation, C_S))


def test_a_round_trip_takes_what_both_directions_take() -> None:
    parts = [running(cluster(), monitor(operation=one), EIGHT) for one in ASKED]
    assert parts[2].busy_s == pytest.approx(parts[0].busy_s + parts[1].busy_s)
    assert parts[2].crossing_bytes == pytest.approx(
        parts[0].crossing_bytes + parts[1].crossing_bytes
    )


def test_a_stated_overhead_and_the_filter_take_longer_on_a_slow_machine() -> None:
    platform = star(Machine("slow", speed=0.5), Machine("fast", speed=2.0), Machine("login"))
    overlay = replace(monitor(overhead_s=1e-5), back_ends=(("fast", 2),))
    found = running(platform, overlay, OverlayPlan((1, 2, 0, 0), ("slow",)))
    assert found.busy_s == pytest.approx([1e-5 + 2e-6, 2 * (2e-5 + 4e-6) + 2e-5, 0.5e-5, 0.5e-5])


def test_within_a_machine_a_message_takes_the_overheads_of_its_quickest_link_and_no_time() -> None:
    found = running(cluster(), monitor(1, 2), OverlayPlan((1, 2, 0, 0), ("n1",)))
    assert found.up is not None
    assert found.up.child_s.tolist() == pytest.approx([50e-6, 25e-6, 25e-6])
    assert found.up.delay_s[1] == pytest.approx(25e-6 + 25e-6 + C_S)
    assert found.up.delay_s[0] == pytest.approx(200e-6 + 63 / 1e8 + C_S)


def test_overheads_beyond_the_startup_leave_no_latency() -> None:
    found = running(cluster(), monitor(overhead_s=1e-3), EIGHT)
    assert found.exceeds_startup
    assert found.up is not None
    assert found.up.delay_s[0] == pytest.approx(2e-3 + C_S + 63 / 1e8)
    assert not running(cluster(), monitor(overhead_s=1e-4), EIGHT).exceeds_startup
    assert not running(cluster(), monitor(), EIGHT).exceeds_startup


def _bytes_by_link(platform, overlay, plan) -> dict[tuple[str, str], Fraction]:
    """Bytes of an operation over every direction of a link, message by message."""
    graph = nx.Graph((link.first, link.second) for link in platform.links)
    leaves = iter([name for name, many in overlay.back_ends for _ in range(many)])
    inner = iter(plan.internal)
    hosts = [overlay.front_end]
    hosts += [next(inner) if children else next(leaves) for children in plan.fanouts[1:]]
    found: dict[tuple[str, str], Fraction] = {}
    for child in range(1, len(hosts)):
        above = hosts[int(plan.tree.parent[child])]
        way = nx.shortest_path(graph, above, hosts[child])
        for first, second in pairwise(way):
            for used, ends in ((overlay.goes_down, (first, second)),
                               (overlay.comes_up, (second, first))):  # fmt: skip
                if used:
                    size = Fraction(overlay.message_bytes)
                    found[ends] = found.get(ends, Fraction(0)) + size
    return found


@given(placed())
def test_every_message_passes_every_link_of_its_way_once(drawn) -> None:
    platform, overlay, plan = drawn
    found = running(platform, overlay, plan)
    expected = _bytes_by_link(platform, overlay, plan)
    for one, crossing in zip(found.ways.resources, found.crossing_bytes.tolist(), strict=True):
        link = platform.links[one.link]
        ends = (link.first, link.second) if one.forward else (link.second, link.first)
        assert crossing == pytest.approx(float(expected.get(ends, 0)))
