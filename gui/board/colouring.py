"""What the colours of the board tell: kinds of task where there are any, else causes of time.

One choice for both views, kept for the next start. It holds in a project whose tasks share kinds
when it is opened, or from when it is asked for; what is drawn or removed later does not change it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox

from gui.basics.settings import Settings
from gui.board.board_legend import Legend
from gui.board.graph_view import GraphView
from gui.board.lanes import Kinds
from gui.board.schedule_view import ScheduleView


class Colouring(QObject):
    """Keeps the box, the views and the legend of one mind.

    `by_kind`: whether colours tell kinds of task now.
    """

    changed = Signal(object)  # bool: by kind

    def __init__(
        self, box: QCheckBox, legend: Legend, views: tuple[ScheduleView, GraphView]
    ) -> None:
        super().__init__(box)
        self._box, self._legend, self._views = box, legend, views
        self._settings: Settings | None = None
        self._wanted = True
        self._settled = False  # kinds were telling when this project was opened, or asked for
        self._kinds: Kinds | None = None
        self.by_kind = False
        box.toggled.connect(self.choose)

    def remember(self, settings: Settings) -> None:
        """Begin as the last time, and keep what is chosen."""
        self._settings, self._wanted = settings, settings.kind_colours
        self._apply()

    def take(self, kinds: Kinds | None) -> None:
        """Show these kinds; None: another project is being opened."""
        if kinds is None:
            self._settled = False
        elif self._kinds is None and not self._settled:
            self._settled = kinds.telling
        if kinds is not self._kinds:
            self._kinds = kinds
            self._apply(renewed=True)

    def choose(self, by_kind: bool) -> None:
        """The user wants colours by kind, or not."""
        self._wanted, self._settled = by_kind, True
        if self._settings is not None:
            self._settings.kind_colours = by_kind
        self._apply()
        self.changed.emit(self.by_kind)

    def _apply(self, renewed: bool = False) -> None:
        kinds = self._kinds
        by_kind = self._wanted and self._settled and kinds is not None
        if by_kind == self.by_kind and not renewed:
            return
        self.by_kind = by_kind
        with QSignalBlocker(self._box):
            self._box.setChecked(by_kind)
        for view in self._views:
            view.set_by_kind(by_kind)
        self._legend.set_kinds(kinds if by_kind else None)
        self.changed.emit(by_kind)
