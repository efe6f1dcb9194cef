"""The view of a tree: the trees that a study compared, played in time and reshaped by the user.

A process is carried to another parent, or fan-outs and levels are changed from the bar. Trees are
changed and priced off the window's thread: they may have a million processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMenu, QWidget

from advisor.basics.quantities import count
from advisor.export.tree_on_hosts import TREE
from advisor.trees.tree_edits import move_refusal, move_subtree
from advisor.trees.tree_file import FoundTree
from advisor.trees.tree_picture import OWN, NamedTree, TreePicture
from gui.studies.picture.edited_view import EditedPictureView
from gui.studies.picture.export_dialog import ExportDialog
from gui.studies.picture.hand import REFUSED, Hand, Offer
from gui.studies.picture.measure_strip import Cell, MeasureStrip, cells_of
from gui.studies.picture.picture_bar import PictureWords
from gui.studies.picture.picture_cases import Ready
from gui.studies.tree.clock import TreeClock
from gui.studies.tree.reshaping import Reshaping
from gui.studies.tree.tree_canvas import TreeCanvas
from gui.studies.tree.tree_drawing import OPERATIONS, TreeDrawing
from gui.studies.tree.tree_sizes import IMPORTANCE, MEASURES, offer_of
from gui.studies.tree.tree_words import name_of
from gui.studies.tree.work import (
    Change,
    Edit,
    Prepared,
    Price,
    change_of,
    prepared,
    price_of,
)

_WORDS = PictureWords(
    name="tree",
    title="Tree",
    hint="Drag a process to another parent, or press Enter on it. Arrows: choose; wheel: zoom; "
    "F: fit; double click: open a bundle.",
    costs="What the tree costs",
    choice="Tree that is shown",
    choice_hint="Which of the compared trees is shown; the best one by itself",
    step="a change of your own tree",
    best_hint="Discard your own tree and show the best one (one undo step)",
    fit_hint="Show the whole tree (F)",
    export="Export…",
    export_hint="Write the tree as a topology file that MRNet reads",
    picture_hint="Copy or export the picture (SVG, PDF, PNG) and the processes (CSV)",
)
_LETTERS = 10  # of a name that are always seen
_STILL = "The last change is still being made."
_AT_ONCE = 3000  # processes up to which a move is priced on the spot
_LONG = 20_000  # processes from which waiting is shown


class TreeView(EditedPictureView[TreePicture, NamedTree, TreeDrawing]):
    """Draws a `TreePicture`."""

    kind, own_name = TreePicture, OWN
    canvas: TreeCanvas

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            _WORDS,
            TreeCanvas("tree_canvas", "Processes of the tree"),
            MeasureStrip("tree", _WORDS.costs, MEASURES, IMPORTANCE),
            parent,
        )
        self.bar.choice.setMinimumContentsLength(_LETTERS)
        self.clock = TreeClock()
        self.body.insertWidget(self.body.indexOf(self.readout), self.clock)
        self.reshaping = Reshaping(self.canvas, self.bar)
        self._own_drawn = False
        self._editing = self.worker("tree edit", self._made)
        self._pricing = self.worker("tree price", self._take_price)
        self.canvas.aimed.connect(self._price)
        self.canvas.dropped.connect(self._drop)
        self.canvas.play_wanted.connect(self.clock.toggle)
        self.clock.moved.connect(lambda time: self.canvas.show_moment(self.clock.chosen, time))
        self.reshaping.wanted.connect(self.reshape)

    # Trees --------------------------------------------------------------------------------

    def set_picture(self, picture: object) -> None:
        """Show a `TreePicture`; edits of a tree of other back-ends are gone."""
        if isinstance(picture, TreePicture) and self.newest is not None and not self.is_telling:
            before, after = self.newest.chosen.measures, picture.chosen.measures
            if before.back_ends != after.back_ends:
                self._editing.cancel()
                self.undo_stack.clear()
        super().set_picture(self._with_identities(picture))

    def _with_identities(self, picture: object) -> object:
        """The picture whose own tree has the names of ours, if it is ours."""
        if not isinstance(picture, TreePicture) or self.own is None:
            return picture
        mine = self.own.case
        trees = tuple(
            replace(one, identities=mine.identities)
            if one.name == OWN and one.tree.is_like(mine.tree)
            else one
            for one in picture.trees
        )
        return replace(picture, trees=trees)

    def listed(self, picture: TreePicture) -> tuple[NamedTree, ...]:
        """The trees that the study compared."""
        return picture.trees

    def alike(self, one: NamedTree, other: NamedTree) -> bool:
        """Whether two trees have the same shape."""
        return one.tree.is_like(other.tree)

    def fits(self, own: NamedTree, picture: TreePicture) -> bool:
        """Whether a tree has the back-ends of a picture."""
        return own.tree.back_ends == picture.chosen.tree.back_ends

    def best(self, picture: TreePicture) -> NamedTree:
        """The recommended tree."""
        return picture.chosen

    def cells(self, ready: Prepared) -> tuple[Mapping[str, Cell], str]:
        """The measures, signed against those of the recommended tree."""
        best = ready.picture.chosen
        return cells_of(MEASURES, ready.case.measures, best.measures, best.name), best.name

    # Drawing ------------------------------------------------------------------------------

    def prepared(self, picture: TreePicture, case: NamedTree) -> Callable[[], Prepared] | Prepared:
        """Draw a tree, unless it is in sight already."""
        own, drawing = self.own, self.drawing
        if drawing is not None and self.shown is case and drawing.costs == picture.costs:
            return Ready(picture, case, drawing, own)
        return lambda: prepared(picture, case, own, drawing)

    def draw(self, ready: Prepared) -> None:
        """Show a tree, unless it is in sight already, and let it be played."""
        drawing, before = ready.drawing, self.canvas.drawing
        if drawing is before:
            return
        same = before is not None and drawing.tree.back_ends == before.tree.back_ends
        alike = before is not None and drawing.tree.is_like(before.tree)
        self.canvas.show_drawing(drawing, keep=same)
        node = self.canvas.cursor_node if alike else ready.node
        if before is not None and self._own_drawn and ready.case.name == OWN:
            number = int(before.identities.numbers[self.canvas.cursor_node])
            node = ready.node or drawing.identities.place_of(number) or 0
        self._own_drawn = ready.case.name == OWN
        self.canvas.set_cursor(node)
        self.clock.take({name: drawing.run(name).times.latency for name in OPERATIONS})

    @property
    def long_at_work(self) -> bool:
        """Whether a large tree is prepared or changed."""
        working = self.preparing.is_busy or self._editing.is_busy
        return working and self.drawing is not None and self.drawing.tree.size > _LONG

    # Edits --------------------------------------------------------------------------------

    def reshape(self, text: str, edit: Edit, process: int, again: bool = False) -> None:
        """Edit the tree in sight, off the window's thread; one undo step.

        `text`: the edit in words. `edit`: tree → Edited. `process`: the process to look at
        afterwards. `again`: whether the edit takes the place of one that is still being made.
        """
        drawing, newest = self.drawing, self.newest
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
            self.readout.setText("The tree is already like that.")
            return
        self.readout.setText(f"{change.note}." if change.note else self.hint)
        self.edit(change.text, change.own, change.drawing, change.process)

    def _price(self, hand: Hand) -> None:
        """Tell what the aim would bring."""
        drawing, named, parent = self.drawing, self.shown, hand.aim
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
        if isinstance(price, Price) and self.shown is not None and self.drawing is not None:
            before, asked = self.shown.measures, self.drawing.costs.operation
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
        self.reshape(
            f"moving {names[0]} to {names[1]}",
            lambda tree: move_subtree(tree, process, parent, layout),
            process,
        )

    # Menu and export ----------------------------------------------------------------------

    def context_menu(self) -> QMenu:
        """How the tree can be reshaped, and what can be done with the picture."""
        menu = self.reshaping.menu(self)
        menu.addSeparator()
        menu.addActions(self.exports.actions)
        return menu

    def make_export(self) -> TreeExport:
        """The dialog that writes the tree for MRNet."""
        dialog = self.export_dialog
        if not isinstance(dialog, TreeExport):
            dialog = TreeExport(self)
        if self.shown is not None:
            dialog.offer(self.shown)
        return dialog

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the player, too."""
        self.clock.stop()
        super().closeEvent(event)


class TreeExport(ExportDialog):
    """Exports one tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(TREE, parent)

    def offer(self, named: NamedTree) -> None:
        """Export this tree; format and fields stay."""
        tree = named.tree
        inner = count(tree.internal, "internal process", "internal processes")
        heading = f"{named.name.capitalize()}: {count(tree.back_ends, 'back-end')}, {inner}"
        numbers = None if named.identities is None else named.identities.numbers
        super().take(FoundTree(tree, named.name, numbers=numbers), heading)
