"""One row of the inspector: heading, entry, slider, and the error beneath."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSlider, QWidget

from advisor.basics import entries
from gui.basics.wheel import ValueSlider
from gui.form.labelled_editor import LabelledEditor, hint
from gui.inspector.sheet import VARIOUS, Field, Slider
from machines import amounts
from machines.errors import PlacewiseError
from machines.parameters import spoken


class Row(QWidget):
    """Edits one `Field`.

    `written` carries a value that was typed or chosen, `slid` one from the moving slider,
    `released` says that the slider came to rest. Wrong text stays where it is, with the reason
    beneath; Escape brings the present value back.
    """

    written = Signal(object)
    slid = Signal(object)
    released = Signal()

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"row.{field.key}")
        self._field = field
        self._heading = QLabel(field.parameter.heading, self)  # shown alone it would be a window
        self._heading.setProperty("role", "headline")
        self._heading.setContentsMargins(0, 10, 0, 2)
        self._heading.setVisible(bool(field.parameter.heading))
        self._labelled = LabelledEditor(field.parameter, self, joint=".", live=False)
        self._labelled.label.setWordWrap(True)
        self._labelled.beside.setProperty("role", "muted")
        self._labelled.message.setObjectName(f"error.{field.key}")
        self.editor = self._labelled.editor
        self.slider: QSlider | None = None
        self._lay_out(field)
        self.editor.edited.connect(self._follow)
        self.editor.finished.connect(self._finish)
        self.editor.escaped.connect(self._restore)
        self.show_field(field)

    def _lay_out(self, field: Field) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 2)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.addWidget(self._heading, 0, 0, 1, 2)
        if field.parameter.lines > 1:  # as wide as the sheet
            grid.addWidget(self._labelled.label, 1, 0, 1, 2)
            grid.addWidget(self.editor, 2, 0, 1, 2)
        else:
            entry = QHBoxLayout()
            entry.setSpacing(8)
            entry.addWidget(self.editor, 1)
            entry.addWidget(self._labelled.beside)
            grid.addWidget(self._labelled.label, 1, 0)
            grid.addLayout(entry, 1, 1)
        # shares alone, whatever the unit: entries of all rows begin in one column
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)
        if field.slider is not None:
            self.slider = ValueSlider(Qt.Orientation.Horizontal)
            self.slider.setObjectName(f"slider.{field.key}")
            self.slider.setAccessibleName(field.parameter.title)
            self.slider.setToolTip(hint(field.parameter))
            self.slider.valueChanged.connect(self._slide)
            self.slider.sliderReleased.connect(self.released)
            grid.addWidget(self.slider, 2, 0, 1, 2)
        grid.addWidget(self._labelled.message, 3, 0, 1, 2)

    @property
    def key(self) -> str:
        """Of the field that it shows."""
        return self._field.key

    def forget(self) -> None:
        """Give up what is being written: it was meant for something else."""
        self._labelled.accept()
        self.editor.setModified(False)

    def suits(self, field: Field) -> bool:
        """Whether it can show `field`: a row keeps its editor and its heading."""
        before, now = self._field.parameter, field.parameter
        alike = (bool(now.choices), now.kind, now.lines, now.heading) == (
            bool(before.choices), before.kind, before.lines, before.heading
        )  # fmt: skip
        return alike and (field.slider is None) == (self.slider is None)

    def show_field(self, field: Field) -> None:
        """Show the present value, unless wrong text is still being mended."""
        self._field = field
        self._labelled.show_parameter(field.parameter)
        if field.value is VARIOUS:
            self._labelled.set_placeholder("various")
        if not self._labelled.wrong and not self.editor.isModified():
            self._show_text()
        if self.slider is not None and field.slider is not None and not self.slider.isSliderDown():
            self.slider.blockSignals(True)
            self.slider.setRange(0, field.slider.steps)
            self.slider.setPageStep(max(1, field.slider.steps // 8))
            self.slider.setValue(_step(field.slider, field.value))
            self.slider.blockSignals(False)

    def refuse(self, error: PlacewiseError) -> None:
        """Show why the text can't be taken; the text stays."""
        self._labelled.refuse(spoken(error, (self._field.parameter,)).text)

    def _show_text(self) -> None:
        value, text = self._field.value, self._field.text
        unit = self._field.parameter.unit
        if isinstance(value, int | float) and not isinstance(value, bool):
            known = unit in amounts.UNITS
            text = entries.grouped(entries.quantity(value, unit) if known else text)
        self._labelled.show_text("" if value is VARIOUS else text)

    def _restore(self) -> None:
        self._labelled.accept()
        self._show_text()

    def _follow(self) -> None:
        """Text that is what it was again, after undo say, is not wrong any more."""
        if not self.editor.isModified():
            self._labelled.accept()

    def _finish(self) -> None:
        if not self.editor.isModified():
            return
        try:
            value = entries.read(self._field.parameter, self.editor.text(), spread=True)
        except PlacewiseError as error:
            self.refuse(error)
            return
        self._labelled.accept()
        self.editor.setModified(False)
        self.written.emit(value)
        self.editor.setModified(bool(self._labelled.wrong))  # what is refused can be taken back

    def _slide(self, step: int) -> None:
        if self._field.slider is None or self.slider is None:
            return
        self._labelled.accept()
        self.editor.setModified(False)
        value = _value(self._field.slider, step)
        self.slid.emit(float(round(value)) if self._field.parameter.unit == "B" else value)
        if not self.slider.isSliderDown():
            self.released.emit()


def _step(slider: Slider, value: object) -> int:
    number = value if isinstance(value, int | float) else slider.at
    clipped = min(max(slider.low if number is None else float(number), slider.low), slider.high)
    if slider.log:
        share = math.log(clipped / slider.low) / math.log(slider.high / slider.low)
        return round(slider.steps * share)
    return round(slider.steps * (clipped - slider.low) / (slider.high - slider.low))


def _value(slider: Slider, step: int) -> float:
    share = step / slider.steps
    if slider.log:
        return float(f"{slider.low * (slider.high / slider.low) ** share:.3g}")
    return float(f"{slider.low + share * (slider.high - slider.low):.4g}")
