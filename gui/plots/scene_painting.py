"""Drawing the items of a scene one by one, each in a state of its own.

`QGraphicsScene.render` nests clips where Python does not see it, and Qt's SVG generator loses the
outer one when the inner one ends (`gui.basics.svg`).
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem


def paint_items(painter: QPainter, scene: QGraphicsScene) -> None:
    """Draw all visible items, the lowest first, as they lie in the scene."""
    ground = painter.transform()
    for item in scene.items(Qt.SortOrder.AscendingOrder):
        if not item.isVisible() or item.flags() & QGraphicsItem.GraphicsItemFlag.ItemHasNoContents:
            continue
        option = QStyleOptionGraphicsItem()
        option.rect = item.boundingRect().toAlignedRect()
        option.exposedRect = item.boundingRect()
        painter.save()
        holder = item.parentItem()
        while holder is not None:
            if holder.flags() & QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape:
                painter.setTransform(holder.sceneTransform() * ground)
                painter.setClipPath(holder.shape(), Qt.ClipOperation.IntersectClip)
            holder = holder.parentItem()
        painter.setTransform(item.sceneTransform() * ground)
        painter.setOpacity(item.effectiveOpacity())
        item.paint(painter, option, None)
        painter.restore()
