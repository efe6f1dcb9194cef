"""Pictures of the board in files: what the window shows, in every reader, in their own size."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSize

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.project import Project
from gui.basics.figures import TALLEST, picture
from gui.basics.svg import NAMESPACE
from gui.board.board_legend import Legend
from gui.document.document import Document
from machines import Direction, Link, Machine, Platform
from tests.conftest import cluster
from tests.gui.board.conftest import Hand
from tests.gui.board.test_many_cores import machine_full
from tests.gui.stills import assert_drawn_alike, other_theme
from tests.gui.svg_reading import assert_shown_alike, check

Show = Callable[[Document], Hand]
PROJECTS = {
    "few": cluster,
    "many": lambda: cluster(width=80),
    "narrow": lambda: cluster(machines=8, width=100, stages=20),
    "cores": machine_full,
}


def strange(sign: str) -> Project:
    """Names with signs in them that mean something to a format of pictures."""
    platform = Platform(
        f"p{sign}",
        (Machine(f"M{sign}1"), Machine(f"M{sign}2")),
        (Link(f"M{sign}1", f"M{sign}2", Direction(0.1, 1e6), Direction(0.1, 1e6)),),
    )
    tasks = (Task(f"A{sign}x", work=5.0), Task(f"B{sign}<&>", work=5.0))
    flows = (Flow(tasks[0].name, tasks[1].name, ((1, 1e6),)),)
    return Project(platform, Workload("w", tasks, flows), Plan((0, 1)))


def shown(show: Show, project: Project, view: str) -> Hand:
    hand = show(Document(project))
    hand.board.show_view(view)
    hand.wait_until_current()
    return hand


@pytest.mark.parametrize("view", ["schedule", "graph"])
@pytest.mark.parametrize("name", PROJECTS)
def test_the_svg_of_the_board_shows_in_another_reader_what_the_window_shows(
    qapp: object, show: Show, name: str, view: str
) -> None:
    board = shown(show, PROJECTS[name](), view).board
    root = check(picture(board, ".svg"))
    texts = {one.text for one in root.iter(f"{{{NAMESPACE}}}text")}
    assert "node0" in texts or "big" in texts or view == "graph"
    assert_shown_alike(board)


@pytest.mark.parametrize("view", ["schedule", "graph"])
def test_no_character_of_a_name_breaks_a_picture_of_the_board(
    qapp: object, show: Show, view: str
) -> None:
    board = shown(show, strange("<&>\"' ]]> %1 ﷺ مهمة \ue000 😀"), view).board
    check(picture(board, ".svg"))
    assert picture(board, ".pdf").startswith(b"%PDF")
    assert picture(board, ".png").startswith(b"\x89PNG")


@pytest.mark.parametrize("view", ["schedule", "graph"])
def test_a_picture_is_as_large_in_a_small_window_as_in_a_large_one(
    cluster_document: Document, show: Show, view: str
) -> None:
    hand = shown(show, cluster_document.project, view)
    sizes = set()
    for size in (QSize(500, 300), QSize(1900, 1200)):
        hand.board.resize(size)
        hand.board.zoom_in()
        sizes.add(hand.board.figure_size().toTuple())
    assert len(sizes) == 1


def test_a_picture_has_room_for_its_rows_and_an_end(qapp: object, show: Show) -> None:
    few = shown(show, cluster(), "schedule").board
    many = shown(show, cluster(machines=20), "schedule").board
    most = shown(show, cluster(machines=70), "schedule").board
    assert few.figure_size().width() == many.figure_size().width() == 1200
    assert few.figure_size().height() < many.figure_size().height()
    row = few.schedule.ink.small_line
    assert many.figure_size().height() >= 20 * 3 * row
    assert most.figure_size().height() <= TALLEST + Legend.sizeHint(most.legend).height() * 3


@pytest.mark.parametrize("view", ["schedule", "graph"])
@pytest.mark.parametrize("name", PROJECTS)
def test_a_thread_draws_the_board_as_it_was_when_it_was_asked_for(
    qapp: object, show: Show, name: str, view: str
) -> None:
    board = shown(show, PROJECTS[name](), view).board
    board.load_box.click()
    assert_drawn_alike(board, lambda: (board.load_box.click(), board.colour_box.click()))


def test_a_thread_draws_the_board_in_the_colours_that_it_had(qapp: object, show: Show) -> None:
    with other_theme() as change:
        board = shown(show, cluster(), "graph").board
        assert_drawn_alike(board, change)


def test_a_still_has_no_widget(qapp: object, show: Show) -> None:
    board = shown(show, cluster(), "schedule").board
    with pytest.raises(RuntimeError):
        board.schedule.still().viewport()
