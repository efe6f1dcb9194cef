"""A new parameter is one field: set by texts, refused out of range, shown and edited in a form."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from advisor.studies.parameters import parse_settings, parsed, written
from gui.form.form import ParameterForm
from gui.form.steps import FormSteps
from machines import InputError
from machines.parameters import properties_of
from tests.dummies.parameter.patience import PatientAmdahl

PATIENCE = properties_of(PatientAmdahl)[-1]


def test_it_is_set_by_a_text_and_kept_as_one() -> None:
    assert parse_settings(PatientAmdahl, ["patience=0.25"]) == PatientAmdahl(patience=0.25)
    assert parse_settings(PatientAmdahl, ["patience=250 ms"]) == PatientAmdahl(patience=0.25)
    assert parsed(PATIENCE, written(0.1)) == 0.1


@pytest.mark.parametrize("text", ["6", "0", "-1", "nan"])
def test_a_value_out_of_range_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(InputError, match=r"setting patience.*out of range.*more than 0 to 5 s"):
        parse_settings(PatientAmdahl, [f"patience={text}"])


def test_it_is_shown_refused_and_edited_in_the_form_as_one_step(qtbot: QtBot) -> None:
    form = ParameterForm(PatientAmdahl)
    qtbot.addWidget(form)
    form.show()
    steps = FormSteps(form)
    line = form.editor("patience")
    assert isinstance(line, QLineEdit)
    assert (line.text(), line.accessibleName()) == ("1 s", "patience (s)")
    assert line.toolTip() == "Patience w: how long one waits.\nAllowed: more than 0 to 5 s."
    line.selectAll()
    qtbot.keyClicks(line, "7")
    assert form.message("patience") == ""  # it may be the beginning of something
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert form.message("patience") == "The value is out of range. Allowed: more than 0 to 5 s."
    assert (form.values(), steps.stack.count()) == (None, 0)
    line.selectAll()
    qtbot.keyClicks(line, "0.5")
    values = form.values()
    assert values is not None
    assert values["patience"] == 0.5
    steps.stack.undo()
    assert line.text() == "1 s"
