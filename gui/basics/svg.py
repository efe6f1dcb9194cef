"""SVG files that every reader shows alike: what Qt's generator writes, put right.

Qt writes a picture as its own reader takes it. Others meet: a clip that stays after it was
restored, sizes in rounded millimetres, a font family that only Qt knows, images that are smoothed
where they are stretched, and characters that no XML may hold.
"""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, ParseError, register_namespace, tostring

from defusedxml.ElementTree import fromstring
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QImage,
    QPaintDevice,
    QPainter,
    QPainterPath,
    QTextOption,
)
from PySide6.QtSvg import QSvgGenerator

from machines.errors import InputError
from machines.stopping import ask

NAMESPACE = "http://www.w3.org/2000/svg"
_LINKS = "http://www.w3.org/1999/xlink"
_SVG = f"{{{NAMESPACE}}}"
_HREF = f"{{{_LINKS}}}href"
# XML 1.0, production 2: everything else is no character of a document, not even escaped
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"

Scale = tuple[float, float]

register_namespace("", NAMESPACE)
register_namespace("xlink", _LINKS)


class AskingPainter(QPainter):
    """A painter that asks at every other pen whether the work at hand should stop."""

    def setPen(self, *what: Any) -> None:
        """Draw lines so."""
        ask()
        super().setPen(*what)


class SvgPainter(AskingPainter):
    """A painter that brings the clip back at `restore`, and sets it in pixels of the file.

    Qt's generator hears of the clip that was set last, not of the one that is restored.
    """

    def __init__(self, device: QPaintDevice) -> None:
        super().__init__(device)
        self._clips: list[QPainterPath | None] = [None]

    def save(self) -> None:
        """Keep the state, with its clip."""
        super().save()
        self._clips.append(self._clips[-1])

    def restore(self) -> None:
        """Bring back the state kept last, with its clip."""
        super().restore()
        self._clips.pop()
        self._set_clip()

    def setClipRect(  # type: ignore[override]
        self, rect: QRectF, operation: Qt.ClipOperation = Qt.ClipOperation.ReplaceClip
    ) -> None:
        """Draw inside of a rectangle alone."""
        path = QPainterPath()
        path.addRect(QRectF(rect))
        self.setClipPath(path, operation)

    def setClipPath(
        self, path: QPainterPath, operation: Qt.ClipOperation = Qt.ClipOperation.ReplaceClip
    ) -> None:
        """Draw inside of a path alone."""
        inside, before = self.transform().map(path), self._clips[-1]
        if operation == Qt.ClipOperation.IntersectClip and before is not None:
            inside = before.intersected(inside)
        self._clips[-1] = inside
        self._set_clip()

    def drawText(self, *what: Any) -> None:  # type: ignore[override]
        """Write; a text that is higher than its rectangle sets no clip of its own."""
        if isinstance(what[0], QRectF | QRect) and not isinstance(what[-1], QTextOption):
            where, flags, text = what if len(what) == 3 else (what[0], 0, what[1])
            bits = getattr(flags, "value", flags) | Qt.TextFlag.TextDontClip.value
            super().drawText(where, bits, text)
        else:
            super().drawText(*what)

    def _set_clip(self) -> None:
        clip = self._clips[-1]
        if clip is not None:
            before = self.transform()
            self.resetTransform()
            super().setClipPath(clip)
            self.setTransform(before)


def painted(
    draw: Callable[[QPainter], object], size: QSize, resolution: int
) -> Callable[[], bytes]:
    """Draw an SVG file now; what makes its bytes may be called on any thread.

    `draw`: draws on a painter of `size` pixels. `resolution`: pixels an inch of the screen, by
    which fonts are sized.
    """
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the other one knows no clipping
    generator.setOutputDevice(buffer)
    # the screen's resolution, or fonts and replayed pictures come out in another size
    generator.setResolution(resolution)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle("Placewise")
    generator.setDescription("")
    painter = SvgPainter(generator)
    try:
        draw(painter)
    finally:
        painter.end()
    buffer.close()
    return lambda: _whole(bytes(data.data()), size)


def _whole(drawn: bytes, size: QSize) -> bytes:
    """The file of what Qt has drawn."""
    root = _read(drawn.decode("utf-8", "replace"))
    if len(root) == 0:
        raise InputError("there is nothing to draw")
    root.set("width", str(size.width()))
    root.set("height", str(size.height()))
    _put_right(root, {})
    content: bytes = tostring(root, encoding="UTF-8", xml_declaration=True)
    return content


def without_forbidden(text: str) -> str:
    """The text with a mark in the place of every character that XML forbids."""
    return _FORBIDDEN.sub(_UNKNOWN, text)


def _read(text: str) -> Element:
    try:
        root: Element = fromstring(without_forbidden(text))
    except ParseError as error:
        raise InputError("the picture could not be drawn as SVG", value=str(error)) from error
    return root


def _put_right(parent: Element, families: dict[str, str], scale: Scale = (1.0, 1.0)) -> None:
    """Correct all elements below `parent`; groups without anything in them go."""
    for child in list(parent):
        ask()
        _put_right(child, families, _scaled(scale, child.get("transform")))
        if child.tag == f"{_SVG}g" and len(child) == 0:
            parent.remove(child)
            continue
        family = child.get("font-family")
        if family is not None:
            if family not in families:
                families[family] = _families(family)
            child.set("font-family", families[family])
        if child.tag == f"{_SVG}image":
            _sharpen(child, scale)


def _scaled(scale: Scale, transform: str | None) -> Scale:
    """How much an element's content is enlarged, across and down."""
    if transform is None or not transform.startswith("matrix("):
        return scale
    a, b, c, d, *_ = (float(part) for part in transform[len("matrix(") : -1].split(","))
    return scale[0] * math.hypot(a, b), scale[1] * math.hypot(c, d)


def _sharpen(image: Element, scale: Scale) -> None:
    """Give an image as many pixels as it covers: readers smooth what they have to stretch."""
    image.set("style", "image-rendering:pixelated")
    found = QImage.fromData(b64decode(image.get(_HREF, "").partition(",")[2]))
    times = [
        1 if pixels <= 1 else math.ceil(float(image.get(side, 0)) * by / pixels)
        for pixels, side, by in (
            (found.width(), "width", scale[0]),
            (found.height(), "height", scale[1]),
        )
    ]
    if max(times) > 1:
        sharp = found.scaled(found.width() * max(times[0], 1), found.height() * max(times[1], 1))
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        sharp.save(buffer, "PNG")  # type: ignore[call-overload]
        image.set(_HREF, f"data:image/png;base64,{b64encode(bytes(data.data())).decode()}")


def _families(family: str) -> str:
    """A list of families that ends in a generic one: the font that Qt took, then any like it."""
    found = QFontInfo(QFont(family)).family()
    names = dict.fromkeys(name.replace("'", "") for name in (found, family))
    generic = "monospace" if QFontInfo(QFont(family)).fixedPitch() else "sans-serif"
    return ", ".join((*(f"'{name}'" for name in names), generic))
