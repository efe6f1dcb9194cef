"""One line of a fixed height for messages, with what refuses folded behind a mark at its end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from advisor.basics.quantities import count
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID

_STRATEGIES = ("strategy", "strategies")
_NAMED = 40  # letters of names in the folded line


class FoldedLine(QWidget):
    """A message, and beside it who refuses; why is shown below on demand.

    `mark`: "▸ 3 strategies refuse: Chain, Minimum cut, …"; hidden while none does. `reasons`: one
    line each, unfolded by the mark.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.message = SteadyLine(f"{name}_message")
        self.mark = QToolButton()
        self.mark.setObjectName(f"{name}_refusals")
        self.mark.setCheckable(True)
        self.mark.setAutoRaise(True)
        self.mark.setToolTip("Show the reasons, or fold them")
        self.mark.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.mark.toggled.connect(self._unfold)
        policy = self.mark.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.mark.setSizePolicy(policy)
        self.reasons = QLabel()
        self.reasons.setObjectName(f"{name}_reasons")
        self.reasons.setTextFormat(Qt.TextFormat.PlainText)
        self.reasons.setWordWrap(True)
        self.reasons.setContentsMargins(GRID, 0, GRID, GRID // 2)
        row = QHBoxLayout()
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.addWidget(self.message, 1)
        row.addWidget(self.mark)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.reasons)
        self.refuse(())

    def refuse(
        self,
        refusals: Sequence[tuple[str, str]],
        what: tuple[str, str] = ("strategy", "strategies"),
    ) -> None:
        """Show who refuses, as (name, reason)."""
        self._named = ""
        if refusals:
            names = ", ".join(name for name, _ in refusals)
            short = names if len(names) <= _NAMED else f"{names[: _NAMED - 1].rstrip(' ,')}…"
            verb = "refuses" if len(refusals) == 1 else "refuse"
            self._named = f"{count(len(refusals), *what)} {verb}: {short}"
        self.reasons.setText("\n".join(f"▲ {name}: {why}" for name, why in refusals))
        self.mark.setVisible(bool(refusals))
        if not refusals:
            self.mark.setChecked(False)
        self._unfold(self.mark.isChecked())

    def _unfold(self, unfolded: bool) -> None:
        self.mark.setText(f"{'▾' if unfolded else '▸'} {self._named}")
        self.mark.setAccessibleName(self._named)
        self.reasons.setVisible(unfolded)
