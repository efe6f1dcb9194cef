"""Communications: patterns, grids, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.process_communication import Communication, communication
from machines import InputError


def pairs(flows: Communication) -> set[tuple[int, int]]:
    return set(zip(flows.sources.tolist(), flows.targets.tolist(), strict=True))


def test_flows_of_one_pair_are_added_up_and_those_to_oneself_left_out() -> None:
    flows = communication("c", 3, [2, 0, 2, 1], [0, 1, 0, 1], [5.0, 2.0, 7.0, 9.0], [1, 2, 3, 4])
    assert flows.sources.tolist() == [0, 2]
    assert flows.targets.tolist() == [1, 0]
    assert flows.size_bytes.tolist() == [2.0, 12.0]
    assert flows.messages.tolist() == [2.0, 4.0]
    assert flows.total_bytes == 14.0
    assert flows.traffic((2, 1, 0), 3)[0, 2] == 12.0
    assert not flows.sources.flags.writeable


@pytest.mark.parametrize(
    ("sources", "sizes", "message"),
    [
        ([3], [1.0], r"source is not a process \(got 3\). Allowed: 0 to 2"),
        ([-1], [1.0], "source is not a process"),
        ([10**30], [1.0], "too large a number"),
        ([0], [-1.0], "bytes must be finite"),
        ([0], [math.nan], "bytes must be finite"),
    ],
)
def test_what_is_no_flow_is_refused(sources: list[int], sizes: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        communication("c", 3, sources, [1], sizes)


def test_too_many_processes_are_refused() -> None:
    with pytest.raises(InputError, match="Allowed: up to 131072"):
        patterns.ring(131_073)


def test_a_ring_closes_and_stripes_do_not() -> None:
    assert pairs(patterns.ring(3)) == {(0, 1), (1, 2), (2, 0)}
    stripes = patterns.stripes(3, 8.0, 5)
    assert pairs(stripes) == {(0, 1), (1, 2)}
    assert stripes.size_bytes.tolist() == [40.0, 40.0]
    assert stripes.messages.tolist() == [5.0, 5.0]


def test_a_stencil_sends_both_ways_along_every_dimension() -> None:
    open_ = patterns.stencil((3, 2))
    assert pairs(open_) == {
        pair for i, j in [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]
        for pair in ((i, j), (j, i))
    }  # fmt: skip
    closed = patterns.stencil((3, 2), wrap=True)
    assert pairs(closed) - pairs(open_) == {(0, 2), (2, 0), (3, 5), (5, 3)}
    assert set(closed.size_bytes) == {1024.0}
    assert len(patterns.stencil((4, 4, 4), wrap=True).sources) == 6 * 64


def test_a_transpose_sends_every_element_to_its_place() -> None:
    flows = patterns.transpose(2, 3)
    matrix = np.arange(6).reshape(2, 3)
    places = {int(p): at for at, p in enumerate(matrix.T.reshape(-1))}
    assert pairs(flows) == {(p, at) for p, at in places.items() if p != at}


def test_random_messages_are_counted_and_the_same_for_a_seed() -> None:
    flows = patterns.random_messages(7, 500, 2.0, seed=3)
    assert flows.messages.sum() == 500
    assert flows.total_bytes == 1000.0
    again = patterns.random_messages(7, 500, 2.0, seed=3)
    assert again.size_bytes.tolist() == flows.size_bytes.tolist()
    assert all(i != j for i, j in pairs(flows))
    assert len(patterns.all_to_all(5).sources) == 20


@given(st.integers(1, 4096), st.integers(1, 3))
def test_a_grid_holds_all_processes(processes: int, dimensions: int) -> None:
    dims = patterns.grid_of(processes, dimensions)
    assert math.prod(dims) == processes
    assert list(dims) == sorted(dims, reverse=True)
    assert len(dims) == dimensions


def test_a_grid_is_as_cubic_as_can_be() -> None:
    assert patterns.grid_of(32, 2) == (8, 4)
    assert patterns.grid_of(512, 3) == (8, 8, 8)


def test_one_process_has_nobody_to_send_to() -> None:
    with pytest.raises(InputError, match="no other to send to"):
        patterns.stencil((1, 1))
