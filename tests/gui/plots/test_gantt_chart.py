"""The Gantt chart of a Diamond DAG's blocks: what is drawn, told and exported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from advisor.basics.causes import COMPUTING, IDLE, MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.messages.diamond_blocks import GANTT_CAUSES, Gantt, gantt, wavefront
from advisor.models.logpc import DiamondSteps
from gui.basics.theme import CAUSE_COLOURS, theme
from gui.plots.gantt_chart import GanttChart, told
from gui.plots.shares import shares
from gui.studies.wavefront.wavefront_view import GanttView
from tests.gui.exporting import export

STEPS = DiamondSteps(30.0, 12.0, 15.0, 10.0)


def chart_of(P: int, b: int, contention: float = 8.0) -> Gantt:
    return gantt(wavefront(STEPS, P, b, contention), "cycle", f"{P} stripes in {b} blocks")


@pytest.fixture
def view(qtbot: QtBot) -> GanttView:
    view = GanttView()
    qtbot.addWidget(view)
    view.resize(800, 400)
    view.set_picture(chart_of(4, 3))
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def chart(view: GanttView) -> GanttChart:
    return view.panel.gantt_chart


def place_of(chart: GanttChart, piece: int) -> QPointF:
    """The middle of a piece on the canvas."""
    shown = chart.gantt
    assert shown is not None
    middle = (shown.start[piece] + shown.end[piece]) / 2
    return chart.position_of(middle, -shown.row[piece] - 0.5)


def colours(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name().upper()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }


def test_every_piece_answers_at_its_place(chart: GanttChart) -> None:
    assert chart.gantt is not None
    for piece in range(len(chart.gantt.row)):
        assert chart.piece_at(place_of(chart, piece)) == piece
    assert chart.piece_at(QPointF(1.0, 1.0)) is None


def test_the_pointer_reads_processor_block_cause_start_and_end(chart: GanttChart) -> None:
    shown = chart.gantt
    assert shown is not None
    computing = np.flatnonzero((shown.row == 1) & (shown.cause == GANTT_CAUSES.index(COMPUTING)))
    second = int(computing[1])
    start, end = shown.start[second], shown.end[second]
    assert chart.hint_at(place_of(chart, second)).splitlines() == [
        "processor 1, block 2: computing",
        f"start {start:g} cycles, end {end:g} cycles",
        "takes 30 cycles",
    ]


def test_the_pieces_of_a_processor_tell_its_story() -> None:
    shown = chart_of(3, 2)
    middle = np.flatnonzero(shown.row == 1)
    assert [told(shown, int(piece)) for piece in middle] == [
        "idle: block 1 has not come",
        "message overhead: receiving block 1",
        "block 1: computing",
        "message overhead: sending block 1",
        "block 1: network contention",
        "message overhead: receiving block 2",
        "block 2: computing",
        "message overhead: sending block 2",
        "block 2: network contention",
        "idle: all its blocks are done",
    ]


def test_the_causes_have_their_fixed_colours_and_shares(chart: GanttChart) -> None:
    seen = colours(chart.canvas.grab().toImage())
    for cause in (COMPUTING, MESSAGE_OVERHEAD, NETWORK_CONTENTION):
        assert CAUSE_COLOURS[cause] in seen
    assert theme().colours.line in seen
    assert chart.gantt is not None
    assert f"{IDLE} " in chart.accessibleDescription()


def test_many_pieces_look_as_if_they_were_drawn_one_by_one(
    chart: GanttChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart.set_gantt(chart_of(40, 60))
    single, many = _pixels(chart), None
    monkeypatch.setattr("gui.plots.gantt_chart._SINGLE", 0)
    many = _pixels(chart)
    # whole pieces are cut at pixels, merged ones are mixed: alike on average
    area = chart.area().toAlignedRect().adjusted(2, 2, -2, -2)
    inside = np.s_[area.top() : area.bottom(), area.left() : area.right()]
    assert np.abs(single[inside].mean(axis=(0, 1)) - many[inside].mean(axis=(0, 1))).max() < 3


def test_wheel_buttons_and_keys_zoom_and_fit(qtbot: QtBot, view: GanttView) -> None:
    chart = view.panel.gantt_chart
    for name, fitted in (("zoom_in", False), ("fit", True)):
        found = view.findChild(QToolButton, f"gantt_{name}")
        assert found is not None
        qtbot.mouseClick(found, Qt.MouseButton.LeftButton)
        assert chart.is_fitted is fitted
    chart.zoom(3.0)
    view.set_picture(chart_of(4, 5))
    assert not chart.is_fitted
    view.set_picture(chart_of(8, 5))
    assert chart.is_fitted


@pytest.mark.parametrize("suffix", ["svg", "png", "csv"])
def test_the_chart_is_exported(qtbot: QtBot, view: GanttView, tmp_path: Path, suffix: str) -> None:
    export(qtbot, view.panel.exports, tmp_path / f"gantt.{suffix}")
    data = (tmp_path / f"gantt.{suffix}").read_bytes()
    if suffix == "csv":
        lines = data.decode().splitlines()
        assert lines[0] == "processor,cause,start (cycle),end (cycle)"
        assert lines[1] == "0,computing,0.0,30.0"
    elif suffix == "svg":
        assert b"network contention" in data
        assert b"time (cycle)" in data
    else:
        assert len(data) > 1000


def test_the_numbers_are_shown_as_a_table(qtbot: QtBot, view: GanttView) -> None:
    qtbot.mouseClick(view.panel.table_button, Qt.MouseButton.LeftButton)
    shown = view.panel.gantt_chart.gantt
    assert shown is not None
    assert view.panel.table_view.columns_model.rowCount() == len(shown.row)
    view.set_picture(chart_of(4, 9))
    assert view.panel.table_view.columns_model.rowCount() > len(shown.row)


def test_an_old_chart_is_dimmed(view: GanttView) -> None:
    bright = view.panel.gantt_chart.grab().toImage()
    view.set_dimmed(True)
    assert view.panel.gantt_chart.grab().toImage() != bright
    view.set_dimmed(False)
    assert view.panel.gantt_chart.grab().toImage() == bright


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(-2, 12), st.floats(0, 3)), max_size=12),
)
def test_the_share_of_a_pixel_is_the_length_of_the_pieces_in_it(
    pieces: list[tuple[int, float, float]],
) -> None:
    row = np.array([piece[0] for piece in pieces], dtype=np.intp)
    x0 = np.array([piece[1] for piece in pieces])
    x1 = x0 + np.array([piece[2] for piece in pieces])
    found = shares(row, x0, x1, (3, 10))
    expected = np.zeros((3, 10))
    for at, low, high in zip(row, x0, x1, strict=True):
        for pixel in range(10):
            expected[at, pixel] += max(0.0, min(high, pixel + 1) - max(low, pixel))
    assert found == pytest.approx(expected, abs=1e-5)


def _pixels(chart: GanttChart) -> np.ndarray:
    image = chart.canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    data = np.frombuffer(image.constBits(), dtype=np.uint8)
    return data.reshape(image.height(), image.width(), 4)[..., :3].astype(float)
