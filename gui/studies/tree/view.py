"""The view of a tree: its picture, the trees to choose from, and the user's own tree.

An edit makes the tree "own": one undo step of this view, told as `edited`, so that the study's
form takes it over. Trees are prepared, changed and priced off the window's thread; what is in
sight stays until then.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent, QUndoCommand
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from advisor.trees.edits import move_refusal, move_subtree
from advisor.trees.picture import OWN, NamedTree, TreePicture
from gui.basics.jobs import LatestWins
from gui.basics.theme import GRID
from gui.plots.panel import Exports
from gui.studies.picture.edited_view import EditedPictureView
from gui.studies.picture.hand import REFUSED, Hand, Offer
from gui.studies.tree.bar import TreeBar
from gui.studies.tree.canvas import TreeCanvas
from gui.studies.tree.clock import TreeClock
from gui.studies.tree.drawing import OPERATIONS, TreeDrawing
from gui.studies.tree.export import TreeExport
from gui.studies.tree.measures import cells_of, offer_of, tree_strip
from gui.studies.tree.reshaping import Reshaping
from gui.studies.tree.words import name_of
from gui.studies.tree.work import (
    Change,
    Edit,
    OwnTree,
    Prepared,
    Price,
    change_of,
    prepared,
    price_of,
    same_back_ends,
    same_tree,
    trees_of,
)
from machines.errors import PlacewiseError

_HINT = (
    "Drag a process to another parent, or press Enter on it. Arrows: choose; wheel: zoom; F: fit; "
    "double click: open a bundle."
)
_STILL = "The last change is still being made."
_AT_ONCE = 3000  # processes up to which a move is priced on the spot
_LONG = 20_000  # processes from which waiting is shown


class TreeView(EditedPictureView):
    """Draws a `TreePicture`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tree_view")
        self.setAccessibleName("Tree")
        self.picture: TreePicture | None = None
        self._newest: TreePicture | None = None  # what will be shown once it is prepared
        self.own: OwnTree | None = None
        self._chosen = ""  # the name of a tree; empty: the best
        self._named: NamedTree | None = None  # whose drawing is in sight
        self._old = False
        self.readout = QLabel(_HINT)
        self.readout.setObjectName("tree_readout")
        self.readout.setProperty("role", "muted")
        self.readout.setWordWrap(True)
        self.readout.setContentsMargins(GRID, 0, GRID, GRID // 2)
        self.canvas = TreeCanvas("tree_canvas", "Processes of the tree")
        self.clock = TreeClock()
        self.bar = TreeBar(self.undo_stack)
        self.reshaping = Reshaping(self.canvas, self.bar)
        self.measures = tree_strip()
        self.exports = Exports(self, "tree", self.canvas, self.canvas.table)
        self.bar.set_menu(self.exports.menu(self))
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.export_dialog: TreeExport | None = None
        self._preparing = self._worker("tree picture", self._take)
        self._editing = self._worker("tree edit", self._made)
        self._pricing = self._worker("tree price", self._take_price)
        self._connect()
        self._lay_out()
        self._show_buttons()

    # Pictures -----------------------------------------------------------------------------

    def set_picture(self, picture: object) -> None:
        """Show a `TreePicture`; choice, zoom and own tree stay where they still fit."""
        if not isinstance(picture, TreePicture):
            return
        given = picture.own
        before = None if self._newest is None else self._newest.own
        mine = None if self.own is None else self.own.named
        if same_tree(given, mine):
            if given is not None and self.own is not None:
                self.own = OwnTree(given, self.own.text)  # its measures may be others now
        elif not same_tree(given, before):  # not from here: the form was changed
            self.own = None if given is None else OwnTree(given, "")
            self._chosen = "" if given is None else OWN
            self.undo_stack.clear()
        if self._newest is not None and not same_back_ends(self._newest, picture):
            self._editing.cancel()  # what is edited will be gone
            self.undo_stack.clear()
        self._newest = picture
        self._prepare()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old picture dimmed until a new one comes."""
        self._old = dimmed
        self._dim()

    @property
    def is_preparing(self) -> bool:
        """Whether a picture or an edit is still being made."""
        return any(job.is_busy for job in (self._preparing, self._editing, self._pricing))

    @property
    def shown(self) -> NamedTree | None:
        """The tree in sight."""
        return self._named

    @property
    def drawing(self) -> TreeDrawing | None:
        """What is in sight."""
        return self.canvas.drawing

    @property
    def chosen(self) -> str:
        """The name of the tree that the user chose; empty: the best."""
        return self._chosen

    def _prepare(self) -> None:
        """Have made what the picture needs."""
        picture, own, drawing = self._newest, self.own, self.drawing
        if picture is None:
            return
        trees = trees_of(picture, own)
        named = next((one for one in trees if one.name == self._chosen), picture.chosen)
        if drawing is not None and self._named is named and drawing.costs == picture.costs:
            self._preparing.cancel()
            self._take(Prepared(picture, named, drawing, own))
        else:
            self._preparing.request(lambda _stop: prepared(picture, named, own, drawing))

    def _take(self, ready: object) -> None:
        if isinstance(ready, Prepared):
            self.picture, self._named = ready.picture, ready.named
            self.own = ready.own
            self._show_drawing(ready.drawing, 0)
            self._show()

    def _show_drawing(self, drawing: TreeDrawing, process: int) -> None:
        before = self.drawing
        if drawing is before:
            return
        same = before is not None and drawing.tree.back_ends == before.tree.back_ends
        alike = before is not None and drawing.tree.is_like(before.tree)
        self.canvas.show_drawing(drawing, keep=same)
        self.canvas.set_cursor(self.canvas.cursor_node if alike else process)
        self.clock.take({name: drawing.run(name).times.latency for name in OPERATIONS})

    def _show(self) -> None:
        picture, named = self.picture, self._named
        if picture is None or named is None:
            return
        best = picture.chosen
        self.measures.show_cells(cells_of(named.measures, best.measures, best.name), best.name)
        names = [one.name for one in trees_of(picture, self.own)]
        self.bar.offer(names, names.index(best.name) if best.name in names else 0,
                       names.index(named.name) if named.name in names else 0)  # fmt: skip
        self._show_buttons()

    def _choose(self, index: int) -> None:
        """Show a tree; who chooses the best follows it when another becomes best."""
        if self.picture is not None:
            name = str(self.bar.choice.itemData(index))
            self._chosen = "" if name == self.picture.chosen.name else name
            self._prepare()

    # The own tree -------------------------------------------------------------------------

    def edit(self, text: str, edit: Edit, process: int, again: bool = False) -> None:
        """Edit the tree in sight, off the window's thread; one undo step.

        Parameters
        ----------
        text : str
            The edit in words.
        edit : callable
            Tree → Edited.
        process : int
            The process to look at afterwards.
        again : bool
            Whether the edit takes the place of one that is still being made.
        """
        drawing, newest = self.drawing, self._newest
        if drawing is None or newest is None:
            return
        leaving = newest.chosen.tree.back_ends != drawing.tree.back_ends
        if leaving or (self._editing.is_busy and not again):
            self.readout.setText(_STILL)
            self.reshaping.give_up()
            return
        if drawing.tree.size > _LONG:
            self.readout.setText(f"{text.capitalize()} …")
        self._editing.request(lambda _stop: change_of(drawing, edit, process, text))

    def _made(self, change: object) -> None:
        if not isinstance(change, Change):
            self.readout.setText("That is how the tree is already.")
            return
        self.readout.setText(f"{change.note}." if change.note else _HINT)
        self.undo_stack.push(_Step(self, change.text, change.own, OWN, change))

    def _price(self, hand: Hand) -> None:
        """Tell what the aim would bring."""
        drawing, named, parent = self.drawing, self._named, hand.aim
        if drawing is None or named is None or parent is None:
            return
        reason = move_refusal(drawing.layout, hand.process, parent)
        if reason:
            self._pricing.cancel()
            self.canvas.take_offer(Offer(hand.process, parent, REFUSED, (f"▲ {reason}",)))
        elif drawing.tree.size <= _AT_ONCE:
            self._take_price(price_of(drawing, hand.process, parent))
        else:
            self._pricing.request(lambda _stop: price_of(drawing, hand.process, parent))

    def _take_price(self, price: object) -> None:
        if isinstance(price, Price) and self._named is not None and self.drawing is not None:
            before, asked = self._named.measures, self.drawing.costs.operation
            measures, note = price.measures, price.note
            offer = offer_of(price.process, price.parent, before, measures, asked, note)
            self.canvas.take_offer(offer)

    def _drop(self, hand: Hand) -> None:
        drawing, process, parent = self.drawing, hand.process, hand.aim
        if drawing is None or parent is None:
            return
        reason = move_refusal(drawing.layout, process, parent)
        if reason:
            self.canvas.set_cursor(process)
            self.readout.setText(f"{reason}.")
            return
        names = [name_of(drawing, each).lower() for each in (process, parent)]
        layout = drawing.layout
        self.edit(
            f"moving {names[0]} to {names[1]}",
            lambda tree: move_subtree(tree, process, parent, layout),
            process,
        )

    def back_to_best(self) -> None:
        """Give the own tree up and show the best one; a step if there is an own one."""
        if self.own is not None:
            self.undo_stack.push(_Step(self, "going back to the best", None, ""))
        else:
            self._chosen = ""
            self._prepare()

    def set_own(self, own: OwnTree | None, chosen: str, change: Change | None = None) -> None:
        """Show another own tree, or none, and tell the form."""
        self.own, self._chosen = own, chosen
        if change is not None and self._newest is not None:
            self._named = change.own.named
            self._show_drawing(change.drawing, change.process)
            self._show()
        self._prepare()
        self.edited.emit({"own": "" if own is None else own.text})

    # Export and layout --------------------------------------------------------------------

    def _open_menu(self, position: QPoint) -> None:
        menu = self.reshaping.menu(self)
        menu.addSeparator()
        menu.addActions(self.exports.actions)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.canvas.mapToGlobal(position))

    def open_export(self) -> None:
        """Open the dialog that writes the tree in sight for MRNet."""
        if self._named is None:
            return
        if self.export_dialog is None:
            self.export_dialog = TreeExport(self)
        self.export_dialog.offer(self._named)
        self.export_dialog.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work and the player."""
        self.clock.stop()
        for job in (self._preparing, self._editing, self._pricing):
            job.close()
        if self.export_dialog is not None:
            self.export_dialog.close_jobs()
        super().closeEvent(event)

    def _dim(self) -> None:
        """Dim what is old, or what a long edit is about to change."""
        drawing = self.drawing
        working = self._preparing.is_busy or self._editing.is_busy
        long = drawing is not None and drawing.tree.size > _LONG
        self.canvas.set_dimmed(self._old or (working and long))

    def _tell_error(self, error: PlacewiseError) -> None:
        self.readout.setText(str(error))

    def _worker(self, name: str, done: Callable[[object], None]) -> LatestWins:
        worker = LatestWins(self, name)
        worker.done.connect(done)
        worker.failed.connect(self._tell_error)
        worker.busy.connect(lambda _busy: self._dim())
        return worker

    def _show_buttons(self) -> None:
        self.bar.best.setEnabled(self.own is not None or bool(self._chosen))
        self.bar.export.setEnabled(self.picture is not None)

    def _connect(self) -> None:
        self.canvas.aimed.connect(self._price)
        self.canvas.dropped.connect(self._drop)
        self.canvas.said.connect(lambda text: self.readout.setText(text or _HINT))
        self.canvas.play_wanted.connect(self.clock.toggle)
        self.canvas.customContextMenuRequested.connect(self._open_menu)
        self.clock.moved.connect(lambda time: self.canvas.show_moment(self.clock.chosen, time))
        self.reshaping.wanted.connect(self.edit)
        self.reshaping.said.connect(self.readout.setText)
        self.bar.choice.activated.connect(self._choose)
        self.bar.best.clicked.connect(self.back_to_best)
        self.bar.fit.clicked.connect(self.canvas.fit)
        self.bar.export.clicked.connect(self.open_export)

    def _lay_out(self) -> None:
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addWidget(self.bar)
        body.addWidget(self.measures)
        body.addWidget(self.canvas, 1)
        body.addWidget(self.clock)
        body.addWidget(self.readout)


class _Step(QUndoCommand):
    """From one own tree to another, or to none."""

    def __init__(
        self,
        view: TreeView,
        text: str,
        own: OwnTree | None,
        chosen: str,
        change: Change | None = None,
    ) -> None:
        super().__init__(text)
        self._view = view
        self._before, self._after = (view.own, view.chosen), (own, chosen)
        self._change = change  # for the first time only: it is large

    def undo(self) -> None:
        """Show the tree before."""
        self._view.set_own(*self._before)

    def redo(self) -> None:
        """Show the tree after."""
        change, self._change = self._change, None
        self._view.set_own(*self._after, change)
