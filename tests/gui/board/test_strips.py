"""Loads over time as arrays: what a pixel column shows, which strips lanes and section have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import ResourceUse
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Task, Workload
from advisor.project.project import Project
from gui.board import describe
from gui.board.schedule_layout import Known, laid_out
from gui.board.strips import HELD_MEMORY, STORE, SWITCH, Strip, loads_of, title
from gui.board.strips_painter import curve_pixels
from gui.document.document import Outcome
from machines import CoreGroup, Machine, Platform
from machines.sharing import Resource
from tests.gui.board.networks import four_readers, joined, lab

FILL = QColor("#F5C66B")
FEW = st.lists(st.integers(0, 40), min_size=1, max_size=12, unique=True)


def strip(times: list[float], loads: list[float]) -> Strip:
    use = ResourceUse("r", 10.0, 1.0, 0.5, np.array(times), np.array(loads))
    return Strip.of(Resource("r", 10.0), use, "link")


def outcome(project: Project, sharing: str = "fair") -> Outcome:
    problem = Problem.of(project.platform, project.workload, sharing=sharing)
    return Outcome(project, problem, predict(problem, project.plan))


@given(FEW, st.data(), st.integers(-3, 20), st.sampled_from([1, 2, 3, 7]))
def test_a_column_shows_the_mean_and_the_largest_load_in_it(
    times: list[int], data: st.DataObject, first: int, step: int
) -> None:
    # on a grid of whole seconds the integral is a sum over seconds
    times = sorted(times)
    loads = data.draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=len(times)))
    loads = [*loads[: len(times) - 1], 0.0]
    each = dict.fromkeys(range(-10, 200), 0.0)
    for begin, load in zip(times, loads, strict=True):
        each |= dict.fromkeys(range(begin, 200), load)
    mean, most = strip([float(t) for t in times], loads).columns(float(first), float(step), 9)
    for column in range(9):
        inside = [each[first + step * column + second] for second in range(step)]
        assert mean[column] == pytest.approx(sum(inside) / step)
        assert most[column] == max(inside)


def test_the_load_at_a_time_is_that_of_the_last_change() -> None:
    found = strip([1.0, 3.0], [0.5, 0.0])
    assert [found.load_at(t) for t in (0.0, 1.0, 2.9, 3.0, 9.0)] == [0.0, 0.5, 0.5, 0.0, 0.0]


def test_pixels_are_full_to_the_mean_and_pale_to_the_largest_load() -> None:
    pixels = curve_pixels(np.array([0.5, 0.0]), np.array([1.0, 0.0]), 10, FILL, FILL)
    opacity = pixels >> 24
    assert (opacity[5:, 0] == 255).all()
    assert ((opacity[:5, 0] > 60) & (opacity[:5, 0] < 200)).all()
    assert (opacity[:, 1] == 0).all()


def test_any_load_shows_in_the_lowest_pixel() -> None:
    pixels = curve_pixels(np.array([1e-4]), np.array([1e-3]), 20, FILL, FILL)
    assert pixels[-1, 0] >> 24 == 255
    assert (pixels[:-1] == 0).all()


def test_a_lane_has_the_directions_of_its_own_links() -> None:
    project = four_readers(file=False)
    loads = loads_of(outcome(project))
    assert [s.use.name for s in loads.strips] == ["P→Q", "Q→P"]
    assert loads.by_lane == ((0, 1), (0, 1))
    assert loads.ranked == (0,)  # nothing moved back
    names = [title(project.platform, loads.strips[one], 0) for one in loads.by_lane[0]]
    assert names == ["→ Q", "← Q"]
    assert title(project.platform, loads.strips[0], 1) == "← P"


def test_stores_and_switches_are_told_from_links() -> None:
    loads = loads_of(outcome(lab()))
    kinds = {s.use.name: s.kind for s in loads.strips}
    assert kinds["hub"] == SWITCH
    assert kinds["disk→hub"] == STORE
    moved = [loads.strips[one] for one in loads.ranked]
    # 100 B in 5 s: the links carry 100 B/s, the hub 400 B/s
    shares = {s.use.name: s.use.busy_share for s in moved}
    assert shares == pytest.approx({"disk→hub": 0.2, "hub→P": 0.2, "hub": 0.05})
    assert moved[-1].use.name == "hub"
    assert "100 B moved, 20 % utilised" in moved[0].sentence(0.5)
    assert moved[0].sentence(0.5).endswith("at 500 ms: 100 % of its capacity in use")


def test_only_the_busiest_links_of_a_lane_have_strips() -> None:
    machines = tuple(Machine(f"m{i}") for i in range(8))
    links = tuple(joined(f"m{i}", f"m{j}") for i in range(8) for j in range(i))
    project = four_readers(file=False)
    many = replace(project, platform=Platform("all", machines, links))
    plan = replace(many.plan, allocation=(0, 3, 5, 6, 6))
    loads = loads_of(outcome(replace(many, plan=plan)))
    own = [loads.strips[one].use for one in loads.by_lane[0]]
    assert len(own) == 4
    assert {"m0→m3", "m0→m5", "m0→m6"} < {use.name for use in own}
    assert sum(use.size_bytes for use in own) == 400.0


def test_where_each_transfer_is_alone_there_is_nothing_to_show() -> None:
    loads = loads_of(outcome(lab(), NONE))
    assert (loads.strips, loads.ranked) == ((), ())
    assert not any(loads.lanes)


def test_a_machine_of_limited_memory_has_a_strip_of_what_is_held() -> None:
    machines = (Machine("M", 2, memory_bytes=10), Machine("N"))
    tasks = tuple(Task(name, work=4.0, memory_bytes=6) for name in "ab")
    project = replace(
        four_readers(file=False), platform=Platform("two", machines),
        workload=Workload("w", tasks), plan=Plan((0, 0)),
    )  # fmt: skip
    shown = outcome(project)
    loads = loads_of(shown)
    (own,) = loads.by_lane[0]
    found = loads.strips[own]
    assert (found.kind, title(project.platform, found, 0)) == (HELD_MEMORY, "memory")
    assert [found.load_at(at) for at in (0.0, 7.9, 8.0)] == [0.6, 0.6, 0.0]  # one after the other
    assert found.sentence(1.0) == (
        "memory of M\n6 B of 10 B held at most, 60 % until the makespan\n"
        "at 1.00 s: 60 % of its capacity in use"
    )
    assert loads.by_lane[1] == ()
    assert (loads.section, loads.ranked) == (False, ())


def test_efficiency_cores_have_rows_below_those_of_performance_cores() -> None:
    groups = (CoreGroup("E", 2, 0.5), CoreGroup("P", 1))
    platform = Platform("one", (Machine("M", 3, core_groups=groups),))
    tasks = tuple(Task(name, work=2.0) for name in "abcd")
    project = replace(
        four_readers(file=False), platform=platform, workload=Workload("w", tasks),
        plan=Plan((0,) * 4, (0, 1, 2, 3)),
    )  # fmt: skip
    shown = outcome(project)
    lanes = laid_out(shown, Known(), False, False, None, lambda: False).lanes
    rows = lanes.row[lanes.bar_of].tolist()
    assert rows == [0, 1, 2, 0]  # a and d, one after the other, on the one quick core
    assert "on cores 1 E" in describe.task(shown, 1)
