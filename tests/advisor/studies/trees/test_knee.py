"""Which tree is recommended, held against every tree that there is."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.basics.quantities import duration, number
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.tree_answer_words import alternative, headline, rules
from machines import InputError
from tests.advisor.studies.trees.by_hand import (
    Cost,
    Shape,
    case_of,
    latency,
    period,
    processes,
    shapes,
    time_of,
)

COSTS = st.builds(
    Cost,
    L=st.sampled_from([0.0, 6.0, 13.5]),
    o=st.sampled_from([0.5, 2.0, 3.0]),
    g=st.sampled_from([0.1, 1.0, 4.0]),
)
FEW = st.integers(2, 8)


def sentence(case: TreesCase) -> str:
    return f"{headline(case)} {alternative(case)}".rstrip()


def stated(cost: Cost) -> tuple[str, ...]:
    return "costs=own", f"latency={cost.L}", f"overhead={cost.o}", f"gap={cost.g}"


def internal(shape: Shape) -> int:
    return sum(1 for _ in processes(shape)) - 1


def of_all(N: int, cost: Cost) -> list[tuple[float, float, int, Shape]]:
    """(latency, period, internal processes, shape) of every tree."""
    return [
        (latency(one, cost.step, cost.delay), period(one, cost), internal(one), one)
        for one in shapes(N)
    ]


def chosen(case: TreesCase) -> tuple[float, float, int]:
    found = case.chosen.measures
    return found.broadcast, found.period, found.internal


@given(FEW, COSTS, st.sampled_from([0.5, 8.0, 25.0, 80.0]))
def test_the_knee_has_the_fewest_processes_of_all_trees_that_near_the_least(
    N: int, cost: Cost, within: float
) -> None:
    every = of_all(N, cost)
    least = min(one[0] for one in every)
    near = least * (1.0 + within / 100.0) * (1.0 + 1e-9)
    time, _, many = chosen(case_of(f"back_ends={N}", *stated(cost), f"tolerance={within}"))
    assert time <= near
    assert many == min(one[2] for one in every if one[0] <= near)


@given(FEW, COSTS)
def test_without_tolerance_it_is_the_fastest_of_all_and_of_those_the_smallest(
    N: int, cost: Cost
) -> None:
    every = of_all(N, cost)
    least = min(one[0] for one in every)
    time, _, many = chosen(case_of(f"back_ends={N}", *stated(cost), "tolerance=0"))
    assert time == pytest.approx(least)
    assert many == min(one[2] for one in every if one[0] <= least * (1.0 + 1e-9))


@given(
    FEW,
    COSTS,
    st.one_of(st.none(), st.integers(2, 5)),
    st.one_of(st.none(), st.integers(0, 4)),
    st.one_of(st.none(), st.sampled_from([4.0, 8.0, 12.5, 20.0])),
)
def test_limits_are_kept_with_the_least_latency_or_refused_where_no_tree_keeps_them(
    N: int, cost: Cost, most_children: int | None, most: int | None, longest: float | None
) -> None:
    kept = [
        one
        for one in of_all(N, cost)
        if (most_children is None or max(map(len, processes(one[3]))) <= most_children)
        and (most is None or one[2] <= most)
        and (longest is None or one[1] <= longest * (1.0 + 1e-9))
    ]
    limits = (
        f"max_fanout={most_children or 'auto'}",
        f"max_internal={'auto' if most is None else most}",
        f"max_period={longest or 'auto'}",
    )
    asked = (f"back_ends={N}", *stated(cost), *limits, "tolerance=0")
    if not kept:
        with pytest.raises(InputError):
            case_of(*asked)
        return
    time, stream, many = chosen(case_of(*asked))
    assert time == pytest.approx(min(one[0] for one in kept))
    assert stream <= (longest or stream) * (1.0 + 1e-9)
    assert many <= (N if most is None else most)


@given(FEW, COSTS, st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([0.0, 1.0, 7.0]))
def test_weights_find_the_least_sum_of_all_trees(
    N: int, cost: Cost, by_period: float, by_process: float
) -> None:
    assume(by_period or by_process)
    weights = f"period_weight={by_period}", f"internal_weight={by_process}"
    time, stream, many = chosen(case_of(f"back_ends={N}", *stated(cost), *weights))
    least = min(one[0] + by_period * one[1] + by_process * one[2] for one in of_all(N, cost))
    assert time + by_period * stream + by_process * many == pytest.approx(least)


@given(FEW, COSTS, st.sampled_from([2e4, 5e4, 1.2e5]), st.sampled_from([30.0, 60.0, 100.0]))
def test_a_wanted_rate_is_kept_by_every_process_of_the_fastest_such_tree(
    N: int, cost: Cost, rate: float, most: float
) -> None:
    per_us = rate / 1e6
    kept = []
    for time, stream, _, shape in of_all(N, cost):
        own, *inner = [len(one) for one in processes(shape)]
        taken = max(own, *(k + 1 for k in inner), 0) * cost.o * per_us
        if stream * per_us <= 1.0 + 1e-9 and taken <= most / 100.0 * (1.0 + 1e-9):
            kept.append(time)
    asked = (f"back_ends={N}", *stated(cost), f"rate={rate}", f"max_share={most}", "tolerance=0")
    if not kept:
        with pytest.raises(InputError):
            case_of(*asked)
    else:
        assert chosen(case_of(*asked))[0] == pytest.approx(min(kept))


def attachable(shape: Shape) -> Shape:
    """A back-end beside an internal process gets a process of its own above it."""
    below = [attachable(one) for one in shape]
    if any(below) and not all(below):
        below = [one or ((),) for one in below]
    return tuple(below)


@given(st.integers(2, 7), COSTS)
def test_in_attach_mode_no_attachable_tree_is_faster_than_the_optimum(N: int, cost: Cost) -> None:
    case = case_of(f"back_ends={N}", *stated(cost), "attach=true", "shape=optimal")
    every = [latency(attachable(one), cost.step, cost.delay) for one in shapes(N)]
    assert case.chosen.measures.broadcast == pytest.approx(min(every))
    told = f"The fastest of this kind takes {duration(min(every) * 1e-6)}."
    assert list(rules(case))[-1].endswith(told)


# What is said of it -----------------------------------------------------------------------


def test_the_rule_says_what_latency_buys_and_nothing_where_nothing_is_given_up() -> None:
    case = case_of("back_ends=512")
    (rule,) = rules(case)
    # page of the model: 68 µs with 163 internal processes; 72 with 94
    assert rule == (
        "Rule: the fewest internal processes within 8 % of the least latency; 5.9 % of latency "
        "saves 69 of 163 processes."
    )
    same = case_of("back_ends=512", "tolerance=0.5")
    (rule,) = rules(same)
    assert rule.endswith("within 0.5 % of the least latency.")
    assert same.chosen.measures.internal == 163
    assert not list(rules(case_of("back_ends=512", "tolerance=0")))
    assert not list(rules(case_of("back_ends=512", "shape=flat")))


def test_the_headline_names_the_least_only_where_the_chosen_tree_is_slower() -> None:
    knee = sentence(case_of("back_ends=512"))
    assert knee.endswith("; the fewest processes within 8 % of the least, 68.0 µs with 163.")
    wanted = sentence(case_of("back_ends=512", "shape=levels"))
    assert wanted.startswith("Build levels 2×4⁴: ")
    assert wanted.endswith("; the fastest takes 68.0 µs with 163.")
    assert "the fastest" not in sentence(case_of("back_ends=512", "tolerance=0"))


@given(st.integers(2, 40), st.sampled_from(["best", "balanced", "levels", "k-nomial", "flat"]))
def test_the_headline_beats_the_flat_tree_and_the_best_usual_one_if_they_are_slower(
    N: int, shape: str
) -> None:
    case = case_of(f"back_ends={N}", f"shape={shape}")
    said, mine = sentence(case), case.chosen.measures.broadcast
    times = {
        one.name: one.measures.broadcast
        for one in case.trees
        if one is not case.chosen and one.name not in {"knee", "optimal", "flat"}
    }
    usual = min(times, key=lambda name: times[name])
    slower = {"flat": Cost().step * (N - 1) + Cost().delay, usual: times[usual]}
    for name in ("flat", *times):
        factor = slower.get(name, mine) / mine
        told = f"{number(factor)} times faster than {name}"
        assert (f"faster than {name}" in said) == (factor > 1.005)
        assert factor <= 1.005 or told in said


def test_a_tree_without_internal_processes_is_called_flat_however_it_was_found() -> None:
    case = case_of("back_ends=3", "shape=optimal")
    assert case.chosen.measures.internal == 0
    assert sentence(case) == (
        "Build the flat tree: a broadcast to 3 back-ends takes 18.0 µs straight from the front-end."
    )
    inside = case_of("back_ends=5", "shape=optimal")
    assert sentence(inside).startswith("Build the optimal tree: a broadcast to 5 back-ends takes "
                                       "24.0 µs through 1 internal process.")  # fmt: skip


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        ("broadcast", "a broadcast to 9 back-ends"),
        ("reduction", "a reduction of 9 back-ends"),
        ("round trip", "a round trip with 9 back-ends"),
    ],
)
def test_the_headline_speaks_of_the_operation_and_gives_its_time(
    operation: str, words: str
) -> None:
    case = case_of("back_ends=9", f"operation={operation}", "filter_cost=3")
    tree, up = case.chosen.tree, Cost(c=3.0)
    parts = {"broadcast": (Cost(),), "reduction": (up,), "round trip": (Cost(), up)}[operation]
    time = sum(time_of(tree, one) for one in parts)
    assert f"{words} takes {duration(time * 1e-6)} through" in sentence(case)
