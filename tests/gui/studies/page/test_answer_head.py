"""Headline, figures with signed differences, and what is folded below the picture."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.studies.facts import LESS, MORE, Fact
from advisor.studies.study import ASSUMED, EQUATION, MEASURED, Check, Note, StudyResult, Table
from gui.basics.theme import theme
from gui.studies.page.answer_folds import RESTS, SOURCES, WHY, Folds
from gui.studies.page.answer_head import AnswerHead

FACTS = (
    Fact("broadcast", 72e-6, "s", 68e-6, LESS),
    Fact("processes", 94, "", 163, LESS),
    Fact("speedup", 81.5, "", 78.25, MORE),
    Fact("slowdown", 2.2, "", 2.0),
)
NOTES = (
    Note(True, "Seven runs.", kind=MEASURED),
    Note(True, "L is 6 µs.", "Culler 1993", ASSUMED),
    Note(False, "Too few."),
    Note(True, "T = 2o + L", "Culler 1993, Eq. (1)", EQUATION),
)


@pytest.fixture
def head(qtbot: QtBot) -> AnswerHead:
    head = AnswerHead("Which tree?")
    qtbot.addWidget(head)
    head.resize(1000, 140)
    head.show()
    return head


def test_before_there_is_an_answer_the_question_stands_alone(head: AnswerHead) -> None:
    assert head.sentence.text() == "Which tree?"
    assert not head.alternative.isVisible()
    assert not head.cards.isVisible()


def test_figures_have_arrows_words_and_colours_by_which_way_is_better(head: AnswerHead) -> None:
    head.show_answer(StudyResult("Build it.", "It is fast.", "fastest tree", FACTS))
    cards = head.cards.cards
    told = [(card.name.text(), card.value.text(), card.change.text()) for card in cards]
    assert told == [
        ("broadcast", "72.0 µs", "▲ +4.0 µs"),
        ("processes", "94", "▼ −69"),
        ("speedup", "81.5", "▲ +3.2"),
        ("slowdown", "2.20", "+0.20"),
    ]
    colours = theme().colours
    wanted = (colours.worse, colours.better, colours.better, colours.text)
    for card, colour in zip(cards, wanted, strict=True):
        assert colour in card.change.styleSheet()
    head.set_dimmed(True)
    assert {card.change.styleSheet() for card in cards} == {f"color: {colours.muted}"}
    head.set_dimmed(False)
    assert colours.worse in cards[0].change.styleSheet()
    assert head.cards.against.text() == "▼▲ against fastest tree"
    assert cards[1].accessibleDescription() == "94, −69 against fastest tree"
    assert "163" in cards[1].toolTip()


def test_without_an_alternative_no_difference_is_shown(head: AnswerHead) -> None:
    head.show_answer(StudyResult("Build it.", facts=(Fact("broadcast", 72e-6, "s", better=LESS),)))
    assert [card.isVisible() for card in head.cards.cards] == [True, False, False, False]
    assert head.cards.cards[0].change.text() == ""
    assert not head.cards.against.isVisible()


def test_the_colours_of_differences_follow_the_theme(head: AnswerHead) -> None:
    head.show_answer(StudyResult("Build it.", "", "fastest tree", FACTS))
    theme().set_mode("dark")
    dark = head.cards.cards[0].change.styleSheet()
    theme().set_mode("light")
    assert head.cards.cards[0].change.styleSheet() != dark


def test_a_sentence_that_is_too_long_ends_in_an_ellipsis_and_is_whole_in_its_tooltip(
    head: AnswerHead,
) -> None:
    long = " ".join(f"word{n}" for n in range(200))
    head.show_answer(StudyResult(long))
    assert head.sentence.lines == 2
    assert head.sentence.text() == head.sentence.toolTip() == long
    head.show_answer(StudyResult("Short."))
    assert (head.sentence.lines, head.sentence.toolTip()) == (1, "")


DOWN, RIGHT = Qt.ArrowType.DownArrow, Qt.ArrowType.RightArrow


def arrows(folds: Folds) -> dict[str, Qt.ArrowType]:
    return {name: heading.arrowType() for name, heading in folds.headings.items()}


@pytest.fixture
def folds(qtbot: QtBot) -> Folds:
    folds = Folds()
    qtbot.addWidget(folds)
    folds.resize(800, 200)
    folds.show()
    folds.show_answer(StudyResult("Use x.", reasons=("It is fast.", "It is near."), notes=NOTES))
    return folds


def test_headings_count_what_is_below_them_and_all_is_folded(folds: Folds) -> None:
    titles = [heading.text() for heading in folds.headings.values()]
    assert titles == [
        "Why this one (2)",
        "Assumptions: 1 measured, 1 assumed, ▲ 1 warning",
        "Equations and sources",
    ]
    assert not folds.area.isVisible()


def test_one_text_is_open_at_a_time_by_mouse_or_key(qtbot: QtBot, folds: Folds) -> None:
    qtbot.mouseClick(folds.headings[WHY], Qt.MouseButton.LeftButton)
    assert folds.reasons.isVisible()
    assert folds.reasons.text() == "• It is fast.\n• It is near."
    assert arrows(folds) == {WHY: DOWN, RESTS: RIGHT, SOURCES: RIGHT}
    folds.headings[RESTS].setFocus()
    qtbot.keyClick(folds.headings[RESTS], Qt.Key.Key_Space)
    assert not folds.reasons.isVisible()
    assert folds.notes.isVisible()
    assert "T = 2o" not in folds.notes.text()
    assert folds.headings[RESTS].accessibleDescription() == "open"
    assert arrows(folds) == {WHY: RIGHT, RESTS: DOWN, SOURCES: RIGHT}
    qtbot.mouseClick(folds.headings[SOURCES], Qt.MouseButton.LeftButton)
    assert "T = 2o + L" in folds.sources.text()
    assert "<i>Culler 1993</i>" in folds.sources.text()
    qtbot.mouseClick(folds.headings[SOURCES], Qt.MouseButton.LeftButton)
    assert not folds.area.isVisible()


def test_a_source_is_listed_once_and_not_below_an_equation_that_shows_it(folds: Folds) -> None:
    notes = (
        Note(True, "T = 2o + L", "Moritz 2001, Eq. (1); Culler 1993", EQUATION),
        Note(True, "One.", "Culler 1993; Table 2"),
        Note(False, "Two.", "Table 2; a measurement"),
    )
    folds.show_answer(StudyResult("Use x.", notes=notes))
    equation, *listed = folds.sources.text().split("<br>")
    assert "Culler 1993" in equation
    assert listed == ["<i>Table 2</i>", "<i>a measurement</i>"]


def test_what_a_simulation_leaves_out_belongs_to_the_grounds(folds: Folds) -> None:
    check = Check("10 µs.", (), Table("T", (), ()), (Note(False, "No headers."),))
    folds.show_check(check)
    assert "▲ 2 warnings" in folds.headings[RESTS].text()
    assert "No headers." in folds.notes.text()
    folds.show_answer(StudyResult("Use y."))
    assert not any(heading.isVisible() for heading in folds.headings.values())


def test_headings_of_old_texts_are_muted_and_still_open(qtbot: QtBot, folds: Folds) -> None:
    def colours() -> set[str]:
        every = (heading.palette().buttonText() for heading in folds.headings.values())
        return {brush.color().name() for brush in every}

    folds.set_dimmed(True)
    for mode in ("dark", "light"):
        theme().set_mode(mode)
        assert colours() == {theme().colours.muted.lower()}
    qtbot.mouseClick(folds.headings[WHY], Qt.MouseButton.LeftButton)
    assert folds.reasons.isVisible()
    folds.set_dimmed(False)
    assert colours() == {theme().colours.text.lower()}
