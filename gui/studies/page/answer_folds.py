"""What is folded below a study's picture: why, what it rests on, equations and sources.

One of the three is open at most; it takes the height of its text up to a part of the page, and
scrolls beyond that, so that the picture keeps its part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QColor, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import count
from advisor.studies.study import (
    ASSUMED,
    EQUATION,
    MEASURED,
    RANGE,
    STATED,
    Check,
    Note,
    StudyResult,
)
from gui.basics.theme import GRID, theme

_MOST, _PICTURE = 0.4, 0.3  # of the page's height: the text at most, the picture at least
_KINDS = (MEASURED, STATED, RANGE, ASSUMED)
WHY, RESTS, SOURCES = "why", "rests", "sources"


class Folds(QWidget):
    """Three headings in a row and the text of the one that is open.

    `row`: of the headings; what else belongs there goes to its end. `reasons`, `notes`, `sources`:
    the texts.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_folds")
        self.setAccessibleName("Reasons, grounds and sources")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.headings = {name: _heading(name) for name in (WHY, RESTS, SOURCES)}
        self.reasons = wrapped("study_reasons", "")
        self.notes = wrapped("study_notes", "")
        self.sources = wrapped("study_sources", "")
        self._texts = {WHY: self.reasons, RESTS: self.notes, SOURCES: self.sources}
        for label in (self.notes, self.sources):
            label.setTextFormat(Qt.TextFormat.RichText)
        self.row = QHBoxLayout()
        self.row.setSpacing(2 * GRID)
        for heading in self.headings.values():
            self.row.addWidget(heading)
        self.row.addStretch(1)
        self.area = _Area(self)
        for label in self._texts.values():
            self.area.add(label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(self.row)
        column.addWidget(self.area)
        self._open, self._dimmed = "", False
        self._notes: tuple[Note, ...] = ()
        self._check_notes: tuple[Note, ...] = ()
        for name, heading in self.headings.items():
            heading.clicked.connect(lambda _checked=False, name=name: self.toggle(name))
        theme().changed.connect(self._write)
        theme().changed.connect(self._mute)
        self.clear()

    def leave_room(self, picture: QWidget) -> None:
        """Leave the picture its part of the page, whatever else changes its height."""
        self.area.picture = picture
        picture.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The picture has another height: there may be more room for text, or less."""
        resized = event.type() == QEvent.Type.Resize
        if resized and self.area.sizeHint().height() != self.area.height():
            self.area.updateGeometry()
        return super().eventFilter(watched, event)

    @property
    def open_one(self) -> str:
        """`WHY`, `RESTS` or `SOURCES`; empty: all are folded."""
        return self._open

    def minimumSizeHint(self) -> QSize:
        """As wide as short headings: a job in the row must not move what is beside."""
        shown = [one for one in self.headings.values() if not one.isHidden()]
        width = sum(one.minimumSizeHint().width() + self.row.spacing() for one in shown)
        return QSize(width, super().minimumSizeHint().height())

    def toggle(self, name: str) -> None:
        """Open a text, or fold it if it is open."""
        self._open = "" if name == self._open else name
        self._write()
        self.area.verticalScrollBar().setValue(0)

    def show_answer(self, result: StudyResult) -> None:
        """Show why, on what it rests and where it is from; what was simulated before is gone."""
        self.reasons.setText("\n".join(f"• {reason}" for reason in result.reasons))
        self._say(f"Why this one ({len(result.reasons)})", WHY, shown=bool(result.reasons))
        self._notes, self._check_notes = result.notes, ()
        self._write()

    def show_check(self, check: Check | None) -> None:
        """What a simulation leaves out belongs to what the answer rests on."""
        self._check_notes = () if check is None else check.notes
        self._write()

    def set_dimmed(self, dimmed: bool) -> None:
        """The texts belong to other parameters than those in the form."""
        for label in self._texts.values():
            label.setEnabled(not dimmed)
        self._dimmed = dimmed
        self._mute()

    def _mute(self) -> None:
        """The headings of old texts look old, but can be opened."""
        palette = QPalette()
        if self._dimmed:
            palette.setColor(QPalette.ColorRole.ButtonText, QColor(theme().colours.muted))
        for heading in self.headings.values():
            heading.setPalette(palette)

    def clear(self) -> None:
        """Say nothing."""
        self.show_answer(StudyResult(""))

    def _write(self) -> None:
        grounds = [one for one in (*self._check_notes, *self._notes) if one.kind != EQUATION]
        self.notes.setText("<br>".join(note_html(one) for one in grounds))
        short = ": ".join(("Assumptions", *_warnings(grounds)))
        whole = f"Assumptions{_counted(grounds)}"
        self._say(whole, RESTS, short, shown=bool(grounds))
        equations = [one for one in self._notes if one.kind == EQUATION]
        shown = {source for one in equations for source in _sources(one)}
        cited = dict.fromkeys(source for one in grounds for source in _sources(one))
        lines = [note_html(one) for one in equations]
        lines += [f"<i>{_escaped(source)}</i>" for source in cited if source not in shown]
        self.sources.setText("<br>".join(lines))
        self._say("Equations and sources", SOURCES, shown=bool(lines))
        for name, label in self._texts.items():
            heading, is_open = self.headings[name], name == self._open
            heading.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
            heading.setAccessibleDescription("open" if is_open else "folded")
            label.setVisible(is_open and not heading.isHidden())
        self.area.setVisible(any(not label.isHidden() for label in self._texts.values()))
        self.area.updateGeometry()

    def _say(self, text: str, name: str, short: str = "", *, shown: bool) -> None:
        heading = self.headings[name]
        heading.say(text, short or text)
        heading.setAccessibleName(text)
        heading.setVisible(shown)


class _Heading(QToolButton):
    """Says as much as it has room for."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = self._short = ""

    def say(self, whole: str, short: str) -> None:
        """Show the whole text, or a short one where there is no room."""
        self._whole, self._short = whole, short
        self._fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Of the whole text."""
        return self._size(self._whole)

    def minimumSizeHint(self) -> QSize:
        """Of the short one."""
        return self._size(self._short)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There may be more room, or less."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setText(self._whole if self.width() >= self.sizeHint().width() else self._short)

    def _size(self, text: str) -> QSize:
        width = self.fontMetrics().horizontalAdvance
        return super().sizeHint() + QSize(width(text) - width(self.text()), 0)


class _Area(QScrollArea):
    """The open text; as high as it is, up to a part of the page."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("study_text")
        self.setAccessibleName("Text of the open heading")
        self.picture: QWidget | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._body = QWidget()
        self._body.setBackgroundRole(QPalette.ColorRole.Base)
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(GRID, 0, GRID, 0)
        self.setWidget(self._body)

    def add(self, label: QLabel) -> None:
        """One of the texts."""
        self._column.addWidget(label)

    def sizeHint(self) -> QSize:
        """As high as the text, up to a part of the page."""
        page = self.window() if self.parentWidget() is None else _page_of(self)
        needed = self._body.heightForWidth(max(self.viewport().width(), 1))
        line = self.fontMetrics().lineSpacing()
        whole_lines = int(self._most(page.height())) // line * line
        return QSize(super().sizeHint().width(), min(needed, whole_lines))

    def _most(self, page: float) -> float:
        """How high it may be on a page of that height."""
        if self.picture is None:
            return _MOST * page
        here = self.height() if self.isVisible() else 0
        others = page - self.picture.height() - here
        return max(0.0, min(_MOST * page, (1.0 - _PICTURE) * page - others))

    def minimumSizeHint(self) -> QSize:
        """As high as it wants to be."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


def _page_of(area: QWidget) -> QWidget:
    folds = area.parentWidget()
    above = None if folds is None else folds.parentWidget()
    return above or folds or area


def _heading(name: str) -> _Heading:
    button = _Heading()
    button.setObjectName(f"study_fold_{name}")
    button.setToolTip("Show or hide this")
    button.setAutoRaise(True)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


def _sources(note: Note) -> list[str]:
    """Each source of a note, which names several with a semicolon between them."""
    return [source for source in note.source.split("; ") if source]


def _counted(notes: Sequence[Note]) -> str:
    """How many of each kind, and how many say that a model does not hold."""
    kinds = Counter(one.kind for one in notes)
    told = [f"{kinds[kind]} {kind}" for kind in _KINDS if kinds[kind]]
    told += _warnings(notes)
    return f": {', '.join(told)}" if told else f" ({len(notes)})"


def _warnings(notes: Sequence[Note]) -> list[str]:
    outside = sum(1 for one in notes if not one.inside_domain)
    return [f"▲ {count(outside, 'warning')}"] if outside else []


def note_html(note: Note) -> str:
    """A validity note: a dot, green inside the model's domain and amber outside, and its words."""
    colours = theme().colours
    colour = colours.better if note.inside_domain else colours.warning
    dot = "●" if note.inside_domain else "▲"
    source = f" <i>{_escaped(note.source)}</i>" if note.source else ""
    return f'<span style="color:{colour}">{dot}</span> {_escaped(note.text)}{source}'


def wrapped(name: str, role: str) -> QLabel:
    """A label that wraps and can be copied from."""
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    if role:
        label.setProperty("role", role)
    return label


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
