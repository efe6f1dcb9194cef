"""Plans of overlays: trees, shapes in words of fan-outs, what travels."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import flat, levelled
from advisor.overlays.overlay_plan import OverlayPlan, level_fanouts, tree_of_shape
from machines import InputError
from tests.advisor.random_trees import trees


def test_a_plan_holds_the_children_of_every_process_breadth_first() -> None:
    plan = OverlayPlan((2, 2, 1, 0, 0, 0), ("a", "b"))
    assert (plan.tree.back_ends, plan.tree.internal) == (3, 2)
    assert plan.machines == {"a": 1, "b": 1}


@pytest.mark.parametrize("fanouts", [(), (0,), (2, 0), (1, 0, 0), (-1, 1)])
def test_numbers_that_make_no_tree_are_refused(fanouts: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="no tree"):
        OverlayPlan(fanouts)


@pytest.mark.parametrize(
    ("text", "back_ends"), [("64", 64), ("8x8", 64), ("8x8", 60), ("3x4", 10), ("1x5", 5)]
)
def test_a_shape_is_said_as_it_was_read(text: str, back_ends: int) -> None:
    tree = tree_of_shape(text, back_ends)
    assert tree.back_ends == back_ends
    assert OverlayPlan.of(tree).shape == text


def test_a_shape_may_be_written_with_the_true_sign() -> None:
    assert tree_of_shape(" 8×8 ", 64).is_like(levelled(64, (8, 8)))


def test_a_tree_that_no_levels_say_has_no_shape() -> None:
    assert OverlayPlan((2, 2, 0, 0, 0)).shape is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("8", "fewer"), ("9x8", 'Write "8x8"'), ("65", 'Write "64"'), ("8y8", "no shape"),
     ("0x64", "no shape"), ("", "no shape"), ("٨x8", "no shape"), ("x".join("1" * 65), "levels")],
)  # fmt: skip
def test_a_shape_of_another_number_of_back_ends_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tree_of_shape(text, 64)


@given(trees(24))
def test_a_shape_says_the_whole_tree_or_is_not_given(tree) -> None:
    plan = OverlayPlan.of(tree)
    assert plan.shape is None or tree_of_shape(plan.shape, tree.back_ends).is_like(tree)


@given(back_ends=st.integers(1, 60), asked=st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_a_tree_of_levels_has_the_shape_of_its_widest_processes(back_ends, asked) -> None:
    try:
        tree = levelled(back_ends, asked)
    except InputError:
        return
    widest = level_fanouts(tree)
    assert all(found <= most for found, most in zip(widest, asked, strict=True))
    shape = OverlayPlan.of(tree).shape
    assert shape in (None, "x".join(map(str, widest)))


def test_what_was_worked_out_does_not_travel() -> None:
    plan = OverlayPlan.of(flat(1000))
    before = len(pickle.dumps(plan))
    assert plan.shape == "1000"
    assert len(pickle.dumps(plan)) == before
    copy = pickle.loads(pickle.dumps(plan))
    assert copy == plan
    assert copy.shape == "1000"
