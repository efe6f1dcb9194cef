"""Pages and panels are made part by part, with other events between the parts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import cast

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gui.form.field import FormField
from gui.shell.lazy_panel import LazyPanel
from gui.shell.main_window import MainWindow
from gui.shell.panels import BOTTOM, CENTRE, InParts, Panel, Services
from machines.parameters import Parameter

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


def test_what_a_dock_shows_lies_where_it_is_seen_before_it_is_filled(qtbot: QtBot) -> None:
    places: list[QWidget | None] = []

    def build(_services: Services) -> InParts:
        made = QLabel("dice")
        yield made
        places.append(made.parentWidget())
        return made

    lazy = LazyPanel(Panel("dice", "Dice", "What falls", BOTTOM, build), NO_SERVICES)
    qtbot.addWidget(lazy)
    with qtbot.waitSignal(lazy.built):
        lazy.show()
    (area,) = lazy.findChildren(QScrollArea)
    assert area.widget() is lazy.widget
    assert places == [area.viewport()]
    assert lazy.widget.isVisible()


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


def test_the_fields_of_a_study_are_made_a_few_a_part_in_the_place_where_they_are_seen(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    plain = FormField.__init__

    def counted(self: FormField, parameter: Parameter, parent: QWidget) -> None:
        made.append(parameter.name)
        assert window.lazy["scaling"].isAncestorOf(parent)
        plain(self, parameter, parent)

    monkeypatch.setattr(FormField, "__init__", counted)
    lazy, after = window.lazy["scaling"], [0]
    lazy.built.connect(lambda _page: after.append(len(made)))
    while lazy.widget is None:
        lazy._build_part()
        after.append(len(made))
    assert len(made) > 20
    assert max(later - sooner for sooner, later in pairwise(after)) <= 6


def test_two_pages_are_not_made_in_one_turn_of_the_event_loop(qtbot: QtBot) -> None:
    log: list[str] = []
    both = [page(in_parts(log)), page(in_parts(log))]
    home = QWidget()
    qtbot.addWidget(home)
    for lazy in both:
        lazy.setParent(home)
    turns = QTimer(home, interval=0)
    turns.timeout.connect(lambda: log.append("turn"))
    turns.start()
    with qtbot.waitSignals([lazy.built for lazy in both]):
        home.show()
    begun = [place for place, said in enumerate(log) if said != "turn"]
    assert [log[place] for place in begun] == ["form", "views", "form", "views"]
    assert all("turn" in log[one:other] for one, other in pairwise(begun))


def test_a_page_whose_making_failed_after_it_was_put_in_place_is_taken_away(qtbot: QtBot) -> None:
    def build(_services: Services) -> InParts:
        label = QLabel("dice")
        yield label
        raise MemoryError

    lazy = page(build)
    qtbot.addWidget(lazy)
    with pytest.raises(MemoryError):
        lazy.build()
    qtbot.waitUntil(lambda: lazy.findChild(QLabel) is None)


def test_other_events_come_between_the_views_of_the_campaign_page(
    qtbot: QtBot, window: MainWindow
) -> None:
    lazy, turns = window.lazy["campaign"], list[bool]()
    other = QTimer(lazy, interval=0)
    other.timeout.connect(lambda: turns.append(True))
    other.start()
    with qtbot.waitSignal(lazy.built):
        window.show_page("campaign")
    other.stop()
    assert len(turns) >= 6  # its import, plan, findings, both tables, and what holds them
