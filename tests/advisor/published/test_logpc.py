"""The figures of Moritz & Frank: all results of the paper, by the readings that are named."""

import re
from collections import Counter
from pathlib import Path

import pytest

from advisor.published.diamond import diamond_slowdown
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED
from advisor.published.logpc import figures
from machines.formats.platform_toml import parse_platform

FIGURES = figures()
PAGE = Path(__file__).parents[3] / "docs" / "logpc.md"


def found(words, where=None):
    (figure,) = [one for one in FIGURES if words in one.figure and where in {None, one.where}]
    return figure


@pytest.mark.parametrize(
    ("words", "where", "printed", "obtained", "status"),
    [
        ("o_s of two", "Table 1", 15, 15, REPRODUCED),
        ("o_sl", "Table 2", 25, 25, REPRODUCED),
        ("o_rl", "Table 2", 129, 129, REPRODUCED),
        ("network rules", "sec. 2.2", 1000, 970.909091, REPRODUCED),
        ("full bandwidth", "Fig. 5", 1, 0.993542, REPRODUCED),
        ("input queue", "sec. 2", 256, 266, DEVIATES),
        ("a message of all-to-all", "sec. 5.1.3", 1, 1.02, REPRODUCED),
        ("mean distance, hops", "Eq. (11)", 3.875, 3.875, REPRODUCED),
        ("mean distance of ±1", "Eq. (12)", 1.875, 1.875, REPRODUCED),
        ("upper bound", "sec. 3.4", 2.2, 2.170332, REPRODUCED),
        ("upper bound", "sec. 5.1.3", 2.22, 2.224745, REPRODUCED),
        ("a message of all-to-all", "Fig. 6", 2.03, 2.224745, DEVIATES),
        ("impact of locality", "abstract", 2, 2.224745, DEVIATES),
        ("LogP round", "Table 4", 316, 316, REPRODUCED),
        ("LoPC", "Table 4", 453, 453, REPRODUCED),
        ("LoGPC", "Table 4", 499, 499, REPRODUCED),
        ("C_r, cycles", "Table 4", 137, 137, REPRODUCED),
        ("round trip, %", "sec. 5.1.1", 3, 2.674897, REPRODUCED),
        ("share of C_r", "sec. 5.1.1", 28, 28.189300, REPRODUCED),
        ("asynchronous message, cycles", "Table 4", 137, 137, REPRODUCED),
        ("asynchronous message, %", "sec. 5.1.2", 10, 10.218978, REPRODUCED),
        ("largest error", "sec. 1", 12, 9.593343, REPRODUCED),
        ("C_n of asynchronous", "Table 4", 31, 3.173554, NOT_REPRODUCIBLE),
        ("C_n of synchronous", "Table 4", 23, 2.704225, NOT_REPRODUCIBLE),
        ("communication over computation", "sec. 5.2.2", 0.625, 0.625, REPRODUCED),
        ("at 16 000 bytes", "sec. 5.2.2", 1, 1.039520, DEVIATES),
        ("contention begins", "sec. 5.2.2", 32_000, 14_000, DEVIATES),
        ("random mapping", "sec. 5.2.2", 56, 49.991914, DEVIATES),
        ("random mapping", "sec. 1", 54, 49.991914, DEVIATES),
        ("contention in the Diamond", "sec. 7", 30, 35.897436, DEVIATES),
    ],
)
def test_a_printed_result_is_set_beside_the_models(words, where, printed, obtained, status):
    figure = found(words, where)
    assert (figure.printed, figure.status) == (printed, status)
    assert figure.obtained == pytest.approx(obtained, rel=1e-6)


def test_what_was_measured_or_withheld_has_no_result_of_the_model():
    empty = {figure.figure for figure in FIGURES if figure.obtained is None}
    assert len(empty) == 8
    assert found("default mapping").status == NOT_REPRODUCIBLE
    assert "carries 1 message" in found("default mapping").note


def test_the_rejected_readings_stand_in_the_notes():
    assert "1.411 and 1.389" in found("upper bound", "sec. 5.1.3").note
    assert "534" in found("network rules").note
    assert "31.23" in found("C_n of asynchronous").note
    assert "138.6 %" in found("random mapping", "sec. 1").note
    assert "1.155" in found("at 16 000 bytes").note
    assert "43840" in found("EM3D: improvement").note


def test_most_figures_are_computed():
    assert Counter(figure.obtained is None for figure in FIGURES) == {False: 32, True: 8}


def test_contention_of_the_diamond_grows_with_the_message_and_the_occupancy():
    slowdowns = [diamond_slowdown(size, "physical") for size in (16_000, 32_000, 320_000)]
    assert slowdowns == sorted(slowdowns)
    assert diamond_slowdown(32_000, "bytes") == pytest.approx(0.377, abs=5e-4)


def test_the_page_counts_the_figures_as_they_come_out():
    counts = Counter(figure.status for figure in FIGURES)
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"sets {len(FIGURES)} numbers" in text
    assert f"{counts[REPRODUCED]} come out as printed, {counts[DEVIATES]} deviate" in text
    assert f"for {counts[NOT_REPRODUCIBLE]} the paper withholds" in text


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
