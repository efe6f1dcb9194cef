"""Cases side by side: figures as rows, differences from the first, and the settings that differ."""

from __future__ import annotations

import pytest

from advisor.project.study_case import Figure, StudyCase, Subject
from advisor.studies import STUDIES
from advisor.studies.compare_cases import figures_series, figures_table, settings_table
from machines import InputError

FFT = Subject("task", "fft")
SLOW = StudyCase(
    "as it is", "styles", (("reach", "3"),), FFT,
    (Figure("time per message", 1200.0, "cycle"), Figure("all", 0.5, "s"), Figure("odd", 1.0)),
)  # fmt: skip
FAST = StudyCase(
    "snake", "styles", (("mapping", "snake"), ("reach", "3")), None,
    (Figure("time per message", 900.0, "cycle"), Figure("all", 0.25, "s")),
)  # fmt: skip
NEW = StudyCase("new", "styles")


def test_figures_are_rows_and_cases_columns_with_differences_from_the_first() -> None:
    table = figures_table((SLOW, FAST, NEW))
    assert [name for name, _ in table.columns] == [
        "figure", "as it is", "snake", "snake − as it is", "new", "new − as it is",
    ]  # fmt: skip
    assert table.rows == (
        ("time per message", "1,200 cycles", "900 cycles", "−300 cycles", "–", ""),
        ("all", "500 ms", "250 ms", "−250 ms", "–", ""),
        ("odd", "1", "–", "", "–", ""),
    )


def test_only_settings_that_differ_are_listed_with_what_the_cases_look_at() -> None:
    table = settings_table(STUDIES["styles"], (SLOW, FAST))
    assert table.rows == (
        ("about", 'task "fft"', "–"),
        ("mapping", "row-major", "snake"),
    )


def test_figures_that_all_cases_have_are_bars_over_them() -> None:
    series = figures_series((SLOW, FAST))
    assert [(one.name, one.x, one.y, one.y_unit, one.kind) for one in series] == [
        ("time per message", ("as it is", "snake"), (1200.0, 900.0), "cycle", "bars"),
        ("all", ("as it is", "snake"), (0.5, 0.25), "s", "bars"),
    ]
    assert [one.labels for one in series] == [("", "−300 cycles"), ("", "−250 ms")]


def test_cases_of_several_studies_are_not_compared() -> None:
    with pytest.raises(InputError, match="several studies"):
        figures_table((SLOW, StudyCase("x", "trees")))
    with pytest.raises(InputError, match="no case to compare"):
        figures_series(())
