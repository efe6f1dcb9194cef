"""What overlays do to tasks, against a simulation of every message that knows no contenders."""

from __future__ import annotations

import pytest

from tests.advisor.overlays.beside_cases import KINDS, LOADS, beside

_OPERATIONS = 60


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("cores", "held"), [(1, 1), (2, 1), (2, 2), (4, 1), (4, 3), (4, 4)])
def test_a_task_is_slowed_as_much_as_in_a_simulation(kind: str, cores: int, held: int) -> None:
    cells = [beside(kind, cores, held, load, _OPERATIONS) for load in LOADS]
    found = [one for one in cells if one is not None]
    assert found
    for one in found:
        assert abs(one.error) < (0.25 if one.falls_behind else 0.09)


@pytest.mark.parametrize("kind", KINDS)
def test_on_all_cores_it_does_not_matter_when_back_ends_begin(kind: str) -> None:
    for cores in (1, 2):
        one = beside(kind, cores, cores, 0.3, 200, apart=True)
        assert one is not None
        assert abs(one.error) < 0.05


def test_on_some_cores_back_ends_that_begin_apart_slow_a_task_less() -> None:
    one = beside("8 back-ends", 4, 1, 0.2, 200, apart=True)
    assert one is not None
    assert 1.0 <= one.simulated < 0.9 * one.predicted


def test_contenders_that_wait_for_their_turn_would_slow_tasks_less() -> None:
    one = beside("8 back-ends", 1, 1, 0.6, _OPERATIONS)
    assert one is not None
    assert one.simulated == pytest.approx(2.5, rel=0.02)
    assert one.waiting < 2.1
