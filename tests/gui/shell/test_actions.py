"""The table of actions: complete, without clashes, found by search and shown in help."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QMessageBox
from pytestqt.qtbot import QtBot

import resources
from gui.basics.literal_menu import plain
from gui.basics.theme import theme
from gui.document.document import Selection
from gui.shell.actions import ACTIONS, MENUS, Actions
from gui.shell.help import PAGES, HelpDialog
from gui.shell.main_window import MainWindow
from gui.shell.search_field import matches
from tests.conftest import cluster

CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


def test_every_action_has_a_handler_and_a_sentence(window: MainWindow) -> None:
    assert window.commands.unhandled() == []
    for spec in window.commands:
        assert len(spec.help) > 10, spec.id
        assert window.commands[spec.id].toolTip().startswith(spec.help)


def test_names_and_shortcuts_are_unique(window: MainWindow) -> None:
    names = Counter(spec.id for spec in window.commands)
    keys = Counter(QKeySequence(key).toString() for spec in window.commands for key in spec.keys)
    assert [name for name, times in names.items() if times > 1] == []
    assert [key for key, times in keys.items() if times > 1] == []
    assert "" not in keys


def test_every_action_is_in_a_menu(window: MainWindow) -> None:
    shown = set()
    menus = [action.menu() for action in window.menuBar().actions()]
    assert [plain(menu.title()) for menu in menus if isinstance(menu, QMenu)] == list(MENUS)
    for menu in window.findChildren(QMenu):
        shown |= {action.objectName() for action in menu.actions()}
    assert {spec.id for spec in window.commands} <= shown


def test_an_unknown_handler_is_refused(window: MainWindow) -> None:
    actions = Actions(window, ACTIONS[:1])
    with pytest.raises(KeyError, match="nonsense"):
        actions.handle({"nonsense": print})


def test_actions_are_enabled_when_they_can_be_done(qtbot: QtBot, window: MainWindow) -> None:
    assert not window.commands["remove"].isEnabled()
    window.document.select(Selection(tasks=frozenset({0})))
    assert window.commands["remove"].isEnabled()
    assert not window.commands["redo"].isEnabled()
    assert window.commands["advise"].isEnabled()
    assert window.commands["export_plan"].isEnabled()
    window.document.move_tasks(frozenset({0}), 1)
    assert not window.commands["export_plan"].isEnabled()  # until it is predicted
    qtbot.waitUntil(window.commands["export_plan"].isEnabled)


def test_a_board_out_of_sight_takes_no_keys(qtbot: QtBot, window: MainWindow) -> None:
    chosen = Selection(tasks=frozenset({0}))
    window.document.select(chosen)
    window.show_page("evidence")
    evidence = window.panel("evidence")
    evidence.setFocus()
    tasks = window.document.project.workload.tasks
    for key, modifiers in ((Qt.Key.Key_A, CTRL), (Qt.Key.Key_Delete, NONE)):
        qtbot.keyClick(window, key, modifiers)
    assert window.document.selection == chosen
    assert window.document.project.workload.tasks == tasks
    window.show_page("allocation")
    window.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_A, CTRL)
    assert window.document.selection.tasks == {0, 1}


@pytest.mark.parametrize(
    ("query", "texts", "found"),
    [
        ("advise", ["Advise", "Undo"], [0]),
        ("pla ex", ["Export plan", "Explain", "Plain text"], [2, 0, 1]),
        ("b", ["abc", "a b", "bcd"], [2, 1, 0]),
        ("", ["abc"], []),
        ("zzz", ["abc"], []),
    ],
)
def test_search_finds_every_word_and_puts_beginnings_first(
    query: str, texts: list[str], found: list[int]
) -> None:
    assert matches(query, texts) == found


def test_the_search_field_runs_an_action_with_the_keyboard(
    qtbot: QtBot, window: MainWindow
) -> None:
    field = window.toolbar.search
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert field.hasFocus()
    qtbot.keyClicks(field, "total t")
    assert field.list.isVisible()
    assert field.findings[0].text == "Total time"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.document.project.objective == "total"
    assert not field.list.isVisible()
    assert field.text() == ""


def test_the_search_field_finds_tasks_and_machines(qtbot: QtBot, window: MainWindow) -> None:
    window.document.load(cluster())
    qtbot.waitUntil(lambda: window.document.outcome is not None)
    field = window.toolbar.search
    field.open()
    qtbot.keyClicks(field, "check_2")
    assert len(field.findings) == 11
    assert field.findings[0].detail.startswith("task on node")
    qtbot.keyClick(field, Qt.Key.Key_Down)
    chosen = field.findings[1].text
    qtbot.keyClick(field, Qt.Key.Key_Return)
    (task,) = window.document.selection.tasks
    assert window.document.project.workload.tasks[task].name == chosen
    qtbot.keyClicks(field, "node3")
    qtbot.mouseClick(
        field.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=field.list.visualItemRect(field.list.item(0)).center(),
    )
    assert window.document.selection == Selection(machine=3)


def test_the_search_field_finds_examples_and_help(qtbot: QtBot, window: MainWindow) -> None:
    field = window.toolbar.search
    qtbot.keyClicks(field, "gpu")
    assert ("Two GPUs and a workstation", "example") in [
        (one.text, one.detail) for one in field.findings
    ]
    field.clear()
    qtbot.keyClicks(field, "lesson load moves")
    assert [one.detail for one in field.findings] == ["help"]
    title = field.findings[0].text
    qtbot.keyClick(field, Qt.Key.Key_Return)
    dialog = window.findChild(HelpDialog)
    assert dialog.topics.currentItem().text() == title
    dialog.reject()
    qtbot.keyClicks(field, "two machines, one loaded")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.project.name == "A then B")


def test_the_search_field_says_when_there_is_nothing(qtbot: QtBot, window: MainWindow) -> None:
    field = window.toolbar.search
    field.open()
    qtbot.keyClicks(field, "qqq")
    assert "No match for" in field.list.item(0).text()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.list.isVisible()


def test_the_list_of_the_search_field_stays_inside_the_window(
    qtbot: QtBot, window: MainWindow
) -> None:
    field = window.toolbar.search
    field.open()
    qtbot.keyClicks(field, "e")
    assert window.rect().contains(field.list.geometry())
    window.resize(window.width() - 200, window.height())
    qtbot.waitUntil(lambda: window.rect().contains(field.list.geometry()))
    window.setFocus()
    assert not field.list.isVisible()


def test_help_shows_every_page_and_follows_links(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F1)
    dialog = window.findChild(HelpDialog)
    assert dialog is not None
    for row, (name, _) in enumerate(PAGES):
        dialog.topics.setCurrentRow(row)
        assert len(dialog.browser.toPlainText()) > 300, name
        tables = dialog.browser.document().rootFrame().childFrames()
        assert all(table.frameFormat().topMargin() > 0 for table in tables), name
    dialog.browser.anchorClicked.emit(QUrl("board.md"))
    assert dialog.topics.currentRow() == [name for name, _ in PAGES].index("board")
    assert "schedule" in dialog.browser.toPlainText()
    dialog.reject()


def test_menus_that_help_names_are_there(window: MainWindow) -> None:
    specs = tuple(window.commands)
    menus = {spec.menu.split("/")[0] for spec in specs}
    entries = {"Examples", *(spec.text.rstrip("…") for spec in specs)}
    entries |= {part for spec in specs for part in spec.menu.split("/")[1:]}
    for name, _ in PAGES:
        text = (resources.folder("help") / f"{name}.md").read_text(encoding="utf-8")
        for menu, entry in re.findall(r"(\w+) › ([^\n.,;:*]+)", text.replace("**", "")):
            assert menu in menus, (name, menu)
            assert any(entry.startswith(one) for one in entries), (name, entry)


def test_every_help_page_is_linked_from_the_first() -> None:
    first = (resources.folder("help") / "start.md").read_text(encoding="utf-8")
    for name, _ in PAGES[1:]:
        assert f"({name}.md)" in first


def test_links_of_help_have_the_colour_of_the_theme(qtbot: QtBot, window: MainWindow) -> None:
    dialog = HelpDialog(window.commands, window)
    for mode in ("light", "dark"):
        theme().set_mode(mode)
        assert theme().colours.accent.lower() in dialog.browser.toHtml()
    dialog.reject()


def test_links_to_the_web_open_outside(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        "gui.shell.help.QDesktopServices.openUrl", lambda url: opened.append(url.toString())
    )
    dialog = HelpDialog(window.commands, window)
    dialog.browser.anchorClicked.emit(QUrl("https://wfcommons.org"))
    assert opened == ["https://wfcommons.org"]
    dialog.reject()


def test_shortcuts_are_listed_and_filtered(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["shortcuts"].trigger()
    dialog = window.findChild(HelpDialog)
    assert dialog is not None
    assert dialog.table.rowCount() == len(window.commands.specs)

    def shown() -> list[str]:
        rows = range(dialog.table.rowCount())
        return [dialog.table.item(r, 0).text() for r in rows if not dialog.table.isRowHidden(r)]

    qtbot.keyClicks(dialog.filter, "ctrl+shift+s")
    assert shown() == ["Save as"]
    dialog.filter.clear()
    assert len(shown()) == dialog.table.rowCount()
    dialog.reject()


def test_about_names_the_licence(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["about"].trigger()
    box = window.findChild(QMessageBox, "about_box")
    assert box is not None
    assert "Apache" in box.text()
    box.reject()
