"""The place of a page or dock, which is built when it is first shown, a part a turn."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.basics.event_loop_slices import EventLoopSlices
from gui.shell.panels import BOTTOM, InParts, Panel, Services


class LazyPanel(QWidget):
    """Builds its panel when it is first shown, after the paint that shows it.

    One part an event, so that the window answers between them.
    """

    built = Signal(object)  # QWidget

    def __init__(self, panel: Panel, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"lazy_{panel.id}")
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._panel, self._services = panel, services
        self.widget: QWidget | None = None
        self._parts: InParts | None = None
        self._begun: QWidget | None = None  # not filled yet, or not in its place
        self._area: QScrollArea | None = None  # of a dock
        self._turns = EventLoopSlices(self)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def build(self) -> QWidget:
        """The panel; what is missing of it is made now."""
        while self.widget is None:
            self._build_part()
        return self.widget

    def _build_on(self) -> Iterator[None]:
        """One part after the other, with other events between them."""
        while self.widget is None:
            self._build_part()
            yield

    def _build_part(self) -> None:
        if self._parts is None:
            self._parts = self._in_parts()
        try:
            begun = next(self._parts)
        except StopIteration as end:
            self._put(end.value)
        except BaseException:
            self._parts = None  # when it is asked for again, from the beginning
            if self._begun is not None:
                self._begun.deleteLater()
            raise
        else:
            if begun is not None:
                self._place_of(begun)
                self._begun = begun

    def _in_parts(self) -> InParts:
        made = self._panel.build(self._services)
        self._begun = widget = made if isinstance(made, QWidget) else (yield from made)
        yield None  # the look of all that it holds is another part
        return widget

    def _put(self, widget: QWidget) -> None:
        place = self._place_of(widget)
        self.widget, self._parts, self._begun = widget, None, None
        self._layout.addWidget(place)
        place.show()
        self.setFocusProxy(widget)
        self.built.emit(widget)

    def _place_of(self, widget: QWidget) -> QWidget:
        """What is put into the layout for it: a dock may be made smaller than what it holds."""
        if self._panel.area != BOTTOM:
            widget.setParent(self)
            return widget
        if self._area is None:
            self._area = area = QScrollArea(self)
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setWidgetResizable(True)
            area.setBackgroundRole(QPalette.ColorRole.Base)
            area.hide()
        if self._area.widget() is not widget:
            self._area.setWidget(widget)
        return self._area

    def showEvent(self, event: QShowEvent) -> None:
        """Build soon."""
        super().showEvent(event)
        if self.widget is None:
            self._turns.start(self._build_on())
