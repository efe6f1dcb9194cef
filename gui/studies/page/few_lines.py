"""A label of at most some lines: what is beyond ends in "…", and is whole in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class FewLines(QLabel):
    """Wraps its text; `text` is all of it, whatever is in sight.

    `name`, `role`: object name, and the role of the style sheet. `lines`: at most.
    """

    def __init__(self, name: str, role: str, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        if role:
            self.setProperty("role", role)
        self._lines, self._whole = lines, ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def setText(self, text: str) -> None:
        """Show a text; nothing is there without one."""
        self._whole = " ".join(text.split())
        self.setAccessibleDescription(self._whole)
        self.setVisible(bool(self._whole))
        self._fit()

    def allow(self, lines: int) -> None:
        """Show another number of lines at most."""
        self._lines = lines

    def text(self) -> str:
        """All of it."""
        return self._whole

    def clear(self) -> None:
        """Say nothing."""
        self.setText("")

    @property
    def lines(self) -> int:
        """How many lines are in sight."""
        return super().text().count("\n") + 1 if self._whole else 0

    def minimumSizeHint(self) -> QSize:
        """Any width; the height of its lines."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        self.ensurePolished()
        metrics, width = QFontMetrics(self.font()), max(self.width(), 1)
        starts = _line_starts(self._whole, self.font(), width)
        shown = [
            self._whole[start:end].strip()
            for start, end in zip(starts, [*starts[1:], len(self._whole)], strict=True)
        ]
        if len(shown) > self._lines:
            rest = self._whole[starts[self._lines - 1] :]
            last = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)
            shown = [*shown[: self._lines - 1], last]
        self.setToolTip(self._whole if len(starts) > self._lines else "")
        super().setText("\n".join(shown))
        self.updateGeometry()


def _line_starts(text: str, font: object, width: int) -> list[int]:
    """Where the lines of a wrapped text begin."""
    layout = QTextLayout(text, font)  # type: ignore[call-overload] # a QFont
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    return starts or [0]
