"""Cases of studies as tables of a project file; both functions are exact inverses."""

from __future__ import annotations

import math

from advisor.project.questions import QUESTIONS
from advisor.project.study_case import KINDS, Figure, StudyCase, Subject, settings_of
from machines import InputError
from machines.checks import number, plain_name, text
from machines.formats.fields import Table, entry, place, required, rows, suggestion, table

_CASE = ("name", "study", "settings", "subject", "figures")
_FIGURE = ("name", "value", "unit")


def cases_from(source: Table) -> tuple[StudyCase, ...]:
    """The cases under the key ``cases``; none where it is absent.

    Raises
    ------
    InputError
        Naming the case: an unknown study, a name twice, or a value of another kind.
    """
    found: dict[tuple[str, str], StudyCase] = {}
    for position, row in enumerate(rows(source, "cases")):
        with place(entry("case", row, position)):
            case = _case(table(row, _CASE, ""))
            if (case.study, case.name) in found:
                raise InputError("two cases of a study have one name", value=case.name)
            found[case.study, case.name] = case
    return tuple(found.values())


def cases_table(cases: tuple[StudyCase, ...]) -> list[Table]:
    """What a file holds of them."""
    return [_table(case) for case in cases]


def _case(row: Table) -> StudyCase:
    study = required(row, "study", "")
    if not isinstance(study, str) or study not in QUESTIONS:
        remedy = suggestion(str(study), QUESTIONS)
        raise InputError("unknown study", where="study", value=study, remedy=remedy)
    settings = row.get("settings", {})
    if not isinstance(settings, dict):
        raise InputError("settings must be a table of texts", where="settings", value=settings)
    given = {
        str(key): text(str(key), value, where="settings", empty=True)
        for key, value in settings.items()
    }
    return StudyCase(
        name=plain_name("name", required(row, "name", "")),
        study=study,
        settings=settings_of(given),
        subject=_subject(row["subject"]) if "subject" in row else None,
        figures=tuple(_figure(one) for one in rows(row, "figures")),
    )


def _subject(value: object) -> Subject:
    """Of a table with one key, its kind: {"task": "A"}."""
    with place("subject"):
        named = table(value, KINDS, "")
        if len(named) != 1:
            remedy = f'Write {{"{KINDS[0]}": "its name"}}; kinds: {", ".join(KINDS)}'
            raise InputError("a subject is one thing", value=value, remedy=remedy)
        ((kind, name),) = named.items()
        return Subject(kind, plain_name(kind, name))


def _figure(row: object) -> Figure:
    with place("figures"):
        source = table(row, _FIGURE, "")
        return Figure(
            text("name", required(source, "name", "")),
            number("value", required(source, "value", ""), low=-math.inf),
            text("unit", source.get("unit", ""), empty=True),
        )


def _table(case: StudyCase) -> Table:
    result: Table = {"name": case.name, "study": case.study}
    if case.settings:
        result["settings"] = dict(case.settings)
    if case.subject is not None:
        result["subject"] = {case.subject.kind: case.subject.name}
    if case.figures:
        result["figures"] = [
            {"name": one.name, "value": one.value} | ({"unit": one.unit} if one.unit else {})
            for one in case.figures
        ]
    return result
