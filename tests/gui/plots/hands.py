"""A map to look at, and a hand that turns the wheel over a plot."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QGraphicsView

from gui.plots.map_drawing import MapAxis, MapPicture


def decision() -> MapPicture:
    x, y = np.linspace(0.0, 5.0, 21), np.linspace(1.0, 10.0, 19)
    across, up = np.meshgrid(x, y)
    values = np.stack([16 * (1 + across), 18 + 8 * up + 4 * (1 + across), 48 + 0 * across])
    return MapPicture(
        MapAxis("contenders on M1", "", x),
        MapAxis("slowdown of the link", "", y),
        values.argmin(axis=0).astype(np.int32),
        values.min(axis=0),
        ("both on M1", "A on M2, B on M1", "both on M2"),
        (2.0, 1.0),
    )


def turn(
    canvas: QGraphicsView, at: QPointF, modifiers: Qt.KeyboardModifier, notches: int = 1
) -> None:
    """Turn the wheel at a point of a canvas."""
    viewport = canvas.viewport()
    event = QWheelEvent(
        at, viewport.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)
