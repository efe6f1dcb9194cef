"""The dialog that chooses what of a file of measurements is read, with its first rows."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from advisor.scaling.column_titles import KINDS
from advisor.scaling.preview import Preview, preview_of
from gui.basics.reading_order import InReadingOrder
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.form.form import ParameterForm
from machines.errors import PlacewiseError, capital

AS_IT_SAYS = "By the titles"
_WIDTH, _HEIGHT = 72 * GRID, 48 * GRID


class DataChoice(QObject):
    """A button beside the entry of the data that opens the dialog for what is entered there."""

    def __init__(self, form: ParameterForm) -> None:
        super().__init__(form)
        self._form = form
        self.button = QPushButton("Columns…")
        self.button.setObjectName("choose_columns")
        self.button.setAccessibleName("Choose columns of the data")
        self.button.setToolTip("Choose the table, its columns, or the region and metric to read")
        self.button.clicked.connect(self._open)
        form.put_beside("data", self.button)
        form.edited.connect(self._show)
        self._show()

    def _show(self) -> None:
        values = self._form.values() or {}
        self.button.setVisible(values.get("source", "data") == "data")

    def _open(self) -> None:
        values = self._form.values() or {}
        dialog = DataDialog(str(values.get("data", "")).strip(), values, self._form)
        dialog.chosen.connect(self._form.set_values)
        dialog.open()


class DataDialog(InReadingOrder, QDialog):
    """Choices of one file; what it can't offer is not shown."""

    chosen = Signal(object)  # {name of a setting: value}

    def __init__(self, data: str, values: dict[str, object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("data_dialog")
        self.setWindowTitle("Choose what to read")
        self.resize(_WIDTH, _HEIGHT)
        self._data, self._quantity = data, values.get("quantity")
        self._fields = QFormLayout()
        self.region = self._list("region", "Table or region")
        self.metrics = self._list("metric", "Metric")
        self.hold = self._list("hold", "Hold fixed")
        self.processors = self._list("P", "P, the number of processors")
        self.measured = self._list("measured", "What was measured")
        self.series = self._list("series", "Rows of")
        self.quantity = self._list("quantity", "It is a")
        self.table = QTableWidget()
        self.table.setObjectName("data_preview")
        self.table.setAccessibleName("First rows")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(self._fields)
        column.addWidget(self.problem)
        column.addWidget(self.table, 1)
        column.addWidget(self.buttons)
        self._offer(self.quantity, (AS_IT_SAYS, *KINDS), str(self._quantity or AS_IT_SAYS))
        self._look(str(values.get("region", "")))
        self.region.activated.connect(lambda _place: self._look(self.region.currentText()))
        for one in (self.processors, self.measured):
            one.currentIndexChanged.connect(self._mark)

    def _list(self, name: str, label: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(f"data_{name}")
        box.setAccessibleName(label)
        self._fields.addRow(label, box)
        return box

    def _offer(self, box: ChoiceBox, choices: tuple[str, ...], chosen: str) -> None:
        box.blockSignals(True)
        box.clear()
        box.addItems([capital(one) for one in choices] if box is self.quantity else choices)
        box.setCurrentIndex(max(choices.index(chosen) if chosen in choices else 0, 0))
        box.blockSignals(False)
        self._fields.setRowVisible(box, len(choices) > 1)

    def _look(self, region: str) -> None:
        """Show what a region or table offers."""
        try:
            found = preview_of(self._data, region)
            said = ""
        except PlacewiseError as error:
            found, said = Preview(), str(error)
        said = said or (
            "" if found.titles or found.metrics else "There is no table to choose from."
        )
        self._preview = found
        self.problem.setText(said)
        self.problem.setVisible(bool(said))
        self._offer(self.region, found.regions, region)
        self._offer(self.metrics, found.metrics, "time")
        self._offer(self.hold, found.holds, found.holds[0] if found.holds else "")
        columns = tuple(f"{place}: {title}" for place, title in enumerate(found.titles, 1))
        for box, place in ((self.processors, found.P), (self.measured, (found.values or (-1,))[0])):
            self._offer(box, columns, columns[place] if columns and place >= 0 else "")
        self._offer(self.series, found.series, "")
        self.table.setVisible(bool(found.titles))
        self._fill(found)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not said)

    def _fill(self, found: Preview) -> None:
        self.table.setColumnCount(len(found.titles))
        self.table.setRowCount(len(found.rows))
        self.table.setHorizontalHeaderLabels(list(found.titles))
        for row, cells in enumerate(found.rows):
            for place, cell in enumerate(cells[: len(found.titles)]):
                self.table.setItem(row, place, QTableWidgetItem(cell))
        self.table.resizeColumnsToContents()
        self._mark()

    def _mark(self) -> None:
        """Columns that are read are bold."""
        used = {self.processors.currentIndex(), self.measured.currentIndex()}
        for row in range(self.table.rowCount()):
            for place in range(self.table.columnCount()):
                item = self.table.item(row, place)
                if item is not None:
                    font = item.font()
                    font.setBold(place in used)
                    item.setFont(font)

    def _accept(self) -> None:
        found = self._preview
        values: dict[str, object] = {}
        if len(found.regions) > 1:
            values["region"] = self.region.currentText()
        if len(found.metrics) > 1:
            values["metric"] = self.metrics.currentText()
        if len(found.holds) > 1:
            values["hold"] = self.hold.currentText()
        if found.titles:
            read = [self.processors.currentIndex() + 1, self.measured.currentIndex() + 1]
            rows = [self.series.currentText()] if len(found.series) > 1 else []
            values["columns"] = ",".join([*map(str, read), *rows])
        place = self.quantity.currentIndex()
        values["quantity"] = None if place == 0 else KINDS[place - 1]
        self.chosen.emit(values)
        self.accept()
