"""The page Evidence: every published number, its status and a summing sentence."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.published.figure import compared
from advisor.published.validate import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure
from gui.panels.evidence_panel import EvidencePage, summary


def figure(status: str) -> Figure:
    return Figure("paper", "figure", "Table 1", "inputs", 1.0, 1.0, 0.0, status)


@pytest.mark.parametrize(
    ("statuses", "text"),
    [
        ([REPRODUCED], "1 of 1 published number comes out as printed."),
        ([REPRODUCED, REPRODUCED], "2 of 2 published numbers come out as printed."),
        (
            [REPRODUCED, DEVIATES, NOT_REPRODUCIBLE],
            "1 of 3 published numbers come out as printed, 1 deviates, 1 can't be reproduced.",
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


def test_one_paper_is_chosen_by_the_keyboard_and_summed_up(qtbot: QtBot) -> None:
    page = EvidencePage()
    qtbot.addWidget(page)
    qtbot.waitUntil(lambda: bool(page.figures))
    model = page.table.columns_model
    papers = list(dict.fromkeys(one.model for one in page.figures))
    assert [page.papers.itemText(place + 1) for place in range(len(papers))] == papers
    for paper in papers:
        qtbot.keyClick(page.papers, Qt.Key.Key_Down)
        own = [one for one in page.figures if one.model == paper]
        assert model.rowCount() == len(own)
        assert page.sentence.text() == summary(own)
    assert len(papers) > 1


def test_a_number_that_can_not_be_reproduced_may_have_been_obtained(qtbot: QtBot) -> None:
    page = EvidencePage()
    qtbot.addWidget(page)
    qtbot.waitUntil(lambda: bool(page.figures))
    rows = page.table.columns_model.table().rows
    withheld = [row for row in rows if str(row[0]).endswith(NOT_REPRODUCIBLE)]
    obtained = [row for row in withheld if isinstance(row[3], float) and row[3] == row[3]]
    assert {row[2] for row in obtained} >= {31.0, 23.0}
    assert len(withheld) > len(obtained)


def test_a_row_says_what_its_status_says(qtbot: QtBot) -> None:
    """What is reproduced to the printed digits reads the same in both columns, nothing else."""
    page = EvidencePage()
    qtbot.addWidget(page)
    qtbot.waitUntil(lambda: bool(page.figures))
    model = page.table.columns_model
    for row, one in enumerate(page.figures):
        said = [str(model.index(row, column).data()) for column in (2, 3, 4)]
        if one.as_printed:
            assert said == [one.printed_text, one.printed_text, "as printed"]
        elif one.obtained is not None:
            assert said[0] != said[1]
            assert said[2].endswith("%")
        else:
            assert said[1:] == ["–", "–"]


def test_numbers_with_texts_of_their_own_sort_by_value_and_keep_their_precision(
    qtbot: QtBot,
) -> None:
    page = EvidencePage()
    qtbot.addWidget(page)
    qtbot.waitUntil(lambda: bool(page.figures))
    model = page.table.columns_model
    model.sort(3)
    obtained = [page.figures[row].obtained for row in model.rows.tolist()]
    known = [value for value in obtained if value is not None]
    assert obtained[: len(known)] == sorted(known)
    assert [row[3] for row in model.table().rows][: len(known)] == known
    assert {str(row[2]) for row in model.table().rows} >= {"0.0277285", "1000.0"}


def test_the_note_of_the_chosen_number_is_in_sight(qtbot: QtBot) -> None:
    page = EvidencePage()
    qtbot.addWidget(page)
    qtbot.waitUntil(lambda: bool(page.figures))
    assert page.note.text() == "Choose a number: its note is shown here."
    row = next(row for row, one in enumerate(page.figures) if one.status == DEVIATES)
    page.table.selectRow(row)
    assert page.note.text().endswith(page.figures[row].note)
    page.papers.setCurrentIndex(1)
    assert page.figures[row].note not in page.note.text()


def test_papers_print_4_and_4_0(qtbot: QtBot) -> None:
    page = EvidencePage()
    qtbot.addWidget(page)
    page._show(
        (
            compared("paper", "nodes", "Table 1", "i", 4, 4.0),
            compared("paper", "speedup", "Table 1", "i", 4.0, 4.03, within=0.05),
        )
    )
    model = page.table.columns_model
    assert [model.index(row, 2).data() for row in range(2)] == ["4", "4.0"]
