"""The sensitivity table: flips of the advice, and loads set by a double click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.advice.explain import explain
from advisor.search import advise
from gui.document.advise import Advice
from gui.document.document import Document, Outcome
from gui.panels.sensitivity import SensitivityTable
from tests.gui.exporting import export

Predicted = Callable[[Document], Outcome]


@pytest.fixture
def table(qtbot: QtBot, loaded_document: Document, predicted: Predicted) -> SensitivityTable:
    table = SensitivityTable(loaded_document)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    outcome = predicted(loaded_document)
    found = advise(outcome.problem)
    why = explain(outcome.problem, found, outcome.project.plan)
    table.show_advice(Advice(outcome, found, why))
    return table


def flips(table: SensitivityTable) -> dict[tuple[object, object], object]:
    """{(load, plan beyond): where it flips}."""
    found = table.table.columns_model.table()
    load, value, plan = (found.headings.index(name) for name in ("load", "flips at", "to"))
    return {(row[load], row[plan]): row[value] for row in found.rows}


def test_the_loads_that_flip_the_papers_example_are_listed(table: SensitivityTable) -> None:
    found = flips(table)
    assert found["contenders on M1", "both on M1"] == pytest.approx(7 / 6, rel=1e-6)
    assert found["contenders on M1", "both on M2"] == pytest.approx(4.5, rel=1e-6)
    link = [value for (load, _), value in found.items() if load == "slowdown of link M1–M2"]
    assert link == [pytest.approx(2.25, rel=1e-6)]


def test_loads_of_a_column_have_equally_many_decimals(table: SensitivityTable) -> None:
    model = table.table.columns_model
    place = [column.heading for column in model.columns].index("flips at")
    texts = [str(model.data(model.index(row, place))) for row in range(model.rowCount())]
    assert {1.17, 2.25, 4.5} <= {round(float(text), 2) for text in texts}
    assert len({len(text.partition(".")[2]) for text in texts}) == 1


def test_the_sentence_says_which_plan_the_rows_are_about(table: SensitivityTable) -> None:
    assert "beyond it the recommended plan is no longer best" in (table.sentence.text())


def test_what_was_compared_over_which_loads_is_said(table: SensitivityTable) -> None:
    assert table.sentence.text().startswith("Compared all 4 allocations, varying ")
    found = table.table.columns_model.table()
    load, varied = (found.headings.index(name) for name in ("load", "varied"))
    assert ("slowdown of link M1–M2", "1 to 10") in [(row[load], row[varied]) for row in found.rows]


def test_what_staying_costs_is_listed_with_the_load_that_it_is_for(table: SensitivityTable) -> None:
    found = table.table.columns_model.table()
    columns = [found.headings.index(name) for name in ("load", "at", "staying costs (s)")]
    rows = [tuple(row[column] for column in columns) for row in found.rows]
    assert (
        "slowdown of link M1–M2",
        3.5,
        pytest.approx(10.0),
    ) in rows  # 18 + 8 · 3.5 + 12 s against 48 s


def test_a_double_click_sets_the_load_in_one_step(
    qtbot: QtBot, table: SensitivityTable, loaded_document: Document
) -> None:
    place = [flip.parameter.kind for flip in table.flips].index("link slowdown")
    table.table.row_activated.emit(place)
    assert loaded_document.project.platform.links[0].slowdown == pytest.approx(2.25, rel=1e-6)
    assert table.table.columns_model.dimmed
    table.table.row_activated.emit(0)
    assert loaded_document.undo_stack.count() == 1
    loaded_document.undo_stack.undo()
    assert loaded_document.project.platform.links[0].slowdown is None
    assert not table.table.columns_model.dimmed


def test_what_is_selected_stays_so_where_another_advice_has_it_elsewhere(
    table: SensitivityTable,
) -> None:
    advice = table._advice
    assert advice is not None
    table.table.select_rows(frozenset({0}))
    (before,) = table.table.chosen_table().rows
    turned = replace(advice.explanation, flips=table.flips[::-1])
    table.show_advice(replace(advice, explanation=turned))
    assert table.table.selected() == (len(table.flips) - 1,)
    assert table.table.chosen_table().rows == (before,)
    table.show_advice(replace(advice, explanation=replace(turned, flips=table.flips[:-1])))
    assert table.table.selected() == ()


def test_without_advice_it_says_what_it_needs(table: SensitivityTable) -> None:
    table.show_advice(None)
    assert "Press Advise" in table.sentence.text()
    assert not table.table.isVisible()


def test_the_flips_are_exported(qtbot: QtBot, table: SensitivityTable, tmp_path: Path) -> None:
    export(qtbot, table.exports, tmp_path / "flips.csv")
    assert "slowdown of link M1–M2" in (tmp_path / "flips.csv").read_text(encoding="utf-8")


def test_the_sentence_says_on_which_timeline_the_loads_were_varied(table: SensitivityTable) -> None:
    assert table.sentence.text().endswith("Timeline: contention-aware schedule.")
