"""The editors of entries: a line, several lines, a list of choices, yes or no; all speak alike.

`edited` says that the user has changed the text, `pasted` that so much came at once, `finished`
that they are done with it, `escaped` that the present value should come back. An editor is modified
from the user's change until its text was taken or given up. What is shown by `show_text` is told
by none of them.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontDatabase,
    QHelpEvent,
    QKeyEvent,
    QPaintEvent,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
)

from advisor.basics.entries import NO, YES
from gui.basics.tips import plain_tip
from gui.basics.wheel import ChoiceBox
from gui.form.shortened import shortened
from machines.parameters import Parameter

_LONGEST = 2000  # characters of a text; of a longer one the beginning is shown
_CHOICE_LETTERS = 20  # of wide ones: so long a choice is never cut off
_NARROW_LETTERS = 8
_BESIDE_TEXT = 4  # pixels of the field that a style leaves free


class LineEditor(QLineEdit):
    """A line of text."""

    edited = Signal()
    pasted = Signal()
    finished = Signal()
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._length = 0  # of the text before the user's last change
        self.textEdited.connect(self._change)
        self.editingFinished.connect(self.finished)

    def show_text(self, text: str, _parameter: Parameter) -> None:
        """Show `text` as not modified."""
        self.setText(text)
        self._length = len(text)
        self.setCursorPosition(0)
        self.setModified(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape in changed text is told."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.escaped.emit()
            return
        super().keyPressEvent(event)

    def _change(self, text: str) -> None:
        before, self._length = self._length, len(text)
        self.edited.emit()
        if self._length > before + 1:
            self.pasted.emit()


class TextEditor(QPlainTextEdit):
    """Several lines, as of a file that is pasted; of a long text the beginning is shown."""

    edited = Signal()
    pasted = Signal()
    finished = Signal()
    escaped = Signal()

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._whole = ""  # of a text that is too long to show
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        margins = 2 * (self.document().documentMargin() + self.frameWidth())
        self.setFixedHeight(round(lines * self.fontMetrics().lineSpacing() + margins))
        self.textChanged.connect(self._change)

    def text(self) -> str:
        """The whole text."""
        return self._whole or self.toPlainText().strip()

    def isModified(self) -> bool:
        """Whether it holds a change of the user's that is not taken yet."""
        return self.document().isModified()

    def setModified(self, modified: bool) -> None:
        """As of a line."""
        self.document().setModified(modified)

    def show_text(self, text: str, _parameter: Parameter) -> None:
        """Show `text` as not modified."""
        self.blockSignals(True)
        self._whole = text if len(text) > _LONGEST else ""
        if self._whole:
            text = f"{text[:_LONGEST]}… ({len(text):,} characters in all)"
        self.setPlainText(text)
        self.setModified(False)
        self.blockSignals(False)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste or drop."""
        super().insertFromMimeData(source)
        self.pasted.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Who leaves it is done."""
        super().focusOutEvent(event)
        self.finished.emit()

    def _change(self) -> None:
        self._whole = ""
        self.edited.emit()


class CodeEditor(TextEditor):
    """Several lines of a program: all of it, in letters of one width; Escape brings it back."""

    def __init__(self, lines: int) -> None:
        super().__init__(lines)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)

    def show_text(self, text: str, _parameter: Parameter) -> None:
        """Show `text`, however long, as not modified."""
        if text == self.toPlainText() and not self.isModified():
            return  # cursor and selection stay
        self.blockSignals(True)
        self.setPlainText(text)
        self.setModified(False)
        self.blockSignals(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape in changed text is told."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.setModified(False)
            self.escaped.emit()
            return
        super().keyPressEvent(event)


class _Marked:
    """What a line has and boxes lack: a mark of the user's change."""

    _modified = False

    def isModified(self) -> bool:
        """Whether it holds a choice of the user's that is not taken yet."""
        return self._modified

    def setModified(self, modified: bool) -> None:
        """As of a line."""
        self._modified = modified

    def selectAll(self) -> None:
        """As of a line: nothing."""


class ChoiceList(_Marked, ChoiceBox):
    """A list of choices under their titles.

    It is as wide as `letters` of them at least. A title for which there is no room is cut so that
    it is told from the others, with all of it in the tooltip.
    """

    edited = Signal()
    finished = Signal()
    escaped = Signal()

    def __init__(self, letters: int) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)
        self.currentIndexChanged.connect(self._change)
        self.activated.connect(self._choose)

    def text(self) -> str:
        """The chosen text, whatever its title is."""
        return str(self.currentData() or "")

    def show_text(self, text: str, parameter: Parameter) -> None:
        """Show `text` among the choices, as not modified."""
        choices = [*([parameter.empty] if parameter.optional else []), *parameter.choices]
        self.blockSignals(True)
        if [self.itemData(place) for place in range(self.count())] != choices:
            self.clear()
            for choice in choices:
                self.addItem(parameter.title_of(choice), choice)
        self.setCurrentIndex(self.findData(text or parameter.empty))
        self._modified = False
        self.blockSignals(False)

    @property
    def closed_text(self) -> str:
        """What is seen of the chosen title while the list is closed."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        box, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(box, option, field, self).width() - _BESIDE_TEXT
        width = self.fontMetrics().horizontalAdvance
        others = [self.itemText(one) for one in range(self.count()) if one != self.currentIndex()]
        return shortened(self.currentText(), others, lambda text: width(text) <= room)

    @property
    def full_width(self) -> int:
        """Wide enough for every title."""
        width = self.fontMetrics().horizontalAdvance
        least = self.minimumContentsLength() * width("X")  # what Qt makes room for
        longest = max((width(self.itemText(place)) for place in range(self.count())), default=0)
        return self.sizeHint().width() + max(0, longest + _BESIDE_TEXT - least)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box with what fits of its title."""
        if self.currentIndex() < 0:
            super().paintEvent(event)
            return
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.closed_text
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def event(self, event: QEvent) -> bool:
        """Tell the title in the tooltip where it is cut."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            title = self.currentText()
            if title != self.closed_text:
                tip = plain_tip("\n".join(filter(None, (title, self.toolTip()))))
                QToolTip.showText(event.globalPos(), tip, self)
                return True
        return super().event(event)

    def showPopup(self) -> None:
        """Open the list, as wide as its longest title."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + self.iconSize().width())
        super().showPopup()

    def refuse(self, choice: str, reason: str) -> None:
        """Turn a choice off, with the reason in its tooltip; empty: it can be chosen."""
        model, place = self.model(), self.findData(choice)
        if isinstance(model, QStandardItemModel) and place >= 0:
            model.item(place).setEnabled(not reason)
            model.item(place).setToolTip(reason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape brings the present value back."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        super().keyPressEvent(event)

    def _change(self, _place: int) -> None:
        self._modified = True
        self.edited.emit()

    def _choose(self, _index: int) -> None:
        self._modified = True
        self.finished.emit()


class YesNoBox(_Marked, QCheckBox):
    """A box to tick."""

    edited = Signal()
    finished = Signal()
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.toggled.connect(self._change)

    def text(self) -> str:
        """Yes or no."""
        return YES if self.isChecked() else NO

    def show_text(self, text: str, _parameter: Parameter) -> None:
        """Show yes or no, as not modified."""
        self.blockSignals(True)
        self.setChecked(text == YES)
        self._modified = False
        self.blockSignals(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape in a changed box is told."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.escaped.emit()
            return
        super().keyPressEvent(event)

    def _change(self, _checked: bool) -> None:
        self._modified = True
        self.edited.emit()
        self.finished.emit()


Editor = LineEditor | TextEditor | ChoiceList | YesNoBox


def editor_of(parameter: Parameter, *, live: bool) -> Editor:
    """The editor that suits a parameter, in a `live` form or in a narrow sheet."""
    if parameter.kind is bool:
        return YesNoBox()
    if parameter.choices or parameter.offered:
        titles = [parameter.title_of(choice) for choice in parameter.choices]
        longest = max(map(len, titles or (parameter.empty,)))
        letters = min(longest, _CHOICE_LETTERS) if live else _NARROW_LETTERS
        return ChoiceList(letters)
    if parameter.lines > 1:
        return TextEditor(parameter.lines) if live else CodeEditor(parameter.lines)
    return LineEditor()
