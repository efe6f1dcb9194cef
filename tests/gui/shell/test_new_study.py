"""A study that is added, the one of `tests.dummies.study`, has a page in the window by itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from gui.plots.curve_panel import CurvePanel
from gui.shell.main_window import MainWindow
from gui.studies.page.study_panel import StudyPanel
from gui.studies.page.study_table import StudyTable
from tests.dummies.study.lines import add_study
from tests.dummies.study.picture_view import DieView
from tests.gui.amdahl import checked


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the window is made."""
    add_study(monkeypatch)


@pytest.fixture
def page(qtbot: QtBot, added: None, window: MainWindow) -> StudyPanel:
    """The study's page, opened by its key, with its answer."""
    qtbot.keyClick(window, Qt.Key.Key_9, Qt.KeyboardModifier.AltModifier)
    assert window.pages.currentWidget() is window.lazy["dice"]
    found = window.panel("dice")
    assert isinstance(found, StudyPanel)
    qtbot.waitUntil(lambda: found.result is not None and not found.running.is_busy)
    return found


def test_it_is_on_the_rail_with_an_icon_and_a_key(window: MainWindow) -> None:
    button = window.rail.findChild(QToolButton, "rail_page_dice")
    assert button is not None
    assert button.text() == "Throwing dice"
    assert not button.icon().isNull()
    assert button.toolTip() == "How many throws until a six? (Alt+9)"


def test_the_tenth_page_has_the_last_key(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.AltModifier)
    assert window.pages.currentWidget() is window.lazy["compare"]
    assert window.commands["page_evidence"].shortcut().isEmpty()


def test_all_questions_are_reached_on_the_rail(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    buttons = window.rail.findChildren(QToolButton)
    assert len(buttons) == 13
    for button in buttons:
        window.rail.ensureWidgetVisible(button)
        qtbot.waitUntil(
            lambda button=button: button.visibleRegion().boundingRect() == button.rect()
        )


def test_its_page_shows_sentence_picture_plot_and_table(page: StudyPanel) -> None:
    assert page.sentence.text() == "A six shows in 4 throws with 52 %."
    shown = [(card.name.text(), card.value.text()) for card in page.head.cards.cards[:2]]
    assert shown == [("throws", "4"), ("certainty", "51.8 %")]
    titles = page.views.titles()
    assert titles == ["Die", "chance by throws", "Chances"]
    die, plot, table = (page.views.page(place) for place in range(3))
    assert isinstance(die, DieView)
    assert die.label.text() == "A die of 6 sides"
    assert isinstance(plot, CurvePanel)
    assert plot.curves.series[0].name == "at least one six"
    assert isinstance(table, StudyTable)
    assert table.columns_model.rowCount() == 4


def test_its_form_asks_and_its_check_simulates(qtbot: QtBot, page: StudyPanel) -> None:
    sides = page.form.editor("sides")
    assert isinstance(sides, QLineEdit)
    sides.selectAll()
    qtbot.keyClicks(sides, "2")
    qtbot.waitUntil(lambda: page.sentence.text() == "A six shows in 1 throw with 50 %.")
    qtbot.waitUntil(page.check_action.isEnabled)
    with qtbot.waitSignal(page.checked):
        checked(qtbot, page)
    assert page.check is not None
    assert page.check.table.title == "Simulated"
