"""Reasons and notes of the trees study: each says what its tree does, and only where it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.basics.quantities import duration, percent
from advisor.models.mrnet import balanced
from advisor.studies import parse_settings
from advisor.studies.study import Note, StudyResult
from advisor.studies.trees import tree_host_fields as hosts
from advisor.studies.trees.candidates import TreesCase, levels_text
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.run import run
from machines import InputError
from tests.advisor.studies.trees.by_hand import (
    Cost,
    case_of,
    latency,
    period,
    processes,
    shape_of,
    time_of,
)


def at_once(*settings: str) -> StudyResult:
    """The answer as far as it is known once the trees are measured."""
    return run(parse_settings(TreesParameters, settings), None, lambda: True)


def reason(result: StudyResult, begin: str) -> str | None:
    found = [one for one in result.reasons if one.startswith(begin)]
    assert len(found) <= 1
    return found[0] if found else None


def noted(result: StudyResult, words: str) -> Note | None:
    return next((note for note in result.notes if words in note.text), None)


# Reasons ----------------------------------------------------------------------------------


@settings(max_examples=10)
@given(st.integers(1, 60), st.sampled_from(["best", "flat", "levels", "k-nomial"]))
def test_the_shape_of_the_tree_is_told_with_the_period_that_it_sustains(N: int, shape: str) -> None:
    stated = (f"back_ends={N}", f"shape={shape}", "operation=reduction", "filter_cost=3")
    case, result = case_of(*stated), at_once(*stated)
    tree = shape_of(case.chosen.tree)
    own, *inner = [len(one) for one in processes(tree)]
    said = "1 child" if own == 1 else f"{own} children"
    if inner:
        said += f" of the front-end and up to {max(inner)} of an internal process"
    else:
        said += " of the front-end"
    stream = duration(period(tree, Cost(c=3.0)) * 1e-6)
    depth = case.chosen.measures.depth
    told = f"{said}, depth {depth}; a reduction at most every {stream}."
    assert told in result.reasons


def test_starting_is_compared_with_the_flat_tree_and_not_told_where_it_is_free() -> None:
    stated = ("back_ends=64", "shape=levels", "create=20", "connect=5", "report=1")
    said = reason(at_once(*stated), "Start-up")
    tree = shape_of(case_of(*stated).chosen.tree)
    mine, flat = latency(tree, 20e-3, 26e-3), 63 * 20e-3 + 26e-3
    assert said is not None
    assert said.startswith(f"Start-up {duration(mine)}, flat {duration(flat)}: a parent creates")
    assert reason(at_once("back_ends=64", "create=0", "connect=5"), "Start-up") is None


def test_at_a_rate_the_busiest_process_is_told_be_it_the_front_end_or_another() -> None:
    # the flat front-end sends 20 messages of 2 µs; of 2 × 10 an internal one has 11
    for shape, messages in (("flat", 20), ("own", 11)):
        result = at_once("back_ends=20", f"shape={shape}", "own=b:2x10", "rate=3000")
        said = reason(result, "At 3,000 operations a second")
        assert said is not None
        share = 3000e-6 * 2.0 * messages
        assert said.endswith(f"the busiest process takes {percent(share)} of a processor.")
    assert reason(at_once("back_ends=20"), "At ") is None


@pytest.mark.parametrize(("metrics", "cost"), [(1, 2.5), (32, 2.543132), (200, 10.0), (32, 0.0)])
def test_the_load_of_the_front_end_is_told_with_the_most_inputs_that_it_keeps_up_with(
    metrics: int, cost: float
) -> None:
    stated = ("back_ends=100", "shape=levels", f"metrics={metrics}", f"sample_cost={cost}")
    said = reason(at_once(*stated), "Front-end load")
    assert said is not None

    def served(inputs: int) -> float:
        load = 5.0 * metrics * cost * 1e-6 * inputs**2
        return min(1.0, 1.0 / load) if load else 1.0

    own = case_of(*stated).chosen.measures.front_end_fanout
    assert f"{percent(served(own))} of the samples are serviced, " in said
    assert f" {percent(served(100))} with a flat tree" in said
    if cost == 0.0:
        assert said.endswith("keeps up with any number of inputs.")
    else:
        most = max(inputs for inputs in range(1000) if served(inputs) == 1.0)
        assert said.endswith(f"keeps up with up to {most} input{'' if most == 1 else 's'}.")


@settings(max_examples=12)
@given(
    st.integers(2, 40),
    st.sampled_from(["max_fanout=3", "max_internal=2", "max_period=12", "max_fanout=40"]),
)
def test_trees_beyond_the_limits_are_named_where_they_would_be_faster(N: int, limit: str) -> None:
    stated = (f"back_ends={N}", limit, "fanout=4", "tolerance=0")
    try:
        case = case_of(*stated)
    except InputError:
        return
    mine = case.chosen.measures.broadcast
    name, most = limit.split("=")
    told = [one for one in at_once(*stated).reasons if "beyond the limits" in one]
    expected = []
    for one in case.trees:
        tree = shape_of(one.tree)
        value = {
            "max_fanout": max(map(len, processes(tree))),
            "max_internal": one.measures.internal,
            "max_period": period(tree, Cost()),
        }[name]
        if value > float(most) and one.measures.broadcast * 1.005 < mine:
            expected.append(f"would take {duration(one.measures.broadcast * 1e-6)}, beyond")
    assert len(told) == len(expected)
    assert all(words in said for words, said in zip(expected, told, strict=True))


def test_a_faster_tree_within_the_limits_is_not_said_to_be_beyond_them() -> None:
    for stated in (("back_ends=512",), ("back_ends=64", "shape=flat")):
        case, result = case_of(*stated), at_once(*stated)
        assert case.fastest.measures.broadcast < case.chosen.measures.broadcast
        assert not any("beyond the limits" in one for one in result.reasons)


# Notes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "there", "elsewhere"),
    [
        ("o < gap g < 2o", ("overhead=2", "gap=3"), ("overhead=2", "gap=4")),
        ("o < gap g < 2o", ("overhead=2", "gap=3"), ("overhead=2", "gap=2")),
        ("agree with simulation", ("overhead=2", "gap=4"), ("overhead=2", "gap=3")),
        ("daemons or 32 metrics", ("metrics=33",), ("metrics=32",)),
        ("daemons or 32 metrics", ("back_ends=257",), ("back_ends=256",)),
        ("summed steps", ("operation=round trip", "filter_cost=1"), ("operation=round trip",)),
        ("does not keep the limits", ("shape=flat", "max_fanout=8"), ("max_fanout=8",)),
        ("hosts are not given", ("hosts=a:90",), ("hosts=a:90", "host_cores=2")),
        ("share its cores", ("hosts=a:90", "host_cores=2"), ("hosts=a:90",)),
    ],
)
def test_a_note_stands_where_it_holds_and_not_beside(
    words: str, there: tuple[str, ...], elsewhere: tuple[str, ...]
) -> None:
    common = {"back_ends": "40", "costs": "own", "overhead": "2", "gap": "4"}

    def found(stated: tuple[str, ...]) -> Note | None:
        values = common | dict(one.split("=") for one in stated)
        return noted(at_once(*map("=".join, values.items())), words)

    assert found(there) is not None
    assert found(elsewhere) is None


def test_a_tree_that_no_file_holds_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    for parents, warned in ((9, False), (8, True)):
        monkeypatch.setattr(hosts, "MOST_STATEMENTS", parents)
        note = noted(at_once("back_ends=64", "shape=balanced"), "A topology file of MRNet holds")
        assert (note is not None) == warned
        assert note is None or not note.inside_domain


def test_that_absolute_times_rest_on_the_user_is_always_said() -> None:
    for stated in ((), ("costs=alewife",), ("hosts=a:90",)):
        note = noted(at_once("back_ends=40", *stated), "Absolute times depend on your numbers")
        assert note is not None
        assert note.inside_domain


# Trees to compare with --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fanouts", "text"),
    [((4, 8, 8), "levels 4×8²"), ((2, 4, 4, 4, 4), "levels 2×4⁴"), ((16,), "levels 16"),
     ((3, 2, 3), "levels 3×2×3"), ((2,) * 12, "levels 2¹²")],
)  # fmt: skip
def test_levels_are_written_with_powers(fanouts: tuple[int, ...], text: str) -> None:
    assert levels_text(fanouts) == text


@settings(max_examples=12)
@given(st.integers(1, 60), st.integers(2, 9), st.integers(2, 5))
def test_all_usual_shapes_hold_all_back_ends_and_are_what_they_are_called(
    N: int, fanout: int, k: int
) -> None:
    case = case_of(f"back_ends={N}", f"fanout={fanout}", f"k={k}")
    trees = dict(zip(case.shapes, case.trees, strict=True))
    assert {len(list(leaves(shape_of(one.tree)))) for one in case.trees} == {N}
    assert trees["flat"].measures.internal == 0
    width = min(fanout, max(2, N))
    assert trees["balanced"].name == f"balanced {width}-way"
    assert trees["balanced"].tree.is_like(balanced(N, width))
    assert trees["k-nomial"].measures.internal == -(-N // width) - 1
    kind = "binomial" if k == 2 else f"{k}-nomial"
    assert trees["k-nomial"].name == f"{kind}, {-(-N // width)} processes"
    levels = shape_of(trees["levels"].tree)
    assert len({depth for depth, _ in leaves(levels)}) == 1


def test_levels_are_those_of_the_name_from_the_front_end_down() -> None:
    tree = case_of("back_ends=32", "shape=levels").chosen
    assert tree.name == "levels 2×4²"
    assert [len(one) for one in processes(shape_of(tree.tree))] == [2, *[4] * 10]


def leaves(shape: tuple[object, ...], depth: int = 0) -> list[tuple[int, tuple[object, ...]]]:
    if not shape:
        return [(depth, shape)]
    return [leaf for one in shape for leaf in leaves(one, depth + 1)]  # type: ignore[arg-type]


def test_no_tree_of_even_levels_is_faster_than_the_one_compared() -> None:
    for N in range(2, 30):
        case = case_of(f"back_ends={N}")
        (mine,) = [
            one for shape, one in zip(case.shapes, case.trees, strict=True) if shape == "levels"
        ]
        # f(n) = min over k of (k − 1) step + D + f(⌈n/k⌉), page of the model, sec. 8
        least = {1: 0.0}
        for n in range(2, N + 1):
            least[n] = min((k - 1) * 4.0 + 10.0 + least[-(-n // k)] for k in range(2, n + 1))
        # with fewer below the last children it may be less
        assert mine.measures.broadcast <= least[N] + 1e-9
        if N in {4, 8, 9, 12, 16, 20, 25}:
            assert mine.measures.broadcast == pytest.approx(least[N])


@pytest.mark.parametrize("own", ["g:2:8,4", "b:4x3", "g:3:3x2:6x2"])
def test_an_own_tree_is_measured_like_the_others(own: str) -> None:
    case = case_of("back_ends=12", f"own={own}", "shape=own")
    assert case.chosen.name == "own"
    assert case.chosen.measures.broadcast == pytest.approx(time_of(case.chosen.tree, Cost()))


@pytest.mark.parametrize("many", [11, 13])
def test_an_own_tree_for_other_back_ends_is_left_out_with_both_numbers(many: int) -> None:
    result = at_once(f"back_ends={many}", "own=b:4x3")
    note = noted(result, "left out of the comparison")
    assert note is not None
    assert not note.inside_domain
    assert "has 12 back-ends" in note.text
    assert f"N is {many}" in note.text
    assert "own" not in [row[0] for row in result.tables[0].rows]


Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(text: str) -> Path:
        path = tmp_path / "tree.top"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def case_with(path: Path, *settings: str) -> TreesCase:
    return case_of(f"own={path}", "shape=own", *settings)


def test_a_topology_file_is_a_whole_tree_or_in_attach_mode_the_processes_above_the_back_ends(
    written: Written,
) -> None:
    path = written("a:0 => b:0 c:0 ;\nb:0 => d:0 e:0 ;\nc:0 => f:0 ;\n")
    assert case_with(path, "back_ends=3").chosen.tree.fanouts.tolist() == [2, 2, 1, 0, 0, 0]
    attached = case_with(path, "back_ends=7", "attach=true").chosen.tree
    assert attached.fanouts.tolist()[:6] == [2, 2, 1, 3, 2, 2]
    assert attached.back_ends == 7
