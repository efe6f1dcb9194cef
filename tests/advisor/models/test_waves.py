"""A task beside work that comes at its rate: by hand, and its laws."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.waves import fallen_behind, wave_slowdown
from machines import InputError

waves = st.lists(st.tuples(st.floats(0.0, 1.0), st.integers(1, 20)), max_size=4)
cores = st.integers(1, 8)


def test_on_one_core_a_task_has_what_is_left() -> None:
    assert wave_slowdown([(0.4, 1)]) == pytest.approx(1 / 0.6)
    assert wave_slowdown([(0.05, 8), (0.1, 1)]) == pytest.approx(1 / 0.5)


def test_a_process_beside_a_task_needs_no_more_than_the_other_core() -> None:
    assert wave_slowdown([(0.9, 1)], cores=2) == 1.0
    assert wave_slowdown([(0.3, 1)], cores=2, held=2) == pytest.approx(1 / (1 - 0.3 / 2))


def test_a_wave_of_many_processes_crowds_a_task_out_of_its_core_while_it_is_there() -> None:
    # 8 processes and one thread on 4 cores: 4/9 each, for 0.1 · 9/4 of the time
    there = 0.1 * 9 / 4
    assert wave_slowdown([(0.1, 8)], cores=4) == pytest.approx(1 / (1 - there * (1 - 4 / 9)))


def test_a_process_that_needs_more_than_its_equal_share_is_always_there() -> None:
    assert fallen_behind([(0.5, 1)]) == 0
    assert fallen_behind([(0.6, 1)]) == 1
    assert wave_slowdown([(0.6, 1)]) == wave_slowdown([(1.0, 1)]) == pytest.approx(2.0)
    # the other one takes its 0.1 beside both: they share the rest
    assert wave_slowdown([(0.6, 1), (0.1, 1)]) == pytest.approx(2 / 0.9)


@given(waves, cores)
def test_all_cores_lose_what_is_taken_unless_processes_fall_behind(found, c: int) -> None:
    if fallen_behind(found, c, c):
        return
    used = sum(share * many for share, many in found)
    assert wave_slowdown(found, c, c) == pytest.approx(c / (c - used))


@given(waves, cores, st.data())
def test_a_slowdown_lies_between_none_and_equal_shares(found, c: int, data) -> None:
    held = data.draw(st.integers(1, c))
    slowdown = wave_slowdown(found, c, held)
    busy = held + sum(many for _, many in found)
    assert 1.0 <= slowdown <= max(1.0, busy / c) * (1 + 1e-9)


@given(waves, cores)
def test_a_task_that_holds_more_cores_is_slowed_no_less(found, c: int) -> None:
    if not fallen_behind(found, c, c):
        slowdowns = [wave_slowdown(found, c, held) for held in range(1, c + 1)]
        assert all(a <= b * (1 + 1e-9) for a, b in pairwise(slowdowns))


@pytest.mark.parametrize(
    ("found", "c", "held"),
    [([(1.1, 1)], 1, 1), ([(-0.1, 1)], 1, 1), ([(0.1, 0)], 1, 1), ([], 1, 2), ([], 0, 1)],
)
def test_what_is_out_of_range_is_refused(found, c: int, held: int) -> None:
    with pytest.raises(InputError):
        wave_slowdown(found, c, held)
