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

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QMimeData,
    QPoint,
    QRectF,
    QSize,
    QSizeF,
    Qt,
)
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QStandardItemModel,
)
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from advisor.basics.csv_text import safe_cell
from gui.basics.svg import svg
from gui.basics.theme import theme
from machines.errors import InputError
from machines.files import write_bytes, write_pieces
from machines.stopping import ask

PICTURE_FORMATS = (("SVG picture", ".svg"), ("PDF document", ".pdf"), ("PNG picture", ".png"))
TABLE_FORMATS = (("CSV table", ".csv"),)
PICTURES = tuple(ending for _, ending in PICTURE_FORMATS)
FIGURE = (1200, 700)  # pixels of a picture that could have any size
TALLEST = 4000  # pixels of one that grows with what is in it
_PIECE = 500  # rows of a table that are written at once: some milliseconds
_PNG_SCALE = 2.0


Tell = Callable[[float], object]  # of the share that is done


def nobody(_share: float) -> None:
    """Is told nothing."""


@runtime_checkable
class Figure(Protocol):
    """Something that draws itself into any rectangle of any painter."""

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """Draw everything into `rect`, in the painter's coordinates."""


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

    Raises
    ------
    InputError
        The file can't be written (it is left as it was).
    Stopped
        The same.
    """
    # half a character is no text
    write_pieces(path, (piece.encode(errors="replace") for piece in table.csv(on_progress)))


def _lines(rows: Sequence[Sequence[object]], delimiter: str, end: str) -> str:
    target = io.StringIO()
    writer = csv.writer(target, delimiter=delimiter, lineterminator=end)
    for row in rows:
        writer.writerow([safe_cell(cell) for cell in row])
    return target.getvalue()


def export_figure(source: Drawable, path: Path) -> None:
    """Write a picture of `source`; the suffix of `path` chooses SVG, PDF or PNG.

    Raises
    ------
    InputError
        Another suffix, nothing to draw, or a file that can't be written (it is left as it was).
    """
    write_bytes(path, picture(source, path.suffix.lower()))


def picture(source: Drawable, suffix: str) -> bytes:
    """The bytes of a picture file, checked before anybody gets them.

    Raises
    ------
    InputError
        An unknown suffix, or nothing to draw.
    """
    makers = {".svg": _svg, ".pdf": _pdf, ".png": _png}
    if suffix not in makers:
        raise InputError(
            "unknown kind of picture", value=suffix, remedy="Allowed: " + ", ".join(PICTURES)
        )
    size = figure_size(source)
    if size.isEmpty():
        raise InputError("there is nothing to draw", remedy="Show the panel, then export again")
    return makers[suffix](source, size)


def copy_picture(source: Drawable) -> None:
    """Put a picture of `source` on the clipboard, as pixels and as SVG."""
    size = figure_size(source)
    data = _clipboard_data()
    data.setImageData(_image(source, size))
    data.setData("image/svg+xml", QByteArray(_svg(source, size)))
    QGuiApplication.clipboard().setMimeData(data)


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


def _draw(source: Drawable, painter: QPainter, size: QSize) -> None:
    rect = QRectF(0, 0, size.width(), size.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(rect, theme().colours.surface)
    if isinstance(source, QGraphicsScene):
        source.render(painter, rect, source.sceneRect())
    elif isinstance(source, Figure):
        source.render_to(painter, rect)
    elif isinstance(source, QGraphicsView):
        source.render(painter, rect, source.viewport().rect())
    else:
        source.render(painter, QPoint())


def _svg(source: Drawable, size: QSize) -> bytes:
    return svg(lambda painter: _draw(source, painter, size), size, _resolution())


def _pdf(source: Drawable, size: QSize) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    resolution = _resolution()
    writer.setResolution(resolution)
    inches = QSizeF(size.width() / resolution, size.height() / resolution)
    writer.setPageSize(
        QPageSize(inches, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.ExactMatch)
    )
    writer.setPageMargins(QMarginsF())
    writer.setTitle("Placewise")
    _paint(writer, source, size)
    buffer.close()
    return bytes(data.data())


def _png(source: Drawable, size: QSize) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    _image(source, size).save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(data.data())


def _image(source: Drawable, size: QSize) -> QImage:
    image = QImage(size * _PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_PNG_SCALE)
    image.fill(Qt.GlobalColor.transparent)
    _paint(image, source, size)
    return image


def _paint(device: QPdfWriter | QImage, source: Drawable, size: QSize) -> None:
    painter = QPainter(device)
    try:
        _draw(source, painter, size)
    finally:
        painter.end()


def _resolution() -> int:
    screen = QGuiApplication.primaryScreen()
    return round(screen.logicalDotsPerInch()) if screen is not None else 96
