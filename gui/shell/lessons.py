"""Lessons in the window: open what one is about, say its question in a notice, check the answer."""

from __future__ import annotations

from PySide6.QtCore import QObject

from advisor.lessons import LESSONS, Lesson, State
from advisor.project.examples import load_example
from advisor.studies import STUDIES
from gui.basics.notice import NoticeBar
from gui.document.document import Document
from gui.shell.places import Places
from gui.shell.project_files import Files
from gui.studies.page.study_panel import StudyPanel

_ABOUT = "lesson"


class Lessons(QObject):
    """One lesson at a time; it ends with its notice."""

    def __init__(self, window: Places, document: Document, files: Files, notice: NoticeBar) -> None:
        super().__init__(window)
        self.setObjectName("lessons")
        self._window, self._document, self._files, self._notice = window, document, files, notice

    def begin(self, name: str) -> None:
        """Open the example, after asking about unsaved changes, or the study; say the question."""
        lesson = LESSONS[name]
        if lesson.example:
            self._files.when_saved(lambda: self._open(lesson))
            return
        self._window.show_page(lesson.study)
        page = self._window.panel(lesson.study)
        if isinstance(page, StudyPanel):
            page.show_settings(STUDIES[lesson.study].record(**lesson.settings))
        self._ask(lesson)

    def check(self, lesson: Lesson) -> None:
        """Say in the notice whether what is open answers the question."""
        page = self._window.built(lesson.study) if lesson.study else None
        values = page.form.values() if isinstance(page, StudyPanel) else None
        verdict = lesson.check(State(self._document.project, values))
        self._tell(lesson, verdict.words, right=verdict.right)

    def _open(self, lesson: Lesson) -> None:
        self._document.load(load_example(lesson.example))
        self._ask(lesson)

    def _ask(self, lesson: Lesson) -> None:
        self._tell(lesson, lesson.question, right=False)

    def _tell(self, lesson: Lesson, words: str, *, right: bool) -> None:
        self._notice.clear()
        check = (("Check", lambda: self.check(lesson)),)
        self._notice.tell(words, () if right else check, "Close" if right else "End lesson", _ABOUT)
