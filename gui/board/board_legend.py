"""What the colours of the bars mean, causes of time or kinds of task, and the lines behind them."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Self

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from advisor.allocation.timeline_modes import FAIR
from advisor.basics import causes
from advisor.programs.program import PROGRAM_CAUSES
from advisor.project.project import Project
from gui.basics.ink import LEFT, Ink
from gui.basics.snapshots import snapshot_of
from gui.basics.theme import GRID, theme
from gui.board.cards import GUESS, SWATCH
from gui.board.lanes import Kinds

_MOST = 16
_LINES = 3
_MARGIN = 2.0 * GRID
_LINE = 3.0  # thickness of a line's sample
_MORE = "…"
SLACK = "slack: could end so much later"
CRITICAL, SLOWED = "critical path", "n times as long as alone"
EXPECTED = "where 4 of 5 runs end"
_MARKS = (CRITICAL, SLOWED, EXPECTED)
_MARKS_OF_GRAPH = (CRITICAL,)
GUESSED = "guessed: told by no file"
_ALWAYS: tuple[str, ...] = (causes.COMPUTING, causes.PROCESSOR_WAIT, causes.TRANSFERRING)


class Legend(QWidget):
    """Coloured squares with words in up to three lines, as many as there is room for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("board-legend")
        self._kinds: Kinds | None = None
        self._causes = self._possible = _ALWAYS
        self._marks: tuple[str, ...] = _MARKS
        self._slack: tuple[str, ...] = ()
        self._guessed: tuple[str, ...] = ()
        self._ink = Ink(self.font())
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setRetainSizeWhenHidden(True)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._renew)
        self._renew()

    @property
    def names(self) -> tuple[str, ...]:
        """The entries, in order."""
        coloured = self._causes if self._kinds is None else self._kinds.names[:_MOST]
        return coloured + self._slack + self._guessed

    @property
    def marks(self) -> tuple[str, ...]:
        """The entries behind them, which no colour tells."""
        return self._marks

    def set_view(self, view: str, by_kind: bool) -> None:
        """Show what the schedule draws, or the graph; this one has a legend of machines itself."""
        drawn = view == "graph"
        self._marks = _MARKS_OF_GRAPH if drawn else _MARKS
        self.setVisible(by_kind or not drawn)
        self.update()

    def set_kinds(self, kinds: Kinds | None) -> None:
        """Show kinds of task; None: causes of time."""
        self._kinds = kinds
        self._renew()

    def set_causes(self, present: Iterable[str], possible: Iterable[str] = ()) -> None:
        """Show those causes of time beside the ones that every schedule may have.

        There is room for all `possible` ones, so that the board stays where it is when a move
        brings another one.
        """
        shown = {*_ALWAYS, *present}
        self._causes = _ordered(shown)
        self._possible = _ordered({*shown, *possible})
        self._renew()

    def set_slack(self, shown: bool) -> None:
        """Say what the lines behind bars are, while they are shown."""
        slack = (SLACK,) if shown else ()
        if slack != self._slack:
            self._slack = slack
            self._renew()

    def set_guessed(self, shown: bool) -> None:
        """Say what the mark before a figure is, where figures of opened files are guesses."""
        guessed = (GUESSED,) if shown else ()
        if guessed != self._guessed:
            self._guessed = guessed
            self._renew()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self.heightForWidth(1 << 16))

    def hasHeightForWidth(self) -> bool:
        """More lines where it is narrow."""
        return True

    def heightForWidth(self, width: int) -> int:
        """So many lines as the entries that may come take, in either view."""
        names = self._possible + self._slack + self._guessed if self._kinds is None else self.names
        names += _MARKS
        lines = 1 + max((line for _, line, _ in self._places(width, names)), default=0)
        return round(lines * self._ink.small_line) + GRID

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Entries from left to right, line by line; an ellipsis for those without room."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.render_to(painter, QRectF(self.rect()))

    def still(self) -> Self:
        """What draws the entries of this moment, on any thread."""
        made = snapshot_of(self)
        made._ink = Ink(self.font())
        return made

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the entries into `rect`."""
        height = self._ink.small_line
        places = self._places(round(rect.width()))
        top = rect.top() + GRID / 2
        for index, (x, line, name) in enumerate(places):
            box = QRectF(rect.left() + x, top + line * height, rect.width() - x, height)
            if name == _MORE:
                self._ink.write(painter, box, _MORE, self._ink.muted, self._ink.small)
                return
            self._paint_sample(painter, QPointF(box.left(), box.center().y()), index, name)
            box.setLeft(box.left() + SWATCH + 6)
            self._ink.write(painter, box, name, self._ink.muted, self._ink.small, LEFT)

    def _paint_sample(self, painter: QPainter, at: QPointF, index: int, name: str) -> None:
        """A line as behind the bars, a mark on them, or a square of their colour."""
        box = QRectF(at.x(), at.y() - SWATCH / 2, SWATCH, SWATCH)
        if name == SLOWED:
            self._ink.write(painter, box, "×", self._ink.text, self._ink.small_bold)
            return
        if name == GUESSED:
            self._ink.write(painter, box, GUESS, self._ink.text, self._ink.small_bold)
            return
        if name == EXPECTED:
            band = QRectF(at.x(), at.y() - _LINE, SWATCH, 2 * _LINE)
            painter.fillRect(band, self._ink.worse_surface)
            painter.setPen(QPen(self._ink.worse, 1.0))
            painter.drawLine(band.center() - QPointF(0, _LINE), band.center() + QPointF(0, _LINE))
            return
        if name == CRITICAL:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._ink.text, 2.0))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 2, 2)
            return
        if name in self._slack:
            line = QRectF(at.x(), at.y() - _LINE / 2, SWATCH, _LINE)
            painter.fillRect(line, self._ink.muted)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().cause(name) if self._kinds is None else self._ink.kind(index))
        painter.drawRoundedRect(box, 2, 2)

    def _places(
        self, width: int, names: tuple[str, ...] | None = None
    ) -> list[tuple[float, int, str]]:
        """(x, line, name) of every entry that there is room for, then perhaps an ellipsis."""
        found: list[tuple[float, int, str]] = []
        x, line = _MARGIN, 0
        for name in (*self.names, *self._marks) if names is None else names:
            needed = self._ink.width(name, self._ink.small) + SWATCH + 3 * GRID
            if x + needed > width and x > _MARGIN:
                if line + 1 == _LINES:
                    return [*found, (x, line, _MORE)]
                x, line = _MARGIN, line + 1
            found.append((x, line, name))
            x += needed
        return found

    def _renew(self) -> None:
        self._ink = Ink(self.font())
        what = "causes of time" if self._kinds is None else "kinds of task"
        self.setAccessibleName(f"Colours of {what}: {', '.join(self.names)}")
        self.setToolTip(f"Colours: {what}")
        self.updateGeometry()
        self.update()


def _ordered(names: set[str]) -> tuple[str, ...]:
    """Causes in their fixed order."""
    return tuple(cause for cause in causes.CAUSES if cause in names)


def possible_causes(project: Project) -> tuple[str, ...]:
    """Causes that time may have with some plan of a project, whatever it is spent on now."""
    platform = project.platform
    found: list[str] = []
    if any(machine.contenders for machine in platform.machines) or any(
        link.slowdown is not None and link.slowdown > 1.0 for link in platform.links
    ):
        found.append(causes.LINK_WAIT)
    if project.sharing == FAIR:
        found.append(causes.LINK_SHARING)
        if platform.runtime.task_overhead_s > 0.0:
            found.append(causes.STARTING)
        if any(machine.memory_bandwidth for machine in platform.machines) and any(
            task.memory_bandwidth for task in project.workload.tasks
        ):
            found.append(causes.MEMORY_SHARING)
    if any(map(attrgetter("program"), project.workload.tasks)):
        found += PROGRAM_CAUSES
    return tuple(found)
