"""Published figures: all there, computed, ties told, nothing claimed without inputs."""

import pytest

from advisor.published import slowdown_figures as published
from advisor.published.figure import compared
from advisor.published.validate import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, published_figures


def test_every_figure_of_the_slowdown_model_with_printed_inputs_is_reproduced():
    figures = published.figures()
    computed = [figure for figure in figures if figure.obtained is not None]
    assert len(computed) >= 15
    for figure in computed:
        assert figure.status == REPRODUCED
        assert figure.deviation == pytest.approx(0.0, abs=1e-9)
        assert figure.inputs != "not printed"


def test_figures_that_are_not_computed_say_why():
    withheld = [figure for figure in published_figures() if figure.obtained is None]
    assert withheld
    for figure in withheld:
        assert (figure.status, figure.deviation) == (NOT_REPRODUCIBLE, None)
        assert figure.inputs in {"not printed", "measured"}
        assert figure.note


def test_a_figure_that_deviates_says_by_how_much_and_why():
    deviating = [figure for figure in published_figures() if figure.status == DEVIATES]
    assert deviating
    for figure in deviating:
        assert figure.deviation == pytest.approx(figure.obtained / figure.printed - 1)
        assert figure.note


def test_every_figure_is_listed_once():
    keys = [(figure.model, figure.figure, figure.where) for figure in published_figures()]
    assert len(set(keys)) == len(keys)


def test_a_figure_further_away_than_its_last_digit_deviates():
    near = compared("m", "f", "w", "i", 2.22, 2.2249, within=0.005)
    far = compared("m", "f", "w", "i", 2.22, 2.226, within=0.005)
    assert (near.status, far.status) == (REPRODUCED, DEVIATES)
    assert far.deviation == pytest.approx(0.0027, rel=1e-2)
