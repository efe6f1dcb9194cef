"""The panel Actual: what it says, its pictures and tables, and what is learnt by a click."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.project.run_edits import add_runs
from advisor.runs.run_record import FAILED, Run, TaskRun
from gui.document.actuals import Actuals
from gui.document.document import Document, Outcome, Selection
from gui.document.learner import Offer
from gui.document.runner import Runner
from gui.panels.actual_panel import ActualPanel
from gui.tables.data_table import DataTable
from tests.gui.exporting import export
from tests.gui.runs import many, run

Predicted = Callable[[Document], Outcome]
Make = Callable[..., ActualPanel]


@pytest.fixture
def make(qtbot: QtBot, document: Document, predicted: Predicted) -> Iterator[Make]:
    """``make(run, …)`` shows the panel of a project with these runs."""
    made: list[ActualPanel] = []
    actuals = Actuals(document)

    def panel(*runs: Run) -> ActualPanel:
        if runs:
            document.apply(add_runs(document.project, runs), "Import run")
        predicted(document)
        found = ActualPanel(document, actuals, Runner(document))
        found.resize(900, 400)
        qtbot.addWidget(found)
        found.show()
        if runs:
            ready(qtbot, found)
        made.append(found)
        return found

    yield panel
    for one in made:
        one.learner.close()
        one._jobs.close()
    actuals.close()


def ready(qtbot: QtBot, panel: ActualPanel) -> None:
    """The panel shows the newest review."""
    actuals = panel._actuals
    qtbot.waitUntil(
        lambda: (
            actuals.answers() and panel._shown is not None and panel._shown.review is actuals.review
        )
    )


def learning(qtbot: QtBot, panel: ActualPanel) -> None:
    """The calibrations are about the project as it is."""
    panel.tabs.setCurrentWidget(panel.learn)
    qtbot.waitUntil(lambda: panel.learner.current and not panel.learner.is_busy)
    qtbot.waitUntil(lambda: all(row.isVisible() for row in panel.learn.rows.values()))


def texts(table: DataTable, row: int) -> list[str]:
    model = table.columns_model
    return [str(model.data(model.index(row, place))) for place in range(model.columnCount())]


def test_without_a_run_it_says_what_it_needs_and_offers_it(qtbot: QtBot, make: Make) -> None:
    panel = make()
    assert "Import the log" in panel.sentence.text()
    assert not panel.tabs.isVisible()
    with qtbot.waitSignal(panel.import_asked):
        qtbot.mouseClick(panel.first, Qt.MouseButton.LeftButton)


def test_one_sentence_splits_the_difference_and_the_bars_add_up_to_it(make: Make) -> None:
    panel = make(run())
    assert "Took 21.0 s, 31 % longer than the 16.0 s predicted" in panel.sentence.text()
    (group,) = panel.split.groups
    longer = next(bar for bar in group.bars if bar.label == "longer")
    shorter = sum(bar.value for bar in group.bars if bar.label == "shorter")
    assert longer.value - shorter == pytest.approx(5.0)
    assert "+5.00 s in all" in group.title


def test_every_task_is_a_row_with_both_times_and_their_ratio(make: Make) -> None:
    panel = make(run(b=FAILED))
    headings = [column.heading for column in panel.tasks.columns_model.columns]
    first = dict(zip(headings, texts(panel.tasks, 0), strict=True))
    assert first["task"] == "A"
    assert first["planned on"] == first["ran on"] == "M1"
    assert (first["predicted"], first["actual"], first["ratio"]) == ("12.00 s", "15.00 s", "×1.25")
    second = dict(zip(headings, texts(panel.tasks, 1), strict=True))
    assert (second["actual"], second["ratio"], second["state"]) == ("", "", "failed")


def test_a_row_selects_its_task_and_a_selected_task_its_row(make: Make, document: Document) -> None:
    panel = make(run())
    panel.tabs.setCurrentIndex(1)
    panel.tasks.selectRow(1)
    assert document.selection.tasks == frozenset({1})
    document.select(Selection(tasks=frozenset({0})))
    assert panel.tasks.selected() == (0,)


def test_points_lie_beside_the_diagonal_by_machine_and_by_kind(make: Make, qtbot: QtBot) -> None:
    panel = make(run())
    panel.tabs.setCurrentWidget(panel.scatter)
    names = [one.name for one in panel.scatter.curves.series]
    assert names == ["as predicted", "M1"]
    points = panel.scatter.curves.series[1]
    assert list(zip(points.labels, points.x, points.y, strict=True)) == [
        ("A", 12.0, 15.0), ("B", 4.0, 5.0),
    ]  # fmt: skip
    panel.groups.setFocus()
    qtbot.keyClick(panel.groups, Qt.Key.Key_Down)
    panel.groups.activated.emit(panel.groups.currentIndex())
    kinds = [one.name for one in panel.scatter.curves.series]
    assert "M1" not in kinds


def test_factors_are_told_by_machine_and_kind(make: Make) -> None:
    panel = make(run())
    assert texts(panel.factors, 0)[:4] == ["M1", "all kinds", "2", "×1.25"]


def test_factors_that_are_compared_have_as_many_digits(make: Make) -> None:
    panel = make(Run("quick", (TaskRun("A", "M1", 0.0, 13.0), TaskRun("B", "M1", 13.0, 15.0))))
    medians = [texts(panel.factors, at)[3] for at in range(3)]
    assert medians[1:] == ["×1.083", "×0.500"]


def test_what_did_not_match_is_listed(make: Make) -> None:
    odd = Run("odd", (*run().tasks, TaskRun("C", "M1", 21.0, 22.0)))
    panel = make(odd)
    rows = [texts(panel.matching, at) for at in range(panel.matching.columns_model.rowCount())]
    assert ["C", "no task of the workload", ""] in rows
    assert panel.tabs.tabText(panel.tabs.count() - 1) == f"Matching ({len(rows)})"
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    assert panel.matching.isVisible()
    assert not panel.matched.isVisible()


def test_where_all_matched_a_sentence_says_so(make: Make) -> None:
    panel = make(run())
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    assert panel.matched.isVisible()
    assert not panel.matching.isVisible()
    assert panel.matched.text().startswith("Every task of the log matches")


def test_of_two_runs_none_is_in_the_middle_and_columns_say_what_they_rest_on(
    make: Make, qtbot: QtBot
) -> None:
    panel = make(*many(2))
    assert panel.chooser.itemText(0) == "Both runs"
    assert "Of 2 runs the one that is shorter is drawn: run 1." in panel.notes.toolTip()
    headings = [column.heading for column in panel.tasks.columns_model.columns]
    assert {"median of 2 runs", "actual end in run 1", "state in run 1"} <= set(headings)
    factors = [column.heading for column in panel.factors.columns_model.columns]
    assert factors[3:] == ["median in run 1", "lower quartile", "upper quartile"]
    learning(qtbot, panel)
    assert panel.learn.hint.text().startswith("Calibrated from both runs. ")
    panel.chooser.setCurrentIndex(2)
    panel.chooser.activated.emit(2)
    ready(qtbot, panel)
    qtbot.waitUntil(lambda: panel.learn.hint.text().startswith("Calibrated from run 2. "))


def test_a_cause_that_is_a_bar_alone_has_its_seconds_once(make: Make) -> None:
    (group,) = make(run()).split.groups
    for bar in group.bars:
        assert bar.text
        assert len(bar.segments) > 1 or not bar.segments[0].text


def test_the_table_can_be_exported(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    from gui.plots.plot_panel import Exports

    panel = make(run())
    exports = next(one for one in panel.findChildren(Exports) if one._name == "tasks of the run")
    export(qtbot, exports, tmp_path / "t.csv")
    lines = (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("task,kind,planned on,ran on,predicted (s),actual (s)")
    assert len(lines) == 3


def test_of_several_runs_one_is_chosen_and_removed_and_comes_back(
    make: Make, qtbot: QtBot, document: Document
) -> None:
    panel = make(*many(3))
    assert "the one in the middle is drawn: run 2" in panel.notes.toolTip()
    assert not panel.remove_button.isEnabled()
    panel.chooser.setCurrentIndex(3)
    panel.chooser.activated.emit(3)
    qtbot.waitUntil(lambda: "Took 20.0 s" in panel.sentence.text())
    ready(qtbot, panel)
    assert "Took 20.0 s" in panel.sentence.text()
    qtbot.mouseClick(panel.remove_button, Qt.MouseButton.LeftButton)
    assert [one.name for one in document.project.runs] == ["run 1", "run 2"]
    assert document.undo_stack.undoText() == "Remove run run 3"
    document.undo_stack.undo()
    assert len(document.project.runs) == 3


def test_a_run_that_no_longer_fits_the_tasks_is_refused_in_words(
    make: Make, qtbot: QtBot, document: Document
) -> None:
    other = Run("other", (TaskRun("ocean", "M1", 0.0, 1.0), TaskRun("ice", "M1", 1.0, 2.0)))
    panel = make(other)
    assert panel.sentence.text() == "No run is of this workload."
    assert "another workload" in panel.notes.toolTip()
    assert panel.tabs.isVisible()


def test_times_are_learnt_by_one_click_and_one_undo_step(
    make: Make, qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    panel = make(run())
    learning(qtbot, panel)
    before = document.project
    row = panel.learn.rows["times"]
    assert row.apply_button.isEnabled()
    qtbot.mouseClick(row.apply_button, Qt.MouseButton.LeftButton)
    assert document.undo_stack.undoText().startswith("Calibrate ")
    assert document.project.workload != before.workload
    assert document.project.runs is before.runs
    assert not row.apply_button.isEnabled()
    predicted(document)
    learning(qtbot, panel)
    ready(qtbot, panel)
    assert document.outcome is not None
    assert document.outcome.prediction.task_s.tolist() == pytest.approx([15.0, 5.0])
    assert row.state.text() == "✓ in the project"
    assert not row.apply_button.isVisible()
    document.undo_stack.undo()
    assert document.project is before


def test_all_lessons_are_learnt_in_one_step(
    make: Make, qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    panel = make(run())
    learning(qtbot, panel)
    calibrations = panel.learner.calibrations
    assert calibrations is not None
    steps = document.undo_stack.count()
    if calibrations.together is None:
        assert not panel.learn.all_button.isVisible()
        return
    qtbot.mouseClick(panel.learn.all_button, Qt.MouseButton.LeftButton)
    assert document.undo_stack.count() == steps + 1
    assert document.undo_stack.undoText() == "Calibrate from runs"
    document.undo_stack.undo()


def test_figures_of_a_lesson_unfold_by_key(make: Make, qtbot: QtBot) -> None:
    panel = make(run())
    learning(qtbot, panel)
    row = panel.learn.rows["times"]
    assert not row.table.isVisible()
    row.figures.setFocus()
    qtbot.keyClick(row.figures, Qt.Key.Key_Space)
    assert row.table.isVisible()
    assert row.table.columns_model.rowCount() > 0


def test_notes_of_a_lesson_end_in_full_stops(make: Make, qtbot: QtBot) -> None:
    panel = make(run())
    learning(qtbot, panel)
    row = panel.learn.rows["times"]
    calibration = replace(row._offer.calibration, notes=("One time is left out", "Others are not."))  # type: ignore[union-attr]
    row.show_offer(Offer(calibration, None), True)
    assert row.notes.text() == "One time is left out.\nOthers are not."


def test_old_lessons_are_out_of_sight_before_they_are_deleted(make: Make, qtbot: QtBot) -> None:
    panel = make(run())
    learning(qtbot, panel)
    old = list(panel.learn.rows.values())
    panel.learn._make_rows(list(panel.learn.rows))
    assert not any(row.isVisible() for row in old)


def test_lessons_of_an_older_project_can_not_be_applied(
    make: Make, qtbot: QtBot, document: Document
) -> None:
    panel = make(run())
    learning(qtbot, panel)
    document.move_tasks(frozenset({0}), 1)
    row = panel.learn.rows["times"]
    assert not row.apply_button.isEnabled()
    after = document.project
    panel.learn._apply(row._offer)  # type: ignore[arg-type] # a click that came too late
    assert document.project is after


def test_nothing_is_learnt_while_nobody_looks(make: Make) -> None:
    panel = make(run())
    assert panel.learner.calibrations is None
    assert not panel.learner.is_busy


def test_tasks_too_short_are_named_and_grouped_by_one_click(
    qtbot: QtBot, document: Document, make: Make, predicted: Predicted
) -> None:
    platform = document.project.platform
    slow = replace(platform, runtime=replace(platform.runtime, task_overhead_s=20.0))
    document.apply(replace(document.project, platform=slow), "Slow runtime")
    panel = make(Run("r", (TaskRun("A", "M1", 20.0, 32.0), TaskRun("B", "M1", 52.0, 56.0))))
    learning(qtbot, panel)
    short = panel.learn.short
    assert short.isVisible()
    assert "A" in short.sentence.text()
    before = document.project
    qtbot.mouseClick(short.group_button, Qt.MouseButton.LeftButton)
    assert len(document.project.workload.tasks) == 1
    assert document.undo_stack.undoText() == "Group short tasks"
    document.undo_stack.undo()
    assert document.project is before


def test_everything_has_a_name_and_a_tooltip(make: Make, qtbot: QtBot) -> None:
    panel = make(*many(2))
    learning(qtbot, panel)
    from PySide6.QtWidgets import QAbstractButton, QComboBox

    for kind in (QAbstractButton, QComboBox):
        for widget in panel.findChildren(kind):
            if widget.isVisibleTo(panel) and widget.objectName() and _own(widget, panel):
                assert widget.toolTip(), widget.objectName()
                name = widget.accessibleName() or getattr(widget, "text", str)()
                assert name, widget.objectName()


def _own(widget: QWidget, panel: ActualPanel) -> bool:
    """Whether it is not one of Qt's own, inside of a tab bar or a combo box."""
    return not widget.objectName().startswith("qt_") and widget.objectName() not in {
        "ScrollLeftButton", "ScrollRightButton",
    }  # fmt: skip
