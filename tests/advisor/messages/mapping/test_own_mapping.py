"""The user's own mapping as text, with and without cores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.mapping.computing import Computing
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.own_mapping import own_mapping, own_text
from advisor.messages.mapping.program_patterns import ring
from machines import InputError, Mesh
from machines.multicore import with_cores


def problem(processes: int, sharing: int = 1, *, computes: bool = True) -> MappingProblem:
    network = with_cores(Mesh((3,)), [2 * sharing, 3 * sharing, sharing])
    computing = Computing(np.ones(processes), np.ones(6)) if computes else None
    return mapping_problem(ring(processes), network, sharing=sharing, computing=computing)


@given(st.integers(1, 3), st.data())
def test_what_is_written_is_read_again(sharing: int, data: st.DataObject) -> None:
    processes = data.draw(st.integers(2, 6 * sharing))
    case = problem(processes, sharing)
    places = data.draw(st.permutations(range(6 * sharing)))[:processes]
    again = own_mapping(case, own_text(case, tuple(places)))
    assert case.core_of(again).tolist() == case.core_of(tuple(places)).tolist()
    assert len(set(again)) == processes


def test_cores_are_named_where_they_matter() -> None:
    assert own_text(problem(3), (1, 4, 5)) == "0:1,1:2,2:0"
    assert own_text(problem(3, computes=False), (1, 4, 5)) == "0,1,2"
    assert own_mapping(problem(3), "[0:1, 1:2; 2:0]") == (1, 4, 5)
    assert own_mapping(problem(3), "0, 0, 2") == (0, 1, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0:0, 0:0, 1:0", r"mapping, process 1: this core has a process already \(got '0:0'\)"),
        ("0:0, 0:2, 1:0", r"mapping, process 1: no such core.*Allowed: 0 to 1"),
        ("0:0, 3:0, 1:0", r"no such node.*Allowed: 0 to 2"),
        ("0:0, 1, 1:0", "no node numbers.*all with their cores"),
        ("0:0, a, 1:0", "no node numbers"),
        ("0:0, 1:0", "has 2 nodes, not one for each of 3"),
    ],
)
def test_cores_that_are_none_or_taken_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        own_mapping(problem(3), text)
