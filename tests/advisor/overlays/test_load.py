"""The platform beside overlays: contenders by hand, slowdowns in fractions, bytes off links."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.models.contention import machine_slowdown
from advisor.models.process_tree import flat, levelled
from advisor.overlays.load import loaded
from advisor.overlays.overlay_load import running
from advisor.overlays.overlay_measures import overlay_measures
from advisor.overlays.overlay_plan import tree_of_shape
from advisor.overlays.placed import OverlayPlan
from machines import Contender, Direction, InputError, Link, LinkPiece, Machine, Platform, Switch
from tests.advisor.overlays.monitored import BANDWIDTH, WAY, cluster, monitor, placed, star

EIGHT = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)
BESIDE = replace(EIGHT, internal=tuple(f"n{number}" for number in range(1, 9)))


def _shares(platform, name: str) -> dict[str, float]:
    return {one.name: one.compute for one in platform.machine(name).contenders}


def test_contenders_of_64_back_ends_at_ten_reductions_a_second() -> None:
    found = loaded(cluster(), [(monitor(), EIGHT)])
    assert _shares(found, "login") == {"monitor: front-end": pytest.approx(0.00416)}
    assert _shares(found, "n3") == {"monitor: 8 back-ends": pytest.approx(0.0005)}
    assert _shares(found, "svc") == {"monitor: 8 internal processes": pytest.approx(0.00466)}
    assert [one.processes for one in found.machine("svc").contenders] == [8]


def test_processes_of_a_machine_that_work_together_are_one_contender() -> None:
    overlay = monitor(rate_hz=3000.0, filter_s=0.0)
    plan = OverlayPlan.of(levelled(64, (4, 4, 4)), ("svc",) * 20)
    with pytest.raises(InputError):  # 8 back-ends at 3,000 Hz: 8 · 3000 · 50 µs = 1.2 processors
        loaded(cluster(8), [(overlay, plan)])
    wide = cluster(8, cores=40)
    wide = replace(wide, machines=tuple(replace(one, cores=40) for one in wide.machines))
    found = loaded(wide, [(overlay, plan)])
    assert _shares(found, "n1") == {"monitor: 8 back-ends": pytest.approx(0.15)}
    assert {one.name: one.processes for one in found.machine("svc").contenders} == {
        "monitor: 4 internal processes": 4,
        "monitor: 16 internal processes": 16,
    }


def test_one_back_end_is_said_in_the_singular() -> None:
    found = loaded(cluster(), [(monitor(8, 1), OverlayPlan.of(flat(8)))])
    assert list(_shares(found, "n1")) == ["monitor: back-end"]


def test_a_host_with_an_internal_process_is_slower_by_what_it_leaves() -> None:
    """Work that comes at its rate leaves 1 − U of a core, whatever its order."""
    overlay = monitor(rate_hz=1000.0)
    found = loaded(cluster(), [(overlay, BESIDE)])
    # within n1 a message has the overheads of one link, 25 µs; to login of two, 50 µs
    internal = Fraction(1000, 10**6) * (8 * (25 + 2) + 50)
    back_end = Fraction(1000, 10**6) * 25
    assert _shares(found, "n1") == {
        "monitor: internal 1": pytest.approx(float(internal)),
        "monitor: 8 back-ends": pytest.approx(float(back_end)),
    }
    slowdown = 1 / (1 - internal - 8 * back_end)
    assert machine_slowdown(found.machine("n1")).value == pytest.approx(float(slowdown))


def test_a_task_beside_the_overlay_takes_as_much_longer() -> None:
    workload = Workload("w", (Task("t", work=60.0),))
    platforms = cluster(), loaded(cluster(), [(monitor(rate_hz=1000.0), BESIDE)])
    times = [Problem.of(platform, workload).costs.task_s[0, 0] for platform in platforms]
    slowdown = machine_slowdown(platforms[1].machine("n1"))
    assert times == [60.0, pytest.approx(60.0 * slowdown.value)]


def test_without_overlays_or_without_operations_the_platform_is_the_same_object() -> None:
    platform = cluster()
    assert loaded(platform, []) is platform
    assert loaded(platform, [(monitor(rate_hz=0.0), EIGHT)]) is platform


def test_machines_and_links_that_it_does_not_use_are_the_same_objects() -> None:
    platform = cluster(10)
    found = loaded(platform, [(monitor(), BESIDE)])
    for name in ("n9", "n10", "svc"):
        assert found.machine(name) is platform.machine(name)
    before = {link.first: link for link in platform.links}
    assert [link.first for link in found.links if link is before[link.first]] == [
        "n9", "n10", "svc",
    ]  # fmt: skip
    assert found.switches == platform.switches
    again = cluster(10)
    assert loaded(again, [(monitor(), BESIDE)]).links[8] is again.links[8]


def test_a_message_takes_its_bytes_off_every_link_and_switch_on_its_way() -> None:
    platform = star(*cluster(1).machines, hub=Switch("hub", 1e6))
    found = loaded(platform, [(monitor(1, 3), OverlayPlan.of(flat(3)))])
    first, login, svc = found.links
    assert first.to_second.bandwidth == pytest.approx(BANDWIDTH - 3 * 640)
    assert first.to_first is WAY
    assert login.to_first.bandwidth == pytest.approx(BANDWIDTH - 3 * 640)
    assert login.to_second is WAY
    assert svc is platform.links[2]
    assert found.switches[0].bandwidth == pytest.approx(1e6 - 3 * 640)


def test_both_directions_of_a_shared_link_lose_and_one_that_is_not_shared_loses_nothing() -> None:
    plan, overlay = OverlayPlan.of(flat(3)), monitor(1, 3, operation="round_trip")
    shared = loaded(star(*cluster(1).machines, sharing="shared"), [(overlay, plan)])
    for way in (shared.links[0].to_second, shared.links[0].to_first):
        assert way.bandwidth == pytest.approx(BANDWIDTH - 2 * 3 * 640)
    free = star(*cluster(1).machines, sharing="free")
    assert loaded(free, [(overlay, plan)]).links == free.links
    notes = overlay_measures(free, overlay, plan).notes
    assert "Links that are not shared lose nothing to its messages." in notes


def test_both_pieces_of_a_link_keep_the_same_share() -> None:
    way = Direction(1e-4, 1e6, LinkPiece(1e4, 2e-4, 1e7))
    found = loaded(star(*cluster(1).machines, way=way), [(monitor(1, 3), OverlayPlan.of(flat(3)))])
    narrowed = found.links[0].to_second
    left = 1 - 3 * 640 / 1e7
    assert narrowed.bandwidth == pytest.approx(left * 1e6)
    assert narrowed.above is not None
    assert narrowed.above.bandwidth == pytest.approx(1e7 - 3 * 640)
    assert (narrowed.startup_s, narrowed.above.startup_s) == (1e-4, 2e-4)


def test_a_stated_slowdown_is_multiplied_by_what_the_overlay_alone_would_do() -> None:
    platform = cluster(8, slowdown=1.5)
    overlay = monitor(rate_hz=1000.0)
    found = loaded(platform, [(overlay, BESIDE)])
    alone = loaded(cluster(), [(overlay, BESIDE)])
    factor = machine_slowdown(alone.machine("n1")).value
    assert found.machine("n1").contenders == ()
    assert machine_slowdown(found.machine("n1")).value == pytest.approx(1.5 * factor)
    assert any("stated slowdown of n1" in one for one in overlay_measures(
        platform, overlay, BESIDE).notes)  # fmt: skip


def test_contenders_that_a_stated_slowdown_of_one_silences_stay_silent() -> None:
    busy = (Contender("other", 0.6, 0.2),)
    found = loaded(cluster(8, slowdown=1.0, contenders=busy), [(monitor(rate_hz=1000.0), BESIDE)])
    alone = loaded(cluster(), [(monitor(rate_hz=1000.0), BESIDE)])
    assert found.machine("n1").contenders[0] == Contender("other", 0.0, 0.2)
    assert machine_slowdown(found.machine("n1")).value == pytest.approx(
        machine_slowdown(alone.machine("n1")).value
    )


def test_contenders_that_are_there_stay() -> None:
    found = loaded(cluster(8, contenders=(Contender("other", 0.5),)), [(monitor(), EIGHT)])
    assert list(_shares(found, "n1")) == ["other", "monitor: 8 back-ends"]


def test_measured_delays_of_a_link_must_reach_as_far_as_its_contenders() -> None:
    link = Link("n1", "login", WAY, WAY, delay_comp=(0.1, 0.2))
    platform = Platform("pair", (Machine("n1"), Machine("login")), (link,))
    alone = loaded(platform, [(monitor(1, 1), OverlayPlan.of(flat(1)))])
    Problem.of(alone, Workload("w", (Task("t", work=1.0),)))
    beside = loaded(platform, [(monitor(1, 1), OverlayPlan((1, 1, 0), ("n1",)))])
    with pytest.raises(InputError, match="delay_comp is too short"):
        Problem.of(beside, Workload("w", (Task("t", work=1.0),)))


def test_overlays_add_up_in_any_order_and_together_may_be_too_much() -> None:
    one = (monitor(message_bytes=1e6, rate_hz=0.9), OverlayPlan.of(flat(64)))
    other = (replace(one[0], name="other", rate_hz=0.5), one[1])
    there, back = loaded(cluster(), [one, other]), loaded(cluster(), [other, one])
    assert there.links == back.links
    for ours, theirs in zip(there.machines, back.machines, strict=True):
        assert Counter(ours.contenders) == Counter(theirs.contenders)
    with pytest.raises(InputError, match=r'overlays "monitor", "other": .*hub→login') as caught:
        loaded(cluster(), [one, (replace(other[0], rate_hz=0.9), one[1])])
    assert "86.8 % of their rates" in caught.value.remedy


@given(placed())
def test_what_processes_take_is_on_the_machines_and_links_and_nothing_else(drawn) -> None:
    platform, overlay, plan = drawn
    found, beside = running(platform, overlay, plan), loaded(platform, [(overlay, plan)])
    added = sum(
        one.compute * one.processes for machine in beside.machines for one in machine.contenders
    )
    assert added == pytest.approx(float(found.share.sum()))
    for machine, share in zip(beside.machines, found.machine_busy_s.tolist(), strict=True):
        assert sum(one.compute * one.processes for one in machine.contenders) == pytest.approx(
            overlay.rate_hz * share
        )
    lost = sum(
        way(old).bandwidth - way(new).bandwidth
        for old, new in zip(platform.links, beside.links, strict=True)
        for way in (lambda link: link.to_second, lambda link: link.to_first)
    )
    parents = found.host[plan.tree.parent[1:]]
    messages = int((parents != found.host[1:]).sum()) * (1 + (overlay.operation == "round_trip"))
    # every way has two links
    carried = 2 * messages * overlay.message_bytes * overlay.rate_hz
    assert lost == pytest.approx(carried, rel=1e-6, abs=1.0)


def test_moving_an_internal_process_moves_its_share() -> None:
    platform = star(*cluster().machines, Machine("svc2", cores=8))
    moved = replace(EIGHT, internal=("svc",) * 7 + ("svc2",))
    before = dict(overlay_measures(platform, monitor(), EIGHT).shares)
    after = dict(overlay_measures(platform, monitor(), moved).shares)
    changed = {name: after.get(name, 0.0) - before.get(name, 0.0) for name in {*after, *before}}
    assert {name: delta for name, delta in changed.items() if abs(delta) > 1e-12} == {
        "svc": pytest.approx(-0.00466),
        "svc2": pytest.approx(0.00466),
    }


def _calls(platform, overlay, plan) -> int:
    """Python functions that are called to load a platform."""
    running(platform, overlay, plan)  # routes of the platform are there once
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    fresh = replace(overlay, name="again")
    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        loaded(platform, [(fresh, plan)])
    finally:
        sys.setprofile(before)
    return count


def test_work_grows_with_machines_and_internal_processes_not_with_back_ends() -> None:
    platform = cluster(50, cores=64)
    calls = []
    for each in (2, 200):
        plan = OverlayPlan.of(levelled(50 * each, (50, each)), ("svc",) * 50)
        calls.append(_calls(platform, monitor(50, each, rate_hz=0.1), plan))
    assert calls[1] <= 1.01 * calls[0]
