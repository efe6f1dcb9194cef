"""Measures follow the real routes; bounds are below every mapping."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.mapping_measures import (
    OBJECTIVES,
    bound,
    logpc_time,
    measure,
    process_times,
)
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.process_communication import communication
from machines import InputError, LogGP
from machines.network import Crossbar, Hypercube, Mesh, Network

ALEWIFE = LogGP(8.0, 25.0, 129.0, g=25.0, G=0.5, G_m=0.3625, a=8.0)
NETWORKS: list[Network] = [Mesh((3, 2)), Mesh((5,), wrap=True), Hypercube(2), Crossbar(4)]


def small(seed: int, network: Network) -> MappingProblem:
    rng = np.random.default_rng(seed)
    processes = int(rng.integers(2, min(network.size, 5) + 1))
    flows = int(rng.integers(1, 9))
    ends = rng.integers(processes, size=(2, flows))
    sizes = rng.integers(1, 9, size=flows) * 100.0
    return mapping_problem(communication("c", processes, *ends, sizes), network)


@given(st.integers(0, 10**6), st.sampled_from(NETWORKS))
def test_measures_are_sums_over_the_routes(seed: int, network: Network) -> None:
    problem = small(seed, network)
    flows = problem.communication
    mapping = tuple(np.random.default_rng(seed).permutation(network.size)[: flows.processes])
    loads: dict[tuple[int, int], list[float]] = {}
    hops = 0.0
    for i, j, size in zip(flows.sources, flows.targets, flows.size_bytes, strict=True):
        route = network.route(int(mapping[i]), int(mapping[j]))
        hops += size * len(route)
        for channel in route:
            loads.setdefault(channel, []).append(float(size))
    found = measure(problem, ALEWIFE, mapping)
    assert found.hop_bytes == hops
    assert found.busiest_bytes == max(map(sum, loads.values()), default=0.0)
    assert found.shared_channels == sum(len(users) > 1 for users in loads.values())
    assert found.loads.sum() == pytest.approx(hops)
    assert found.mean_hops == pytest.approx(hops / max(flows.total_bytes, 1.0))


@pytest.mark.parametrize("network", NETWORKS, ids=lambda one: one.kind)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_mapping_beats_the_bound(network: Network, objective: str) -> None:
    for seed in range(4):
        problem = small(seed, network)
        limit = bound(problem, ALEWIFE, objective)
        for nodes in permutations(range(network.size), problem.communication.processes):
            value = measure(problem, ALEWIFE, nodes).value(objective)
            assert value >= limit * (1 - 1e-12)


def test_the_bound_counts_the_nodes_that_are_near() -> None:
    star = communication("star", 8, [0] * 7, range(1, 8), 10.0)
    assert bound(mapping_problem(star, Hypercube(3)), ALEWIFE, "hop-bytes") == (
        pytest.approx(10.0 * (0.5 * (3 * 1 + 3 * 2 + 3) + 0.5 * 7))
    )
    every = patterns.all_to_all(8)
    problem = mapping_problem(every, Hypercube(3))
    limit = bound(problem, ALEWIFE, "hop-bytes")
    assert measure(problem, ALEWIFE, tuple(range(8))).hop_bytes == limit


def test_row_major_stripes_share_no_channel_on_the_mesh_of_the_paper() -> None:
    """Moritz & Frank 2001, sec. 5.2.2, reading of dimension order."""
    found = measure(mapping_problem(patterns.stripes(32), Mesh((8, 4))), ALEWIFE, tuple(range(32)))
    assert (found.hop_bytes, found.shared_channels) == (52 * 1024.0, 0)


def test_the_time_is_that_of_the_busiest_process_or_channel() -> None:
    flows = communication("c", 3, [0, 1], [2, 2], [1000.0, 2000.0], [1, 2])
    times = process_times(flows, ALEWIFE)
    one = 25.0 + 999 * 0.5
    assert times.tolist() == [one, 2 * one, 3 * 129.0]
    assert logpc_time(flows, ALEWIFE, 0.0) == 8.0 + 2 * one
    assert logpc_time(flows, ALEWIFE, 3000.0) == 8.0 + 1500.0
    line = mapping_problem(flows, Mesh((3,)))
    assert measure(line, ALEWIFE, (0, 1, 2)).logpc_time == 1508.0
    assert measure(line, ALEWIFE, (0, 2, 1)).logpc_time == 8.0 + 2 * one


def test_a_gap_above_the_overhead_paces_short_messages() -> None:
    flows = communication("c", 2, [0], [1], 80.0, 10)
    assert process_times(flows, LogGP(1.0, 2.0, 3.0, g=50.0)).tolist() == [500.0, 30.0]


def test_silence_takes_no_time() -> None:
    problem = mapping_problem(communication("c", 3, [], [], []), Mesh((3,)))
    found = measure(problem, ALEWIFE, (0, 1, 2))
    assert (found.hop_bytes, found.mean_hops, found.busiest_bytes, found.logpc_time) == (0,) * 4
    assert bound(problem, ALEWIFE, "busiest") == 0.0


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(InputError, match="hop-bytes, busiest, logpc"):
        bound(small(0, NETWORKS[0]), ALEWIFE, "luck")
    with pytest.raises(InputError, match="do not fit"):
        mapping_problem(patterns.ring(7), Mesh((3, 2)))
