"""Every lesson says what is missing, finds the right answer right, and near misses wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import pytest

from advisor.lessons import LESSONS, State, Verdict
from advisor.lessons.lesson import answered
from advisor.project.examples import load_example
from advisor.project.project import Project
from advisor.studies import STUDIES, parameters_of
from advisor.studies.study import StudyResult
from machines import Contender

OPENED = load_example("two-machines")


@lru_cache
def _answered(study: str, values: frozenset[tuple[str, object]]) -> StudyResult:
    return answered(study, dict(values))


def answered_once(study: str, values: Mapping[str, object], **other: object) -> StudyResult:
    """As `answered`: near misses are compared with the same answers."""
    return _answered(study, frozenset({**values, **other}.items()))


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("messages", "scaling", "shared_memory", "trees"):
        monkeypatch.setattr(f"advisor.lessons.{name}.answered", answered_once)


def busy(contenders: int, compute: float = 1.0) -> Project:
    some = tuple(Contender(f"c{k}", compute) for k in range(contenders))
    machines = tuple(
        replace(one, contenders=some) if one.name == "M1" else one
        for one in OPENED.platform.machines
    )
    return replace(OPENED, platform=replace(OPENED.platform, machines=machines))


def checked(name: str, **changes: object) -> Verdict:
    """The verdict on a study's form as the lesson opens it, some values changed."""
    lesson = LESSONS[name]
    record = STUDIES[lesson.study].record(**lesson.settings)
    values: Mapping[str, object] = {
        one.name: getattr(record, one.name) for one in parameters_of(type(record))
    }
    return lesson.check(State(OPENED, {**values, **changes}))


@pytest.mark.parametrize(
    ("contenders", "right", "said"),
    [
        (0, False, "no contenders yet"),
        (1, False, "add more"),
        (2, True, "38.0 s, both on M1 48.0 s"),  # Figueira & Berman 1996, Table 3
        (3, False, "With one contender less"),
    ],
)
def test_load_moves_a_task(contenders: int, right: bool, said: str) -> None:
    verdict = LESSONS["slowdown"].check(State(busy(contenders)))
    assert (verdict.right, said in verdict.words) == (right, True), verdict.words


def test_another_project_is_not_the_example() -> None:
    verdict = LESSONS["slowdown"].check(State(load_example("campaign")))
    assert not verdict.right
    assert "Open the example" in verdict.words


@pytest.mark.parametrize(
    ("name", "changes", "right", "said"),
    [
        ("messages", {}, False, "compute longer"),
        ("messages", {"computation": 1500.0}, True, "leave each other alone"),
        ("messages", {"computation": 3000.0}, False, "compute less"),
        ("messages", {"computation": 1500.0, "pattern": "diamond"}, False, "pattern"),
        ("trees", {}, False, "Choose the shape balanced"),
        ("trees", {"shape": "balanced", "fanout": 16}, False, "one after the other"),
        ("trees", {"shape": "balanced", "fanout": 8}, False, "internal processes instead of 72"),
        ("scaling", {}, False, "still take what they did"),
        ("scaling", {"demands": "5x40, 80"}, True, "81.5 to 162"),
        ("scaling", {"demands": "20, 4x40, 160"}, False, "always busy"),
        ("scaling", {"demands": "5x40, 10"}, False, "half at most"),
        ("scaling", {"demands": "4x40, 80"}, False, "6 stages"),
        ("scaling", {"demands": "5x20, 160"}, False, "one stage"),
        ("shared_memory", {}, False, "none yet"),
        ("shared_memory", {"protocol": 0.2}, True, "more than with any other"),
        ("shared_memory", {"lock": 0.2}, False, "gives more"),
        ("shared_memory", {"lock": 0.2, "protocol": 0.2}, False, "Change one parameter"),
        ("shared_memory", {"protocol": 2.0}, False, "between 0 and 1"),
        ("shared_memory", {"target": 0.5, "protocol": 0.2}, False, "target"),
    ],
)
def test_a_study_is_judged_by_its_own_answers(
    name: str, changes: dict[str, object], right: bool, said: str
) -> None:
    verdict = checked(name, **changes)
    assert (verdict.right, said in verdict.words) == (right, True), verdict.words


def test_of_all_balanced_trees_one_number_of_processes_is_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fastest(study: str, values: Mapping[str, object], **other: object) -> StudyResult:
        # it has its own fan-outs: searched once, not for each that is asked about
        return answered_once(study, values, **other, fanout=2)

    alone = [checked("trees", shape="balanced", fanout=k) for k in (2, 8, 32)]
    monkeypatch.setattr("advisor.lessons.trees.answered", fastest)
    found = {k: checked("trees", shape="balanced", fanout=k) for k in range(2, 33)}
    right = [verdict for verdict in found.values() if verdict.right]
    assert right
    assert all("Right" in verdict.words for verdict in right)
    assert [found[k] for k in (2, 8, 32)] == alone


def test_a_form_with_a_wrong_entry_is_not_judged() -> None:
    verdict = LESSONS["trees"].check(State(OPENED, None))
    assert not verdict.right
    assert "mend it first" in verdict.words
