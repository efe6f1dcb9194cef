"""The user's questions, one file each; this registry is the one place that lists them."""

from __future__ import annotations

from advisor.studies import (
    allocation,
    blocks,
    contention_ways,
    decision_map,
    mapping,
    scaling,
    styles,
)
from advisor.studies.study import (
    Check,
    CheckProgress,
    Note,
    Series,
    Study,
    StudyProgress,
    StudyResult,
    Table,
    parameter,
    parameters_of,
    parse_settings,
)

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        allocation.STUDY,
        decision_map.STUDY,
        styles.STUDY,
        mapping.STUDY,
        blocks.STUDY,
        contention_ways.STUDY,
        scaling.STUDY,
    )
}

__all__ = [
    "STUDIES",
    "Check",
    "CheckProgress",
    "Note",
    "Series",
    "Study",
    "StudyProgress",
    "StudyResult",
    "Table",
    "parameter",
    "parameters_of",
    "parse_settings",
]
