"""Edits of the cases of studies: pure functions from project to project, each one undo step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from advisor.allocation.workload import replaced_at
from advisor.project.project import Project
from advisor.project.study_case import Figure, StudyCase, Subject, settings_of
from machines import InputError
from machines.formats.fields import suggestion


def cases_of(project: Project, study: str) -> tuple[StudyCase, ...]:
    """The cases of one study, in their order."""
    return tuple(case for case in project.cases if case.study == study)


def case_of(project: Project, study: str, name: str) -> StudyCase:
    """The case of that name.

    Raises
    ------
    InputError
        The study has none of that name.
    """
    return project.cases[_position(project, study, name)]


def free_name(project: Project, study: str, wish: str) -> str:
    """The wished name, with a number behind it if a case of the study has it already."""
    taken = {case.name for case in cases_of(project, study)}
    name, again = wish, 2
    while name in taken:
        name, again = f"{wish} {again}", again + 1
    return name


def add_case(project: Project, case: StudyCase) -> Project:
    """One more case, behind the others.

    Raises
    ------
    InputError
        Another case of the study has its name.
    """
    _refuse_taken(project, case.study, case.name)
    return replace(project, cases=(*project.cases, case))


def rename_case(project: Project, study: str, name: str, new: str) -> Project:
    """The case under another name.

    Raises
    ------
    InputError
        There is no such case, or the name is not one, or another's.
    """
    at = _position(project, study, name)
    if new == name:
        return project
    _refuse_taken(project, study, new)
    return _with_case(project, at, replace(project.cases[at], name=new))


def duplicate_case(project: Project, study: str, name: str, new: str | None = None) -> Project:
    """A copy of the case behind it, under a name of its own."""
    at = _position(project, study, name)
    called = free_name(project, study, name) if new is None else new
    _refuse_taken(project, study, called)
    copy = replace(project.cases[at], name=called)
    return replace(project, cases=(*project.cases[: at + 1], copy, *project.cases[at + 1 :]))


def remove_case(project: Project, study: str, name: str) -> Project:
    """Without that case."""
    at = _position(project, study, name)
    return replace(project, cases=project.cases[:at] + project.cases[at + 1 :])


def with_settings(project: Project, study: str, name: str, settings: Mapping[str, str]) -> Project:
    """The case with other settings; its figures go, as they are of the old ones."""
    at = _position(project, study, name)
    case, given = project.cases[at], settings_of(settings)
    if case.settings == given:
        return project
    return _with_case(project, at, replace(case, settings=given, figures=()))


def with_figures(project: Project, study: str, name: str, figures: tuple[Figure, ...]) -> Project:
    """The case with the figures of its newest result."""
    at = _position(project, study, name)
    return _with_case(project, at, replace(project.cases[at], figures=figures))


def with_subject_names(project: Project, kind: str, rename: Mapping[str, str]) -> Project:
    """Cases that look at renamed tasks, overlays or machines, at their new names."""
    cases = tuple(
        replace(case, subject=Subject(kind, rename[case.subject.name]))
        if case.subject is not None and case.subject.kind == kind and case.subject.name in rename
        else case
        for case in project.cases
    )
    return project if cases == project.cases else replace(project, cases=cases)


def _with_case(project: Project, at: int, case: StudyCase) -> Project:
    if case == project.cases[at]:
        return project
    return replace(project, cases=replaced_at(project.cases, at, case))


def _position(project: Project, study: str, name: str) -> int:
    for at, case in enumerate(project.cases):
        if (case.study, case.name) == (study, name):
            return at
    names = tuple(case.name for case in cases_of(project, study))
    remedy = suggestion(name, names) if names else "It has no cases"
    raise InputError("no such case", where=f"study {study}", value=name, remedy=remedy)


def _refuse_taken(project: Project, study: str, name: str) -> None:
    if any(case.name == name for case in cases_of(project, study)):
        raise InputError(
            "another case of this study has this name", where=f"study {study}", value=name,
            remedy="Choose another",
        )  # fmt: skip
