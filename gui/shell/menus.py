"""The menu bar, from the table of actions; recent files and examples are filled when opened."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from advisor.project.examples import example_titles
from gui.basics.literal_menu import Menu, literal, mark
from gui.basics.settings import Settings
from gui.shell.actions import MENUS, Actions
from gui.shell.project_files import Files


def fill_menus(bar: QMenuBar, actions: Actions, files: Files, settings: Settings) -> None:
    """Make all menus of the window."""
    submenus = {
        spec.menu: Menu(spec.menu.partition("/")[2], bar) for spec in actions if "/" in spec.menu
    }
    for name in MENUS:
        menu = Menu(name, bar)
        bar.addMenu(menu)
        menu.setObjectName(f"menu_{name.lower()}")
        actions.fill(menu, name, submenus)
        if name == "File":
            _add_files(menu, actions["save"], files, settings)
    mark(bar.actions())


def _add_files(menu: QMenu, before: QAction, files: Files, settings: Settings) -> None:
    """Recent files and examples, below Open."""
    recent = Menu("Open recent", menu, partial(_fill_recent, files, settings))
    recent.setObjectName("menu_recent")
    examples = Menu("Examples", menu)
    examples.setObjectName("menu_examples")
    for name, title, text in example_titles():
        action = examples.addAction(literal(title))
        action.setToolTip(text)
        action.triggered.connect(lambda _checked=False, name=name: files.example(name))
    menu.insertMenu(before, recent)
    menu.insertMenu(before, examples)
    menu.insertSeparator(before)


def _fill_recent(files: Files, settings: Settings, menu: QMenu) -> None:
    menu.clear()
    for path, name in settings.named_recent:
        action = menu.addAction(literal(name))
        action.setToolTip(str(path))
        action.triggered.connect(lambda _checked=False, path=path: files.open(path))
    if menu.isEmpty():
        menu.addAction("No file yet").setEnabled(False)
        return
    menu.addSeparator()
    menu.addAction("Forget these").triggered.connect(settings.clear_recent)
