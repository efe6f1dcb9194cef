"""At 1280×800 the picture of each page and dock has at least half of its height.

Studies have the same in tests/gui/studies/page/test_geometry.py.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.project.examples import load_example
from gui.plots.painted_chart import Plot
from gui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("unasked")

HALF = 0.5
PICTURES = {  # of a panel: the object name of its picture
    "allocation": "schedule-view",
    "compare": "compare_bars",
    "what_if": "what_if_chart",
    "breakdown": "breakdown_chart",
    "reasons": "answer_bars",
}


def seen(widget: QWidget, panel: QWidget) -> int:
    """How high the part of a widget is that its panel shows."""
    shown, inside = widget.rect(), widget
    while inside is not panel:
        around = inside.parentWidget()
        assert around is not None
        shown = QRect(inside.mapTo(around, QPoint()) + shown.topLeft(), shown.size())
        shown, inside = shown.intersected(around.rect()), around
    return shown.height()


def test_the_picture_of_each_page_and_dock_has_half_of_its_height(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1280, 800)
    window.document.load(load_example("campaign"))
    qtbot.waitUntil(lambda: window.advisor.advice is not None and not window.advisor.is_busy)
    with_picture = set()
    for name, picture in PICTURES.items():
        page = name in {"allocation", "compare"}
        window.show_page(name if page else "allocation")
        if not page:
            window.commands[f"panel_{name}"].trigger()
        panel = window.panel(name)
        qtbot.waitUntil(panel.isVisible)
        found = panel.findChild(QWidget, picture)
        assert found is not None, name
        qtbot.waitUntil(
            lambda found=found, panel=panel: seen(found, panel) >= HALF * panel.height()
        )
        with_picture.add(name)
    others = {  # no picture is forgotten here
        name
        for name, lazy in window.lazy.items()
        if lazy.widget is not None and lazy.widget.findChildren(Plot)
    }
    assert others <= with_picture | {"allocation"}
