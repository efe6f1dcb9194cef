"""Tables and curves of the trees study, each cell and point worked out from the trees again."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrnet import Tree, balanced, kary
from advisor.studies.study import Series
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.views import (
    FRONT,
    Curve,
    curve_series,
    curves,
    fanouts_of,
    load_series,
    load_table,
    map_table,
    pareto_series,
    pareto_table,
    tree_table,
)
from advisor.trees.fanout_map import FanoutMap, fanout_map
from advisor.trees.search import pareto_front
from advisor.trees.tree_costs import TreeCosts, TreeMeasures, measure
from tests.advisor.studies.trees.by_hand import (
    Cost,
    Shape,
    case_of,
    column,
    curve,
    latency,
    named,
    numbers,
    period,
    processes,
    shape_of,
    shapes,
    time_of,
)

US = 1e-6
DOWN = Cost(13.5, 2.25, 3.75, tail=1.0)
UP = Cost(13.5, 2.25, 3.75, tail=1.0, c=0.7)
PRICED = (
    "costs=own", "latency=13.5", "overhead=2.25", "gap=3.75", "gap_per_byte=10",
    "size_bytes=101", "filter_cost=0.7",
)  # fmt: skip


def priced(*settings: str) -> TreesCase:
    return case_of("back_ends=21", "fanout=3", "k=3", *PRICED, *settings)


# Trees side by side -----------------------------------------------------------------------


def test_every_time_of_the_table_is_that_of_the_tree_process_by_process() -> None:
    case = priced("operation=reduction", "own=g:3:4,8,9")
    table = tree_table(case)
    assert len(table.rows) == len(case.trees) >= 6
    broadcast, reduction, stream = (
        column(table, name) for name in ("broadcast", "reduction", "period")
    )
    for one in case.trees:
        # a broadcast has no filter
        assert broadcast[one.name] == pytest.approx(time_of(one.tree, DOWN) * US)
        assert reduction[one.name] == pytest.approx(time_of(one.tree, UP) * US)
        assert stream[one.name] == pytest.approx(period(shape_of(one.tree), UP) * US)
    assert "round trip" not in [name for name, _ in table.columns]


def test_a_round_trip_is_both_ways_and_stands_first() -> None:
    case = priced("operation=round trip")
    table = tree_table(case)
    assert [name for name, _ in table.columns[:4]] == [
        "tree", "round trip", "broadcast", "reduction",
    ]  # fmt: skip
    both = column(table, "round trip")
    gap = DOWN.g + DOWN.tail
    for one in case.trees:
        assert both[one.name] == pytest.approx(
            (time_of(one.tree, DOWN) + time_of(one.tree, UP)) * US
        )
        own, *inner = [len(below) for below in processes(shape_of(one.tree))]
        # model's page, sec. 7: what processors and interfaces take of a stream of pairs
        longest = max(own * (2 * 2.25 + 0.7), own * gap)
        longest = max([longest, *(max(4.5 * (k + 1) + 0.7 * k, (k + 1) * gap) for k in inner)])
        assert column(table, "period")[one.name] == pytest.approx(longest * US)


def test_counts_depth_and_children_are_those_of_the_tree() -> None:
    case = priced()
    table = tree_table(case)
    names = ("internal", "depth", "children of the front-end", "most children inside")
    found = [column(table, name) for name in names]
    for one in case.trees:
        own, *inner = [len(below) for below in processes(shape_of(one.tree))]
        deep = int(one.tree.levels.size) - 2
        truth = (len(inner), deep, own, max(inner, default=0))
        assert tuple(cells[one.name] for cells in found) == truth


def test_the_busiest_process_is_told_in_percent_of_a_processor() -> None:
    case = priced("rate=4000")
    most = column(tree_table(case), "most of a processor")
    for one in case.trees:
        own, *inner = [len(below) for below in processes(shape_of(one.tree))]
        messages = max(own, *(k + 1 for k in inner), 0)
        assert most[one.name] == pytest.approx(100.0 * 0.004 * 2.25 * messages)
    assert set(column(tree_table(priced()), "most of a processor").values()) == {0.0}


def test_starting_a_tree_is_worked_out_with_creating_connecting_and_reporting() -> None:
    case = priced("create=3", "connect=0.5", "report=0.25")
    found = column(tree_table(case), "start-up")
    for one in case.trees:
        milliseconds = latency(shape_of(one.tree), 3.0, 3.75)
        assert found[one.name] == pytest.approx(milliseconds * 1e-3)


def test_a_tree_is_within_the_limits_where_its_own_row_keeps_them() -> None:
    case = case_of("back_ends=21", "max_internal=5", "max_period=20", "max_fanout=6")
    answers = set()
    for one in named(tree_table(case)):
        children = max(one["children of the front-end"], one["most children inside"])
        kept = one["internal"] <= 5 and one["period"] <= 20.001e-6 and children <= 6
        assert one["within the limits"] == ("yes" if kept else "no")
        answers.add(kept)
    assert answers == {True, False}


def test_intervals_take_columns_of_their_own_only_where_costs_are_unknown(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("size_bytes,seconds_one_way\n1,1e-5\n1001,1.1e-5\n", encoding="utf-8")
    case = case_of("back_ends=9", "costs=ping-pong", f"pingpong={path}")
    assert [name for name, _ in tree_table(case).columns[:3]] == ["tree", "least", "most"]
    least, most = (column(tree_table(case), name) for name in ("least", "most"))
    now = column(tree_table(case), "broadcast")
    assert all(least[name] <= now[name] <= most[name] for name in now)
    assert "least" not in [name for name, _ in tree_table(priced()).columns]


# Curves over the fan-out ------------------------------------------------------------------


@given(st.integers(2, 2_000_000))
def test_the_fan_outs_that_are_drawn_rise_from_2_to_all_or_512(N: int) -> None:
    drawn = fanouts_of(N)
    assert drawn[0] == 2
    assert drawn[-1] == max(2, min(N, 512))
    assert all(one < other <= 2 * one for one, other in itertools.pairwise(drawn))
    assert len(drawn) < 40


def test_each_curve_is_its_shape_measured_at_each_fan_out() -> None:
    case = priced("create=2")
    series = curve_series(case, list(curves(case)))
    label = "latency of a broadcast"
    even = curve(series, "balanced", label)
    assert list(even) == [float(k) for k in fanouts_of(21)]
    for k, seconds in even.items():
        assert seconds == pytest.approx(time_of(balanced(21, int(k)), DOWN) * US)
    alone = (20 * 4.75 + 4.5 + 13.5 + 1.0) * US
    assert curve(series, "flat", label) == pytest.approx({2.0: alone, 21.0: alone})
    assert curve(series, "flat", "period")[2.0] == pytest.approx(21 * 4.75 * US)
    assert curve(series, "flat", "start-up latency")[21.0] == pytest.approx(21 * 2e-3)
    assert curve(series, "flat", "internal processes") == {2.0: 0.0, 21.0: 0.0}
    # three processes of seven children hold 21
    assert curve(series, "balanced", "internal processes")[7.0] == 3.0
    assert all(one.y_by_ratio == (one.y_unit == "s") for one in series)


def test_every_plot_over_the_fan_outs_marks_the_tree_that_is_built_at_its_most_children() -> None:
    case = case_of("back_ends=64", "shape=own", "own=g:3:4,60")
    tree = shape_of(case.chosen.tree)
    most = float(max(map(len, processes(tree))))
    series = curve_series(case, list(curves(case)))
    marks = {one.y_label: one for one in series if one.name == "recommended"}
    assert set(marks) == {one.y_label for one in series}
    assert {one.kind for one in marks.values()} == {"points"}
    here = curve(series, "recommended", "latency of a broadcast")
    assert here == pytest.approx({most: latency(tree, 4.0, 10.0) * US})
    inner = sum(1 for _ in processes(tree)) - 1.0
    assert curve(series, "recommended", "internal processes") == {most: inner}


def test_the_curve_of_the_optimum_is_the_least_of_all_trees_with_so_many_children() -> None:
    case = case_of("back_ends=8")
    found = curve(curve_series(case, list(curves(case))), "optimal", "latency of a broadcast")
    for k, seconds in found.items():
        least = min(
            latency(one, 4.0, 10.0) for one in shapes(8) if max(map(len, processes(one))) <= k
        )
        assert seconds == pytest.approx(least * US)
    times = list(found.values())
    assert times == sorted(times, reverse=True)


def knomial(process: int, span: int, processes: int, k: int) -> Shape:
    """Model's page, sec. 3: for z = span/k … 1 the children process + j z; k back-ends each."""
    below: list[Shape] = []
    while span > 1:
        span //= k
        children = (process + j * span for j in range(1, k))
        below += [knomial(one, span, processes, k) for one in children if one < processes]
    return (*below, *[()] * k)


def test_the_k_nomial_curve_has_as_many_back_ends_a_process_as_its_base() -> None:
    case = case_of("back_ends=24")
    found = curve(curve_series(case, list(curves(case))), "k-nomial", "latency of a broadcast")
    for k in (2, 3, 4, 6, 8, 12):
        span = next(k**power for power in range(9) if k**power >= 24 // k)
        tree = knomial(0, span, 24 // k, k)
        assert found[k] == pytest.approx(latency(tree, 4.0, 10.0) * US)


def test_a_limit_on_children_flattens_the_curve_of_the_optimum_alone() -> None:
    free, limited = (
        curve_series(case, list(curves(case)))
        for case in (case_of("back_ends=30"), case_of("back_ends=30", "max_fanout=3"))
    )
    label = "latency of a broadcast"
    narrow = curve(limited, "optimal", label)
    assert {narrow[k] for k in narrow if k >= 3.0} == {narrow[3.0]}
    assert narrow[3.0] == curve(free, "optimal", label)[3.0] > curve(free, "optimal", label)[8.0]
    assert curve(limited, "balanced", label) == curve(free, "balanced", label)


def test_fan_outs_at_which_no_tree_keeps_the_limits_have_no_optimum() -> None:
    case = case_of("back_ends=30", "max_internal=3")
    found = curve(curve_series(case, list(curves(case))), "optimal", "internal processes")
    # three internal processes and the front-end hold 4k − 3 back-ends
    assert min(found) == 9.0
    assert max(found.values()) <= 3.0


def test_full_trees_are_points_where_powers_are_the_back_ends() -> None:
    case = case_of("back_ends=64")
    drawn = list(curves(case))
    (full,) = [one for one in drawn if one.name == "full k-ary"]
    assert full.kind == "points"
    assert set(full.fanouts) == {2, 4, 8, 64} & set(fanouts_of(64))
    for k, measures in zip(full.fanouts, full.measures, strict=True):
        depth = next(depth for depth in range(1, 7) if k**depth == 64)
        assert measures.broadcast == pytest.approx(time_of(kary(k, depth), Cost()))
    assert full.fanouts[-1] == 64


def test_start_up_is_drawn_only_where_creating_takes_time() -> None:
    labels = [
        {one.y_label for one in curve_series(case, list(curves(case)))}
        for case in (case_of("back_ends=9", "create=0"), case_of("back_ends=9"))
    ]
    assert labels[1] - labels[0] == {"start-up latency"}


def test_the_optimum_is_measured_once_where_more_children_change_nothing(monkeypatch) -> None:
    measured: list[int] = []

    def counted(tree: Tree, costs: TreeCosts) -> TreeMeasures:
        measured.append(tree.max_fanout)
        return measure(tree, costs)

    monkeypatch.setattr("advisor.studies.trees.views.measure", counted)
    case = case_of("back_ends=3000")
    optimum = next(curves(case))
    message = case.costs.message("broadcast")
    in_time = (optimum.measures[-1].broadcast - message.delay) // message.step + 1
    narrow = [k for k in optimum.fanouts if k < in_time]
    assert len(measured) == len(narrow) + 1 < len(optimum.fanouts)


def test_curves_that_are_stopped_keep_the_points_that_they_have() -> None:
    case = case_of("back_ends=30")
    whole = {one.name: one for one in curves(case)}
    looks, asked = itertools.count(), itertools.count()
    next(curves(case, lambda: next(looks) < 0))  # the optimal trees
    most = next(looks) + 40
    found = list(curves(case, lambda: next(asked) >= most))
    names = [one.name for one in found]
    assert names == ["optimal", "balanced", "flat"]
    assert len(found[0].fanouts) == len(whole["optimal"].fanouts)
    assert 0 < len(found[1].fanouts) < len(whole["balanced"].fanouts)
    assert found[1].measures == whole["balanced"].measures[: len(found[1].measures)]


@pytest.mark.parametrize("most", [1, 5, 8])
def test_a_curve_that_is_stopped_leaves_its_tree_half_built(most: int) -> None:
    looks = itertools.count()
    every = curves(case_of("back_ends=3000"), lambda: next(looks) >= most)
    assert [one.name for one in every] == ["flat"]
    assert next(looks) == most + 4  # a look for each of the curves that would begin, no other


def test_curves_carry_the_operation_its_unit_and_the_kind_of_their_points() -> None:
    case = case_of("back_ends=9", "operation=reduction")
    measured = case.trees[0].measures
    drawn = curve_series(case, [Curve("one", (2, 3), (measured, measured), "points")])
    assert [(one.y_label, one.y_unit) for one in drawn if one.name == "one"] == [
        ("latency of a reduction", "s"), ("period", "s"), ("start-up latency", "s"),
        ("internal processes", ""),
    ]  # fmt: skip
    assert {(one.x_label, one.x_unit, one.kind) for one in drawn} == {("fan-out k", "", "points")}


# Front-end load ---------------------------------------------------------------------------


def test_samples_that_are_serviced_fall_with_the_square_of_the_inputs() -> None:
    settings = ("metrics=10", "sample_cost=8", "sample_rate=5")
    case = case_of("back_ends=100", "fanout=4", *settings)
    for one in named(load_table(case)):
        inputs, served = one["inputs"], one["serviced"]
        # page of the model: load = rate · inputs · metrics · cost · inputs
        load = 5.0 * inputs * 10 * 8e-6 * inputs
        assert served == pytest.approx(100.0 * min(1.0, 1.0 / load))
        assert one["samples"] == 5.0 * 100 * 10
        tree = case.named(one["tree"])
        assert tree is not None
        assert inputs == len(shape_of(tree.tree))
    assert dict(load_table(case).columns)["samples"] == "samples/s"
    served_flat = column(load_table(case), "serviced")["flat"]
    assert served_flat == pytest.approx(25.0)


def test_the_curves_of_the_load_go_beyond_figure_9_and_show_the_chosen_fan_out() -> None:
    case = case_of("back_ends=40", "shape=balanced", "fanout=5")
    series = load_series(case)
    own = case.chosen.measures.front_end_fanout
    assert {one.name for one in series} == {"flat", "4-way", "8-way", "16-way", f"{own}-way"}
    for one in series:
        assert 256.0 <= float(one.x[-1]) <= 512.0
        many = None if one.name == "flat" else int(one.name.removesuffix("-way"))
        for daemons, served in zip(numbers(one), one.y, strict=True):
            inputs = daemons if many is None else min(many, daemons)
            load = 5.0 * 32 * 2.543132e-6 * inputs**2
            assert served == pytest.approx(100.0 * min(1.0, 1.0 / load))
    # of a flat tree there is a curve already
    alone = load_series(case_of("back_ends=40", "shape=flat"))
    assert {one.name for one in alone} == {"flat", "4-way", "8-way", "16-way"}
    assert 600.0 <= float(load_series(case_of("back_ends=600"))[0].x[-1]) <= 1200.0


# Pareto front and map ---------------------------------------------------------------------


def shown(series: tuple[Series, ...], name: str, x_label: str) -> Series:
    (found,) = [one for one in series if (one.name, one.x_label) == (name, x_label)]
    return found


def test_no_tree_at_all_beats_a_row_of_the_pareto_front_and_each_row_exists() -> None:
    case = case_of("back_ends=7")
    front, whole = pareto_front(7, case.costs, case.limits)
    assert whole
    every = {
        (latency(one, 4.0, 10.0), period(one, Cost()), sum(1 for _ in processes(one)) - 1)
        for one in shapes(7)
    }
    best = {
        one
        for one in every
        if not any(other != one and all(np.array(other) <= np.array(one)) for other in every)
    }
    table = pareto_table(front)
    assert {
        (round(row["latency"] / US, 6), round(row["period"] / US, 6), row["internal"])
        for row in named(table)
    } == best


def test_the_front_is_seen_from_two_sides_with_the_chosen_tree_and_what_each_point_is() -> None:
    case = case_of("back_ends=20", "shape=balanced")
    front, _ = pareto_front(20, case.costs, case.limits)
    table, series = pareto_table(front), pareto_series(case, front)
    for label, unit, place in (("period", "s", 1), ("internal processes", "", 2)):
        points = shown(series, FRONT, label)
        assert all(one in FRONT for one in ("latency", "period", "internal processes"))
        assert (points.x_unit, points.y_label, points.kind) == (
            unit, "latency of a broadcast", "points",
        )  # fmt: skip
        assert list(points.x) == [row[place] for row in table.rows]
        assert list(points.y) == [row[0] for row in table.rows]
        for text, row in zip(points.labels, table.rows, strict=True):
            assert text == f"{row[2]} internal, fan-outs {row[3]} and {row[4]}"
        here = shown(series, "recommended", label)
        own = column(tree_table(case), label.removesuffix(" processes"))
        assert here.x == (own[case.chosen.name],)
        assert here.y == (column(tree_table(case), "broadcast")[case.chosen.name],)
        assert here.labels == (case.chosen.name,)


def test_adopting_a_row_sets_exactly_its_processes_and_period() -> None:
    case = case_of("back_ends=20")
    front, _ = pareto_front(20, case.costs, case.limits)
    table = pareto_table(front)
    for row, settings in zip(named(table), table.settings, strict=True):
        assert settings == {
            "max_internal": row["internal"],
            "max_period": pytest.approx(row["period"] / US),
        }


def test_the_map_lists_each_decade_of_g_over_l_with_its_own_column() -> None:
    found = fanout_map(case_of("back_ends=9").costs, 9, ratios=9, should_stop=lambda: True)
    table = map_table(found)
    assert table.title.endswith("gap over latency g/L")
    assert [name for name, _ in table.columns] == [
        "back-ends", "g/L 0.01", "g/L 0.1", "g/L 1", "g/L 10", "g/L 100",
    ]  # fmt: skip
    assert [row[0] for row in table.rows] == [2**power for power in range(1, 21)]
    rows: list[Any] = list(table.rows)
    for row, many in zip(rows, range(1, 7), strict=False):
        N = 2**many
        for place, ratio in enumerate((0.01, 0.1, 1.0, 10.0, 100.0)):
            cost = Cost(g=6.0 * ratio)
            times = {k: time_of(balanced(N, k), cost) for k in {2, 3, 4, 8, N, *row[1:]}}
            assert times[row[1 + place]] <= min(times.values()) * (1 + 1e-9)


def test_a_map_without_whole_decades_has_no_columns_between(coarse: FanoutMap) -> None:
    assert [name for name, _ in map_table(coarse).columns] == ["back-ends", "g/L 0.01", "g/L 100"]


@pytest.fixture(scope="module")
def coarse() -> FanoutMap:
    return fanout_map(case_of("back_ends=9").costs, 9, ratios=4, should_stop=lambda: True)
