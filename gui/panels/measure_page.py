"""The page *Measure*: what this machine is by measuring it, as `placewise measure` does.

A process of its own measures, so that the window is no load on what it looks at more than it must.
The curve of contention stands beside both models; *Use these* takes the machines.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from advisor.measuring import peer
from advisor.measuring.measure import Measurement, measured
from advisor.measuring.measurement_words import TITLES, lines
from advisor.measuring.processors import Contention
from advisor.project.other_machines import on_platform
from advisor.studies.study import Series
from gui.basics.background_jobs import SearchProcess
from gui.basics.error_messages import sentence
from gui.basics.progress_bar import ProgressBar
from gui.basics.save_dialog import ask_file
from gui.basics.theme import GRID
from gui.basics.widget_labels import button, said
from gui.document.document import Document
from gui.plots.curve_panel import CurvePanel
from machines import InputError
from machines.errors import PlacewiseError
from machines.files import write_text

_INTRO = (
    "Speed of the cores, slowdown beside other users, memory, network and disk, in about a minute. "
    "Nothing needs to be installed, and no rights are needed; leave the machine alone meanwhile."
)
_PEER = (
    "Another machine, for the network between the two: run “placewise measure --serve HOST” there "
    "first. Empty: this machine alone."
)
_WHAT = """\
speed of a core  what one core computes in a second of processor time
contention       how much slower work gets beside contenders, and what both models say
memory           what one stream copies, and how much others slow it
network          startup and bandwidth to the peer; without one, of the loopback
disk             what is written and synced"""
_STEPS = {"a look": 1, "the speed": 5, "the network": 15, "contention": 25, "memory": 90}
_ROUND = re.compile(r"round (\d+) of (\d+)")
_AXES = ("contenders", "", "slowdown", "")


class MeasurePage(QWidget):
    """A button and its progress, the curve, and every figure in words."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("measure")
        self.setAccessibleName("Measure")
        self._document = document
        self.found: Measurement | None = None
        self.process = SearchProcess(self, "measurement", None, parental=True)
        self.peer = QLineEdit()
        self.peer.setObjectName("measure_peer")
        self.peer.setAccessibleName("Peer")
        self.peer.setPlaceholderText("this machine alone; or HOST[:PORT] of a peer")
        self.peer.setToolTip(_PEER)
        self.start_button = button("Measure", "measure_start", "Measure now, in about a minute")
        self.start_button.setProperty("primary", True)
        self.cancel_button = button("Cancel", "measure_cancel", "Stop; the last figures stay")
        self.use_button = button(
            "Use these",
            "measure_use",
            "Run the project's tasks on these machines (one undo step)",
        )
        self.save_button = button("Save…", "measure_save", "Write every figure as JSON")
        self.progress = ProgressBar()
        self.progress.setObjectName("measure_progress")
        self.progress.setFixedWidth(34 * GRID)
        self.intro, self.message = said("measure_intro", "muted"), said("measure_message")
        self.words = said("measure_words")
        self.words.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.curve = CurvePanel("measure_curve", "Slowdown beside contenders, and both models")
        self._lay_out()
        self._connect()
        self._show_busy(False)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the process."""
        self.process.close()
        super().closeEvent(event)

    def start(self) -> None:
        """Measure; a wrong address of a peer is said in its place."""
        text = self.peer.text().strip()
        try:
            address = peer.address_from(text) if text else None
        except InputError as error:
            self.message.setText(sentence(error))
            return
        self.message.clear()
        self.progress.setValue(0)
        self.process.start(measured, peer=address)

    def use(self) -> None:
        """Take the machines, as one undo step."""
        if self.found is None:
            return
        try:
            changed = on_platform(self._document.project, self.found.platform(), "measured")
        except PlacewiseError as error:
            self.message.setText(sentence(error))
            return
        self._document.apply(changed, "Use measured machines", replaces=True)
        self.message.setText("Taken. Undo brings the machines back that were there before.")

    def show_measurement(self, found: Measurement) -> None:
        """Show all figures; a curve that was refused says why in the words."""
        self.found = found
        told = (*lines(found), *found.state.warnings)
        self.words.setText("\n".join(told))
        self.words.setMinimumHeight(len(told) * self.words.fontMetrics().lineSpacing())
        self.curve.curves.set_series(curves(found.contention))
        self.curve.setVisible(bool(found.contention.points))
        self.curve.refresh_table()
        self._show_busy(False)

    def _lay_out(self) -> None:
        title = said("measure_title", "headline")
        title.setText("Measure this machine")
        self.intro.setText(_INTRO)
        label = QLabel("Peer")
        label.setBuddy(self.peer)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(label)
        row.addWidget(self.peer, 1)
        for widget in (
            self.start_button,
            self.progress,
            self.cancel_button,
            self.use_button,
            self.save_button,
        ):
            row.addWidget(widget)
        body = QVBoxLayout(self)
        body.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, GRID)
        body.setSpacing(GRID)
        for one in (title, self.intro):
            body.addWidget(one)
        body.addLayout(row)
        body.addWidget(self.message)
        body.addWidget(self.curve, 1)
        body.addWidget(self.words)
        body.addStretch(0)
        body.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.curve.hide()
        self.words.setText(_WHAT)

    def _connect(self) -> None:
        self.start_button.clicked.connect(lambda _checked=False: self.start())
        self.cancel_button.clicked.connect(lambda _checked=False: self.process.cancel())
        self.use_button.clicked.connect(lambda _checked=False: self.use())
        self.save_button.clicked.connect(lambda _checked=False: self._ask_file())
        self.peer.returnPressed.connect(self.start)
        self.process.busy.connect(self._show_busy)
        self.process.progress.connect(self._tell)
        self.process.done.connect(self._take)
        self.process.failed.connect(lambda error: self.message.setText(sentence(error)))

    def _tell(self, text: object) -> None:
        words = str(text)
        self.progress.setValue(share_done(words))
        self.progress.say(words)

    def _take(self, found: object) -> None:
        if isinstance(found, Measurement):
            self.show_measurement(found)
        else:
            self.message.setText("Cancelled.")

    def _show_busy(self, busy: bool) -> None:
        for widget in (self.progress, self.cancel_button):
            widget.setVisible(busy)
        self.start_button.setVisible(not busy)
        self.start_button.setText("Measure" if self.found is None else "Measure again")
        for widget in (self.use_button, self.save_button):
            widget.setVisible(self.found is not None and not busy)
        self.peer.setEnabled(not busy)

    def _ask_file(self) -> None:
        found = self.found
        if found is None:
            return

        def write(path: Path, _format: int) -> None:
            try:
                write_text(path, json.dumps(found.document(), indent=1) + "\n")
            except PlacewiseError as error:
                self.message.setText(sentence(error))
            else:
                self.message.setText(f"Written: {path}")

        ask_file(self, "Save the measurement", [("Every figure", ".json")], found.host.name, write)


def share_done(words: str) -> int:
    """How much of a measurement is done where that is told, %."""
    known = next((share for text, share in _STEPS.items() if words.startswith(text)), 0)
    found = _ROUND.search(words)
    if found is None:
        return known
    rounds = int(found[1]) - 1, int(found[2])
    return known + round((_STEPS["memory"] - known) * rounds[0] / rounds[1])


def curves(found: Contention) -> tuple[Series, ...]:
    """What was measured with its range, and what both models say."""
    if not found.points:
        return ()
    contenders = tuple(float(one.contenders) for one in found.points)
    slowdowns = [one.slowdown for one in found.points]
    return (
        Series("measured", contenders, tuple(one.value for one in slowdowns), *_AXES, counts=True),
        Series(
            "90 % range", contenders, tuple(one.high for one in slowdowns), *_AXES, kind="band",
            lower=tuple(one.low for one in slowdowns), counts=True,
        ),
        *(
            Series(
                title, contenders, tuple(one.predicted[model] for one in found.points), *_AXES,
                counts=True,
            )
            for model, title in TITLES.items()
        ),
    )  # fmt: skip
