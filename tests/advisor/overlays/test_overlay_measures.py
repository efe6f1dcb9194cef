"""Latency, period and notes of placed overlays: by hand, by all orders, against MRNet's model."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import flat
from advisor.overlays.overlay import ASKED, ROUND_TRIP
from advisor.overlays.overlay_load import Messages, Running, running
from advisor.overlays.overlay_measures import overlay_measures
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from advisor.trees.tree_costs import TreeCosts, measure
from machines import Machine
from machines.interconnect import Interconnect, LogGP
from machines.network import Crossbar
from tests.advisor.overlays.monitored import STARTUP_S, cluster, monitor, placed, star
from tests.advisor.random_trees import trees

EIGHT = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)


def test_a_flat_reduction_takes_one_step_a_back_end_and_one_delay() -> None:
    # step o + tail = 50.63 µs or o + c = 52 µs; delay 2o + L + tail + c = 202.63 µs
    found = overlay_measures(cluster(), monitor(), OverlayPlan.of(flat(64)))
    assert found.latency_s == pytest.approx(63 * 52e-6 + 202.63e-6)
    assert found.period_s == pytest.approx(64 * 52e-6)
    assert found.internal == 0
    assert found.busiest == pytest.approx(0.03328)


def test_every_level_adds_its_steps_and_a_delay() -> None:
    found = overlay_measures(cluster(), monitor(), EIGHT)
    assert found.latency_s == pytest.approx(2 * (7 * 52e-6 + 202.63e-6))
    assert found.period_s == pytest.approx(8 * 466e-6 / 8)  # of a process, or of svc's eight cores


def test_shares_and_traffic_are_listed_by_machine_and_link() -> None:
    found = overlay_measures(cluster(), monitor(), EIGHT)
    assert dict(found.shares) == {
        **{f"n{number}": pytest.approx(0.004) for number in range(1, 9)},
        "login": pytest.approx(0.00416),
        "svc": pytest.approx(8 * 0.00466),
    }
    assert found.processors == pytest.approx(0.032 + 0.00416 + 8 * 0.00466)
    assert dict(found.traffic) == {
        **{f"n{number}→hub": pytest.approx(8 * 640) for number in range(1, 9)},
        "hub→svc": pytest.approx(64 * 640),
        "svc→hub": pytest.approx(8 * 640),
        "hub→login": pytest.approx(8 * 640),
    }


@given(
    tree=trees(20),
    operation=st.sampled_from(ASKED),
    filter_us=st.sampled_from([0.0, 3.0, 90.0]),
    size=st.sampled_from([1.0, 64.0, 20_000.0]),
)
def test_with_like_routes_everywhere_the_measures_are_those_of_the_model(
    tree, operation, filter_us, size
) -> None:
    """A machine for each process, so that all messages take one kind of route."""
    machines = tuple(Machine(f"m{number}", cores=64) for number in range(tree.size))
    platform = star(*machines)
    names = iter([machine.name for machine in machines])
    front = next(names)
    internal = tuple(next(names) for _ in range(tree.internal))
    overlay = replace(
        monitor(operation=operation, filter_s=filter_us * 1e-6, message_bytes=size, rate_hz=1.0),
        front_end=front, back_ends=tuple((name, 1) for name in names),
    )  # fmt: skip
    found = overlay_measures(platform, overlay, OverlayPlan.of(tree, internal))
    o = 1e6 * 2 * STARTUP_S / 4
    asked = operation.replace("_", " ")
    costs = TreeCosts(
        LogGP(L=2 * o, o_s=o, o_r=o, g=o, G=1e6 / 1e8), size=size, filter_cost=filter_us,
        rate=1.0, operation=asked,
    )  # fmt: skip
    model = measure(tree, costs)
    assert found.latency_s * 1e6 == pytest.approx(model.latency(asked))
    assert found.period_s * 1e6 == pytest.approx(model.period)
    assert found.busiest == pytest.approx(max(model.front_end_share, model.inner_share))


def _by_all_orders(found: Running, message: Messages, process: int) -> float:
    """Latency below a process, its children in the best of all orders."""
    first, children = int(found.tree.first_child[process]), int(found.tree.fanouts[process])
    if not children:
        return 0.0
    best = float("inf")
    for order in permutations(range(first, first + children)):
        time, last = 0.0, 0.0
        for child in order:
            ready = time + message.delay_s[child - 1]
            last = max(last, ready + _by_all_orders(found, message, child))
            time += message.step_s[child - 1]
        best = min(best, last)
    return best


@given(placed())
def test_unlike_messages_go_in_the_best_of_all_orders(drawn) -> None:
    platform, overlay, plan = drawn
    if plan.tree.max_fanout > 5 or plan.tree.size > 9:
        return
    found = running(platform, overlay, plan)
    exact = sum(_by_all_orders(found, one, 0) for one in (found.down, found.up) if one is not None)
    assert overlay_measures(platform, overlay, plan).latency_s == pytest.approx(exact, abs=1e-15)


@given(placed())
def test_no_stream_is_faster_than_any_processor_or_link_allows(drawn) -> None:
    platform, overlay, plan = drawn
    measures = overlay_measures(platform, overlay, plan)
    cores = {machine.name: machine.cores for machine in platform.machines}
    for name, share in measures.shares:
        assert measures.period_s * overlay.rate_hz >= share / cores[name] - 1e-12
    assert measures.period_s * overlay.rate_hz >= measures.busiest - 1e-12


def test_a_round_trip_is_a_broadcast_and_then_a_reduction() -> None:
    there, back, both = (
        overlay_measures(cluster(), monitor(operation=one), EIGHT).latency_s for one in ASKED
    )
    assert both == pytest.approx(there + back)


def _notes(platform=None, **fields) -> str:
    return " ".join(overlay_measures(platform or cluster(), monitor(**fields), EIGHT).notes)


def test_notes_say_what_was_assumed() -> None:
    assert "a quarter of a route's startup at either end" in _notes()
    assert "quarter" not in _notes(overhead_s=5e-5)
    assert "no latency is left" in _notes(overhead_s=5e-4)
    assert "the gap g = o" in _notes()
    assert "within a machine" not in _notes()
    beside = replace(EIGHT, internal=tuple(f"n{number}" for number in range(1, 9)))
    notes = overlay_measures(cluster(), monitor(), beside).notes
    assert any("Messages within a machine take the overheads alone" in one for one in notes)


def test_a_stream_that_cannot_keep_up_is_said() -> None:
    assert "It can't keep up: operations follow each other every 466 µs at best" in _notes(
        rate_hz=3000.0, operation="reduction"
    )
    assert "keep up" not in _notes()


def test_what_is_inside_a_parallel_machine_is_said_to_feel_nothing() -> None:
    p = LogGP(L=1e-6, o_s=1e-6, o_r=1e-6, G=1e-9)
    inside = Interconnect("net", Crossbar(4), p, p, "s", 1.0)
    assert "Programs inside n1 are not slowed" in _notes(cluster(8, network=inside))
    found = overlay_measures(cluster(8, network=inside), monitor(operation=ROUND_TRIP), EIGHT)
    assert dict(found.traffic)["n1 network"] == pytest.approx(2 * 8 * 640)


def test_where_processes_fall_behind_beside_busy_tasks_it_is_said() -> None:
    beside = replace(EIGHT, internal=tuple(f"n{number}" for number in range(1, 9)))
    # on n1: 8 (25 + 2) + 50 µs in one process, 8 · 25 µs in eight; beside one task the one is there
    # twice as long, the eight nine times: 2 · 0.266 + 9 · 0.025 of the time at 1000 Hz
    text = " ".join(overlay_measures(cluster(), monitor(rate_hz=1000.0), beside).notes)
    assert "fall behind" not in text
    most = 1000.0 / (2 * 0.266 + 9 * 0.025)
    text = " ".join(overlay_measures(cluster(), monitor(rate_hz=1.01 * most), beside).notes)
    assert "keep all cores of n1 busy 1 of its processes fall behind" in text
    assert "fall behind" not in _notes()


def test_where_it_matters_that_processes_begin_together_it_is_said() -> None:
    # 8 back-ends of 0.05 beside a task of one of two cores: they are there for 9/2 · 0.05 of the
    # time, in which the task has 2/9 of a core
    both, overlay = cluster(8, cores=2), monitor(rate_hz=1000.0)
    text = " ".join(overlay_measures(both, overlay, EIGHT).notes)
    slowdown = 1 / (1 - 0.05 * 4.5 * (1 - 2 / 9))
    assert f"begin together on n1, and slow a task of one core by {slowdown:.3g};" in text
    assert "begin together" not in _notes(both)
    text = " ".join(overlay_measures(cluster(), overlay, EIGHT).notes)
    assert "begin together on svc" in text  # the only host of several cores
