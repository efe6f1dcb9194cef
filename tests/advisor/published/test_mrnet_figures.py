"""The figures of the MRNet paper, process by process: Fig. 4's trees drawn and run by hand."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure
from advisor.published.mrnet_figures import figures

FIGURES = tuple(figures())
L, OVER, G = 6.0, 2.0, 4.0  # the LogP paper's own example

# Fig. 4 as drawn: the children of a process are processes, or so many back-ends
Drawn = list["Drawn"]
LEAF: Drawn = []


def with_leaves(count: int, *children: Drawn) -> Drawn:
    return [*children, *([LEAF] * count)]


BALANCED = with_leaves(0, *(with_leaves(4) for _ in range(4)))
# a binomial tree of four: the front-end has two children, the first of them one more
BINOMIAL = with_leaves(4, with_leaves(4, with_leaves(4)), with_leaves(4))


def leaves(tree: Drawn) -> int:
    return sum(map(leaves, tree)) if tree else 1


def inner(tree: Drawn) -> int:
    """Internal processes: neither the front-end nor a back-end."""
    return sum(1 + inner(child) for child in tree if child)


def levels(tree: Drawn) -> int:
    return 1 + max(map(levels, tree)) if tree else 0


def full(fanout: int, depth: int) -> Drawn:
    return [full(fanout, depth - 1)] * fanout if depth else LEAF


def broadcast(tree: Drawn, each: bool) -> float:
    """Last receipt at a back-end if every process sends to its children in the best order.

    With `each` a process waits a gap before its first message, too, as the paper counts.
    """
    below = [broadcast(child, each) for child in tree]
    orders = set(itertools.permutations(below))
    steps = [(place + each) * max(G, OVER) + OVER + L + OVER for place in range(len(below))]
    return min(max((a + b for a, b in zip(steps, order, strict=True)), default=0.0)
               for order in orders)  # fmt: skip


def found(words: str) -> Figure:
    (figure,) = [one for one in FIGURES if words in one.figure]
    return figure


def of(where: str, name: str) -> Figure:
    (figure,) = [one for one in FIGURES if (one.figure, one.where) == (name, where)]
    return figure


def test_the_broadcast_over_fig_4a_takes_the_printed_sum_if_each_message_pays_its_gap() -> None:
    figure = found("8g + 4o + 2L")
    assert figure.printed == 8 * G + 4 * OVER + 2 * L
    assert figure.obtained == broadcast(BALANCED, each=True)
    textbook = broadcast(BALANCED, each=False)
    assert textbook == 6 * G + 4 * OVER + 2 * L != figure.printed
    assert f"6g + 4o + 2L = {textbook:g}" in figure.note


def test_periods_are_the_gaps_of_the_front_end_s_messages() -> None:
    for words, tree in (("each 4g", BALANCED), ("each 6g", BINOMIAL)):
        figure = found(words)
        assert figure.printed == figure.obtained == len(tree) * G
    assert "g ≥ 2o, else 3g + 2o" in found("each 4g").note
    assert G >= 2 * OVER, "so the inner processes keep up"
    assert "six children" in found("each 6g").note


def test_fig_4b_is_later_by_the_paper_s_accounting_and_earlier_by_the_textbook_s() -> None:
    figure = found("may complete before")
    by_each = broadcast(BALANCED, each=True), broadcast(BINOMIAL, each=True)
    first = broadcast(BALANCED, each=False), broadcast(BINOMIAL, each=False)
    assert (figure.printed, figure.obtained, figure.status) == (*by_each, DEVIATES)
    assert by_each[1] > by_each[0]
    assert first[1] < first[0]
    assert f"{first[1]:g} against {first[0]:g}" in figure.note
    assert "only if 2o + L < 2g" in figure.note
    assert (2 * OVER + L < 2 * G, 2 * OVER + L < 3 * G) == (False, True)


def test_shapes_of_the_figures_are_those_of_the_trees_drawn() -> None:
    for letter, tree in (("a", BALANCED), ("b", BINOMIAL)):
        assert of(f"Fig. 4{letter}", "back-ends").obtained == leaves(tree) == 16
        assert of(f"Fig. 4{letter}", "internal processes").obtained == inner(tree)
    assert found("levels for 64").obtained == levels(full(4, 3))
    assert leaves(full(4, 3)) == 64
    assert of("sec. 4.2.1", "daemons").obtained == leaves(full(8, 3)) == 512


def test_the_share_of_start_up_that_grows_is_fitted_to_one_number_and_said_to_be() -> None:
    figure = found("times faster")
    (serial,) = map(float, re.findall(r"a/b = ([\d.]+)", figure.note))
    created = 8 * 3  # each process creates its eight children, level after level
    assert (serial + 512) / (serial + created) == pytest.approx(3.4, abs=0.001)
    assert serial == pytest.approx((512 - 3.4 * created) / (3.4 - 1), abs=0.05)
    assert figure.note.startswith("fitted")
    assert f"{100 * 512 / (serial + 512):.1f} % of the flat time" in figure.note
    assert (figure.status, abs((figure.obtained or 0) - 3.4) < 0.05) == (REPRODUCED, True)


def test_samples_are_served_as_alignment_of_every_input_against_every_input_allows() -> None:
    anchor = found("64 daemons, flat")
    (cost,) = map(float, re.findall(r"([\d.]+) µs a sample and input", anchor.note))

    def served(inputs: int) -> float:
        second = 5 * inputs * 32 * inputs * cost / 1e6  # 5 samples a second of 32 metrics each
        return 100 * min(1.0, 1.0 / second)

    assert served(64) == pytest.approx(60, rel=1e-6)
    assert anchor.note.startswith("the anchor")
    flat = found("256 daemons, flat")
    assert flat.obtained == pytest.approx(served(256), rel=1e-6)
    assert flat.obtained == pytest.approx(60 / (256 / 64) ** 2)
    constant = 60 * 64 / 256
    assert f"a constant capacity would service {constant:g} %" in flat.note
    assert constant > flat.printed, "so the simpler reading is refuted"
    for fanout in (4, 8, 16):
        assert found(f"serviced, {fanout}-way").obtained == served(fanout) == 100


def test_what_was_measured_of_clocks_is_not_said_to_be_modelled() -> None:
    withheld = [one for one in FIGURES if one.obtained is None]
    assert [one.printed for one in withheld] == [10.5, 17.5, 80.4, 78.9]
    assert {one.status for one in withheld} == {NOT_REPRODUCIBLE}
    assert all("measured, not modelled" in one.note for one in withheld)


def test_a_fitted_or_anchored_figure_can_not_be_taken_for_a_prediction() -> None:
    """Where the paper's number is an input of what is computed, the note says so."""
    circular = [one for one in FIGURES if re.match("fitted|the anchor", one.note)]
    assert [one.figure for one in circular] == [
        "start-up of 512 daemons, times faster",
        "samples serviced, 64 daemons, flat, %",
    ]
    for one in circular:
        assert math.isclose(one.obtained or 0.0, one.printed, rel_tol=1e-3)
