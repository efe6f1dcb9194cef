"""A run while it goes on, against predictions that it follows, is slower than, or fails in."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.project.project import Project
from advisor.runs.growing import Growing
from advisor.runs.run_record import FAILED, TaskRun
from tests.conftest import cluster, two_machines


def carried(project: Project, prediction: Prediction, now_s: float, slower: float = 1.0) -> Growing:
    """A run that is as predicted, but so many times as slow, until `now_s`."""
    growing = Growing(project.problem(), prediction, "bash")
    taken = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    for place, task in enumerate(project.workload.tasks):
        machine = project.platform.machines[project.plan.allocation[place]].name
        begin, end = slower * float(taken[place]), slower * float(prediction.end_s[place])
        if begin <= now_s:
            growing.begin(task.name, machine, begin)
        if end <= now_s:
            growing.end(TaskRun(task.name, machine, begin, end))
    return growing


def test_a_task_that_runs_for_half_as_long_again_is_late() -> None:
    project = two_machines()
    prediction = predict(project.problem(), project.plan)  # A 12 s then B 4 s on M1
    for now_s, late in ((12.0, 0), (17.9, 0), (18.1, 1), (40.0, 1)):
        found = carried(project, prediction, 0.0).progress(now_s).late
        assert [one.task for one in found] == ["A"] * late
        for one in found:
            assert (one.for_s, one.predicted_s) == pytest.approx((now_s, 12.0))
    ended = carried(project, prediction, 40.0).progress(40.0)
    assert ended.late == ()


@pytest.mark.parametrize("share", [0.0, 0.13, 0.5, 0.77, 1.0])
@pytest.mark.parametrize("slower", [0.5, 1.0, 3.0])
def test_a_run_has_reached_the_moment_at_which_the_prediction_did_as_much(
    share: float, slower: float
) -> None:
    project = cluster()
    prediction = predict(project.problem(), project.plan)
    moment = share * prediction.makespan_s
    found = carried(project, prediction, slower * moment, slower).progress(slower * moment)
    near = pytest.approx(moment, abs=1e-6)
    if slower == 1.0:
        assert found.reached_s == near
        assert found.left_s == pytest.approx(prediction.makespan_s - moment, abs=1e-6)
    elif slower > 1.0:  # how slow tasks are that still run is not known: at most what passed
        assert found.reached_s == near or moment <= found.reached_s <= slower * moment
    else:
        assert found.reached_s == near or slower * moment <= found.reached_s <= moment


def test_a_run_twice_as_slow_has_done_half_and_says_what_is_left_either_way() -> None:
    project = two_machines()
    prediction = predict(project.problem(), project.plan)  # A 12 s then B 4 s on M1
    found = carried(project, prediction, 12.0, 2.0).progress(12.0)
    assert found.ended == 0
    assert found.running == 1
    assert found.reached_s == pytest.approx(12.0)  # it had 12 s of A's slot: no more is known
    found = carried(project, prediction, 28.0, 2.0).progress(28.0)
    assert (found.ended, found.running, found.share) == (1, 1, 0.5)
    # A is over, and B has had its 4 s: by the prediction nothing is left
    assert found.left_s == pytest.approx(0.0)
    found = carried(project, prediction, 26.0, 2.0).progress(26.0)
    assert found.reached_s == pytest.approx(14.0)
    assert found.left_s == pytest.approx(2.0)
    assert found.left_at_pace_s == pytest.approx(2.0 * 26 / 14)


def test_what_needs_a_failed_task_is_lost_and_nothing_is_left_of_it() -> None:
    project = two_machines()
    growing = Growing(project.problem(), predict(project.problem(), project.plan))
    growing.begin("A", "M1", 0.0)
    growing.end(TaskRun("A", "M1", 0.0, 3.0, status=FAILED, output="no"))
    found = growing.progress(3.0)
    assert (found.ended, found.failed, found.lost, found.share) == (1, 1, 1, 1.0)
    assert found.left_s == 0.0
    assert growing.actual().failed == (0,)


def test_a_task_that_runs_has_a_start_and_no_end() -> None:
    project = two_machines()
    growing = Growing(project.problem(), predict(project.problem(), project.plan))
    growing.begin("A", "M2", 0.5)
    actual = growing.actual()
    assert actual.machine.tolist() == [1, -1]
    assert actual.taken_s[0] == actual.start_s[0] == 0.5
    assert np.isnan(actual.end_s).all()
    growing.end(TaskRun("A", "M2", 0.7, 9.0, fetch_start_s=0.5, bytes_in=8.0))
    assert np.isnan(actual.end_s[0])  # what was handed out does not change
    assert growing.actual().end_s[0] == 9.0
    assert growing.run("mine", ("said",)).notes == ("said",)


def test_a_workload_that_takes_no_time_is_about_to_end() -> None:
    project = two_machines()
    prediction = predict(project.problem(), project.plan)
    nothing = type(prediction)(
        **{
            **{name: getattr(prediction, name) for name in prediction.__dataclass_fields__},
            "start_s": np.zeros(2), "end_s": np.zeros(2), "taken_s": np.zeros(2),
        }
    )  # fmt: skip
    found = Growing(project.problem(), nothing).progress(5.0)
    assert found.left_s == 0.0
    assert found.left_at_pace_s == 0.0


def test_what_is_left_has_a_band_that_narrows_as_tasks_end() -> None:
    project = cluster()
    prediction = predict(project.problem(), project.plan)
    shares = []
    for now_s in (0.0, 0.5 * prediction.makespan_s, 0.9 * prediction.makespan_s):
        found = carried(project, prediction, now_s).progress(now_s)
        low_s, high_s = found.left_between_s
        assert low_s < found.left_at_pace_s < high_s
        shares.append(high_s / low_s)
    assert shares[-1] < shares[0]
    spread = carried(two_machines(), predict(two_machines().problem(), two_machines().plan), 30.0)
    assert spread.progress(30.0).spread == pytest.approx(0.15 / np.sqrt(2.0))  # two as predicted


def test_once_the_rest_is_replanned_what_is_left_is_that_of_the_new_schedule() -> None:
    project = two_machines()
    growing = carried(project, predict(project.problem(), project.plan), 12.0, 1.5)
    assert growing.coming is None
    assert growing.progress(18.0).reached_s == pytest.approx(12.0)
    growing = carried(project, predict(project.problem(), project.plan), 12.0, 1.5)  # A runs still
    growing.replan([("A", "M1", 0.0, 18.0), ("B", "M2", 20.0, 29.0)])
    assert growing.coming is not None
    assert growing.coming.task.tolist() == [0, 1]
    assert growing.coming.machine.tolist() == [0, 1]
    found = growing.progress(12.0)
    assert (found.reached_s, found.left_s) == pytest.approx((12.0, 17.0))
    growing.end(TaskRun("A", "M1", 0.0, 18.0))
    found = growing.progress(18.0)
    assert (found.reached_s, found.left_s) == pytest.approx((18.0, 11.0))
    growing.begin("B", "M2", 20.0)
    assert growing.progress(33.0).late == ()  # of the 9 s that B takes on M2
    assert [one.predicted_s for one in growing.progress(34.0).late] == pytest.approx([9.0])


def test_what_ran_on_a_machine_that_is_gone_waits_again() -> None:
    project = two_machines()
    growing = Growing(project.problem(), predict(project.problem(), project.plan))
    growing.begin("A", "M1", 0.0)
    assert growing.progress(6.0).left_s == pytest.approx(10.0)
    growing.lose(["A"])
    found = growing.progress(6.0)
    assert (found.running, found.waiting) == (0, 2)
    assert found.left_s == pytest.approx(16.0)
    assert growing.actual().machine.tolist() == [-1, -1]
