"""The player below the picture of a tree: an operation in model time, played or dragged through.

A whole operation takes four seconds. Where motion is switched off only the slider is left. The
timer runs while something is played and in sight, never else.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic as now_s

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from advisor.basics.units import Unit
from gui.basics.icons import icon
from gui.basics.settings import Settings
from gui.basics.theme import GRID, theme
from gui.basics.wheel import ChoiceBox, ValueSlider
from gui.studies.picture.step_buttons import tool_button
from gui.studies.tree.tree_drawing import BROADCAST, OPERATIONS, US
from gui.studies.tree.tree_words import time_text

RUN_S = 4.0
_TICK_MS = 16
_STEPS = 1000


class TreeClock(QWidget):
    """Chooses an operation and a moment of it.

    `time`: the moment, µs of the model.
    """

    moved = Signal(object)  # float: the moment

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tree_clock")
        self.time = 0.0
        self._latencies: dict[str, float] = {}
        self.play: QToolButton = tool_button("tree_play", "Play", "")
        self.operation = ChoiceBox()
        self.operation.setObjectName("tree_operation")
        self.operation.setAccessibleName("Operation that is played")
        self.operation.setToolTip("Whose critical path and moments are shown")
        for name in OPERATIONS:
            self.operation.addItem(name.capitalize(), name)
        self.slider = ValueSlider(Qt.Orientation.Horizontal)
        self.slider.setObjectName("tree_moment")
        self.slider.setAccessibleName("Moment of the operation")
        self.slider.setToolTip("Drag to see which processes have the message at a moment")
        self.slider.setRange(0, _STEPS)
        self.slider.setPageStep(_STEPS // 20)
        self.label = QLabel("–")
        self.label.setObjectName("tree_time")
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.setObjectName("tree_timer")
        self._timer.timeout.connect(self._tick)
        self._since_s = 0.0
        self._from = 0.0
        self.play.clicked.connect(self.toggle)
        self.operation.currentIndexChanged.connect(lambda _index: self._choose())
        self.slider.valueChanged.connect(self._scrub)
        theme().changed.connect(self._draw)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.setSpacing(GRID)
        row.addWidget(self.play)
        row.addWidget(self.operation)
        row.addWidget(self.slider, 1)
        row.addWidget(self.label)
        self._draw()

    @property
    def chosen(self) -> str:
        """The operation."""
        return str(self.operation.currentData() or BROADCAST)

    @property
    def latency(self) -> float:
        """How long the chosen operation takes, µs."""
        return self._latencies.get(self.chosen, 0.0)

    @property
    def is_playing(self) -> bool:
        """Whether the moment moves by itself."""
        return self._timer.isActive()

    def take(self, latencies: Mapping[str, float]) -> None:
        """Other operations, in µs; those that take as long as before go on where they are."""
        if dict(latencies) != self._latencies:
            self._latencies = dict(latencies)
            sample = f"{time_text(max(latencies.values()))} of "
            self.label.setMinimumWidth(2 * self.label.fontMetrics().horizontalAdvance(sample))
            self.stop()
            self.show_time(0.0)

    def toggle(self) -> None:
        """Play on, from the start if at the end; or pause."""
        if self.is_playing:
            self.stop()
        elif self.latency > 0.0 and self._may_move():
            self._from = 0.0 if self.time >= self.latency else self.time
            self._since_s = now_s()
            self._timer.start()
            self._draw()

    def stop(self) -> None:
        """Pause."""
        self._timer.stop()
        self._draw()

    def show_time(self, time: float) -> None:
        """Show a moment."""
        self.time = min(max(time, 0.0), self.latency)
        share = self.time / self.latency if self.latency > 0.0 else 0.0
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(_STEPS * share))
        unit = Unit.of("s", self.latency * US)
        moment = unit.text(self.time * US) if self.time else "0"
        self.label.setText(f"{moment} of {unit.text(self.latency * US)}")
        self.moved.emit(self.time)

    def showEvent(self, event: QShowEvent) -> None:
        """Offer to play only where motion is wanted."""
        super().showEvent(event)
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees does not move."""
        self.stop()
        super().hideEvent(event)

    def _may_move(self) -> bool:
        return Settings().animations

    def _tick(self) -> None:
        time = self._from + (now_s() - self._since_s) / RUN_S * self.latency
        if time >= self.latency:
            self.stop()
        self.show_time(time)

    def _scrub(self, value: int) -> None:
        self.stop()
        self.show_time(value / _STEPS * self.latency)

    def _choose(self) -> None:
        self.stop()
        self.show_time(0.0)

    def _draw(self) -> None:
        playing, may = self.is_playing, self._may_move()
        self.play.setIcon(icon("pause" if playing else "play"))
        self.play.setText("Pause" if playing else "Play")
        self.play.setAccessibleName(self.play.text())
        self.play.setVisible(may)
        hint = "Pause (Space)" if playing else "Play the operation in model time (Space)"
        self.play.setToolTip(hint)
