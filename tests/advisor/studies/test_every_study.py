"""What holds for the answer of every study, whatever it is about."""

from __future__ import annotations

import json
import math
from functools import cache

import pytest

from advisor.allocation.problem import Problem
from advisor.export.json_answer import as_json
from advisor.studies import STUDIES, Study, StudyProgress, StudyResult, parse_settings
from advisor.studies.facts import LESS, MORE, MOST_FACTS
from advisor.studies.study import ASSUMED, EQUATION, MEASURED, RANGE, STATED, VALIDITY
from advisor.studies.study_json import study_report
from tests.advisor.studies.small_cases import CASES, parameters_of_case

KINDS = {VALIDITY, MEASURED, STATED, RANGE, ASSUMED, EQUATION}
EVERY = pytest.mark.parametrize("case", CASES)


class Stop:
    """Asks to stop from the n-th question on; counts them."""

    def __init__(self, after: float = math.inf) -> None:
        self.asked, self._after = 0, after

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > self._after


def study_of(case: str) -> Study:
    return STUDIES[CASES[case][0]]


@cache
def whole(case: str) -> tuple[StudyResult, tuple[StudyProgress, ...], int]:
    """The answer, what it told on the way, and how often it asked whether to stop."""
    told: list[StudyProgress] = []
    stop = Stop()
    result = study_of(case).run(parameters_of_case(case), told.append, stop)
    return result, tuple(told), stop.asked


def well_formed(result: StudyResult) -> None:
    """Points have both coordinates, rows a cell for each column, texts an end."""
    assert result.headline.endswith(".")
    assert result.alternative.endswith(".") or not result.alternative
    assert result.sentence == f"{result.headline} {result.alternative}".rstrip()
    assert len(result.facts) <= MOST_FACTS
    assert len({fact.name for fact in result.facts}) == len(result.facts)
    for fact in result.facts:
        assert math.isfinite(fact.value), fact.name
        assert fact.against is None or result.against, fact.name
        assert fact.better in {LESS, MORE, ""}
    assert {note.kind for note in result.notes} <= KINDS
    assert all(reason.endswith((".", "!")) for reason in result.reasons)
    for one in result.series:
        assert len(one.x) == len(one.y), one.name
        assert one.x_label
        assert one.y_label
        assert all(math.isfinite(y) for y in one.y), one.name
        assert one.kind in {"line", "points", "bars", "band"}
    assert len({table.title for table in result.tables}) == len(result.tables)
    for table in result.tables:
        assert all(len(row) == len(table.columns) for row in table.rows), table.title
        assert len(table.settings) in {0, len(table.rows)}


@EVERY
def test_it_answers_in_a_sentence_and_with_points_and_rows_that_fit(case: str) -> None:
    result, _, _ = whole(case)
    assert result.complete
    well_formed(result)
    assert result.series or result.tables
    assert all(note.text for note in result.notes)


@EVERY
def test_it_has_figures_and_an_alternative_makes_a_difference_of_one(case: str) -> None:
    result, _, _ = whole(case)
    assert result.facts
    assert bool(result.against) == any(fact.against is not None for fact in result.facts)


@EVERY
def test_a_unit_stands_at_numbers_only(case: str) -> None:
    for table in whole(case)[0].tables:
        for place, (name, unit) in enumerate(table.columns):
            cells = [row[place] for row in table.rows if row[place] is not None]
            if unit:
                assert all(isinstance(cell, float | int) for cell in cells), (table.title, name)


@EVERY
def test_progress_rises_with_words_and_what_there_is(case: str) -> None:
    _, told, _ = whole(case)
    shares = [one.fraction for one in told]
    assert shares == sorted(shares)
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert all(one.sentence for one in told)
    for one in told:
        if one.partial is not None:
            well_formed(one.partial)
            assert not one.partial.complete


@EVERY
def test_stopped_anywhere_it_hands_over_what_it_has(case: str) -> None:
    asked = whole(case)[2]
    places = {0, 1, 2, 5, 13, asked // 2, asked - 1}
    for place in sorted(one for one in places if 0 <= one < asked):
        result = study_of(case).run(parameters_of_case(case), None, Stop(place))
        assert not result.complete, place
        well_formed(result)


@EVERY
def test_the_same_question_has_the_same_answer(case: str) -> None:
    first, _, _ = whole(case)
    again = study_of(case).run(parameters_of_case(case))
    assert again.sentence == first.sentence
    assert again.reasons == first.reasons
    assert again.series == first.series
    assert [table.rows for table in again.tables] == [table.rows for table in first.tables]


@EVERY
def test_a_row_that_can_be_adopted_is_answered_when_it_is(case: str) -> None:
    study = study_of(case)
    parameters = parameters_of_case(case)
    for table in whole(case)[0].tables:
        for settings in table.settings[:3]:
            texts = [f"{name}={value}" for name, value in settings.items()]
            inputs = {"problem": parameters.problem} if study.needs_problem else {}  # type: ignore[attr-defined]
            adopted = parse_settings(study.record, texts, **inputs)
            assert all(getattr(adopted, name) == value for name, value in settings.items())


@EVERY
def test_no_source_is_a_module_or_a_page_of_this_program(case: str) -> None:
    sources = [note.source for note in whole(case)[0].notes]
    assert not [one for one in sources if "advisor." in one or "docs/" in one]


@EVERY
def test_every_place_in_a_paper_is_with_the_paper(case: str) -> None:
    parts = [part for note in whole(case)[0].notes for part in note.source.split("; ")]
    assert not [one for one in parts if one.startswith(("sec.", "Eq.", "Fig.", "Table"))]


@pytest.mark.parametrize(
    ("case", "words"),
    [("blocks", "contention C_n"), ("mapping", "latency L"), ("mapping", "gap per byte G")],
)
def test_symbols_of_an_equation_are_with_their_words(case: str, words: str) -> None:
    assert any(words in note.text for note in whole(case)[0].notes if note.kind == EQUATION)


@EVERY
def test_its_json_is_its_answer(case: str) -> None:
    result, _, _ = whole(case)
    problem: Problem | None = getattr(parameters_of_case(case), "problem", None)
    report = json.loads(as_json(study_report(study_of(case), result, problem)))
    assert report["study"] == CASES[case][0]
    assert report["sentence"] == result.sentence
    assert report["complete"] is True
    assert [len(one["x"]) for one in report["series"]] == [len(one.x) for one in result.series]
    assert [one["title"] for one in report["tables"]] == [one.title for one in result.tables]


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_has_a_small_case(name: str) -> None:
    assert name in {study for study, _ in CASES.values()}
