"""A button that opens the selected task, machine or overlay in a study, as a case of its own."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from advisor.project.project import Project
from advisor.project.study_case import MACHINE, OVERLAY, TASK, Subject
from advisor.studies import STUDIES
from advisor.studies.of_project import obstacle
from gui.basics.background_jobs import LatestWins
from gui.basics.literal_menu import Menu, literal
from gui.document.document import Document, Selection


class OpenInStudy(QToolButton):
    """In sight while a study can look at the one thing that is selected."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("open_in_study")
        self.setText("Open in study")
        self.setAccessibleName("Open in study")
        self.setToolTip("A close look, with the values of what is selected, as a case of its own")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._document = document
        self._subject: Subject | None = None
        self._asked: tuple[object, ...] = ()
        self._studies: tuple[str, ...] = ()
        self.menu_ = Menu("", self, self._fill)
        self.menu_.setObjectName("open_in_study_menu")
        self.setMenu(self.menu_)
        self._jobs = LatestWins(self, "studies of the selection")
        self._jobs.done.connect(self._take)
        document.changed.connect(lambda _project: self._follow())
        document.selection_changed.connect(lambda _selection: self._follow())
        self.hide()
        self._follow()

    def _follow(self) -> None:
        """Ask, off the window's thread, which studies can look at what is selected."""
        project = self._document.project
        subject = subject_of(project, self._document.selection)
        asked = (subject, project.platform, project.workload, project.plan)
        if all(one is other for one, other in zip(asked[1:], self._asked[1:], strict=False)) and (
            asked[:1] == self._asked[:1]
        ):
            return
        self._asked = asked
        if subject != self._subject:
            self._subject, self._studies = subject, ()
            self.hide()
        if subject is None:
            self._jobs.cancel()
            return
        self._jobs.request(lambda _stop: (subject, _looking(project, subject)))

    def _take(self, found: object) -> None:
        if isinstance(found, tuple) and found[0] == self._subject:
            self._studies = found[1]
            self.setVisible(bool(self._studies))

    def _fill(self, menu: Menu) -> None:
        menu.clear()
        for name in self._studies:
            action = QAction(literal(STUDIES[name].title), menu)
            action.setObjectName(f"open_in_{name}")
            action.setToolTip(STUDIES[name].question)
            action.triggered.connect(lambda _=False, name=name: self._open(name))
            menu.addAction(action)

    def _open(self, study: str) -> None:
        if self._subject is not None:
            self._document.look_asked.emit(study, self._subject)


def subject_of(project: Project, selection: Selection) -> Subject | None:
    """The one task, machine or overlay that is selected."""
    if len(selection.tasks) == 1:
        return Subject(TASK, project.workload.tasks[min(selection.tasks)].name)
    if selection.tasks:
        return None
    if selection.overlay is not None:
        return Subject(OVERLAY, project.workload.overlays[selection.overlay].name)
    if selection.machine is not None:
        return Subject(MACHINE, project.platform.machines[selection.machine].name)
    return None


def _looking(project: Project, subject: Subject) -> tuple[str, ...]:
    """The studies that can look at a subject."""
    return tuple(name for name, study in STUDIES.items() if not obstacle(project, study, subject))
