"""Toolbar and status line speak of the page in sight: of the board's plan, or of a study.

A page with tools of its own takes the place of what is about the plan; its status takes that of
the makespan. Files, undo and the search field stay.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from gui.shell.lazy_panel import LazyPanel
from gui.shell.status import StatusLine
from gui.shell.toolbar import Toolbar


@runtime_checkable
class HasBars(Protocol):
    """A page that says what toolbar and status line show of it."""

    told: object  # Signal(object), str: its new status

    @property
    def tools(self) -> tuple[QAction, ...]:
        """What the toolbar offers."""

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What its export menu offers now."""

    @property
    def status(self) -> str:
        """What the status line says."""


class PageBars(QObject):
    """Keeps both bars at the page that `pages` shows."""

    def __init__(self, pages: QStackedWidget, toolbar: Toolbar, line: StatusLine) -> None:
        super().__init__(pages)
        self._pages, self._toolbar, self._line = pages, toolbar, line
        pages.currentChanged.connect(lambda _place: self._turn())
        for place in range(pages.count()):
            lazy = pages.widget(place)
            if isinstance(lazy, LazyPanel):
                lazy.built.connect(self._wire)

    def follow(self) -> None:
        """Show what the page in sight says."""
        page = self._in_sight()
        if page is None:
            self._toolbar.show_board_tools()
            self._line.show_study("")
        else:
            self._toolbar.show_page_tools(page.tools, lambda: page.exports)
            self._line.show_study(page.status)

    def _turn(self) -> None:
        """Another page is in sight: it has the keyboard, if a tool had it that may leave."""
        focus, page = QApplication.focusWidget(), self._pages.currentWidget()
        if focus is not None and page is not None and self._toolbar.isAncestorOf(focus):
            page.setFocus()
        self.follow()

    def _wire(self, page: QWidget) -> None:
        if isinstance(page, HasBars):
            page.told.connect(lambda _status: self.follow())  # type: ignore[attr-defined]
        self.follow()

    def _in_sight(self) -> HasBars | None:
        lazy = self._pages.currentWidget()
        page = lazy.widget if isinstance(lazy, LazyPanel) else None
        return page if isinstance(page, HasBars) else None
