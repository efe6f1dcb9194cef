"""The list of questions agrees with the studies that answer them."""

from __future__ import annotations

import dataclasses
import math
import re
import subprocess
import sys

import pytest

import resources
from advisor.commands.cli import COMMANDS
from advisor.project.questions import file_options
from advisor.studies import QUESTIONS, STUDIES, FileOption, Question, parameters_of
from advisor.studies.parameters import Parameter, parsed, written
from machines import InputError

SETTINGS = {
    name: [one for one in parameters_of(study.record) if one.is_setting]
    for name, study in STUDIES.items()
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_line_and_the_study_say_the_same(name: str) -> None:
    question, study = QUESTIONS[name], STUDIES[name]
    assert study.asks is question
    assert (study.check is not None) == question.simulated
    assert question.question.endswith("?")
    assert question.title[0].isupper()
    assert re.fullmatch(r"[a-z][a-z_-]*", name)
    assert dataclasses.is_dataclass(study.record)
    for option in question.files:
        known = {one.name: one for one in parameters_of(study.record)}
        for setting in option.settings_for("a=b.csv"):
            key, _, value = setting.partition("=")
            assert parsed(known[key], value) == value


def test_no_question_is_asked_twice() -> None:
    for what in ("name", "title", "question", "module"):
        texts = [getattr(one, what) for one in QUESTIONS.values()]
        assert len(set(texts)) == len(texts)
    assert not set(QUESTIONS) & set(COMMANDS)


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after it."""
    code = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=120
    )
    return set(done.stdout.split())


def test_the_list_is_read_without_the_studies() -> None:
    loaded = loaded_by("from advisor.studies import QUESTIONS")
    assert not loaded & {one.module for one in QUESTIONS.values()}
    assert not loaded & {one.module.replace(".study", ".run") for one in QUESTIONS.values()}


def test_a_study_is_loaded_without_its_simulation() -> None:
    loaded = loaded_by("from advisor.studies import STUDIES; list(STUDIES.values())")
    assert {one.module for one in QUESTIONS.values()} <= loaded
    assert not loaded & {one.module.replace(".study", ".check") for one in QUESTIONS.values()}
    assert "scipy" not in loaded


def test_studies_that_take_the_same_file_share_its_option(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [option.name for option in file_options()]
    again = FileOption("data", "measurements", "measurements", ("data={file}",))
    monkeypatch.setitem(QUESTIONS, "other", Question("other", "Other", "What?", files=(again,)))
    assert [option.name for option in file_options()] == before


def test_a_question_is_answered_in_the_folder_of_its_name() -> None:
    assert Question("decision-map", "", "").module == "advisor.studies.decision_map.study"
    assert Question("dice", "", "", package="tests.dice").module == "tests.dice.study"


def test_pages_that_a_study_may_have_of_its_name_are_those_of_studies() -> None:
    helped = {path.stem for path in resources.folder("help").glob("*.md")}
    assert {"styles", "mapping", "blocks", "trees", "scaling", "shared_memory"} <= helped
    drawn = {path.stem for path in resources.folder("icons").glob("*.svg")}
    assert {name for name, one in QUESTIONS.items() if one.has_page} <= drawn


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_says_what_it_is_and_its_default_is_allowed(name: str) -> None:
    others = {other.name: other for other in parameters_of(STUDIES[name].record)}
    for one in SETTINGS[name]:
        assert one.help.endswith((".", "?", "…")), one.help
        assert one.default is not dataclasses.MISSING, one.name
        assert parsed(one, written(one.default)) == one.default, one.name
        for other, values in one.only.items():
            allowed = others[other].choices
            assert not allowed or set(values) <= set(allowed), one.name


@pytest.mark.parametrize("name", SETTINGS)
def test_a_number_out_of_its_range_is_refused_with_the_range(name: str) -> None:
    for one in SETTINGS[name]:
        if one.kind in {int, float}:
            expect_refused_beyond_its_range(one)


def expect_refused_beyond_its_range(one: Parameter) -> None:
    for end, step in ((one.low, -1.0), (one.high, 1.0)):
        beyond = end + step * max(1.0, abs(end)) if math.isfinite(end) else math.copysign(end, step)
        text = str(int(beyond)) if one.kind is int and math.isfinite(beyond) else str(beyond)
        with pytest.raises(InputError) as refused:
            parsed(one, text)
        assert f"setting {one.name}" in str(refused.value)
    with pytest.raises(InputError, match="this is no"):
        parsed(one, "many")
