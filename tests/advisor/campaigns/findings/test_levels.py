"""Sizes, CCRs and heterogeneities that are swept are told apart; what varies a little is not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from advisor.campaigns.findings.compared import Compared
from advisor.campaigns.findings.levels import all_levels, numbered_levels
from tests.advisor.campaigns.made_rows import table


def names(column: str, values: list[float | None]) -> list[str]:
    found = Compared.of(table({"a": [1.0] * len(values)}, **{column: values}))
    levels = numbered_levels(found, column)
    places = np.stack([one.instances for one in levels]) if levels else np.zeros((0, len(values)))
    assert (places.sum(axis=0) <= 1).all()  # none twice
    return [f"{one.name}: {one.instances.sum()}" for one in levels]


def test_a_few_values_are_a_level_each() -> None:
    assert names("tasks", [20, 50, 100, 20]) == ["20: 2", "50: 1", "100: 1"]
    assert names("ccr", [10.0, 0.1, 1.0, 0.1]) == ["0.1: 2", "1: 1", "10: 1"]
    assert names("heterogeneity", [0.0, 0.25, 0.5, 6e-17]) == ["0: 2", "0.25: 1", "0.5: 1"]


def test_what_differs_by_rounding_or_a_little_is_one_level() -> None:
    assert names("ccr", [1.0, 1.0 + 1e-9, 10.0]) == ["1: 2", "10: 1"]
    assert names("tasks", [37, 39, 50, 54, 55, 1018]) == ["50: 5", "1,018: 1"]
    assert names("tasks", [50, 50, 51]) == []


def test_measured_ratios_gather_around_what_was_asked_for() -> None:
    draw = np.random.default_rng(3)
    nominal = np.repeat([0.1, 1.0, 10.0], 40)
    measured = (nominal * np.exp(draw.normal(0.0, 0.1, 120))).tolist()
    found = names("ccr", measured)
    assert [one.rpartition(" ")[2] for one in found] == ["40", "40", "40"]


def test_what_has_no_ratio_is_in_no_level() -> None:
    assert names("ccr", [None, 0.0, 1.0, 2.0]) == ["1: 1", "2: 1"]
    assert names("ccr", [None, None]) == []


def test_many_heterogeneities_are_put_together_evenly() -> None:
    values = np.linspace(0.0, 1.0, 101).tolist()
    many = [int(one.rpartition(" ")[2]) for one in names("heterogeneity", values)]
    assert len(many) == 11
    assert set(many[1:-1]) <= {9, 10, 11}  # ends of a step may round either way


def test_texts_that_vary_are_levels_in_the_order_of_the_rows() -> None:
    answers = table({"a": [1.0] * 4}, platform=["lab", "", "lab", "x"], load=["", "desk 2", "", ""])
    found = [
        [f"{one.trait} {one.name}" for one in levels]
        for levels in all_levels(answers, Compared.of(answers))
        if levels
    ]
    assert found == [
        ["platform lab", "platform the workload's own", "platform x"],
        ["load none", "load desk 2"],
    ]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_levels_are_the_same_at_any_scale(scale: float) -> None:
    draw = np.random.default_rng(4)
    values = draw.lognormal(0.0, 2.0, 200) * scale
    found = Compared.of(table({"a": [1.0] * 200}, ccr=values.tolist()))
    levels = numbered_levels(found, "ccr")
    assert sum(one.instances.sum() for one in levels) == 200
    assert 5 < len(levels) < 25
    for low, high in pairwise(levels):
        assert values[low.instances].max() < values[high.instances].min()
