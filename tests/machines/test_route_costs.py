"""Costs of routes from costs of hops: by hand, and against the routes one by one."""

import numpy as np
import pytest

from machines import Switch
from machines.route_costs import added, largest, narrowest, relayed
from machines.routes import routes, stretches
from tests.machines.hand_built import fat_tree, joined, link, star

RELAY = joined(
    "a b c d",
    [
        link("a", "s", 100.0, 0.5),
        link("s", "b", 50.0, 0.25),
        link("b", "t", 200.0, 1.0),
        link("t", "c", 400.0, 2.0),
        link("d", "e"),
    ],
    ["s", Switch("t", 25.0)],
    ["e"],
)


def hop_costs(net):
    ways = [way for one in net.links for way in (one.to_first, one.to_second)]
    startup_s = np.array([way.startup_s for way in ways])
    return startup_s, np.array([1 / way.bandwidth for way in ways])


def test_startups_add_and_bytes_flow_at_the_slowest_place_of_each_stretch():
    startup_s, per_byte_s = hop_costs(RELAY)
    table = routes(RELAY)
    a, b, c, d = range(4)
    assert added(table, startup_s)[a, c] == 0.5 + 0.25 + 1.0 + 2.0
    # a stretch of 100 and 50 bytes/s, one of 200, the switch's 25 and 400
    assert relayed(RELAY, table, per_byte_s)[a, c] == 1 / 50 + 1 / 25
    assert narrowest(RELAY, table, per_byte_s)[a, c] == 1 / 25
    assert relayed(RELAY, table, per_byte_s)[a, b] == 1 / 50
    assert largest(table, startup_s)[c, a] == 2.0
    assert np.isinf(added(table, startup_s)[a, d])
    assert added(table, startup_s)[a, a] == 0.0


@pytest.mark.parametrize(
    "net",
    [
        RELAY,
        star(4),
        fat_tree(4),
        joined("a b c d", [link("a", "b", 10.0), link("b", "c", 20.0), link("c", "d", 40.0)]),
        joined("a b", []),
    ],
    ids=["relay", "star", "fat tree", "chain", "apart"],
)
def test_all_pairs_cost_what_each_route_costs(net):
    startup_s, per_byte_s = hop_costs(net)
    table = routes(net)
    slow = {switch.name: 1 / switch.bandwidth for switch in net.switches if switch.bandwidth}

    def byte(hop):
        return max(per_byte_s[hop.code], slow.get(hop.ends(net)[1], 0.0))

    startups, whole = added(table, startup_s), narrowest(net, table, per_byte_s)
    parts = relayed(net, table, per_byte_s)
    for (p, q), route in table.items():
        assert startups[p, q] == pytest.approx(sum(startup_s[hop.code] for hop in route))
        assert whole[p, q] == max(byte(hop) for hop in route)
        every = [max(byte(hop) for hop in part) for part in stretches(net, route)]
        assert parts[p, q] == pytest.approx(sum(every))
    apart = np.isinf(startups)
    assert apart.sum() == len(net.hosts) * (len(net.hosts) - 1) - len(table)
    assert (np.isinf(parts) == apart).all()
