"""The JSON of the trees study: the tree that was chosen, as a file that the study reads again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.export.json_answer import as_json
from advisor.studies import STUDIES, StudyResult, parse_settings
from advisor.studies.study_json import study_report
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.run import run
from advisor.trees.tree_file import read_tree
from advisor.trees.tree_picture import TreePicture
from tests.advisor.studies.trees.by_hand import case_of


def at_once(*settings: str) -> StudyResult:
    return run(parse_settings(TreesParameters, settings), None, lambda: True)


@pytest.mark.parametrize("shape", ["knee", "optimal", "flat", "balanced", "levels", "k-nomial"])
def test_the_json_holds_the_chosen_tree_which_is_the_own_one_of_the_next_question(
    shape: str, tmp_path: Path
) -> None:
    settings = ("back_ends=100", f"shape={shape}")
    result = at_once(*settings)
    path = tmp_path / "answer.json"
    path.write_text(as_json(study_report(STUDIES["trees"], result)), encoding="utf-8")
    chosen = case_of(*settings).chosen
    assert json.loads(path.read_text(encoding="utf-8"))["tree"]["name"] == chosen.name
    assert read_tree(path).tree.is_like(chosen.tree)
    again = case_of("back_ends=100", f"own={path}", "shape=own")
    assert again.chosen.name == "own"
    assert again.chosen.measures == chosen.measures


def test_the_picture_holds_the_trees_of_the_table_with_the_chosen_one() -> None:
    result = at_once("back_ends=20", "shape=levels", "own=b:4x5")
    picture = result.picture(TreePicture)
    assert picture is not None
    assert [one.name for one in picture.trees] == [row[0] for row in result.tables[0].rows]
    assert picture.chosen.name == "levels 4×5"
    assert picture.own is not None
    assert picture.own.tree.fanouts.tolist() == [4, *[5] * 4, *[0] * 20]


def test_an_answer_without_a_picture_has_no_tree() -> None:
    assert "tree" not in study_report(STUDIES["trees"], StudyResult("Nothing."))
