"""A change measured by its own flows costs what measuring everything says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.mapping_measures import Measures, measure
from advisor.messages.mapping.mapping_moves import Standing
from advisor.messages.mapping.mapping_problem import mapping_problem
from advisor.messages.mapping.orders import checked
from advisor.messages.mapping.process_communication import communication
from machines import LogGP
from machines.network import Crossbar, Hypercube, Mesh, Network

COSTS = LogGP(8.0, 25.0, 129.0, g=25.0, G=0.5, G_m=0.3625, a=8.0)
NETWORKS: list[Network] = [Mesh((3, 2)), Mesh((5,), wrap=True), Hypercube(3), Crossbar(4)]


def same(one: Measures, other: Measures) -> None:
    assert one.loads == pytest.approx(other.loads)
    assert one.shared_channels == other.shared_channels
    for name in ("hop_bytes", "mean_hops", "busiest_bytes", "logpc_time"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


@given(st.integers(0, 10**6), st.sampled_from(NETWORKS))
def test_a_change_costs_what_a_full_measure_says(seed: int, network: Network) -> None:
    rng = np.random.default_rng(seed)
    processes = int(rng.integers(1, network.size + 1))
    ends = rng.integers(processes, size=(2, int(rng.integers(0, 12))))
    flows = communication("c", processes, *ends, rng.random(ends.shape[1]) * 1000.0)
    problem = mapping_problem(flows, network)
    mapping = tuple(rng.permutation(network.size)[:processes].tolist())
    standing = Standing.of(problem, COSTS, mapping)
    same(standing.measures(), measure(problem, COSTS, mapping))
    process, node = int(rng.integers(processes)), int(rng.integers(network.size))
    after = checked(network, processes, standing.changed(process, node))
    assert after[process] == node
    moved = standing.moved(process, node)
    assert moved.mapping == after
    same(moved.measures(), measure(problem, COSTS, after))


def test_whoever_was_there_takes_the_place() -> None:
    problem = mapping_problem(patterns.ring(3, 1.0), Mesh((4,)))
    standing = Standing.of(problem, COSTS, (0, 1, 2))
    assert standing.changed(0, 2) == (2, 1, 0)
    assert standing.changed(0, 3) == (3, 1, 2)
    assert standing.changed(1, 1) == (0, 1, 2)
    assert [standing.holder(node) for node in range(4)] == [0, 1, 2, None]


def test_the_flows_over_a_channel_are_those_whose_routes_take_it() -> None:
    problem = mapping_problem(patterns.ring(4, 1.0), Mesh((4,)))
    standing = Standing.of(problem, COSTS, (0, 1, 2, 3))
    flows = problem.communication
    channels = problem.network.channels
    over = standing.flows_over(channels.index((1, 0)))
    assert [(int(flows.sources[f]), int(flows.targets[f])) for f in over] == [(3, 0)]
    assert len(standing.flows_over(channels.index((1, 2)))) == 1
    assert sorted(standing.channels_from(3)) == sorted(
        channels.index(one) for one in ((3, 2), (2, 1), (1, 0))
    )
