"""The picture of a mapping: what it shows, and how users make a mapping of their own on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from advisor.messages.mapping.mapping_measures import measure
from advisor.messages.mapping.orders import Mapping
from advisor.studies.mapping.parameters import OWN, MappingParameters
from advisor.studies.mapping.study import STUDY
from gui.basics.figures import picture
from gui.document.document import Document
from gui.studies.mesh.mapping_view import MappingView
from gui.studies.mesh.mesh_canvas import MeshCanvas
from gui.studies.page.study_panel import StudyPanel
from gui.studies.picture.picture_legend import LegendRow
from tests.gui.exporting import export
from tests.gui.pointer import move
from tests.gui.stills import assert_drawn_alike, other_theme
from tests.gui.studies import hands
from tests.gui.studies.conftest import SMALL, Shown, given, picture_of
from tests.gui.studies.hands import LEFT, Edits, choose, settled
from tests.gui.svg_reading import assert_shown_alike, check


def at(canvas: MeshCanvas, node: int) -> QPoint:
    return canvas.node_rect(node).center().toPoint()


def drag(qtbot: QtBot, view: MappingView, start: int, end: int, drop: bool = True) -> None:
    """Carry a process from one node to another."""
    hands.drag(qtbot, view, at(view.canvas, start), at(view.canvas, end), drop)


def mapping(view: MappingView) -> Mapping:
    assert view.shown is not None
    return view.shown.mapping


@pytest.fixture
def edits(view: MappingView) -> Edits:
    return hands.told_by(view)


@pytest.fixture
def in_rows(qtbot: QtBot, view: MappingView) -> MappingView:
    """The row-major order is shown: process p on node p, nodes 10 and 11 are empty."""
    choose(qtbot, view, "row-major")
    assert mapping(view) == tuple(range(10))
    return view


def test_the_legend_says_what_stands_in_the_boxes(
    qtbot: QtBot, view: MappingView, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    write = LegendRow.write

    def heard(row: LegendRow, text: str, *how: object) -> None:
        said.append(text)
        write(row, text, *how)  # type: ignore[arg-type]

    monkeypatch.setattr(LegendRow, "write", heard)
    picture(view.canvas, ".svg")
    assert [text for text in said if "process" in text or "empty" in text] == [
        "process number", "empty node",
    ]  # fmt: skip
    assert view.picture is not None
    names = tuple(f"p{process}" for process in range(10))
    flows = replace(view.picture.problem.communication, labels=names)
    problem = replace(view.picture.problem, communication=flows)
    given(qtbot, view, replace(view.picture, problem=problem))
    said.clear()
    picture(view.canvas, ".svg")
    assert "process" in said
    assert "process number" not in said


def test_the_legend_says_of_the_busiest_channel_what_there_is_room_for(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown(picture_of(MappingParameters(seconds=0.01)))
    said: list[str] = []
    monkeypatch.setattr(LegendRow, "write", lambda _row, text, *_how: said.append(text))
    found = []
    for room in (380, 250, 20):
        monkeypatch.setattr(LegendRow, "room", room)
        picture(view.canvas, ".svg")
        found.append(said[-1])
    assert found == [
        "Busiest: node 0 → 1, 1.02 kB, 30 others as much",
        "Busiest: 0 → 1 and 30 others, 1.02 kB",
        "Busiest: 0 → 1 (+30), 1.02 kB",
    ]


def test_the_best_order_is_shown_and_signed_against_the_default(view: MappingView) -> None:
    picture = view.picture
    assert picture is not None
    assert mapping(view) == picture.chosen.mapping
    assert view.bar.choice.currentText() == f"{picture.chosen.name} (best)"
    drawing = view.canvas.drawing
    assert drawing is not None
    assert [drawing.holders[node] for node in mapping(view)] == list(range(10))
    assert drawing.loads.sum() == picture.chosen.measures.hop_bytes
    assert "▼ −" in view.measures.labels["hop-bytes"].text()
    assert "row-major" in view.measures.against.text()


def test_another_order_is_chosen_with_the_keyboard(in_rows: MappingView) -> None:
    text = in_rows.measures.labels["hop-bytes"].text()
    assert "▼" not in text
    assert "▲" not in text
    assert in_rows.picture is not None
    assert in_rows.picture.orders[0].measures.loads is in_rows.canvas.drawing.loads  # type: ignore[union-attr]


def test_a_process_dragged_onto_another_swaps_with_it_and_tells_the_form(
    qtbot: QtBot, in_rows: MappingView, edits: Edits
) -> None:
    drag(qtbot, in_rows, 2, 7)
    assert mapping(in_rows) == (0, 1, 7, 3, 4, 5, 6, 2, 8, 9)
    assert edits == [{"own": "0,1,7,3,4,5,6,2,8,9"}]
    assert in_rows.bar.choice.currentData() == OWN
    assert in_rows.undo_stack.count() == 1
    qtbot.mouseClick(in_rows.bar.undo, LEFT)
    settled(qtbot, in_rows)
    assert mapping(in_rows) == tuple(range(10))
    assert edits[1:] == [{"own": ""}]
    qtbot.mouseClick(in_rows.bar.redo, LEFT)
    settled(qtbot, in_rows)
    assert mapping(in_rows)[2] == 7
    assert edits[2] == edits[0]


def sign(view: MappingView, name: str = "hop-bytes") -> str:
    """What a measure says of better and worse."""
    return view.measures.labels[name].accessibleDescription()


def test_after_a_drop_the_signs_compare_with_what_was_there_before(
    qtbot: QtBot, view: MappingView, edits: Edits
) -> None:
    picture = view.picture
    assert picture is not None
    best, default = picture.chosen, picture.orders[0].measures.hop_bytes
    assert best.name != "row-major"
    drag(qtbot, view, best.mapping[0], best.mapping[5])  # away from its neighbours in the ring
    assert view.shown is not None
    first = view.shown
    hop_bytes = first.measures.hop_bytes
    assert best.measures.hop_bytes < hop_bytes
    assert sign(view).endswith(f"against before ({best.name})")
    share = hop_bytes / best.measures.hop_bytes - 1.0
    assert f"▲ +{100 * share:.0f} %" in sign(view)
    assert hop_bytes != default  # so that a sign against row-major would say another share
    assert f"before ({best.name})" in view.measures.against.text()

    drag(qtbot, view, first.mapping[0], best.mapping[0])  # and back
    assert mapping(view) == best.mapping
    assert "▼ −" in sign(view)
    assert sign(view).endswith("against before (own)")

    given(qtbot, view, picture_of(replace(SMALL, own=edits[-1]["own"])))  # the study's answer
    assert sign(view).endswith("against before (own)")
    qtbot.mouseClick(view.bar.undo, LEFT)
    settled(qtbot, view)
    assert mapping(view) == first.mapping
    assert sign(view).endswith(f"against before ({best.name})")
    choose(qtbot, view, "snake")
    assert sign(view).endswith("against row-major")


def test_a_process_dragged_onto_an_empty_node_moves_there(
    qtbot: QtBot, in_rows: MappingView, edits: Edits
) -> None:
    drag(qtbot, in_rows, 0, 11)
    assert mapping(in_rows) == (11, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert in_rows.canvas.drawing is not None
    assert in_rows.canvas.drawing.holders[0] == -1
    assert len(edits) == 1


def test_while_dragging_the_change_of_the_objective_is_shown(
    qtbot: QtBot, in_rows: MappingView
) -> None:
    picture = in_rows.picture
    assert picture is not None
    before = picture.orders[0].measures
    for node in (3, 5, 10):
        drag(qtbot, in_rows, 9, node, drop=False)
        hand = in_rows.canvas.hand
        assert hand is not None
        assert hand.offer is not None
        nodes = list(range(10))
        nodes[9] = node
        if node < 10:
            nodes[node] = 9
        after = measure(picture.problem, picture.net.long, tuple(nodes))
        now, then = (one.value(picture.objective) for one in (after, before))
        change = now - then
        assert hand.offer.verdict == ("worse" if change > 0 else "better" if change else "same")
        share = abs(change) / then
        assert not change or f"{100 * share:.0f} %" in hand.offer.lines[0]
        qtbot.keyClick(in_rows.canvas, Qt.Key.Key_Escape)
        qtbot.mouseRelease(in_rows.canvas, LEFT, pos=at(in_rows.canvas, node))


def test_escape_and_a_drop_beside_the_nodes_put_the_process_back(
    qtbot: QtBot, in_rows: MappingView, edits: Edits
) -> None:
    canvas = in_rows.canvas
    drag(qtbot, in_rows, 2, 7, drop=False)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(canvas, LEFT, pos=at(canvas, 7))
    assert canvas.hand is None
    drag(qtbot, in_rows, 2, 7, drop=False)
    qtbot.mouseRelease(canvas, LEFT, pos=QPoint(3, 3))
    assert canvas.hand is None
    assert mapping(in_rows) == tuple(range(10))
    assert edits == []
    assert in_rows.undo_stack.count() == 0


def test_a_click_picks_up_and_another_puts_down(
    qtbot: QtBot, in_rows: MappingView, edits: Edits
) -> None:
    canvas = in_rows.canvas
    qtbot.mouseClick(canvas, LEFT, pos=at(canvas, 4))
    assert "picked up" in in_rows.readout.text()
    move(canvas, at(canvas, 5))
    assert canvas.hand is not None
    assert canvas.hand.offer is not None
    assert canvas.hand.offer.lines[0] in in_rows.readout.text()
    qtbot.mouseClick(canvas, LEFT, pos=at(canvas, 5))
    settled(qtbot, in_rows)
    assert mapping(in_rows)[4:6] == (5, 4)
    assert canvas.hand is None
    assert len(edits) == 1


def test_the_keyboard_carries_too(qtbot: QtBot, in_rows: MappingView, edits: Edits) -> None:
    canvas = in_rows.canvas
    canvas.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(canvas, key)
    assert canvas.cursor_node == 5
    assert in_rows.readout.text() == "Node 5 (1, 1): process 5"
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Left, Qt.Key.Key_Return):
        qtbot.keyClick(canvas, key)
    settled(qtbot, in_rows)
    assert mapping(in_rows)[4:6] == (5, 4)
    qtbot.keyClick(canvas, "z", Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, in_rows)
    assert mapping(in_rows) == tuple(range(10))
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(canvas, "z", both)
    settled(qtbot, in_rows)
    assert mapping(in_rows)[4:6] == (5, 4)
    assert len(edits) == 3


def test_back_to_best_gives_the_own_mapping_up_in_one_step(
    qtbot: QtBot, in_rows: MappingView, edits: Edits
) -> None:
    drag(qtbot, in_rows, 2, 7)
    qtbot.mouseClick(in_rows.bar.best, LEFT)
    settled(qtbot, in_rows)
    assert in_rows.picture is not None
    assert in_rows.own is None
    assert mapping(in_rows) == in_rows.picture.chosen.mapping
    assert edits[-1] == {"own": ""}
    assert not in_rows.bar.best.isEnabled()
    qtbot.mouseClick(in_rows.bar.undo, LEFT)
    settled(qtbot, in_rows)
    assert mapping(in_rows)[2] == 7


def test_the_studys_answer_to_our_own_mapping_keeps_the_steps(
    qtbot: QtBot, in_rows: MappingView, edits: Edits
) -> None:
    drag(qtbot, in_rows, 2, 7)
    given(qtbot, in_rows, picture_of(replace(SMALL, own=edits[0]["own"])))
    assert mapping(in_rows)[2] == 7
    assert in_rows.undo_stack.count() == 1
    given(qtbot, in_rows, picture_of(replace(SMALL, own="9,8,7,6,5,4,3,2,1,0")))
    assert mapping(in_rows) == (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    assert in_rows.undo_stack.count() == 0
    assert len(edits) == 1


def test_an_older_answer_does_not_take_the_own_mapping_back(
    qtbot: QtBot, in_rows: MappingView, edits: Edits
) -> None:
    drag(qtbot, in_rows, 2, 7)
    drag(qtbot, in_rows, 0, 11)
    given(qtbot, in_rows, picture_of(replace(SMALL, seed=5)))
    assert mapping(in_rows)[:3] == (11, 1, 7)
    assert in_rows.undo_stack.count() == 2
    assert len(edits) == 2


def test_tooltips_tell_nodes_and_channels(in_rows: MappingView) -> None:
    canvas = in_rows.canvas
    node = canvas.hint_at(QPointF(at(canvas, 5)))
    assert "Node 5 (1, 1) of the 4 × 3 mesh" in node
    assert "Process 5" in node
    assert "Sends 1.02 kB in 1 message to 6" in node
    assert "Receives 1.02 kB in 1 message from 4" in node
    assert "No process" in canvas.hint_at(QPointF(at(canvas, 11)))
    middle = (QPointF(at(canvas, 1)) + QPointF(at(canvas, 2))) / 2
    right = canvas.hint_at(middle + QPointF(0, 0.07 * canvas.view.scale))
    assert "from node 1 (1, 0) to node 2 (2, 0)" in right
    assert "process 1 → 2, 1.02 kB" in right
    left = canvas.hint_at(middle - QPointF(0, 0.07 * canvas.view.scale))
    assert "from node 2 (2, 0) to node 1 (1, 0)" in left
    assert "process 3 → 4" in left
    assert canvas.hint_at(QPointF(2, 2)) == ""


def test_the_wheel_zooms_at_the_pointer_the_ground_moves_and_f_fits(
    qtbot: QtBot, view: MappingView
) -> None:
    canvas = view.canvas
    fitted, place = canvas.view, QPointF(at(canvas, 6))
    hands.wheel(canvas, place, 3)
    assert canvas.view.scale == pytest.approx(fitted.scale * 1.25**3)
    assert (QPointF(at(canvas, 6)) - place).manhattanLength() < 2
    before = canvas.view
    hands.pull(qtbot, canvas, QPoint(200, 100), QPoint(230, 90))
    assert (canvas.view.x - before.x, canvas.view.y - before.y) == (30, -10)
    qtbot.keyClick(canvas, "f")
    assert canvas.view == fitted


def test_another_network_is_fitted_and_forgets_the_own_mapping(
    qtbot: QtBot, in_rows: MappingView
) -> None:
    drag(qtbot, in_rows, 2, 7)
    cube = MappingParameters(network="ncube2", dims="2x2x2", pattern="ring", seconds=0.01)
    given(qtbot, in_rows, picture_of(replace(cube, own="7,6,5,4,3,2,1,0")))
    given(qtbot, in_rows, picture_of(cube))
    assert in_rows.own is None
    assert in_rows.undo_stack.count() == 0
    canvas = in_rows.canvas
    assert all(canvas.area.contains(canvas.node_rect(node)) for node in range(8))


def test_a_busy_network_names_its_busiest_channel(shown: Shown) -> None:
    parameters = MappingParameters(dims="4x4 torus", pattern="random", messages=200, seconds=0.01)
    view = shown(picture_of(parameters))
    drawing = view.canvas.drawing
    assert drawing is not None
    channel = int(drawing.loads.argmax())
    start, end = drawing.geometry.ends[channel]
    assert f"Busiest: node {start} → {end}, " in view.canvas.accessibleDescription()


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png", "csv"])
def test_picture_and_loads_are_exported(
    qtbot: QtBot, view: MappingView, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"mapping.{suffix}"
    export(qtbot, view.exports, path)
    written = path.read_bytes()
    assert len(written) > 300
    if suffix == "csv":
        assert view.picture is not None
        assert written.count(b"\r\n") == 1 + len(view.picture.network.channels)


def test_in_the_study_a_drop_becomes_the_own_mapping_of_the_form(
    qtbot: QtBot, document: Document
) -> None:
    panel = StudyPanel(document, STUDY)
    qtbot.addWidget(panel)
    panel.resize(1200, 700)
    panel.show()
    qtbot.waitUntil(lambda: panel.result is not None and not panel.running.is_busy)
    view = panel.findChild(MappingView)
    assert isinstance(view, MappingView)
    settled(qtbot, view)
    drag(qtbot, view, 3, 12)
    values = panel.form.values()
    assert values is not None
    assert values["own"] == ",".join(map(str, mapping(view)))

    def answered() -> bool:
        tables = panel.result.tables if panel.result is not None else ()
        return not panel.running.is_busy and OWN in [row[0] for row in tables[0].rows]

    qtbot.waitUntil(answered)
    settled(qtbot, view)
    assert view.undo_stack.count() == 1
    panel.close()


def test_a_picture_in_a_file_is_laid_out_for_its_content_and_shown_by_every_reader(
    qtbot: QtBot, shown: Shown
) -> None:
    canvas = shown(picture_of(SMALL)).canvas
    content = picture(canvas, ".svg")
    check(content)
    canvas.window().resize(500, 300)
    assert canvas.figure_size().toTuple() == (1200, 700)
    assert_shown_alike(canvas)
    wide = shown(picture_of(replace(SMALL, dims="40x2"))).canvas
    assert wide.figure_size().width() > 3000


def test_a_thread_draws_the_mapping_as_it_was_when_it_was_asked_for(view: MappingView) -> None:
    with other_theme() as change:
        assert_drawn_alike(view.canvas, change)
    view.canvas.resize(view.canvas.figure_size())  # the part in sight is what is drawn
    view.canvas.zoom(2.0, QPointF(100.0, 100.0))
    assert_drawn_alike(view.canvas, view.canvas.fit)
