"""The difference between run and prediction: runs that were carried out with a known cause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.runs.difference import Difference, difference
from advisor.runs.difference_words import TASKS, Part, sentence_of
from advisor.runs.run_record import FAILED, TaskRun
from machines import InputError, Machine, Platform
from tests.advisor.random_executed import random_executed
from tests.advisor.runs.carrying import World, actual_of, layers, shapley

CHANGES: dict[tuple[str, str], Callable[[World], World]] = {
    ("tasks", "M2"): lambda one: replace(one, factor={**one.factor, "M2": 1.2}),
    ("tasks", "M1"): lambda one: replace(one, factor={**one.factor, "M1": 0.9}),
    ("fetching in the slot", ""): lambda one: replace(one, fetch="slot"),
    ("gaps between tasks", ""): lambda one: replace(one, gap_s=0.05),
}


def split(world: World, happened: World) -> Difference:
    found = difference(world.problem(), world.plan(), happened.actual())
    assert found.predicted_s == pytest.approx(world.makespan_s)
    assert found.actual_s == pytest.approx(happened.makespan_s)
    adds_up(found)
    return found


def adds_up(found: Difference) -> None:
    total = sum(one.seconds for one in found.parts)
    assert total == pytest.approx(found.change_s, rel=1e-9, abs=1e-9)


def causes(found: Difference) -> dict[tuple[str, str], float]:
    return {(one.cause, one.machine): one.seconds for one in found.parts}


def test_a_run_as_predicted_has_no_parts() -> None:
    found = split(layers(0), layers(0))
    assert found.parts == ()
    assert found.sentence == "Took 8.85 s, as predicted (8.85 s)."


@pytest.mark.parametrize("cause", CHANGES)
@pytest.mark.parametrize("seed", range(4))
def test_a_cause_alone_has_the_whole_difference(cause: tuple[str, str], seed: int) -> None:
    world = layers(seed)
    changed = CHANGES[cause](world)
    found = split(world, changed)
    assert causes(found) == {cause: pytest.approx(changed.makespan_s - world.makespan_s)}


@pytest.mark.parametrize("seed", range(12))
def test_of_a_mixture_each_cause_is_told_within_three_per_cent_of_the_makespan(seed: int) -> None:
    # truth: the mean over all orders in which the causes are carried out one after the other
    world = layers(seed)
    happened = world
    for change in CHANGES.values():
        happened = change(happened)
    found = causes(split(world, happened))
    names = {f"{cause} {machine}": (cause, machine) for cause, machine in CHANGES}
    worth = shapley(world, {name: CHANGES[key] for name, key in names.items()})
    for name, key in names.items():
        assert found[key] == pytest.approx(worth[name], abs=0.03 * world.makespan_s)


def test_the_sentence_names_causes_machines_and_factors() -> None:
    world = layers(2)
    happened = world
    for change in CHANGES.values():
        happened = change(happened)
    assert split(world, happened).sentence == (
        "Took 9.82 s, 22 % longer than the 8.02 s predicted: tasks on M2 ran 1.20 times as long "
        "(+1.02 s), fetching in the slot +0.76 s, gaps between tasks +0.28 s, tasks on M1 ran "
        "0.900 times as long (−0.26 s). Calibrate speeds and contenders from it, so that the next "
        "prediction knows M2."
    )


def chained() -> World:
    """A on M1 feeds B on M1 and C on M2, and M1 has D beside them."""
    return World(
        {"A": 1.0, "D": 2.0, "B": 1.0, "C": 1.0},
        {("A", "B"): 1e6, ("A", "C"): 2e6},
        {"A": "M1", "D": "M1", "B": "M1", "C": "M2"},
        ("A", "D", "B", "C"),
    )


def test_another_order_alone_has_the_whole_difference() -> None:
    world = World(
        {"A": 1.0, "D": 2.0, "C": 2.0},
        {("A", "C"): 2e6},
        {"A": "M1", "D": "M1", "C": "M2"},
        ("A", "D", "C"),
    )
    found = split(world, replace(world, order=("D", "A", "C")))
    assert causes(found) == {("another order", ""): pytest.approx(2.0)}
    assert "another order +2.00 s" in found.sentence


def test_a_task_on_another_machine_alone_has_the_whole_difference() -> None:
    world = chained()
    happened = replace(world, where={**world.where, "C": "M1"})
    found = split(world, happened)
    assert causes(found) == {("other machines", ""): pytest.approx(1.0)}
    assert found.parts[0].tasks == 1
    told = ": 1 task on another machine +1.00 s. Have the engine keep to the machines of the plan"
    assert told in found.sentence


def test_where_tasks_moved_machines_and_order_are_one_part() -> None:
    world = layers(5)
    names = list(world.seconds)
    where = {**world.where, names[0]: "M2", names[5]: "M1"}
    happened = replace(world, where=where, order=(*names[3::-1], *names[4:]))
    found = split(world, happened)
    change_s = happened.makespan_s - world.makespan_s
    assert causes(found) == {("other machines and order", ""): pytest.approx(change_s)}
    assert "2 tasks on other machines and another order" in found.sentence


def test_of_whole_seconds_a_gap_of_one_is_no_late_arrival() -> None:
    world = layers(1)
    runs = replace(world, gap_s=0.3).carried_out()
    whole = [
        TaskRun(one.task, one.machine, float(int(one.start_s)), float(int(one.end_s)))
        for one in runs
    ]
    actual = actual_of(world.problem(), whole)
    coarse = replace(actual, run=replace(actual.run, resolution_s=1.0))
    found = causes(difference(world.problem(), world.plan(), coarse))
    assert found.get(("waiting for links", ""), 0.0) <= 0.0
    assert found["gaps between tasks", ""] > 0.5


def test_links_that_take_longer_alone_have_the_whole_difference() -> None:
    world = chained()
    happened = replace(world, link=12.0)
    found = split(world, happened)
    assert causes(found) == {
        ("waiting for links", ""): pytest.approx(happened.makespan_s - world.makespan_s)
    }


def test_what_arrives_late_waits_for_links_and_not_in_gaps() -> None:
    world = layers(1)
    happened = replace(world, gap_s=0.02, link=5.0)
    found = causes(split(world, happened))
    assert set(found) == {("waiting for links", ""), ("gaps between tasks", "")}
    alone_s = replace(world, gap_s=0.02).makespan_s - world.makespan_s
    assert found["gaps between tasks", ""] == pytest.approx(alone_s, abs=0.1)


def test_links_that_take_far_longer_than_all_transfers_may_be_the_engine() -> None:
    world = chained()
    for link, said in ((5.0, False), (500.0, True)):
        found = split(world, replace(world, link=link))
        assert any("may have waited for the engine" in note for note in found.notes) is said


def test_tries_that_failed_are_told_from_gaps() -> None:
    world = chained()
    found = split(world, replace(world, fails={"D": 0.7}))
    assert causes(found) == {("tries that failed", ""): pytest.approx(0.7)}


def test_overhead_that_was_predicted_is_no_gap() -> None:
    world = replace(layers(3), gap_s=0.05)
    problem = layers(3).problem(overhead_s=0.05)
    found = difference(problem, world.plan(), world.actual())
    assert causes(found) == {("before the first task", ""): pytest.approx(-0.05)}


def test_of_a_run_that_ended_early_only_the_tasks_that_ran_are_compared() -> None:
    world = chained()
    runs = [one for one in replace(world, factor={"M1": 1.5}).carried_out() if one.task != "C"]
    runs.append(TaskRun("C", "M2", 1.0, 1.2, status=FAILED))
    found = difference(world.problem(), world.plan(), actual_of(world.problem(), runs))
    adds_up(found)
    assert found.predicted_s == pytest.approx(4.0)  # A, D, B on M1
    assert found.sentence == (
        "The 3 of 4 tasks that ran took 6.00 s, 50 % longer than the 4.00 s predicted: "
        "tasks on M1 ran 1.50 times as long (+2.00 s). Calibrate speeds and contenders from it, "
        "so that the next prediction knows M1."
    )
    assert "1 task failed or did not run" in found.notes[0]


def test_a_run_whose_machines_are_not_told_is_taken_to_be_as_planned() -> None:
    world = chained()
    runs = [replace(one, machine="") for one in replace(world, factor={"M1": 1.5}).carried_out()]
    found = difference(world.problem(), world.plan(), actual_of(world.problem(), runs))
    assert causes(found) == {("tasks", "M1"): pytest.approx(2.0)}
    assert "does not say where 4 tasks ran" in found.notes[0]


def test_tasks_that_overlap_on_one_core_are_said() -> None:
    world = chained()
    runs = [one.shifted(-1.5 * (one.task == "B")) for one in world.carried_out()]
    found = difference(world.problem(), world.plan(), actual_of(world.problem(), runs))
    adds_up(found)
    assert found.parts[0].cause == "began early"
    assert "clocks disagree" in " ".join(found.notes)


def test_whole_seconds_are_said() -> None:
    world = chained()
    actual = world.actual()
    coarse = replace(actual, run=replace(actual.run, resolution_s=1.0))
    found = difference(world.problem(), world.plan(), coarse)
    assert "times to 1.00 s" in " ".join(found.notes)


def test_a_task_that_ran_where_the_workload_has_no_time_for_it_is_said() -> None:
    platform = Platform("p", (Machine("M1"), Machine("M2")))
    problem = Problem.of(platform, Workload("w", (Task("A", seconds=(("M1", 2.0),)),)))
    run = [TaskRun("A", "M2", 0.0, 3.0)]
    found = difference(problem, Plan((0,)), actual_of(problem, run))
    assert causes(found) == {("other machines", ""): pytest.approx(1.0)}
    assert "A ran on M2, where the workload does not foresee it" in found.notes


def test_a_task_that_ran_where_it_does_not_fit_is_refused() -> None:
    platform = Platform("p", (Machine("M1", cores=2), Machine("M2")))
    problem = Problem.of(platform, Workload("w", (Task("A", work=1.0, cores=2),)))
    with pytest.raises(InputError, match="needs 2 cores, M2 has 1"):
        difference(problem, Plan((0,)), actual_of(problem, [TaskRun("A", "M2", 0.0, 3.0)]))


def test_a_run_that_does_not_say_when_tasks_began_is_refused() -> None:
    world = chained()
    actual = world.actual()
    untimed = replace(actual, run=replace(actual.run, timed=False))
    with pytest.raises(InputError, match="does not say when tasks began"):
        difference(world.problem(), world.plan(), untimed)


def test_a_run_that_turns_most_dependencies_round_is_refused() -> None:
    world = chained()
    runs = [one.shifted(-one.taken_s) for one in world.carried_out()]
    with pytest.raises(InputError, match="began long before what they need had ended"):
        difference(world.problem(), world.plan(), actual_of(world.problem(), runs))


def test_a_run_of_which_nothing_ended_well_is_refused() -> None:
    world = chained()
    runs = [replace(one, status=FAILED) for one in world.carried_out()]
    with pytest.raises(InputError, match="no task of the workload ended well"):
        difference(world.problem(), world.plan(), actual_of(world.problem(), runs))


def test_a_run_of_another_workload_is_refused() -> None:
    with pytest.raises(InputError, match="matched onto another workload"):
        difference(layers(0).problem(), layers(0).plan(), chained().actual())


def test_one_task_that_is_unlike_the_others_of_its_machine_is_named() -> None:
    world = layers(0)
    last = next(name for name in reversed(world.seconds) if world.where[name] == "M1")
    slow = replace(world, seconds={**world.seconds, last: 5.0 * world.seconds[last]})
    found = difference(world.problem(), world.plan(), slow.actual())
    assert [one.task for one in found.parts] == [last]
    assert f"{last} on M1 ran 5.00 times as long" in found.sentence


def test_what_the_classical_timeline_leaves_out_is_a_part_of_its_own() -> None:
    # both flows leave M1 at once, over one link: 100 bytes each at 100 bytes/s
    world = random_executed(3)
    fair = Problem.of(world.platform, world.workload)
    alone = Problem.of(world.platform, world.workload, sharing=NONE)
    plan = Plan(tuple(int(row.argmin()) for row in fair.costs.task_s))
    happened = as_predicted(fair, plan)
    found = difference(alone, plan, happened)
    adds_up(found)
    assert {one.cause for one in found.parts} <= {"sharing"}
    assert found.actual_s == pytest.approx(predict(fair, plan).makespan_s)


def as_predicted(problem: Problem, plan: Plan, rng: np.random.Generator | None = None):  # type: ignore[no-untyped-def]
    """The run that a prediction tells of; with noise, every time somewhat longer."""
    told = predict(problem, plan)
    names = [one.name for one in problem.platform.machines]
    taken = told.start_s if told.taken_s is None else told.taken_s
    longer = np.ones(taken.size) if rng is None else rng.uniform(0.8, 1.5, taken.size)
    runs = [
        TaskRun(
            task.name, names[plan.allocation[row]],
            float(told.start_s[row] + told.overhead_s),
            float(told.start_s[row] + told.overhead_s + longer[row] * (
                told.task_s[row] - told.overhead_s)),
            None, float(taken[row] + told.overhead_s),
        )
        for row, task in enumerate(problem.workload.tasks)
    ]  # fmt: skip
    return actual_of(problem, runs)


@pytest.mark.parametrize("seed", range(20))
def test_under_any_runtime_what_was_predicted_has_no_parts_and_any_run_adds_up(seed: int) -> None:
    problem = random_executed(seed, most_tasks=8)
    rng = np.random.default_rng(seed)
    row = [np.flatnonzero(np.isfinite(one)) for one in problem.costs.task_s]
    plan = Plan(tuple(int(rng.choice(one)) for one in row))
    try:
        happened = as_predicted(problem, plan)
    except InputError:
        return
    if happened.makespan_s <= 0.0:
        return
    found = difference(problem, plan, happened)
    assert {one.cause for one in found.parts} <= {"before the first task"}
    adds_up(difference(problem, plan, as_predicted(problem, plan, rng)))


def test_processors_and_choices_are_those_of_the_plan() -> None:
    from advisor.scaling.law import Scaling

    platform = Platform("p", (Machine("M1", cores=4),))
    tasks = (Task("A", work=8.0, scaling=Scaling(sigma=0.0)), Task("B", work=1.0))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("A", "B"),)))
    plan = Plan((0, 0), processors=(4, 1))
    runs = [TaskRun("A", "M1", 0.0, 2.0), TaskRun("B", "M1", 2.0, 4.0)]
    found = difference(problem, plan, actual_of(problem, runs))
    assert found.predicted_s == pytest.approx(3.0)
    assert causes(found) == {("tasks", "M1"): pytest.approx(1.0)}


def test_of_tasks_that_begin_in_one_second_the_one_that_took_none_came_first() -> None:
    platform, tasks = Platform("one", (Machine("M"),)), (Task("long", 1.0), Task("none", 0.1))
    problem = Problem.of(platform, Workload("two", tasks, ()))
    runs = [TaskRun("none", "M", 5.0, 5.0), TaskRun("long", "M", 5.0, 7.0)]  # whole seconds
    found = difference(problem, Plan((0, 0), (1, 0)), actual_of(problem, runs))
    adds_up(found)
    assert "began early" not in {one.cause for one in found.parts}


def test_a_prediction_far_below_the_run_is_not_rounded_away() -> None:
    parts = (Part(TASKS, "M1", 7198.26, 4137.0),)
    assert "4,140 times as long as the 1.74 s predicted" in sentence_of(1.74, 7200.0, parts, 1, 1)


@pytest.mark.parametrize(
    ("cause", "task", "seconds", "told"),
    [
        ("tasks", "slow 7", 5.0, "Look at slow 7 first: it alone was late on M1."),
        ("gaps between tasks", "", 5.0, "Calibrate the runtime from it, or group short tasks."),
        ("tries that failed", "", 5.0, "Read what the failed tries said before the next run."),
        ("began early", "", 5.0, None),
        ("gaps between tasks", "", -5.0, None),
    ],
)
def test_the_sentence_ends_with_what_to_do_about_the_largest_part_if_it_took_longer(
    cause: str, task: str, seconds: float, told: str | None
) -> None:
    part = Part(cause, "M1", seconds, 2.0, 1, task)
    found = sentence_of(10.0, 10.0 + seconds, (part,), 3, 3)
    assert found.endswith(told or " s.")


@pytest.mark.parametrize(
    ("notes", "told"),
    [
        ((), "Have the engine keep to the plan, or plan nothing but priorities."),
        (
            ("b is gone, 1 task must run again", "Replanned at 17.0 s: 5 tasks moved"),
            "On the way b was lost and the rest was replanned.",
        ),
        (("c is late; replanned at 3.0 s: 1 task moved",), "On the way the rest was replanned."),
    ],
)
def test_an_engine_is_not_blamed_for_what_was_replanned_on_the_way(
    notes: tuple[str, ...], told: str
) -> None:
    part = Part("other machines and order", "", 6.0, None, 5)
    assert sentence_of(19.0, 25.0, (part,), 19, 19, notes).endswith(told)
