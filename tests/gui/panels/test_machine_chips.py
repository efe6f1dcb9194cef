"""Names outlast words where the row is short; a row of too many machines scrolls."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QToolButton

from advisor.advice.places import Place
from gui.panels.machine_chips import MachineChips

pytestmark = pytest.mark.usefixtures("unasked")


def places(used: int, idle: int = 0) -> tuple[Place, ...]:
    words = "read, 12 analyse, 4 merge, plot, store"
    first = [Place(at, f"server{at + 1}", (at,), words) for at in range(used)]
    return (*first, *(Place(used + at, f"spare{at + 1}", (), "idle") for at in range(idle)))


@pytest.fixture
def chips(qtbot) -> MachineChips:
    made = MachineChips()
    qtbot.addWidget(made)
    made.show()
    return made


def arrows(chips: MachineChips) -> bool:
    found = chips.findChild(QToolButton, "answer.chips_on")
    return found is not None and not found.isHidden()


@pytest.mark.parametrize(("width", "whole"), [(3000, True), (420, False)])
def test_words_are_cut_before_names(chips: MachineChips, width: int, whole: bool) -> None:
    chips.resize(width, chips.height())
    chips.show_places(places(3))
    texts = [chip.text() for chip in chips.chips]
    assert [text.split(":")[0] for text in texts] == ["server1", "server2", "server3"]
    assert all(text.endswith("store") for text in texts) == whole
    assert not arrows(chips)
    assert sum(chip.width() for chip in chips.chips) <= width


def test_thirty_machines_keep_their_names_and_the_row_scrolls(chips: MachineChips) -> None:
    chips.resize(700, chips.height())
    chips.show_places(places(30, 5))
    assert [chip.name for chip in chips.chips[-2:]] == ["server30", "5 machines"]
    assert all(chip.name in chip.text() for chip in chips.chips)
    assert arrows(chips)
    bar = chips._area.horizontalScrollBar()
    on = chips.findChild(QToolButton, "answer.chips_on")
    assert on is not None
    on.click()
    assert bar.value() > 0


def test_a_chip_points_at_its_tasks_and_is_chosen_by_a_click(qtbot, chips: MachineChips) -> None:
    chips.resize(700, chips.height())
    chips.show_places(places(2))
    pointed: list[object] = []
    chips.pointed.connect(pointed.append)
    at = QPointF(5, 5)
    QApplication.sendEvent(chips.chips[1], QEnterEvent(at, at, at))
    QApplication.sendEvent(chips.chips[1], QEvent(QEvent.Type.Leave))
    assert pointed == [frozenset({1}), frozenset()]
    with qtbot.waitSignal(chips.chosen) as chosen:
        qtbot.mouseClick(chips.chips[1], Qt.MouseButton.LeftButton)
    assert chosen.args[0].machine == 1
