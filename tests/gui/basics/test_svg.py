"""SVG files hold what was drawn, in forms that every reader knows."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gui.basics.figures import picture
from gui.basics.svg import NAMESPACE, without_forbidden
from tests.gui.svg_reading import assert_shown_alike, check

SVG = f"{{{NAMESPACE}}}"


class Drawing:
    """A figure that a function draws."""

    def __init__(self, draw: Callable[[QPainter], object]) -> None:
        self._draw = draw

    def figure_size(self) -> QSize:
        return QSize(200, 100)

    def render_to(self, painter: QPainter, _rect: QRectF) -> None:
        painter.save()
        self._draw(painter)
        painter.restore()


def nested(painter: QPainter) -> None:
    """A clip within a clip, and something after it."""
    painter.setClipRect(QRectF(10, 10, 180, 80))
    painter.save()
    painter.translate(20, 20)
    painter.setClipRect(QRectF(0, 0, 10, 10), Qt.ClipOperation.IntersectClip)
    painter.fillRect(QRectF(-5, -5, 30, 30), QColor("#0072B2"))
    painter.restore()
    painter.fillRect(QRectF(0, 40, 200, 60), QColor("#D55E00"))


def rows(painter: QPainter) -> None:
    """An image of a few pixels over a large part of the picture."""
    image = QImage(2, 2, QImage.Format.Format_RGB32)
    for x, y, colour in ((0, 0, "#000"), (1, 0, "#fff"), (0, 1, "#fff"), (1, 1, "#000")):
        image.setPixelColor(x, y, QColor(colour))
    painter.scale(10, 5)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(QRectF(2, 2, 16, 16), image)


def veils(painter: QPainter) -> None:
    """Colours that let the ground through."""
    veil = QColor("#0072B2")
    veil.setAlphaF(0.25)
    painter.fillRect(QRectF(20, 20, 100, 40), veil)
    painter.setPen(veil)
    painter.drawText(QRectF(0, 0, 200, 100), "makespan")


def clips(root: Element) -> dict[str, str]:
    """The path of the clip of every rectangle, by its fill."""
    paths = {
        f"url(#{clip.get('id')})": clip[0].get("d", "") for clip in root.iter(f"{SVG}clipPath")
    }
    found = {}
    for outer in root.iter(f"{SVG}g"):
        for inner in outer.findall(f"{SVG}g"):
            if inner.find(f"{SVG}rect") is not None:
                found[inner.get("fill", "")] = paths.get(outer.get("clip-path", ""), "")
    return found


def test_the_outer_clip_holds_again_when_the_inner_one_ends(qapp: object) -> None:
    found = clips(check(picture(Drawing(nested), ".svg")))
    assert found["#0072b2"].startswith("M20,20 L30,20 L30,30")
    assert found["#d55e00"].startswith("M10,10 L190,10 L190,90")


@pytest.mark.parametrize("draw", [nested, rows, veils])
def test_what_is_drawn_is_told_in_forms_that_all_readers_know(
    qapp: object, draw: Callable[[QPainter], None]
) -> None:
    check(picture(Drawing(draw), ".svg"))


@pytest.mark.parametrize("draw", [nested, rows, veils])
def test_another_reader_shows_what_the_window_shows(
    qapp: object, draw: Callable[[QPainter], None]
) -> None:
    assert_shown_alike(Drawing(draw))


def test_opacity_is_told_beside_a_colour_and_not_in_it(qapp: object) -> None:
    content = picture(Drawing(veils), ".svg").decode()
    assert 'fill="#0072b2"' in content
    assert 'fill-opacity="0.25' in content


@pytest.mark.parametrize("sign", ["\x00", "\x01", "\x0b", "\x1b", "\x7f", "\ufffe", "\ud800", "\r"])
@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_no_character_of_a_name_breaks_a_picture(qapp: object, sign: str, suffix: str) -> None:
    drawing = Drawing(lambda painter: painter.drawText(20, 20, f"left{sign}right & <more>"))
    content = picture(drawing, suffix)
    assert content
    if suffix == ".svg":
        text = next(iter(check(content).iter(f"{SVG}text"))).text or ""
        assert text.startswith("left")
        assert text.rstrip().endswith("right & <more>")


def test_what_xml_forbids_is_marked_and_all_else_kept() -> None:
    assert without_forbidden("a\x00b\x1f\ufffec\ud800") == "a\ufffdb\ufffd\ufffdc\ufffd"
    assert without_forbidden("\t\n\r é\u202e😀") == "\t\n\r é\u202e😀"
