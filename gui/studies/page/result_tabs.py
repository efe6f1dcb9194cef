"""The pictures of a study's result in tabs: its own, its plots, its tables.

A page stays while there is something of its name and kind to show, so that nothing jumps when the
parameters change: neither the open tab nor a zoom.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabBar, QTabWidget, QVBoxLayout, QWidget

from advisor.studies.study import Check, Series, StudyResult, Table
from gui.basics.theme import GRID, theme
from gui.plots.bar_panel import BarPanel
from gui.plots.bars import BarChart
from gui.plots.curve_panel import CurvePanel
from gui.plots.named_bars import groups_of
from gui.plots.panel import PlotPanel
from gui.studies.page.study_table import StudyTable
from gui.studies.picture.pictures import PictureView, make_view, picture_title
from gui.tables.data_table import DataTable


@dataclass(frozen=True, eq=False)
class _Page:
    """What one tab shall show; pages of the same key are the same widget with new content."""

    key: str
    title: str
    make: Callable[[], QWidget]
    fill: Callable[[QWidget], None]


class _Tab(QWidget):
    """The place of a page, whose widget is made when the tab is first opened."""

    def __init__(self, page: _Page) -> None:
        super().__init__()
        self.setAccessibleName(page.title)
        self._page = page
        self.content: QWidget | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)

    def show_page(self, page: _Page) -> None:
        """Show new content, now or when the tab is opened."""
        self._page = page
        if self.content is not None:
            page.fill(self.content)

    def built(self) -> QWidget:
        """The page's widget, made now if it is not there yet."""
        if self.content is None:
            self.content = self._page.make()
            self.content.setAccessibleName(self._page.title)
            self._page.fill(self.content)
            self.layout().addWidget(self.content)  # type: ignore[union-attr] # set above
            self.setFocusProxy(self.content)
        return self.content

    def showEvent(self, event: QShowEvent) -> None:
        """Make the widget."""
        super().showEvent(event)
        self.built()


class _HighTabs(QTabBar):
    """Room below the letters, which the style would cut off in tabs at the back."""

    def tabSizeHint(self, index: int) -> QSize:
        """A little higher than the style wants."""
        return super().tabSizeHint(index) + QSize(0, GRID // 2)


class ResultTabs(QTabWidget):
    """Shows a `StudyResult` and, over its plots, what a `Check` simulated."""

    edited = Signal(object)  # {name of a parameter: value}, a step of a picture's own
    adopted = Signal(object)  # {name of a parameter: value}, the row of a table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_tabs")
        self.setAccessibleName("Pictures and tables")
        self.setTabBar(_HighTabs())
        self.setDocumentMode(True)
        self._keys: list[str] = []
        self._shown: tuple[StudyResult, Check | None] | None = None
        theme().changed.connect(self._recolour)

    def show_result(self, result: StudyResult, check: Check | None = None) -> None:
        """Show all of it; tabs that are not needed any more go."""
        pages = [*self._pictures(result), *_plots(result, check), *self._tables(result, check)]
        self._shown = result, check
        chosen = self.currentWidget()
        for place, page in enumerate(pages):
            if page.key not in self._keys[place:]:
                self.insertTab(place, _Tab(page), page.title)
                self._keys.insert(place, page.key)
            else:
                self._bring(self._keys.index(page.key, place), place)
            tab = self.widget(place)
            if isinstance(tab, _Tab):
                tab.show_page(page)
        self._cut(len(pages))
        if chosen is not None and self.indexOf(chosen) >= 0:
            self.setCurrentWidget(chosen)
        self.setVisible(bool(pages))

    def page(self, place: int) -> QWidget:
        """The widget of a tab; IndexError if there is none."""
        tab = self.widget(place)
        if not isinstance(tab, _Tab):
            raise IndexError(place)
        return tab.built()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old results dimmed until new ones come."""
        for place in range(self.count()):
            tab = self.widget(place)
            page = tab.content if isinstance(tab, _Tab) else None
            if isinstance(page, PlotPanel | PictureView):
                page.set_dimmed(dimmed)
            elif isinstance(page, DataTable):
                page.columns_model.set_dimmed(dimmed)

    def _recolour(self) -> None:
        """Bars carry their colours with them."""
        if self._shown is not None:
            self.show_result(*self._shown)

    def _pictures(self, result: StudyResult) -> list[_Page]:
        drawn = [(one, picture_title(one)) for one in result.pictures]
        return [self._picture(one, title) for one, title in drawn if title]

    def _picture(self, picture: object, title: str) -> _Page:
        def make() -> QWidget:
            view = make_view(picture)
            view.edited.connect(self.edited)
            return view

        def fill(widget: QWidget) -> None:
            if isinstance(widget, PictureView):
                widget.set_picture(picture)

        return _Page(f"picture {type(picture).__qualname__}", title, make, fill)

    def _tables(self, result: StudyResult, check: Check | None) -> list[_Page]:
        tables = (*result.tables, *((check.table,) if check is not None else ()))
        return [self._table(table) for table in tables]

    def _table(self, table: Table) -> _Page:
        name = _slug(table.title)

        def make() -> QWidget:
            widget = StudyTable(name, table.title)
            widget.adopted.connect(self.adopted)
            return widget

        def fill(widget: QWidget) -> None:
            if isinstance(widget, StudyTable):
                widget.set_table(table)

        return _Page(f"table {table.title}", table.title, make, fill)

    def _bring(self, old: int, new: int) -> None:
        """Move a tab to the left."""
        if old != new:
            self.tabBar().moveTab(old, new)
            self._keys.insert(new, self._keys.pop(old))

    def _cut(self, count: int) -> None:
        """Drop the tabs from `count` on."""
        while self.count() > count:
            page = self.widget(count)
            self.removeTab(count)
            self._keys.pop()
            if page is not None:
                page.deleteLater()


def _plots(result: StudyResult, check: Check | None) -> list[_Page]:
    """One page for each pair of number axes, and one for everything over the same names."""
    series = (*result.series, *(check.series if check is not None else ()))
    groups: dict[tuple[str, ...], list[Series]] = {}
    for one in series:
        named = bool(one.x) and isinstance(one.x[0], str)
        axes = ("names",) if named else (one.y_label, one.y_unit)
        groups.setdefault((one.x_label, one.x_unit, *axes), []).append(one)
    return [
        _bars(group) if key[2] == "names" and len(key) == 3 else _curves(group)
        for key, group in groups.items()
    ]


def _bars(series: Sequence[Series]) -> _Page:
    axes = list(dict.fromkeys(one.y_label for one in series))
    title = _by(axes[0] if len(axes) == 1 else "comparison", series[0].x_label)
    name = _slug(title)

    def make() -> QWidget:
        chart = BarChart(f"{name}_chart", title, "Nothing to compare yet.")
        return _bare(BarPanel(chart, name, title))

    def fill(widget: QWidget) -> None:
        if isinstance(widget, PlotPanel) and isinstance(widget.chart, BarChart):
            widget.chart.set_groups(groups_of(series))
            widget.refresh_table()

    return _Page(f"bars {title}", title, make, fill)


def _curves(series: Sequence[Series]) -> _Page:
    title = _by(series[0].y_label, series[0].x_label)

    def fill(widget: QWidget) -> None:
        if isinstance(widget, CurvePanel):
            widget.curves.set_series(series)
            widget.refresh_table()

    return _Page(f"curves {title}", title, lambda: _bare(CurvePanel(_slug(title), title)), fill)


def _bare(panel: PlotPanel) -> PlotPanel:
    """Without the title, which is on its tab."""
    panel.title.hide()
    return panel


def _by(what: str, of: str) -> str:
    return f"{what} by {of}"


def _slug(title: str) -> str:
    return f"study_{'_'.join(title.lower().split())}"
