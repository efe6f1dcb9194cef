"""Icons of our own: line drawings in resources/icons, coloured as the theme's text."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gui.basics.theme import theme

_SIZES = (16, 24, 32, 48)


def icon(name: str) -> QIcon:
    """The icon in the present theme's colours, with a muted version for disabled buttons."""
    colours = theme().colours
    return _drawn(name, colours.text, colours.muted, colours.accent)


def has_icon(name: str) -> bool:
    """Whether there is a drawing of that name."""
    return _file(name).is_file()


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    return _file(name).read_text(encoding="utf-8")


def _file(name: str) -> Traversable:
    return files("resources") / "icons" / f"{name}.svg"


@lru_cache(maxsize=256)
def _drawn(name: str, text: str, muted: str, accent: str) -> QIcon:
    result = QIcon()
    for colour, mode in ((text, QIcon.Mode.Normal), (muted, QIcon.Mode.Disabled)):
        drawing = _source(name).replace("currentColor", colour).replace("accentColor", accent)
        renderer = QSvgRenderer(QByteArray(drawing.encode()))
        for size in _SIZES:
            pixmap = QPixmap(size, size)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, size, size))
            painter.end()
            result.addPixmap(pixmap, mode)
    return result
