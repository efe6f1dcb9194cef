"""Docks that share a place show tabs that can be closed, and no second title below them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QWidget


class DockTabs(QObject):
    """Follows the docks of a window wherever they are put.

    `window`: owns the tab bars.
    """

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, tuple(docks)
        self._known: set[QTabBar] = set()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.dress)
        for dock in self._docks:
            dock.visibilityChanged.connect(lambda _visible: self._soon.start())
            dock.topLevelChanged.connect(lambda _floating: self._soon.start())
            dock.dockLocationChanged.connect(lambda _area: self._soon.start())

    def dress(self) -> None:
        """Titles only where there is no tab; every tab with a button to close it."""
        for dock in self._docks:
            tabbed = not dock.isFloating() and bool(self._window.tabifiedDockWidgets(dock))
            title = dock.titleBarWidget()
            if tabbed and title is None:
                dock.setTitleBarWidget(QWidget(dock))
            elif not tabbed and title is not None:
                dock.setTitleBarWidget(None)  # type: ignore[arg-type]
                title.deleteLater()
        for bar in self._window.findChildren(QTabBar):
            if bar.parent() is self._window and bar not in self._known:
                self._known.add(bar)
                bar.setTabsClosable(True)
                bar.tabCloseRequested.connect(
                    lambda index, bar=bar: self._close(bar.tabText(index))
                )
                bar.destroyed.connect(lambda _bar=None, bar=bar: self._known.discard(bar))

    def _close(self, title: str) -> None:
        for dock in self._docks:
            if dock.windowTitle() == title:
                dock.close()
