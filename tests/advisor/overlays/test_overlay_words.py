"""Overlays, trees and what they cost in phrases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.models.process_tree import flat
from advisor.overlays.overlay_measures import overlay_measures
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from advisor.overlays.overlay_words import (
    most_rate_hz,
    operation_words,
    overlay_words,
    placement_words,
    shape_words,
    tree_words,
)
from tests.advisor.overlays.monitored import cluster, monitor

EIGHT = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)
N8 = tuple(f"n{number}" for number in range(1, 9))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (EIGHT, "8×8 tree, internal processes on svc"),
        (OverlayPlan.of(flat(64)), "flat tree"),
        (replace(EIGHT, internal=N8), "8×8 tree, internal processes beside back-ends"),
        (replace(EIGHT, internal=("n1", "n2") * 4), "8×8 tree, internal processes on n1 and n2"),
        (replace(EIGHT, internal=("svc", *N8[1:])),
         "8×8 tree, internal processes on 8 machines"),
        (OverlayPlan((2, 2, 0, 0, 0), ("svc",)),
         "tree of depth 2, 1 internal process on svc"),
    ],
)  # fmt: skip
def test_a_tree_and_its_placement_are_one_phrase(plan: OverlayPlan, words: str) -> None:
    assert tree_words(monitor(), plan) == words


def test_parts_of_the_phrase() -> None:
    assert shape_words(EIGHT) == "8×8 tree"
    assert placement_words(monitor(), EIGHT) == "internal processes on svc"
    assert placement_words(monitor(), OverlayPlan.of(flat(64))) == ""


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "10 reductions a second"),
        ({"rate_hz": 1.0}, "1 reduction a second"),
        ({"rate_hz": 0.5, "operation": "round_trip"}, "0.5 round trips a second"),
        ({"operation": "broadcast"}, "10 broadcasts a second"),
    ],
)
def test_what_comes_how_often(fields: dict[str, object], words: str) -> None:
    assert operation_words(monitor(**fields)) == words


def test_an_overlay_is_its_back_ends_and_rate() -> None:
    assert overlay_words(monitor()) == "64 back-ends on 8 machines, 10 reductions a second"
    assert overlay_words(monitor(1, 1)) == "1 back-end on n1, 10 reductions a second"
    assert overlay_words(monitor(3, 1)).startswith("3 back-ends on n1, n2 and n3,")


def test_the_most_operations_a_second_are_one_a_period() -> None:
    measures = overlay_measures(cluster(), monitor(), EIGHT)
    assert most_rate_hz(measures) == pytest.approx(1 / 466e-6)
    assert most_rate_hz(replace(measures, period_s=0.0)) == float("inf")
