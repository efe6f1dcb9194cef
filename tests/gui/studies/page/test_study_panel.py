"""The generic study panel, driven through small studies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
)
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.project.questions import Question
from advisor.studies import STUDIES
from advisor.studies.parameters import parameter
from advisor.studies.study import Note, Study, StudyProgress, StudyResult
from gui.basics.theme import theme
from gui.document.document import Document, Outcome
from gui.plots.bar_chart import BarChart
from gui.plots.plot_panel import PlotPanel
from gui.studies.page.answer_folds import note_html
from gui.studies.page.study_panel import StudyPanel
from gui.studies.wavefront.wavefront_view import GanttView
from gui.tables.data_table import DataTable
from machines.errors import InfeasibleError
from machines.stopping import ask, stoppable
from tests.gui.amdahl import Amdahl, curves, line, shown, typed
from tests.gui.exporting import export

Predicted = Callable[[Document], Outcome]
Stop = Callable[[], bool]


@dataclass(frozen=True)
class Choosing:
    """Which machine would run everything."""

    problem: Problem
    machine: int = parameter(1, low=0, high=9, help="Position of the machine.")


def choosing(
    parameters: Choosing, on_progress: object = None, should_stop: Stop | None = None
) -> StudyResult:
    tasks, machines = parameters.problem.costs.task_s.shape
    if parameters.machine >= machines:
        raise InfeasibleError("there is no such machine", value=parameters.machine)
    plan = Plan((parameters.machine,) * tasks, strategy="study")
    value_s = float(parameters.problem.costs.task_s[:, parameters.machine].sum())
    return StudyResult(
        headline=f"All in {value_s:g} s.",
        recommendation=Recommendation(plan, "makespan", value_s, value_s, False, "study"),
    )


CHOOSING = Study(
    Question("choosing", "One machine", "Which machine for everything?"), Choosing, choosing
)


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> StudyPanel:
    return shown(qtbot, document)


def test_the_answer_the_notes_and_the_reasons_are_shown(panel: StudyPanel) -> None:
    assert panel.sentence.text() == "8 processors are 4.71 times as fast."
    assert panel.reasons.text() == "• The serial share does not shrink."
    assert "●</span> A serial share is known." in panel.notes.text()
    assert "Memory &lt; cache" in panel.notes.text()


def test_series_of_one_pair_of_axes_share_a_plot_and_tables_have_a_tab(panel: StudyPanel) -> None:
    titles = panel.views.titles()
    assert titles == ["speedup by processors", "time by run", "Speedups"]
    plot = panel.views.page(0)
    assert curves(panel) == ["speedup", "ideal"]
    assert isinstance(plot, PlotPanel)
    table = panel.views.page(2)
    assert isinstance(table, DataTable)
    assert table.columns_model.rowCount() == 8


def test_another_parameter_runs_the_study_again_and_keeps_the_tabs(
    qtbot: QtBot, panel: StudyPanel
) -> None:
    page = panel.views.page(0)
    typed(qtbot, line(panel, "processors"), "16")
    qtbot.waitUntil(lambda: panel.sentence.text().startswith("16 processors"))
    assert panel.views.page(0) is page
    assert isinstance(page, PlotPanel)
    qtbot.waitUntil(lambda: len(page.chart.table().rows) == 32)  # drawn in a turn of its own


def test_a_wrong_entry_is_told_under_its_field_kept_and_not_used(
    qtbot: QtBot, panel: StudyPanel
) -> None:
    told: list[object] = []
    panel.told.connect(told.append)
    typed(qtbot, line(panel, "serial"), "2")
    assert panel.form.values() is None
    assert "out of range" in panel.form.message("serial")
    assert line(panel, "serial").text() == "2"
    assert panel.sentence.text() == "8 processors are 4.71 times as fast."
    assert not panel.sentence.isEnabled()  # it answers something else
    assert (
        panel.status == "Amdahl's law  ·  an entry is wrong; the answer shown is for the previous "
        "entries"
    )
    assert told[-1] == panel.status
    qtbot.mouseClick(panel.form.reset_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: told[-1] == "Amdahl's law  ·  8 processors are 4.71 times as fast.")
    assert panel.form.message("serial") == ""
    assert line(panel, "serial").text() == "0.1"
    assert panel.sentence.isEnabled()
    assert panel.status == told[-1]


def test_what_was_wrong_with_entries_of_before_is_no_longer_told_as_wrong(
    qtbot: QtBot, document: Document
) -> None:
    panel = StudyPanel(document, STUDIES["blocks"])
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None)
    typed(qtbot, line(panel, "n"), "1")
    qtbot.waitUntil(lambda: bool(panel.sentence.property("wrong")))
    assert "1 + a bytes" in panel.form.message("n")
    assert "1 + a bytes" in panel.status
    typed(qtbot, line(panel, "n"), "one")
    assert not panel.sentence.isEnabled()
    assert not panel.sentence.property("wrong")
    assert panel.status == (
        "Blocks  ·  an entry is wrong; the answer shown is for the previous entries"
    )
    panel.close()


def test_an_answer_that_comes_after_an_entry_became_wrong_is_dimmed(
    qtbot: QtBot, document: Document
) -> None:
    goes = threading.Event()

    def waiting(parameters: Amdahl, on_progress: object, should_stop: Stop) -> StudyResult:
        if parameters.processors != 8:
            goes.wait(10.0)
        return StudyResult(f"Of {parameters.processors}.")

    study = Study(Question("waiting", "Waiting", "When?"), Amdahl, waiting)
    panel = shown(qtbot, document, study)
    typed(qtbot, line(panel, "processors"), "1")
    typed(qtbot, line(panel, "serial"), "1x")
    assert panel.form.values() is None
    goes.set()
    qtbot.waitUntil(lambda: panel.sentence.text() == "Of 1.")
    assert not panel.sentence.isEnabled()
    qtbot.mouseClick(panel.form.reset_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.sentence.text() == "Of 8.")
    assert panel.sentence.isEnabled()
    panel.close()


def test_boxes_and_choices_run_the_study_too(qtbot: QtBot, panel: StudyPanel) -> None:
    box, combo = panel.form.editor("overhead"), panel.form.editor("shape")
    assert isinstance(box, QCheckBox)
    assert isinstance(combo, QComboBox)
    box.click()
    qtbot.waitUntil(lambda: "3.42" in panel.sentence.text())
    for shape in ("points", "bars"):
        combo.setCurrentText(shape)
        qtbot.waitUntil(lambda shape=shape: panel.result.series[0].kind == shape)  # type: ignore[union-attr]


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png", "csv"])
def test_the_plot_of_a_study_is_exported(
    qtbot: QtBot, panel: StudyPanel, tmp_path: Path, suffix: str
) -> None:
    page = panel.views.page(0)
    assert isinstance(page, PlotPanel)
    export(qtbot, page.exports, tmp_path / f"plot.{suffix}")
    data = (tmp_path / f"plot.{suffix}").read_bytes()
    assert len(data) > 200
    if suffix == "svg":
        assert b"processors" in data
        assert b"speedup" in data


def test_the_panel_follows_the_theme(panel: StudyPanel) -> None:
    def bar() -> str:
        page = panel.views.page(1)
        assert isinstance(page, PlotPanel)
        assert isinstance(page.chart, BarChart)
        return page.chart.groups[0].bars[0].segments[0].colour

    theme().set_mode("dark")
    dark = panel.notes.text(), bar()
    theme().set_mode("light")
    assert panel.notes.text() != dark[0]
    assert bar() != dark[1]


def test_a_note_shows_without_colour_whether_it_is_inside_the_domain(qapp: object) -> None:
    assert "</span> too few" in note_html(Note(False, "too few"))
    assert "▲" in note_html(Note(False, "x"))
    assert "●" in note_html(Note(True, "x"))


def test_a_study_of_the_open_problem_runs_with_it_and_its_plan_is_applied_in_one_step(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    panel = StudyPanel(document, CHOOSING)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.result is None
    assert panel.sentence.text() == "Which machine for everything?"
    predicted(document)
    qtbot.waitUntil(lambda: panel.result is not None)
    assert panel.sentence.text() == "All in 48 s."
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    assert document.project.plan.allocation == (1, 1)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.project.plan.allocation == (0, 0)
    panel.close()


def test_an_infeasible_study_says_so_instead_of_an_answer(
    qtbot: QtBot, document: Document, predicted: Predicted
) -> None:
    panel = StudyPanel(document, CHOOSING)
    qtbot.addWidget(panel)
    panel.show()
    predicted(document)
    qtbot.waitUntil(lambda: panel.result is not None)
    typed(qtbot, line(panel, "machine"), "7")
    qtbot.waitUntil(lambda: "There is no such machine" in panel.sentence.text())
    assert not panel.apply_button.isVisible()
    panel.close()


def test_a_long_study_shows_its_progress_and_a_cancel_keeps_what_there_is(
    qtbot: QtBot, document: Document
) -> None:
    begun = threading.Event()

    def endless(
        parameters: Amdahl, on_progress: Callable[[StudyProgress], None], should_stop: Stop
    ) -> StudyResult:
        on_progress(StudyProgress(0.25, "a quarter", StudyResult("So far one.")))
        begun.set()
        while not should_stop():
            begun.wait(0.005)
        return StudyResult("Stopped after one.", complete=False)

    panel = StudyPanel(document, Study(Question("endless", "Endless", "When?"), Amdahl, endless))
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.running.progress.value() == 25)
    qtbot.waitUntil(lambda: panel.sentence.text() == "So far one.")
    label = panel.findChild(QLabel, "study_sentence")
    assert label is panel.sentence
    qtbot.waitUntil(panel.running.isVisible)
    qtbot.mouseClick(panel.running.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.sentence.text() == "Stopped after one.")
    assert not panel.running.isVisible()
    panel.close()


def test_a_study_that_is_cancelled_before_its_first_figure_says_so_and_calls_nothing_wrong(
    qtbot: QtBot, document: Document
) -> None:
    waits = threading.Event()

    def priced(
        parameters: Amdahl, on_progress: Callable[[StudyProgress], None], should_stop: Stop
    ) -> StudyResult:
        on_progress(StudyProgress(0.25, "pricing"))
        with stoppable(should_stop):
            while not waits.wait(0.005):
                ask()
        return StudyResult("Priced.")

    panel = StudyPanel(document, Study(Question("long", "Long", "When?"), Amdahl, priced))
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(panel.running.isVisible)
    qtbot.mouseClick(panel.running.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.sentence.text() == "Stopped before the first figure.")
    assert panel.sentence.property("wrong") is not True
    assert panel.status == "Long  ·  Stopped before the first figure."
    waits.set()
    typed(qtbot, line(panel, "serial"), "0.2")
    qtbot.waitUntil(lambda: panel.sentence.text() == "Priced.")
    panel.close()


def test_the_picture_of_a_study_is_its_first_tab_and_keeps_its_view(
    qtbot: QtBot, document: Document
) -> None:
    panel = StudyPanel(document, STUDIES["blocks"])
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None and not panel.running.is_busy)
    view = panel.views.page(0)
    assert isinstance(view, GanttView)
    first = view.panel.gantt_chart.gantt
    panel.views.open(2)
    typed(qtbot, line(panel, "blocks"), "64")
    qtbot.waitUntil(lambda: "64" in panel.views.page(0).panel.title.text())  # type: ignore[attr-defined]
    assert panel.views.page(0) is view
    assert view.panel.gantt_chart.gantt is not first
    assert panel.views.current() == 2
    assert view.panel.title.text() == "Diamond DAG, 32 stripes in 64 blocks"
    # so many blocks that no picture is drawn
    typed(qtbot, line(panel, "processors"), "2")
    typed(qtbot, line(panel, "n"), "100000")
    typed(qtbot, line(panel, "blocks"), "50000")
    qtbot.waitUntil(lambda: panel.result is not None and not panel.result.pictures)
    assert panel.views.titles()[0].startswith("makespan by")
    panel.close()


def test_what_is_edited_in_a_picture_goes_into_the_form_and_runs(
    qtbot: QtBot, panel: StudyPanel
) -> None:
    panel.views.edited.emit({"processors": 5, "serial": 0.5})
    qtbot.waitUntil(lambda: panel.sentence.text().startswith("5 processors"))
    assert line(panel, "processors").text() == "5"
    assert line(panel, "serial").text() == "0.5"
