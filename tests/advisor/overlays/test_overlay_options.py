"""The default plan of an overlay, its candidates and neighbours."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given

from advisor.models.process_tree import flat
from advisor.overlays import overlay_options as options
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_measures import overlay_measures
from advisor.overlays.overlay_options import (
    MOST_CANDIDATES,
    MOST_MOVES,
    beside,
    candidates,
    default_plan,
    neighbours,
)
from advisor.overlays.overlay_plan import tree_of_shape
from advisor.overlays.placed import OverlayPlan, check_placed
from machines import InputError, Platform
from tests.advisor.overlays.monitored import cluster, monitor, placed, star, workers

EIGHT = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)


def _latency(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> float:
    return overlay_measures(platform, overlay, plan).latency_s


def test_where_the_front_end_keeps_up_the_tree_is_flat() -> None:
    assert default_plan(cluster(), monitor(rate_hz=300.0)) == OverlayPlan.of(flat(64))


def test_where_it_does_not_balanced_processes_run_beside_their_back_ends() -> None:
    plan = default_plan(cluster(8, cores=4), monitor(rate_hz=400.0))
    check_placed(cluster(8, cores=4), monitor(rate_hz=400.0), plan)
    assert plan.tree.internal > 0
    assert {machine[0] for machine in plan.internal} == {"n"}


def test_the_default_keeps_to_the_machines_that_are_named() -> None:
    plan = default_plan(cluster(), monitor(rate_hz=400.0, internal_on=("svc",)))
    assert set(plan.internal) == {"svc"}


def test_no_balanced_tree_beside_the_back_ends_that_keeps_up_is_quicker() -> None:
    platform, overlay = cluster(8, cores=4), monitor(rate_hz=400.0)
    best = _latency(platform, overlay, default_plan(platform, overlay))
    slower = []
    for shape in ("4x16", "8x8", "16x4", "4x4x4"):
        tree = tree_of_shape(shape, 64)
        plan = OverlayPlan.of(tree, beside(platform, overlay, tree))
        check_placed(platform, overlay, plan)
        slower.append(best <= _latency(platform, overlay, plan))
    assert all(slower)


def test_where_nothing_keeps_up_it_is_said_what_would() -> None:
    with pytest.raises(InputError, match=r"At most [\d.e+]+ operations a second"):
        default_plan(cluster(), monitor(rate_hz=50_000.0))
    assert candidates(cluster(), monitor(rate_hz=50_000.0)) == ()


def test_an_unknown_machine_is_said_not_the_rate() -> None:
    with pytest.raises(InputError, match="unknown machine"):
        default_plan(cluster(), replace(monitor(), front_end="gone"))


def test_without_machines_for_them_there_are_no_internal_processes() -> None:
    assert candidates(cluster(), monitor(internal_on=())) == (OverlayPlan.of(flat(64)),)
    with pytest.raises(InputError, match="front-end on login"):
        default_plan(cluster(), monitor(internal_on=(), rate_hz=400.0))


@pytest.mark.parametrize(
    ("platform", "overlay"),
    [
        (cluster(), monitor()),
        (cluster(), monitor(operation="round_trip", rate_hz=150.0)),
        (cluster(2), monitor(2, 1)),
        (cluster(1), monitor(1, 1)),
        (cluster(64), monitor(64, 16)),
        (star(*cluster(40).machines, *(replace(one, name=f"s{one.name}") for one in workers(40))),
         monitor(40, 7)),
    ],
)  # fmt: skip
def test_candidates_are_few_run_and_begin_with_the_default(
    platform: Platform, overlay: Overlay
) -> None:
    found = candidates(platform, overlay)
    assert found[0] == default_plan(platform, overlay)
    assert len(set(found)) == len(found) <= MOST_CANDIDATES
    candidates.cache_clear()
    assert found == candidates(platform, overlay)
    for plan in found:
        check_placed(platform, overlay, plan)


def test_candidates_hold_two_and_three_levels_the_optimum_and_every_placement() -> None:
    found = candidates(cluster(), monitor())
    shapes = {plan.shape for plan in found}
    assert {"64", "8x8", "4x4x4", None} <= shapes
    assert {frozenset(plan.internal) for plan in found if plan.shape == "8x8"} == {
        frozenset({"svc"}), frozenset({"login"}), frozenset(f"n{n}" for n in range(1, 9)),
    }  # fmt: skip


def test_steps_from_the_best_candidate_lead_to_the_best_of_all_shapes_and_placements() -> None:
    """Six back-ends on three machines, by exhaustion."""
    platform, overlay = star(*cluster(3).machines), monitor(3, 2)

    def latency(plan: OverlayPlan) -> float:
        return _latency(platform, overlay, plan)

    exact = float("inf")
    for shape in ("6", "2x3", "3x2"):
        tree = tree_of_shape(shape, 6)
        for internal in product([one.name for one in platform.machines], repeat=tree.internal):
            exact = min(exact, latency(OverlayPlan.of(tree, internal)))
    best = min(candidates(platform, overlay), key=latency)
    assert latency(best) <= 1.1 * exact
    while latency(step := min(neighbours(platform, overlay, best), key=latency)) < latency(best):
        best = step
    assert latency(best) == pytest.approx(exact)


def test_neighbours_are_one_step_away() -> None:
    found = neighbours(cluster(), monitor(), EIGHT)
    assert EIGHT not in found
    shapes = {plan.shape for plan in found}
    assert shapes == {"8x8", "7x10", "10x7"}
    moved = [plan for plan in found if plan.shape == "8x8"]
    others = {len(plan.internal) - plan.internal.count("svc") for plan in moved}
    assert others == {1, 8}


def test_from_the_flat_tree_one_step_leads_to_two_levels_and_back() -> None:
    platform, overlay = cluster(), monitor()
    start = OverlayPlan.of(flat(64))
    (step,) = neighbours(platform, overlay, start)
    assert step.shape == "8x8"
    narrow = OverlayPlan.of(tree_of_shape("2x32", 64), ("svc",) * 2)
    assert start in neighbours(platform, overlay, narrow)


def test_a_wider_first_level_keeps_the_machines_of_its_processes() -> None:
    mixed = replace(EIGHT, internal=("svc",) * 4 + ("login",) * 4)
    wider = [plan for plan in neighbours(cluster(), monitor(), mixed) if plan.shape == "10x7"]
    assert [plan.internal for plan in wider] == [("svc",) * 5 + ("login",) * 5]


def test_neighbours_of_large_overlays_are_bounded() -> None:
    platform, overlay = cluster(100, cores=16), monitor(100, 16, rate_hz=1.0)
    plan = OverlayPlan.of(tree_of_shape("100x16", 1600), tuple(f"n{n}" for n in range(1, 101)))
    found = neighbours(platform, overlay, plan)
    assert 20 <= len(found) <= 2 * MOST_MOVES + 2


@given(placed())
def test_every_option_runs_on_the_machines_that_are_named(drawn) -> None:
    platform, overlay, plan = drawn
    named = replace(overlay, internal_on=(platform.machines[0].name,))
    some = (*candidates(platform, named), *neighbours(platform, overlay, plan))
    for one in candidates(platform, named):
        assert set(one.internal) <= {platform.machines[0].name}
        check_placed(platform, named, one)
    for one in neighbours(platform, overlay, plan):
        assert one != plan
        check_placed(platform, overlay, one)
    assert len(some) <= MOST_CANDIDATES + 2 * MOST_MOVES + 2


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_smallest_overlays_have_options(count: int) -> None:
    overlay = monitor(1, count)
    assert OverlayPlan.of(flat(count)) in candidates(cluster(1), overlay)
    neighbours(cluster(1), overlay, OverlayPlan.of(flat(count)))


def test_ten_thousand_back_ends_cost_few_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = []
    real = options.check_placed

    def counted(platform: Platform, overlay: Overlay, plan: OverlayPlan):
        checks.append(plan)
        return real(platform, overlay, plan)

    monkeypatch.setattr(options, "check_placed", counted)
    default_plan.cache_clear()
    platform = cluster(100, cores=100)
    plan = default_plan(platform, monitor(100, 100, rate_hz=20.0))
    assert plan.tree.back_ends == 10_000
    assert plan.tree.depth == 3
    assert len(checks) <= 60


def test_what_was_found_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    first = default_plan(cluster(), monitor(rate_hz=402.0))
    monkeypatch.setattr(options, "check_placed", None)
    assert default_plan(cluster(), monitor(rate_hz=402.0)) is first
