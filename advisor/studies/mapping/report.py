"""The JSON of the mapping study: beside that of any study, the mapping that it chose."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.messages.mapping.mapping_file import mapping_report
from advisor.messages.mapping.picture import MappingPicture
from advisor.studies.study import StudyResult


def chosen(result: StudyResult, _problem: Problem | None) -> dict[str, object]:
    """Under "mapping" the best one, as `export` and the study itself read it."""
    picture = result.picture(MappingPicture)
    return {} if picture is None else {"mapping": mapping_report(picture)}
