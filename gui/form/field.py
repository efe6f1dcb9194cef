"""One field of a study's form: an entry whose text is taken as it is typed, right or wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from advisor.basics.entries import shown
from advisor.studies.parameters import parsed
from gui.form.editors import ChoiceList
from gui.form.labelled_editor import LabelledEditor
from machines.errors import InputError
from machines.parameters import Parameter


class FormField(LabelledEditor):
    """The value of one setting."""

    changed = Signal()  # the user has edited it, right or wrong

    def __init__(self, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(parameter, parent)
        self.editor.edited.connect(self._take)
        self.reset()

    def value(self) -> object:
        """The value; InputError naming the field when the entry is wrong."""
        return parsed(self.parameter, self.editor.text().strip())

    def reset(self) -> None:
        """Show the default, without telling."""
        default = self.parameter.default
        self.write(None if default is dataclasses.MISSING else default)

    def write(self, value: object) -> None:
        """Show a value, without telling."""
        self.show_text(_shown(value))
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
        try:
            self.value()
        except InputError as error:
            self.refuse(f"{error.what[:1].upper()}{error.what[1:]}. {error.remedy}".strip())
            return False
        self.accept()
        return True

    def _take(self) -> None:
        self.editor.setModified(not self.check())
        self.changed.emit()


def _shown(value: object) -> str:
    """Exactly, so that it is read back the same."""
    return repr(value).removesuffix(".0") if isinstance(value, float) else shown(value)
