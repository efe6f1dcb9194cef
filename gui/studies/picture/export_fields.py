"""The fields of an export dialog: one for each option that an export declares."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
)

from advisor.export.export_options import CORES_EACH, EVEN, HOST_LIST, INDEX, NAME, Option
from gui.basics.wheel import NumberBox

_MOST_CORES = 4096


class ExportField(QObject):
    """The field of one option.

    `name`: of the widget; what belongs to it is named after it.
    """

    typed = Signal()  # an answer can wait until typing rests
    chosen = Signal()
    file_asked = Signal()

    def __init__(self, option: Option, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.option = option
        self.label = QLabel(option.title)
        self.label.setObjectName(f"{name}_label")
        self.button: QPushButton | None = None
        self.widget = self._make(name)
        self.widget.setObjectName(name)
        self.widget.setToolTip(option.hint)
        self.label.setBuddy(self.widget)

    @property
    def value(self) -> object:
        """What the field holds: a text, a number or a flag; an index is `EVEN` or 0."""
        widget = self.widget
        if isinstance(widget, QPlainTextEdit):
            return widget.toPlainText().strip()
        if isinstance(widget, NumberBox):
            return widget.value()
        if isinstance(widget, QLineEdit):
            return widget.text().strip()
        if self.option.kind == INDEX:
            return EVEN if widget.isChecked() else 0
        return widget.isChecked()

    def fit(self, source: object, taken: bool) -> None:
        """Say what the field is of this source; it is grey where it has no meaning."""
        if self.option.label is not None:
            self.label.setText(self.option.label(source))
        self.widget.setEnabled(taken and self.option.fits(source))
        if self.button is not None:
            self.button.setEnabled(self.widget.isEnabled())

    def set_text(self, text: str) -> None:
        """Fill a box of hosts."""
        if isinstance(self.widget, QPlainTextEdit):
            self.widget.setPlainText(text)

    def put_into(self, form: QFormLayout, below: QVBoxLayout) -> None:
        """Take a row of the form, or a place below it."""
        if self.option.kind == HOST_LIST:
            self.label.setWordWrap(True)
            below.addWidget(self.label)
            below.addWidget(self.widget, 3 if self.option.needed else 2)
            if self.button is not None:
                below.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        elif isinstance(self.widget, QCheckBox):
            form.addRow(self.widget)
        else:
            form.addRow(self.label, self.widget)

    def _make(self, name: str) -> QPlainTextEdit | NumberBox | QLineEdit | QCheckBox:
        option = self.option
        if option.kind == HOST_LIST:
            box = text_box(name, option.title, read_only=False)
            box.setPlaceholderText(option.example)
            box.textChanged.connect(self.typed)
            self.button = push_button(
                f"{name}_file", "From a file…", "Read the hosts from a file, one a line"
            )
            self.button.clicked.connect(lambda _checked: self.file_asked.emit())
            return box
        if option.kind == CORES_EACH:
            number = NumberBox()
            number.setRange(0 if option.unset else 1, _MOST_CORES)
            number.setSpecialValueText(option.unset)
            number.valueChanged.connect(lambda _value: self.typed.emit())
            return number
        if option.kind == NAME:
            line = QLineEdit()
            line.setPlaceholderText(option.example)
            line.textChanged.connect(lambda _text: self.typed.emit())
            return line
        check = QCheckBox(option.title)
        check.toggled.connect(lambda _on: self.chosen.emit())
        return check


def push_button(name: str, text: str, hint: str) -> QPushButton:
    """A button of an export dialog."""
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(hint)
    button.setAutoDefault(False)
    return button


def text_box(name: str, title: str, read_only: bool = True) -> QPlainTextEdit:
    """A box for the text of a file."""
    box = QPlainTextEdit()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setReadOnly(read_only)
    box.setTabChangesFocus(True)
    box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    if read_only:
        box.setToolTip(title)
    return box
