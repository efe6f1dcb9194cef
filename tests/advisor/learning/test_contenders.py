"""Contenders: hogs that were there in some runs are counted; what may be a slow machine is not."""

from __future__ import annotations

import pytest

from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrations
from advisor.runs.run_record import Run
from tests.advisor.learning.site import (
    NAMES,
    ON_M1,
    SPLIT,
    Site,
    actuals,
    planned,
    problem,
    seconds_of,
)


def learnt(*runs: Run, where=SPLIT, asked=None) -> Calibration:
    asked = asked or problem()
    return calibrations(asked, planned(asked, where), actuals(asked, *runs))[4]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_hogs_of_the_last_run_are_proposed(number: int) -> None:
    site = Site()
    runs = [site.run(SPLIT, seed) for seed in range(3)]
    runs.append(site.run(SPLIT, 9, hogs={"M1": number}))
    calibration = learnt(*runs)
    assert len(calibration.platform.machine("M1").contenders) == number
    assert all(one.compute == 1.0 for one in calibration.platform.machine("M1").contenders)
    assert not calibration.platform.machine("M2").contenders
    assert "must have been on M1 in run 9" in calibration.sentence
    assert "(1 run of 4)" in calibration.sentence


def test_hogs_that_are_gone_are_said_and_not_added() -> None:
    site = Site()
    runs = [site.run(SPLIT, 0, hogs={"M1": 2}), *(site.run(SPLIT, seed) for seed in (1, 2))]
    calibration = learnt(*runs)
    assert not calibration.learnt
    assert not calibration.platform.machine("M1").contenders
    assert "2 CPU-bound contenders must have been on M1 in run 0" in calibration.sentence
    assert "free of them in the last run, run 2" in calibration.sentence


def test_a_machine_slow_in_all_runs_may_be_a_slow_one() -> None:
    site = Site()
    asked = problem(work={name: seconds_of(name) for name in NAMES})
    runs = [site.run(ON_M1, seed, hogs={"M1": 1}) for seed in range(3)]
    calibration = learnt(*runs, where=ON_M1, asked=asked)
    assert not calibration.learnt
    assert "can't be told apart" in calibration.sentence


def test_one_run_tells_nothing_of_contenders() -> None:
    calibration = learnt(Site().run(SPLIT, hogs={"M1": 3}))
    assert not calibration.learnt
    assert calibration.sentence.startswith("Contenders can't be determined")


def test_a_run_slower_by_half_a_contender_is_no_contender_and_is_said() -> None:
    quick, slow = Site(), Site(slower={"M1": 1.25, "M2": 2.0})
    calibration = learnt(quick.run(SPLIT, 1), quick.run(SPLIT, 2), slow.run(SPLIT, 3))
    assert not calibration.learnt
    assert any(
        "M1 in run 3: ×1.2" in note and "no whole number" in note for note in calibration.notes
    )
    assert "faster in some runs" in calibration.sentence
    assert "about as quick" not in calibration.sentence


def test_some_tasks_slower_is_no_contender() -> None:
    quick, odd = Site(), Site(odd={("use", "M1"): 4.0})
    calibration = learnt(quick.run(ON_M1, 1), quick.run(ON_M1, 2), odd.run(ON_M1, 3), where=ON_M1)
    assert not calibration.learnt


def test_noise_makes_no_contenders() -> None:
    site = Site(noise=0.1)
    for seed in range(20):
        runs = [site.run(SPLIT, 10 * seed + place) for place in range(5)]
        assert not learnt(*runs).learnt


def test_a_run_in_another_unit_is_no_company() -> None:
    quick, slow = Site(), Site(slower={"M1": 1e3, "M2": 2e3})
    far = Site(slower={"M1": 1e22, "M2": 2e22})
    for odd in (slow, far):
        calibration = learnt(quick.run(SPLIT, 1), odd.run(SPLIT, 3))
        assert not calibration.learnt
        assert any("M1 in run 3" in note and "another unit" in note for note in calibration.notes)


def test_what_is_said_of_all_runs_is_true_of_each() -> None:
    asked = problem(work={name: seconds_of(name) for name in NAMES})
    runs = [Site().run(ON_M1, 1), Site(slower={"M1": 1e3, "M2": 2e3}).run(ON_M1, 2)]
    assert "in all runs" not in learnt(*runs, where=ON_M1, asked=asked).sentence
