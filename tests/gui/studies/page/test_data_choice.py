"""Columns, tables and regions of a file are chosen in the window, with its first rows in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from pytestqt.qtbot import QtBot

from advisor.studies import STUDIES
from gui.document.document import Document
from gui.studies.page.data_choice import DataDialog
from gui.studies.page.study_panel import StudyPanel

TABLE = "nodes,memory,alpha,beta\n1,9,100,7\n2,9,55,6\n4,9,30,5\n8,9,20,5\n"
EXTRA_P = "PARAMETER p\nPARAMETER n\nPOINTS " + " ".join(
    f"({p} {n})" for p in (2, 4, 8, 16) for n in (100, 200)
)
EXTRA_P += "\n" + "".join(
    f"REGION {name}\nMETRIC time\n"
    + "".join(f"DATA {part * (1 + n / p):.6g}\n" for p in (2, 4, 8, 16) for n in (100, 200))
    for name, part in (("sweep", 1.0), ("solve", 3.0))
)


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> StudyPanel:
    """The page Scaling with data as its source."""
    panel = StudyPanel(document, STUDIES["scaling"])
    qtbot.addWidget(panel)
    panel.resize(1160, 720)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.form.set_values({"replicates": 0, "source": "data"})
    return panel


def opened(qtbot: QtBot, page: StudyPanel) -> DataDialog:
    button = page.findChild(QPushButton, "choose_columns")
    assert button is not None
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(DataDialog)
    assert dialog is not None
    return dialog


def accept(qtbot: QtBot, dialog: DataDialog) -> None:
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)


def test_columns_that_no_title_tells_are_chosen(
    qtbot: QtBot, page: StudyPanel, tmp_path: Path
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(TABLE, encoding="utf-8")
    page.form.set_values({"data": str(path)})
    qtbot.waitUntil(lambda: "unknown columns" in page.sentence.text().lower(), timeout=20_000)
    dialog = opened(qtbot, page)
    assert dialog.processors.currentText() == "1: nodes"
    assert dialog.table.rowCount() == 4
    assert not dialog.region.isVisible()
    dialog.measured.setFocus()
    while dialog.measured.currentText() != "3: alpha":
        qtbot.keyClick(dialog.measured, Qt.Key.Key_Down)
    dialog.quantity.setCurrentText("Time")
    item = dialog.table.item(0, 2)
    assert item is not None
    assert item.font().bold()
    accept(qtbot, dialog)
    values = page.form.values()
    assert values is not None
    assert (values["columns"], values["quantity"]) == ("1,3", "time")
    qtbot.waitUntil(lambda: page.sentence.text().startswith("Use 8 nodes"), timeout=20_000)


def test_one_of_several_series_is_chosen(qtbot: QtBot, page: StudyPanel) -> None:
    rows = "".join(
        f"{case},{P},{part * 100 / P}\n" for P in (1, 2, 4) for case, part in (("A", 1), ("B", 3))
    )
    page.form.set_values({"data": f"case,np,time (s)\n{rows}"})
    qtbot.waitUntil(lambda: "several case" in page.sentence.text(), timeout=20_000)
    dialog = opened(qtbot, page)
    dialog.series.setCurrentText("case=B")
    accept(qtbot, dialog)
    qtbot.waitUntil(lambda: "measured up to 4: 1 min 15" in page.sentence.text(), timeout=20_000)


def test_regions_and_held_parameters_are_offered(qtbot: QtBot, page: StudyPanel) -> None:
    page.form.set_values({"data": EXTRA_P})
    qtbot.waitUntil(lambda: "2 regions" in page.sentence.text(), timeout=20_000)
    dialog = opened(qtbot, page)
    assert [dialog.region.itemText(i) for i in range(dialog.region.count())] == ["sweep", "solve"]
    assert [dialog.hold.itemText(i) for i in range(dialog.hold.count())] == [
        "n=100", "n=200", "none",
    ]  # fmt: skip
    dialog.region.setCurrentText("solve")
    dialog.hold.setCurrentText("n=200")
    accept(qtbot, dialog)
    qtbot.waitUntil(lambda: "16 processors" in page.sentence.text(), timeout=20_000)
    values = page.form.values()
    assert values is not None
    assert (values["region"], values["hold"]) == ("solve", "n=200")


def test_a_file_that_is_not_there_is_named_in_the_dialog(qtbot: QtBot, page: StudyPanel) -> None:
    page.form.set_values({"data": "nowhere.csv"})
    dialog = opened(qtbot, page)
    assert "nowhere.csv" in dialog.problem.text()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    dialog.reject()
