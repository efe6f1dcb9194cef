"""The view of a mapping: its picture, the orders to choose from, and the user's own mapping.

A process put on another node makes the order "own": one undo step of this view, told as
`edited`, so that the study's form takes it over. New pictures are prepared off the window's
thread; the one in sight stays until then.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent, QUndoCommand
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from advisor.basics.stopping import ShouldStop
from advisor.messages.mapping.changes import Standing
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.mapping.picture import MappedOrder, MappingPicture
from advisor.messages.networks import Clock
from advisor.studies.mapping.parameters import OWN
from gui.basics.jobs import LatestWins
from gui.basics.theme import GRID
from gui.plots.panel import Exports
from gui.studies.mesh.bar import mapping_bar
from gui.studies.mesh.canvas import MeshCanvas
from gui.studies.mesh.export import MappingExport
from gui.studies.mesh.facts import MeshFacts
from gui.studies.mesh.geometry import Geometry, geometry_of
from gui.studies.mesh.measures import cells_of, mapping_strip, offer_of
from gui.studies.mesh.orders import best_of, mapping_of, orders_of, own_of, own_text
from gui.studies.mesh.painter import Drawing, busiest_text
from gui.studies.picture.edited_view import EditedPictureView
from gui.studies.picture.hand import Hand

_HINT = "Drag a process to another node, or press Enter on it. Wheel: zoom; F: fit."


class MappingView(EditedPictureView):
    """Draws a `MappingPicture`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mapping_view")
        self.setAccessibleName("Mapping")
        self.picture: MappingPicture | None = None
        self._newest: MappingPicture | None = None  # what will be shown once it is prepared
        self.own: MappedOrder | None = None
        self._chosen = ""  # the name of an order; empty: the best
        self._standing: Standing | None = None
        self._geometry: Geometry | None = None
        self.readout = QLabel(_HINT)
        self.readout.setObjectName("mapping_readout")
        self.readout.setProperty("role", "muted")
        self.readout.setWordWrap(True)
        self.readout.setContentsMargins(GRID, 0, GRID, GRID // 2)
        self.canvas = MeshCanvas("mapping_canvas", "Processes on the nodes of the network")
        self.canvas.aimed.connect(self._price)
        self.canvas.dropped.connect(self._drop)
        self.canvas.said.connect(lambda text: self.readout.setText(text or _HINT))
        self.bar = mapping_bar(self.undo_stack)
        self.bar.choice.activated.connect(self._choose)
        self.bar.best.clicked.connect(self.back_to_best)
        self.bar.fit.clicked.connect(self.canvas.fit)
        self.bar.export.clicked.connect(self.open_export)
        self.measures = mapping_strip()
        self.exports = Exports(self, "mapping", self.canvas, self.canvas.table)
        self.bar.set_menu(self.exports.menu(self))
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.canvas.customContextMenuRequested.connect(self._open_menu)
        self.export_dialog: MappingExport | None = None
        self._preparing = LatestWins(self, "mapping picture")
        self._preparing.done.connect(self._take)
        self._lay_out()
        self._show_buttons()

    # Pictures -----------------------------------------------------------------------------

    def set_picture(self, picture: object) -> None:
        """Show a `MappingPicture`; order, zoom and own mapping stay where they still fit."""
        if not isinstance(picture, MappingPicture):
            return
        given, before = own_of(picture), own_of(self._newest)
        if mapping_of(given) == mapping_of(self.own):
            self.own = given  # its measures may be others now
        elif mapping_of(given) != mapping_of(before):  # not from here: the form was changed
            self.own = given
            self._chosen = "" if given is None else OWN
            self.undo_stack.clear()
        self._newest = picture
        self._prepare()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old picture dimmed until a new one comes."""
        self.canvas.set_dimmed(dimmed)

    @property
    def is_preparing(self) -> bool:
        """Whether a picture is still being prepared."""
        return self._preparing.is_busy

    @property
    def shown(self) -> MappedOrder | None:
        """The order that is shown."""
        return None if self.picture is None else self._order_in(self.picture)

    def _order_in(self, picture: MappingPicture) -> MappedOrder:
        orders = orders_of(picture, self.own)
        named = (order for order in orders if order.name == self._chosen)
        return next(named, best_of(picture, orders))

    def _prepare(self) -> None:
        """Have made what the picture needs: where channels lie and what changes start from."""
        picture = self._newest
        if picture is None:
            return
        known = self._geometry if self.picture and self.picture.network == picture.network else None
        mapping = self._order_in(picture).mapping

        def job(_should_stop: ShouldStop) -> _Prepared:
            geometry = known or geometry_of(picture.network, picture.positions)
            standing = Standing.of(picture.problem, picture.net.long, mapping)
            _ = standing.hops  # tooltips ask for it
            return _Prepared(picture, geometry, standing)

        self._preparing.request(job)

    def _take(self, prepared: object) -> None:
        if isinstance(prepared, _Prepared):
            self.picture = prepared.picture
            self._geometry, self._standing = prepared.geometry, prepared.standing
            self._show()

    def _show(self) -> None:
        picture, standing, geometry = self.picture, self._standing, self._geometry
        order = self.shown
        if picture is None or order is None or standing is None or geometry is None:
            return
        default, clock = picture.orders[0], Clock.of(picture.net)
        holders = np.full(picture.network.size, -1)
        holders[list(order.mapping)] = np.arange(len(order.mapping))
        most = max(order.measures.busiest_bytes, default.measures.busiest_bytes)
        labels, all_lines = picture.communication.labels, picture.network.kind != "crossbar"
        drawing = Drawing(geometry, order.measures.loads, most, holders, labels, all_lines)
        self.canvas.show_drawing(drawing, MeshFacts(standing, geometry.ends))
        self.canvas.setAccessibleDescription(f"{order.name}: {busiest_text(drawing)}")
        cells = cells_of(order.measures, default.measures, default.name, clock)
        self.measures.show_cells(cells, default.name)
        orders = orders_of(picture, self.own)
        best = orders.index(best_of(picture, orders))
        self.bar.offer([each.name for each in orders], best, orders.index(order))
        self._show_buttons()

    def _choose(self, index: int) -> None:
        """Show an order; who chooses the best follows it when another becomes best."""
        if self.picture is not None:
            best = best_of(self.picture, orders_of(self.picture, self.own))
            name = str(self.bar.choice.itemData(index))
            self._chosen = "" if name == best.name else name
            self._prepare()

    # The own mapping ----------------------------------------------------------------------

    @property
    def _start(self) -> Standing | None:
        """What changes start from; none while the mapping in sight is still being measured."""
        standing, order = self._standing, self.shown
        same = standing is not None and order is not None and standing.mapping == order.mapping
        return standing if same else None

    def _price(self, hand: Hand) -> None:
        """Tell what the aim would bring; only the flows that change are measured."""
        standing, picture = self._start, self.picture
        if standing is not None and picture is not None and hand.aim is not None:
            before = standing.measures()
            after = standing.moved(hand.process, hand.aim).measures()
            clock = Clock.of(picture.net)
            offer = offer_of(hand.process, hand.aim, before, after, picture.objective, clock)
            self.canvas.take_offer(offer)

    def _drop(self, hand: Hand) -> None:
        standing = self._start
        if standing is None or hand.aim is None:
            self.readout.setText("The last change is still being measured.")
            return
        labels = standing.problem.communication.labels
        name = labels[hand.process] if labels else str(hand.process)
        moved = standing.moved(hand.process, hand.aim)
        own = MappedOrder(OWN, moved.mapping, moved.measures())
        self._standing = moved
        text = f"putting process {name} on node {hand.aim}"
        self.undo_stack.push(_Step(self, text, own, OWN))

    def back_to_best(self) -> None:
        """Give the own mapping up and show the best order; a step if there is an own one."""
        if self.own is not None:
            self.undo_stack.push(_Step(self, "going back to the best", None, ""))
        else:
            self._chosen = ""
            self._prepare()

    def set_own(self, own: MappedOrder | None, chosen: str) -> None:
        """Show another own mapping, or none, and tell the form."""
        self.own, self._chosen = own, chosen
        if self._start is not None:
            self._show()
        self._prepare()
        self.edited.emit({"own": own_text(own)})

    @property
    def chosen(self) -> str:
        """The name of the order that the user chose; empty: the best."""
        return self._chosen

    # Export and layout --------------------------------------------------------------------

    def open_export(self) -> None:
        """Open the dialog that writes the shown mapping for a launcher."""
        picture, order = self.picture, self.shown
        if picture is None or order is None:
            return
        if self.export_dialog is None:
            self.export_dialog = MappingExport(self)
        named = NamedMapping(picture.network, order.mapping, picture.communication.labels)
        self.export_dialog.offer(named, order.name)
        self.export_dialog.open()

    def _open_menu(self, position: QPoint) -> None:
        menu = self.exports.menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.canvas.mapToGlobal(position))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._preparing.close()
        if self.export_dialog is not None:
            self.export_dialog.close_jobs()
        super().closeEvent(event)

    def _show_buttons(self) -> None:
        self.bar.best.setEnabled(self.own is not None or bool(self._chosen))
        self.bar.export.setEnabled(self.picture is not None)

    def _lay_out(self) -> None:
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addWidget(self.bar)
        body.addWidget(self.measures)
        body.addWidget(self.canvas, 1)
        body.addWidget(self.readout)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A picture with what was made for it."""

    picture: MappingPicture
    geometry: Geometry
    standing: Standing


class _Step(QUndoCommand):
    """From one own mapping to another, or to none."""

    def __init__(self, view: MappingView, text: str, own: MappedOrder | None, chosen: str) -> None:
        super().__init__(text)
        self._view = view
        self._before, self._after = (view.own, view.chosen), (own, chosen)

    def undo(self) -> None:
        """Show the mapping before."""
        self._view.set_own(*self._before)

    def redo(self) -> None:
        """Show the mapping after."""
        self._view.set_own(*self._after)
