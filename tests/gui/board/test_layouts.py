"""Pure parts of the board: axis marks, rows of lanes, merging of pixels, layers of the graph."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import task_causes
from advisor.allocation.workload import Flow, Task, Workload
from gui.board import layers
from gui.board.frame import lane_tops
from gui.board.lanes import Kinds, Lanes, lay_out
from gui.board.merging import FAINTEST, blended, coverage, marks
from gui.plots.time_ticks import ticks
from tests.conftest import cluster

TIMES = st.floats(min_value=1e-9, max_value=1e9)


@given(TIMES, st.integers(2, 40))
def test_marks_are_even_inside_the_axis_and_not_too_close(last: float, count: int) -> None:
    smallest = last / count
    found = ticks(0.0, last, smallest)
    times = [time for time, _ in found]
    assert times[0] == 0.0
    assert times[-1] <= last * (1 + 1e-9)
    assert all(b - a >= smallest * (1 - 1e-9) for a, b in pairwise(times))
    assert len({text for _, text in found}) == len(found)


@pytest.mark.parametrize(
    ("last", "step", "texts"),
    [
        (50.0, 9.0, ["0 s", "10 s", "20 s"]),
        (0.05, 0.008, ["0 ms", "10 ms", "20 ms"]),
        (2.0, 0.4, ["0 s", "0.5 s", "1.0 s"]),
        (7200.0, 1500.0, ["0", "30 min", "1 h"]),
        (1000.0, 80.0, ["0", "2 min", "4 min"]),
        (400_000.0, 80_000.0, ["0", "1 d", "2 d"]),
        (5e6, 5e5, ["0", "10 d", "20 d"]),
        (700.0, 0.3, ["0", "0.5 s", "1.0 s"]),
    ],
)
def test_marks_read_well_at_every_scale(last: float, step: float, texts: list[str]) -> None:
    found = [text for _, text in ticks(0.0, last, step)][:3]
    assert found == texts


def test_an_axis_without_extent_has_no_marks() -> None:
    assert ticks(0.0, 10.0, 0.0) == []
    assert ticks(1.0, 0.0, 1.0) == []
    assert ticks(0.0, float("inf"), 1.0) == []


def lanes_of(grouped: bool = False, **size: int) -> tuple[Lanes, np.ndarray]:
    project = cluster(**size)
    problem = Problem.of(project.platform, project.workload)
    prediction = predict(problem, project.plan)
    kinds = Kinds.of([task.group for task in project.workload.tasks])
    causes = task_causes(problem.costs, prediction)
    machines = len(project.platform.machines)
    return lay_out(prediction, causes, machines, kinds, grouped), prediction.start_s


@pytest.mark.parametrize("grouped", [False, True])
def test_bars_of_a_row_do_not_overlap_and_hold_every_task_once(grouped: bool) -> None:
    lanes, starts = lanes_of(grouped)
    assert sorted(lanes.members.tolist()) == list(range(len(starts)))
    for task in range(len(starts)):
        assert task in lanes.tasks(int(lanes.bar_of[task]))
    same = (np.diff(lanes.lane) == 0) & (np.diff(lanes.row) == 0)
    assert np.all(lanes.start_s[1:][same] >= lanes.end_s[:-1][same] - 1e-9)
    assert np.all(lanes.row < lanes.rows[lanes.lane])
    assert np.all(lanes.shares.sum(axis=0) <= 1 + 1e-12)
    assert np.all(lanes.slowdown >= 1 - 1e-12)


def test_a_lane_needs_no_more_rows_than_tasks_run_at_a_time() -> None:
    lanes, _ = lanes_of()
    for machine, rows in enumerate(lanes.rows.tolist()):
        mine = lanes.lane == machine
        start, end = lanes.start_s[mine], lanes.end_s[mine]
        together = max(int(np.sum((start <= t) & (t < end - 1e-9))) for t in start)
        assert rows == together


def test_lanes_fill_the_room_but_do_not_shrink() -> None:
    rows = np.array([1, 4])
    assert lane_tops(rows, 80, 20, 400)[-1] > lane_tops(rows, 80, 20, 10)[-1]
    assert np.all(np.diff(lane_tops(rows, 80, 20, 10)) >= 80)


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0.01, 9)), min_size=1, max_size=30))
def test_merged_pixels_hold_exactly_what_the_bars_cover(gaps: list[tuple[float, float]]) -> None:
    x0, x1, at = [], [], -3.0
    for gap, length in gaps:
        x0.append(at + gap)
        at += gap + length
        x1.append(at)
    left, right = np.array(x0), np.array(x1)
    share = coverage(np.zeros(len(left), dtype=np.int64), left, right, 1, 64)
    inside = np.clip(right, 0, 64) - np.clip(left, 0, 64)
    assert share.sum() == pytest.approx(inside.sum())
    assert np.all((share >= 0) & (share <= 1 + 1e-9))
    for column in (0, 5, 63):
        exact = np.clip(right, column, column + 1) - np.clip(left, column, column + 1)
        assert share[0, column] == pytest.approx(exact.sum(), abs=1e-9)


def test_a_column_keeps_its_mix_of_colours_and_the_faintest_still_shows() -> None:
    red = np.array([[0.5, 0.0, 0.001]])
    blue = np.array([[0.5, 0.0, 0.0]])
    pixels = blended([(red, 0xFF0000), (blue, 0x0000FF)], np.array([[False, True, True]]))
    mixed, marked, faint = (int(value) for value in pixels[0])
    assert mixed in {0xFF800080, 0xFF7F007F}
    assert marked >> 24 == round(255 * FAINTEST)
    assert faint >> 24 == round(255 * FAINTEST)
    assert marked >> 16 & 255 == round(255 * FAINTEST)


def test_marks_leave_out_what_is_off_screen() -> None:
    found = marks(np.array([0, 0, 1]), np.array([-1.0, 3.7, 10.0]), 2, 10)
    assert np.argwhere(found).tolist() == [[0, 3]]
    assert coverage(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0), 2, 4).sum() == 0


def laid_out_of(workload: Workload, groups: list[str] | None = None) -> layers.Layers:
    kinds = Kinds.of(groups or [task.group for task in workload.tasks])
    return layers.lay_out(workload, layers.units_of(workload, kinds))


def test_layers_are_longest_paths_and_curves_run_forward() -> None:
    laid_out = laid_out_of(cluster().workload)
    assert laid_out.column.max() == 6
    assert np.all(laid_out.column[laid_out.sources] < laid_out.column[laid_out.targets])
    places = set(zip(laid_out.column.tolist(), laid_out.place.tolist(), strict=True))
    assert len(places) == len(laid_out.column)


def test_barycentres_untangle_crossing_pairs() -> None:
    tasks = tuple(Task(name, work=1.0) for name in "abcd")
    workload = Workload("cross", tasks, (Flow("a", "d"), Flow("b", "c")))
    laid_out = laid_out_of(workload)
    assert (laid_out.place[0] < laid_out.place[1]) == (laid_out.place[3] < laid_out.place[2])


def test_large_graphs_have_one_card_for_a_kind_in_a_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "MOST_CARDS", 20)
    laid_out = laid_out_of(cluster().workload)
    assert len(laid_out.column) == 7
    assert sorted(laid_out.members.tolist()) == list(range(57))
    assert len(laid_out.sources) == 6
    assert np.all(laid_out.flow_of >= 0)


def test_tasks_without_flows_lie_in_one_layer() -> None:
    workload = Workload("bag", tuple(Task(f"t{i}", work=1.0) for i in range(5)))
    laid_out = laid_out_of(workload)
    assert laid_out.column.tolist() == [0] * 5
    assert len(laid_out.sources) == 0
