"""The view of a mapping: the orders that a study compared, on the nodes of their network.

A process put on another node makes an own mapping; it is measured on the spot, as only the flows
that change are measured anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtWidgets import QWidget

from advisor.basics.quantities import count
from advisor.export.process_placement import MAPPING
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.mapping.mapping_measures import measure
from advisor.messages.mapping.mapping_moves import Standing
from advisor.messages.mapping.mapping_picture import MappedOrder, MappingPicture
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping as NodeOrder
from advisor.messages.mapping.own_mapping import own_mapping, own_text
from advisor.messages.networks import Clock, shape
from advisor.studies.mapping.parameters import OWN
from gui.studies.mesh.mesh_canvas import MeshCanvas
from gui.studies.mesh.mesh_facts import MeshFacts
from gui.studies.mesh.mesh_geometry import Geometry, geometry_of
from gui.studies.mesh.mesh_geometry import undrawn as channels_undrawn
from gui.studies.mesh.mesh_painter import Drawing, busiest_texts
from gui.studies.mesh.mesh_sizes import IMPORTANCE, measures_in, offer_of
from gui.studies.picture.edited_view import EditedPictureView
from gui.studies.picture.export_dialog import ExportDialog
from gui.studies.picture.hand import Hand
from gui.studies.picture.measure_strip import Cell, MeasureStrip, cells_of
from gui.studies.picture.picture_bar import PictureWords
from gui.studies.picture.picture_cases import Own, Ready
from machines.multicore import node_at

_WORDS = PictureWords(
    name="mapping",
    title="Mapping",
    hint="Drag a process to another node, or press Enter on it. Wheel: zoom; F: fit.",
    costs="What the mapping costs",
    choice="Order that is shown",
    choice_hint="Which of the compared orders is shown; the best one by itself",
    step="a change of your own mapping",
    best_hint="Discard your own mapping and show the best order (one undo step)",
    fit_hint="Show the whole network (F)",
    export="Export mapping…",
    export_hint="Write the mapping for mpirun, mpiexec or srun, or as CSV",
    picture_hint="Copy or export the picture (SVG, PDF, PNG) and the loads of the channels (CSV)",
)


@dataclass(frozen=True, eq=False)
class Laid:
    """A mapping on its network: where channels lie, and what changes start from.

    `before` is what a drop changed into an own mapping; its signs compare with that.
    """

    geometry: Geometry
    standing: Standing
    before: MappedOrder | None = None


Shown = Ready[MappingPicture, MappedOrder, Laid]


class MappingView(EditedPictureView[MappingPicture, MappedOrder, Laid]):
    """Draws a `MappingPicture`."""

    kind, own_name = MappingPicture, OWN
    canvas: MeshCanvas

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            _WORDS,
            MeshCanvas("mapping_canvas", "Processes on the nodes of the network"),
            MeasureStrip("mapping", _WORDS.costs, measures_in(), IMPORTANCE),
            parent,
        )
        self.canvas.aimed.connect(self._price)
        self.canvas.dropped.connect(self._drop)
        self._befores: dict[NodeOrder, MappedOrder] = {}  # own mapping → what it was made from

    # Orders -------------------------------------------------------------------------------

    def listed(self, picture: MappingPicture) -> tuple[MappedOrder, ...]:
        """The orders that the study compared."""
        return picture.orders

    def alike(self, one: MappedOrder, other: MappedOrder) -> bool:
        """Whether every process is on the same node."""
        return one.mapping == other.mapping

    def fits(self, own: MappedOrder, picture: MappingPicture) -> bool:
        """Whether a mapping is for the processes and nodes of a picture."""
        processes, nodes = picture.communication.processes, picture.network.size
        return len(own.mapping) == processes and max(own.mapping) < nodes

    def best(self, picture: MappingPicture) -> MappedOrder:
        """The order that is best in the study's objective; it may be the own one."""
        return min(self.cases(picture), key=lambda order: order.measures.rank(picture.objective))

    def cells(self, ready: Shown) -> tuple[Mapping[str, Cell], str]:
        """The measures, signed against the mapping before the drop, else the default order."""
        before, measures = ready.drawing.before, measures_in(Clock.of(ready.picture.net))
        other = ready.picture.orders[0] if before is None else before
        name = other.name if before is None else f"before ({before.name})"
        return cells_of(measures, ready.case.measures, other.measures, name), name

    # Drawing ------------------------------------------------------------------------------

    def prepared(self, picture: MappingPicture, case: MappedOrder) -> Callable[[], Shown]:
        """Find where channels lie and what changes start from."""
        own, known = self.own, None
        before = self._befores.get(case.mapping) if case.name == OWN else None
        if before is not None and not self.fits(before, picture):
            before = None
        if self.picture is not None and self.picture.network == picture.network:
            known = self.drawing

        def job() -> Shown:
            geometry = known.geometry if known else geometry_of(picture.network, picture.positions)
            standing = Standing.of(picture.problem, picture.net.long, case.mapping)
            _ = standing.hops  # tooltips ask for it
            written = None if own is None else _own(own.case, picture.problem)
            anew = before  # for the costs and bytes may be others now
            if before is not None:
                costs = measure(picture.problem, picture.net.long, before.mapping)
                anew = MappedOrder(before.name, before.mapping, costs)
            return Ready(picture, case, Laid(geometry, standing, anew), written)

        return job

    def draw(self, ready: Shown) -> None:
        """Loads of the channels, and who is on which node."""
        picture, order, laid = ready.picture, ready.case, ready.drawing
        holders = np.full(picture.network.size, -1)
        holders[list(order.mapping)] = np.arange(len(order.mapping))
        most = max(order.measures.busiest_bytes, picture.orders[0].measures.busiest_bytes)
        labels, all_lines = picture.communication.labels, picture.network.kind != "crossbar"
        loads, nodes = order.measures.loads, node_at(picture.network, np.arange(len(holders)))
        undrawn = channels_undrawn(picture.network)
        drawing = Drawing(laid.geometry, loads, most, holders, labels, all_lines, nodes, undrawn)
        self.canvas.show_drawing(drawing, MeshFacts(laid.standing, laid.geometry.ends))
        self.canvas.setAccessibleDescription(f"{order.name}: {next(busiest_texts(drawing))}")

    # The own mapping ----------------------------------------------------------------------

    @property
    def _start(self) -> Standing | None:
        """What changes start from; none while the wanted mapping is still being measured."""
        if self.picture is None or self.drawing is None:
            return None
        standing = self.drawing.standing
        return standing if standing.mapping == self.wanted(self.picture).mapping else None

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
        """Put the process on the node; who was there changes places with it."""
        standing, laid = self._start, self.drawing
        if standing is None or laid is None or hand.aim is None or self.shown is None:
            self.readout.setText("The last change is still being measured.")
            return
        labels = standing.problem.communication.labels
        name = labels[hand.process] if labels else str(hand.process)
        moved = _numbered(standing.moved(hand.process, hand.aim))
        network = standing.problem.network
        own = _own(MappedOrder(OWN, moved.mapping, moved.measures()), standing.problem)
        before = MappedOrder(self.shown.name, standing.mapping, standing.measures())
        self._befores[moved.mapping] = before
        text = f"putting process {name} on node {node_at(network, [hand.aim])[0]}"
        self.edit(text, own, Laid(laid.geometry, moved, before))

    def make_export(self) -> MappingExport:
        """The dialog that writes the mapping for a launcher."""
        dialog = self.export_dialog
        if not isinstance(dialog, MappingExport):
            dialog = MappingExport(self)
        picture, order = self.picture, self.shown
        if picture is not None and order is not None:
            flows = picture.communication
            named = NamedMapping(
                picture.network, order.mapping, flows.labels, flows, threads=picture.threads,
                per_core=picture.problem.sharing,
            )  # fmt: skip
            dialog.offer(named, order.name)
        return dialog


def _own(order: MappedOrder, problem: MappingProblem) -> Own[MappedOrder]:
    """An own mapping as the study's parameter takes it: "3,0,2"."""
    return Own(order, own_text(problem, order.mapping))


def _numbered(standing: Standing) -> Standing:
    """The same nodes, or cores where these matter, in the order of the processes as it is read."""
    problem = standing.problem
    text = own_text(problem, standing.mapping)
    return replace(standing, mapping=own_mapping(problem, text))


class MappingExport(ExportDialog):
    """Exports one mapping."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(MAPPING, parent)

    def offer(self, named: NamedMapping, name: str) -> None:
        """Export this mapping, of the order of that name; format and fields stay."""
        processes = count(len(named.mapping), "process", "processes")
        super().take(named, f"{name.capitalize()}: {processes} on the {shape(named.network)}")
