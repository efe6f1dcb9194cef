"""The rail of questions on the window's left: an icon and a word each, one of them open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.basics.theme import GRID


class Rail(QFrame):
    """Buttons of checkable actions, top to bottom."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAccessibleName("Questions")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
        layout.setSpacing(0)
        for action in actions:
            layout.addWidget(self._button(action))
        layout.addStretch(1)

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"rail_{action.objectName()}")
        button.setDefaultAction(action)
        button.setAccessibleName(action.text())
        button.setAccessibleDescription(action.statusTip())
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(5 * GRID // 2, 5 * GRID // 2))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button
