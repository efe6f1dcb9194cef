"""The JSON of the trees study: beside that of any study, the tree that it chose."""

from __future__ import annotations

from advisor.allocation.problem import Problem
from advisor.studies.study import StudyResult
from advisor.trees.picture import TreePicture
from advisor.trees.tree_file import tree_report


def chosen(result: StudyResult, _problem: Problem | None) -> dict[str, object]:
    """Under "tree" the best one, as `export` and the study itself read it."""
    picture = result.picture(TreePicture)
    return (
        {} if picture is None else {"tree": tree_report(picture.chosen.tree, picture.chosen.name)}
    )
