"""What a lesson is: what it opens, what it asks, and how it judges what the reader has then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from advisor.project.project import Project
from advisor.studies import STUDIES
from advisor.studies.study import StudyResult


@dataclass(frozen=True)
class Verdict:
    """Whether the question is answered, and in a sentence why."""

    right: bool
    words: str


@dataclass(frozen=True)
class State:
    """What the reader has: the open project, and the values in the form of the lesson's study.

    `values`: of all fields; None: one of them is wrong, or there is no study.
    """

    project: Project
    values: Mapping[str, object] | None = None


@dataclass(frozen=True)
class Lesson:
    """One question.

    `name`: also of its page in Help, `lesson-NAME.md`.
    `title`, `paper`, `question`: for people.
    `example`: the example that it opens; empty: it is on a study.
    `study`, `settings`: the study that it opens, with values other than the study's own.
    `asked`: fields of the study that may be changed.
    `judge`: what the reader has → the verdict.
    """

    name: str
    title: str
    paper: str
    question: str
    judge: Callable[[State], Verdict]
    example: str = ""
    study: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    asked: tuple[str, ...] = ()

    def check(self, state: State) -> Verdict:
        """Judge what the reader has now."""
        if self.study and state.values is None:
            return Verdict(False, "An entry of the form is wrong: mend it first.")
        others = [name for name in self.changed(state) if name not in self.asked]
        if others:
            return Verdict(False, f"Change only what is asked for: {others[0]} is another, too.")
        return self.judge(state)

    def changed(self, state: State) -> list[str]:
        """Fields of the study that differ from what the lesson opened."""
        if state.values is None:
            return []
        record = STUDIES[self.study].record(**self.settings)
        return [name for name, value in state.values.items() if value != getattr(record, name)]


def answered(study: str, values: Mapping[str, object], **other: object) -> StudyResult:
    """The answer of a study to values, some of them replaced."""
    found = STUDIES[study]
    return found.run(found.record(**{**values, **other}))


def figure(result: StudyResult, name: str) -> float:
    """A fact of an answer by its name."""
    return float(next(one.value for one in result.facts if one.name == name))
