"""Reading SVG files as strangers do: by their text alone, and through librsvg where it is."""

from __future__ import annotations

import re
import shutil
import subprocess
from base64 import b64decode
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from gui.basics.figures import Figure, figure_size, picture
from gui.basics.svg import NAMESPACE
from gui.basics.theme import theme

_SVG = f"{{{NAMESPACE}}}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_COLOUR = re.compile(r"#[0-9a-f]{6}|none|black|url\(#\w+\)")
_PAINTS = ("fill", "stroke", "stop-color")
_MATRIX = re.compile(r"matrix\(([-\d.e+]+,){5}[-\d.e+]+\)")
_ALIKE = 3.0  # of 255, mean over all pixels and channels: edges and fonts differ a little


def check(content: bytes) -> Element:
    """Whether every reader knows what stands in a file; its root."""
    root: Element = fromstring(content)
    width, height = float(root.get("width", "")), float(root.get("height", ""))  # pixels
    assert root.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"
    known = {f"url(#{one.get('id')})" for one in root.iter() if one.get("id")}
    for one in root.iter():
        assert one.tag != f"{_SVG}g" or len(one), "an empty group"
        for paint in _PAINTS:
            assert _COLOUR.fullmatch(one.get(paint, "none")), one.get(paint)
        for value in one.attrib.values():
            assert not value.startswith("url(") or value in known
        assert _MATRIX.fullmatch(one.get("transform", "matrix(1,0,0,1,0,0)"))
        if "font-size" in one.attrib:
            assert 9 <= float(one.attrib["font-size"]) <= 40  # pixels, with no unit
        if "font-family" in one.attrib:
            assert one.attrib["font-family"].endswith(("sans-serif", "monospace"))
    _check_places(root, width, height)
    return root


def _check_places(root: Element, width: float, height: float) -> None:
    """Texts and images lie in the picture; images hold all their pixels."""
    for group in root.iter(f"{_SVG}g"):
        plain = group.get("transform", "matrix(1,0,0,1,0,0)") == "matrix(1,0,0,1,0,0)"
        for text in group.findall(f"{_SVG}text") if plain else ():
            assert 0 <= float(text.get("x", "")) <= width, text.text
            assert 0 <= float(text.get("y", "")) <= height, text.text
        for image in group.findall(f"{_SVG}image"):
            pixels = QImage.fromData(b64decode(image.get(_HREF, "").partition("base64,")[2]))
            assert not pixels.isNull()
            if plain:
                assert pixels.width() >= float(image.get("width", "")) - 1


def assert_shown_alike(figure: Figure) -> None:
    """What librsvg makes of a figure's SVG is what Qt draws of it on the screen."""
    program = shutil.which("rsvg-convert")
    if program is None:
        pytest.skip("needs rsvg-convert (Debian, Ubuntu: apt install librsvg2-bin)")
    made = subprocess.run(
        [program, "--format", "png"], input=picture(figure, ".svg"), stdout=subprocess.PIPE,
        check=True,
    )  # fmt: skip
    shown, size = QImage.fromData(made.stdout), figure_size(figure)
    assert shown.size() == size
    screen = QImage(size, QImage.Format.Format_RGB32)
    screen.fill(theme().colours.surface)
    with QPainter(screen) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        figure.render_to(painter, QRectF(screen.rect()))
    away = np.abs(_pixels(shown) - _pixels(screen))
    assert float(away.mean()) < _ALIKE
    # nowhere is a whole part missing: blocks of 40 × 40 pixels agree in the mean, too
    rows, columns = away.shape[0] // 40 * 40, away.shape[1] // 40 * 40
    blocks = away[:rows, :columns].mean(axis=2).reshape(rows // 40, 40, columns // 40, 40)
    assert float(blocks.mean(axis=(1, 3)).max()) < 20.0


def _pixels(image: QImage) -> NDArray[np.float64]:
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    data = np.frombuffer(plain.constBits(), dtype=np.uint8)
    found: NDArray[np.float64] = data.reshape(plain.height(), plain.width(), 4)[..., :3] * 1.0
    return found
