"""All calibrations together: each for itself, several as one, and what they do to predictions."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.learning.calibrations import calibrated, calibrations, learnt_texts
from advisor.learning.plan_of_run import carried_plan, follows
from advisor.project.workload_file import parse_workload
from advisor.runs.run_record import Run, TaskRun, parse
from machines.formats.platform_toml import parse_platform
from machines.stopping import Stopped, stoppable
from tests.advisor.learning.site import NAMES, ON_M1, OTHER, SPLIT, Site, actuals, planned, problem
from tests.advisor.random_executed import random_executed

MIXED = {name: "M1" if place % 3 else "M2" for place, name in enumerate(NAMES)}
ORDER = ("times", "speeds", "links", "runtime", "contenders", "memory", "spread", "workers")


def learnt_problem(asked: Problem, where: dict[str, str], *runs) -> Problem:
    found = calibrations(asked, planned(asked, where), actuals(asked, *runs))
    return Problem.of(*calibrated(asked, [one for one in found if one.learnt]))


def test_there_is_one_lesson_of_each_kind() -> None:
    asked = problem()
    found = calibrations(asked, planned(asked, SPLIT), actuals(asked, Site().run(SPLIT)))
    assert tuple(one.name for one in found) == ORDER
    for one in found:
        assert one.title
        assert one.sentence
        assert all(len(row) == len(one.header) for row in one.rows)
        changed = one.platform != asked.platform or one.workload.tasks != asked.workload.tasks
        assert changed <= one.learnt


def test_no_runs_teach_nothing() -> None:
    asked = problem()
    for one in calibrations(asked, planned(asked, SPLIT), []):
        assert not one.learnt
        assert one.platform == asked.platform
        assert one.workload == asked.workload
    assert calibrated(asked, ()) == (asked.platform, asked.workload)


@pytest.mark.parametrize("odd", [{}, {("use", "M2"): 3.0}])
def test_predictions_of_other_plans_are_right_after_learning(odd: dict) -> None:
    site = Site(odd=odd, noise=0.02)
    asked = problem()
    runs = [site.run(where, seed) for seed in range(3) for where in (SPLIT, OTHER)]
    after = learnt_problem(asked, SPLIT, *runs)
    for where in (MIXED, ON_M1):
        truth = Site(odd=odd, noise=0.0).run(where).makespan_s
        before = predict(asked, planned(asked, where)).makespan_s
        found = predict(after, planned(after, where)).makespan_s
        assert found == pytest.approx(truth, rel=0.04)
        assert abs(found - truth) < abs(before - truth)


def test_predictions_beside_hogs_are_right_after_learning() -> None:
    site = Site(noise=0.02)
    asked = problem()
    runs = [site.run(where, seed) for seed in range(2) for where in (SPLIT, OTHER)]
    runs += [site.run(SPLIT, 7, hogs={"M1": 2})]
    after = learnt_problem(asked, SPLIT, *runs)
    truth = Site(noise=0.0).run(MIXED, hogs={"M1": 2}).makespan_s
    assert predict(after, planned(after, MIXED)).makespan_s == pytest.approx(truth, rel=0.05)


def test_lessons_change_what_they_are_about_and_nothing_else() -> None:
    asked = problem()
    site = Site(odd={("use", "M2"): 3.0})
    runs = [site.run(where) for where in (SPLIT, OTHER)]
    times, speeds, links, runtime, *_ = calibrations(
        asked, planned(asked, SPLIT), actuals(asked, *runs)
    )
    assert times.platform == asked.platform
    assert links.platform.machines == asked.platform.machines == runtime.platform.machines
    assert speeds.platform.links == asked.platform.links == runtime.platform.links
    for one in (speeds, links, runtime):
        assert one.workload.tasks == asked.workload.tasks
    platform, workload = calibrated(asked, (runtime, links))
    assert platform.links == links.platform.links
    assert platform.runtime == runtime.platform.runtime
    assert platform.machines == asked.platform.machines
    assert workload == asked.workload


def test_the_order_in_which_lessons_are_chosen_does_not_matter() -> None:
    asked = problem()
    runs = [Site().run(where, seed) for seed, where in enumerate((SPLIT, OTHER, SPLIT))]
    found = calibrations(asked, planned(asked, SPLIT), actuals(asked, *runs))
    assert calibrated(asked, found) == calibrated(asked, found[::-1])


def test_times_as_work_and_speeds_agree() -> None:
    asked = problem()
    runs = [Site().run(where, seed) for seed, where in enumerate((SPLIT, OTHER))]
    times, speeds, *_ = calibrations(asked, planned(asked, SPLIT), actuals(asked, *runs))
    assert times.platform.machines == speeds.platform.machines
    alone, both = calibrated(asked, (times,)), calibrated(asked, (times, speeds))
    assert alone == both


def test_learning_again_from_the_same_runs_changes_little() -> None:
    asked = problem()
    runs = [Site().run(where, seed) for seed in range(3) for where in (SPLIT, OTHER)]
    first = learnt_problem(asked, SPLIT, *runs)
    second = learnt_problem(first, SPLIT, *runs)
    for where in (SPLIT, MIXED):
        plan = planned(first, where)
        once, twice = (predict(one, plan).makespan_s for one in (first, second))
        assert twice == pytest.approx(once, rel=0.01)


def test_lessons_travel_between_processes() -> None:
    asked = problem()
    found = calibrations(asked, planned(asked, SPLIT), actuals(asked, Site().run(SPLIT)))
    again = pickle.loads(pickle.dumps(found))
    assert [one.sentence for one in again] == [one.sentence for one in found]
    assert again[0].workload.tasks == found[0].workload.tasks


def test_the_plan_that_a_run_carried_out_has_its_machines_and_order() -> None:
    asked = problem()
    plan = planned(asked, SPLIT)
    (same, other) = actuals(asked, Site().run(SPLIT), Site(order="ready").run(MIXED))
    assert follows(plan, same)
    assert not follows(plan, other)
    carried = carried_plan(asked, plan, other)
    assert carried.named(asked.workload, asked.platform) == MIXED
    taken = other.taken_s[list(carried.order)]
    assert (np.diff(taken) >= 0.0).all()


@pytest.mark.parametrize("seed", range(20))
def test_runs_that_went_as_predicted_change_no_prediction(seed: int) -> None:
    # contenders, several cores, switches, stores, any runtime: what is described already stays so
    asked = random_executed(
        seed, 12, 3, plain=True
    )  # no log tells which of unequal cores ran a task
    draw = np.random.default_rng(seed)
    order = tuple(asked.workload.topological_order.tolist())
    can = np.isfinite(asked.costs.task_s)
    plans = [Plan(tuple(int(draw.choice(np.flatnonzero(row))) for row in can), order)
             for _ in range(2)]  # fmt: skip
    runs = [as_predicted(asked, plan, f"run {place}") for place, plan in enumerate(plans)]
    found = calibrations(asked, plans[0], actuals(asked, *runs))
    after = Problem.of(*calibrated(asked, found), asked.reading, asked.sharing)
    for plan in plans:
        once, twice = (predict(one, plan).makespan_s for one in (asked, after))
        assert twice == pytest.approx(once, rel=0.01)


def as_predicted(asked: Problem, plan: Plan, name: str) -> Run:
    """The record of a run that went exactly so."""
    told = predict(asked, plan)
    taken_s = told.start_s if told.taken_s is None else told.taken_s
    tasks = []
    for place, task in enumerate(asked.workload.tasks):
        start = float(told.start_s[place]) + told.overhead_s
        machine = asked.platform.machines[plan.allocation[place]].name
        end = max(start, float(told.end_s[place]))
        tasks.append(TaskRun(task.name, machine, start, end, None, float(taken_s[place])))
    return Run(name, tuple(tasks))


def test_learning_can_be_stopped() -> None:
    asked = problem()
    runs = actuals(asked, Site().run(SPLIT))
    with stoppable(lambda: True), pytest.raises(Stopped):
        calibrations(asked, planned(asked, SPLIT), runs)


def texts(*, hostile: str = "", odd: bool = False) -> tuple[dict[str, str], object, object]:
    asked = problem()
    site = Site(odd={("use", "M2"): 3.0} if odd else {})
    runs = [site.run(SPLIT), site.run(OTHER, 1)]
    if hostile:
        runs[0] = replace(runs[0], name=hostile)
    found = calibrations(asked, planned(asked, SPLIT), actuals(asked, *runs))
    platform, workload = calibrated(asked, found)
    return learnt_texts(platform, workload, found, runs), platform, workload


def test_files_are_read_back_as_they_were_learnt() -> None:
    found, platform, workload = texts()
    assert set(found) == {"workload.toml", "platform.toml", "run.csv"}
    assert parse_platform(found["platform.toml"]) == platform
    assert parse_workload(found["workload.toml"]).tasks == workload.tasks
    first, second = parse(found["run.csv"], "run.csv")
    assert {first.name, second.name} == {"run 0", "run 1"}
    assert len(first.tasks) == 13


def test_the_heads_say_what_was_learnt_and_from_which_runs() -> None:
    found, _, _ = texts(odd=True)
    head = found["workload.toml"].split("format =")[0]
    assert all(line.startswith("#") for line in head.split("\n") if line)
    assert "Calibrated by `placewise learn` from run 0, run 1" in head
    assert "# raw0 | M2 |" in head
    assert "measured" in head
    platform = found["platform.toml"].split("format =")[0]
    assert "Machine speeds: " in platform
    assert "Links: " in platform
    assert "Task times: " not in platform


def test_hostile_names_end_as_comments() -> None:
    found, platform, _ = texts(hostile='x\nformat = "evil"\r\x00')
    assert parse_platform(found["platform.toml"]) == platform
    assert "\\u000aformat" in found["platform.toml"]
