"""A lesson opens from Help, asks in the notice, and checks what is on screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from advisor.lessons import LESSONS
from advisor.project.examples import load_example
from gui.shell.help import PAGES, HelpDialog
from gui.shell.main_window import MainWindow
from gui.studies.page.study_panel import StudyPanel
from tests.advisor.lessons.test_lessons import busy

pytestmark = pytest.mark.usefixtures("unasked")


def begin(window: MainWindow, name: str) -> None:
    window.handlers.help()
    dialog = window.findChild(HelpDialog)
    dialog.show_page(f"lesson-{name}")
    assert f"lesson:{name}" in dialog.browser.toHtml()
    dialog.browser.anchorClicked.emit(QUrl(f"lesson:{name}"))
    assert not dialog.isVisible()


def press(window: MainWindow, text: str) -> None:
    button = next(b for b in window.notice.findChildren(QPushButton) if b.text() == text)
    button.click()


def test_every_lesson_has_a_page() -> None:
    names = [name for name, _ in PAGES]
    assert [f"lesson-{name}" for name in LESSONS] == names[-len(LESSONS) :]


def test_a_lesson_on_an_example_is_asked_checked_and_ends(qtbot: QtBot, window: MainWindow) -> None:
    begin(window, "slowdown")
    lesson = LESSONS["slowdown"]
    qtbot.waitUntil(lambda: window.notice.label.text() == lesson.question)
    assert [one.name for one in window.document.project.platform.machines] == ["M1", "M2"]
    press(window, "Check")
    assert "no contenders yet" in window.notice.label.text()
    window.document.apply(busy(2), "load")
    press(window, "Check")
    assert window.notice.label.text().startswith("Right: with 2 contenders")
    press(window, "Close")
    assert not window.notice.isVisible()


def test_a_lesson_on_a_study_sets_its_form_and_reads_it(qtbot: QtBot, window: MainWindow) -> None:
    begin(window, "trees")
    page = window.built("trees")
    assert isinstance(page, StudyPanel)
    values = page.form.values()
    assert values is not None
    assert values["shape"] == "flat"
    assert window.notice.label.text() == LESSONS["trees"].question
    page.form.set_values({"shape": "balanced", "fanout": 16})
    press(window, "Check")
    assert "one after the other" in window.notice.label.text()
    press(window, "End lesson")
    assert not window.notice.isVisible()


def test_a_lesson_that_was_not_opened_asks_nothing_later(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.files, "when_saved", lambda _then: None)  # Cancel was pressed
    begin(window, "slowdown")
    window.document.load(load_example("campaign"))
    assert window.notice.label.text() != LESSONS["slowdown"].question
