"""Moves estimated by replaying how a plan was carried out: exact cases, invariants, the error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from advisor.allocation import preview as previews
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.replayed_moves import replayed, suits
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search.list_scheduling import heft
from machines import Direction, InfeasibleError, Link, Machine, Platform, Switch
from machines.arrays import Floats
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed
from tests.network_cases import Case, spread


def moved(problem: Problem, plan: Plan, *tasks: int) -> tuple[Floats, Floats, Floats]:
    """The replay for tasks of a plan."""
    return replayed(problem, plan, np.array(tasks, np.int32), predict(problem, plan))


def exact(problem: Problem, plan: Plan, *tasks: int) -> Floats:
    """What `predict` gives after each move."""
    return preview(problem, plan, tasks, exact=True).values_s


def lone(count: int, cores: int = 1, order: str = "plan") -> Platform:
    """Machines of speeds 1, 2, …, each pair with its own link that nobody shares."""
    machines = tuple(Machine(f"M{q}", cores=cores, speed=1.0 + q) for q in range(count))
    way = Direction(0.5, 10.0)
    links = tuple(
        Link(a.name, b.name, way, way, sharing="free")
        for i, a in enumerate(machines)
        for b in machines[:i]
    )
    return Platform("lone", machines, links, runtime=Runtime(order=order))


def chain(length: int) -> Workload:
    """Tasks of 1, 2, … units, each of which hands on 20 bytes."""
    tasks = tuple(Task(f"t{i}", work=1.0 + i) for i in range(length))
    flows = tuple(Flow(f"t{i}", f"t{i + 1}", ((1, 20.0),)) for i in range(length - 1))
    return Workload("chain", tasks, flows)


def graph(seed: int, most: int = 12) -> Workload:
    """A random graph of tasks and flows."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, most))
    tasks = tuple(Task(f"t{i}", work=float(rng.integers(1, 20))) for i in range(count))
    flows = tuple(
        Flow(f"t{j}", f"t{i}", ((1, float(rng.integers(1, 100))),))
        for i in range(1, count)
        for j in range(i)
        if rng.random() < 2.0 / count
    )
    return Workload("graph", tasks, flows)


def test_by_hand_on_a_chain() -> None:
    # t0 1 s, t1 2 s, t2 3 s on M0; t1 to M1 (twice as fast): 1 + (0.5 + 2) + 1 + 2.5 + 3
    problem = Problem.of(lone(2), chain(3))
    values_s, start_s, end_s = moved(problem, Plan((0, 0, 0), (0, 1, 2)), 1)
    assert values_s == pytest.approx([6.0, 10.0])
    assert start_s == pytest.approx([1.0, 3.5])
    assert end_s == pytest.approx([3.0, 4.5])


def test_by_hand_where_the_order_of_a_machine_decides() -> None:
    # a 4 s and b 2 s on M0, c 6 s on M1 of speed 2, all alone; the order is c, a, b
    tasks = (Task("a", work=4.0), Task("b", work=2.0), Task("c", work=6.0))
    problem = Problem.of(lone(2), Workload("w", tasks))
    plan = Plan((0, 0, 1), (2, 0, 1))
    values_s, start_s, end_s = moved(problem, plan, 0)
    assert values_s == pytest.approx([6.0, 5.0])  # on M1 after c: 3 + 2; b alone ends at 2
    assert (start_s[1], end_s[1]) == pytest.approx((3.0, 5.0))
    values_s, *_ = moved(problem, plan, 2)
    assert values_s == pytest.approx([12.0, 6.0])  # c first on M0, which holds up a and b


def test_by_hand_on_the_first_core_that_is_free() -> None:
    # M0 of two cores has a 4 s, b 3 s; then d 1 s; c moves there from M1 between b and d
    tasks = tuple(Task(name, work=work) for name, work in zip("abcd", (4, 3, 2, 1), strict=True))
    problem = Problem.of(lone(2, cores=2), Workload("w", tasks))
    values_s, start_s, end_s = moved(problem, Plan((0, 0, 1, 0), (0, 1, 2, 3)), 2)
    assert (start_s[0], end_s[0]) == (3.0, 5.0)
    assert values_s == pytest.approx([5.0, 4.0])


def test_two_tasks_move_together() -> None:
    # both of the chain's ends: only the middle is left, so that both transfers cross
    problem = Problem.of(lone(2), chain(3))
    values_s, *_ = moved(problem, Plan((0, 0, 0), (0, 1, 2)), 0, 2)
    assert values_s == pytest.approx([6.0, 0.5 + 2.5 + 2.0 + 2.5 + 1.5])


@pytest.mark.parametrize("order", ["plan", "ready"])
@pytest.mark.parametrize("length", [1, 2, 7])
def test_a_chain_is_exact(length: int, order: str) -> None:
    problem, rng = Problem.of(lone(4, order=order), chain(length)), np.random.default_rng(length)
    allocation = tuple(rng.integers(0, 4, length).tolist())
    plan = Plan(allocation, tuple(range(length)))
    for task in range(length):
        found, *_ = moved(problem, plan, task)
        assert found == pytest.approx(exact(problem, plan, task), rel=1e-12)


@pytest.mark.parametrize("cores", [1, 2, 3])
@pytest.mark.parametrize("seed", range(9))
def test_where_nothing_is_shared_it_is_exact(seed: int, cores: int) -> None:
    problem = Problem.of(lone(3, cores), graph(seed))
    rng = np.random.default_rng(seed)
    tasks = len(problem.workload.tasks)
    order = tuple(problem.rank_order.tolist())
    plan = Plan(tuple(rng.integers(0, 3, tasks).tolist()), order)
    for together in (1, 2):
        some = tuple(rng.choice(tasks, together, replace=False).tolist())
        values_s, start_s, end_s = moved(problem, plan, *some)
        truth = preview(problem, plan, some, exact=True)
        assert values_s == pytest.approx(truth.values_s, rel=1e-12)
        assert start_s == pytest.approx(truth.start_s, rel=1e-12)
        assert end_s == pytest.approx(truth.end_s, rel=1e-12)


def random_plan(seed: int) -> tuple[Problem, Plan] | None:
    """A problem under any runtime and a plan for it that can run, or None."""
    try:
        problem = random_executed(seed, most_tasks=7, plain=True)
        rng = np.random.default_rng(seed)
        rows = [np.flatnonzero(np.isfinite(row)) for row in problem.instance.task_s]
        order = tuple(problem.rank_order.tolist()) if seed % 2 else None
        plan = Plan(tuple(int(rng.choice(row)) for row in rows), order)
        predict(problem, plan)
    except InfeasibleError:
        return None
    return problem, plan


@pytest.mark.parametrize("seed", range(24))
def test_where_the_task_is_now_it_is_the_plan_and_times_are_possible(seed: int) -> None:
    made = random_plan(seed)
    if made is None:
        return
    problem, plan = made
    now = predict(problem, plan)
    task = seed % len(problem.workload.tasks)
    values_s, start_s, end_s = moved(problem, plan, task)
    home = plan.allocation[task]
    assert values_s[home] == pytest.approx(now.makespan_s, rel=1e-12)
    assert end_s[home] == pytest.approx(now.end_s[task], rel=1e-12)
    finite = np.isfinite(values_s)
    work_s = problem.costs.task_dedicated_s[task]
    assert (values_s[finite] >= end_s[finite] - 1e-9).all()
    assert (end_s[finite] - start_s[finite] >= work_s[finite] - 1e-9).all()
    assert (finite <= np.isfinite(work_s)).all()


@pytest.mark.parametrize("case", spread(12), ids=lambda case: case.name)
def test_it_is_never_below_what_does_not_follow_the_moved_task(case: Case) -> None:
    problem = Problem.of(case.platform, case.workload)
    now = predict(problem, case.plan)
    order = np.array(case.plan.order)
    for task in range(0, order.size, 3):
        before = order[: int(np.flatnonzero(order == task)[0])]
        values_s, *_ = moved(problem, case.plan, task)
        assert (values_s >= now.end_s[before].max(initial=0.0) * (1.0 - 1e-12)).all()


def blocks(seed: int, megabytes: float) -> Problem:
    """A task, 18 that read from it and one that gathers, five times, at a switch of 1 Gb/s."""
    rng = np.random.default_rng(seed)
    tasks = tuple(Task(f"t{i}", work=1.0 + 20.0 * rng.random()) for i in range(100))
    flows = tuple(
        Flow(f"t{source}", f"t{target}", ((1, megabytes * 1e6 * (1.0 + 9.0 * rng.random())),))
        for first in range(0, 100, 20)
        for i in range(first + 1, first + 19)
        for source, target in ((first, i), (i, first + 19))
    )
    way = Direction(1e-4, 1.25e8)
    machines = tuple(Machine(f"M{q}", speed=1.0 + 0.5 * (q % 4)) for q in range(6))
    links = tuple(Link(one.name, "switch", way, way) for one in machines)
    platform = Platform("p", machines, links, switches=(Switch("switch", 1.25e8),))
    return Problem.of(platform, Workload("blocks", tasks, flows))


def errors(problem: Problem, plan: Plan, tasks: range) -> tuple[Floats, Floats]:
    """Relative errors of all moves, and whether the sign is right where 0.5 % is at stake."""
    now, apart, right = predict(problem, plan), [], []
    for task in tasks:
        found, *_ = replayed(problem, plan, np.array([task], np.int32), now)
        truth = exact(problem, plan, task)
        apart.append(np.abs(found / truth - 1.0))
        stake = np.abs(truth - now.makespan_s) > 0.005 * now.makespan_s
        right.append((np.sign(found - now.makespan_s) == np.sign(truth - now.makespan_s))[stake])
    return np.concatenate(apart), np.concatenate(right)


def test_the_error_is_small_where_the_network_is_not_full() -> None:
    problems = [blocks(seed, 0.1) for seed in range(4)]
    found = [errors(one, heft(one), range(0, 100, 7)) for one in problems]
    apart, right = (np.concatenate(parts) for parts in zip(*found, strict=True))
    assert right.size > 50
    assert right.mean() >= 0.95
    assert np.median(apart) <= 0.001
    assert np.quantile(apart, 0.9) <= 0.02


def test_on_a_full_network_the_median_error_stays_below_a_twentieth() -> None:
    plan = Plan(tuple(i % 6 for i in range(100)))
    apart, _ = errors(blocks(1, 100.0), plan, range(0, 100, 9))
    assert np.median(apart) <= 0.05


@pytest.fixture
def replaying(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets previews replay from so many tasks and data on."""
    return lambda size: monkeypatch.setattr(previews, "QUEUED", size)


def test_previews_of_large_problems_are_replayed_and_say_that_they_are_estimates(
    replaying: Callable[[int], None],
) -> None:
    problem = blocks(1, 1.0)
    plan = heft(problem)
    now = predict(problem, plan)
    values_s, start_s, end_s = moved(problem, plan, 5)
    queues = preview(problem, plan, (5,), now=now)
    size = (100 + problem.executed.reader.size) * 6
    replaying(size)
    assert preview(problem, plan, (5,), now=now).values_s.tolist() == queues.values_s.tolist()
    replaying(size - 1)
    found = preview(problem, plan, (5,), now=now)
    assert found.values_s.tolist() == values_s.tolist() != queues.values_s.tolist()
    assert (found.start_s.tolist(), found.end_s.tolist()) == (start_s.tolist(), end_s.tolist())
    assert (found.exact, found.best) == (False, int(np.argmin(values_s)))
    # what nobody knows has to be found out by queues
    assert preview(problem, plan, (5,)).values_s.tolist() == pytest.approx(queues.values_s.tolist())


@pytest.mark.parametrize(("megabytes", "suited"), [(20.0, True), (100.0, False)])
def test_where_transfers_decide_the_queues_are_estimated(
    megabytes: float, suited: bool, replaying: Callable[[int], None]
) -> None:
    problem, plan = blocks(1, megabytes), Plan(tuple(i % 6 for i in range(100)))
    now = predict(problem, plan)
    assert now.endless_s is not None
    assert suits(problem, now) == suited == (now.endless_s >= 0.5 * now.makespan_s)
    replaying(0)
    found = preview(problem, plan, (5,), now=now).values_s.tolist()
    queues = preview(problem, plan, (5,)).values_s.tolist()
    assert found == (moved(problem, plan, 5)[0].tolist() if suited else pytest.approx(queues))
    assert (found == pytest.approx(queues)) != suited


def test_machines_that_can_not_take_the_task_are_out_of_the_question(
    replaying: Callable[[int], None],
) -> None:
    replaying(0)
    tasks = (Task("a", work=1.0, allowed=("M0", "M1")), Task("b", work=1.0, memory_bytes=6))
    machines = (Machine("M0"), Machine("M1", memory_bytes=5), Machine("M2"))
    problem = Problem.of(Platform("p", machines), Workload("w", tasks))
    plan = Plan((0, 0))
    now = predict(problem, plan)
    first, second = (preview(problem, plan, (task,), now=now) for task in (0, 1))
    assert np.isfinite(first.values_s).tolist() == [True, True, False]
    assert first.reasons[2] == "a is not allowed on M2"
    assert np.isfinite(second.values_s).tolist() == [True, False, True]
    assert "memory" in second.reasons[1]
