"""The trees study checked by simulation: what agrees, what is shorter, what is left out."""

from __future__ import annotations

import itertools

import pytest

from advisor.models.mrnet import balanced, flat, kary
from advisor.studies import STUDIES
from advisor.studies.study import Check, CheckProgress
from advisor.studies.trees.check import check_tree
from advisor.studies.trees.parameters import TreesParameters
from advisor.trees.costs import TreeCosts
from tests.advisor.random_trees import loggp

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
    check = check_tree("t", kary(4, 2), PUBLISHED, should_stop=lambda: next(asked) >= 4)
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
