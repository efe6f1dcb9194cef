"""Whether an overlay can run as it is placed: what is refused, where, and what would fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from advisor.models.process_tree import flat
from advisor.overlays.overlay_plan import tree_of_shape
from advisor.overlays.placed import OverlayPlan, check_placed, placed_tree, process_name
from machines import Direction, InputError, Machine, Platform, Switch
from tests.advisor.overlays.monitored import HUB, cluster, monitor, placed, star, workers

FLAT = OverlayPlan.of(flat(64))
EIGHT = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)


@pytest.mark.parametrize("plan", [FLAT, EIGHT])
def test_what_keeps_up_is_let_through(plan: OverlayPlan) -> None:
    assert check_placed(cluster(), monitor(), plan).plan == plan


@pytest.mark.parametrize(
    ("fields", "plan", "said"),
    [
        ({"front_end": "nowhere"}, FLAT, "front_end: unknown machine (got 'nowhere')"),
        ({"front_end": "hub"}, FLAT, "front_end: unknown machine (got 'hub')"),
        ({"back_ends": (("gone", 64),)}, FLAT, "back_ends: unknown machine (got 'gone')"),
        ({"internal_on": ("svc", "typo")}, FLAT, "internal_on: unknown machine (got 'typo')"),
        ({}, replace(EIGHT, internal=("gone",) * 8), "placement: unknown machine (got 'gone')"),
        ({"internal_on": ("n1",)}, EIGHT, "may not hold internal processes (got 'svc')"),
        ({}, OverlayPlan.of(flat(63)), "the tree has 63 leaves for 64 back-ends"),
        ({}, replace(EIGHT, internal=("svc",)), "8 internal processes, and 1 are placed"),
        ({}, replace(FLAT, internal=("svc",)), "0 internal processes, and 1 are placed"),
    ],
)
def test_processes_are_refused_where_none_can_be(
    fields: dict[str, object], plan: OverlayPlan, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        check_placed(cluster(), replace(monitor(), **fields), plan)
    assert said in str(caught.value)
    assert str(caught.value).startswith('overlay "monitor"')


def test_a_process_that_needs_more_than_a_processor_says_what_would_fit() -> None:
    # flat: 64 (50 + 2) µs = 3.328 ms an operation
    with pytest.raises(InputError) as caught:
        check_placed(cluster(), monitor(rate_hz=400.0), FLAT)
    text = str(caught.value)
    assert "front-end on login needs more than a processor to keep up (got 1.3312)" in text
    assert "At most 300.5 operations a second with 64 children, or 48 children" in text
    check_placed(cluster(), monitor(rate_hz=300.4), FLAT)
    check_placed(cluster(8), monitor(8, 6, rate_hz=400.0), OverlayPlan.of(flat(48)))
    with pytest.raises(InputError):
        check_placed(cluster(7), monitor(7, 7, rate_hz=400.0), OverlayPlan.of(flat(49)))


def test_an_internal_process_that_cannot_keep_up_is_named() -> None:
    with pytest.raises(InputError, match=r"internal 1 on svc .*with 8 children, or 7 children"):
        check_placed(cluster(), monitor(rate_hz=2200.0), EIGHT)


def test_more_processes_than_the_cores_of_a_machine_can_run_are_refused() -> None:
    # 8 · 27 + 50 µs above its own back-ends, 7 (8 · 52 + 50) µs, and 8 · 25 µs of these
    plan = replace(EIGHT, internal=("n1",) * 8)
    with pytest.raises(InputError, match=r"n1 need 3\.728 processors, and it has 1") as caught:
        check_placed(cluster(), monitor(rate_hz=1000.0), plan)
    rate = float(caught.value.remedy.split()[2])
    check_placed(cluster(), monitor(rate_hz=0.999 * rate), plan)


def test_messages_that_need_all_of_a_link_or_switch_are_refused() -> None:
    overlay = monitor(message_bytes=1e6, rate_hz=1.0)  # 64 MB/s to login
    check_placed(cluster(), overlay, FLAT)
    with pytest.raises(InputError, match=r"hub→login moves, 1e\+08 B/s") as caught:
        check_placed(cluster(), replace(overlay, rate_hz=1.6), FLAT)
    assert "less than 1.562 operations a second" in caught.value.remedy
    slow = star(*cluster().machines, hub=Switch("hub", 6e7))
    with pytest.raises(InputError, match="all that hub moves"):
        check_placed(slow, overlay, FLAT)


def test_machines_without_a_route_are_refused() -> None:
    apart = Platform("apart", (*workers(1), Machine("login")))
    with pytest.raises(InputError, match="no route"):
        check_placed(apart, monitor(1, 1), OverlayPlan.of(flat(1)))


def test_a_single_machine_without_links_can_run_an_overlay() -> None:
    alone = Platform("alone", (Machine("login", cores=4),))
    overlay = replace(monitor(), back_ends=(("login", 3),))
    found = check_placed(alone, overlay, OverlayPlan.of(flat(3)))
    assert found.busy_s.tolist() == pytest.approx([3 * 2e-6, 0.0, 0.0, 0.0])


def test_processes_have_names() -> None:
    found = check_placed(cluster(), monitor(2, 1), OverlayPlan((1, 2, 0, 0), ("svc",)))
    assert [process_name(found, one) for one in range(4)] == [
        "front-end", "internal 1", "back-end 1", "back-end 2",
    ]  # fmt: skip


def test_every_process_has_its_machine_in_the_tree_that_is_handed_over() -> None:
    tree = placed_tree(monitor(2, 1), OverlayPlan((1, 2, 0, 0), ("n1",)))
    assert tree.names() == ["login:0", "n1:0", "n1:1", "n2:0"]


@given(placed())
def test_half_of_the_greatest_rate_is_let_through_and_twice_it_is_refused(drawn) -> None:
    platform, overlay, plan = drawn
    found = check_placed(platform, overlay, plan)
    if found.busy_s.any() or found.crossing_bytes.any():
        with pytest.raises(InputError, match='overlay "o"'):
            check_placed(platform, replace(overlay, rate_hz=2.1 * overlay.rate_hz), plan)


def test_a_slow_link_of_one_machine_alone_binds() -> None:
    way = Direction(1e-4, 1e3)
    platform = cluster()
    links = tuple(
        replace(link, to_second=way, to_first=way) if link.first == "n3" else link
        for link in platform.links
    )
    slow = replace(platform, links=links)
    with pytest.raises(InputError, match=f"n3→{HUB.name}"):
        check_placed(slow, monitor(rate_hz=2.0), FLAT)
