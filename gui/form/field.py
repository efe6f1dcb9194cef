"""One field of a study's form: an entry whose text is taken while it is typed, once it is right.

Text that is wrong while it is typed may only be half of it: what is wrong is said when the typing
pauses or the field is left. Paths, lists and other free text, which every beginning of is right,
are taken no earlier either. While what is typed is wrong, the value from before the typing counts;
Escape brings it back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
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
_STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class FormField(LabelledEditor):
    """The value of one setting.

    `visit`: counts how often the field got the focus, or another value; typing in one visit is one
    change.
    """

    changed = Signal()  # the user has edited it, right or wrong

    def __init__(self, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(parameter, parent)
        self._taken = self._right = ""  # the text that counts, and the last that was right
        self._kept = ""  # the last that was right before this visit
        self.visit = 0
        self.pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.pause.timeout.connect(self._settle)
        self.editor.edited.connect(self._follow)
        self.editor.finished.connect(self._settle)
        if isinstance(self.editor, LineEditor | TextEditor):
            self.editor.pasted.connect(self._settle)
        self.editor.escaped.connect(self._restore)
        if self.is_typed:
            self.editor.installEventFilter(self)
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
        self._begin()

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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin a visit with the focus, and take all that was typed in it back with Escape."""
        if isinstance(event, QFocusEvent) and event.gotFocus() and event.reason() not in _STAYS:
            self._begin()
        key = event.key() if isinstance(event, QKeyEvent) else None
        if (key, event.type()) == (Qt.Key.Key_Escape, QEvent.Type.KeyPress) and (
            self.editor.text() != self._kept
        ):
            self._restore()
            return True
        return super().eventFilter(watched, event)

    @property
    def is_typed(self) -> bool:
        """Whether it is written with keys, not chosen."""
        return isinstance(self.editor, LineEditor | TextEditor)

    def _begin(self) -> None:
        self.visit += 1
        self._kept = self._right

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
        elif self._right != self._kept:
            self._keep()
        self.changed.emit()

    def _keep(self) -> None:
        """Tell what was right before the visit; the text, which is wrong, stays."""
        self._taken = self._right = self._kept
        self.changed.emit()
        self._taken = self.editor.text()

    def _restore(self) -> None:
        """What was right before the typing."""
        right = self._kept if self.is_typed else self._right
        self.show_text(right)
        if self._taken != right:
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
