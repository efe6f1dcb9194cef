"""The undo steps of a form: each change of its parameters is one, as is typing in a field.

Pictures that are edited have steps of their own; what they write into the form is none here.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from gui.form.form import ParameterForm

_CHOOSING_S = 1.5  # between two choices in one field that are one step
_TYPED = 1


class FormSteps(QObject):
    """Follows a form.

    `stack`: the steps.
    """

    def __init__(self, form: ParameterForm) -> None:
        super().__init__(form)
        self.stack = QUndoStack(self)
        self._form = form
        self._values = dict(form.values() or {})
        self._silent = False
        form.changed.connect(self._follow)

    def begin(self) -> None:
        """Start from what the form holds now."""
        self._values = dict(self._form.values() or {})
        self.stack.clear()

    def write(self, values: Mapping[str, object]) -> None:
        """Write values into the form that are no step of it."""
        self._silent = True
        self._form.set_values(values)
        self._silent = False

    def _follow(self, values: object) -> None:
        if not isinstance(values, dict):
            return
        before, self._values = self._values, dict(values)
        if self._silent:
            return
        changed = [name for name, value in values.items() if before.get(name) != value]
        if changed:
            old = {name: before[name] for name in changed if name in before}
            new = {name: values[name] for name in changed}
            titles = [self._form.title(name) for name in changed]
            text = f"changing {titles[0]}" if len(titles) == 1 else "changing parameters"
            visit = self._form.visit(changed[0]) if len(changed) == 1 else None
            self.stack.push(_Step(self, text, old, new, visit))


class _Step(QUndoCommand):
    """From some values to others."""

    def __init__(
        self,
        steps: FormSteps,
        text: str,
        old: dict[str, object],
        new: dict[str, object],
        visit: int | None,
    ) -> None:
        super().__init__(text)
        self._steps, self._old, self.new, self._visit = steps, old, new, visit
        self._when = monotonic()
        self._fresh = True  # the form has the values already

    def id(self) -> int:
        """All may be one step with the one before."""
        return _TYPED

    def mergeWith(self, other: QUndoCommand) -> bool:
        """One step, where the same field goes on being edited; none, where that leads back."""
        if not isinstance(other, _Step) or other._visit != self._visit:
            return False
        if self._visit is None and other._when - self._when > _CHOOSING_S:
            return False
        if len(self.new) != 1 or other.new.keys() != self.new.keys():
            return False
        self.new, self._when = other.new, other._when
        self.setObsolete(self.new == self._old)
        return True

    def undo(self) -> None:
        """Write what was there."""
        self._steps.write(self._old)

    def redo(self) -> None:
        """Write it again."""
        if not self._fresh:
            self._steps.write(self.new)
        self._fresh = False
