"""What messages cost between hosts: through switches at once, through machines piece by piece."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.costs import EXACT
from advisor.allocation.host_costs import BothHostCosts, SharedRoutes, host_costs, shared_routes
from advisor.allocation.timeline_modes import FAIR, NONE
from machines import (
    Contender,
    Direction,
    InputError,
    Interconnect,
    Link,
    LinkPiece,
    LogGP,
    Machine,
    Mesh,
    Platform,
    Runtime,
    Store,
    Switch,
)


def link(first: str, second: str, startup_s: float, bandwidth: float, **more: object) -> Link:
    way = Direction(startup_s, bandwidth)
    return Link(first, second, way, way, **more)  # type: ignore[arg-type]


def cost(platform: Platform, source: str, target: str, size_bytes: float) -> tuple[float, float]:
    """Seconds of one message under contention and alone."""
    both = host_costs(platform, EXACT, NONE)
    p, q = platform.host_index[source], platform.host_index[target]
    size = int(np.searchsorted(both.thresholds, size_bytes))
    loaded, alone = (
        float(one.startup_s[size, p, q] + size_bytes * one.per_byte_s[size, p, q])
        for one in (both.contended, both.dedicated)
    )
    return loaded, alone


def test_through_switches_bytes_move_at_the_least_bandwidth() -> None:
    platform = Platform(
        "p",
        (Machine("a"), Machine("b")),
        (link("a", "s", 1.0, 100.0), link("s", "t", 2.0, 25.0), link("t", "b", 4.0, 50.0)),
        switches=(Switch("s"), Switch("t")),
    )
    assert cost(platform, "a", "b", 1000.0) == pytest.approx((47.0, 47.0))


def test_a_switch_of_little_bandwidth_holds_a_transfer_up() -> None:
    links = (link("a", "bus", 1.0, 100.0), link("b", "bus", 1.0, 100.0))
    machines = (Machine("a"), Machine("b"))
    for bandwidth, seconds in ((10.0, 102.0), (1000.0, 12.0), (None, 12.0)):
        bus = Platform("p", machines, links, switches=(Switch("bus", bandwidth),))
        assert cost(bus, "a", "b", 1000.0)[1] == pytest.approx(seconds)


def test_a_machine_takes_a_message_in_before_it_sends_it_on() -> None:
    platform = Platform(
        "p",
        (Machine("a"), Machine("b"), Machine("c")),
        (link("a", "s", 1.0, 100.0), link("s", "b", 1.0, 50.0), link("b", "c", 1.0, 25.0)),
        switches=(Switch("s"),),
    )
    assert cost(platform, "a", "c", 1000.0)[1] == pytest.approx(2.0 + 20.0 + 1.0 + 40.0)


def test_a_store_is_an_end_and_passes_nothing_on() -> None:
    platform = Platform(
        "p",
        (Machine("a"), Machine("b")),
        (link("a", "nfs", 1.0, 100.0), link("nfs", "b", 1.0, 50.0)),
        stores=(Store("nfs"),),
    )
    assert cost(platform, "nfs", "b", 100.0)[1] == pytest.approx(3.0)
    assert cost(platform, "a", "b", 100.0)[1] == np.inf


def test_each_link_has_its_own_slowdown_and_protocol() -> None:
    pieces = Direction(1.0, 10.0, LinkPiece(50.0, 3.0, 100.0))
    platform = Platform(
        "p",
        (Machine("a"), Machine("b")),
        (Link("a", "s", pieces, pieces, slowdown=2.0), link("s", "b", 1.0, 40.0, slowdown=3.0)),
        switches=(Switch("s"),),
    )
    assert cost(platform, "a", "b", 40.0) == pytest.approx((2 + 3 + 40 * 0.2, 2.0 + 40 / 10))
    assert cost(platform, "a", "b", 400.0) == pytest.approx((6 + 3 + 400 * 3 / 40, 4.0 + 400 / 40))


def test_a_message_that_takes_for_ever_is_refused() -> None:
    platform = Platform("p", (Machine("a"), Machine("b")), (link("a", "b", 1.0, 5e-324),))
    with pytest.raises(InputError, match="link a–b: numbers too large"):
        host_costs(platform, EXACT, NONE)


WAY = Direction(0.5, 100.0, LinkPiece(1000.0, 0.75, 200.0))
# 3 units of half a second, half a unit a byte: 4 bytes/s
INSIDE = Interconnect("inside", Mesh([2, 2]), LogGP(1, 1, 1), LogGP(3, 1, 1, G=0.5), "unit", 0.5)


def _platform(**options: object) -> Platform:
    machines = (Machine("a"), Machine("b"), Machine("c"))
    links = (Link("a", "s", WAY, WAY), Link("b", "s", WAY, WAY, slowdown=2.0))
    platform = Platform("p", machines, (*links, Link("c", "b", WAY, WAY)), switches=(Switch("s"),))
    return replace(platform, **options)  # type: ignore[arg-type]


def _found(platform: Platform) -> tuple[BothHostCosts, SharedRoutes]:
    between = host_costs(platform, "exact", "fair")
    return between, shared_routes(platform, between)


def test_startups_add_and_bytes_flow_at_the_narrowest_place_even_past_a_machine() -> None:
    between, _ = _found(_platform())
    found, alone = between.contended, between.dedicated
    small, large = found.startup_s[:, 0, 2]
    assert (small, large) == (0.5 + 2 * 0.5 + 0.5, 0.75 + 2 * 0.75 + 0.75)
    assert found.per_byte_s[:, 0, 2].tolist() == [2 / 100, 2 / 200]
    assert alone.startup_s[:, 0, 2].tolist() == [1.5, 2.25]
    assert alone.per_byte_s[:, 0, 2].tolist() == [1 / 100, 1 / 200]
    assert not found.startup_s[:, [0, 1, 2], [0, 1, 2]].any()


def test_contenders_take_from_what_a_link_can_share() -> None:
    _, found = _found(_platform())
    names = [one.name for one in found.resources]
    assert names == ["a→s", "s→a", "b→s", "s→b", "c→b", "b→c"]
    assert found.capacity.tolist() == [200.0, 200.0, 100.0, 100.0, 200.0, 200.0]
    passed = found.passed[found.first_pass[2] : found.first_pass[3]]
    assert [names[at] for at in passed] == ["a→s", "s→b", "b→c"]


def test_a_switch_limits_bytes_whatever_slows_the_links() -> None:
    between, found = _found(_platform(switches=(Switch("s", 10.0),)))
    assert between.contended.per_byte_s[0, 0].tolist() == [0.0, 1 / 10, 1 / 10]
    assert found.capacity[-1] == 10.0


def test_parts_without_a_route_never_exchange_data() -> None:
    between, found = _found(Platform("p", (Machine("a"), Machine("b"))))
    assert np.isinf(between.contended.startup_s[0, 0, 1])
    assert found.passed.size == 0


def test_what_enters_a_machine_with_a_network_inside_starts_later_and_shares_its_gateway() -> None:
    plain = _platform()
    machines = (plain.machines[0], replace(plain.machines[1], network=INSIDE), plain.machines[2])
    before, _ = _found(plain)
    between, found = _found(replace(plain, machines=machines))
    later = between.contended.startup_s - before.contended.startup_s
    assert later[0].tolist() == [[0.0, 1.5, 0.0], [1.5, 0.0, 1.5], [0.0, 1.5, 0.0]]
    assert between.dedicated.per_byte_s[0, 0].tolist() == [0.0, 1 / 4, 1 / 100]
    assert found.resources[-1].name == "b network"
    assert found.capacity[-1] == 4.0


@pytest.mark.parametrize(("fairness", "weight"), [("equal", 1.0), ("rtt", 1 / 3)])
def test_weights_are_equal_or_fall_with_the_startup(fairness: str, weight: float) -> None:
    """The startup of a slowed link is what its transfers see: 0.5 + 1 s against 0.5 s."""
    _, found = _found(_platform(runtime=Runtime(fairness=fairness)))
    assert found.weight[1] == pytest.approx(weight)


def test_the_classical_timeline_knows_no_gateway() -> None:
    plain = _platform()
    inside = replace(plain, machines=(*plain.machines[:2], Machine("c", network=INSIDE)))
    first, second = (host_costs(one, "exact", "none").contended for one in (plain, inside))
    assert (first.startup_s == second.startup_s).all()
    assert (first.per_byte_s == second.per_byte_s).all()


def test_a_contender_of_a_machine_slows_its_link_to_a_switch() -> None:
    busy = Contender("talks", 0.0, 1.0)
    machines = (Machine("a", contenders=(busy,)), Machine("b"), Machine("c"))
    _, found = _found(_platform(machines=machines))
    assert found.capacity[:2].tolist() == [100.0, 100.0]


@pytest.mark.parametrize("sharing", [NONE, FAIR])
def test_costs_under_other_loads_are_those_made_anew(sharing: str) -> None:
    ways = [Direction(0.1, 1e6), Direction(0.2, 2e6)]
    machines = tuple(Machine(name) for name in "ABC")
    links = (Link("A", "s", *ways), Link("B", "s", *ways), Link("C", "s", *ways[::-1]))
    platform = Platform("p", machines, links, (Switch("s", 5e5),))
    known = host_costs(platform, EXACT, sharing)
    busy = replace(machines[0], contenders=(Contender("c", 0.5, 0.5),))
    slow = replace(links[1], slowdown=3.0)
    wide = replace(links[2], to_second=Direction(0.1, 4e6))
    for changed in (
        platform,
        replace(platform, machines=(replace(machines[0], speed=2.0), *machines[1:])),
        replace(platform, machines=(busy, *machines[1:])),
        replace(platform, links=(links[0], slow, links[2])),
        replace(platform, links=(*links[:2], wide)),
        replace(platform, switches=(Switch("s", 1e5),)),
        replace(platform, machines=machines[:2], links=links[:2]),
    ):
        anew, found = (host_costs(changed, EXACT, sharing, one) for one in (None, known))
        for one, other in ((anew.contended, found.contended), (anew.dedicated, found.dedicated)):
            np.testing.assert_array_equal(one.startup_s, other.startup_s)
            np.testing.assert_array_equal(one.per_byte_s, other.per_byte_s)
            np.testing.assert_array_equal(one.slowdown, other.slowdown)
        assert found.notes == anew.notes
        assert found.platform is changed
