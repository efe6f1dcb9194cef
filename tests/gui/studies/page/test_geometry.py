"""The picture has at least half of a study's page, and few lines precede it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.studies import QUESTIONS, STUDIES
from advisor.studies.facts import LESS, Fact
from advisor.studies.study import Check, Note
from gui.document.document import Document
from gui.form.split import FormSplit
from gui.plots.plot_panel import PlotPanel
from gui.shell.main_window import MainWindow
from gui.studies.page.answer_folds import RESTS, SOURCES, WHY
from gui.studies.page.study_panel import StudyPanel
from gui.studies.picture.edited_view import EditedPictureView
from tests.gui.amdahl import AMDAHL

PAGES = [one.name for one in QUESTIONS.values() if one.has_page]
WIDTH, HEIGHT = 1154, 708  # of a page in a window of 1280×800
MOST_LINES = 4  # headline and alternative
HALF = 0.5
MOST_TEXT, LEAST = 0.4, 0.3  # of the page while a text is unfolded


@pytest.fixture
def page(qtbot: QtBot, document: Document, request: pytest.FixtureRequest) -> Iterator[StudyPanel]:
    panel = StudyPanel(document, STUDIES[request.param])
    qtbot.addWidget(panel)
    panel.resize(WIDTH, HEIGHT)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None)
    yield panel
    panel.close()


def picture(panel: StudyPanel) -> QWidget:
    """What is drawn, without its own bars."""
    view = panel.views.page(panel.views.current())
    if isinstance(view, PlotPanel):
        return view.stack
    return view.canvas if isinstance(view, EditedPictureView) else view


@pytest.mark.parametrize("page", PAGES, indirect=True)
def test_the_picture_has_half_of_the_page_and_few_lines_precede_it(
    qtbot: QtBot, page: StudyPanel
) -> None:
    qtbot.waitUntil(lambda: picture(page).height() >= HALF * HEIGHT)
    assert 1 <= page.head.lines <= MOST_LINES
    assert not page.folds.area.isVisible()
    assert picture(page).width() >= HALF * WIDTH


@pytest.mark.parametrize("page", PAGES, indirect=True)
def test_what_is_unfolded_is_whole_or_ends_with_a_whole_line_and_leaves_a_picture(
    qtbot: QtBot, page: StudyPanel
) -> None:
    for name in (WHY, RESTS, SOURCES):
        qtbot.mouseClick(page.folds.headings[name], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(page.folds.area.isVisible)
        assert page.folds.open_one == name
        area = page.folds.area
        text = area.widget()
        qtbot.waitUntil(lambda area=area: area.height() == area.sizeHint().height())
        assert area.height() <= MOST_TEXT * HEIGHT
        whole = text.heightForWidth(area.viewport().width()) <= area.height()
        assert whole or area.height() > LEAST * HEIGHT
        assert whole or area.height() % area.fontMetrics().lineSpacing() == 0
        # laid out in a turn of its own
        qtbot.waitUntil(lambda: page.views.stage.height() >= LEAST * HEIGHT)


def test_a_page_of_the_smallest_usual_window_is_as_high_as_is_tested_here(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1280, 800)
    window.show_page("sharing")
    page = window.panel("sharing")
    qtbot.waitUntil(lambda: page.height() >= HEIGHT and page.width() >= WIDTH)


def test_endless_sentences_figures_and_notes_leave_the_picture_its_half(
    qtbot: QtBot, document: Document
) -> None:
    long = "A sentence that goes on and on without saying anything new. " * 40
    facts = tuple(Fact(long, 10.0**power, "s", 1.0, LESS) for power in (2, 30, 300, -300))

    def talkative(*arguments: object, **options: object) -> object:
        result = AMDAHL.run(*arguments, **options)
        return replace(
            result, headline=long, alternative=long, against=long, facts=facts,
            reasons=(long,) * 30, notes=(Note(False, long, long),) * 30,
        )  # fmt: skip

    def simulated(*_: object, **__: object) -> Check:
        check: Check = AMDAHL.check(AMDAHL.record(), lambda _told: None, lambda: False)  # type: ignore[misc]
        return replace(check, sentence=long, notes=(Note(False, long),) * 9)

    panel = StudyPanel(document, replace(AMDAHL, run=talkative, check=simulated))
    qtbot.addWidget(panel)
    panel.resize(WIDTH, HEIGHT)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None and not panel.running.is_busy)
    panel.check_action.trigger()
    qtbot.waitUntil(lambda: panel.check is not None and not panel.checking.is_busy)
    assert panel.head.lines <= MOST_LINES + 2
    assert panel.sentence.text() == " ".join(long.split())
    assert panel.sentence.toolTip() == panel.sentence.text()
    qtbot.waitUntil(lambda: panel.views.stage.height() >= HALF * HEIGHT)
    assert panel.width() == WIDTH
    assert panel.head.width() < WIDTH
    panel.close()


@pytest.mark.parametrize("page", PAGES, indirect=True)
def test_a_running_job_moves_nothing_beside_it_and_its_button_is_whole(
    qtbot: QtBot, page: StudyPanel
) -> None:
    qtbot.waitUntil(lambda: not page.running.is_busy and page.checking.isHidden())
    split = page.findChild(FormSplit)
    assert isinstance(split, FormSplit)
    before = split.sizes()
    page.checking.show()
    qtbot.waitUntil(lambda: page.checking.isVisible() and page.checking.cancel_button.width() > 0)
    qtbot.settle()  # for layouts that were asked again
    assert split.sizes() == before
    button = page.checking.cancel_button
    assert button.width() >= button.sizeHint().width()


@pytest.mark.parametrize("page", ["shared_memory"], indirect=True)
def test_the_form_keeps_its_width_when_there_is_no_answer_and_no_heading_is_cut(
    qtbot: QtBot, page: StudyPanel
) -> None:
    qtbot.waitUntil(lambda: not page.running.is_busy)
    split = page.findChild(FormSplit)
    assert isinstance(split, FormSplit)
    before = split.sizes()
    for heading in page.folds.headings.values():
        needed = heading.fontMetrics().horizontalAdvance(heading.text())
        assert heading.width() >= needed + heading.fontMetrics().height()  # and its arrow
    assert "▲ 1 warning" in page.folds.headings[RESTS].text()
    page.folds.clear()
    qtbot.waitUntil(lambda: not page.folds.headings[WHY].isVisible())
    qtbot.settle()  # for layouts that were asked again
    assert split.sizes() == before
