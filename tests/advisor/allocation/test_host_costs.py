"""What messages cost between hosts: through switches at once, through machines piece by piece."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.costs import EXACT
from advisor.allocation.host_costs import host_costs
from advisor.allocation.sharing import NONE
from machines import Direction, InputError, Link, LinkPiece, Machine, Platform, Store, Switch


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
