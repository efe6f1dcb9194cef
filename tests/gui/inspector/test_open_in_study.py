"""The inspector's button that opens what is selected in a study."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from advisor.project.study_case import Subject
from gui.document.document import Document, Selection
from gui.inspector.open_in_study import OpenInStudy
from gui.shell.main_window import MainWindow
from tests.campaign import campaign


@pytest.fixture
def button(qtbot: QtBot) -> OpenInStudy:
    found = OpenInStudy(Document(campaign()))
    qtbot.addWidget(found)
    return found


@pytest.mark.parametrize(
    ("selection", "studies"),
    [
        (Selection(tasks=frozenset({0})), ["styles", "mapping"]),
        (Selection(tasks=frozenset({1})), ["mapping", "blocks"]),
        (Selection(tasks=frozenset({2})), ["shared_memory"]),
        (Selection(tasks=frozenset({3})), ["scaling"]),
        (Selection(machine=0), ["styles", "mapping", "blocks"]),
        (Selection(overlay=0), ["trees"]),
    ],
)
def test_it_offers_the_studies_that_can_look_at_the_selection(
    qtbot: QtBot, button: OpenInStudy, selection: Selection, studies: list[str]
) -> None:
    assert button.isHidden()
    button._document.select(selection)
    qtbot.waitUntil(lambda: not button.isHidden(), timeout=20_000)
    button.menu_.aboutToShow.emit()
    names = [action.objectName() for action in button.menu_.actions()]
    assert names == [f"open_in_{name}" for name in studies]
    button._document.select(Selection(tasks=frozenset({0, 1})))
    assert button.isHidden()


def test_it_knows_what_was_selected_before_it_was_there(qtbot: QtBot) -> None:
    document = Document(campaign())
    document.select(Selection(overlay=0))
    button = OpenInStudy(document)
    qtbot.addWidget(button)
    qtbot.waitUntil(lambda: not button.isHidden(), timeout=20_000)


def test_the_page_of_the_study_opens_with_a_case_of_the_selection(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.document.load(campaign())
    window.document.select(Selection(tasks=frozenset({1})))
    button = window.panel("inspector").findChild(OpenInStudy, "open_in_study")
    assert button is not None
    qtbot.waitUntil(lambda: not button.isHidden(), timeout=20_000)
    button.menu_.aboutToShow.emit()
    (action,) = (one for one in button.menu_.actions() if one.objectName() == "open_in_blocks")
    action.trigger()
    qtbot.waitUntil(lambda: len(window.document.project.cases) == 1, timeout=20_000)
    (case,) = window.document.project.cases
    assert (case.study, case.subject) == ("blocks", Subject("task", "align"))
    page = window.panel("blocks")
    assert window.pages.currentWidget() is window.lazy["blocks"]
    assert page.tabs.bar.tabText(1) == "align"  # type: ignore[attr-defined]
    assert window.steps.activeStack() is window.document.undo_stack
    window.commands["undo"].trigger()
    qtbot.waitUntil(lambda: window.document.project.cases == ())
