"""The button that puts a study's answer into the project: one undo step, off while it can't be."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton

from advisor.project.project import Project
from advisor.project.study_case import Subject
from advisor.studies.of_project import used, verb_of
from advisor.studies.study import Study, StudyResult, Use
from gui.basics.background_jobs import LatestWins
from gui.document.document import Document
from machines.errors import PlacewiseError

_WAITS = "The answer is not known yet"
_THERE = "The project already has this value"


@dataclass(frozen=True, eq=False)
class _Found:
    """What using the answer makes of a project, or why it does not fit."""

    project: Project
    use: Use | None
    reason: str = ""


class UseInPlan(QObject):
    """Keeps the button at what the newest answer makes of the open project."""

    def __init__(self, document: Document, study: Study, button: QPushButton) -> None:
        super().__init__(button)
        self._document, self._study, self._button = document, study, button
        self._asked: tuple[Subject | None, object, StudyResult] | None = None
        self._found: _Found | None = None
        self._jobs = LatestWins(self, f"use of {study.name}")
        self._jobs.done.connect(self._take)
        document.changed.connect(lambda _project: self._ask())
        button.clicked.connect(self._use)
        button.setVisible(bool(study.of_project))
        self.forget(None)

    def forget(self, subject: Subject | None) -> None:
        """There is no answer any more; the next will be about this."""
        self._asked = None
        self._button.setText(verb_of(self._study, subject))
        self._button.setAccessibleName(self._button.text())
        self._refuse(_WAITS)

    def offer(self, subject: Subject | None, parameters: object, result: StudyResult) -> None:
        """There is an answer about a subject."""
        self._asked = subject, parameters, result
        self._ask()

    def close_jobs(self) -> None:
        """Stop everything, for good."""
        self._jobs.close()

    def _ask(self) -> None:
        if self._asked is None:
            return
        project, study, asked = self._document.project, self._study, self._asked

        def job(_should_stop: object) -> _Found:
            try:
                return _Found(project, used(project, study, *asked))
            except PlacewiseError as error:
                return _Found(project, None, str(error))

        self._jobs.request(job)

    def _take(self, found: object) -> None:
        if not isinstance(found, _Found) or self._asked is None:
            return
        if found.project is not self._document.project:
            return  # a newer one is asked for
        self._found = found
        if found.use is None:
            self._refuse(found.reason)
        elif found.use.project == found.project:
            self._refuse(_THERE)
        else:
            self._button.setEnabled(True)
            self._button.setToolTip(f"{found.use.text} (one undo step)")

    def _refuse(self, reason: str) -> None:
        self._found = None
        self._button.setEnabled(False)
        self._button.setToolTip(reason)

    def _use(self) -> None:
        found = self._found
        if found is not None and found.use is not None and found.project is self._document.project:
            self._document.apply(found.use.project, found.use.text)
