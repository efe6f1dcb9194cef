"""Whether the first message pays a gap: both accountings of every tree, and what they turn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.basics.quantities import duration
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.run import run
from advisor.studies.trees.tree_answer_words import called
from advisor.studies.trees.views import convention_table
from tests.advisor.studies.trees.by_hand import Cost, case_of, column, latency, shapes, time_of

FREE, PAID = "first message free of the gap", "gap for each message"
OPERATIONS = st.sampled_from(["broadcast", "reduction", "round trip"])


def both_by_hand(case: TreesCase, c: float) -> dict[str, tuple[float, float]]:
    """Latency of each tree where the first message is free, and where it pays."""
    filters = {"broadcast": (0.0,), "reduction": (c,), "round trip": (0.0, c)}
    parts = filters[case.costs.operation]
    return {
        one.name: (
            sum(time_of(one.tree, Cost(c=part)) for part in parts),
            sum(time_of(one.tree, Cost(c=part, each=True)) for part in parts),
        )
        for one in case.trees
    }


@given(st.integers(1, 40), OPERATIONS, st.sampled_from([0.0, 3.0]))
def test_both_columns_are_the_trees_worked_out_by_either_rule(
    N: int, operation: str, c: float
) -> None:
    settled = (f"back_ends={N}", f"operation={operation}", f"filter_cost={c}")
    truth: dict[str, tuple[float, float]] = {}
    for convention in ("first", "each"):
        case = case_of(*settled, f"convention={convention}", "shape=optimal")
        table = convention_table(case)
        free, paid = column(table, FREE), column(table, PAID)
        truth = both_by_hand(case, c)
        for name, (first, each) in truth.items():
            assert free[name] == pytest.approx(first * 1e-6)
            assert paid[name] == pytest.approx(each * 1e-6)
        assert [unit for _, unit in table.columns] == ["", "s", "s"]
    steps = 4.0 if operation == "broadcast" else max(4.0, 2.0 + c)
    # of the flat tree a single first message is paid
    flat = truth["flat"][1] - truth["flat"][0]
    assert flat == pytest.approx(steps + (4.0 if operation == "round trip" else 0.0))


def test_figure_4_turns_with_the_convention() -> None:
    # page of the model, reading 1: "each" 52 < 54, "first" 44 > 42
    for convention, better in (("first", "binomial, 4 processes"), ("each", "levels 4²")):
        case = case_of("back_ends=16", "fanout=4", f"convention={convention}")
        times = {one.name: one.measures.broadcast for one in case.trees}
        four, binomial = times["levels 4²"], times["binomial, 4 processes"]
        assert {four, binomial} == ({44.0, 42.0} if convention == "first" else {52.0, 54.0})
        assert min((four, "levels 4²"), (binomial, "binomial, 4 processes"))[1] == better


@settings(max_examples=12)
@given(st.integers(2, 8))
def test_the_optimum_is_that_of_the_convention_that_was_asked_for(N: int) -> None:
    for convention in ("first", "each"):
        cost = Cost(each=convention == "each")
        case = case_of(f"back_ends={N}", f"convention={convention}", "tolerance=0")
        least = min(latency(one, cost.step, cost.delay) for one in shapes(N))
        assert case.chosen.measures.broadcast == pytest.approx(least)


@pytest.mark.parametrize("shape", ["best", "levels", "flat", "k-nomial"])
@pytest.mark.parametrize("N", [5, 16, 40])
def test_the_accounting_gives_both_times_and_names_a_tree_that_overtakes(
    N: int, shape: str
) -> None:
    case = case_of(f"back_ends={N}", "fanout=4", f"shape={shape}")
    result = run(case.asked, None, lambda: True)
    (said,) = [one for one in result.reasons if one.startswith("Accounting")]
    truth = both_by_hand(case, 0.0)
    first, each = truth[case.chosen.name]
    assert f"Accounting: {duration(first * 1e-6)} where the first message is free" in said
    assert f"{duration(each * 1e-6)} where each message pays it" in said
    turned = [
        called(one)
        for one in case.trees
        if (truth[one.name][0] < first) != (truth[one.name][1] < each)
    ]
    named = re.search(r"; whether it or (.*) is faster depends on that choice", said)
    assert (named is not None) == bool(turned)
    assert named is None or named[1] in turned
    assert ("the choice changes no tree" in said) != bool(turned)


def test_of_an_unknown_gap_no_accounting_is_told(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("size_bytes,seconds_one_way\n1,1e-5\n1001,1.1e-5\n", encoding="utf-8")
    case = case_of("back_ends=9", "costs=ping-pong", f"pingpong={path}")
    result = run(case.asked, None, lambda: True)
    assert not any(one.startswith("Accounting") for one in result.reasons)
    assert any(one.startswith("Rule: the tree that at worst") for one in result.reasons)
