"""The base of views that are edited: which case of a picture is shown, and the user's own one.

The best case is shown, or the one that the user chose, or the user's own: an edit makes it, as one
step of this view's undo, and tells it as `edited`, so that the study's form takes it over. What a
case needs to be drawn is made off the window's thread; what is in sight stays until then. A view
says what its cases are, how they are measured and drawn, and what its edits do; the rest is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QLabel, QMenu, QVBoxLayout, QWidget

from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.theme import GRID
from gui.plots.plot_panel import Exports
from gui.studies.picture.carry_picture import CarryPicture
from gui.studies.picture.export_dialog import ExportDialog
from gui.studies.picture.measure_strip import Cell, MeasureStrip
from gui.studies.picture.picture_bar import PictureBar, PictureWords
from gui.studies.picture.picture_cases import C, D, Own, P, Ready
from gui.studies.picture.pictures import PictureView
from machines.errors import PlacewiseError

_UNDO = (QKeySequence("Ctrl+Z"),)
_REDO = (QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y"))


class EditedPictureView(PictureView, Generic[P, C, D]):
    """Base of views whose pictures are edited.

    `undo_stack`: the edits. `picture`, `shown`, `drawing`: what is in sight: the picture, its case,
    and what of it is drawn. `chosen`: the name of the case that the user chose; empty: the best.
    """

    kind: type[Any]  # of the pictures
    own_name: str  # of the user's case

    def __init__(
        self,
        words: PictureWords,
        canvas: CarryPicture,
        strip: MeasureStrip,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"{words.name}_view")
        self.setAccessibleName(words.title)
        self.hint = words.hint
        self.undo_stack = QUndoStack(self)
        self.picture: P | None = None
        self.shown: C | None = None
        self.drawing: D | None = None
        self.own: Own[C] | None = None
        self.chosen = ""
        self.newest: P | None = None  # what will be shown once it is prepared
        self._old = False
        self.is_telling = False  # of a step: what it is told to is older than the step
        self._workers: list[LatestWins] = []
        self.readout = QLabel(self.hint)
        self.readout.setObjectName(f"{words.name}_readout")
        self.readout.setProperty("role", "muted")
        self.readout.setWordWrap(True)
        self.readout.setContentsMargins(GRID, 0, GRID, GRID // 2)
        self.canvas, self.measures = canvas, strip
        self.bar = PictureBar(words, self.undo_stack)
        self.exports = Exports(self, words.name, canvas, canvas.table)
        self.bar.set_menu(self.exports.menu(self))
        self.export_dialog: ExportDialog | None = None
        self.preparing = self.worker(f"{words.name} picture", self._take)
        self._connect()
        self._lay_out()
        self._show_buttons()

    # What a view says ---------------------------------------------------------------------

    def listed(self, picture: P) -> Sequence[C]:
        """What the study compared, and the own case that it was given."""
        raise NotImplementedError

    def alike(self, one: C, other: C) -> bool:
        """Whether two cases are the same, measures apart."""
        raise NotImplementedError

    def fits(self, own: C, picture: P) -> bool:
        """Whether an own case is one of a picture."""
        raise NotImplementedError

    def best(self, picture: P) -> C:
        """The best case."""
        raise NotImplementedError

    def prepared(self, picture: P, case: C) -> Callable[[], Ready[P, C, D]] | Ready[P, C, D]:
        """Make a case ready in the background; or what is ready already."""
        raise NotImplementedError

    def draw(self, ready: Ready[P, C, D]) -> None:
        """Let the canvas show it."""
        raise NotImplementedError

    def cells(self, ready: Ready[P, C, D]) -> tuple[Mapping[str, Cell], str]:
        """The measures, and the name of the case that they are signed against."""
        raise NotImplementedError

    def make_export(self) -> ExportDialog:
        """The dialog that writes what is shown; its inputs stay."""
        raise NotImplementedError

    @property
    def long_at_work(self) -> bool:
        """Whether what is made takes so long that what is in sight is dimmed."""
        return False

    def context_menu(self) -> QMenu:
        """What can be done with the picture."""
        return self.exports.menu(self)

    # Pictures -----------------------------------------------------------------------------

    def set_picture(self, picture: object) -> None:
        """Show a picture; choice, zoom and own case stay where they still fit.

        What comes while a step is told was asked before it: one that is newer follows. It would
        take the own case of then, and clear the steps while one of them is undone.
        """
        if not isinstance(picture, self.kind) or self.is_telling:
            return
        given, before = self._own_in(picture), self._own_in(self.newest)
        mine = None if self.own is None else self.own.case
        if self._same(given, mine):
            if given is not None and self.own is not None:
                self.own = Own(given, self.own.text)  # its measures may be others now
        elif not self._same(given, before):  # not from here: the form was changed
            self.own = None if given is None else Own(given, "")
            self.chosen = "" if given is None else self.own_name
            self.undo_stack.clear()
        self.newest = picture
        self.prepare()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old picture dimmed until a new one comes."""
        self._old = dimmed
        self._dim()

    @property
    def is_preparing(self) -> bool:
        """Whether something is still being made."""
        return any(worker.is_busy for worker in self._workers)

    def cases(self, picture: P) -> list[C]:
        """All to choose from, the own one as it is now where it fits."""
        given = [case for case in self.listed(picture) if case.name != self.own_name]
        if self.own is not None and self.fits(self.own.case, picture):
            given.append(self.own.case)
        return given

    def wanted(self, picture: P) -> C:
        """The case that the user chose; the best one where nothing is chosen or it is gone."""
        named = (case for case in self.cases(picture) if case.name == self.chosen)
        return next(named, self.best(picture))

    def prepare(self) -> None:
        """Have made ready what is to be shown."""
        if self.newest is None:
            return
        job = self.prepared(self.newest, self.wanted(self.newest))
        if isinstance(job, Ready):
            self.preparing.cancel()
            self._take(job)
            return

        def make(_should_stop: ShouldStop) -> Ready[P, C, D]:
            return job()

        self.preparing.request(make)

    def _own_in(self, picture: P | None) -> C | None:
        listed = () if picture is None else self.listed(picture)
        return next((case for case in listed if case.name == self.own_name), None)

    def _same(self, one: C | None, other: C | None) -> bool:
        if one is None or other is None:
            return one is other
        return self.alike(one, other)

    def _take(self, ready: object) -> None:
        if isinstance(ready, Ready):
            self.own = ready.own
            self._show(ready)

    def _show(self, ready: Ready[P, C, D]) -> None:
        self.picture, self.shown, self.drawing = ready.picture, ready.case, ready.drawing
        self.draw(ready)
        self.measures.show_cells(*self.cells(ready))
        names = [case.name for case in self.cases(ready.picture)]
        best, shown = (
            names.index(case.name) if case.name in names else 0
            for case in (self.best(ready.picture), ready.case)
        )
        self.bar.offer(names, best, shown)
        self._show_buttons()

    def _choose(self, index: int) -> None:
        """Show a case; who chooses the best follows it when another becomes best."""
        if self.picture is not None:
            name = str(self.bar.choice.itemData(index))
            self.chosen = "" if name == self.best(self.picture).name else name
            self.prepare()

    # The own case -------------------------------------------------------------------------

    def edit(self, text: str, own: Own[C], drawing: D, node: int = 0) -> None:
        """Show another own case, as one undo step; `text` tells what was done."""
        if self.picture is not None:
            ready = Ready(self.picture, own.case, drawing, own, node)
            self.undo_stack.push(_Step(self, text, own, self.own_name, ready))

    def back_to_best(self) -> None:
        """Give the own case up and show the best one; a step if there is an own one."""
        if self.own is not None:
            self.undo_stack.push(_Step(self, "going back to the best", None, ""))
        else:
            self.chosen = ""
            self.prepare()

    def set_own(self, own: Own[C] | None, chosen: str, ready: Ready[P, C, D] | None = None) -> None:
        """Show another own case, or none, and tell the form; `ready` is shown at once."""
        self.own, self.chosen = own, chosen
        if ready is not None:
            self._show(ready)
        self.prepare()
        self.is_telling = True
        try:
            self.edited.emit({"own": "" if own is None else own.text})
        finally:
            self.is_telling = False

    # Export, menu, keys -------------------------------------------------------------------

    def open_export(self) -> None:
        """Open the dialog that writes what is shown."""
        if self.shown is not None:
            self.export_dialog = self.make_export()
            self.export_dialog.open()

    def _open_menu(self, position: QPoint) -> None:
        menu = self.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.canvas.mapToGlobal(position))

    def event(self, event: QEvent) -> bool:
        """Keep undo and redo for this view while the focus is in it."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and QKeySequence(event.keyCombination()) in (*_UNDO, *_REDO)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo."""
        keys = QKeySequence(event.keyCombination())
        if keys in _UNDO:
            self.undo_stack.undo()
        elif keys in _REDO:
            self.undo_stack.redo()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work; a dialog that is open goes with its picture."""
        for worker in self._workers:
            worker.close()
        if self.export_dialog is not None:
            self.export_dialog.close_jobs()
            self.export_dialog.reject()
        super().closeEvent(event)

    # Inside -------------------------------------------------------------------------------

    def worker(self, name: str, done: Callable[[object], None]) -> LatestWins:
        """Background work of this view; what fails is told below the picture."""
        worker = LatestWins(self, name)
        worker.done.connect(done)
        worker.failed.connect(self._tell_error)
        worker.busy.connect(lambda _busy: self._dim())
        self._workers.append(worker)
        return worker

    def _tell_error(self, error: PlacewiseError) -> None:
        self.readout.setText(sentence(error))

    def _dim(self) -> None:
        self.canvas.set_dimmed(self._old or self.long_at_work)

    def _show_buttons(self) -> None:
        self.bar.best.setEnabled(self.own is not None or bool(self.chosen))
        self.bar.export.setEnabled(self.picture is not None)

    def _connect(self) -> None:
        self.canvas.said.connect(lambda text: self.readout.setText(text or self.hint))
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.canvas.customContextMenuRequested.connect(self._open_menu)
        self.bar.choice.activated.connect(self._choose)
        self.bar.best.clicked.connect(self.back_to_best)
        self.bar.fit.clicked.connect(self.canvas.fit)
        self.bar.export.clicked.connect(self.open_export)

    def _lay_out(self) -> None:
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(GRID // 2)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.measures)
        self.body.addWidget(self.canvas, 1)
        self.body.addWidget(self.readout)


class _Step(QUndoCommand):
    """From one own case to another, or to none."""

    def __init__(
        self,
        view: EditedPictureView[P, C, D],
        text: str,
        own: Own[C] | None,
        chosen: str,
        ready: Ready[P, C, D] | None = None,
    ) -> None:
        super().__init__(text)
        self._view = view
        self._before, self._after = (view.own, view.chosen), (own, chosen)
        self._ready = ready  # for the first time only: it is large

    def undo(self) -> None:
        """Show the case before."""
        self._view.set_own(*self._before)

    def redo(self) -> None:
        """Show the case after."""
        ready, self._ready = self._ready, None
        self._view.set_own(*self._after, ready)
