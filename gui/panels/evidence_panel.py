"""The page Evidence: published numbers and figures beside what the models give for them now."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from advisor.published.redrawn.figures import not_redrawn, redrawn_figures
from advisor.published.redrawn.redrawn import NotRedrawn, Redrawn
from advisor.published.validate import Figure, published_figures
from gui.basics.background_jobs import LatestWins
from gui.basics.steady import BETWEEN
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.basics.widget_labels import said
from gui.panels.published_figures import PublishedFigures
from gui.panels.published_numbers import NumbersTable, counts
from gui.plots.plot_panel import Exports
from gui.studies.page.chooser import ViewChooser

_EVERY = "All papers"
_COMPUTING = "computing every published number"
_VIEWS = ("Numbers", "Figures")
_EXPLANATIONS = (
    "What the papers print, what the models of Placewise give for it, and how far apart they are. "
    "✓ reproduced: the same, as exactly as it is printed, or not above a printed bound; the note "
    "says where a print is rough or adds rounded numbers. ≠ deviates: another number; the note "
    "says why. – not reproducible: a measurement, an input of the model, or the paper withholds "
    "what is needed; if the model gives a number all the same, it is beside it.",
    "The papers' figures, redrawn: lines are what the models of Placewise give, points what the "
    "papers print. Choose a figure; its numbers are below it.",
)


class EvidencePage(QWidget):
    """Numbers in a table and figures in plots, computed when the page is opened."""

    told = Signal(object)  # str: what the status line says

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence")
        self.setAccessibleName("Evidence")
        self.figures: tuple[Figure, ...] = ()
        self._drawn: tuple[Redrawn | NotRedrawn, ...] = ()
        self.sentence = said("evidence_sentence", "headline")
        self.sentence.setText(f"{_COMPUTING.capitalize()} …")
        self.explanation = said("evidence_explanation", "muted")
        self.numbers = NumbersTable("evidence")
        self.table, self.note = self.numbers.table, self.numbers.note
        self.table.setWordWrap(True)
        self.redrawn = PublishedFigures()
        self.redrawn.chosen.connect(lambda: self.told.emit(self.status))
        self._exports = Exports(self, "evidence", None, self.table.chosen_table)
        self._lay_out()
        self._jobs = LatestWins(self, "evidence")
        self._jobs.done.connect(self._take)
        self._jobs.request(
            lambda _should_stop: (published_figures(), (*redrawn_figures(), *not_redrawn()))
        )

    @property
    def tools(self) -> tuple[QAction, ...]:
        """What the toolbar offers while this page is in sight: nothing is to be done here."""
        return ()

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What can be copied and written of the view in sight, once it is computed."""
        if self._shows_figures:
            return self.redrawn.exports
        return tuple(self._exports.actions) if self.figures else ()

    @property
    def status(self) -> str:
        """Which papers are in sight, and how many of their numbers come out as printed."""
        if not self.figures:
            return BETWEEN.join(("Evidence", _COMPUTING))
        if self._shows_figures and self.redrawn.shown is not None:
            shown = self.redrawn.shown
            return BETWEEN.join(("Evidence", shown.model, shown.where))
        return BETWEEN.join(("Evidence", self.papers.currentText(), *counts(self._chosen)))

    @property
    def _shows_figures(self) -> bool:
        return self.pages.currentWidget() is self.redrawn

    @property
    def _chosen(self) -> list[Figure]:
        """The numbers of the chosen paper."""
        return [one for one in self.figures if self._is_chosen(one)]

    def _is_chosen(self, one: Figure | Redrawn | NotRedrawn) -> bool:
        return self.papers.currentText() in {_EVERY, one.model}

    def show_view(self, place: int) -> None:
        """Show the numbers (0) or the figures (1)."""
        self.views.show_current(place)
        self.pages.setCurrentIndex(place)
        self.explanation.setText(_EXPLANATIONS[place])
        self._say()

    def _lay_out(self) -> None:
        self.views = ViewChooser()
        self.views.setObjectName("evidence_views")
        self.views.chosen.connect(self.show_view)
        self.papers = ChoiceBox()
        self.papers.setObjectName("evidence_papers")
        self.papers.setAccessibleName("Paper")
        self.papers.setToolTip("Show the numbers and figures of one paper, or of all")
        self.papers.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.papers.addItem(_EVERY)
        self.papers.currentIndexChanged.connect(lambda _index: self._show_chosen())
        self.filter = QLineEdit()
        self.filter.setObjectName("evidence_filter")
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter the published numbers and figures")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(32 * GRID)
        for table in (self.table, self.redrawn.list):
            self.filter.textChanged.connect(table.columns_model.set_filter)
        self.pages = QStackedWidget()
        for page in (self.numbers, self.redrawn):
            self.pages.addWidget(page)
        row = QHBoxLayout()
        row.addWidget(self.views, 1)
        row.addWidget(self.papers)
        row.addWidget(self.filter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self.sentence)
        layout.addLayout(row)
        layout.addWidget(self.explanation)
        layout.addWidget(self.pages, 1)
        self.views.set_titles(_VIEWS)
        self.show_view(0)

    def _take(self, found: tuple[tuple[Figure, ...], tuple[Redrawn | NotRedrawn, ...]]) -> None:
        numbers, self._drawn = found
        self._show(numbers)

    def _show(self, figures: object) -> None:
        self.figures = tuple(figures)  # type: ignore[arg-type]
        self.papers.addItems(list(dict.fromkeys(figure.model for figure in self.figures)))
        self._show_chosen()

    def _show_chosen(self) -> None:
        """Numbers and figures of the chosen paper, and the sentence that sums them up."""
        self.numbers.show_numbers(self._chosen)
        self.redrawn.show_figures([one for one in self._drawn if self._is_chosen(one)])
        self._say()

    def _say(self) -> None:
        """Sum up the view in sight."""
        if self.figures:
            drawn = self._shows_figures
            self.sentence.setText(self.redrawn.sentence if drawn else summary(self._chosen))
            self.told.emit(self.status)


def summary(figures: Sequence[Figure]) -> str:
    """How many numbers come out as printed, in one sentence."""
    return f"{', '.join(counts(figures))}."
