"""A panel around a plot: its title, its numbers as a table, copies and exports.

Pictures are written as SVG, PDF or PNG, numbers as CSV; both can be copied. The same commands
stand behind the buttons and in the plot's context menu.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import number, takes_prefix
from advisor.basics.units import Unit
from gui.basics.figures import (
    PICTURE_FORMATS,
    TABLE_FORMATS,
    Drawable,
    Table,
)
from gui.basics.literal_menu import Menu, plain
from gui.basics.pictures_out import PicturesOut
from gui.basics.save_dialog import Format, ask_file
from gui.basics.tables_out import TablesOut
from gui.basics.theme import GRID
from gui.plots.painted_chart import Plot
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts
from machines.arrays import Floats

_MESSAGE_MS = 8000
_DIGITS = 4  # of a number that is compared with none
_LONG = 1000.0  # where units with prefixes have the next one
_WHOLE = 6  # digits before a power of ten takes over
_FEW = 200  # different numbers that are looked at one by one


class Exports(QObject):
    """Copying and exporting one picture and its numbers; either may be missing."""

    exported = Signal(object)  # Path

    def __init__(
        self,
        parent: QWidget,
        name: str,
        source: Drawable | None,
        table: Callable[[], Table] | None,
    ) -> None:
        super().__init__(parent)
        self._window, self._name = parent, name
        self.source, self._table = source, table
        self._out, self._pictures = TablesOut(parent), PicturesOut(parent)
        for out in (self._out, self._pictures):
            out.written.connect(self.exported)
        self.exported.connect(self._tell)
        self.actions: list[QAction] = []
        if source is not None:
            self._add("Copy picture", "As pixels and as SVG", lambda: self._pictures.copy(source))
        out = self._out
        if table is not None:
            self._add("Copy numbers", "Tab-separated, full precision", lambda: out.copy(table()))
        if source is not None:
            self._add("Export picture…", "SVG, PDF or PNG", self.ask_picture)
        if table is not None:
            self._add("Export numbers…", "CSV, full precision", self.ask_table)

    def export(self, path: Path) -> None:
        """Write the picture or, for a .csv, the numbers in the background.

        `exported` follows; an error opens its dialog.
        """
        if path.suffix.lower() == ".csv" and self._table is not None:
            self._out.write(self._table(), path)
        elif self.source is not None:
            self._pictures.write(self.source, path)

    def ask_picture(self) -> None:
        """Ask for a file and write the picture there."""
        self._ask(PICTURE_FORMATS)

    def ask_table(self) -> None:
        """Ask for a file and write the numbers there."""
        self._ask(TABLE_FORMATS)

    def menu(self, parent: QWidget) -> QMenu:
        """A menu of all commands."""
        menu = Menu("", parent)
        menu.addActions(self.actions)
        return menu

    def _add(self, text: str, hint: str, command: Callable[[], None]) -> None:
        action = QAction(text, self)
        action.setToolTip(hint)
        action.triggered.connect(lambda _checked=False: command())
        self.actions.append(action)

    def _tell(self, path: object) -> None:
        """Say in the status bar what was written: the name may have got an ending."""
        place: QWidget | None = self._window
        while place is not None and not isinstance(place, QMainWindow):
            place = place.parentWidget()  # a floating dock is a window, too
        if place is not None:
            place.statusBar().showMessage(f"Exported {path}", _MESSAGE_MS)

    def _ask(self, formats: Sequence[Format]) -> None:
        title = f"Export {self._name}"
        ask_file(
            self._window,
            title,
            formats,
            self._name,
            lambda path, _format: self.export(path),
            name="export_dialog",
        )


class PlotPanel(QWidget):
    """A chart under a title bar with its table, copies and exports.

    `chart`: the plot. `header`: where subclasses put their own controls, before the buttons.
    `exports`: its copies and exports.
    """

    def __init__(
        self,
        chart: Plot,
        name: str,
        title: str,
        *,
        scrolled: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.chart = chart
        self.exports = Exports(self, title.lower(), chart, chart.table)
        self.title = QLabel(title)
        self.title.setProperty("role", "headline")
        self.header = QHBoxLayout()
        self.header.setContentsMargins(GRID, GRID // 2, GRID, 0)
        self.header.setSpacing(GRID)
        self.header.addWidget(self.title)
        self.header.addStretch(1)
        self.table_view = DataTable(f"{name}_table", f"{title}, numbers")
        self.table_button = self._button(
            "Table", "table", "Show the numbers instead of the picture"
        )
        self.table_button.setCheckable(True)
        self.table_button.toggled.connect(self._show_table)
        export = self._button("Export", "export", "Copy or export the picture and its numbers")
        export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        export.setMenu(self.exports.menu(export))
        self.stack = QStackedWidget()
        self.stack.addWidget(_scrolled(chart) if scrolled else chart)
        self.stack.addWidget(self.table_view)
        chart.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chart.customContextMenuRequested.connect(self._open_menu)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(GRID // 2)
        self.body.addLayout(self.header)
        self.body.addWidget(self.stack, 1)

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        self.chart.set_dimmed(dimmed)
        self.table_view.columns_model.set_dimmed(dimmed)

    def add_commands(self, actions: Sequence[QAction]) -> None:
        """Put commands first in the menu, and as buttons before those that are there."""
        self.exports.actions[:0] = actions
        for place, action in enumerate(actions, 2):
            button = QToolButton()
            text = plain(action.text())
            button.setObjectName(f"{self.objectName()}_{text.lower().replace(' ', '_')}")
            button.setDefaultAction(action)
            button.setAccessibleName(text)
            button.setAutoRaise(True)
            self.header.insertWidget(place, button)
            action.visibleChanged.connect(partial(_follow, button, action))

    def refresh_table(self) -> None:
        """Show the chart's numbers, if the table is open."""
        if self.table_button.isChecked():
            self.table_view.set_columns(columns_of(self.chart.table()))

    def _show_table(self, shown: bool) -> None:
        self.refresh_table()
        self.stack.setCurrentIndex(1 if shown else 0)

    def _button(self, text: str, name: str, hint: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"{self.objectName()}_{name}")
        button.setText(text)
        button.setToolTip(hint)
        button.setAccessibleName(text)
        button.setAutoRaise(True)
        self.header.addWidget(button)
        return button

    def _open_menu(self, position: QPoint) -> None:
        menu = self.exports.menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.chart.mapToGlobal(position))


def _follow(button: QToolButton, action: QAction) -> None:
    """A button is in sight as its command can be useful."""
    button.setVisible(action.isVisible())


def columns_of(table: Table, units: Sequence[str] = (), *, unlike: bool = False) -> list[Column]:
    """A table's columns for `DataTable`: numbers where all known cells are numbers, else texts.

    Numbers of a column have their digits after the point in common, unless the rows are `unlike`,
    and the prefix of their unit; counts and texts have it in the heading. Columns of one quantity,
    named alike up to a comma, are written in one unit: "time, median" and "time, most".
    """
    units = units or ("",) * len(table.headings)
    cells = [[row[place] for row in table.rows] for place in range(len(table.headings))]
    numbers = {
        place: np.array(column, dtype=np.float64)  # NaN where nothing is known
        for place, column in enumerate(cells)
        if _are_numbers(column)
    }
    quantities: dict[tuple[str, str], list[Floats]] = {}
    keys = [
        (name.partition(",")[0], unit) for name, unit in zip(table.headings, units, strict=True)
    ]
    for place, values in numbers.items():
        quantities.setdefault(keys[place], []).append(values)
    columns = []
    for place, (heading, unit) in enumerate(zip(table.headings, units, strict=True)):
        name = f"{heading} ({unit})" if unit else heading
        if all(type(cell) is int for cell in cells[place]):
            counts = np.array(cells[place], dtype=np.int64)
            columns.append(Column(name, name, counts, "{:,}".format))
        elif place in numbers:
            text = _alone if unlike else _beside(unit, *quantities[keys[place]])
            columns.append(Column(heading, heading, numbers[place], text, unit))
        else:
            texts = ["" if cell is None else str(cell) for cell in cells[place]]
            columns.append(Column(name, name, Texts(texts)))
    return columns


def _are_numbers(cells: Sequence[object]) -> bool:
    known = [cell for cell in cells if cell is not None]
    return all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in known)


def _beside(unit: str, *values: Floats) -> Callable[[float], str]:
    """How numbers are written beside each other: with common digits, else with three or more each.

    So are those without prefixes that spread too far for common digits: the least would read 0, or
    the largest would have decimals above a thousand, and none of the few would read alike.
    """
    common, known = Unit.of(unit, *values), np.unique(np.concatenate(values))
    known = known[np.isfinite(known) & (known != 0.0)]
    if takes_prefix(unit) or not known.size:
        return common.text
    each = partial(_each, unit=unit)
    is_hidden = common.signed(np.abs(known).min()) == common.signed(0.0)
    is_long = common.decimals > 0 and np.abs(known).max() >= _LONG
    if is_hidden or (
        is_long and len(known) <= _FEW and _apart(each, known) == _apart(common.text, known)
    ):
        return each
    return common.text


def _each(value: float, unit: str) -> str:
    """A number with three digits, or those of its whole part: "0.0124", "1,853"."""
    whole = len(f"{abs(value):.0f}")
    return number(value, unit, max(3, min(whole, _WHOLE)))


def _apart(text: Callable[[float], str], values: Floats) -> int:
    """How many different texts there are."""
    return len({text(one) for one in values.tolist()})


def _alone(value: float) -> str:
    return number(value, digits=_DIGITS)


def _scrolled(chart: Plot) -> QScrollArea:
    area = QScrollArea()
    area.setObjectName(f"{chart.objectName()}_scroll")
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(chart)
    return area
