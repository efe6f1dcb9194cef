"""The users' questions, one file each; `advisor.studies.questions` lists them.

A study's file is imported when the study is asked for, not with the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from advisor.studies.parameters import parameter, parameters_of, parse_settings
from advisor.studies.questions import QUESTIONS, Question
from advisor.studies.study import (
    Check,
    CheckProgress,
    Note,
    Series,
    Study,
    StudyProgress,
    StudyResult,
    Table,
)


class _Studies(Mapping[str, Study]):
    """Name → study, in the order of the questions."""

    def __getitem__(self, name: str) -> Study:
        question = QUESTIONS[name]
        file = import_module(f"advisor.studies.{question.name.replace('-', '_')}.run")
        study: Study = file.STUDY
        return study

    def __iter__(self) -> Iterator[str]:
        return iter(QUESTIONS)

    def __len__(self) -> int:
        return len(QUESTIONS)


STUDIES: Mapping[str, Study] = _Studies()

__all__ = [
    "QUESTIONS",
    "STUDIES",
    "Check",
    "CheckProgress",
    "Note",
    "Question",
    "Series",
    "Study",
    "StudyProgress",
    "StudyResult",
    "Table",
    "parameter",
    "parameters_of",
    "parse_settings",
]
