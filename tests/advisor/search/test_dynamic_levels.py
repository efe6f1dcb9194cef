"""ETF, DLS, GDL and BIL: by hand, against their definitions, and what is proved of them."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.search import advise
from advisor.search.dynamic_levels import bil, dls, etf, gdl
from tests.advisor.published_problems import ARABNEJAD, TOPCUOGLU, published
from tests.advisor.random_problems import random_problem
from tests.advisor.search.placements import placements

Heuristic = Callable[[Problem], Plan]

SEEDS = st.integers(0, 2**32 - 1)


def ways_ahead(problem: Problem, seconds: np.ndarray) -> dict[int, float]:
    """The longest way from every task to an exit, without transfers."""
    instance = problem.instance
    graph = nx.DiGraph()
    graph.add_nodes_from(range(seconds.size))
    graph.add_edges_from(zip(instance.source.tolist(), instance.target.tolist(), strict=True))
    ahead: dict[int, float] = {}
    for task in reversed(list(nx.topological_sort(graph))):
        after = max((ahead[one] for one in graph.successors(task)), default=0.0)
        ahead[task] = float(seconds[task]) + after
    return ahead


def medians(problem: Problem) -> np.ndarray:
    """Median seconds; the longest that is finite where it is not."""
    rows = [sorted(row) for row in problem.instance.task_s.tolist()]
    half = [(row[(len(row) - 1) // 2] + row[len(row) // 2]) / 2 for row in rows]
    longest = [max(one for one in row if one < np.inf) for row in rows]
    return np.array([a if a < np.inf else b for a, b in zip(half, longest, strict=True)])


def test_etf_breaks_ties_by_what_lies_ahead() -> None:
    problem = published("2 2, 3 3, 4 4", "1 2 1, 1 3 4")
    # after t1 on P1 both could start there at 2; t3 is longer and does, t2 starts at 3 on P2
    plan = etf(problem)
    assert (plan.order, plan.allocation) == ((0, 2, 1), (0, 1, 0))
    assert predict(problem, plan).makespan_s == 6.0


def test_etf_looks_at_the_start_alone() -> None:
    problem = published("2 2, 1 9", "1 2 0.5")
    # t1 on P1; t2 could start at 2 there
    assert etf(problem).allocation == (0, 0)
    busy = published("3 9, 1 9")  # t1 has more ahead and starts at 0 on P1; t2 at 0 on P2
    assert predict(busy, etf(busy)).makespan_s == 9.0


@given(SEEDS)
def test_etf_always_starts_the_first_that_can(seed: int) -> None:
    problem = random_problem(seed)
    ahead = ways_ahead(problem, np.array([_mean(row) for row in problem.instance.task_s]))
    for partial, task, on in placements(problem, etf(problem)):
        ready = partial.ready[: partial.number[0]]
        first = partial.start[ready].min()
        assert partial.start[task, on] == first
        tied = ready[(partial.start[ready] == first).any(axis=1)]
        assert ahead[task] == pytest.approx(max(ahead[one] for one in tied.tolist()))


def test_dls_weighs_where_a_task_is_quicker_than_usual() -> None:
    problem = published("2 6, 4 5")
    # medians 4, 4.5. t1: 4 + 2 on P1, 4 − 2 on P2; t2: 4.5 + 0.5 and 4.5 − 0.5: t1 on P1. Then
    # t2: 5 − 2 on P1, 4 on P2
    plan = dls(problem)
    assert (plan.order, plan.allocation) == ((0, 1), (0, 1))


@given(SEEDS)
def test_dls_takes_the_pair_of_the_greatest_dynamic_level(seed: int) -> None:
    problem = random_problem(seed)
    task_s, typical = problem.instance.task_s, medians(problem)
    ahead = ways_ahead(problem, typical)
    for partial, task, on in placements(problem, dls(problem)):
        levels = {
            (one, q): ahead[one] - partial.start[one, q] + typical[one] - task_s[one, q]
            for one in partial.ready[: partial.number[0]].tolist()
            for q in np.flatnonzero(partial.start[one] < np.inf).tolist()
        }
        assert levels[task, on] == pytest.approx(max(levels.values()), abs=1e-9)


def test_gdl_goes_where_the_next_task_is_quick() -> None:
    problem = published("4 4, 10 2", "1 2 1")
    assert dls(problem).allocation == (0, 1)
    assert predict(problem, dls(problem)).makespan_s == 7.0
    # t2's median is 6: P1 leaves it 6 − min(10, 1 + 2), P2 6 − min(2, 1 + 10)
    assert gdl(problem).allocation == (1, 1)
    assert predict(problem, gdl(problem)).makespan_s == 6.0


def test_gdl_serves_first_who_has_no_other_machine() -> None:
    problem = published("3 -, 5 6")
    assert dls(problem).order == (1, 0)
    assert predict(problem, dls(problem)).makespan_s == 8.0
    assert gdl(problem).order == (0, 1)
    assert predict(problem, gdl(problem)).makespan_s == 6.0


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_bil_is_optimal_for_chains(seed: int) -> None:
    # Oh & Ha 1996
    rng = np.random.default_rng(seed)
    tasks = int(rng.integers(2, 8))
    seconds = ",".join(" ".join(map(str, row)) for row in rng.uniform(1, 9, (tasks, 3)))
    chain = published(
        seconds, ",".join(f"{i} {i + 1} {rng.uniform(0, 5)}" for i in range(1, tasks))
    )
    best = advise(chain, strategy="chain")
    assert best.proved_optimal
    assert predict(chain, bil(chain)).makespan_s == pytest.approx(best.value_s)


def test_bil_takes_first_what_loses_most_by_its_second_best_machine() -> None:
    problem = published("4 5, 5 20, 6 9")
    # of three tasks on two machines the greatest of the two BIMs counts: 5, 20, 9. t2 on P1, where
    # 5 + 5 · (3/2 − 1) is least. Then 4 + 5 and 6 + 5 on P1, 5 and 9 on P2: t3, where it ends at 9
    # on P2; t1 at last on P1, 5 + 4 rather than 9 + 5
    plan = bil(problem)
    assert (plan.order, plan.allocation) == ((1, 2, 0), (0, 0, 1))
    assert predict(problem, plan).makespan_s == 9.0


def test_bil_leaves_a_machine_to_those_who_are_better_off_there() -> None:
    # t1, the more urgent, is as well off on either
    assert bil(published("4 4, - 3")).allocation == (0, 1)
    assert bil(published("4 4, 3 -")).allocation == (1, 0)


@pytest.mark.parametrize(
    ("heuristic", "topcuoglu_s", "arabnejad_s"),
    [(etf, 99, 134), (dls, 91, 134), (gdl, 82, 138), (bil, 84, 128)],
)
def test_published_graphs_keep_their_makespans(
    heuristic: Heuristic, topcuoglu_s: float, arabnejad_s: float
) -> None:
    # 91 is what comparisons on the graph of Topcuoglu et al. state of DLS
    assert predict(TOPCUOGLU, heuristic(TOPCUOGLU)).makespan_s == topcuoglu_s
    assert predict(ARABNEJAD, heuristic(ARABNEJAD)).makespan_s == arabnejad_s


def test_stated_seconds_and_machines_without_a_way_are_taken_as_they_are() -> None:
    for seed in range(12):  # random problems have both, and flows of several messages
        problem = random_problem(seed, sharing=NONE)
        for heuristic in (gdl, bil):
            assert np.isfinite(predict(problem, heuristic(problem)).makespan_s)


def _mean(row: np.ndarray) -> float:
    able = [one for one in row.tolist() if one < np.inf]
    return sum(able) / len(able)
