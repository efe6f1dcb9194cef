"""The cases of one study: the form is that of the case in sight, and the project keeps it.

A case's settings are edits of the document, with its undo; those of the tab that is no case stay
with the page. Results are remembered, so that another case's answer is there at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from advisor.project.case_edits import (
    add_case,
    cases_of,
    free_name,
    remove_case,
    rename_case,
    with_figures,
    with_settings,
)
from advisor.project.study_case import StudyCase, Subject, settings_of
from advisor.studies.of_project import figures_of, new_case, texts_of
from advisor.studies.parameters import parsed
from advisor.studies.study import Study, StudyResult
from gui.basics.background_jobs import LatestWins
from gui.document.document import Document
from gui.form.form import ParameterForm
from gui.form.steps import FormSteps
from gui.studies.page.case_tabs import CaseTabs
from machines.errors import PlacewiseError, capital
from machines.parameters import properties_of

_REMEMBERED = 12  # results


class StudyCases(QObject):
    """Keeps tabs, form and document together.

    `current`: the name of the case in sight; empty: none, the settings stand alone.
    """

    switched = Signal()  # to another case, or to none
    failed = Signal(object)  # PlacewiseError: what was to be opened can't be

    def __init__(
        self,
        document: Document,
        study: Study,
        form: ParameterForm,
        steps: FormSteps,
        tabs: CaseTabs,
    ) -> None:
        super().__init__(form)
        self._document, self._study, self._form = document, study, form
        self._steps, self._tabs = steps, tabs
        self.current = ""
        self._alone: dict[str, object] = {}  # settings that stand alone
        self._names = self._present()
        self._writing = False
        self._merge = ""  # key of the step that goes on,
        self._before: StudyCase | None = None  # and what the case was before it
        self._held: object = None  # settings of the case in sight as last entered or written
        self._known: dict[str, tuple[object, StudyResult]] = {}
        self._openings = LatestWins(self, f"opening in {study.name}")
        self._openings.done.connect(self._opened)
        self._openings.failed.connect(self.failed)
        form.changed.connect(self._keep)
        document.changed.connect(lambda _project: self._follow())
        tabs.chosen.connect(self.choose)
        tabs.added.connect(self.add)
        tabs.renamed.connect(self.rename)
        tabs.closed.connect(self.close_case)
        tabs.show_cases(self._names, self.current)

    @property
    def case(self) -> StudyCase | None:
        """The case in sight."""
        found = cases_of(self._document.project, self._study.name)
        return next((case for case in found if case.name == self.current), None)

    @property
    def subject(self) -> Subject | None:
        """What it looks at."""
        case = self.case
        return None if case is None else case.subject

    def choose(self, name: str) -> None:
        """Bring a case into sight; an empty name: none."""
        if name == self.current:
            return
        if not self.current:
            self._alone = self._form.values() or self._alone
        self.current = name
        self._tabs.show_cases(self._names, name)
        self._write()
        self.switched.emit()

    def add(self) -> None:
        """A case of what the form holds."""
        values = self._form.values()
        if values is None:
            return
        project, study = self._document.project, self._study.name
        name = free_name(project, study, self.current or "case")
        settings = settings_of(texts_of(self._study, values))
        self._add(StudyCase(name, study, settings, self.subject), f"Add case {name}")

    def open_on(self, subject: Subject) -> None:
        """A case with a subject's own values; one that has them already is brought into sight."""
        project, study = self._document.project, self._study
        self._openings.request(lambda _should_stop: new_case(project, study, subject))

    def close_jobs(self) -> None:
        """Stop everything, for good."""
        self._openings.close()

    def rename(self, old: str, new: str) -> None:
        """Another name for a case; one that is refused stays at its tab."""
        try:
            changed = rename_case(self._document.project, self._study.name, old, new)
        except PlacewiseError as error:
            self._tabs.refuse_name(f"{capital(error.what)}. {error.remedy}")
            return
        if old in self._known:
            self._known[new] = self._known.pop(old)
        if self.current == old:
            self.current = new
        self._document.apply(changed, f"Rename case {old} to {new}")

    def close_case(self, name: str) -> None:
        """Without a case; its neighbour comes into sight."""
        at = self._names.index(name)
        if self.current == name:
            left = [one for one in self._names if one != name]
            self.choose(left[min(at, len(left) - 1)] if left else "")
        changed = remove_case(self._document.project, self._study.name, name)
        self._document.apply(changed, f"Close case {name}")

    def known(self, parameters: object) -> StudyResult | None:
        """The result that the case in sight had for these parameters."""
        asked, result = self._known.get(self.current, (None, None))
        return result if asked is not None and asked == parameters else None

    def remember(self, parameters: object, result: StudyResult) -> None:
        """Keep a result, and its key figures in the project."""
        self._known.pop(self.current, None)
        self._known[self.current] = parameters, result
        while len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]
        if self.case is not None and result.complete:
            project, study = self._document.project, self._study.name
            self._document.note(with_figures(project, study, self.current, figures_of(result)))

    def _opened(self, fresh: object) -> None:
        """Show the case with a subject's values; one that is there, if it has the same."""
        if not isinstance(fresh, StudyCase) or fresh.subject is None:
            return
        project, study = self._document.project, self._study
        for case in cases_of(project, study.name):
            if (case.subject, case.settings) == (fresh.subject, fresh.settings):
                self.choose(case.name)
                return
        name = free_name(project, study.name, fresh.subject.name)
        text = f"Open {fresh.subject.name} in {study.title.lower()}"
        self._add(replace(fresh, name=name), text)

    def _present(self) -> tuple[str, ...]:
        return tuple(case.name for case in cases_of(self._document.project, self._study.name))

    def _add(self, case: StudyCase, text: str) -> None:
        self._document.apply(add_case(self._document.project, case), text)
        self.choose(case.name)

    def _keep(self, values: Mapping[str, object]) -> None:
        """What was entered goes into the case; typing in one field is one step until it is left."""
        case = self.case
        if self._writing or case is None:
            return
        texts, before = texts_of(self._study, values), dict(case.settings)
        keys = {*texts, *before}
        different = sorted(key for key in keys if texts.get(key) != before.get(key))
        if not different:
            return
        name = self._form.title(different[0]) if len(different) == 1 else "settings"
        merge = ""
        if len(different) == 1:
            visit = self._form.visit(different[0])
            merge = f"case {self._study.name} {case.name} {different[0]} {visit}"
        if not merge or merge != self._merge:
            self._merge, self._before = merge, case
        self._held = settings_of(texts)
        changed = with_settings(self._document.project, self._study.name, case.name, texts)
        if self._before is not None and self._before.settings == self._held:  # it leads back
            figures = self._before.figures
            changed = with_figures(changed, self._study.name, case.name, figures)
        self._document.apply(changed, f"Change {name} of case {case.name}", merge)

    def _follow(self) -> None:
        """Show the cases that there are; the form has what the one in sight has."""
        before, self._names = self._names, self._present()
        gone = self.current not in ("", *self._names)
        if gone:
            at = before.index(self.current) if self.current in before else -1
            same = len(before) == len(self._names) and at >= 0  # a name was taken back
            self.current = self._names[at] if same else ""
        if gone or before != self._names:
            self._tabs.show_cases(self._names, self.current)
        case, values = self.case, self._form.values()
        present = self._held  # while an entry is wrong: it stays, unless the case has changed
        if values is not None:
            present = settings_of(texts_of(self._study, values))
        if (case is not None and case.settings != present) or (gone and case is None):
            self._write()
        if gone:
            self.switched.emit()

    def _write(self) -> None:
        """Put what the case in sight has into the form."""
        values = {one.name: one.default for one in properties_of(self._study.record)}
        case = self.case
        if case is None:
            values |= self._alone
        else:
            self._held = case.settings
            fields = {one.name: one for one in properties_of(self._study.record)}
            for key, text in case.settings:
                with suppress(PlacewiseError, KeyError):
                    values[key] = parsed(fields[key], text)
        self._writing = True
        self._steps.write({name: values[name] for name in self._form.names if name in values})
        self._writing = False
        self._steps.begin()
