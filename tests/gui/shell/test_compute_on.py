"""Compute on: the dialog tries an address before it is taken; what workers say is in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.basics import remote_client as elsewhere
from gui.basics.settings import Settings
from gui.shell.compute_dialog import ComputeDialog
from gui.shell.main_window import MainWindow
from machines import InputError
from tests.gui import relays

ADDRESS = "tcp://there:8786"


@pytest.fixture(autouse=True)
def no_scheduler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Relays connect to nothing, and answer themselves."""
    monkeypatch.setattr(elsewhere, "connect", relays.nowhere)
    monkeypatch.setattr(elsewhere, "relayed", relays.backwards)
    yield
    elsewhere.use(None)


@pytest.fixture
def dialog(window: MainWindow) -> ComputeDialog:
    window.commands["compute_on"].trigger()
    dialog = window.compute_on.dialog
    assert dialog is not None
    assert dialog.isVisible()
    return dialog


def answers(monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], str]) -> None:
    monkeypatch.setattr("gui.shell.compute_dialog.reachable", answer)


def refuse(address: str) -> str:
    raise InputError(
        "2 workers have another version of Placewise or its packages (numba 0.1)",
        where=address,
        remedy="Where they run: pip install numba==0.2",
    )


def press(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_at_first_this_machine_computes(dialog: ComputeDialog, window: MainWindow) -> None:
    assert dialog.here.isChecked()
    assert not dialog.address.isEnabled()
    assert elsewhere.current() is None
    press(dialog.use_button)
    assert not dialog.isVisible()
    assert Settings().scheduler == ""


def test_it_says_that_campaigns_are_computed_there_too_and_stop_without_it(
    dialog: ComputeDialog,
) -> None:
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "the cases of campaigns are computed there" in said
    assert "a campaign stops, and Resume computes what is missing" in said


def test_an_address_that_answers_is_taken_and_remembered(
    qtbot: QtBot, dialog: ComputeDialog, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    answers(monkeypatch, lambda address: tried.append(address) or "2 workers")  # type: ignore[func-returns-value]
    said: list[str] = []
    window.line.messageChanged.connect(said.append)
    dialog.there.click()
    assert not dialog.use_button.isEnabled()  # there is no address yet
    QTest.keyClicks(dialog.address, f" {ADDRESS} ")
    press(dialog.use_button)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert tried == [ADDRESS]
    assert Settings().scheduler == ADDRESS
    there = elsewhere.current()
    assert there is not None
    assert there.address == ADDRESS
    assert f"From now on computed on the workers of {ADDRESS}" in said
    window.commands["compute_on"].trigger()
    assert dialog.there.isChecked()
    assert dialog.address.text() == ADDRESS
    dialog.here.click()
    press(dialog.use_button)
    assert (elsewhere.current(), Settings().scheduler) == (None, "")


def test_an_address_that_can_not_be_used_says_why_and_may_be_taken_all_the_same(
    qtbot: QtBot, dialog: ComputeDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, refuse)
    dialog.there.click()
    QTest.keyClicks(dialog.address, ADDRESS)
    assert dialog.anyway_button.isHidden()
    press(dialog.use_button)
    qtbot.waitUntil(dialog.anyway_button.isVisible)
    assert "2 workers have another version of Placewise" in dialog.message.text()
    assert "pip install numba==0.2" in dialog.message.text()
    assert dialog.address.property("wrong")
    assert elsewhere.current() is None
    QTest.keyClicks(dialog.address, "0")  # another address: that was not about it
    assert dialog.message.text() == ""
    assert dialog.anyway_button.isHidden()
    press(dialog.use_button)
    qtbot.waitUntil(dialog.anyway_button.isVisible)
    press(dialog.anyway_button)
    assert Settings().scheduler == f"{ADDRESS}0"
    assert elsewhere.current() is not None


def test_closed_while_it_asks_nothing_is_changed(
    qtbot: QtBot, dialog: ComputeDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, lambda _address: "2 workers")
    dialog.there.click()
    QTest.keyClicks(dialog.address, ADDRESS)
    press(dialog.use_button)
    press(dialog.close_button)
    qtbot.waitUntil(lambda: not dialog._asking._state._thread)
    QTest.qWait(0)
    assert (elsewhere.current(), Settings().scheduler) == (None, "")


def test_the_window_computes_there_and_says_so(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.compute_on._choose(ADDRESS)
    window.show_dock("what_if")
    window.panel("what_if").show_map()
    window.panel("what_if").map_panel.refresh(asked=True)
    said = f"Computed on {ADDRESS}"
    qtbot.waitUntil(lambda: window.line.currentMessage() == said)


def test_what_workers_say_stands_in_the_notice_the_newest_only(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.compute_on._choose(ADDRESS)
    there = elsewhere.current()
    assert there is not None
    there._note("The scheduler is gone: waiting 3 s for it")
    qtbot.waitUntil(window.notice.isVisible)
    there._note("the scheduler was gone for 3 s: 14 pieces computed on this machine")
    qtbot.waitUntil(lambda: "14 pieces" in window.notice.label.text())
    assert len(window.notice._waiting) == 1
    window.compute_on._choose("")
    there._note("nobody asks any more")
    window.notice.clear()
    QTest.qWait(0)
    assert not window.notice.isVisible()
