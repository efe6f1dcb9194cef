"""Routes and costs of an overlay's messages: by hand, and as the executed timeline has them."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.host_costs import host_costs
from advisor.overlays.message_ways import ASSUMED_OVERHEAD, summed, ways
from machines import Direction, InputError, Link, LinkPiece, Machine, Platform, Switch
from machines.interconnect import Interconnect, LogGP
from machines.network import Crossbar
from tests.advisor.overlays.monitored import workers

FAST = Direction(2e-5, 1e9, LinkPiece(1000.0, 8e-5, 4e9))
SLOW = Direction(3e-4, 1e6)


def _chain() -> Platform:
    """a – b – c and a switch behind c, with another link each."""
    inner = Interconnect("inner", Crossbar(4), *(LogGP(5e-6, 1e-6, 1e-6, G=2e-9),) * 2, "s", 1.0)
    return Platform(
        "chain",
        (Machine("a"), Machine("b"), Machine("c", network=inner), Machine("d")),
        (Link("a", "b", FAST, SLOW), Link("b", "c", SLOW, FAST),
         Link("c", "s", FAST, FAST), Link("s", "d", FAST, FAST)),
        switches=(Switch("s", 5e5),),
    )  # fmt: skip


@pytest.mark.parametrize("size", [10.0, 1000.0, 5000.0])
def test_costs_are_those_of_the_executed_timeline(size: float) -> None:
    platform = _chain()
    between = host_costs(platform, "exact", "fair").contended
    bin_ = 0 if size <= 1000.0 else 1
    source, target = (each.ravel() for each in np.indices((4, 4)))
    apart = source != target
    startup, per_byte = ways(platform, size).costs(source[apart], target[apart])
    assert startup == pytest.approx(between.startup_s[bin_].ravel()[apart])
    assert per_byte == pytest.approx(between.per_byte_s[bin_].ravel()[apart])


def test_within_a_machine_the_startup_is_that_of_its_quickest_link_either_way() -> None:
    startup, per_byte = ways(_chain(), 10.0).costs(np.arange(4), np.arange(4))
    assert startup.tolist() == [2e-5, 2e-5, 2e-5, 2e-5]
    assert per_byte.tolist() == [0.0] * 4
    only = Platform("two", workers(2), (Link("n1", "n2", SLOW, SLOW),))
    assert ways(only, 10.0).costs(np.array([0]), np.array([0]))[0].tolist() == [3e-4]


def test_what_crosses_is_counted_at_links_switches_and_networks_inside() -> None:
    platform = _chain()
    found = ways(platform, 10.0)
    passed = found.crossed(np.array([0, 3, 1]), np.array([3, 0, 1]), np.array([7.0, 2.0, 100.0]))
    by_name = dict(zip((one.name for one in found.resources), passed.tolist(), strict=True))
    assert by_name == {
        "a→b": 7.0, "b→a": 2.0, "b→c": 7.0, "c→b": 2.0, "c→s": 7.0, "s→c": 2.0, "s→d": 7.0,
        "d→s": 2.0, "s": 9.0, "c network": 0.0,
    }  # fmt: skip
    ending = found.crossed(np.array([0]), np.array([2]), np.array([5.0]))
    assert ending[-1] == 5.0


def test_machines_that_nothing_joins_have_no_way() -> None:
    apart = Platform("apart", workers(2))
    with pytest.raises(InputError, match="no route from n1 to n2"):
        ways(apart, 10.0).costs(np.array([0]), np.array([1]))


def test_half_of_a_startup_is_assumed_to_be_overhead_at_both_ends() -> None:
    assert 2 * ASSUMED_OVERHEAD == 0.5


def test_sums_at_places() -> None:
    assert summed(np.array([2, 0, 2]), np.array([1.0, 2.0, 3.0]), 4).tolist() == [2, 0, 4, 0]
    assert summed(np.zeros(0, dtype=np.int64), np.zeros(0), 2).tolist() == [0, 0]
