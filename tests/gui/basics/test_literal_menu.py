"""Menus can be worked by letters: every entry has one of its own."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.basics.literal_menu import Menu, literal, mark, plain


def entries(*texts: str) -> list[QAction]:
    return [QAction(text) for text in texts]


def letters(actions: list[QAction]) -> list[str]:
    found = []
    for action in actions:
        text = action.text().replace("&&", "")
        found.append(text[text.index("&") + 1].casefold() if "&" in text else "")
    return found


def test_the_first_letter_goes_before_other_words_and_these_before_the_rest(qtbot: QtBot) -> None:
    actions = entries("Save", "Save as…", "Start page", "See", "Quit")
    mark(actions)
    assert [action.text() for action in actions] == [
        "&Save", "Save &as…", "Start &page", "S&ee", "&Quit"
    ]  # fmt: skip


def test_marking_again_changes_nothing_and_other_texts_keep_letters_apart(qtbot: QtBot) -> None:
    actions = entries("Undo", "Redo")
    mark(actions)
    mark(actions)
    assert [action.text() for action in actions] == ["&Undo", "&Redo"]
    actions[0].setText("Redo “Move”")
    mark(actions)
    assert len(set(letters(actions))) == 2


def test_an_ampersand_of_a_name_stays_one(qtbot: QtBot) -> None:
    (action,) = entries(literal("R&D.placewise"))
    mark([action])
    assert action.text() == "&R&&D.placewise"
    assert plain(action.text()) == "R&D.placewise"


def test_more_entries_than_letters_leave_some_without(qtbot: QtBot) -> None:
    actions = entries(*["abc"] * 5)
    mark(actions)
    assert sorted(letters(actions)) == ["", "", "a", "b", "c"]


def test_an_entry_that_finds_no_letter_makes_another_move(qtbot: QtBot) -> None:
    actions = entries("Save", "Alter", "as")
    mark(actions)
    assert "" not in letters(actions)
    assert len(set(letters(actions))) == 3


@pytest.mark.parametrize("separated", [True, False])
def test_a_menu_fills_itself_then_gives_letters_when_it_opens(
    qtbot: QtBot, separated: bool
) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    owner.show()

    def fill(menu: object) -> None:
        assert isinstance(menu, Menu)
        menu.clear()
        menu.addAction("one")
        if separated:
            menu.addSeparator()
        menu.addAction("other")

    menu = Menu("Choose", owner, fill)
    menu.popup(owner.mapToGlobal(owner.rect().center()))
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts == ["&one", "o&ther"]
    menu.close()


def test_what_stands_at_the_right_edge_gets_no_letter(qtbot: QtBot) -> None:
    actions = [QAction("Mapping\t2 %"), QAction("Message style\t▼ −8 %")]
    mark(actions)
    assert [one.text() for one in actions] == ["&Mapping\t2 %", "Message &style\t▼ −8 %"]
    mark(actions)
    assert [one.text() for one in actions] == ["&Mapping\t2 %", "Message &style\t▼ −8 %"]
