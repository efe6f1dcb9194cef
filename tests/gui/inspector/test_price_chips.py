"""What a chip beside an option says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHeaderView, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from advisor.basics.units import Unit
from advisor.decisions.prices import Priced
from gui.basics.verdicts import BETTER, ILLEGAL, PENDING, SAME, WORSE
from gui.inspector.plan_choices import OptionList
from gui.inspector.price_chips import NameDelegate, chip_of, unit_of


@pytest.mark.parametrize(
    ("value_s", "best", "verdict", "text"),
    [
        (np.nan, False, PENDING, "…"),
        (np.inf, False, ILLEGAL, "not possible"),
        (48.0, False, SAME, "= as now"),
        (48.0, True, SAME, "= as now"),
        (38.0, False, BETTER, "▼ −10.0 s"),
        (38.0, True, BETTER, "▼ −10.0 s"),
        (51.4, False, WORSE, "▲ +3.40 s"),
        (48.0004, False, SAME, "= as now"),
        (47.9996, True, SAME, "= as now"),
    ],
)
def test_a_chip_has_a_sign_and_a_difference_and_is_heavy_for_the_best(
    value_s: float, best: bool, verdict: str, text: str
) -> None:
    option = Priced(None, "one", False, False, value_s, is_best=best)
    chip = chip_of(option, 48.0, Unit.of_times(abs(value_s - 48.0)))
    assert (chip.verdict, chip.text, chip.best) == (verdict, text, best and verdict != PENDING)


def test_differences_of_one_decision_have_one_unit_and_digits_that_tell_them_apart() -> None:
    values = (48.0, 41.2034, 41.1986, 48.000993, np.inf, np.nan)
    options = tuple(Priced(None, str(value), False, False, value) for value in values)
    unit = unit_of(options, 48.0)
    texts = [chip_of(option, 48.0, unit).text for option in options]
    assert texts[1:4] == ["▼ −6.797 s", "▼ −6.801 s", "▲ +0.001 s"]
    assert texts[4:] == ["not possible", "…"]


@pytest.mark.parametrize(
    ("now_s", "texts"),
    [
        (248.0, ["= as now", "▼ −6.75 s", "▼ −6.77 s", "▲ +7.33 s"]),
        (24_800.0, ["= as now", "▼ −7 s", "▼ −7 s", "▲ +7 s"]),
        (248e4, ["= as now", "= as now", "= as now", "= as now"]),
    ],
)
def test_differences_have_no_digits_that_the_objective_is_not_worth(
    now_s: float, texts: list[str]
) -> None:
    differences = (0.00099, -6.75221, -6.77211, 7.32538)
    options = [Priced(None, "one", False, False, now_s + one) for one in differences]
    unit = unit_of(options, now_s)
    assert [chip_of(option, now_s, unit).text for option in options] == texts


def test_long_differences_have_no_parts_that_the_objective_is_not_worth() -> None:
    values = (7200.0, 7200.0 + 249.123, 7200.0 + 249.011, 7200.0 - 180.456)
    options = [Priced(None, "one", False, False, value) for value in values]
    unit = unit_of(options, 7200.0)
    texts = [chip_of(option, 7200.0, unit).text for option in options]
    assert texts == ["= as now", "▲ +4 min 9.1 s", "▲ +4 min 9.0 s", "▼ −3 min 0.5 s"]


def test_rows_that_are_written_together_are_laid_out_once_and_as_one_by_one(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    size_hint = NameDelegate.sizeHint

    def counted(delegate: NameDelegate, *about: Any) -> QSize:
        asked.append(1)
        return size_hint(delegate, *about)

    monkeypatch.setattr(NameDelegate, "sizeHint", counted)
    lists = [OptionList(), OptionList()]
    for each in lists:
        qtbot.addWidget(each)
        each.setItemDelegateForColumn(0, NameDelegate(each))
        each.setWordWrap(True)
        each.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        each.setHeaderLabels(["Option", "Makespan"])
        group = QTreeWidgetItem(each, ["Style"])
        each.addTopLevelItem(group)
        for _ in range(20):
            QTreeWidgetItem(group)
        each.expandAll()
        each.resize(300, 400)
        each.show()
    write(lists[0])
    one_by_one = len(asked)
    asked.clear()
    with lists[1].filled_at_once():
        write(lists[1])
        assert not asked
    assert 0 < len(asked) < one_by_one / 4
    assert places(lists[1]) == places(lists[0])


def write(options: OptionList) -> None:
    group = options.topLevelItem(0)
    for row in range(group.childCount()):
        group.child(row).setText(0, "a long name " * (1 + row % 4))
        group.child(row).setText(1, "1" * row)


def places(options: OptionList) -> list[object]:
    group = options.topLevelItem(0)
    rows = [options.visualItemRect(group.child(row)) for row in range(group.childCount())]
    return [*rows, options.columnWidth(0), options.columnWidth(1)]
