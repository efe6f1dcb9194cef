"""Cases of a study side by side: their figures and settings as tables, the figures as bars."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.project.case_edits import cases_of
from advisor.studies.compare_cases import figures_series, figures_table, settings_table
from advisor.studies.study import Study, StudyResult
from gui.basics.theme import GRID
from gui.document.document import Document
from gui.studies.page.few_lines import FewLines
from gui.studies.page.result_views import ResultViews


class CaseComparison(QWidget):
    """All cases of a study, while it is in sight."""

    def __init__(self, document: Document, study: Study, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_case_comparison")
        self.setAccessibleName("Cases side by side")
        self._document, self._study = document, study
        self.sentence = FewLines("case_comparison_sentence", "headline", 2)
        self.views = ResultViews()
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.addWidget(self.sentence)
        column.addWidget(self.views, 1)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show)
        document.changed.connect(lambda _project: self._ask())

    def showEvent(self, event: QShowEvent) -> None:
        """Show the cases as they are now."""
        super().showEvent(event)
        self._soon.start()

    def _ask(self) -> None:
        if self.isVisible():
            self._soon.start()

    def _show(self) -> None:
        cases = cases_of(self._document.project, self._study.name)
        if not cases:
            self.sentence.setText("There is no case in the project.")
            return
        new = [case.name for case in cases if not case.figures]
        waits = f"; {', '.join(new)}: not answered yet, open it once" if new else ""
        self.sentence.setText(f"{len(cases)} cases, differences from “{cases[0].name}”{waits}.")
        tables = (figures_table(cases), settings_table(self._study, cases))
        shown = StudyResult("", series=figures_series(cases), tables=tables)
        self.views.show_result(shown)
