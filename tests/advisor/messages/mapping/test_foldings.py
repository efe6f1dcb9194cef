"""Foldings lay every process on a node of its own, and reach hop-bytes counted by hand."""

from __future__ import annotations

import pytest

from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.foldings import foldings
from advisor.messages.mapping.grids import grid_of
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.orders import Mapping, checked
from machines.network import Mesh


def folded(problem: MappingProblem) -> list[Mapping]:
    grid = grid_of(problem.communication)
    assert grid is not None
    network = problem.network
    return list(foldings(grid, network.dims, wrap=network.kind == "torus"))


@pytest.mark.parametrize(
    ("sizes", "wrap", "network", "edges"),
    [
        # sums over the neighbours of the grid: hops along each axis
        ((4, 4), False, Mesh((4, 4)), 24),  # as it is
        ((8, 8), True, Mesh((8, 8), wrap=True), 128),
        ((16,), False, Mesh((4, 4)), 15),  # a snake
        ((16,), True, Mesh((4, 4), wrap=True), 16),
        # neighbours along one long axis are 1 apart, along the other 2, and the short axis steps
        # inside a pair, to the mirrored half of a ring (1, 3, 5, 7, 7, 5, 3, 1: 4 on average) and
        # inside a pair again
        ((4, 8, 8), False, Mesh((16, 16), wrap=True), 224 + 448 + 64 * (1 + 4 + 1)),
        # 976 neighbours; the fold that is often cited has 1024
        ((16, 32), False, Mesh((8, 8, 8), wrap=True), 1008),
    ],
)
def test_the_best_folding_has_the_hop_bytes_counted_by_hand(
    sizes: tuple[int, ...], wrap: bool, network: Mesh, edges: int
) -> None:
    if len(sizes) > 1:
        talk, one = patterns.stencil(sizes, 1.0, wrap), 2.0
    else:
        talk, one = (patterns.ring if wrap else patterns.stripes)(sizes[0], 1.0), 1.0
    problem = mapping_problem(talk, network)
    assert min(map(problem.hop_bytes, folded(problem))) == one * edges


@pytest.mark.parametrize(
    ("sizes", "network"),
    [
        ((6, 10), Mesh((16, 8))),
        ((5, 7), Mesh((8, 8), wrap=True)),
        ((9, 4, 2), Mesh((4, 8, 4))),
        ((11,), Mesh((4, 3))),
        ((3, 3), Mesh((10,), wrap=True)),
    ],
)
def test_every_folding_is_a_mapping_also_where_nodes_stay_free(
    sizes: tuple[int, ...], network: Mesh
) -> None:
    talk = patterns.stencil(sizes) if len(sizes) > 1 else patterns.ring(*sizes)
    found = folded(mapping_problem(talk, network))
    assert found
    assert len(set(found)) == len(found)
    for mapping in found:
        checked(network, talk.processes, mapping)


def test_a_grid_that_no_cut_fits_has_none() -> None:
    assert folded(mapping_problem(patterns.stencil((7, 9)), Mesh((8, 8)))) == []


def test_a_stop_ends_the_foldings() -> None:
    problem = mapping_problem(patterns.stencil((8, 8)), Mesh((4, 4, 4)))
    grid = grid_of(problem.communication)
    assert grid is not None
    assert list(foldings(grid, (4, 4, 4), wrap=False, should_stop=lambda: True)) == []
    left = iter([False] * 2000 + [True] * 9999)
    some = list(foldings(grid, (4, 4, 4), wrap=False, should_stop=lambda: next(left)))
    assert 0 <= len(some) <= len(folded(problem))
