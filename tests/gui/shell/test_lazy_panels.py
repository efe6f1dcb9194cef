"""Pages and panels are made part by part, with other events between the parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.form.form import ParameterForm
from gui.shell.main_window import MainWindow
from gui.shell.panels import CENTRE, InParts, LazyPanel, Panel, Services
from gui.studies.page.panel import StudyPanel

NO_SERVICES = cast("Services", None)  # none of these pages needs any


def page(build: Callable[[Services], QWidget | InParts]) -> LazyPanel:
    return LazyPanel(Panel("dice", "Dice", "What falls", CENTRE, build), NO_SERVICES)


def in_parts(log: list[str]) -> Callable[[Services], InParts]:
    def build(_services: Services) -> InParts:
        log.append("form")
        yield
        log.append("views")
        yield
        return QLabel("dice")

    return build


def test_other_events_come_between_the_parts_of_a_page(qtbot: QtBot) -> None:
    log: list[str] = []
    lazy = page(in_parts(log))
    qtbot.addWidget(lazy)
    other = QTimer(lazy, interval=0)
    other.timeout.connect(lambda: log.append("other"))
    other.start()
    with qtbot.waitSignal(lazy.built):
        lazy.show()
    assert "other" in log[log.index("form") : log.index("views")]
    assert "other" in log[log.index("views") :]  # the page's look is a part of its own


def test_a_page_that_is_needed_between_its_parts_is_finished_at_once_and_made_only_once(
    qtbot: QtBot,
) -> None:
    log: list[str] = []
    told: list[object] = []

    def need() -> None:
        log.append("needed")
        assert lazy.build() is lazy.build()

    def build(services: Services) -> InParts:
        QTimer.singleShot(0, lazy, need)
        return (yield from in_parts(log)(services))

    lazy = page(build)
    qtbot.addWidget(lazy)
    lazy.built.connect(told.append)
    with qtbot.waitSignal(lazy.built):
        lazy.show()
    QTimer.singleShot(0, lazy, lambda: log.append("later"))
    qtbot.waitUntil(lambda: "later" in log)
    assert log == ["form", "needed", "views", "later"]
    assert told == [lazy.widget]


def test_a_page_whose_making_failed_is_begun_anew(qtbot: QtBot) -> None:
    tries: list[int] = []

    def build(_services: Services) -> InParts:
        tries.append(len(tries))
        yield
        if len(tries) == 1:
            raise MemoryError
        return QLabel("dice")

    lazy = page(build)
    qtbot.addWidget(lazy)
    with pytest.raises(MemoryError):
        lazy.build()
    assert isinstance(lazy.build(), QLabel)
    assert tries == [0, 1]


def test_the_form_of_a_study_is_a_part_of_its_own(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    for kind in (ParameterForm, StudyPanel):
        plain = kind.__init__

        def counted(self: QWidget, *args: object, plain=plain, **more: object) -> None:  # type: ignore[no-untyped-def]
            made.append(type(self).__name__)
            plain(self, *args, **more)

        monkeypatch.setattr(kind, "__init__", counted)
    services = Services(window.document, window.advisor, window.checker, window.study_memory)
    parts = window.all_panels["trees"].build(services)
    assert not isinstance(parts, QWidget)
    after = [len(made) for _part in parts]
    assert after[0] == 0
    assert after[-1] == 1
    assert made == ["ParameterForm", "StudyPanel"]
