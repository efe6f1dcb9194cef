"""Cards stay where they are while a graph is drawn, until it is tidied."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.workload import Flow, Task, Workload
from gui.board.lanes import Kinds
from gui.board.layers import Layers, lay_out, units_of
from gui.board.staying import below, renamed, stay


def laid_out(names: str, *flows: str) -> Layers:
    tasks = tuple(Task(name, 1.0) for name in names)
    workload = Workload("w", tasks, tuple(Flow(*pair) for pair in flows))
    return lay_out(workload, units_of(workload, Kinds.of(list(names))))


def places(layers: Layers, names: str) -> dict[str, tuple[float, float]]:
    return dict(
        zip(names, zip(layers.column.tolist(), layers.place.tolist(), strict=True), strict=True)
    )


def test_a_flow_moves_nothing_and_a_task_lies_where_it_was_drawn() -> None:
    kept = places(laid_out("abc"), "abc")
    joined = stay(laid_out("abc", "ab"), "abc", kept, None)
    assert places(joined, "abc") == kept != places(laid_out("abc", "ab"), "abc")
    drawn = stay(laid_out("abcd", "ab"), "abcd", kept, (2.5, -1.25))
    assert places(drawn, "abcd") == kept | {"d": (2.5, -1.25)}


def test_a_task_without_a_place_lies_behind_what_it_follows_and_covers_nothing() -> None:
    kept = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (1.0, 1.0)}
    found = places(stay(laid_out("abcd", "ad"), "abcd", kept, None), "abcd")
    assert found["d"] == (1.0, -1.0)
    below = places(stay(laid_out("abcd"), "abcd", kept, None), "abcd")
    assert below["d"] == (0.0, 2.0)


def test_copies_lie_below_what_they_copy_and_below_one_another() -> None:
    kept = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (1.0, 1.0)}
    wanted = below(stay(laid_out("abc"), "abc", kept, None), [1])
    assert wanted == (1.0, 2.0)  # c lies below b
    found = places(stay(laid_out("abcde"), "abcde", kept, wanted), "abcde")
    assert (found["d"], found["e"]) == ((1.0, 2.0), (1.0, 3.0))


def test_what_comes_back_lies_where_it_was_and_another_graph_is_laid_out() -> None:
    kept = {"a": (0.0, 0.0), "b": (7.0, 3.0)}
    assert places(stay(laid_out("ab"), "ab", kept, None), "ab") == kept
    other = laid_out("wxyz", "wx", "xy")
    assert stay(other, "wxyz", kept, None) is other


def test_a_new_name_is_the_same_task() -> None:
    assert renamed(("a", "b"), ("a", "c")) == {"c": "b"}
    assert renamed(("a", "b"), ("b", "a")) == {}
    assert renamed(("a", "b"), ("a", "b", "c")) == {}


@given(st.integers(0, 10_000))
def test_no_card_covers_another_that_was_not_placed_by_hand(seed: int) -> None:
    draw = np.random.default_rng(seed)
    count = int(draw.integers(4, 20))
    names = "abcdefghijklmnopqrst"[:count]
    edges = [f"{names[i]}{names[j]}" for j in range(count) for i in range(j) if draw.random() < 0.2]
    old = count - int(draw.integers(1, count // 2 + 1))
    kept = places(
        laid_out(names[:old], *(e for e in edges if set(e) <= set(names[:old]))), names[:old]
    )
    found = stay(laid_out(names, *edges), names, kept, None)
    spots = list(places(found, names).values())
    for at, (column, row) in enumerate(spots):
        for other_column, other_row in spots[:at]:
            assert abs(column - other_column) >= 0.85 or abs(row - other_row) >= 0.9


@pytest.mark.parametrize("wished", [None, (0.0, 0.0)])
def test_a_first_task_has_a_place(wished: tuple[float, float] | None) -> None:
    alone = stay(laid_out("a"), "a", {}, wished)
    assert np.isfinite(alone.column).all()
