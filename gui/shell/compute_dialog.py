"""The dialog that asks where to compute, and tries an address before it is taken."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.reading_order import InReadingOrder
from gui.basics.remote_client import reachable
from gui.basics.theme import GRID
from gui.basics.validation_style import SIGN, mark_wrong
from gui.studies.picture.export_fields import push_button
from machines.errors import PlacewiseError
from machines.stopping import stoppable

_ABOUT = (
    "Decision maps, break-even loads, simulations, mappings with several starts, all "
    "strategies of Compare and the cases of campaigns are computed there, with the same answers; "
    "everything else on this machine. If the scheduler is lost, this machine computes the rest; a "
    "campaign stops, and Resume computes what is missing."
)
_HOW = (
    "Start one with “dask scheduler --dashboard-address 127.0.0.1:0”, else Dask's own pages are "
    "seen by the whole network, and workers with “dask worker ADDRESS” and the same option where "
    "this version of Placewise is installed. Whoever reaches a scheduler can run programs on its "
    "workers: use one in a network that you trust."
)


class ComputeDialog(InReadingOrder, QDialog):
    """Asks for this machine, or for an address, which is tried."""

    chosen = Signal(str)  # address; empty: this machine

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compute_on_dialog")
        self.setWindowTitle("Compute on")
        self.setMinimumWidth(72 * GRID)
        self.here = _choice("compute_here", "&This machine", "Nothing leaves this computer")
        self.there = _choice(
            "compute_there", "The workers of a Dask &scheduler", "It must run already"
        )
        self._choices = QButtonGroup(self)
        for button in (self.here, self.there):
            self._choices.addButton(button)
        self.address = QLineEdit()
        self.address.setObjectName("compute_address")
        self.address.setAccessibleName("Address of the scheduler")
        self.address.setPlaceholderText("tcp://host:8786")
        self.address.setToolTip(
            "The address that the scheduler prints at its start, e.g. tcp://host:8786"
        )
        self.message = _text("compute_message", "")
        self.close_button = push_button("compute_close", "Close", "Change nothing")
        self.anyway_button = push_button(
            "compute_anyway", "Use it all the same", "This machine computes until it answers"
        )
        self.use_button = push_button("compute_use", "Use", "Connect, and compute there")
        self.use_button.setProperty("primary", "true")
        self.use_button.setDefault(True)
        self._asking = LatestWins(self, "trying a scheduler")
        self._asked = ""
        self._lay_out()
        self._connect()

    def offer(self, address: str) -> None:
        """Begin with what holds now."""
        self._asking.cancel()
        (self.there if address else self.here).setChecked(True)
        self.address.setText(address)
        self._fit()

    def done(self, result: int) -> None:
        """Closed: nobody waits for an answer any more."""
        self._asking.cancel()
        super().done(result)

    def _fit(self) -> None:
        """What can be done now; what an address that was tried said is about that one only."""
        self._asking.cancel()
        self.address.setEnabled(self.there.isChecked())
        self.anyway_button.hide()
        mark_wrong(self.address, False)
        self._say("")
        known = self.here.isChecked() or bool(self.address.text().strip())
        self.use_button.setEnabled(known)

    def _use(self) -> None:
        self._asked = self.address.text().strip() if self.there.isChecked() else ""
        if not self._asked:
            self._take("")
            return
        address = self._asked
        self.use_button.setEnabled(False)
        self._say(f"Asking {address} …")
        self._asking.request(partial(_reached, address))

    def _take(self, _said: object) -> None:
        self.accept()
        self.chosen.emit(self._asked)

    def _refuse(self, error: PlacewiseError) -> None:
        self.use_button.setEnabled(True)
        self.anyway_button.show()
        mark_wrong(self.address, True)
        self._say(sentence(error), wrong=True)

    def _say(self, text: str, wrong: bool = False) -> None:
        self.message.setText(f"{SIGN} {text}" if wrong else text)
        mark_wrong(self.message, wrong)

    def _connect(self) -> None:
        self._asking.done.connect(self._take)
        self._asking.failed.connect(self._refuse)
        self.there.toggled.connect(lambda _on: self._fit())
        self.address.textChanged.connect(lambda _text: self._fit())
        self.close_button.clicked.connect(self.reject)
        self.anyway_button.clicked.connect(lambda: self._take(None))
        self.use_button.clicked.connect(self._use)

    def _lay_out(self) -> None:
        body = QVBoxLayout(self)
        body.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        body.setSpacing(GRID)
        for widget in (
            _text("compute_about", _ABOUT),
            self.here,
            self.there,
            self.address,
            _text("compute_how", _HOW),
            self.message,
        ):
            body.addWidget(widget)
        body.addStretch(1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.close_button, self.anyway_button, self.use_button):
            buttons.addWidget(button)
        body.addLayout(buttons)


def _reached(address: str, stop: ShouldStop) -> str:
    with stoppable(stop):
        return reachable(address)


def _choice(name: str, text: str, hint: str) -> QRadioButton:
    button = QRadioButton(text)
    button.setObjectName(name)
    button.setToolTip(hint)
    return button


def _text(name: str, text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
