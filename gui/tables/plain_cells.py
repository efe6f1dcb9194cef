"""Cells of a `ColumnsModel` painted fast: the model is asked once for each, not for every role.

A view that scrolls through a hundred thousand rows paints hundreds of cells a frame, for each of
which Qt would call Python seven times.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.tables.table_columns import ColumnsModel

_Feature = QStyleOptionViewItem.ViewItemFeature
# told by the row, as views do: to read a flag and change it takes as long as all the rest
_FEATURES = (_Feature.HasDisplay, _Feature.HasDisplay | _Feature.Alternate)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PlainCells(QStyledItemDelegate):
    """Text, its side and its ink, rows striped; nothing else is in these cells.

    `model`: of the view.
    """

    def __init__(self, model: ColumnsModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """What a cell looks like."""
        row = index.row()
        text, numeric, ink = self._model.cell(row, index.column())
        option.index = index  # type: ignore[assignment] # views give a plain one
        option.text = text
        option.features = _FEATURES[row % 2]
        option.displayAlignment = _RIGHT if numeric else _LEFT
        if ink is not None:
            option.palette.setColor(QPalette.ColorRole.Text, ink)
