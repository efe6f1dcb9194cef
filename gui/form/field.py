"""One field of a study's form: an entry whose text is taken while it is typed, once it is right.

Text that is wrong while it is typed may only be half of it: what is wrong is said when the typing
pauses or the field is left. Paths, lists and other free text, which every beginning of is right,
are taken no earlier either.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from advisor.basics import entries
from advisor.basics.entries import shown
from advisor.studies.parameters import parsed
from gui.form.editors import ChoiceList, LineEditor, TextEditor
from gui.form.labelled_editor import LabelledEditor
from machines import amounts
from machines.errors import InputError
from machines.parameters import Parameter, spoken

_PAUSE_MS = 800


class FormField(LabelledEditor):
    """The value of one setting."""

    changed = Signal()  # the user has edited it, right or wrong

    def __init__(self, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(parameter, parent)
        self._taken = self._right = ""  # the text that counts, and the last that was right
        self.pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.pause.timeout.connect(self._settle)
        self.editor.edited.connect(self._follow)
        self.editor.finished.connect(self._settle)
        if isinstance(self.editor, LineEditor | TextEditor):
            self.editor.pasted.connect(self._settle)
        self.editor.escaped.connect(self._restore)
        self.reset()

    def value(self) -> object:
        """The value; InputError naming the field when the entry is wrong."""
        return parsed(self.parameter, self._taken.strip())

    def reset(self) -> None:
        """Show the default, without telling."""
        default = self.parameter.default
        self.write(None if default is dataclasses.MISSING else default)

    def write(self, value: object) -> None:
        """Show a value, without telling."""
        self.show_text(_shown(value, self.parameter.unit))
        self._taken = self.editor.text()
        self.check()

    def offer(self, choices: Sequence[str]) -> None:
        """Choose among these, without telling; what it had stays if it is one of them."""
        text = self.editor.text()
        self.parameter = dataclasses.replace(self.parameter, choices=tuple(choices))
        self.write(text if text in choices else self.parameter.default)

    def refuse_choice(self, choice: str, reason: str) -> None:
        """Turn one choice off, with the reason; empty: it can be chosen."""
        if isinstance(self.editor, ChoiceList):
            self.editor.refuse(choice, reason)

    def check(self) -> bool:
        """Whether the entry is right; its message says what is wrong."""
        self.pause.stop()
        wrong = self._wrong()
        if wrong:
            self.refuse(wrong)
        else:
            self._right = self._taken
            self.accept()
        return not wrong

    @property
    def _is_free(self) -> bool:
        """Whether any beginning of a text is right as well."""
        one = self.parameter
        return one.kind is str and not one.choices and not one.offered

    def _wrong(self) -> str:
        try:
            self.value()
        except InputError as error:
            return spoken(error, (self.parameter,)).text
        return ""

    def _follow(self) -> None:
        """Take what is right; wait with the rest."""
        self.pause.start()
        if not self._is_free:
            self._take()

    def _take(self) -> None:
        self._taken = self.editor.text()
        wrong = bool(self._wrong())
        self.editor.setModified(wrong)
        if not wrong:
            self.check()
        self.changed.emit()

    def _restore(self) -> None:
        """What was right before the typing."""
        self.show_text(self._right)
        if self._taken != self._right:
            self._take()
        self.check()

    def _settle(self) -> None:
        """The user is done, or thinks: take free text, and say what is wrong."""
        if self.pause.isActive() or self.editor.isModified():
            if self._is_free and self.editor.text() != self._taken:
                self._take()
            self.editor.setModified(not self.check())


def _shown(value: object, unit: str) -> str:
    """Exactly, so that it is read back the same."""
    if unit in amounts.UNITS and isinstance(value, int | float):
        return entries.quantity(value, unit)
    return repr(value).removesuffix(".0") if isinstance(value, float) else shown(value)
