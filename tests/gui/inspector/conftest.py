"""The inspector of a machine that has nothing inside yet."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.document.document import Document, Selection
from gui.inspector import Inspector
from tests.gui.inspector.hands import open_inspector


@pytest.fixture
def inspector(qtbot: QtBot, document: Document) -> Inspector:
    """Of M2, which has no network and shares no memory."""
    widget = open_inspector(qtbot, document)
    document.select(Selection(machine=1))
    return widget
