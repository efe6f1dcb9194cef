"""Every redrawn figure: its printed points lie on the models' curves, or the page says why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from advisor.published.figure import REPRODUCED, Figure
from advisor.published.redrawn import dvsm, logpc, mrm, mrnet, slowdown
from advisor.published.redrawn.figures import not_redrawn, redrawn_figures
from advisor.published.redrawn.redrawn import PRINTED, Mark, Redrawn
from advisor.published.validate import published_figures

FIGURES = redrawn_figures()
BY_NAME = {figure.name: figure for figure in FIGURES}
FIGURES_OF = {  # how many each paper has
    "Figueira & Berman 1996": 8,
    "Moritz & Frank 2001": 11,
    "Roth, Arnold & Miller 2003": 9,
    "Gunther 2005": 7,
    "Parsons, Brorsson & Sevcik 1997": 9,
}
BOUND = re.compile(r"less than|at most")
CURVES_OF = {  # model functions that draw curves through printed points
    slowdown: ("finish_time", "simultaneous", "delay_column"),
    logpc: ("long_message_time", "contention_closed", "contention_open", "synchronous_cost",
            "asynchronous", "diamond_slowdown"),
    mrnet: ("broadcast_latency", "broadcast_period", "instantiation_latency", "front_end_share"),
    mrm: ("amdahl", "erlang_speedup", "harmonic", "usl"),
    dvsm: ("software_time", "wire_time", "empty_miss_time", "lock_time", "relative_cost"),
}  # fmt: skip
each = pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.name)


def drawn_value(figure: Redrawn, mark: Mark) -> float:
    """What the curve that is drawn gives for a printed number, in the number's unit."""
    return (figure.value_at(mark.curve, mark.at) - mark.zero) / mark.scale


def agrees(number: Figure, value: float) -> bool:
    """Within the tolerance of `validate`; a bound is kept from below."""
    if BOUND.search(number.figure):
        return value <= number.printed
    return abs(value - number.printed) <= max(number.within, 1e-9 * abs(number.printed))


def wrong_curves(figure: Redrawn) -> Iterator[str]:
    """Numbers whose curve does not pass where `validate` says that the model's value is."""
    for mark in figure.marks:
        number = mark.number
        if not mark.along and number.obtained is not None:
            value = drawn_value(figure, mark)
            if abs(value - number.obtained) > 1e-5 * abs(number.obtained):
                yield f"{number.figure}: {value} is drawn, {number.obtained} obtained"


@each
def test_curves_pass_where_validate_says(figure: Redrawn) -> None:
    assert list(wrong_curves(figure)) == []


@each
def test_printed_points_agree_with_the_curve_or_a_note_says_why_not(figure: Redrawn) -> None:
    for mark in figure.marks:
        number = mark.number
        if number.obtained is not None:
            value = number.obtained if mark.along else drawn_value(figure, mark)
            assert agrees(number, value) == (number.status == REPRODUCED), number.figure
        assert number.note or number.status == REPRODUCED, number.figure


@each
def test_a_point_stands_at_a_value_of_its_curve(figure: Redrawn) -> None:
    """Between two values of a curve a chord would be compared with the print."""
    for mark in figure.marks:
        (curve,) = (one for one in figure.curves if one.name == mark.curve)
        assert curve.kind == "line"
        if not mark.along:
            assert mark.at in curve.x, mark.number.figure


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module, names in CURVES_OF.items() for name in names],
    ids=lambda one: one if isinstance(one, str) else one.__name__.rpartition(".")[2],
)
def test_a_wrong_model_misses_printed_points(
    module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right: Any = getattr(module, name)

    def wrong(*arguments: object, **named: object) -> object:
        return np.asarray(right(*arguments, **named)) * 0.9

    monkeypatch.setattr(module, name, wrong)
    assert [fault for figure in module.redrawn() for fault in wrong_curves(figure)]


def test_numbers_along_an_axis_are_where_the_curves_bend() -> None:
    along = {(figure.name, mark.number.figure): mark
             for figure in FIGURES for mark in figure.marks if mark.along}  # fmt: skip
    delivery, diamond = BY_NAME["moritz-frank-fig-4"], BY_NAME["moritz-frank-fig-9"]
    crossing = along.pop((delivery.name, "size from which the network rules, bytes")).number
    both, alone = (np.array(one.y) for one in delivery.curves)
    sizes = np.array(delivery.curves[0].x)
    meets = float(sizes[np.flatnonzero(both - alone <= both[-1] - alone[-1] + 1e-9)[0]])
    assert meets == pytest.approx(crossing.obtained, abs=8.0)
    assert abs(meets - crossing.printed) <= crossing.within
    begins = along.pop((diamond.name, "size at which contention begins, bytes"))
    (curve,) = (one for one in diamond.curves if one.name == begins.curve)
    first = curve.x[np.flatnonzero(np.array(curve.y) > begins.at)[0]]
    assert 13_000 < first <= 14_000 == begins.number.obtained
    for (_, name), mark in along.items():
        assert name.startswith("optimal P_opt")
        knee = BY_NAME["gunther-fig-5"].value_at(mark.curve, mark.number.printed)
        assert knee == pytest.approx(mark.at)
    assert len(along) == 3


def test_every_figure_of_the_papers_is_redrawn_or_has_a_reason() -> None:
    pattern = re.compile(r"Figs?\. (\d+)(?:[A-Ba-b]\b)?(?: and (\d+))?")
    found: dict[str, set[int]] = {}
    for one in (*FIGURES, *not_redrawn()):
        for numbers in pattern.findall(one.where):
            found.setdefault(one.model, set()).update(int(number) for number in numbers if number)
    assert found == {model: set(range(1, most + 1)) for model, most in FIGURES_OF.items()}
    assert all(one.reason for one in not_redrawn())


def test_names_are_names_of_files_and_each_is_one() -> None:
    assert len(BY_NAME) == len(FIGURES)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in BY_NAME)


@each
def test_a_figure_says_what_it_shows_from_what(figure: Redrawn) -> None:
    assert figure.title
    assert figure.equation
    assert figure.numbers, "a figure without a printed number has nothing to compare"
    assert figure.marks or figure.note
    names = [one.name for one in figure.series]
    assert len(set(names)) == len(names)
    points = [one.name for one in figure.series if one.name in PRINTED.values()]
    # else points would have the colour of a curve
    assert not [one for one in figure.curves for name in points if one.name in name]


@each
def test_curves_share_axes_that_hold_all_values(figure: Redrawn) -> None:
    axes = {(one.x_label, one.x_unit, one.y_label, one.y_unit) for one in figure.series}
    assert len(axes) == 1
    for one in figure.series:
        x, y = np.array(one.x, float), np.array(one.y, float)
        assert np.isfinite(x).all()
        assert np.isfinite(y).all()
        along, across = figure.logarithmic
        assert not along or x.min() > 0.0
        assert not across or y.min() > 0.0


def test_every_number_is_one_of_validate() -> None:
    known = {(one.model, one.figure, one.where, one.printed) for one in published_figures()}
    for figure in FIGURES:
        for number in figure.numbers:
            assert number.model == figure.model
            assert (number.model, number.figure, number.where, number.printed) in known
