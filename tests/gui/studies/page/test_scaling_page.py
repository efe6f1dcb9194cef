"""The page Scaling as a newcomer uses it: what is asked, data by name, pasted, opened, wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from advisor.studies import STUDIES
from advisor.studies.parameters import parameters_of
from gui.document.document import Document
from gui.studies.page.study_panel import StudyPanel

_TIMES = "P,time (s)\n1,100\n2,52\n4,28\n8,16\n16,10.2\n"


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> StudyPanel:
    """On screen with its first answer."""
    panel = StudyPanel(document, STUDIES["scaling"])
    qtbot.addWidget(panel)
    panel.resize(1160, 720)
    with qtbot.waitExposed(panel):
        panel.show()
    qtbot.waitUntil(lambda: panel.result is not None)
    return panel


def asked(page: StudyPanel) -> set[str]:
    """Names of the fields in sight."""
    settings = [one for one in parameters_of(STUDIES["scaling"].record) if one.is_setting]
    names = [one.name for one in settings if one.in_forms]
    return {name for name in names if page.form.editor(name).isVisibleTo(page)}


def choose(qtbot: QtBot, page: StudyPanel, name: str, text: str) -> None:
    """Go to a choice with the arrow keys."""
    combo = page.form.editor(name)
    assert isinstance(combo, QComboBox)
    combo.setFocus()
    place = combo.findData(text)
    assert place >= 0, text
    while combo.currentIndex() != place:
        down = combo.currentIndex() < place
        qtbot.keyClick(combo, Qt.Key.Key_Down if down else Qt.Key.Key_Up)


def fit(qtbot: QtBot, page: StudyPanel, text: str) -> None:
    """Choose data as the source and paste a text over what is there; few samples are quick."""
    samples = page.form.editor("replicates")
    assert isinstance(samples, QLineEdit)
    page.form.set_values({"replicates": 20})
    choose(qtbot, page, "source", "data")
    paste(qtbot, page, text)


def paste(qtbot: QtBot, page: StudyPanel, text: str) -> None:
    editor = data(page)
    editor.setFocus()
    QGuiApplication.clipboard().setText(text)
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def data(page: StudyPanel) -> QPlainTextEdit:
    editor = page.form.editor("data")
    assert isinstance(editor, QPlainTextEdit)
    return editor


def tables(page: StudyPanel) -> dict[str, tuple[tuple[object, ...], ...]]:
    """The rows of every table on screen."""
    assert page.result is not None
    return {table.title: table.rows for table in page.result.tables}


def says(page: StudyPanel, text: str) -> bool:
    """Whether that is in the answer, and the rest of it is shown, which comes a turn later."""
    return (
        page.result is not None
        and text in page.result.sentence
        and text in f"{page.sentence.text()} {page.head.alternative.text()}"
    )


def test_a_newcomer_is_asked_only_what_matters(qtbot: QtBot, page: StudyPanel) -> None:
    common = {"source", "processors", "budget", "price"}
    known = {"think_time", "style", "coherency"}
    assert asked(page) == common | known | {"demands", "unit"}
    choose(qtbot, page, "source", "data")
    fitted = {"data", "against", "quantity", "region", "metric", "replicates", "seed"}
    fitted |= {"columns", "hold", "scaling", "base", "runnable", "noise"}
    fitted |= {"hourly", "watts", "watts_beside"}
    assert asked(page) == common | fitted
    choose(qtbot, page, "source", "LogP")
    network = {"network", "dims", "message_bits", "latency_reading", "time_reading"}
    numbers = {"latency", "overhead", "overhead_receive", "gap", "gap_per_byte", "nodes"}
    numbers |= {"hops", "hop_time", "channel_bits"}
    assert asked(page) == common | known | network | numbers | {"unit"}
    choose(qtbot, page, "network", "ncube2")
    assert asked(page) == common | known | network
    for name in asked(page):
        assert page.form.editor(name).toolTip()


def test_an_old_answer_is_dimmed_while_data_are_fitted(qtbot: QtBot, page: StudyPanel) -> None:
    assert page.sentence.isEnabled()
    fit(qtbot, page, _TIMES)
    assert not page.sentence.isEnabled()
    assert not page.reasons.isEnabled()
    qtbot.waitUntil(lambda: "Measurements" in tables(page), timeout=20_000)
    assert page.sentence.isEnabled()
    assert page.reasons.isEnabled()
    paste(qtbot, page, "nothing")
    qtbot.waitUntil(lambda: not page.running.is_busy, timeout=20_000)
    assert page.sentence.isEnabled()


@pytest.mark.parametrize(
    ("name", "law", "peak"),
    [("specsdm91", "Repairman with coherency", True), ("raytracer", "Amdahl", False)],
)
def test_the_data_that_ship_are_fitted_by_name(
    qtbot: QtBot, page: StudyPanel, name: str, law: str, peak: bool
) -> None:
    fit(qtbot, page, name)
    qtbot.waitUntil(lambda: says(page, f"{law} describes the measurements best"), timeout=20_000)
    assert ("highest at P = 96.5" in page.reasons.text()) == peak
    assert ("No peak is reported" in page.reasons.text()) != peak
    wanted = {"throughput by processors P", "residual by processors P", "Laws"}
    wanted |= {"Parameters", "Measurements", "Processors to use"}
    qtbot.waitUntil(lambda: wanted <= set(page.views.titles()))


def test_measurements_are_pasted(qtbot: QtBot, page: StudyPanel) -> None:
    fit(qtbot, page, _TIMES)
    qtbot.waitUntil(lambda: "Measurements" in tables(page), timeout=20_000)
    qtbot.waitUntil(lambda: len(tables(page)["Measurements"]) == 5, timeout=20_000)
    assert [row[:2] for row in tables(page)["Measurements"]] == [
        (1, 100.0), (2, 52.0), (4, 28.0), (8, 16.0), (16, 10.2),
    ]  # fmt: skip


def test_a_file_is_opened(qtbot: QtBot, page: StudyPanel, tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    path.write_text(_TIMES, encoding="utf-8")
    fit(qtbot, page, _TIMES)  # what was pasted is no path to begin at
    button = page.findChild(QPushButton, "browse_data")
    assert button is not None
    assert button.text() == "Open…"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(QFileDialog, "browse_dialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.close()
    assert data(page).toPlainText() == str(path)
    qtbot.waitUntil(
        lambda: says(page, "Use 16 processors, the best measured up to 16"), timeout=20_000
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "nothing to fit"),
        ("P,time (s)\n1,10\n2,6", "three or more different"),
        ("P,time (s)\n1,10\n2,-6\n4,3", "-6"),
        ("P,time (s)\n0,10\n2,6\n4,3", "P"),
        ("missing.csv", "missing.csv"),
    ],
)
def test_wrong_data_are_told_in_place_and_stay(
    qtbot: QtBot, page: StudyPanel, text: str, complaint: str
) -> None:
    fit(qtbot, page, _TIMES)
    data(page).selectAll()
    qtbot.keyClick(data(page), Qt.Key.Key_Delete)
    if text:
        paste(qtbot, page, text)
    qtbot.waitUntil(lambda: complaint in page.sentence.text(), timeout=20_000)
    assert data(page).toPlainText() == text


def test_a_wrong_entry_that_no_longer_matters_holds_nothing_back(
    qtbot: QtBot, page: StudyPanel
) -> None:
    think = page.form.editor("think_time")
    assert isinstance(think, QLineEdit)
    think.selectAll()
    qtbot.keyClicks(think, "often")
    qtbot.keyClick(think, Qt.Key.Key_Return)
    assert page.form.message("think_time")
    assert page.form.values() is None
    fit(qtbot, page, _TIMES)
    label = page.findChild(QLabel, "message_think_time")
    assert label is not None
    assert not label.isVisibleTo(page)
    qtbot.waitUntil(
        lambda: says(page, "Use 16 processors, the best measured up to 16"), timeout=20_000
    )
    choose(qtbot, page, "source", "demands")
    assert label.isVisibleTo(page)
    assert think.text() == "often"


def test_tab_leaves_the_text(qtbot: QtBot, page: StudyPanel) -> None:
    choose(qtbot, page, "source", "data")
    page.activateWindow()
    data(page).setFocus()
    qtbot.waitUntil(data(page).hasFocus)
    qtbot.keyClick(data(page), Qt.Key.Key_Tab)
    assert not data(page).hasFocus()
    assert "\t" not in data(page).toPlainText()


def test_a_second_set_is_laid_over_the_first(qtbot: QtBot, page: StudyPanel) -> None:
    fit(qtbot, page, _TIMES)
    editor = page.form.editor("against")
    assert isinstance(editor, QPlainTextEdit)
    editor.setFocus()
    QGuiApplication.clipboard().setText("P;time (s)\n1;50,5\n2;26\n4;14\n8;8\n16;5,1\n")
    qtbot.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: says(page, "The second set is faster at P = 1 to 16"), timeout=30_000)
    assert [row[-2] for row in tables(page)["Side by side"]] == ["the second set"] * 5
    assert "time" in {one.y_label for one in page.result.series if one.name.endswith("second set")}
