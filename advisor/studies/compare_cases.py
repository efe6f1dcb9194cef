"""Cases of one study side by side: figures as rows, cases as columns, differences from the first.

From the key figures that cases keep of their last results, so that nothing runs for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.project.study_case import Figure, StudyCase
from advisor.studies.facts import Fact
from advisor.studies.parameters import written
from advisor.studies.study import Series, Study, Table
from machines import InputError
from machines.parameters import properties_of

CASE = "case"
MISSING = "–"


def figures_table(cases: Sequence[StudyCase]) -> Table:
    """One row a figure; after each case but the first its difference from that."""
    first, *others = _of_one_study(cases)
    columns = [("figure", ""), (first.name, "")]
    for case in others:
        columns += [(case.name, ""), (f"{case.name} − {first.name}", "")]
    rows = []
    for name, unit in _figures(cases):
        base = _value(first, name, unit)
        row = [name, _text(name, base, base, unit)]
        for case in others:
            value = _value(case, name, unit)
            apart = "" if value is None else Fact(name, value, unit, base).difference_text
            row += [_text(name, value, base, unit), apart]
        rows.append(tuple(row))
    return Table("Figures", tuple(columns), tuple(rows))


def settings_table(study: Study, cases: Sequence[StudyCase]) -> Table:
    """The settings that are not the same in all cases, one a row, and what they look at."""
    _of_one_study(cases)
    rows: list[tuple[object, ...]] = []
    subjects = [case.subject.words if case.subject else MISSING for case in cases]
    if len(set(subjects)) > 1:
        rows.append(("about", *subjects))
    given = [dict(case.settings) for case in cases]
    for one in properties_of(study.record):
        texts = [each.get(one.name, written(one.default)) for each in given]
        if len(set(texts)) > 1:
            rows.append((one.title, *texts))
    columns = (("setting", ""), *((case.name, "") for case in cases))
    return Table("Settings that differ", columns, tuple(rows))


def figures_series(cases: Sequence[StudyCase]) -> tuple[Series, ...]:
    """Bars over the cases, one set a figure that all have, with differences from the first."""
    names = tuple(case.name for case in _of_one_study(cases))
    found = []
    for name, unit in _figures(cases):
        values = [_value(case, name, unit) for case in cases]
        known = tuple(value for value in values if value is not None)
        if len(known) == len(names):
            apart = ("", *(Fact(name, one, unit, known[0]).difference_text for one in known[1:]))
            found.append(Series(name, names, known, CASE, "", name, unit, "bars", labels=apart))
    return tuple(found)


def _of_one_study(cases: Sequence[StudyCase]) -> Sequence[StudyCase]:
    if not cases:
        raise InputError("there is no case to compare", remedy="Name one at least")
    studies = tuple(dict.fromkeys(case.study for case in cases))
    if len(studies) > 1:
        raise InputError(
            "cases of several studies have no figures in common", value=", ".join(studies),
            remedy="Compare cases of one study",
        )  # fmt: skip
    return cases


def _figures(cases: Sequence[StudyCase]) -> tuple[tuple[str, str], ...]:
    """(name, unit) of all figures, each once, in the order in which they come."""
    return tuple(dict.fromkeys((one.name, one.unit) for case in cases for one in case.figures))


def _value(case: StudyCase, name: str, unit: str) -> float | None:
    found: Figure | None = next(
        (one for one in case.figures if (one.name, one.unit) == (name, unit)), None
    )
    return None if found is None else found.value


def _text(name: str, value: float | None, base: float | None, unit: str) -> str:
    """In the unit and with the digits that tell it from the first case's."""
    return MISSING if value is None else Fact(name, value, unit, base).text
