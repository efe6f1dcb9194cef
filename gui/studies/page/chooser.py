"""A short row of views to choose from; those that have no room are in a menu at its end.

Left and Right go from view to view as in a row of tabs; the menu opens with Space or Down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gui.basics.literal_menu import Menu, literal, plain
from gui.basics.theme import GRID
from machines.errors import capital

_MORE = "More"
_AT_ONCE = 4  # buttons
_LEAST_NAME = 24 * GRID  # of the menu's button: beyond it buttons go first


class ViewChooser(QWidget):
    """Buttons for the views, by their places."""

    chosen = Signal(object)  # int, by the user

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_views")
        self.setAccessibleName("Views")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._choose)
        self.buttons: list[QToolButton] = []
        self._spare: list[QToolButton] = []  # prepared, hidden
        self._titles: tuple[str, ...] = ()
        self._current = 0
        self.menu = Menu("", self, self._fill_menu)
        self.menu.setObjectName("study_more_views")
        self.menu.triggered.connect(lambda action: self.chosen.emit(action.data()))
        self.more = QToolButton()
        self.more.setObjectName("study_more")
        self.more.setProperty("role", "view")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self.menu)
        self.more.setToolTip("More views of this study")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GRID // 2)
        self._row.addWidget(self.more)
        self._row.addStretch(1)

    @property
    def titles(self) -> tuple[str, ...]:
        """Of all views."""
        return self._titles

    def prepare(self, count: int) -> Iterator[None]:
        """Make the buttons for so many views, a few at a time; they are not shown yet."""
        while len(self.buttons) + len(self._spare) < count:
            for _ in range(min(_AT_ONCE, count - len(self.buttons) - len(self._spare))):
                self._spare.append(self._new_button(len(self.buttons) + len(self._spare)))
            yield

    def set_titles(self, titles: Sequence[str]) -> None:
        """Offer these views."""
        self._current = max(0, min(self._current, len(titles) - 1))
        self._titles = tuple(capital(title) for title in titles)
        while len(self.buttons) > len(titles):
            button = self.buttons.pop()
            self._group.removeButton(button)
            button.deleteLater()
        while len(self.buttons) < len(titles):
            place = len(self.buttons)
            self.buttons.append(self._spare.pop(0) if self._spare else self._new_button(place))
            self._group.addButton(self.buttons[-1], place)
        for button, title in zip(self.buttons, self._titles, strict=True):
            button.setText(literal(title))
            button.setAccessibleName(title)
            button.setToolTip(title)
        self._fit()

    def show_current(self, current: int, beside: Collection[int] = ()) -> None:
        """Mark the view in sight, and those that stand beside it."""
        self._current = current
        for place, button in enumerate(self.buttons):
            button.setChecked(place == current)
            shown = place in beside
            if button.property("beside") != shown:
                button.setProperty("beside", shown)
                button.style().unpolish(button)
                button.style().polish(button)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """The menu alone."""
        return QSize(self.more.sizeHint().width(), self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """One row."""
        heights = [button.sizeHint().height() for button in (*self.buttons, self.more)]
        return QSize(40 * GRID, max(heights))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the views that have room."""
        super().resizeEvent(event)
        self._fit()

    def _choose(self, place: int) -> None:
        self.chosen.emit(place)  # a signal of int does not go into one of object by itself

    def _new_button(self, place: int) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"study_view_{place}")
        button.setProperty("role", "view")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.hide()
        self._row.insertWidget(place, button)
        button.ensurePolished()
        return button

    def _fit(self) -> None:
        widths = [button.sizeHint().width() + GRID // 2 for button in self.buttons]
        shown = len(widths)
        if sum(widths) > self.width():
            while shown > 1 and sum(widths[:shown]) + self._menu_width(shown) > self.width():
                shown -= 1
        for place, button in enumerate(self.buttons):
            button.setVisible(place < shown)
        self._name_menu(shown, self.width() - sum(widths[:shown]))

    def _menu_name(self, first: int) -> str:
        """What the menu's button is called that has the views from `first` on."""
        return self._titles[self._current] if self._titles and self._current >= first else _MORE

    @property
    def _frame(self) -> int:
        """What the menu's button needs beside its text."""
        text = self.more.fontMetrics().horizontalAdvance(plain(self.more.text()))
        return self.more.sizeHint().width() - text

    def _menu_width(self, first: int) -> int:
        """Room for the menu's button; a long name may be cut."""
        text = self.more.fontMetrics().horizontalAdvance(self._menu_name(first))
        return min(text, _LEAST_NAME) + self._frame

    def _fill_menu(self, menu: Menu) -> None:
        """The views that have no room."""
        menu.clear()
        for place, (title, button) in enumerate(zip(self._titles, self.buttons, strict=True)):
            if button.isHidden():
                action = QAction(literal(title), menu)
                action.setData(place)
                action.setCheckable(True)
                action.setChecked(place == self._current)
                menu.addAction(action)

    def _name_menu(self, first: int, room: int) -> None:
        """The button is called after the view in sight, if that has no button of its own."""
        hidden, name = self._current >= first, self._menu_name(first)
        metrics, wide = self.more.fontMetrics(), max(room - self._frame, _LEAST_NAME)
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, wide)
        self.more.setText(literal(shown))
        self.more.setAccessibleName(_MORE if not hidden else f"{_MORE}: {name}")
        if self.more.property("chosen") != hidden:
            self.more.setProperty("chosen", hidden)
            self.more.style().unpolish(self.more)
            self.more.style().polish(self.more)
        self.more.setVisible(first < len(self._titles))
