"""Mappings to nodes of several cores: what stays in memory costs no hop, and memory's time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.mapping_measures import OBJECTIVES, bound, measure
from advisor.messages.mapping.mapping_moves import Standing
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import checked, row_major
from advisor.messages.mapping.process_communication import communication
from machines import Crossbar, Dragonfly, FatTree, InputError, LogGP, Mesh, MultiCore
from machines.network import Network

COSTS = LogGP(L=10.0, o_s=2.0, o_r=1.0, G=0.1)
MEMORY = LogGP(L=1.0, o_s=0.5, o_r=0.5, G=0.01)


def problem(network: Network, *flows: tuple[int, int, float]) -> MappingProblem:
    """These flows (source, target, bytes) on the nodes."""
    sources, targets, sizes = zip(*flows, strict=True)
    processes = max(*sources, *targets) + 1
    return mapping_problem(communication("c", processes, sources, targets, sizes), network, MEMORY)


def test_only_what_leaves_a_node_counts_hops_and_loads():
    # nodes 0, 1, 2 in a line, two cores each: places 0 1 | 2 3 | 4 5
    line = MultiCore(Mesh((3,)), 2)
    case = problem(line, (0, 1, 100.0), (1, 2, 10.0), (2, 3, 7.0))
    found = measure(case, COSTS, (0, 1, 4, 2))
    assert found.hop_bytes == 10.0 * 2 + 7.0
    assert case.between_nodes((0, 1, 4, 2)) == 17.0
    assert dict(zip(line.channels, found.loads, strict=True)) == {
        (0, 1): 10.0, (1, 2): 10.0, (2, 1): 7.0, (1, 0): 0.0,
    }  # fmt: skip


def test_messages_inside_a_node_cost_what_its_memory_does():
    case = problem(MultiCore(Mesh((2,)), 2), (0, 1, 101.0), (0, 2, 11.0))
    apart = measure(case, COSTS, (0, 2, 1)).logpc_time  # 0 and 2 on node 0, 1 on node 1
    sends = (2.0 + 100 * 0.1) + (0.5 + 10 * 0.01)
    assert apart == pytest.approx(10.0 + sends)
    together = measure(case, COSTS, (0, 1, 2)).logpc_time
    assert together == pytest.approx(10.0 + (0.5 + 100 * 0.01) + (2.0 + 10 * 0.1))


def test_an_exchange_inside_one_node_has_the_latency_of_memory_alone():
    case = problem(MultiCore(Crossbar(2), 2), (0, 1, 101.0))
    assert measure(case, COSTS, (0, 1)).logpc_time == pytest.approx(1.0 + 0.5 + 100 * 0.01)
    assert bound(case, COSTS, "logpc") <= 1.0 + 0.5 + 100 * 0.01


def test_the_cores_of_a_node_share_its_way_into_the_network():
    # both cores of node 0 send 1001 B to nodes of their own: no channel is shared, the node is
    case = problem(MultiCore(Crossbar(3), 2), (0, 2, 1001.0), (1, 3, 1001.0))
    assert measure(case, COSTS, (0, 1, 2, 4)).logpc_time == pytest.approx(10.0 + 0.1 * 2002)


NETWORKS: list[Network] = [
    MultiCore(Mesh((3, 2)), 2),
    MultiCore(Crossbar(4), 3),
    MultiCore(FatTree((2, 3)), 2),
    FatTree((3, 2, 2), 3),
    Dragonfly((2, 2, 3)),
]


@given(st.sampled_from(NETWORKS), st.integers(0, 10**6))
def test_no_bound_is_above_any_mapping_and_changes_are_measured_as_anew(network, seed):
    flows = patterns.random_messages(8, 20, 64.0, seed)
    case = mapping_problem(flows, network, MEMORY)
    rng = np.random.default_rng(seed)
    mapping = tuple(rng.permutation(network.size)[:8].tolist())
    found = measure(case, COSTS, mapping)
    for objective in OBJECTIVES:
        assert bound(case, COSTS, objective) <= found.value(objective) * (1 + 1e-9)
    process, node = int(rng.integers(8)), int(rng.integers(network.size))
    moved = Standing.of(case, COSTS, mapping).moved(process, node)
    again = measure(case, COSTS, moved.mapping)
    for objective in OBJECTIVES:
        assert moved.measures().value(objective) == pytest.approx(again.value(objective))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("network", NETWORKS, ids=lambda one: f"{one.kind} {one.dims}")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_search_is_never_worse_than_row_major(network: Network, objective: str):
    case = mapping_problem(patterns.random_messages(10, 40, 8.0, seed=2), network, MEMORY)
    found = optimise(case, COSTS, objective, seconds=0.005)
    before = measure(case, COSTS, row_major(network)[:10])
    assert found.measures.value(objective) <= before.value(objective)
    assert len(set(found.mapping)) == 10


def test_pairs_that_talk_are_put_on_one_node():
    # process p talks to p + 8 alone: row-major sends all between nodes
    flows = communication("pairs", 16, list(range(8)), list(range(8, 16)), 1000.0)
    case = mapping_problem(flows, MultiCore(FatTree((2, 4)), 2), MEMORY)
    assert case.between_nodes(row_major(case.network)) == 8000.0
    found = optimise(case, COSTS, seconds=0.05)
    assert case.between_nodes(found.mapping) == found.measures.hop_bytes == 0.0


def test_a_grid_is_cut_into_the_blocks_of_least_surface():
    # 16 x 16 on 32 hosts of 8 cores: blocks of 2 x 4 cut 3 lines of 16 and 7 lines of 16
    flows = patterns.stencil((16, 16), 1024.0)
    case = mapping_problem(flows, MultiCore(Crossbar(32), 8), MEMORY)
    assert case.between_nodes(row_major(case.network)) == 2 * (16 + 15 * 16) * 1024.0
    found = optimise(case, COSTS, seconds=0.01)
    assert found.measures.hop_bytes == 2 * (3 * 16 + 7 * 16) * 1024.0


def test_an_own_mapping_names_a_node_once_for_each_of_its_cores():
    network = MultiCore(Mesh((2,)), 2)
    assert checked(network, 4, [1, 0, 1, 0]) == (2, 0, 3, 1)
    with pytest.raises(InputError, match="process 3: this node has 2 cores, all of them taken"):
        checked(network, 4, [1, 0, 1, 1])
    with pytest.raises(InputError, match="no such node"):
        checked(network, 1, [2])


def test_more_processes_than_cores_are_refused_with_what_is_needed():
    ring = patterns.ring(50)
    with pytest.raises(InputError, match=r"50 processes do not fit on 32 nodes.*cores=2"):
        mapping_problem(ring, Mesh((8, 4)))
    assert mapping_problem(ring, MultiCore(Mesh((8, 4)), 2)).cores == 2
    with pytest.raises(InputError, match="90 processes do not fit on 32 nodes of 2 cores"):
        mapping_problem(patterns.ring(90), MultiCore(Mesh((8, 4)), 2))
