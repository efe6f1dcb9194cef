"""Short tasks are grouped where that pays, and only there; small cases against all groupings."""

from __future__ import annotations

import itertools
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.grouping import Grouping, grouped, short_sentence, short_tasks
from advisor.advice.merged import joined_commands
from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from machines import Machine, Platform, Runtime
from tests.advisor.runs.carrying import World


def one_machine(*tasks: Task, flows: tuple[Flow, ...] = (), cores: int = 1) -> Problem:
    platform = Platform("p", (Machine("M1", cores=cores),))
    return Problem.of(platform, Workload("w", tasks, flows))


def found(problem: Problem, plan: Plan, overhead_s: float) -> Grouping:
    grouping = grouped(problem, plan, overhead_s)
    assert grouping is not None
    runtime = replace(problem.platform.runtime, task_overhead_s=overhead_s)
    platform = replace(problem.platform, runtime=runtime)
    after = predict(Problem.of(platform, grouping.workload), grouping.plan)
    assert after.makespan_s == pytest.approx(grouping.after_s)
    assert grouping.after_s < grouping.before_s
    return grouping


def test_short_tasks_of_one_core_become_one() -> None:
    tasks = [Task(f"t{place}", work=0.1) for place in range(4)]
    grouping = found(one_machine(*tasks), Plan((0,) * 4), 1.0)
    assert grouping.groups == (("t0 +3", ("t0", "t1", "t2", "t3")),)
    assert (grouping.before_s, grouping.after_s) == pytest.approx((4.4, 1.4))
    assert grouping.sentence == (
        "4 of 4 tasks (t0, t1, t2, …) take less than the 1.00 s that the runtime takes for each: "
        "4 tasks as 1 group takes the plan from 4.40 s to 1.40 s (−68 %)."
    )


def test_tasks_that_are_longer_than_the_overhead_are_left_alone() -> None:
    tasks = [Task(f"t{place}", work=2.0) for place in range(4)]
    assert grouped(one_machine(*tasks), Plan((0,) * 4), 1.0) is None
    assert grouped(one_machine(*tasks), Plan((0,) * 4), 0.0) is None


def test_what_would_keep_others_waiting_is_not_grouped() -> None:
    # B on M2 needs A at once; A and the short C together would keep it waiting for C
    world = World(
        {"A": 0.5, "C": 0.9, "B": 10.0},
        {("A", "B"): 0.0},
        {"A": "M1", "C": "M1", "B": "M2"},
        ("A", "C", "B"),
        gap_s=1.0,
    )
    assert grouped(world.problem(), world.plan(), 1.0) is None


def test_groups_that_would_wait_for_one_another_are_not_made() -> None:
    # A (M1) → B (M2) → C (M1): A and C on one machine, one after the other, can't be one
    world = World(
        {"A": 0.1, "B": 5.0, "C": 0.1},
        {("A", "B"): 0.0, ("B", "C"): 0.0},
        {"A": "M1", "B": "M2", "C": "M1"},
        ("A", "B", "C"),
    )
    assert grouped(world.problem(), world.plan(), 1.0) is None


def test_on_many_cores_runs_of_alike_tasks_share_them() -> None:
    tasks = [Task(f"t{place}", work=0.1) for place in range(64)]
    grouping = found(one_machine(*tasks, cores=4), Plan((0,) * 64), 1.0)
    assert grouping.before_s == pytest.approx(16 * 1.1)
    assert grouping.after_s == pytest.approx(1.0 + 16 * 0.1)  # four groups of sixteen: the best
    assert len(grouping.groups) == 4


def smallest(world: World) -> float:
    """The best of all ways to join neighbours of one machine, carried out by the test's engine."""
    lanes = {
        name: [task for task in world.order if world.where[task] == name] for name in world.speed
    }
    pairs = [pair for lane in lanes.values() for pair in itertools.pairwise(lane)]
    short = {t for t, s in world.seconds.items() if s / world.speed[world.where[t]] < world.gap_s}
    pairs = [pair for pair in pairs if short.intersection(pair)]
    best = world.makespan_s + world.gap_s  # before the first task, too
    for size in range(1, len(pairs) + 1):
        for chosen in itertools.combinations(pairs, size):
            merged = joined(world, dict(chosen))
            if merged is not None:
                best = min(best, merged.makespan_s + world.gap_s)
    return best


def joined(world: World, after: dict[str, str]) -> World | None:
    """The world with some tasks as one; None: they wait for one another."""
    group = {}
    for task in world.order:
        group[task] = next((group[one] for one, other in after.items() if other == task), task)
    data: dict[tuple[str, str], float] = {}
    for (one, other), size in world.data.items():
        if group[one] != group[other]:
            pair = group[one], group[other]
            data[pair] = data.get(pair, 0.0) + size
    seconds = dict.fromkeys(dict.fromkeys(group.values()), 0.0)
    for task, own in world.seconds.items():
        seconds[group[task]] += own
    order: list[str] = []
    while len(order) < len(seconds):
        ready = [
            one
            for one in seconds
            if one not in order and all(a in order for a, b in data if b == one)
        ]
        if not ready:
            return None
        order.append(min(ready, key=world.order.index))
    return replace(world, seconds=seconds, data=data, order=tuple(order))


@pytest.mark.parametrize("seed", range(25))
def test_of_few_tasks_the_best_of_all_groupings_is_found(seed: int) -> None:
    draw = np.random.default_rng(seed)
    names = [f"t{place}" for place in range(7)]
    data = {
        (names[one], names[other]): 0.0
        for one, other in itertools.combinations(range(7), 2)
        if draw.random() < 0.3
    }
    seconds = {name: float(draw.choice([0.1, 0.3, 2.0])) for name in names}
    where = {name: str(draw.choice(["M1", "M2"])) for name in names}
    world = World(seconds, data, where, tuple(names), {"M1": 1.0, "M2": 1.0}, gap_s=0.5)
    grouping = grouped(world.problem(), world.plan(), 0.5)
    value = world.makespan_s + 0.5 if grouping is None else grouping.after_s
    assert value == pytest.approx(smallest(world))


def test_a_group_reads_writes_sends_and_runs_what_its_tasks_did() -> None:
    files = (DataFile("in", 10.0, "M1"), DataFile("mid", 5.0), DataFile("out", 7.0))
    tasks = (
        Task("a", work=0.1, reads=("in",), writes=("mid",), command="echo a"),
        Task("b", work=0.2, reads=("in", "mid"), writes=("out",), command="echo b"),
        Task("c", work=9.0, reads=("out",), command="echo c"),
    )
    flows = (Flow("a", "c", ((1, 3.0),)), Flow("b", "c", ((2, 4.0),)), Flow("a", "b"))
    problem = Problem.of(Platform("p", (Machine("M1"),)), Workload("w", tasks, flows, files))
    grouping = found(problem, Plan((0, 0, 0)), 0.15)
    one, two = grouping.workload.tasks
    assert (one.name, two.name) == ("a +1", "c")
    assert (one.work, one.kind) == (pytest.approx(0.3), "a+b")
    assert (one.reads, one.writes) == (("in",), ("mid", "out"))
    assert grouping.workload.flows == (Flow("a +1", "c", ((1, 3.0), (2, 4.0))),)


def test_times_by_machine_add_up_where_all_can_run() -> None:
    platform = Platform("p", (Machine("M1"), Machine("M2", speed=2.0)))
    tasks = (
        Task("a", seconds=(("M1", 0.1), ("M2", 0.2))),
        Task("b", work=0.4),
        Task("c", seconds=(("M1", 0.3),)),
    )
    grouping = found(Problem.of(platform, Workload("w", tasks)), Plan((0, 0, 0)), 1.0)
    (whole,) = grouping.workload.tasks
    assert whole.seconds == (("M1", pytest.approx(0.8)),)


def test_commands_run_one_after_the_other_each_as_it_is_until_one_fails() -> None:
    text = joined_commands(
        [
            Task("a'b", work=1.0, command='cd / && x=1; echo "$PLACEWISE_TASK" # done'),
            Task("b", work=1.0, command="cat <<'end'\n$(never) $x\nend"),
            Task("c", work=1.0, command="pwd; exit 3"),
            Task("d", work=1.0, command="echo never"),
        ]
    )
    ran = subprocess.run(
        ["/bin/sh", "-c", text], capture_output=True, text=True, cwd="/tmp", check=False
    )
    assert ran.stdout == "a'b\n$(never) $x\n/tmp\n"
    assert ran.returncode == 3


def test_without_all_commands_a_group_has_none() -> None:
    assert not joined_commands([Task("a", work=1.0, command="true"), Task("b", work=1.0)])


def test_short_tasks_are_named_for_the_platforms_own_overhead() -> None:
    tasks = [Task("a", work=0.1), Task("b", work=3.0)]
    problem = one_machine(*tasks)
    assert short_sentence(problem, Plan((0, 0))) == ""
    slow = replace(problem.platform, runtime=Runtime(task_overhead_s=0.34))
    assert short_sentence(Problem.of(slow, problem.workload), Plan((0, 0))) == (
        "1 of 2 tasks (a) takes less than the 340 ms that the runtime takes for each"
    )
    assert short_tasks(problem, Plan((0, 0)), 5.0) == (0, 1)


def test_it_gives_the_best_so_far_when_it_is_stopped() -> None:
    tasks = [Task(f"t{place}", work=0.1) for place in range(4)]
    assert grouped(one_machine(*tasks), Plan((0,) * 4), 1.0, lambda: True) is None
