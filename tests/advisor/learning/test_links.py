"""Links: startup and bandwidth come back where transfers tell them, and not where waiting does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrations
from advisor.runs.run_record import Run
from machines import Link
from machines.platform import Direction
from tests.advisor.learning.site import (
    NAMES,
    ON_M1,
    OTHER,
    SPLIT,
    Site,
    actuals,
    planned,
    problem,
)


def learnt(*runs: Run, asked=None) -> Calibration:
    asked = asked or problem()
    return calibrations(asked, planned(asked, SPLIT), actuals(asked, *runs))[2]


def both(site: Site, times: int = 3) -> list[Run]:
    return [site.run(where, seed) for seed in range(times) for where in (SPLIT, OTHER)]


def test_startup_and_bandwidth_come_back() -> None:
    calibration = learnt(*both(Site(startup_s=0.05, bandwidth=5e6)))
    (link,) = calibration.platform.links
    for way in (link.to_first, link.to_second):
        assert way.startup_s == pytest.approx(0.05, rel=0.05)
        assert way.bandwidth == pytest.approx(5e6, rel=0.02)
    assert {row[0] for row in calibration.rows} == {"M1 → M2", "M2 → M1"}
    assert calibration.workload.tasks == problem().workload.tasks


def test_a_fifth_of_transfers_that_waited_moves_neither() -> None:
    draw = np.random.default_rng(1)
    runs = []
    for run in both(Site(startup_s=0.05, bandwidth=5e6, noise=0.0), 4):
        tasks = tuple(
            replace(one, start_s=one.start_s + 3.0, end_s=one.end_s + 3.0)
            if one.bytes_in and draw.random() < 0.2
            else one
            for one in run.tasks
        )
        runs.append(replace(run, tasks=tasks))
    (link,) = learnt(*runs).platform.links
    assert link.to_second.bandwidth == pytest.approx(5e6, rel=0.15)


def test_where_waiting_decides_nothing_is_learnt_and_it_is_said() -> None:
    draw = np.random.default_rng(2)
    runs = []
    for run in both(Site(bandwidth=1e9), 3):
        tasks = tuple(
            replace(one, fetch_start_s=one.start_s - float(draw.uniform(0.1, 5.0)))
            if one.bytes_in
            else one
            for one in run.tasks
        )
        runs.append(replace(run, tasks=tasks))
    calibration = learnt(*runs)
    assert not calibration.learnt
    assert calibration.platform == problem().platform
    assert any("waiting decides" in note for note in calibration.notes)


def test_too_few_transfers_tell_no_line() -> None:
    calibration = learnt(Site().run(ON_M1 | {"use0": "M2"}))
    assert not calibration.learnt
    assert any("too few transfers" in note for note in calibration.notes)


def test_logs_that_do_not_tell_fetching_teach_no_links() -> None:
    calibration = learnt(Site(tells_fetching=False).run(SPLIT))
    assert not calibration.learnt
    assert calibration.sentence.startswith("No links: no log tells")


def test_a_slowdown_stated_on_the_link_stays_and_the_figures_are_those_without_it() -> None:
    asked = problem()
    way = Direction(0.001, 1e9)
    slow = Link("M1", "M2", way, way, slowdown=2.0)
    asked = asked.on(replace(asked.platform, links=(slow,)))
    (link,) = learnt(*both(Site(startup_s=0.05, bandwidth=5e6)), asked=asked).platform.links
    assert link.slowdown == 2.0
    assert link.to_second.startup_s == pytest.approx(0.025, rel=0.05)
    assert link.to_second.bandwidth == pytest.approx(1e7, rel=0.02)


def test_machines_that_a_switch_joins_teach_no_link_of_their_own() -> None:
    asked = problem()
    asked = asked.on(replace(asked.platform, links=()))
    calibration = learnt(*both(Site()), asked=asked)
    assert not calibration.learnt
    assert any("between machines without a link of their own" in note for note in calibration.notes)


def test_data_that_went_once_to_several_readers_is_said() -> None:
    # on M2 every other task: each raw is read there by at most two, and crosses once
    where = {name: "M1" if name.startswith("raw") else "M2" for name in NAMES}
    calibration = learnt(Site().run(where, 1), Site().run(where, 2))
    assert any("declare it as files in the workload" in note for note in calibration.notes)
    (link,) = calibration.platform.links
    assert link.to_second.bandwidth == pytest.approx(2e7, rel=0.02)


def test_where_both_directions_make_one_line_it_is_named_so() -> None:
    where = dict.fromkeys(NAMES, "M1") | {"use0": "M2"}
    calibration = learnt(*(Site().run(where, seed) for seed in range(4)))
    (row,) = calibration.rows
    assert sorted(row[0].split(" ↔ ")) == ["M1", "M2"]
    assert row[-1] == "8"
    (link,) = calibration.platform.links
    assert link.to_first == link.to_second


def test_a_direction_in_which_nothing_moved_is_taken_from_the_other_and_said() -> None:
    where = dict.fromkeys(NAMES, "M1") | dict.fromkeys(("use0", "use1", "use3", "end"), "M2")
    calibration = learnt(*(Site().run(where, seed) for seed in range(3)))
    assert [row[0] for row in calibration.rows] == ["M1 → M2"]
    assert "M2 → M1: nothing usable moved that way: taken to be as M1 → M2" in calibration.notes
