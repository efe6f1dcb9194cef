"""The figures of Parsons, Brorsson & Sevcik: every printed cell, and why some do not add up."""

import re
from collections import Counter
from pathlib import Path

import pytest

from advisor.published.dvsm import figures, with_maximum
from advisor.published.dvsm_cells import FAULTS, LOCKS, PAGES, RUNS
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED

FIGURES = figures()
PAGE = Path(__file__).parents[3] / "docs" / "dvsm.md"


SEVERAL = "fault of several parts, µs"
MAXIMUM = "fault with the maximum at the destinations, µs"
PAGE_45 = "Tables 4 and 5"


def found(name, where):
    (figure,) = [one for one in FIGURES if (one.figure, one.where) == (name, where)]
    return figure


@pytest.mark.parametrize(
    ("name", "where", "printed", "obtained", "status", "reason"),
    [
        ("software of one side of 4120 bytes, Fast Ethernet, µs", PAGE_45, 262, 261.60778,
         REPRODUCED, "58 would give"),
        ("empty miss, µs", "Table 3, Fast Ethernet", 2052, 2313.37912, DEVIATES, "261 is missing"),
        ("empty miss, µs", "Table 3, OC-3 ATM", 2258, 2197.92376, DEVIATES, "misread 77"),
        ("empty miss with a delay of 77, µs", "Table 3, OC-3 ATM", 2258, 2257.92376, REPRODUCED,
         "rounded"),
        (SEVERAL, "Table 4, Fast Ethernet, phase II", 1884, 1883.6669, REPRODUCED, "87 %"),
        (MAXIMUM, "Table 4, Fast Ethernet, phase II", 2189, 2148.6326, DEVIATES, "1371"),
        (SEVERAL, "Table 5, Fast Ethernet, phase I", 2759, 2864.8754, DEVIATES, "left out"),
        (MAXIMUM, "Table 5, Fast Ethernet, phase II", 5581, 4530.6326, DEVIATES, "1050"),
        (MAXIMUM, "Table 5, OC-3 ATM, phase I", 2493, 2492.57088, REPRODUCED, "82 %"),
        (MAXIMUM, "Table 5, OC-3 ATM, phase II", 4270, 4273.57088, DEVIATES, "4274"),
        (SEVERAL, "Table 5, OC-3 ATM, phase III", 5632, 5634.07624, REPRODUCED, "73 %"),
        ("lock, µs", "Table 6, Fast Ethernet, 2 processors", 917, 922.796, DEVIATES,
         "overhead bytes"),
        ("lock, µs", "Table 6, OC-3 ATM, 3 processors", 1790, 1790.22744, REPRODUCED, "rounded"),
        ("overhead of Water, % of its time", "section on execution time overhead", 60, 61.563307,
         REPRODUCED, "up to 60"),
        ("dearest operation of the system of Table 7 over today's, at most", "Fig. 8A", 0.125,
         0.0771504, REPRODUCED, "improve in all cases"),
    ],
)  # fmt: skip
def test_a_printed_result_is_set_beside_the_model_s(name, where, printed, obtained, status, reason):
    figure = found(name, where)
    assert (figure.printed, figure.status) == (printed, status)
    assert figure.obtained == pytest.approx(obtained, rel=1e-6)
    assert reason in figure.note


def test_every_column_has_all_its_cells():
    tables = Counter(figure.where for figure in FIGURES if ", phase" in figure.where)
    assert len(tables) == len(FAULTS) == 12
    assert set(tables.values()) == {6}
    for table, cells in (("Table 6,", 4 * len(LOCKS)), ("Table 3,", 4 * len(PAGES) + 1)):
        assert sum(figure.where.startswith(table) for figure in FIGURES) == cells


def test_all_speedups_are_reproduced():
    speedups = [figure for figure in FIGURES if figure.figure.startswith("speedup of")]
    assert len(speedups) == 2 * len(RUNS) == 16
    assert {figure.status for figure in speedups} == {REPRODUCED}


def test_wire_times_and_latencies_have_no_misprint():
    rest = [f for f in FIGURES if f.figure.startswith(("wire", "hardware", "latency"))]
    assert len(rest) == 2 * (2 + 12 + 4) + 3
    assert {figure.status for figure in rest} == {REPRODUCED}


def test_a_corrected_maximum_gives_the_printed_total():
    column = next(one for one in FAULTS if one.notes[1].startswith("the maximum"))
    assert with_maximum(column) + 40 == pytest.approx(column.totals[1], abs=0.5)


def test_measurements_and_curves_have_no_result_of_the_model():
    empty = [figure for figure in FIGURES if figure.obtained is None]
    assert {figure.status for figure in empty} == {NOT_REPRODUCIBLE}
    beside = found("overhead saved by half the faults, SOR, %", "Fig. 5")
    assert "sor 13.7" in beside.note


def test_the_page_counts_the_figures_as_they_come_out():
    counts = Counter(figure.status for figure in FIGURES)
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"sets {len(FIGURES)} numbers" in text
    assert f"{counts[REPRODUCED]} come out as printed, {counts[DEVIATES]} deviate" in text
    assert f"for {counts[NOT_REPRODUCIBLE]} the paper" in text


def test_the_page_s_examples_work(tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    application, network = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (counts,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for name, content in (("heat.toml", application), ("own.toml", network), ("heat.csv", counts)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    names = {}
    exec(script.replace('"heat.toml"', repr(str(tmp_path / "heat.toml"))), names)
    assert names["application"].processors == 2
    assert names["faster"].speedup > names["today"].speedup > 1

    from advisor.shared_memory.network_file import read_dvsm_network

    assert read_dvsm_network(tmp_path / "own.toml").network.knee == 1024
