"""Analyse › Compute on…: this machine, or the workers of a Dask scheduler.

What falls into independent pieces goes there (`gui.basics.remote_client`): decision maps, loads
that flip a plan, simulations, starts of a mapping, strategies of a comparison. Where the scheduler
is lost, this machine goes on, and the notice says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from gui.basics import remote_client as elsewhere
from gui.basics.background_jobs import LatestWins
from gui.basics.remote_client import RemoteWorkers
from gui.basics.settings import Settings
from gui.shell.actions import ActionSpec
from gui.shell.places import Places
from machines.errors import capital

if TYPE_CHECKING:
    from gui.shell.compute_dialog import ComputeDialog


class ComputeOn(QObject):
    """The setting, its dialog, and what workers have to say."""

    noted = Signal(str)  # what is to be known
    told = Signal(str)  # a passing message
    _heard = Signal(object, object)  # from any thread: Elsewhere, (is it to be known, text)

    def __init__(self, settings: Settings, window: Places) -> None:
        super().__init__(window)
        self.setObjectName("compute_on")
        self._settings, self._window = settings, window
        self.dialog: ComputeDialog | None = None
        self._warming = LatestWins(self, "first relay")
        window.commands.handle({"compute_on": self.ask})
        self._heard.connect(self._say, Qt.ConnectionType.QueuedConnection)
        self._use(settings.scheduler)

    def ask(self) -> None:
        """Open the dialog."""
        from gui.shell.compute_dialog import ComputeDialog  # noqa: PLC0415 - not at the start

        if self.dialog is None:
            self.dialog = ComputeDialog(self._window)
            self.dialog.chosen.connect(self._choose)
        self.dialog.offer(self._settings.scheduler)
        self.dialog.open()

    def close(self) -> None:
        """End what talks to a scheduler."""
        elsewhere.use(None)

    def _choose(self, address: str) -> None:
        self._settings.scheduler = address
        self._use(address)
        there = f"the workers of {address}" if address else "this machine"
        self.told.emit(f"From now on computed on {there}")
        if (new := elsewhere.current()) is not None:
            self._warming.request(lambda _stop: new.warm_up())

    def _use(self, address: str) -> None:
        if not address:
            elsewhere.use(None)
            return

        def note(text: str) -> None:
            self._heard.emit(there, (True, text))

        def tell(text: str) -> None:
            self._heard.emit(there, (False, text))

        there = RemoteWorkers(address, note, tell)
        elsewhere.use(there)

    def _say(self, there: object, said: tuple[bool, str]) -> None:
        important, text = said
        if there is elsewhere.current():
            (self.noted if important else self.told).emit(capital(text))


def compute_specs() -> tuple[ActionSpec, ...]:
    """The action that says where to compute."""
    return (
        ActionSpec(
            "compute_on",
            "Compute on…",
            "Analyse",
            "Use a Dask cluster for decision maps, break-even loads, simulations and searches",
            group=2,
        ),
    )
