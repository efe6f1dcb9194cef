"""The start page: four first steps, the examples and the recent files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.basics.icons import icon
from gui.basics.literal_menu import literal
from gui.basics.settings import Settings
from gui.basics.theme import GRID, theme

_CARDS = (
    (
        "open",
        "workflow",
        "From files…",
        "A project, a workflow, the listing of a site, the log of a run: several together. You can "
        "drop them here, too.",
    ),
    (
        "empty",
        "allocation",
        "Empty project",
        "One machine and one task, to add others by hand or paste tables.",
    ),
    (
        "example",
        "two_machines",
        "Two machines, two tasks",
        "The example of Figueira & Berman: see how load on a machine changes the best allocation.",
    ),
    (
        "machine",
        "machine",
        "This machine",
        "Begin with the cores and the memory of this computer and add the others.",
    ),
)
_CARD_WIDTH = 30 * GRID
_ICON = 6 * GRID


class Card(QFrame):
    """A large button: a picture, a title and one sentence."""

    chosen = Signal()

    def __init__(self, name: str, picture: str, title: str, text: str) -> None:
        super().__init__()
        self.setObjectName(f"welcome_{name}")
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedWidth(_CARD_WIDTH)
        self._picture = picture
        self._image = QLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self._image)
        for line, role in ((title, "headline"), (text, "muted")):
            label = QLabel(line)
            label.setProperty("role", role)
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addStretch(1)
        theme().changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self._image.setPixmap(_picture(self._picture))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses it."""
        inside = self.rect().contains(event.position().toPoint())
        if inside and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space choose it."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


class Welcome(QScrollArea):
    """Shown until a project is opened, and from the File menu."""

    example_chosen = Signal(str)
    file_chosen = Signal(object)  # Path
    open_asked = Signal()
    empty_asked = Signal()
    machine_asked = Signal()
    tour_asked = Signal()
    back_asked = Signal()

    def __init__(
        self,
        settings: Settings,
        examples: tuple[tuple[str, str, str], ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        self.setAccessibleName("Start page")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._settings = settings
        self.cards: dict[str, Card] = {}
        body = QWidget()
        self.setWidget(body)
        column = QVBoxLayout()
        column.setSpacing(3 * GRID)
        outer = QHBoxLayout(body)
        outer.setContentsMargins(4 * GRID, 5 * GRID, 4 * GRID, 4 * GRID)
        outer.addStretch(1)
        outer.addLayout(column)
        outer.addStretch(1)
        column.addLayout(self._heading())
        below = QGridLayout()
        below.setHorizontalSpacing(2 * GRID)
        below.setVerticalSpacing(3 * GRID)
        self._add_cards(below)
        below.addLayout(self._examples(examples), 1, 0, 1, len(_CARDS) - 1)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(GRID // 2)
        below.addLayout(self._recent, 1, len(_CARDS) - 1)
        column.addLayout(below)
        column.addStretch(1)
        self.refresh()

    def refresh(self, opened: str = "") -> None:
        """Show the recent files as they are now, and the way back to what is `opened`."""
        name = self.fontMetrics().elidedText(opened, Qt.TextElideMode.ElideMiddle, _CARD_WIDTH)
        self.back.setText(literal(f"Back to “{name}”"))
        self.back.setVisible(bool(opened))
        while (item := self._recent.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()  # until it is deleted it would lie over the new ones
                widget.deleteLater()
        self._recent.addWidget(_label("Recent files", "headline"))
        files = self._settings.named_recent
        for path, name in files:
            text = self.fontMetrics().elidedText(
                name, Qt.TextElideMode.ElideMiddle, _CARD_WIDTH - 2 * GRID
            )
            link = _link(text, str(path), partial(self.file_chosen.emit, path))
            self._recent.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
        if not files:
            self._recent.addWidget(_label("What you open or save appears here.", "muted"))
        self._recent.addStretch(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back to what is open."""
        if event.key() == Qt.Key.Key_Escape and self.back.isVisible():
            self.back_asked.emit()
        else:
            super().keyPressEvent(event)

    def _heading(self) -> QVBoxLayout:
        box = QVBoxLayout()
        title = _label("Placewise", "title")
        font = title.font()
        font.setPointSizeF(2.0 * font.pointSizeF())
        title.setFont(font)
        box.addWidget(title)
        row = QHBoxLayout()
        text = _label(
            "Predict and plan parallel programs on heterogeneous machines.",
            "muted",
        )
        row.addWidget(text, 1)
        self.back = QPushButton()
        self.back.setObjectName("welcome_back")
        self.back.setToolTip("Esc")
        self.back.clicked.connect(self.back_asked)
        row.addWidget(self.back)
        tour = QPushButton("Take the tour")
        tour.setObjectName("welcome_tour")
        tour.setProperty("primary", not self._settings.welcomed)
        tour.setToolTip("Six steps on an example in which every choice is open")
        tour.clicked.connect(self.tour_asked)
        row.addWidget(tour)
        box.addLayout(row)
        return box

    def _add_cards(self, grid: QGridLayout) -> None:
        signals = {
            "example": lambda: self.example_chosen.emit("two-machines-loaded"),
            "open": self.open_asked.emit,
            "empty": self.empty_asked.emit,
            "machine": self.machine_asked.emit,
        }
        for place, (name, picture, title, text) in enumerate(_CARDS):
            card = Card(name, picture, title, text)
            card.chosen.connect(signals[name])
            self.cards[name] = card
            grid.addWidget(card, 0, place)

    def _examples(self, examples: tuple[tuple[str, str, str], ...]) -> QVBoxLayout:
        box = QVBoxLayout()
        box.setSpacing(GRID // 2)
        box.addWidget(_label("Examples", "headline"))
        for name, title, text in examples:
            link = _link(title, text, partial(self.example_chosen.emit, name))
            box.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        return box


def _picture(name: str) -> QPixmap:
    return icon(name).pixmap(QSize(_ICON, _ICON))


def _label(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", role)
    label.setWordWrap(True)
    return label


def _link(text: str, hint: str, run: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("role", "link")
    button.setToolTip(hint)
    button.setAccessibleDescription(hint)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    button.clicked.connect(lambda _checked=False: run())
    return button
