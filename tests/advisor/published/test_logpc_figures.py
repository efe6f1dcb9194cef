"""The figures of Moritz & Frank: all results of the paper, by the readings that are named."""

import re
from collections import Counter
from pathlib import Path

import pytest

from advisor.published.diamond_figures import diamond_slowdown
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED
from advisor.published.logpc_figures import figures
from machines.formats.platform_toml import parse_platform

FIGURES = figures()
PAGE = Path(__file__).parents[3] / "docs" / "logpc.md"


def found(words, where=None):
    (figure,) = [one for one in FIGURES if words in one.figure and where in {None, one.where}]
    return figure


def test_what_was_measured_or_withheld_has_no_result_of_the_model():
    empty = {figure.figure for figure in FIGURES if figure.obtained is None}
    assert len(empty) == 8
    assert found("default mapping").status == NOT_REPRODUCIBLE
    assert "carries 1 message" in found("default mapping").note


def test_most_figures_are_computed():
    assert Counter(figure.obtained is None for figure in FIGURES) == {False: 32, True: 8}


def test_contention_of_the_diamond_grows_with_the_message_and_the_occupancy():
    slowdowns = [diamond_slowdown(size, "physical") for size in (16_000, 32_000, 320_000)]
    assert slowdowns == sorted(slowdowns)
    assert diamond_slowdown(32_000, "bytes") == pytest.approx(0.377, abs=5e-4)


def test_the_page_counts_the_figures_as_they_come_out():
    counts = Counter(figure.status for figure in FIGURES)
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"compares {len(FIGURES)} numbers" in text
    assert f"{counts[REPRODUCED]} are reproduced, {counts[DEVIATES]} deviate" in text
    assert f"for {counts[NOT_REPRODUCIBLE]} the paper" in text


def test_the_page_s_examples_work():
    text = PAGE.read_text(encoding="utf-8")
    (table,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    head = 'format = "placewise-platform"\nversion = 1\nname = "p"\n'
    assert parse_platform(head + table).machines[0].network.long.a == 8
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {}
    exec(script, names)
    assert names["added"] == pytest.approx(411.4, abs=0.05)
    assert names["synchronous_cost"](names["alewife"].short, C_n=23) == 499
