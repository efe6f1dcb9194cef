"""The trees study checked by simulation: what agrees, what is shorter, what is left out."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from advisor.basics.quantities import duration, percent
from advisor.models.mrnet import Tree, balanced, flat, kary
from advisor.studies import STUDIES
from advisor.studies.study import Check, CheckProgress
from advisor.studies.trees import check as module
from advisor.studies.trees.check import check_tree
from advisor.studies.trees.parameters import TreesParameters
from advisor.trees.tree_costs import TreeCosts
from advisor.trees.tree_hosts import Hosts
from tests.advisor.random_trees import loggp
from tests.advisor.studies.trees.by_hand import (
    Cost,
    numbers,
    period,
    processes,
    shape_of,
    time_of,
)

PUBLISHED = TreeCosts(loggp(6.0, 2.0, 4.0))


def rows(check: Check) -> dict[object, tuple[object, ...]]:
    return {row[0]: row[1:] for row in check.table.rows}


def test_latencies_and_periods_of_the_published_tree_are_as_predicted() -> None:
    seen: list[CheckProgress] = []
    check = check_tree("published", kary(4, 2), PUBLISHED, seen.append)
    found = rows(check)
    for name in ("broadcast", "reduction"):
        predicted, simulated, difference, operations = found[f"latency of a {name}"]
        assert predicted == simulated == pytest.approx(44e-6)
        assert (difference, operations) == (0.0, 1)
        predicted, simulated, difference, operations = found[f"period of {name}s"]
        assert (predicted, simulated) == pytest.approx((16e-6, 16e-6), rel=3e-4)
        assert difference == 0.0
        assert operations > 500  # type: ignore[operator]
    both = found["latency of a round trip"]
    assert both[:2] == (pytest.approx(88e-6), pytest.approx(64e-6))
    assert check.sentence == (
        "Simulated published tree: broadcast 44.0 µs (as predicted); reduction 44.0 µs (as "
        "predicted); periods as predicted; answered at once, a round trip takes 64.0 µs."
    )
    assert check.complete
    assert [one.fraction for one in seen] == [0.0, 0.2, 0.4, 0.6, 0.8]
    assert seen[0].partial is None
    assert seen[2].partial is not None and len(seen[2].partial.table.rows) == 2


def test_receives_that_fit_nowhere_are_shown_as_a_longer_period() -> None:
    check = check_tree("slow", balanced(27, 3), TreeCosts(loggp(6.0, 4.0, 6.0)))
    assert 0.4 < rows(check)["period of broadcasts"][2] < 13.0  # type: ignore[operator]
    assert "% above the prediction" in check.sentence


def test_what_is_asked_for_is_drawn_over_the_curves_of_the_study() -> None:
    parameters = TreesParameters(back_ends=16, operation="round trip")
    result = STUDIES["trees"].run(parameters)
    check = STUDIES["trees"].check
    assert check is not None
    drawn = check(parameters).series
    assert [one.y_label for one in drawn] == ["latency of a round trip", "period"]
    axes = {(one.x_label, one.x_unit, one.y_label, one.y_unit) for one in result.series}
    for one in drawn:
        assert (one.x_label, one.x_unit, one.y_label, one.y_unit) in axes
    # the fan-out of the flat tree lies beyond the curves
    assert not check_tree("flat", flat(600), PUBLISHED).series


def test_it_keeps_what_it_has_when_stopped() -> None:
    asked = itertools.count()
    check = check_tree("t", kary(4, 2), PUBLISHED, should_stop=lambda: next(asked) >= 7)
    assert not check.complete
    assert [row[0] for row in check.table.rows] == [
        "latency of a broadcast",
        "latency of a reduction",
    ]
    nothing = check_tree("t", kary(4, 2), PUBLISHED, should_stop=lambda: True)
    assert nothing.sentence.startswith("Stopped before anything")


def test_of_huge_trees_only_the_periods_are_simulated() -> None:
    check = check_tree("huge", balanced(400_000, 8), PUBLISHED)
    assert set(rows(check)) == {"period of broadcasts", "period of reductions"}
    assert [note.inside_domain for note in check.notes] == [True, False]


def test_nothing_costs_nothing() -> None:
    check = check_tree("free", flat(1), TreeCosts(loggp(0.0, 0.0, 1.0)))
    assert rows(check)["latency of a broadcast"] == (0.0, 0.0, None, 1)


# Words and cells --------------------------------------------------------------------------


def named_cells(check: Check) -> list[dict[str, Any]]:
    names = [name for name, _ in check.table.columns]
    return [dict(zip(names, cells, strict=True)) for cells in check.table.rows]


def test_each_difference_is_that_of_its_row_and_rounding_is_none() -> None:
    check = check_tree("t", balanced(30, 3), TreeCosts(loggp(6.0, 4.0, 6.0)))
    assert [unit for _, unit in check.table.columns] == ["", "s", "s", "%", ""]
    differences = []
    for row in named_cells(check):
        share = row["simulated"] / row["predicted"] - 1.0
        assert row["difference"] == pytest.approx(100.0 * share if abs(share) > 3e-4 else 0.0)
        differences.append(row["difference"])
    assert 0.0 in differences
    assert any(differences)


def test_latencies_are_predicted_as_they_are_worked_out_by_hand() -> None:
    tree = balanced(30, 3)
    check = check_tree("t", tree, TreeCosts(loggp(13.5, 2.25, 3.75), filter_cost=3.0))
    found = {row["quantity"]: row for row in named_cells(check)}
    down, up = Cost(13.5, 2.25, 3.75), Cost(13.5, 2.25, 3.75, c=3.0)
    truth = {"broadcast": time_of(tree, down), "reduction": time_of(tree, up)}
    for name, time in truth.items():
        row = found[f"latency of a {name}"]
        assert row["predicted"] == pytest.approx(time * 1e-6)
        assert row["simulated"] == pytest.approx(time * 1e-6)
        assert f"{name} {duration(time * 1e-6)} (as predicted)" in check.sentence
    both = found["latency of a round trip"]
    assert both["predicted"] == pytest.approx(sum(truth.values()) * 1e-6)
    # answered at once, it is shorter than one after the other, and no shorter than either
    assert max(truth.values()) <= both["simulated"] * 1e6 < sum(truth.values())
    assert f"a round trip takes {duration(both['simulated'])}" in check.sentence


@pytest.mark.parametrize("tree", [kary(4, 2), flat(9), balanced(30, 3)])
def test_a_period_is_a_lower_bound_that_reductions_reach(tree: Tree) -> None:
    costs = TreeCosts(loggp(6.0, 2.0, 4.0), filter_cost=3.0)
    found = {row["quantity"]: row for row in named_cells(check_tree("t", tree, costs))}
    for name, cost in (("broadcasts", Cost()), ("reductions", Cost(c=3.0))):
        row = found[f"period of {name}"]
        assert row["predicted"] == pytest.approx(period(shape_of(tree), cost) * 1e-6)
        assert row["simulated"] >= row["predicted"] * (1.0 - 5e-3)
    assert found["period of reductions"]["difference"] == pytest.approx(0.0, abs=0.5)


def test_the_worse_of_both_periods_is_the_one_that_is_told() -> None:
    check = check_tree("t", balanced(27, 3), TreeCosts(loggp(6.0, 4.0, 6.0)))
    found = {row["quantity"]: row["difference"] for row in named_cells(check)}
    worst = max(found["period of broadcasts"], found["period of reductions"])
    assert f"periods {percent(worst / 100.0)} above the prediction" in check.sentence


def test_a_stream_of_round_trips_is_simulated_only_if_they_are_asked_for() -> None:
    for operation in ("broadcast", "reduction", "round trip"):
        check = check_tree("t", flat(9), TreeCosts(loggp(6.0, 2.0, 4.0), operation=operation))
        found = {row["quantity"] for row in named_cells(check)}
        assert ("period of round trips" in found) == (operation == "round trip")


@pytest.mark.parametrize("operation", ["broadcast", "reduction"])
def test_points_lie_at_the_largest_fan_out_with_the_simulated_times(operation: str) -> None:
    tree = balanced(30, 5)
    check = check_tree("t", tree, TreeCosts(loggp(6.0, 2.0, 4.0), operation=operation))
    found = {row["quantity"]: row["simulated"] for row in named_cells(check)}
    drawn = {one.y_label: one for one in check.series}
    assert set(drawn) == {f"latency of a {operation}", "period"}
    assert drawn[f"latency of a {operation}"].y == (found[f"latency of a {operation}"],)
    assert drawn["period"].y == (found[f"period of {operation}s"],)
    for one in check.series:
        assert (one.kind, one.y_unit) == ("points", "s")
        assert numbers(one) == [float(max(len(below) for below in processes(shape_of(tree))))]


def test_processes_that_share_cores_are_simulated_one_operation_at_a_time() -> None:
    hosts = Hosts("a", (("a", 20),))
    costs = TreeCosts(loggp(6.0, 2.0, 4.0), hosts=hosts, cores=2)
    check = check_tree("t", flat(9), costs)
    found = {row["quantity"]: row for row in named_cells(check)}
    assert set(found) == {"latency of a broadcast", "latency of a reduction"}
    for row in found.values():
        # nine sends and nine receives of 2 µs on two cores, however they are shared
        assert row["simulated"] >= 18e-6 * (1.0 - 1e-9)
        assert row["difference"] == pytest.approx(
            100.0 * (row["simulated"] / row["predicted"] - 1.0), abs=0.03
        )
    (note,) = check.notes
    assert "share its cores" in note.text
    assert "periods" not in check.sentence


def test_a_tree_too_large_for_sharing_cores_is_left_unsimulated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MOST_SHARING", 9)
    costs = TreeCosts(loggp(6.0, 2.0, 4.0), hosts=Hosts("a", (("a", 20),)), cores=2)
    assert not check_tree("t", flat(9), costs).table.rows
    assert len(check_tree("t", flat(8), costs).table.rows) == 2
