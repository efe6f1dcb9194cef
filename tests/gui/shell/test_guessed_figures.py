"""After opening files that tell no speeds: marks on the board, and what could tip the plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.commands import cli
from advisor.project.project_edits import with_machine
from gui.board.board_legend import GUESSED
from gui.board.board_view import BoardView
from gui.panels.answer_strip import AnswerStrip
from gui.shell.main_window import MainWindow
from tests.advisor.project.test_practice_starts import texts
from tests.advisor.runs.logs.small_logs import parsl_database

pytestmark = pytest.mark.usefixtures("unasked")


def test_guesses_are_marked_and_the_answer_names_what_could_tip_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = texts(tmp_path, parsl_database())
    before = window.document.project
    window.files.open(paths[0])
    qtbot.waitUntil(lambda: window.document.project is not before)
    board, strip = window.panel("allocation"), window.panel("answer")
    assert isinstance(board, BoardView)
    assert isinstance(strip, AnswerStrip)
    qtbot.waitUntil(lambda: bool(strip.assumed.text()))

    assert strip.assumed.isVisible()
    assert GUESSED in board.legend.names
    machine = window.document.project.platform.machines[0]
    facts = board.surface.facts[0]
    assert f"speed ≈{machine.speed:g}" in facts.build
    assert "cores read from the files" in facts.sentence
    assert "speed guessed: no file tells it" in facts.sentence
    board.schedule.current = 0
    assert "time measured by the log" in board.schedule.describe(0)
    assert cli.main(["advise", *map(str, paths), "--json"]) == 0
    assert strip.assumed.text() in capsys.readouterr().out.replace("\\u00d7", "×")

    changed = replace(machine, speed=2.0)
    window.document.apply(with_machine(window.document.project, 0, changed), "Change speed")
    qtbot.waitUntil(lambda: "speed 2" in board.surface.facts[0].build)
    assert "speed entered here" in board.surface.facts[0].sentence

    window.document.load(before)
    assert not strip.assumed.isVisible()
    qtbot.waitUntil(lambda: GUESSED not in board.legend.names)
