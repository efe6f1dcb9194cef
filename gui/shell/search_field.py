"""The field "Find a task or an action": one list of these, examples and help while typing.

It is the window's command palette too: Ctrl+K, a few letters, Enter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import shiboken6
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    QTimer,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from advisor.project.examples import example_titles
from advisor.project.project import Project
from gui.basics.literal_menu import plain
from gui.basics.theme import GRID, theme
from gui.document.document import Document, Selection
from gui.shell.actions import Actions, ActionSpec

LIMIT = 40
_LIST_ROWS = 12
_DOCK = "panel_"  # actions of docks
_DETAIL = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Finding:
    """One entry of the list and what it does."""

    text: str
    detail: str
    run: Callable[[], object]


def matches(query: str, texts: Iterable[str], limit: int = LIMIT) -> list[int]:
    """Positions of the texts that hold every word of `query`, best first.

    A text that begins with the query comes before one where a word begins with it, before one
    that merely contains it; ties keep their order.
    """
    words = query.casefold().split()
    if not words:
        return []
    ranked: list[tuple[int, int]] = []
    for position, text in enumerate(texts):
        low = text.casefold()
        if all(word in low for word in words):
            starts = low.startswith(words[0])
            begins = starts or any(part.startswith(words[0]) for part in low.split())
            ranked.append((0 if starts else 1 if begins else 2, position))
    return [position for _, position in sorted(ranked)[:limit]]


def _findable(spec: ActionSpec) -> str:
    """What finds an action: its text, and other words for it."""
    return f"{spec.text} {spec.words}"


def _named(
    query: str, entries: Sequence[tuple[str, ...]], detail: str, asked: SignalInstance
) -> list[Finding]:
    """Findings among entries (name, title, other words), and what asks for them by name."""
    said = (f"{' '.join(words)} {detail}" for _, *words in entries)
    return [
        Finding(entries[at][1], detail, partial(asked.emit, entries[at][0]))
        for at in matches(query, said, LIMIT // 4)
    ]


class _TwoTexts(QStyledItemDelegate):
    """What it is on the left, where it is on the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), option.fontMetrics.height() + GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        detail = index.data(_DETAIL)
        if not detail:
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        colours = theme().colours
        painter.save()
        painter.setPen(QColor(colours.on_accent if chosen else colours.muted))
        painter.drawText(
            option.rect.adjusted(0, 0, -GRID, 0),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            detail,
        )
        painter.restore()


class SearchField(QLineEdit):
    """Type to find; arrows choose, Enter does it, Esc closes; then the keyboard is where it was."""

    dock_asked = Signal(str)  # to be in front with the keyboard, whether it is open or not
    example_asked = Signal(str)  # its name
    help_asked = Signal(str)  # name of its page

    def __init__(
        self,
        document: Document,
        actions: Actions,
        show_task: Callable[[int], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("search_field")
        self.setPlaceholderText("Find a task or an action")
        self.setAccessibleName("Find a task or an action")
        self.setToolTip("Type a part of a task's, machine's or action's name (Ctrl+K)")
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(20 * GRID)
        self._document, self._actions, self._show_task = document, actions, show_task
        self._names: tuple[Project, list[str]] | None = None
        self._before: QWidget | None = None  # who had the keyboard
        self.findings: list[Finding] = []
        self.list = QListWidget(parent)
        self.list.setObjectName("search_list")
        self.list.setAccessibleName("What was found")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setItemDelegate(_TwoTexts(self.list))
        self.list.hide()
        self.list.itemClicked.connect(lambda _item: self._run())
        self.textEdited.connect(self._search)

    def open(self) -> None:
        """Take the focus, everything selected."""
        self._before = QApplication.focusWidget()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
        self._search(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move in the list, Enter runs, Esc closes."""
        key = event.key()
        if key in {Qt.Key.Key_Down, Qt.Key.Key_Up} and self.findings:
            step = 1 if key == Qt.Key.Key_Down else -1
            self.list.setCurrentRow((self.list.currentRow() + step) % len(self.findings))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._run()
        elif key == Qt.Key.Key_Escape:
            self.clear()
            self._close()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The list goes with the focus."""
        super().focusOutEvent(event)
        self.list.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window's size while the list is open."""
        if event.type() == QEvent.Type.Resize and self.list.isVisible():
            QTimer.singleShot(0, self.list, self._place)
        return super().eventFilter(watched, event)

    def _search(self, query: str) -> None:
        self.findings = self._find(query) if query.strip() else []
        self.list.clear()
        for finding in self.findings:
            item = QListWidgetItem(finding.text)
            item.setData(_DETAIL, finding.detail)
            item.setToolTip(f"{finding.text}, {finding.detail}")
            self.list.addItem(item)
        if query.strip() and not self.findings:
            item = QListWidgetItem(f"No match for “{query.strip()}”")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        elif self.findings:
            self.list.setCurrentRow(0)
        self.list.setVisible(self.list.count() > 0)
        if self.list.isVisible():
            self._place()

    def _find(self, query: str) -> list[Finding]:
        found = []
        specs = [spec for spec in self._actions if self._actions[spec.id].isEnabled()]
        for position in matches(query, map(_findable, specs), LIMIT // 2):
            action = self._actions[specs[position].id]
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            place = f"{specs[position].menu.replace('/', ' › ')}  {keys}"
            run = action.trigger
            if specs[position].id.startswith(_DOCK):
                run = partial(self.dock_asked.emit, specs[position].id.removeprefix(_DOCK))
            found.append(Finding(plain(action.text()).rstrip("…"), place, run))
        project = self._document.project
        for machine in matches(query, (m.name for m in project.platform.machines), LIMIT // 4):
            name, chosen = project.platform.machines[machine].name, Selection(machine=machine)
            found.append(Finding(name, "machine", partial(self._document.select, chosen)))
        overlays = project.workload.overlays
        for overlay in matches(query, (one.name for one in overlays), LIMIT // 4):
            run = partial(self._document.select, Selection(overlay=overlay))
            found.append(Finding(overlays[overlay].name, "overlay", run))
        for task in matches(query, self._task_names(project), LIMIT):
            place = project.platform.machines[project.plan.allocation[task]].name
            name = project.workload.tasks[task].name
            found.append(Finding(name, f"task on {place}", partial(self._show_task, task)))
        found += _named(query, example_titles(), "example", self.example_asked)
        from gui.shell.help import PAGES  # noqa: PLC0415 - with the first search

        found += _named(query, PAGES, "help", self.help_asked)
        # what is called exactly so, or begins so, comes first whatever it is
        low = query.casefold().strip()
        found.sort(key=lambda finding: not finding.text.casefold().startswith(low))
        return found[:LIMIT]

    def _task_names(self, project: Project) -> list[str]:
        if self._names is None or self._names[0].workload is not project.workload:
            self._names = project, [task.name for task in project.workload.tasks]
        return self._names[1]

    def _place(self) -> None:
        window = self.window()
        if self.list.parentWidget() is not window:
            self.list.setParent(window)
            window.installEventFilter(self)
        rows = min(self.list.count(), _LIST_ROWS)
        height = rows * max(self.list.sizeHintForRow(0), 2 * GRID) + 2 * self.list.frameWidth()
        width = max(self.width(), min(56 * GRID, window.width() - 2 * GRID))
        corner = self.mapTo(window, QPoint(self.width() - width, self.height() + 2))
        self.list.setGeometry(max(GRID, corner.x()), corner.y(), width, height)
        self.list.show()
        self.list.raise_()

    def _run(self) -> None:
        row = self.list.currentRow()
        if not 0 <= row < len(self.findings):
            return
        finding = self.findings[row]
        self.clear()
        self._close()
        finding.run()

    def _close(self) -> None:
        self.findings = []
        self.list.clear()
        self.list.hide()
        before, self._before = self._before, None
        if before is None or not shiboken6.isValid(before) or not before.isVisible():
            before = self
        (self.window() if before is self else before).setFocus()
