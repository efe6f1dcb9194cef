"""A chip a machine that says who runs there: "server: 4 analyse"; names outlast the words.

Chips share one row: where it is short, words are cut first; where even the names are too many, the
row scrolls by wheel, arrows and keyboard focus.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from advisor.advice.places import Place
from advisor.basics.quantities import count
from gui.basics.theme import GRID
from gui.basics.tips import plain_tip

_PAD = 2 * GRID + 2  # of a chip, both sides together
_MOST, _MOST_IDLE = 40, 2  # chips; more machines are one chip
_NAME, _WORDS = 24, 34  # letters of a name that are kept, and of a chip whose row scrolls anyway


class Chip(QToolButton):
    """A machine and its tasks."""

    entered = Signal(object)  # bool: whether the pointer is over it

    def __init__(self, name: str, words: str, tasks: frozenset[int], machine: int | None) -> None:
        super().__init__()
        self.name, self.words, self.tasks, self.machine = name, words, tasks, machine
        self.setProperty("role", "view")
        self.setProperty("beside", True)
        self.setObjectName(f"answer.chip{'s' if machine is None else machine}")
        self.setAccessibleName(f"{name}: {words}")
        self.setToolTip(plain_tip(f"{name}: {words}"))

    @property
    def full(self) -> int:
        """The width that shows all of it."""
        return self._width(f"{self.name}: {self.words}")

    @property
    def least(self) -> int:
        """The width that still shows the name."""
        return min(self.full, self._width(f"{self.name[:_NAME]}: …"))

    def fit(self, width: int) -> None:
        """Show what fits; the end is cut first."""
        self.setFixedWidth(width)
        room, right = width - _PAD, Qt.TextElideMode.ElideRight
        metrics, name = self.fontMetrics(), self.name
        if width < self.full:
            most = max(room // 2, room - metrics.horizontalAdvance(f": {self.words}"))
            name = metrics.elidedText(name, right, most)
        text = metrics.elidedText(f"{name}: {self.words}", right, room)
        self.setText(text.replace("&", "&&"))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Point at its tasks."""
        super().enterEvent(event)
        self.entered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self.entered.emit(False)

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + _PAD + 2


class MachineChips(QWidget):
    """The row of chips between two arrows, which are there while it scrolls."""

    pointed = Signal(object)  # frozenset of tasks under the pointer
    chosen = Signal(object)  # Chip that was clicked

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("answer.chips")
        self.setAccessibleName("Who runs where")
        self._places: tuple[Place, ...] = ()
        self.chips: tuple[Chip, ...] = ()
        self._inside = QWidget()
        self._row = QHBoxLayout(self._inside)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GRID // 2)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidget(self._inside)
        for policy in (
            self._area.setHorizontalScrollBarPolicy,
            self._area.setVerticalScrollBarPolicy,
        ):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._back = self._arrow(Qt.ArrowType.LeftArrow, "back", -1)
        self._on = self._arrow(Qt.ArrowType.RightArrow, "on", 1)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        for widget in (self._back, self._area, self._on):
            line.addWidget(widget, int(widget is self._area))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """One row of buttons."""
        return QSize(20 * GRID, self.fontMetrics().height() + 2 * GRID)

    def show_places(self, places: tuple[Place, ...]) -> None:
        """Show who runs where."""
        if places == self._places:
            return
        self._places = places
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.chips = tuple(_chips(places))
        for chip in self.chips:
            chip.entered.connect(
                lambda over, chip=chip: self.pointed.emit(chip.tasks if over else frozenset())
            )
            chip.clicked.connect(lambda _on=False, chip=chip: self.chosen.emit(chip))
            self._row.addWidget(chip)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the words anew."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The row goes sideways."""
        self._scroll(-event.angleDelta().y() / 120)
        event.accept()

    def _arrow(self, way: Qt.ArrowType, name: str, sign: int) -> QToolButton:
        arrow = QToolButton()
        arrow.setObjectName(f"answer.chips_{name}")
        arrow.setArrowType(way)
        arrow.setAutoRaise(True)
        arrow.setAutoRepeat(True)
        arrow.setToolTip("More machines")
        arrow.clicked.connect(lambda _on=False: self._scroll(sign))
        arrow.hide()
        return arrow

    def _scroll(self, steps: float) -> None:
        bar = self._area.horizontalScrollBar()
        bar.setValue(bar.value() + round(steps * 16 * GRID))

    def _fit(self) -> None:
        """Give each chip its width."""
        between = max(0, len(self.chips) - 1) * self._row.spacing()
        room = self.width() - between
        scrolls = sum(chip.least for chip in self.chips) > room
        longest = _longest(self.chips, room)
        if scrolls:
            longest = _WORDS * self.fontMetrics().averageCharWidth()
        for chip in self.chips:
            chip.fit(max(chip.least, min(chip.full, longest)))
        for arrow in (self._back, self._on):
            arrow.setVisible(scrolls)
        self._inside.resize(sum(chip.width() for chip in self.chips) + between, self.height())


def _longest(chips: Sequence[Chip], room: int) -> int:
    """The greatest width of a chip with which all have room."""
    low, high = 0, max((chip.full for chip in chips), default=0)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(max(chip.least, min(chip.full, middle)) for chip in chips) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _chips(places: Sequence[Place]) -> list[Chip]:
    """A chip a machine; many idle ones, and those beyond the most, are one together."""
    used = [place for place in places if place.tasks]
    idle = [place for place in places if not place.tasks]
    shown, rest = used[:_MOST], used[_MOST:]
    made = [Chip(one.name, one.words, frozenset(one.tasks), one.machine) for one in shown]
    if rest:
        tasks = frozenset(task for place in rest for task in place.tasks)
        name = count(len(rest), "more machine")
        made.append(Chip(name, count(len(tasks), "task"), tasks, None))
    if len(idle) > _MOST_IDLE:
        made.append(Chip(f"{len(idle):,} machines", "idle", frozenset(), None))
    else:
        made += [Chip(one.name, one.words, frozenset(), one.machine) for one in idle]
    return made
