"""The pictures of a study's result as views to choose from: its own, its plots, its tables.

A view stays while there is something of its name and kind to show, so that nothing jumps when the
parameters change: neither the open view nor a zoom. Views that belong together stand side by side
where there is room.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from advisor.studies.study import Check, Series, StudyResult, Table
from gui.basics.event_loop_slices import EventLoopSlices, at_once
from gui.basics.theme import GRID, theme
from gui.plots.bar_chart import BarChart
from gui.plots.bar_panel import BarPanel
from gui.plots.curve_panel import CurvePanel
from gui.plots.named_bars import groups_of
from gui.plots.plot_panel import PlotPanel
from gui.plots.series_colours import drawn_again
from gui.studies.page.chooser import ViewChooser
from gui.studies.page.study_curves import StudyCurves
from gui.studies.page.study_table import StudyTable
from gui.studies.picture.pictures import PictureView, make_view, picture_title
from gui.tables.data_table import DataTable

_ROOM = 84 * GRID  # that a view wants for itself, if it is not to stand alone
Parts = Generator[None, None, QWidget]  # makes a widget; other events may come at each yield


@dataclass(frozen=True, eq=False)
class _Page:
    """What a view should show; those of the same key are the same widget with new content.

    Views of the same `beside` belong together; empty: it stands alone.
    """

    key: str
    title: str
    make: Callable[[], Parts]
    fill: Callable[[QWidget], None]
    beside: str = ""


class _Place(QWidget):
    """The place of a view, whose widget is made when it is first in sight."""

    filled = Signal(object)  # QWidget, with its first content

    def __init__(self, page: _Page) -> None:
        super().__init__()
        self.setAccessibleName(page.title)
        self._page = page
        self._turns = EventLoopSlices(self)
        self._making: Parts | None = None
        self._made: QWidget | None = None
        self._filled_by: _Page | None = None
        self.content: QWidget | None = None  # once it was filled
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)

    @property
    def key(self) -> str:
        """What is shown here, whatever its content."""
        return self._page.key

    @property
    def title(self) -> str:
        """What it is called in the row of views."""
        return self._page.title

    @property
    def beside(self) -> str:
        """What it belongs to."""
        return self._page.beside

    def show_page(self, page: _Page) -> None:
        """Show new content, now or when it comes in sight."""
        self._page = page
        if self.content is not None and not self.isHidden():
            self._fill(self.content)

    def built(self) -> QWidget:
        """The page's widget, made now if it is not there yet."""
        at_once(self.build())
        assert self.content is not None
        return self.content

    def build(self) -> Generator[None, None, None]:
        """Make the page's widget, a part at a time, if it is not there yet."""
        while self._made is None:
            self._make_on()
            yield
        if self._made.parentWidget() is None:
            self.layout().addWidget(self._made)  # type: ignore[union-attr] # set above
            yield
        if self._filled_by is not self._page:
            self._fill(self._made)
            yield

    def _fill(self, made: QWidget) -> None:
        """Show the page's content in its widget, unless it is there."""
        if self._filled_by is not self._page:
            self._filled_by = self._page
            self._page.fill(made)
            if self.content is None:
                self.content = made
                self.filled.emit(made)

    def _make_on(self) -> None:
        """Make the next part of the widget."""
        self._making = self._making or self._page.make()
        try:
            next(self._making)
        except StopIteration as end:
            self._made, self._making = end.value, None
            end.value.setAccessibleName(self._page.title)
            self.setFocusProxy(end.value)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the widget, a part a turn, or fill it with what came meanwhile."""
        super().showEvent(event)
        if self._filled_by is not self._page:
            self._turns.start(self.build())


_One = TypeVar("_One", _Page, _Place)


class ResultViews(QWidget):
    """Shows a `StudyResult` and, over its plots, what a `Check` simulated.

    One view is open; those that belong to it stand beside it where there is room.
    """

    edited = Signal(object)  # {name of a parameter: value}, a step of a picture's own
    adopted = Signal(object)  # {name of a parameter: value}, the row of a table
    opened = Signal(object)  # QWidget, the view that is looked at

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_pictures")
        self.setAccessibleName("Pictures and tables")
        self.chooser = ViewChooser()
        self.chooser.chosen.connect(self.open)
        self.stage = QWidget()
        self.stage.setObjectName("study_stage")
        self._row = QHBoxLayout(self.stage)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GRID)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.chooser)
        column.addWidget(self.stage, 1)
        self._places: list[_Place] = []
        self._current: _Place | None = None
        self._prepared: dict[str, _Place] = {}  # by their keys: not shown yet
        self._shown: tuple[StudyResult, Check | None] | None = None
        self._listed: tuple[StudyResult, Check | None, list[_Page]] | None = None
        theme().changed.connect(self._recolour)

    def prepare(self, result: StudyResult) -> Iterator[None]:
        """Make what will be in sight with that result, a part at a time; it is not shown yet."""
        pages = self._pages(result, None)
        yield
        known = {place.key for place in self._places}
        for page in self._in_sight(pages, self._kept(pages)):
            if page.key not in known:
                place = self._prepared.get(page.key) or self._hidden(page)
                self._prepared[page.key] = place
                place.show_page(page)
                yield from place.build()
        yield from self.chooser.prepare(len(pages))

    def show_result(self, result: StudyResult, check: Check | None = None) -> None:
        """Show all of it; views that are not needed any more go."""
        pages = self._pages(result, check)
        self._shown = result, check
        old = self._prepared | {place.key: place for place in self._places}
        places = [old.pop(page.key) if page.key in old else self._hidden(page) for page in pages]
        self._current = self._kept(places)
        self._places, self._prepared = places, {}
        self.chooser.set_titles([page.title for page in pages])
        for place, page in zip(places, pages, strict=True):
            place.show_page(page)  # content of another height may resize all of this
        for place in old.values():
            place.hide()
            place.deleteLater()
        self._arrange()
        self.chooser.setVisible(bool(pages))

    def _hidden(self, page: _Page) -> _Place:
        place = _Place(page)
        place.filled.connect(lambda content: self._tell_filled(place, content))
        place.hide()
        self._row.addWidget(place, 1)
        return place

    def _pages(self, result: StudyResult, check: Check | None) -> list[_Page]:
        """What there is to show; the same for the same."""
        listed = self._listed
        if listed is None or listed[0] is not result or listed[1] is not check:
            plots = _plots(result, check)
            pages = [*self._pictures(result), *plots, *self._tables(result, check)]
            self._listed = listed = result, check, pages
        return listed[2]

    def titles(self) -> list[str]:
        """Of the views, in the order of the row."""
        return [place.title for place in self._places]

    def page(self, place: int) -> QWidget:
        """The widget of a view, built if need be; IndexError if there is none."""
        return self._places[place].built()

    def current(self) -> int:
        """The place of the view that is open; −1: there is none."""
        return -1 if self._current is None else self._places.index(self._current)

    def open(self, place: int) -> None:
        """Look at another view."""
        self._current = self._places[place]
        self._arrange()

    def in_sight(self) -> list[int]:
        """The places of the view that is open and of those beside it."""
        return [at for at, place in enumerate(self._places) if not place.isHidden()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is room, what belongs together stands side by side."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Show the open view and, as many as have room, those that belong to it."""
        if self._current is None:
            return
        family = self._in_sight(self._places, self._current)
        before = [place for place in self._places if not place.isHidden()]
        for at, place in enumerate(self._places):
            if self._row.indexOf(place) != at:
                self._row.insertWidget(at, place, 1)
            place.setVisible(place in family)
        shown = {self._places.index(one) for one in family}
        current = self.current()
        self.chooser.show_current(current, shown - {current})
        if self._current.content is not None and before != family:
            self.opened.emit(self._current.content)

    def _tell_filled(self, place: _Place, content: QWidget) -> None:
        if place is self._current and not place.isHidden():
            self.opened.emit(content)

    def _kept(self, ones: Sequence[_One]) -> _One | None:
        """The one that is open already, or the first."""
        key = "" if self._current is None else self._current.key
        return next((one for one in ones if one.key == key), ones[0] if ones else None)

    def _in_sight(self, ones: Sequence[_One], current: _One | None) -> list[_One]:
        """An open one and, as many as have room, those that belong to it."""
        beside = "" if current is None else current.beside
        family = [one for one in ones if one is current or (beside and one.beside == beside)]
        room = max(1, (self.width() + GRID) // (_ROOM + GRID))
        while len(family) > room:
            family.remove(next(one for one in reversed(family) if one is not current))
        return family

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        for place in self._places:
            page = place.content
            if isinstance(page, PlotPanel | PictureView):
                page.set_dimmed(dimmed)
            elif isinstance(page, DataTable):
                page.columns_model.set_dimmed(dimmed)

    def _recolour(self) -> None:
        """Bars carry their colours with them."""
        self._listed = None
        if self._shown is not None:
            self.show_result(*self._shown)

    def _pictures(self, result: StudyResult) -> list[_Page]:
        drawn = [(one, picture_title(one)) for one in result.pictures]
        return [self._picture(one, title) for one, title in drawn if title]

    def _picture(self, picture: object, title: str) -> _Page:
        def make() -> Parts:
            view = yield from make_view(picture)
            view.edited.connect(self.edited)
            return view

        def fill(widget: QWidget) -> None:
            if isinstance(widget, PictureView):
                widget.set_picture(picture)

        return _Page(f"picture {type(picture).__qualname__}", title, make, fill)

    def _tables(self, result: StudyResult, check: Check | None) -> list[_Page]:
        tables = (*result.tables, *((check.table,) if check is not None else ()))
        return [self._table(table) for table in tables if table.rows]

    def _table(self, table: Table) -> _Page:
        name = _slug(table.title)

        def make() -> Parts:
            yield
            widget = StudyTable(name, table.title)
            widget.adopted.connect(self.adopted)
            return widget

        def fill(widget: QWidget) -> None:
            if isinstance(widget, StudyTable):
                widget.set_table(table)

        return _Page(f"table {table.title}", table.title, make, fill)


def _plots(result: StudyResult, check: Check | None) -> list[_Page]:
    """One page for each pair of number axes, and one for everything over the same names."""
    series = (*result.series, *(check.series if check is not None else ()))
    groups: dict[tuple[str, ...], list[Series]] = {}
    for one in series:
        named = bool(one.x) and isinstance(one.x[0], str)
        axes = ("names",) if named else (one.y_label, one.y_unit)
        groups.setdefault((one.x_label, one.x_unit, *axes), []).append(one)
    again = drawn_again(series)
    return [
        _bars(group) if key[2] == "names" and len(key) == 3 else _curves(group, again)
        for key, group in groups.items()
    ]


def _bars(series: Sequence[Series]) -> _Page:
    axes = list(dict.fromkeys(one.y_label for one in series))
    title = _by(axes[0] if len(axes) == 1 else "comparison", series[0].x_label)
    name = _slug(title)

    def make() -> Parts:
        chart = BarChart(f"{name}_chart", title, "Nothing to compare yet.", fills=True)
        yield
        return _bare(BarPanel(chart, name, title))

    def fill(widget: QWidget) -> None:
        if isinstance(widget, PlotPanel) and isinstance(widget.chart, BarChart):
            widget.chart.set_groups(groups_of(series))
            widget.refresh_table()

    return _Page(f"bars {title}", title, make, fill, _beside(series))


def _curves(series: Sequence[Series], again: Sequence[str]) -> _Page:
    title = _by(series[0].y_label, series[0].x_label)

    def fill(widget: QWidget) -> None:
        if isinstance(widget, CurvePanel):
            widget.curves.set_series(series, again)
            widget.refresh_table()

    def make() -> Parts:
        name = _slug(title)
        curves = StudyCurves(f"{name}_plot", title)
        yield
        return _bare(CurvePanel(name, title, curves=curves))

    return _Page(f"curves {title}", title, make, fill, _beside(series))


def _beside(series: Sequence[Series]) -> str:
    """What a plot belongs to."""
    return next((one.beside for one in series if one.beside), "")


def _bare(panel: PlotPanel) -> PlotPanel:
    """Without the title, which is in the row of views."""
    panel.title.hide()
    return panel


def _by(what: str, of: str) -> str:
    return f"{what} by {of}"


def _slug(title: str) -> str:
    return f"study_{'_'.join(title.lower().split())}"
