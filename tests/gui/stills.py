"""What a thread draws from a still, beside what the widget draws itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from gui.basics.figures import Lasting, figure_size, nobody, picture, prepared
from gui.basics.theme import theme

FORMATS = (".svg", ".png")  # a PDF has the time in it


class _Itself:
    """A figure as its widget draws it, here."""

    def __init__(self, source: Lasting) -> None:
        self._source = source

    def figure_size(self) -> QSize:
        return figure_size(self._source)

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        self._source.render_to(painter, rect)


def assert_drawn_alike(source: Lasting, change: Callable[[], object]) -> None:
    """Whether a thread draws what the widget does, also when that changed meanwhile."""
    expected = [picture(_Itself(source), suffix) for suffix in FORMATS]
    makers = [prepared(source, suffix) for suffix in FORMATS]
    change()
    assert picture(_Itself(source), FORMATS[0]) != expected[0], "nothing changed"
    found: list[bytes] = []
    thread = Thread(target=lambda: found.extend(make(nobody) for make in makers))
    thread.start()
    thread.join()
    assert found == expected


@contextmanager
def other_theme() -> Iterator[Callable[[], None]]:
    """What changes from the dark theme, in which the block begins, to the light one."""
    theme().set_mode("dark")
    try:
        yield lambda: theme().set_mode("light")
    finally:
        theme().set_mode("light")
