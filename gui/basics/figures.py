"""Pictures on their way out, SVG, PDF and PNG files and the clipboard; and tables as text.

Everything that draws can be exported: a chart of `gui.plots`, the board, a scene, any widget.
pyqtgraph's own SVG exporter fails on current Qt, so every picture goes through here.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QMimeData,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QStandardItemModel,
)
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from advisor.basics.csv_text import safe_cell
from gui.basics import svg
from gui.basics.snapshots import snapshot_of
from gui.basics.svg import AskingPainter
from gui.basics.theme import Theme, in_theme, theme
from machines.errors import InputError
from machines.files import write_pieces
from machines.stopping import ask

PICTURE_FORMATS = (("SVG picture", ".svg"), ("PDF document", ".pdf"), ("PNG picture", ".png"))
TABLE_FORMATS = (("CSV table", ".csv"),)
PICTURES = tuple(ending for _, ending in PICTURE_FORMATS)
FIGURE = (1200, 700)  # pixels of a picture that could have any size
TALLEST = 4000  # pixels of one that grows with what is in it
_PIECE = 500  # rows of a table that are written at once: some milliseconds
_PNG_SCALE = 2.0
_DRAWN = 0.5  # of making a picture, about
_BAND = 64  # rows of pixels that are made at once: a millisecond


Tell = Callable[[float], object]  # of the share that is done


def nobody(_share: float) -> None:
    """Is told nothing."""


@runtime_checkable
class Figure(Protocol):
    """Something that draws itself into any rectangle of any painter."""

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw everything into `rect`, in the painter's coordinates."""


@runtime_checkable
class Lasting(Figure, Protocol):
    """A figure that can be drawn on another thread while it changes."""

    def still(self) -> Figure:
        """What draws the same at any time, on any thread."""


Drawable = Figure | QWidget | QGraphicsScene


@dataclass(frozen=True)
class Table:
    """Rows of values under headings, as copied and exported: full precision, no formatting.

    Rows may be made as they are asked for, on any thread.
    """

    headings: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]

    def csv(self, on_progress: Tell = nobody) -> Iterator[str]:
        """Comma-separated, quoted where needed, lines ended by CR LF (RFC 4180), in pieces.

        Between them it is told which share is done, and asked whether to stop.
        """
        return self._written(",", "\r\n", on_progress)

    def tsv(self, on_progress: Tell = nobody) -> Iterator[str]:
        """Tab-separated, as spreadsheets take it from the clipboard; formulas are texts there."""
        return self._written("\t", "\n", on_progress)

    def _written(self, delimiter: str, end: str, on_progress: Tell) -> Iterator[str]:
        yield _lines([self.headings], delimiter, end)
        for first in range(0, len(self.rows), _PIECE):
            ask()
            on_progress(first / len(self.rows))
            yield _lines(self.rows[first : first + _PIECE], delimiter, end)


def export_table(table: Table, path: Path, on_progress: Tell = nobody) -> None:
    """Write `table` as CSV.

    Raises `Stopped`: the same.
    """
    # half a character is no text
    write_pieces(path, (piece.encode(errors="replace") for piece in table.csv(on_progress)))


def _lines(rows: Sequence[Sequence[object]], delimiter: str, end: str) -> str:
    target = io.StringIO()
    writer = csv.writer(target, delimiter=delimiter, lineterminator=end)
    for row in rows:
        writer.writerow([safe_cell(cell) for cell in row])
    return target.getvalue()


def picture(source: Drawable, suffix: str) -> bytes:
    """The bytes of a picture file, checked before anybody gets them."""
    return prepared(source, suffix)(nobody)


def prepared(source: Drawable, suffix: str) -> Callable[[Tell], bytes]:
    """What makes the bytes of a picture of `source` as it is now, on any thread.

    What has a `still` is drawn there, and everything else now. It tells which share is done.
    """
    painted = {".svg": _svg, ".pdf": _pdf, ".png": _png}.get(suffix)
    if painted is None:
        raise InputError(
            "unknown kind of picture", value=suffix, remedy="Allowed: " + ", ".join(PICTURES)
        )
    drawing = _Drawing.of(source)
    drawn = None if drawing.is_still else painted(drawing)

    def make(on_progress: Tell) -> bytes:
        encoded = drawn or painted(drawing)
        on_progress(_DRAWN)
        return encoded()

    return make


def copied(source: Drawable) -> Callable[[Tell], Callable[[], None]]:
    """As `prepared`, what makes what puts a picture on the clipboard, as pixels and as SVG.

    The latter is for the window's thread.
    """
    drawing = _Drawing.of(source)
    drawn = None if drawing.is_still else (_image(drawing), _svg(drawing))

    def make(on_progress: Tell) -> Callable[[], None]:
        image, vectors = drawn or (_image(drawing), _svg(drawing))
        on_progress(_DRAWN)
        return _putting(image, vectors)

    return make


def _putting(image: QImage, vectors: Callable[[], bytes]) -> Callable[[], None]:
    content = QByteArray(vectors())

    def put() -> None:
        data = _clipboard_data()
        data.setImageData(image)
        data.setData("image/svg+xml", content)
        QGuiApplication.clipboard().setMimeData(data)

    return put


def _clipboard_data() -> QMimeData:
    """Empty data that Qt made itself.

    Where no system keeps the clipboard (offscreen, VNC, a bare framebuffer) Qt frees its data
    when Python is gone already: what Python made would ask it, and the process crash.
    """
    model = QStandardItemModel(1, 1)
    data = model.mimeData([model.index(0, 0)])
    data.clear()
    return data


def figure_size(source: Drawable) -> QSize:
    """The size in pixels at which `source` is drawn: its own, chosen for what is in it.

    A plain widget has no other than the one on screen.
    """
    if isinstance(source, QGraphicsScene):
        return source.sceneRect().size().toSize()
    stated = getattr(source, "figure_size", None)
    if callable(stated):
        return QSize(stated())
    return source.size() if isinstance(source, QWidget) else QSize(*FIGURE)


@dataclass(frozen=True, eq=False)
class _Drawing:
    """Something to draw, in a theme, a size in pixels and at pixels an inch."""

    source: Drawable
    size: QSize
    look: Theme
    resolution: int
    is_still: bool  # whether any thread may draw it

    @classmethod
    def of(cls, source: Drawable) -> _Drawing:
        """As it is now; InputError if it has no size."""
        size = figure_size(source)
        if size.isEmpty():
            raise InputError("there is nothing to draw", remedy="Show the panel, then export again")
        still = source.still() if isinstance(source, Lasting) else None
        screen = QGuiApplication.primaryScreen()
        resolution = round(screen.logicalDotsPerInch()) if screen is not None else 96
        return cls(still or source, size, snapshot_of(theme()), resolution, still is not None)

    def paint(self, painter: QPainter) -> None:
        """Draw all of it."""
        source, rect = self.source, QRectF(QPointF(), QSizeF(self.size))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, self.look.colours.surface)
        if isinstance(source, QGraphicsScene):
            source.render(painter, rect, source.sceneRect())
        elif isinstance(source, Figure):
            with in_theme(self.look):
                source.render_to(painter, rect)
        elif isinstance(source, QGraphicsView):
            source.render(painter, rect, source.viewport().rect())
        else:
            source.render(painter, QPoint())


def _svg(drawing: _Drawing) -> Callable[[], bytes]:
    return svg.painted(drawing.paint, drawing.size, drawing.resolution)


def _pdf(drawing: _Drawing) -> Callable[[], bytes]:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    resolution = drawing.resolution
    writer.setResolution(resolution)
    inches = QSizeF(drawing.size) / resolution
    writer.setPageSize(
        QPageSize(inches, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.ExactMatch)
    )
    writer.setPageMargins(QMarginsF())
    writer.setTitle("Placewise")
    _paint(writer, drawing)
    buffer.close()
    return lambda: bytes(data.data())


def _png(drawing: _Drawing) -> Callable[[], bytes]:
    image = _image(drawing)

    def encoded() -> bytes:
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")  # type: ignore[call-overload]
        buffer.close()
        return bytes(data.data())

    return encoded


def _image(drawing: _Drawing) -> QImage:
    image = QImage(drawing.size * _PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_PNG_SCALE)
    pixels = np.frombuffer(image.bits(), dtype=np.uint32).reshape(image.height(), image.width())
    ground = QColor(drawing.look.colours.surface).rgba()
    # memory that is touched first is slow to come: in one piece it would keep the interpreter
    for top in range(0, image.height(), _BAND):
        ask()
        pixels[top : top + _BAND] = ground
    _paint(image, drawing)
    return image


def _paint(device: QPdfWriter | QImage, drawing: _Drawing) -> None:
    painter = AskingPainter(device)
    try:
        drawing.paint(painter)
    finally:
        painter.end()
