"""The users' questions, one folder each; `advisor.project.questions` lists them.

A folder has the parameter record (`parameters`), the pure answer (`run`), its curves and tables
(`views`), where it can be simulated the simulation (`check`), and what joins them (`study`). It is
imported when the study is asked for, not with the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from advisor.project.questions import QUESTIONS, FileOption, Question
from advisor.studies.facts import Fact
from advisor.studies.parameters import parameter, parameters_of, parse_settings
from advisor.studies.study import (
    Check,
    CheckOf,
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
        study: Study = import_module(QUESTIONS[name].module).STUDY
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
    "CheckOf",
    "CheckProgress",
    "Fact",
    "FileOption",
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
