"""From File › New to the first answer: the strip says what, where and how sure, and applies it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task
from gui.document.document import Selection
from gui.panels.answer_strip import AnswerStrip
from gui.shell.main_window import MainWindow
from machines import Contender, Machine
from tests.conftest import two_machines

pytestmark = pytest.mark.usefixtures("unasked")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def strip(qtbot: QtBot, window: MainWindow) -> AnswerStrip:
    """A new project of two tasks on one of two machines, one of them with a contender."""
    window.resize(1280, 800)
    before = window.document.project
    window.commands["new"].trigger()
    qtbot.waitUntil(lambda: window.document.project is not before)
    project = window.document.project
    machines = (Machine("desk", contenders=(Contender("other", 1.0),)), Machine("server"))
    workload = replace(project.workload, tasks=(Task("read", 10.0), Task("plot", 20.0)), flows=())
    platform = replace(project.platform, machines=machines, links=())
    project = replace(project, platform=platform, workload=workload, plan=Plan((0, 0)))
    window.document.apply(project, "Two machines, two tasks", replaces=True)
    found = window.panel("answer")
    assert isinstance(found, AnswerStrip)

    def answered() -> bool:
        advisor = window.advisor
        answers = advisor.advice is not None and advisor.advice.answers(window.document.project)
        return answers and not advisor.is_busy

    qtbot.waitUntil(answered)
    return found


def test_the_strip_says_what_is_reached_who_runs_where_and_how_sure(
    window: MainWindow, strip: AnswerStrip
) -> None:
    assert strip.result.text() == "<span><big><b>20.0 s</b></big>, now 1 min</span>"
    assert [chip.text() for chip in strip.chips.chips] == ["desk: read", "server: plot"]
    assert strip.certainty.text() == "proved best"
    assert strip.tiles["limit"].value.text() == "processors 100 %"
    assert strip.tiles["others"].value.text() == "1 contender: nothing"
    assert strip.tiles["tips"].value.text() == "1 contender on server (now 0)"
    assert window.strip.height() <= 110
    assert window.strip.width() == window.width() - window.rail_bar.width()


def test_a_chip_outlines_its_bars_and_a_click_selects_them(
    qtbot: QtBot, window: MainWindow, strip: AnswerStrip
) -> None:
    chip = strip.chips.chips[1]
    QApplication.sendEvent(chip, QEnterEvent(QPointF(4, 4), QPointF(4, 4), QPointF(4, 4)))
    assert window.handlers.board.schedule.pointed == chip.tasks == frozenset({1})
    QApplication.sendEvent(chip, QEvent(QEvent.Type.Leave))
    assert window.handlers.board.schedule.pointed == frozenset()
    qtbot.mouseClick(chip, LEFT)
    assert window.document.selection == Selection(tasks=frozenset({1}))


def test_apply_is_offered_until_nothing_is_better_and_then_the_answer_says_where_things_run(
    qtbot: QtBot, window: MainWindow, strip: AnswerStrip
) -> None:
    qtbot.mouseClick(strip.apply, LEFT)
    assert window.document.project.plan.allocation == (0, 1)
    qtbot.waitUntil(lambda: strip.result.text() == "<span><big><b>20.0 s</b></big>, as now</span>")
    assert not strip.apply.isEnabled()
    qtbot.waitUntil(lambda: not window.advisor.is_busy)
    assert window.advisor.advice is not None
    headline = window.advisor.advice.explanation.headline
    assert headline == "Keep read on desk, plot on server: none is better (makespan 20.0 s)."


def test_nothing_stale_is_bold(window: MainWindow, strip: AnswerStrip) -> None:
    project = window.document.project
    task = replace(project.workload.tasks[0], work=11.0)
    workload = project.workload.with_task(0, task)
    window.document.apply(replace(project, workload=workload), "read takes longer")
    assert "<b>" not in strip.result.text()
    assert not strip.apply.isEnabled()
    assert not strip.tiles["limit"].value.isEnabled()


def test_why_opens_the_reasons_and_pages_that_stand_alone_have_no_strip(
    qtbot: QtBot, window: MainWindow, strip: AnswerStrip
) -> None:
    qtbot.mouseClick(strip.why, LEFT)
    qtbot.waitUntil(window.panel("reasons").isVisible)
    rail = window.rail_bar.geometry()
    window.show_page("compare")
    assert not window.strip.isVisible()
    assert window.rail_bar.geometry() == rail  # what was clicked stays where it is
    window.show_page("allocation")
    assert window.strip.isVisible()


def test_no_machine_of_the_project_before_is_named(window: MainWindow, strip: AnswerStrip) -> None:
    assert strip.chips.chips
    window.document.load(two_machines(contenders=2))
    assert strip.chips.chips == ()


def test_a_tie_is_called_so_and_chips_are_of_the_plan_whose_value_is_shown(
    qtbot: QtBot, window: MainWindow, strip: AnswerStrip
) -> None:
    """The best plan saves 2 %: the present one is advised, and Apply takes the other."""
    project = window.document.project
    machines = (Machine("desk"), Machine("server", speed=1.02))
    platform = replace(project.platform, machines=machines)
    workload = replace(project.workload, tasks=(Task("read", 10.0),))
    tie = replace(project, platform=platform, workload=workload, plan=Plan((0,)))
    window.document.apply(tie, "one task", replaces=True)

    def answered() -> bool:
        advice = window.advisor.advice
        return advice is not None and advice.answers(tie) and not window.advisor.is_busy

    qtbot.waitUntil(answered)
    assert strip.result.text() == "<span><big><b>9.80 s</b></big>, now 10.00 s</span>"
    assert strip.certainty.text().startswith("a tie")
    assert "within the model's 3 %" in strip.certainty.toolTip()
    qtbot.waitUntil(lambda: [one.text() for one in strip.chips.chips][:1] == ["server: read"])
    assert strip.tiles["expect"].value.text().startswith("as now, ")
    qtbot.mouseClick(strip.apply, LEFT)
    assert window.document.project.plan.allocation == (1,)


def test_titles_of_tiles_are_short_where_their_words_would_be_cut(
    qtbot: QtBot, window: MainWindow, strip: AnswerStrip
) -> None:
    window.resize(1280, 800)
    words = {
        "expect": "4 min 56 s, 9 of 10 in 5 min 31 s",
        "limit": "processors 100 %",
        "others": "2 contenders: 1 min 6 s",
        "tips": "0.865 contenders on server (now 0)",
    }

    def titles() -> list[str]:
        strip._share_out()
        return [tile.title.text() for tile in strip.tiles.values()]

    for name, tile in strip.tiles.items():
        tile.tell(words[name], "", True)
    assert titles() == ["Expect", "Limits", "Others cost", "Tips it over"]
    qtbot.waitUntil(
        lambda: all(
            tile.value.fontMetrics().horizontalAdvance(tile.value.text()) <= tile.value.width()
            for tile in strip.tiles.values()
        )
    )
    for tile in strip.tiles.values():
        tile.tell("1 s", "", True)
    assert titles()[1] == "What limits"


def test_what_no_link_joins_is_said_without_moving_the_board(
    qtbot: QtBot, window: MainWindow, strip: AnswerStrip
) -> None:
    project = window.document.project
    high = window.strip.height()
    flows = (Flow("read", "plot", ((1, 1e6),)),)
    workload = replace(project.workload, flows=flows)
    joined = replace(project, workload=workload, plan=Plan((0, 0)))
    window.document.apply(joined, "a flow", replaces=True)
    qtbot.waitUntil(lambda: strip.tiles["limit"].value.text().startswith("No link joins server"))
    assert ":" not in strip.tiles["limit"].value.text()  # the rest is in its tooltip
    assert window.strip.height() == high
