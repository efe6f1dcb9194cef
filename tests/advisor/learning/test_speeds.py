"""Speeds: the ratio comes back whatever was compared; where nothing can be, none is learnt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrations
from advisor.runs.run_record import Run
from tests.advisor.learning.site import (
    NAMES,
    OTHER,
    RAW,
    SPLIT,
    USE,
    Site,
    actuals,
    planned,
    problem,
    seconds_of,
)


def learnt(*runs: Run, asked=None) -> Calibration:
    asked = asked or problem()
    return calibrations(asked, planned(asked, SPLIT), actuals(asked, *runs))[1]


def test_same_tasks_on_both_machines_give_the_speed() -> None:
    site = Site(slower={"M1": 1.0, "M2": 2.5})
    calibration = learnt(*(site.run(where, seed) for seed in range(2) for where in (SPLIT, OTHER)))
    assert calibration.platform.machine("M2").speed == pytest.approx(0.4, rel=0.03)
    assert calibration.platform.machine("M1").speed == 1.0
    assert calibration.rows[0][-1] == "13 tasks on both"
    assert "M2 takes ×2.5" in calibration.sentence or "M2 takes ×2.4" in calibration.sentence
    assert (
        calibration.workload == problem().workload
        or calibration.workload.tasks == problem().workload.tasks
    )


def test_kinds_that_ran_on_both_give_the_speed_where_no_task_did() -> None:
    where = {name: "M1" if place % 2 else "M2" for place, name in enumerate(RAW)}
    where |= dict.fromkeys(USE, "M1") | {"end": "M2"}
    asked = problem(
        work={name: seconds_of(name) * (9.0 if name == "end" else 3.0) for name in NAMES}
    )
    calibration = learnt(Site(noise=0.01).run(where), asked=asked)
    assert calibration.platform.machine("M2").speed == pytest.approx(0.5, rel=0.03)
    assert calibration.rows[0][-1] == "1 kind on both"


def test_what_the_workload_states_gives_the_speed_where_no_kind_did() -> None:
    where = dict.fromkeys(RAW, "M1") | dict.fromkeys(USE, "M2") | {"end": "M2"}
    asked = problem(work={name: 1.3 * seconds_of(name) for name in NAMES})
    calibration = learnt(Site(noise=0.02).run(where), asked=asked)
    assert calibration.platform.machine("M2").speed == pytest.approx(0.5, rel=0.05)
    assert "against what the workload states" in calibration.sentence


def test_a_workload_that_states_nonsense_gives_none() -> None:
    where = dict.fromkeys(RAW, "M1") | dict.fromkeys(USE, "M2") | {"end": "M2"}
    asked = problem(work={name: 10.0 ** (place % 3) for place, name in enumerate(NAMES)})
    calibration = learnt(Site().run(where), asked=asked)
    assert not calibration.learnt
    assert calibration.sentence.startswith(
        "Speeds can't be determined: no two machines ran three tasks"
    )
    assert calibration.platform == asked.platform
    assert any("Not comparable with the others: M2" in note for note in calibration.notes)


def test_kinds_that_contradict_the_factor_are_in_the_sentence() -> None:
    site = Site(odd={("raw", "M2"): 1.2}, noise=0.01)
    calibration = learnt(*(site.run(where, seed) for seed, where in enumerate((SPLIT, OTHER))))
    assert "for raw" in calibration.sentence
    assert "no one factor tells all kinds" in calibration.sentence


def test_the_reference_is_the_machine_of_reference_speed() -> None:
    asked = problem(speed=0.5)
    site = Site(slower={"M1": 1.0, "M2": 4.0})
    calibration = learnt(*(site.run(where) for where in (SPLIT, OTHER)), asked=asked)
    assert calibration.platform.machine("M2").speed == pytest.approx(0.25, rel=0.04)
    assert "was 0.500" in calibration.sentence


def test_times_too_short_for_their_clock_tell_no_speed() -> None:
    site = Site(step_s=1.0)
    calibration = learnt(*(site.run(where) for where in (SPLIT, OTHER)))
    assert not calibration.learnt


def test_repeats_make_up_for_a_coarse_clock() -> None:
    site = Site(step_s=1.0)
    runs = [site.run(where, seed) for seed in range(8) for where in (SPLIT, OTHER)]
    assert learnt(*runs).platform.machine("M2").speed == pytest.approx(0.5, rel=0.1)


def test_seconds_that_a_workload_states_stay_and_that_is_said() -> None:
    asked = problem(stated={"raw0": {"M1": 1.0, "M2": 2.0}})
    calibration = learnt(*(Site().run(where) for where in (SPLIT, OTHER)), asked=asked)
    assert "1 task of the workload state seconds by machine: their times stay" in calibration.notes


def test_one_run_slower_than_the_others_does_not_move_the_speed() -> None:
    site = Site(noise=0.01)
    runs = [site.run(where, seed) for seed in range(3) for where in (SPLIT, OTHER)]
    slow = runs[-1]
    runs[-1] = replace(slow, tasks=tuple(replace(one, end_s=one.end_s + 0.1) for one in slow.tasks))
    assert learnt(*runs).platform.machine("M2").speed == pytest.approx(0.5, rel=0.03)


def test_a_speed_that_is_hundreds_of_times_the_stated_one_is_marked_and_not_applied_with_all() -> (
    None
):
    site = Site(slower={"M1": 1.0, "M2": 460.0})
    calibration = learnt(*(site.run(where) for where in (SPLIT, OTHER)))
    assert calibration.doubtful
    assert calibration.notes[0].startswith("Implausible: the speed of M2 changes by ×4")
    plausible = learnt(
        *(Site(slower={"M1": 1.0, "M2": 8.0}).run(where) for where in (SPLIT, OTHER))
    )
    assert not plausible.doubtful


LARGER = (
    dict.fromkeys(RAW[::2], "M1") | dict.fromkeys(RAW[1::2], "M2") | dict.fromkeys(NAMES[6:], "M1")
)


def of_sizes(spread: float, speed: float = 0.5) -> Run:
    """One run: of each kind half of the tasks on either machine, of sizes far apart."""
    run = Site(noise=0.0, slower={"M1": 1.0, "M2": 1.0 / speed}).run(LARGER)
    sizes = {name: 1.0 + spread * (place % 3) for place, name in enumerate(RAW)}
    slower = {"M1": 1.0, "M2": 1.0 / speed}
    tasks = (
        replace(one, end_s=one.start_s + sizes.get(one.task, 1.0) * slower[one.machine])
        for one in run.tasks
    )
    return replace(run, tasks=tuple(tasks))


def test_larger_tasks_are_not_taken_for_a_slower_machine() -> None:
    asked = problem(speed=0.5)
    calibration = learnt(of_sizes(1.0), asked=asked)
    assert calibration.platform == asked.platform
    assert "or had the larger tasks is open" in calibration.sentence
    assert "a run with raw0 on M2" in calibration.sentence
    # alike tasks tell it, and what they contradict gives way
    sure = learnt(of_sizes(0.0), asked=problem(speed=1.0))
    assert sure.platform.machine("M2").speed == pytest.approx(0.5, rel=0.03)


def test_a_ratio_of_unlike_tasks_is_drawn_towards_what_is_stated() -> None:
    calibration = learnt(of_sizes(0.15), asked=problem(speed=0.4))
    assert 0.4 < calibration.platform.machine("M2").speed < 0.5
