"""The rail of questions on the window's left: an icon and a word each, one of them open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QScrollArea,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.basics.literal_menu import plain
from gui.basics.theme import GRID

_LEAST_HEIGHT = 40 * GRID


class RailBar(QToolBar):
    """The rail's place: the whole height of the window, beside the docks."""

    def __init__(self, rail: Rail) -> None:
        super().__init__("Questions")
        self.setObjectName("rail_bar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self.addWidget(rail)

    def changeEvent(self, event: QEvent) -> None:
        """No margins: a bar takes those of the style until its sheet of styles is first changed."""
        super().changeEvent(event)
        layout = self.layout()
        if event.type() == QEvent.Type.StyleChange and layout is not None:
            layout.setContentsMargins(0, 0, 0, 0)


class Rail(QScrollArea):
    """Buttons of checkable actions, top to bottom; it scrolls where there are too many.

    The button that has the focus, and the one of the page that opens, come into sight.
    """

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAccessibleName("Questions")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self._content = QWidget()
        layout = QVBoxLayout(self._content)
        # its bar has margins; a style sheet may make the buttons a little wider when they are shown
        layout.setContentsMargins(0, 0, GRID // 4, 0)
        layout.setSpacing(0)
        for action in actions:
            layout.addWidget(self._button(action))
        layout.addStretch(1)
        self.setWidget(self._content)
        self._content.setAutoFillBackground(False)  # the style sheet colours the rail
        self._content.installEventFilter(self)
        self.verticalScrollBar().rangeChanged.connect(lambda *_range: self._fit_width())
        self._fit_width()

    def sizeHint(self) -> QSize:
        """As high as all buttons; less is scrolled."""
        return QSize(self.width(), self._whole_height())

    def minimumSizeHint(self) -> QSize:
        """Room for some questions; the others are scrolled to."""
        return QSize(self.width(), min(self._whole_height(), _LEAST_HEIGHT))

    def _whole_height(self) -> int:
        return self._content.sizeHint().height() + 2 * self.frameWidth()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the focus, and buttons that become wider."""
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QToolButton):
            self.ensureWidgetVisible(watched, 0, 0)
        elif event.type() == QEvent.Type.LayoutRequest and watched is self._content:
            self._fit_width()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the open page's button in sight."""
        super().resizeEvent(event)
        for button in self._content.findChildren(QToolButton):
            if button.isChecked():
                self.ensureWidgetVisible(button, 0, 0)

    def _fit_width(self) -> None:
        """As wide as the widest word, beside the scroll bar while there is one."""
        bar = self.verticalScrollBar()
        scrolls = bar.maximum() > bar.minimum()
        wide = self._content.sizeHint().width() + 2 * self.frameWidth()
        self.setFixedWidth(wide + (bar.sizeHint().width() if scrolls else 0))

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"rail_{action.objectName()}")
        button.setDefaultAction(action)
        button.setAccessibleName(plain(action.text()))
        button.setAccessibleDescription(action.statusTip())
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(5 * GRID // 2, 5 * GRID // 2))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.installEventFilter(self)
        button.toggled.connect(partial(self._show, button))
        return button

    def _show(self, button: QToolButton, checked: bool) -> None:
        if checked:
            self.ensureWidgetVisible(button, 0, 0)
