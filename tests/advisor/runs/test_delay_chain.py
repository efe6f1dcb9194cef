"""Chains of delays: by hand, and random ones whose prices must add up."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.runs.delay_chain import Chain, Delays, gaps, weights

NO_ARCS = np.zeros(0)


def on_cores(machine: tuple[int, ...], cores: tuple[int, ...]) -> Chain:
    """Tasks in their order that need nothing of one another."""
    tasks = len(machine)
    return Chain(tuple(range(tasks)), machine, (1,) * tasks, cores, ((),) * tasks)


def delays(held: list[float], gap: float = 0.0) -> Delays:
    return Delays(np.full(len(held), gap), np.array(held), NO_ARCS)


def test_a_delay_counts_for_the_share_of_the_way_on_which_it_is_critical() -> None:
    # two machines side by side: the first task is the longer one from half of the way on
    found = weights(on_cores((0, 1), (1, 1)), delays([1.0, 2.0]), delays([3.0, 2.0]))
    assert found.held == pytest.approx([0.5, 0.5], abs=1e-4)
    assert found.held[0] * (3.0 - 1.0) == pytest.approx(3.0 - 2.0, abs=1e-3)


def test_tasks_wait_for_cores_and_for_the_task_before_them() -> None:
    # two cores: the third begins when the first ends at 1, and not with the second at 0.5
    begin_s = np.array([0.0, 0.5, 1.2])
    end_s = np.array([1.0, 3.0, 4.0])
    assert gaps(on_cores((0, 0, 0), (2,)), begin_s, end_s, NO_ARCS) == pytest.approx(
        [0.0, 0.5, 0.2]
    )


def test_a_task_of_several_cores_waits_for_the_last_of_them() -> None:
    wide = Chain((0, 1, 2), (0, 0, 0), (1, 1, 2), (2,), ((), (), ()))
    begin_s, end_s = np.array([0.0, 0.0, 3.5]), np.array([1.0, 3.0, 5.0])
    assert gaps(wide, begin_s, end_s, NO_ARCS)[2] == pytest.approx(0.5)


def test_data_that_were_late_are_an_arc_and_not_a_gap() -> None:
    fed = Chain((0, 1), (0, 1), (1, 1), (1, 1), ((), ((0, 0),)))
    begin_s, end_s = np.array([0.0, 2.0]), np.array([1.0, 3.0])
    assert gaps(fed, begin_s, end_s, np.array([0.7])) == pytest.approx([0.0, 0.3])
    first = Delays(np.zeros(2), np.ones(2), np.array([0.1]))
    last = Delays(np.array([0.0, 0.3]), np.ones(2), np.array([0.7]))
    found = weights(fed, first, last)
    assert (found.arc[0], found.gap[1]) == (1.0, 1.0)


@pytest.mark.parametrize("seed", range(20))
def test_prices_add_up_to_the_change_of_the_makespan(seed: int) -> None:
    draw = np.random.default_rng(seed)
    tasks = 12
    arcs = [(a, b) for a in range(tasks) for b in range(a + 1, tasks) if draw.random() < 0.2]
    inputs: list[list[tuple[int, int]]] = [[] for _ in range(tasks)]
    for arc, (source, target) in enumerate(arcs):
        inputs[target].append((arc, source))
    chain = Chain(
        tuple(range(tasks)),
        tuple(draw.integers(0, 3, tasks).tolist()),
        tuple(draw.integers(1, 3, tasks).tolist()),
        (2, 3, 4),
        tuple(tuple(one) for one in inputs),
    )

    def random() -> Delays:
        most = (0.2, tasks), (2.0, tasks), (0.5, len(arcs))
        return Delays(*(draw.uniform(0.0, high, size) for high, size in most))

    first, last = random(), random()
    found = weights(chain, first, last)
    priced = sum(
        float(w @ (after - before)) for w, before, after in zip(found, first, last, strict=True)
    )
    change = makespan(chain, last) - makespan(chain, first)
    assert priced == pytest.approx(change, abs=2e-3 * makespan(chain, last))
    assert all(((w >= 0.0) & (w <= 1.0 + 1e-9)).all() for w in found)


def makespan(chain: Chain, delays: Delays) -> float:
    """Carried out core by core, without the product's shortcuts."""
    free = [[0.0] * cores for cores in chain.machine_cores]
    before = [0.0] * len(free)
    end = [0.0] * len(chain.order)
    for task in chain.order:
        host = chain.machine[task]
        free[host].sort()
        held = min(chain.cores[task], len(free[host]))
        there = [end[source] + float(delays.arc_s[arc]) for arc, source in chain.inputs[task]]
        begin = max([0.0, free[host][held - 1], before[host], *there]) + float(delays.gap_s[task])
        before[host] = begin
        end[task] = begin + float(delays.held_s[task])
        free[host][:held] = [end[task]] * held
    return max(end)
