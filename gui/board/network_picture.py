"""The network as a small picture beside the schedule: who hangs on what, and what is busy.

Lines are wider for more bandwidth and turn to the colour of shared links as they are busy: over the
whole time, or at the time under the pointer. A click selects a link or a machine.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from advisor.basics import quantities
from gui.basics.ink import LEFT, RIGHT, Ink
from gui.basics.theme import GRID, theme
from gui.board.network_layout import MACHINE, STORE, NetworkLayout, Node
from gui.board.network_painter import (
    NetworkPlaces,
    busy_colour,
    paint_network,
    placed,
)
from gui.board.strips import Loads, Strip
from gui.document.document import Document, Outcome, Selection

_NARROW, _WIDE, _SHARE = 190, 400, 0.26
_RAMP_STEPS = 12


class NetworkPicture(QWidget):
    """The picture with its heading and the meaning of its colours.

    `layout_shown`: None before the first prediction. `time_s`: the time whose load is shown;
    ``None``: the mean until the makespan. `current`: the part in focus: nodes first, then edges.
    """

    said = Signal(object)  # str, for the status line and screen readers

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("network-picture")
        self.setAccessibleName("Network: topology and utilisation")
        self.setToolTip("Machines, stores and switches with their links")
        self.document = document
        self.layout_shown: NetworkLayout | None = None
        self.time_s: float | None = None
        self.current: int | None = None
        self._outcome: Outcome | None = None
        self._loads: Loads | None = None
        self._places: NetworkPlaces | None = None
        self._ink = Ink(self.font())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        document.selection_changed.connect(lambda _selection: self.update())
        theme().changed.connect(self._renew)

    # Contents -----------------------------------------------------------------------------

    def take(self, outcome: Outcome, layout: NetworkLayout, loads: Loads) -> None:
        """Show the network of an outcome."""
        self._outcome, self._loads = outcome, loads
        if layout is not self.layout_shown:
            self.layout_shown, self.current = layout, None
        self.update()

    def forget(self) -> None:
        """Another project was opened."""
        self._outcome = self._loads = self.layout_shown = self.current = None
        self.update()

    def set_time(self, time_s: object) -> None:
        """Show the load at a time, or over the whole time."""
        time_s = time_s if isinstance(time_s, float) else None
        if time_s is not None and self._outcome is not None:
            inside = 0.0 <= time_s <= self._outcome.prediction.makespan_s
            time_s = time_s if inside else None
        if time_s != self.time_s:
            self.time_s = time_s
            self.update()

    def fit_to(self, width: int) -> None:
        """Take a share of a board that is so wide."""
        self.setFixedWidth(round(min(max(_SHARE * width, _NARROW), _WIDE)))

    def busy(self) -> dict[tuple[str, int], float]:
        """Share of the capacity in use of every link and switch that is shared."""
        found: dict[tuple[str, int], float] = {}
        for strip in self._loads.strips if self._loads is not None else ():
            share = strip.use.busy_share
            if self.time_s is not None:
                share = strip.load_at(self.time_s)
            resource = strip.resource
            for kind, position in (("link", resource.link), ("switch", resource.switch)):
                if position is not None:
                    key = (kind, position)
                    found[key] = max(found.get(key, 0.0), share)
        return found

    @property
    def places(self) -> NetworkPlaces | None:
        """Where everything is on screen."""
        if self.layout_shown is None:
            return None
        known, area = self._places, self._area()
        if known is None or known.layout is not self.layout_shown or known.area != area:
            known = self._places = placed(self.layout_shown, self._ink, area)
        return known

    def _area(self) -> QRectF:
        head, foot = self._ink.line + 2 * GRID, 2 * self._ink.small_line + 2 * GRID
        return QRectF(GRID, head, self.width() - 2 * GRID, max(1.0, self.height() - head - foot))

    def sizeHint(self) -> QSize:
        """A narrow column."""
        return QSize(_NARROW, 240)

    # What the user does -------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select what is under the pointer."""
        places = self.places
        part = None if places is None else places.part_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and part is not None:
            self.current = part
            self._choose(part)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go through the parts, Enter selects."""
        layout, key = self.layout_shown, Qt.Key(event.key())
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}
        if layout is None:
            event.ignore()
        elif key in steps:
            parts = len(layout.nodes) + len(layout.edges)
            before = self.current if self.current is not None else (-1 if steps[key] > 0 else 0)
            self.current = (before + steps[key]) % parts
            self.said.emit(self._words(self.current).replace("\n", "; ") + ".")
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and (
            self.current is not None
        ):
            self._choose(self.current)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        """Tooltips are made when asked for."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            places = self.places
            part = None if places is None else places.part_at(QPointF(event.pos()))
            text = self.toolTip() if part is None else self._words(part)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _choose(self, part: int) -> None:
        """Select a machine or a link; of several the busiest link."""
        layout = self.layout_shown
        assert layout is not None
        if part >= len(layout.nodes):
            self.document.select(Selection(link=self._busiest_link(part - len(layout.nodes))))
        elif len(layout.nodes[part].names) == 1:
            self.document.select(_selection(layout, layout.nodes[part]))
        self.said.emit(self._words(part).replace("\n", "; ") + ".")
        self.update()

    def _busiest_link(self, edge: int) -> int:
        assert self.layout_shown is not None
        busy = self.busy()
        return max(self.layout_shown.edges[edge].links, key=lambda one: busy.get(("link", one), 0))

    def _words(self, part: int) -> str:
        """A part in words: what it is, and how busy."""
        layout = self.layout_shown
        assert layout is not None
        if part < len(layout.nodes):
            return self._node_words(part)
        edge = layout.edges[part - len(layout.nodes)]
        link = self._busiest_link(part - len(layout.nodes))
        lines = [f"link {layout.platform.links[link].name}"]
        if len(edge.links) > 1:
            lines = [f"{len(edge.links)} links, the busiest: {layout.platform.links[link].name}"]
        own = [strip for strip in self._strips() if strip.resource.link == link]
        lines += [strip.sentence(self.time_s) for strip in own]
        return "\n".join(lines if own else [*lines, "not shared by transfers"])

    def _node_words(self, part: int) -> str:
        assert self.layout_shown is not None
        node = self.layout_shown.nodes[part]
        shown = ", ".join(node.names[:4]) + (", …" if len(node.names) > 4 else "")
        what = node.kind if len(node.names) == 1 else node.label
        lines = [f"{what}: {shown}"]
        if node.inside:
            lines.append(f"with {quantities.count(len(node.inside), 'machine or store')}")
        switches = {
            switch.name: at for at, switch in enumerate(self.layout_shown.platform.switches)
        }
        own = {switches[name] for name in node.names if name in switches}
        lines += [s.sentence(self.time_s) for s in self._strips() if s.resource.switch in own]
        return "\n".join(lines)

    def _strips(self) -> tuple[Strip, ...]:
        return () if self._loads is None else self._loads.strips

    # Painting -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Heading, picture, meaning of the colours."""
        ink, places = self._ink, self.places
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), ink.board)
            painter.fillRect(QRectF(0, 0, 1, self.height()), ink.edge)
            head = QRectF(GRID, 0, self.width() - 2 * GRID, ink.line + 2 * GRID)
            ink.write(painter, head, "Network", ink.text, ink.small_bold, LEFT)
            if places is None:
                return
            focus = self.current if self.hasFocus() else None
            paint_network(painter, ink, places, self.busy(), self.document.selection, focus)
            self._paint_ramp(painter)

    def _paint_ramp(self, painter: QPainter) -> None:
        ink, width = self._ink, self.width() - 2 * GRID
        top = self.height() - 2 * ink.small_line - 1.5 * GRID
        when = "over the whole time"
        if self.time_s is not None:
            when = f"at {quantities.duration(self.time_s)}"
        line = QRectF(GRID, top, width, ink.small_line)
        ink.write(painter, line, f"busy {when}", ink.muted, ink.small)
        line.translate(0, ink.small_line + 2)
        ink.write(painter, line, "0 %", ink.muted, ink.small)
        ink.write(painter, line, "100 %", ink.muted, ink.small, RIGHT)
        left = line.left() + ink.width("0 %", ink.small) + 6
        step = (line.right() - ink.width("100 %", ink.small) - 6 - left) / _RAMP_STEPS
        for index in range(_RAMP_STEPS):
            box = QRectF(left + index * step, line.center().y() - 3, step + 0.5, 6)
            painter.fillRect(box, busy_colour(ink, index / (_RAMP_STEPS - 1)))

    def _renew(self) -> None:
        self._ink = Ink(self.font())
        self.update()


def _selection(layout: NetworkLayout, node: Node) -> Selection:
    """The machine, store or switch that a symbol is."""
    platform, (name,) = layout.platform, node.names
    if node.kind == MACHINE:
        return Selection(machine=platform.index[name])
    if node.kind == STORE:
        return Selection(store=platform.host_index[name] - len(platform.machines))
    return Selection(switch=[switch.name for switch in platform.switches].index(name))
