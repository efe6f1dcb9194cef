"""Pictures and tables on their way out are whole, readable again, and never half written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.figures import (
    Table,
    export_table,
    figure_size,
    picture,
)
from machines.errors import InputError

SVG = "{http://www.w3.org/2000/svg}"


class Drawing:
    """A figure of its own: a blue box and a word."""

    def figure_size(self) -> QSize:
        return QSize(200, 100)

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        painter.fillRect(rect.adjusted(10, 10, -10, -10), QColor("#0072B2"))
        painter.drawText(rect, "makespan")


def label(qtbot: QtBot) -> QLabel:
    widget = QLabel("a widget")
    widget.resize(120, 40)
    qtbot.addWidget(widget)
    return widget


def scene() -> QGraphicsScene:
    made = QGraphicsScene(0, 0, 150, 80)
    made.addText("a scene")
    return made


@pytest.mark.parametrize("kind", ["figure", "widget", "scene", "view"])
def test_everything_that_draws_becomes_an_svg_that_reads_back(qtbot: QtBot, kind: str) -> None:
    source = {
        "figure": Drawing,
        "widget": lambda: label(qtbot),
        "scene": scene,
        "view": lambda: _view(qtbot),
    }[kind]()
    root = fromstring(picture(source, ".svg"))
    assert root.tag == f"{SVG}svg"
    drawn = [part for part in root.iter() if part.tag in {f"{SVG}text", f"{SVG}path", f"{SVG}rect"}]
    assert len(drawn) > 1


def _view(qtbot: QtBot) -> QWidget:
    made = scene()
    view = QGraphicsView(made)
    made.setParent(view)
    view.resize(160, 90)
    qtbot.addWidget(view)
    return view


def test_text_stays_text_in_an_svg(qapp: object) -> None:
    texts = [part.text for part in fromstring(picture(Drawing(), ".svg")).iter(f"{SVG}text")]
    assert any(text and "makespan" in text for text in texts)


def test_a_png_has_twice_the_pixels_and_the_right_colours(qapp: object) -> None:
    image = QImage.fromData(picture(Drawing(), ".png"))
    assert image.size() == QSize(400, 200)
    assert image.pixelColor(370, 170).name().upper() == "#0072B2"


def test_a_pdf_is_one_page_of_the_size_of_the_figure(qapp: object) -> None:
    data = picture(Drawing(), ".pdf")
    assert data.startswith(b"%PDF-")
    assert data.count(b"/Type /Page\n") == 1
    resolution = QGuiApplication.primaryScreen().logicalDotsPerInch()
    box = data.split(b"/MediaBox [")[1].split(b"]")[0].split()
    assert float(box[2]) == pytest.approx(200 / resolution * 72, abs=1.0)
    assert float(box[3]) == pytest.approx(100 / resolution * 72, abs=1.0)


def test_an_unknown_suffix_is_refused(qapp: object) -> None:
    with pytest.raises(InputError, match="unknown kind of picture"):
        picture(Drawing(), ".gif")


def test_a_widget_without_a_size_is_nothing_to_draw(qtbot: QtBot) -> None:
    empty = QWidget()
    qtbot.addWidget(empty)
    empty.resize(0, 0)
    with pytest.raises(InputError, match="nothing to draw"):
        picture(empty, ".png")


def test_a_folder_in_the_place_of_the_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "plot.csv"
    path.mkdir()
    with pytest.raises(InputError, match=r"plot\.csv"):
        export_table(Table(("a",), ((1,),)), path)
    assert path.is_dir()
    assert list(tmp_path.iterdir()) == [path]


def test_a_table_reads_back_with_names_that_need_quotes(tmp_path: Path) -> None:
    table = Table(("name", "time (s)"), (('a,"b"\nc', 0.1 + 0.2), ("d", 1e-300)))
    export_table(table, tmp_path / "t.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "t.csv").read_bytes().decode(), newline="")))
    assert rows[0] == ["name", "time (s)"]
    assert rows[1][0] == 'a,"b"\nc'
    assert [float(row[1]) for row in rows[1:]] == [0.1 + 0.2, 1e-300]


@pytest.mark.parametrize("sign", ["\x00", "\x01", "\x1b", "\ufffe", "\n", "\r", "\u202e"])
def test_a_table_reads_back_with_any_character_in_a_name(tmp_path: Path, sign: str) -> None:
    export_table(Table(("name",), ((f"a{sign}b",),)), tmp_path / "t.csv")
    text = (tmp_path / "t.csv").read_bytes().decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["name"], [f"a{sign}b"]]


def test_half_a_character_in_a_name_breaks_no_table(tmp_path: Path) -> None:
    export_table(Table(("name",), (("a\ud800b",),)), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b"name\r\na?b\r\n"


def test_a_name_that_looks_like_a_formula_is_harmless_in_a_csv() -> None:
    text = "".join(Table(("name",), (("=1+1",), ("plain",))).csv())
    assert text.split("\r\n")[1:3] == ["'=1+1", "plain"]


def test_numbers_in_a_copy_stay_numbers_also_those_written_as_texts() -> None:
    assert "".join(Table(("x",), ((-1.5,), ("-3e-5",), ("+2",))).tsv()) == "x\n-1.5\n-3e-5\n+2\n"


def test_the_size_of_a_figure_is_its_own_a_scene_gives_its_rectangle(qapp: object) -> None:
    assert figure_size(Drawing()) == QSize(200, 100)
    assert figure_size(scene()) == QSize(150, 80)
