"""The inspector: draws the sheet of what is selected and turns edits into undo steps."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from advisor.project.project import Project
from gui.basics.error_messages import sentence
from gui.basics.event_loop_slices import EventLoopSlices
from gui.basics.theme import GRID
from gui.document.document import Document, Outcome, Selection
from gui.form.shortened import breakable
from gui.inspector.flow_sheet import flow_sheet
from gui.inspector.link_sheet import link_sheet
from gui.inspector.machine_sheet import machine_sheet
from gui.inspector.open_in_study import OpenInStudy
from gui.inspector.overlay_sheet import Known, overlay_sheet
from gui.inspector.overlay_table import OverlayMachines
from gui.inspector.plan_choices import PlanChoices
from gui.inspector.project_sheet import project_sheet
from gui.inspector.row import Row
from gui.inspector.sheet import Action, Field, Sheet
from gui.inspector.switch_sheet import store_sheet, switch_sheet
from gui.inspector.task_sheet import task_sheet
from gui.inspector.traffic_table import Traffic
from machines.errors import PlacewiseError

_MOST_ASIDE = 128  # rows; some are of machines, and other projects have others


def sheet_of(project: Project, selection: Selection, outcome: Outcome | None = None) -> Sheet:
    """The sheet of what is selected; of the project when nothing is."""
    if selection.tasks:
        return task_sheet(project, tuple(sorted(selection.tasks)))
    if selection.overlay is not None:
        return overlay_sheet(project, selection.overlay, _placed(outcome, selection.overlay))
    for place, sheet in (
        (selection.flow, flow_sheet),
        (selection.link, link_sheet),
        (selection.machine, machine_sheet),
        (selection.switch, switch_sheet),
        (selection.store, store_sheet),
    ):
        if place is not None:
            return sheet(project, place)
    return project_sheet(project)


def _placed(outcome: Outcome | None, position: int) -> Known | None:
    """An overlay's tree and costs as last predicted."""
    if outcome is None or position >= len(outcome.overlays):
        return None
    return outcome.overlays[position]


ADDS = ("add_machine", "add_switch", "add_store", "add_task", "add_overlay")
"""Keys of actions whose new thing is to be named at once."""


class Inspector(QScrollArea):
    """Every field of what is selected, or of the project; of links also what crosses them."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAccessibleName("Inspector")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(280)
        self._document = document
        self._identity: tuple[object, ...] = ()
        self._rows: dict[str, Row] = {}
        self._aside: dict[str, Row] = {}  # that what is selected has no field for
        self._fields: dict[str, Field] = {}
        self._actions: dict[str, Action] = {}
        self._title, self._subtitle = _label("headline"), _label("muted")
        self.wrong = _label("error")
        self.wrong.setObjectName("inspector.wrong")
        self.wrong.hide()
        self._form = QVBoxLayout()
        self._form.setSpacing(4)
        self._tail = QWidget()
        self._tail_key: tuple[object, ...] = ()
        self._page = page = QWidget()
        page.setObjectName("inspector.page")
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(12, 8, 12, 8)
        self._column.setSpacing(4)
        self._column.addWidget(self._title)
        self._column.addWidget(self._subtitle)
        self._column.addWidget(OpenInStudy(document))
        self.choices = PlanChoices(document)
        self._column.addWidget(self.choices)
        self._column.addLayout(self._form)
        self._column.addWidget(OverlayMachines(document))
        self._column.addWidget(Traffic(document))
        self._column.addWidget(self.wrong)
        self._column.addWidget(self._tail)
        self._column.addStretch(1)
        self.setWidget(page)
        document.changed.connect(self._refresh)
        document.selection_changed.connect(self._refresh)
        document.outcome_changed.connect(self._refresh_overlay)
        self._refresh()
        self._turns = EventLoopSlices(self)
        self._turns.start(self._make_ahead())
        document.replaced.connect(lambda _project: self._turns.start(self._make_ahead()))

    @property
    def is_busy(self) -> bool:
        """Whether rows are still made ahead."""
        return self._turns.is_busy

    def focus(self) -> None:
        """Put the keyboard into the first field, at the top."""
        self.verticalScrollBar().setValue(0)
        if self._fields:
            editor = self._rows[next(iter(self._fields))].editor
            editor.setFocus(Qt.FocusReason.OtherFocusReason)
            editor.selectAll()

    def _refresh_overlay(self, _outcome: object) -> None:
        """Of an overlay the prediction says which tree it has, and what it costs."""
        if self._document.selection.overlay is not None:
            self._refresh()

    def _refresh(self, _change: object = None) -> None:
        document = self._document
        sheet = sheet_of(document.project, document.selection, document.outcome)
        self._title.setText(breakable(sheet.title))
        self._subtitle.setText(breakable(sheet.subtitle))
        self._fields = {field.key: field for field in sheet.fields}
        self._actions = {action.key: action for action in sheet.actions}
        self.wrong.hide()
        self._arrange_rows(sheet)
        for key, field in self._fields.items():
            self._rows[key].show_field(field)
        if sheet.tail_key != self._tail_key:
            self._tail_key = sheet.tail_key
            self._build_tail(sheet)

    def _arrange_rows(self, sheet: Sheet) -> None:
        """Show the rows of a sheet; of the same thing one of them may be in the user's hand."""
        same_thing = sheet.identity == self._identity
        self._identity = sheet.identity
        for key in [key for key in self._rows if key not in self._fields]:
            self._put_aside(self._rows.pop(key))
        for place, field in enumerate(sheet.fields):
            row = self._rows.get(field.key) or self._aside.pop(field.key, None)
            if row is None or not row.suits(field):
                if row is not None:
                    self._take_out(row).deleteLater()
                row = self._row(field)
            elif not same_thing:
                row.forget()
            self._rows[field.key] = row
            if self._form.indexOf(row) != place:
                self._form.insertWidget(place, row)
            row.show()

    def _put_aside(self, row: Row) -> None:
        """Until something is selected that has such a field: to make one takes far longer."""
        self._aside[row.key] = self._take_out(row)
        if len(self._aside) > _MOST_ASIDE:
            self._aside.pop(next(iter(self._aside))).deleteLater()

    def _take_out(self, row: Row) -> Row:
        self._form.removeWidget(row)
        row.forget()  # hidden it loses the focus, and would write into what is shown now
        row.hide()
        return row

    def _make_ahead(self) -> Iterator[None]:
        """The rows of what may be selected, before it is: a row a turn."""
        project = self._document.project
        platform, workload = project.platform, project.workload
        for selection in (
            Selection(tasks=frozenset((0,))),
            Selection(machine=0),
            *((Selection(link=0),) if platform.links else ()),
            *((Selection(overlay=0),) if workload.overlays else ()),
        ):
            yield
            for field in sheet_of(project, selection).fields:
                if field.key not in self._rows and field.key not in self._aside:
                    self._put_aside(self._row(field))
                    yield

    def _build_tail(self, sheet: Sheet) -> None:
        """Notes, actions and links, which hold no input and can be made anew."""
        tail = QWidget()
        column = QVBoxLayout(tail)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        for text in sheet.notes:
            note = _label("muted")
            note.setText(breakable(text))
            column.addWidget(note)
        for action in sheet.actions:
            column.addWidget(self._button(action))
        for text, selection in sheet.links:
            column.addWidget(self._link(text, selection))
        self._column.replaceWidget(self._tail, tail)
        self._tail.hide()
        self._tail.deleteLater()
        self._tail = tail

    def _row(self, field: Field) -> Row:
        row = Row(field, self._page)
        row.written.connect(lambda value, key=field.key: self._write(key, value, merge=False))
        row.slid.connect(lambda value, key=field.key: self._write(key, value, merge=True))
        row.released.connect(self._document.seal)
        return row

    def _button(self, action: Action) -> QPushButton:
        button = CutButton(action.text)
        button.setObjectName(f"action.{action.key}")
        button.setToolTip(action.help)
        button.clicked.connect(lambda _=False, key=action.key: self._act(self._actions[key]))
        return button

    def _link(self, text: str, selection: Selection) -> QPushButton:
        button = CutButton(text)
        button.setProperty("role", "link")
        button.setToolTip(f"Show {text}")
        button.clicked.connect(lambda _=False: self._document.select(selection))
        return button

    def _write(self, key: str, value: object, *, merge: bool) -> None:
        field = self._fields[key]
        merge_key = f"{self._identity}{key}" if merge else ""
        try:
            changed = field.write(self._document.project, value)
        except PlacewiseError as error:
            self._rows[key].refuse(error)
            return
        step = f"Change {field.parameter.title}" if field.step is None else field.step(changed)
        self._document.apply(changed, step, merge_key)

    def _act(self, action: Action) -> None:
        try:
            changed = action.run(self._document.project)
        except PlacewiseError as error:
            self._refuse(error)
            return
        self._document.apply(changed, action.text)
        if action.select is not None:
            self._document.select(action.select(self._document.project))
        if action.key.startswith(ADDS):
            self.focus()

    def _refuse(self, error: PlacewiseError) -> None:
        """Say above the buttons why an action can't be done."""
        self.wrong.setText(breakable(sentence(error)))
        self.wrong.show()
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(self.wrong))


def _label(role: str) -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


class CutButton(QPushButton):
    """A button as narrow as its place; its tooltip says what is cut of its text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        # a usual button is never narrower than its text
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        found = super().minimumSizeHint()
        return QSize(min(found.width(), 8 * GRID), found.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """As usual, with the middle of a long text left out: names differ at their ends."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.width() - 2 * GRID
        option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)
