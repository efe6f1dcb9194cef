"""The page Evidence: every published number, its status and a summing sentence."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from advisor.validate import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure
from gui.evidence import EvidencePage, summary


def figure(status: str) -> Figure:
    return Figure("paper", "figure", "Table 1", "inputs", 1.0, 1.0, 0.0, status)


@pytest.mark.parametrize(
    ("statuses", "text"),
    [
        ([REPRODUCED], "1 of 1 published number comes out as printed."),
        ([REPRODUCED, REPRODUCED], "2 of 2 published numbers come out as printed."),
        (
            [REPRODUCED, DEVIATES, NOT_REPRODUCIBLE],
            "1 of 3 published numbers come out as printed, 1 not, 1 can't be checked.",
        ),
    ],
)
def test_the_sentence_counts_by_status(statuses: list[str], text: str) -> None:
    assert summary([figure(status) for status in statuses]) == text


def test_the_page_shows_every_number_and_filters(qtbot: QtBot) -> None:
    page = EvidencePage()
    qtbot.addWidget(page)
    qtbot.waitUntil(lambda: bool(page.figures))
    model = page.table.columns_model
    assert model.rowCount() == len(page.figures)
    headings = [column.heading for column in model.columns]
    assert headings[:5] == ["Status", "Number", "Printed", "Obtained", "Deviation"]
    assert "published numbers" in page.sentence.text()
    qtbot.keyClicks(page.filter, "reproduced")
    assert 0 < model.rowCount() <= len(page.figures)
    page.filter.setText("no such number")
    assert model.rowCount() == 0
