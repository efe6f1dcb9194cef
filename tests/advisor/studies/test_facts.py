"""Figures of an answer: their words, their differences, and which way is better."""

from __future__ import annotations

import math

import pytest

from advisor.studies.facts import BETTER, LESS, MORE, NEITHER, SAME, WORSE, Fact


def test_a_figure_without_an_alternative_has_no_difference() -> None:
    fact = Fact("latency", 72e-6, "s", better=LESS)
    assert (fact.text, fact.difference, fact.difference_text) == ("72.0 µs", None, "")
    assert fact.verdict == NEITHER


@pytest.mark.parametrize(
    ("fact", "words", "verdict"),
    [
        (Fact("latency", 72e-6, "s", 68e-6, LESS), "+4.0 µs", WORSE),
        (Fact("latency", 68e-6, "s", 72e-6, LESS), "−4.0 µs", BETTER),
        (Fact("processes", 94, "", 163, LESS), "−69", BETTER),
        (Fact("efficiency", 83.0, "%", 90.0, MORE), "−7 points", WORSE),
        (Fact("speedup", 81.5, "", 78.25, MORE), "+3.2", BETTER),
        (Fact("data", 512.0, "B", 256.0, LESS), "+256 B", WORSE),
        (Fact("time", 30.0, "cycle", 20.0, LESS), "+10 cycles", WORSE),
        (Fact("slowdown", 2.5, "", 2.0), "+0.50", NEITHER),
        (Fact("time", 1.0 + 1e-13, "s", 1.0, LESS), "the same", SAME),
        (Fact("time", 3.0, "s", math.nan, LESS), "", NEITHER),
    ],
)
def test_a_difference_has_its_sign_its_unit_and_which_way_is_better(
    fact: Fact, words: str, verdict: str
) -> None:
    assert fact.difference_text == words
    assert fact.verdict == verdict


def test_what_is_known_to_a_range_is_written_as_one() -> None:
    assert Fact("latency", 20e-6, "s", most=90e-6).text == "20.0 µs to 90.0 µs"
    assert Fact("latency", 20e-6, "s", most=20e-6).text == "20.0 µs"


def test_what_sentences_tell_beside_a_figure_has_its_unit_and_digits() -> None:
    alone = Fact("time", 1654.0, "cycle", 1755.0)
    assert (alone.text, alone.said(1903.0)) == ("1,654 cycles", "1,903 cycles")
    time = Fact("time", 72e-6, "s", 68e-6, beside=(72.04e-6,))
    assert (time.text, time.said(72.04e-6)) == ("72.000 µs", "72.040 µs")
    assert time.difference_text == "+4.000 µs"
