"""A strip over the foot of a page that says one thing and offers what can be done about it.

It lies over the page, which keeps its place when the strip comes and goes. One line high, it covers
the line of hints there and no picture; what is cut of its text is in the tooltip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMessageBox, QPushButton, QWidget

from gui.basics.steady import SteadyLine
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
        self._page: QWidget | None = None
        self.label = SteadyLine("notice_text")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2 * GRID, 0, GRID, 0)
        self._row.setSpacing(2 * GRID)
        self._row.addWidget(self.label, 1)
        self.hide()

    def lie_over(self, page: QWidget) -> None:
        """Take the foot of `page`, of any size."""
        self._page = page
        self.setParent(page.parentWidget())
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page has another size or place."""
        if watched is self._page and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._settle()
        return False

    def _settle(self) -> None:
        """Lie over the foot of the page, one line high."""
        if self._page is None or self.isHidden():
            return
        place = self._page.geometry()
        high = min(self.label.height(), place.height())
        self.setGeometry(place.left(), place.bottom() + 1 - high, place.width(), high)
        self.raise_()

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

    def tell_all(self, notes: Sequence[str], about: str = "") -> None:
        """Show the first of some notes; a button lists all of them."""
        if not notes:
            return
        every = (f"All {len(notes)} notes", lambda: self._list(notes))
        self.tell(notes[0], (every,) if len(notes) > 1 else (), about=about)

    def _list(self, notes: Sequence[str]) -> None:
        box = QMessageBox(QMessageBox.Icon.Information, "Notes", "", parent=self.window())
        box.setObjectName("notes")
        box.setText("\n\n".join(notes))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

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
            button.setProperty("role", "link")  # no higher than the line
            button.setMaximumHeight(self.label.height())
            button.clicked.connect(lambda _checked=False, run=command: self._take(run))
            self._row.addWidget(button)
            self._buttons.append(button)
            button.show()  # or the row would not count it yet
        self._settle()

    def _take(self, command: Callable[[], object]) -> None:
        self._waiting.pop(0)
        self._show()
        command()


def _nothing() -> None:
    """The command of the button that only closes."""
