"""The figures of Parsons, Brorsson & Sevcik: every printed cell, and why some do not add up."""

import re
from collections import Counter
from pathlib import Path

from advisor.published.dvsm_cells import FAULTS, LOCKS, PAGES
from advisor.published.dvsm_figures import figures
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED

FIGURES = figures()
PAGE = Path(__file__).parents[3] / "docs" / "dvsm.md"


def found(name, where):
    (figure,) = [one for one in FIGURES if (one.figure, one.where) == (name, where)]
    return figure


def test_every_column_has_all_its_cells():
    tables = Counter(figure.where for figure in FIGURES if ", phase" in figure.where)
    assert len(tables) == len(FAULTS) == 12
    assert set(tables.values()) == {6}
    for table, cells in (("Table 6,", 4 * len(LOCKS)), ("Table 3,", 4 * len(PAGES) + 1)):
        assert sum(figure.where.startswith(table) for figure in FIGURES) == cells


def test_measurements_and_curves_have_no_result_of_the_model():
    empty = [figure for figure in FIGURES if figure.obtained is None]
    assert {figure.status for figure in empty} == {NOT_REPRODUCIBLE}
    for size, printed, line in ((1024, 142.5, 102 + 0.03865 * 1024),
                                (1025, 110.5, 154 + 0.02583 * 1025)):  # fmt: skip
        beside = found(f"software of {size} bytes, Fast Ethernet, µs", "Table 2")
        assert beside.printed == printed
        assert f"line fitted through all sizes gives {line:.1f}" in beside.note
    for cache, printed in (("flushed", 527), ("warm", 91)):
        beside = found(
            f"send() of 1 KB with a {cache} cache, µs", "section on networking overheads"
        )
        assert beside.printed == printed
        assert f"line of the system call gives {71 + 0.03138 * 1024:.1f}" in beside.note


def test_the_page_counts_the_figures_as_they_come_out():
    counts = Counter(figure.status for figure in FIGURES)
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"compares {len(FIGURES)} numbers" in text
    assert f"{counts[REPRODUCED]} are reproduced, {counts[DEVIATES]} deviate" in text
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
