"""The menu bar, from the table of actions; recent files and examples are filled when opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from gui.shell.actions import MENUS
from gui.shell.files import example_titles

if TYPE_CHECKING:
    from gui.shell.main_window import MainWindow


def fill_menus(window: MainWindow) -> None:
    """Make all menus of the window."""
    bar = window.menuBar()
    submenus = {
        spec.menu: QMenu(spec.menu.partition("/")[2], window)
        for spec in window.commands
        if "/" in spec.menu
    }
    for name in MENUS:
        menu = bar.addMenu(name)
        menu.setObjectName(f"menu_{name.lower()}")
        window.commands.fill(menu, name, submenus)
        if name == "File":
            _add_files(window, menu)


def _add_files(window: MainWindow, menu: QMenu) -> None:
    """Recent files and examples, below Open."""
    before = window.commands["save"]
    recent = QMenu("Open recent", menu)
    recent.setObjectName("menu_recent")
    recent.aboutToShow.connect(lambda: _fill_recent(window, recent))
    examples = QMenu("Examples", menu)
    examples.setObjectName("menu_examples")
    examples.setToolTipsVisible(True)
    for name, title, text in example_titles():
        action = examples.addAction(title)
        action.setToolTip(text)
        action.triggered.connect(lambda _checked=False, name=name: window.files.example(name))
    menu.insertMenu(before, recent)
    menu.insertMenu(before, examples)
    menu.insertSeparator(before)


def _fill_recent(window: MainWindow, menu: QMenu) -> None:
    menu.clear()
    for path in window.settings.recent:
        action = menu.addAction(path.name)
        action.setToolTip(str(path))
        action.triggered.connect(lambda _checked=False, path=path: window.files.open(path))
    if menu.isEmpty():
        menu.addAction("No file yet").setEnabled(False)
        return
    menu.setToolTipsVisible(True)
    menu.addSeparator()
    menu.addAction("Forget these").triggered.connect(window.settings.clear_recent)
