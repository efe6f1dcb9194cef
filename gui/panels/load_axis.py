"""The choice of what an axis of the decision map shows: a load and its range."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from advisor.allocation.loads import CONTENDERS, LINK_SLOWDOWN, SPEED, LoadParameter
from advisor.project.project import Project
from advisor.studies.decision_map.map_axes import Varied
from gui.basics.theme import GRID, theme
from gui.basics.wheel import ChoiceBox
from machines import Platform
from machines.errors import PlacewiseError

_MOST_CONTENDERS = 200.0
_MOST = 1e6
_LONG = 1e6  # from here on powers of a thousand


class AxisChoice(QWidget):
    """Which load an axis shows, and from where to where."""

    changed = Signal()

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(f"axis_{name}")
        self._loads: tuple[Varied, ...] = ()
        self.combo = ChoiceBox()
        self.combo.setObjectName(f"axis_{name}_load")
        self.combo.setAccessibleName(f"{title}: load")
        self.combo.setToolTip("The load that this axis shows")
        self.combo.setMinimumContentsLength(20)
        self.combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.low = _edge(f"axis_{name}_low", f"{title}: from")
        self.high = _edge(f"axis_{name}_high", f"{title}: to")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        for widget in (QLabel(title), self.combo, self.low, QLabel("to"), self.high):
            row.addWidget(widget)
        self.combo.activated.connect(self._chosen)
        self.combo.currentTextChanged.connect(self.combo.setToolTip)
        self.low.editingFinished.connect(self._edited)
        self.high.editingFinished.connect(self._edited)
        self._range = (0.0, 1.0)

    @property
    def choice(self) -> Varied | None:
        """The chosen load; ``None`` while there is none."""
        place = self.combo.currentIndex()
        return self._loads[place] if 0 <= place < len(self._loads) else None

    @property
    def range(self) -> tuple[float, float]:
        """The values at both ends; always a valid range."""
        return self._range

    def offer(self, loads: tuple[Varied, ...], default: int, keep: bool) -> None:
        """Offer `loads`; the choice and its range stay with `keep`, if the load still exists."""
        before = self.choice
        keys = [load.key for load in loads]
        if keep and keys == [load.key for load in self._loads]:
            self._loads = loads
            return
        self._loads = loads
        self.combo.clear()
        self.combo.addItems([load.title for load in loads])
        if keep and before is not None and before.key in keys:
            self.combo.setCurrentIndex(keys.index(before.key))
        else:
            self.combo.setCurrentIndex(default)
            self._set_default_range()

    def offers(self, key: str) -> bool:
        """Whether that load can be chosen."""
        return any(load.key == key for load in self._loads)

    def show_chosen(self, key: str, low: float, high: float) -> None:
        """Show a load and a range that were found to matter; nobody is told."""
        self.combo.setCurrentIndex([load.key for load in self._loads].index(key))
        self._range = (low, high)
        self._write()

    def choose(self, key: str) -> None:
        """Choose the load of that key, with its own range."""
        self.combo.setCurrentIndex([load.key for load in self._loads].index(key))
        self._chosen()

    def _chosen(self) -> None:
        self._set_default_range()
        self.changed.emit()

    def _set_default_range(self) -> None:
        if self.choice is not None:
            self._range = (self.choice.low, self.choice.high)
            self._write()

    def _write(self) -> None:
        self.low.setText(_short(self._range[0]))
        self.high.setText(_short(self._range[1]))
        self._mark("")

    def _edited(self) -> None:
        """Take a right range; a wrong one stays in sight with its message, and is not used."""
        load = self.choice
        try:
            low, high = float(self.low.text()), float(self.high.text())
        except ValueError:
            self._mark("Numbers are needed here")
            return
        contenders = load is not None and load.kind == CONTENDERS
        least = 0.0 if load is None or contenders else min(1.0, load.low)
        far = _MOST if load is None else max(_MOST, 100.0 * load.high)  # of bandwidths
        most = _MOST_CONTENDERS if contenders else far
        if not least <= low < high <= most:
            self._mark(f"Allowed: {least:g} to {most:g}, the second above the first")
            return
        self._mark("")
        if (low, high) != self._range:
            self._range = (low, high)
            self.changed.emit()

    def _mark(self, message: str) -> None:
        style = f"color: {theme().colours.worse};" if message else ""
        for edge in (self.low, self.high):
            edge.setStyleSheet(style)
            edge.setToolTip(message or "An end of the axis")


class Lowest:
    """The platform with two loads at their lowest: that of the last question is kept."""

    def __init__(self) -> None:
        self._known: tuple[tuple[object, ...], Platform] | None = None

    def of(self, project: Project, x: Varied, y: Varied) -> Platform:
        """Of a project's platform; the platform itself where they can't be so."""
        asked = (project.platform, project.reading, x, y)
        known = self._known
        if known is None or any(a is not b for a, b in zip(asked, known[0], strict=True)):
            self._known = known = asked, _lowest(project, x, y)
        return known[1]


def _lowest(project: Project, x: Varied, y: Varied) -> Platform:
    """Multiples of what is stated are left out: they are of this platform and workload."""
    platform = project.platform
    try:
        for axis in (x, y):
            if isinstance(axis, LoadParameter):
                platform = axis.applied(platform, axis.low, project.reading)
            elif not axis.is_multiple:
                platform, _ = axis.changed(platform, project.workload, 1.0, project.reading)
    except PlacewiseError:
        return project.platform
    return platform


def default_axes(loads: tuple[Varied, ...]) -> tuple[int, int]:
    """Positions of the loads that a new map shows: contenders across, a link's slowdown up."""
    kinds = [load.kind for load in loads]
    first = kinds.index(CONTENDERS) if CONTENDERS in kinds else 0
    if LINK_SLOWDOWN in kinds:
        return first, kinds.index(LINK_SLOWDOWN)
    second = (
        next(place for place, load in enumerate(loads) if load.subject != loads[first].subject)
        if len({load.subject for load in loads}) > 1
        else kinds.index(SPEED)
    )
    return first, second


def _short(value: float) -> str:
    """A number for a narrow field: "0.5", "128e9"."""
    if abs(value) < _LONG:
        return f"{value:.6g}"
    power = 3 * int(math.log10(abs(value)) // 3)
    return f"{value / 10.0**power:.5g}e{power}"


def _edge(name: str, title: str) -> QLineEdit:
    edge = QLineEdit()
    edge.setObjectName(name)
    edge.setAccessibleName(title)
    edge.setMaximumWidth(7 * GRID)
    return edge
