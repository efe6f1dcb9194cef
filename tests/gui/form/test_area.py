"""The place of a form is as wide as the form, also of one that is filled in it."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from advisor.studies import STUDIES
from gui.form.area import FormArea
from gui.form.form import ParameterForm


def test_a_form_that_is_filled_in_its_place_gets_the_room_of_one_that_was_filled_before(
    qtbot: QtBot,
) -> None:
    record = STUDIES["scaling"].record
    before = FormArea(ParameterForm(record))
    form = ParameterForm(record, filled=False)
    after = FormArea(form)
    for area in (before, after):
        qtbot.addWidget(area)
    parts = sum(1 for _part in form.fill())
    after.fit()
    assert parts > 3
    assert after.sizeHint() == before.sizeHint()
    assert after.minimumWidth() == before.minimumWidth()
