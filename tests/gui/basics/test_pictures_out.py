"""Pictures leave in the background: as they were when asked for, whole or not at all."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.basics.background_export import outgoing
from gui.basics.background_jobs import LatestWins
from gui.basics.figures import PICTURES, picture
from gui.basics.pictures_out import PicturesOut
from tests.gui.exporting import refused

BLUE, RED = "#0072b2", "#d55e00"


class Drawing:
    """A box of a colour; it tells on which threads it was drawn."""

    def __init__(self, colour: str = BLUE) -> None:
        self.colour = colour
        self.threads: set[str] = set()

    def figure_size(self) -> QSize:
        return QSize(200, 100)

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        self.threads.add(threading.current_thread().name)
        painter.setPen(QColor("black"))
        painter.fillRect(rect.adjusted(10, 10, -10, -10), QColor(self.colour))
        painter.drawText(rect, "makespan")


class Held(Drawing):
    """What is drawn of `Changing`: it waits in the middle, and tells when it was given up."""

    def __init__(self, colour: str) -> None:
        super().__init__(colour)
        self.begun, self.go, self.given_up = threading.Event(), threading.Event(), threading.Event()

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        self.begun.set()
        assert self.go.wait(60)
        try:
            super().render_to(painter, rect)
        except Exception:
            self.given_up.set()
            raise


class Changing(Drawing):
    """Any thread may draw what it was."""

    def still(self) -> Held:
        self.held = Held(self.colour)
        return self.held


@pytest.fixture
def out(qtbot: QtBot) -> Iterator[PicturesOut]:
    widget = QWidget()
    qtbot.addWidget(widget)
    made = PicturesOut(widget)
    yield made
    for job in made.findChildren(LatestWins):
        job.close()


@pytest.mark.parametrize("suffix", PICTURES)
def test_the_suffix_chooses_the_format_of_the_file(
    qtbot: QtBot, out: PicturesOut, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"plot{suffix.upper()}"
    with qtbot.waitSignal(out.written) as written:
        out.write(Drawing(), path)
    assert written.args == [path]
    head = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}[suffix]
    assert path.read_bytes().startswith(head)


def test_an_unknown_suffix_is_refused_and_nothing_is_written(
    qtbot: QtBot, out: PicturesOut, tmp_path: Path
) -> None:
    out.write(Drawing(), tmp_path / "plot.gif")
    assert "Unknown kind of picture" in refused(qtbot, out)
    assert not out.is_busy and not list(tmp_path.iterdir())


def test_a_folder_that_is_missing_is_an_error_with_the_path(
    qtbot: QtBot, out: PicturesOut, tmp_path: Path
) -> None:
    out.write(Drawing(), tmp_path / "nowhere" / "plot.svg")
    assert "nowhere" in refused(qtbot, out)


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_what_is_drawn_on_a_thread_is_what_was_there_when_it_was_asked_for(
    qtbot: QtBot, out: PicturesOut, tmp_path: Path, suffix: str
) -> None:
    source, path = Changing(), tmp_path / f"plot{suffix}"
    expected = picture(Drawing(), suffix)
    with qtbot.waitSignal(out.written):
        out.write(source, path)
        source.colour = RED  # while the old one is being drawn, and the window goes on
        assert source.held.begun.wait(60)
        source.held.go.set()
    assert path.read_bytes() == expected
    assert threading.current_thread().name not in source.held.threads and not source.threads


def test_how_far_a_picture_is_is_told(qtbot: QtBot, out: PicturesOut, tmp_path: Path) -> None:
    began, shares = list[str](), list[float]()
    begin = lambda _name, what, _cancel: began.append(what)  # noqa: E731
    go_on = lambda _name, share: shares.append(share)  # noqa: E731
    outgoing().began.connect(begin)
    outgoing().went_on.connect(go_on)
    with qtbot.waitSignal(out.written):
        out.write(Drawing(), tmp_path / "plot.svg")
    outgoing().began.disconnect(begin)
    outgoing().went_on.disconnect(go_on)
    assert began == ["Writing plot.svg"]
    assert shares and shares == sorted(shares) and 0.0 < shares[0] < 1.0


def test_a_cancelled_picture_is_given_up_and_leaves_what_was_there(
    qtbot: QtBot, out: PicturesOut, tmp_path: Path
) -> None:
    source, path = Changing(), tmp_path / "plot.svg"
    path.write_text("old")
    out.write(source, path)
    assert source.held.begun.wait(60)
    (job,) = out.findChildren(LatestWins)
    job.cancel()  # what Cancel does
    assert not out.is_busy
    source.held.go.set()
    qtbot.waitUntil(source.held.given_up.is_set)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", [Drawing, Changing])
def test_a_copied_picture_is_on_the_clipboard_as_pixels_and_as_svg(
    qtbot: QtBot, out: PicturesOut, kind: type[Drawing]
) -> None:
    source = kind()
    with qtbot.waitSignal(out.copied):
        out.copy(source)
        if isinstance(source, Changing):
            source.held.go.set()
    data = QGuiApplication.clipboard().mimeData()
    assert QImage(data.imageData()).pixelColor(370, 170).name() == BLUE
    assert bytes(data.data("image/svg+xml").data()) == picture(Drawing(), ".svg")
    assert fromstring(bytes(data.data("image/svg+xml").data())).tag.endswith("svg")


def test_the_clipboard_has_the_picture_that_was_copied_last(qtbot: QtBot, out: PicturesOut) -> None:
    first = Changing(RED)
    out.copy(first)
    assert first.held.begun.wait(60)
    with qtbot.waitSignal(out.copied):
        out.copy(Drawing(BLUE))
    first.held.go.set()
    qtbot.waitUntil(lambda: not out.is_busy)
    assert QGuiApplication.clipboard().image().pixelColor(370, 170).name() == BLUE


def test_a_picture_may_stay_on_the_clipboard_when_the_program_ends() -> None:
    code = (
        "from PySide6.QtWidgets import QApplication, QLabel; app = QApplication([]); "
        "from gui.basics.figures import copied; copied(QLabel('a picture'))(print)()"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
