"""The view Figures of the page Evidence: a list, the chosen figure as a plot, and its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from advisor.published.figure import DEVIATES
from advisor.published.redrawn.figures import not_redrawn, redrawn_figures
from advisor.published.redrawn.redrawn import PRINTED, Redrawn
from gui.basics.literal_menu import plain
from gui.basics.theme import theme
from gui.panels.evidence_panel import EvidencePage
from gui.panels.published_figures import PublishedFigures

FIGURES, LEFT_OUT = redrawn_figures(), not_redrawn()


@pytest.fixture
def page(qtbot: QtBot) -> EvidencePage:
    page = EvidencePage()
    qtbot.addWidget(page)
    page.resize(1100, 700)
    page.show()
    qtbot.waitUntil(lambda: bool(page.figures))
    figures = page.views.buttons[1]
    assert plain(figures.text()) == "Figures"
    qtbot.mouseClick(figures, Qt.MouseButton.LeftButton)
    return page


@pytest.fixture
def view(page: EvidencePage) -> PublishedFigures:
    assert page.pages.currentWidget() is page.redrawn
    return page.redrawn


def choose(view: PublishedFigures, name: str) -> Redrawn:
    place = next(place for place, one in enumerate(FIGURES) if one.name == name)
    view.list.selectRow(place)
    assert isinstance(view.shown, Redrawn)
    assert view.shown.name == name
    return view.shown


def test_every_figure_is_listed_and_those_not_redrawn_after_them(view: PublishedFigures) -> None:
    model = view.list.columns_model
    headings = [str(row[1]) for row in model.table().rows]
    assert headings[: len(FIGURES)] == [one.heading for one in FIGURES]
    assert headings[len(FIGURES) :] == [f"{one.where}: not redrawn" for one in LEFT_OUT]
    assert view.shown == FIGURES[0]


def test_keys_in_the_list_show_the_next_figure(qtbot: QtBot, page: EvidencePage) -> None:
    view = page.redrawn
    view.list.setFocus()
    for figure in FIGURES[1:4]:
        qtbot.keyClick(view.list, Qt.Key.Key_Down)
        assert view.heading.text() == figure.heading
        assert view.panel.curves.series == figure.series
        assert page.status.endswith(figure.where)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.name)
def test_lines_are_curves_and_points_are_prints(view: PublishedFigures, figure: Redrawn) -> None:
    choose(view, figure.name)
    curves = view.panel.curves
    assert curves.is_fitted
    assert (curves.is_log(False), curves.is_log(True)) == figure.logarithmic
    names = {entry.name for entry in curves.legend.entries}
    assert names == {one.name for one in figure.series}
    area = curves.area()
    for mark in figure.marks:
        spot = curves.position_of(*mark.place)
        assert area.adjusted(-1, -1, 1, 1).contains(spot), mark.number.figure
    texts = [str(row[1]) for row in view.numbers.table.columns_model.table().rows]
    assert texts == [number.figure for number in figure.numbers]


def test_the_pointer_at_a_point_reads_its_number(view: PublishedFigures) -> None:
    figure = choose(view, "gunther-fig-4")
    curves = view.panel.curves
    for mark in figure.marks:
        hint = curves.hint_at(curves.position_of(*mark.place) + QPointF(1.0, 0.0))
        assert mark.number.figure in hint
        assert PRINTED[mark.number.status] in hint


def test_a_zoom_into_one_figure_does_not_cut_the_next(view: PublishedFigures) -> None:
    choose(view, "gunther-fig-4")
    view.panel.curves.zoom(4.0)
    assert not view.panel.curves.is_fitted
    choose(view, "gunther-fig-5")
    assert view.panel.curves.is_fitted


def test_the_scale_that_a_user_chose_is_of_that_figure_alone(view: PublishedFigures) -> None:
    choose(view, "gunther-fig-4")
    view.panel.curves.set_log(True, True)
    for name, logarithmic in (("gunther-fig-5", (False, True)), ("gunther-fig-4", (False, False))):
        choose(view, name)
        curves = view.panel.curves
        assert (curves.is_log(False), curves.is_log(True)) == logarithmic


def test_a_disagreement_is_read_below_the_numbers(view: PublishedFigures) -> None:
    figure = choose(view, "moritz-frank-fig-3")
    (number,) = figure.numbers
    assert number.status == DEVIATES
    view.numbers.table.selectRow(0)
    assert view.numbers.note.text().endswith(number.note)


def test_what_is_not_redrawn_says_why_in_place_of_a_plot(
    page: EvidencePage, view: PublishedFigures
) -> None:
    view.list.selectRow(len(FIGURES))
    one = LEFT_OUT[0]
    assert view.heading.text() == f"{one.where}: not redrawn"
    assert one.reason in view.equation.text().replace(one.reason[0].upper(), one.reason[0], 1)
    assert not view.panel.isVisible()
    assert not view.numbers.isVisible()
    assert page.exports == ()
    choose(view, FIGURES[0].name)
    assert view.panel.isVisible()


def test_one_paper_and_a_filter_narrow_the_list(qtbot: QtBot, page: EvidencePage) -> None:
    view = page.redrawn
    qtbot.keyClick(page.papers, Qt.Key.Key_Down)
    paper = page.papers.currentText()
    own = [one for one in (*FIGURES, *LEFT_OUT) if one.model == paper]
    assert view.list.columns_model.rowCount() == len(own)
    assert page.sentence.text() == view.sentence
    qtbot.keyClicks(page.filter, "not redrawn")
    assert view.list.columns_model.rowCount() == sum(one in LEFT_OUT for one in own)


def test_the_figure_in_sight_stays_where_its_paper_is_chosen(page: EvidencePage) -> None:
    figure = choose(page.redrawn, "gunther-fig-4")
    page.papers.setCurrentText(figure.model)
    assert page.redrawn.shown == figure
    page.papers.setCurrentText(FIGURES[0].model)
    assert page.redrawn.shown == FIGURES[0]


def test_picture_values_and_printed_numbers_can_be_copied_and_written(
    qtbot: QtBot, page: EvidencePage, view: PublishedFigures, tmp_path: Path
) -> None:
    figure = choose(view, "gunther-fig-4")
    names = [plain(action.text()) for action in page.exports]
    assert names == [
        "Copy picture", "Copy numbers", "Export picture…", "Export numbers…",
        "Copy printed numbers", "Export printed numbers…",
    ]  # fmt: skip
    page.exports[names.index("Copy printed numbers")].trigger()
    clipboard = QGuiApplication.clipboard()
    qtbot.waitUntil(lambda: figure.numbers[0].figure in clipboard.text())
    picture = tmp_path / "figure.svg"
    with qtbot.waitSignal(view.panel.exports.exported):
        view.panel.exports.export(picture)
    assert "S_E, asynchronous" in picture.read_text(encoding="utf-8")


def test_curves_have_the_colours_of_the_theme(view: PublishedFigures) -> None:
    choose(view, "gunther-fig-4")
    found = []
    for mode in ("light", "dark"):
        theme().set_mode(mode)
        found.append([entry.colour.name() for entry in view.panel.curves.legend.entries])
    light, dark_ones = found
    assert all(a != b for a, b in zip(light, dark_ones, strict=True))
