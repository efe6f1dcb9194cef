"""A strip above the picture that says one thing and offers what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from gui.basics.theme import GRID

Offer = tuple[str, Callable[[], object]]


class NoticeBar(QFrame):
    """Hidden until `tell`; several notices wait for each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAccessibleName("Notice")
        self._waiting: list[tuple[str, str, Sequence[Offer]]] = []  # about what, text, offers
        self._buttons: list[QPushButton] = []
        self.label = QLabel()
        self.label.setObjectName("notice_text")
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2 * GRID, GRID, GRID, GRID)
        self._row.addWidget(self.label, 1)
        self.hide()

    def tell(
        self, text: str, offers: Sequence[Offer] = (), dismiss: str = "Close", about: str = ""
    ) -> None:
        """Show `text` with a button for each (label, command), the last one only closes.

        It takes the place of an earlier notice about the same.
        """
        self.retract(about)
        self._waiting.append((about, text, (*offers, (dismiss, _nothing)) if dismiss else offers))
        if len(self._waiting) == 1:
            self._show()

    def retract(self, about: str) -> None:
        """Drop the notice about something, which is over."""
        left = [one for one in self._waiting if not about or one[0] != about]
        if len(left) < len(self._waiting):
            self._waiting = left
            self._show()

    def clear(self) -> None:
        """Drop all notices."""
        self._waiting.clear()
        self._show()

    def _show(self) -> None:
        for button in self._buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self._buttons = []
        self.setVisible(bool(self._waiting))
        if not self._waiting:
            return
        _, text, offers = self._waiting[0]
        self.label.setText(text)
        for position, (name, command) in enumerate(offers):
            button = QPushButton(name, self)
            button.setObjectName(f"notice_offer_{position}")
            button.clicked.connect(lambda _checked=False, run=command: self._take(run))
            self._row.addWidget(button)
            self._buttons.append(button)

    def _take(self, command: Callable[[], object]) -> None:
        self._waiting.pop(0)
        self._show()
        command()


def _nothing() -> None:
    """The command of the button that only closes."""
