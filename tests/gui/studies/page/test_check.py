"""The check by simulation beside a study's answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.studies.study import Check
from gui.document.document import Document
from gui.studies.page.study_panel import StudyPanel
from machines.errors import InfeasibleError
from tests.gui.amdahl import AMDAHL, checked, curves, line, shown, tool, typed


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> StudyPanel:
    return shown(qtbot, document)


def test_a_check_draws_its_points_over_the_prediction_and_says_the_deviation(
    qtbot: QtBot, panel: StudyPanel
) -> None:
    page = panel.views.page(0)
    checked(qtbot, panel)
    qtbot.waitUntil(lambda: panel.check is not None and panel.check.complete)
    assert curves(panel) == ["speedup", "ideal", "measured"]
    assert panel.views.page(0) is page
    assert panel.head.simulated.text() == "Measured at 2."
    assert panel.views.titles()[-1] == "Measured"
    assert panel.sentence.text() == "8 processors are 4.71 times as fast."


def test_another_parameter_takes_the_check_away(qtbot: QtBot, panel: StudyPanel) -> None:
    checked(qtbot, panel)
    qtbot.waitUntil(lambda: panel.check is not None and panel.check.complete)
    typed(qtbot, line(panel, "processors"), "6")
    assert not panel.head.simulated.isEnabled()
    # the curves come in a turn after the sentence
    qtbot.waitUntil(lambda: curves(panel) == ["speedup", "ideal"])
    assert panel.sentence.text().startswith("6 processors")
    assert panel.check is None
    assert not panel.head.simulated.isVisible()
    assert "Measured" not in panel.views.titles()


def test_a_cancelled_check_keeps_what_it_has(qtbot: QtBot, panel: StudyPanel) -> None:
    typed(qtbot, line(panel, "processors"), "13")
    qtbot.waitUntil(lambda: panel.sentence.text().startswith("13 processors"))
    checked(qtbot, panel)
    qtbot.waitUntil(panel.checking.isVisible)
    qtbot.waitUntil(lambda: curves(panel)[-1] == "measured")
    assert "measuring" in panel.checking.progress.toolTip()
    assert not tool(panel).isEnabled()
    qtbot.mouseClick(panel.checking.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not panel.checking.is_busy)
    assert panel.check is not None
    assert not panel.check.complete
    assert panel.head.simulated.text() == "Measured at 1."
    assert tool(panel).isEnabled()


def test_a_check_that_is_not_possible_says_why(qtbot: QtBot, document: Document) -> None:
    def refuse(*_: object, **__: object) -> Check:
        raise InfeasibleError("no process sends")

    panel = StudyPanel(document, replace(AMDAHL, check=refuse))
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None)
    checked(qtbot, panel)
    qtbot.waitUntil(lambda: "No process sends" in panel.head.simulated.text())
    assert panel.sentence.text() == "8 processors are 4.71 times as fast."
    panel.close()


def test_a_study_without_a_check_has_no_button(qtbot: QtBot, document: Document) -> None:
    panel = StudyPanel(document, replace(AMDAHL, check=None))
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None)
    assert not panel.check_action.isVisible()
    panel.close()


class Repeated:
    """A check whose intervals narrow."""

    repeats = True

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, *asked: object, times: int = 1, **how: object) -> Check:
        self.asked.append(times)
        assert AMDAHL.check is not None
        return AMDAHL.check(*asked, **how)


def test_ten_times_as_much_is_simulated_on_demand(qtbot: QtBot, document: Document) -> None:
    repeated = Repeated()
    panel = StudyPanel(document, replace(AMDAHL, check=repeated))
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None)
    assert panel.longer_action.isVisible()
    for action in (panel.check_action, panel.longer_action):
        qtbot.waitUntil(action.isEnabled)
        action.trigger()
        qtbot.waitUntil(lambda: not panel.checking.is_busy)
    assert repeated.asked == [1, 10]
    panel.close()


def test_where_nothing_would_narrow_there_is_no_second_check(panel: StudyPanel) -> None:
    assert panel.check_action.isVisible()
    assert not panel.longer_action.isVisible()
