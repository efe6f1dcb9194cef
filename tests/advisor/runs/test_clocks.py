"""Clocks: known offsets are found from causality, agreeing clocks are left, riddles are said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.runs.clocks import Clocks, clocks_of

EDGES = (np.array([0, 1]), np.array([1, 2]))


def pair(skew_s: float, *, gap_s: float = 0.1, resolution_s: float = 0.0) -> Clocks:
    """0 on A, 1 on B, 2 on A, one after the other; B's clock is ahead by `skew_s`."""
    start_s = np.array([0.0, 1.0 + gap_s + skew_s, 2.0 + 2 * gap_s])
    end_s = np.array([1.0, 2.0 + gap_s + skew_s, 3.0 + 2 * gap_s])
    if resolution_s:
        start_s, end_s = np.floor(start_s), np.floor(end_s)
    return clocks_of(("A", "B"), np.array([0, 1, 0]), start_s, end_s, EDGES, resolution_s)


@pytest.mark.parametrize("skew_s", [0.0, 0.05, -0.1])
def test_clocks_that_agree_with_causality_are_left_alone(skew_s: float) -> None:
    found = pair(skew_s)
    assert not found.offset_s.any()
    assert found.notes == ()


@pytest.mark.parametrize("skew_s", [3.0, -3.0, 0.4, -40.0, 1e6])
def test_an_offset_is_found_within_the_time_between_tasks(skew_s: float) -> None:
    found = pair(skew_s)
    assert found.offset_s[0] == 0
    assert found.offset_s[1] == pytest.approx(skew_s, abs=0.106)
    assert abs(found.offset_s[1]) <= abs(skew_s)  # as little as explains it
    assert found.low_s[1] - 1e-9 <= skew_s <= found.high_s[1] + 1e-9
    assert "B" in found.notes[0]
    assert ("ahead" if skew_s > 0 else "behind") in found.notes[0]


def test_whole_seconds_may_be_a_second_off() -> None:
    assert pair(0.4, resolution_s=1.0).notes == ()
    assert pair(5.0, resolution_s=1.0).offset_s[1] == pytest.approx(5.0, abs=2.0)


def test_what_no_offsets_explain_is_said_and_not_changed() -> None:
    found = clocks_of(
        ("A", "B"), np.array([0, 1, 0]), np.array([0.0, 0.5, 1.0]), np.array([1.0, 1.5, 2.0]), EDGES
    )
    assert not found.offset_s.any()
    assert "A and B" in found.notes[0]
    assert "left as they are" in found.notes[0]


def test_a_circle_of_three_that_no_offsets_explain_is_said() -> None:
    machine, edges = np.array([0, 1, 2, 0]), (np.array([0, 1, 2]), np.array([1, 2, 3]))
    start_s = np.array([0.0, 0.5, 1.0, 1.5])
    found = clocks_of(("A", "B", "C"), machine, start_s, start_s + 1, edges)
    assert not found.offset_s.any()
    assert "circle" in found.notes[0]


def test_tasks_too_early_on_their_own_machine_are_no_matter_of_clocks() -> None:
    start_s = np.array([0.0, 0.5, 2.0])
    found = clocks_of(("A",), np.zeros(3, dtype=int), start_s, start_s + 1, EDGES)
    assert not found.offset_s.any()
    assert "same machine" in found.notes[0]


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_corrected_times_keep_causality_and_true_offsets_lie_in_the_range(
    machines: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    true_s = np.round(rng.normal(0.0, 5.0, machines), 3) * (rng.random(machines) < 0.6)
    count = 24
    machine = rng.integers(0, machines, count)
    seconds = rng.random(count)
    start_s = np.zeros(count)
    edges = [(one, at) for at in range(1, count) for one in {at - 1, int(rng.integers(0, at))}]
    for source, target in edges:
        start_s[target] = max(start_s[target], start_s[source] + seconds[source] + 0.05)
    read_s = true_s[machine]
    sources, targets = (np.array(one) for one in zip(*edges, strict=True))
    found = clocks_of(
        tuple("ABCDE"[:machines]), machine, start_s + read_s, start_s + seconds + read_s,
        (sources, targets),
    )  # fmt: skip
    off = (true_s - found.offset_s)[machine]
    slack = (start_s + off)[targets] - (start_s + seconds + off)[sources]
    assert slack.min() >= -0.005 - 1e-9
    if found.offset_s.any():
        keeps = int(np.argmax(np.bincount(machine, minlength=machines)))
        relative = true_s - true_s[keeps]
        assert np.all(found.low_s <= relative + 1e-9)
        assert np.all(relative <= found.high_s + 1e-9)


def test_clocks_of_more_machines_than_can_be_compared_are_left_and_it_is_said() -> None:
    count = 1200
    start_s = np.arange(count) * 0.5
    edges = (np.arange(count - 1), np.arange(1, count))
    names = tuple(f"n{one}" for one in range(count))
    found = clocks_of(names, np.arange(count), start_s, start_s + 1, edges)
    assert not found.offset_s.any()
    assert "1,200 machines" in found.notes[0]
