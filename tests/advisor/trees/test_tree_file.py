"""Trees from files of any of the three kinds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.models.process_tree import Tree, knomial
from advisor.trees.tree_file import read_tree, tree_report
from machines import InputError


def test_what_the_study_prints_is_read(tmp_path: Path) -> None:
    tree = knomial(9, 3, 2)
    report = {"study": "trees", "tree": tree_report(tree, "9 processes, each with 2")}
    (tmp_path / "t.json").write_text(json.dumps(report))
    found = read_tree(tmp_path / "t.json")
    assert found.tree.is_like(tree)
    assert (found.name, found.placed, found.warnings) == ("9 processes, each with 2", None, ())


def test_a_topology_brings_its_hosts_and_warnings(tmp_path: Path) -> None:
    (tmp_path / "t.top").write_text("a:0 => b:0 b:7 ;\r\n", newline="")
    found = read_tree(tmp_path / "t.top")
    assert found.tree.is_like(Tree((2, 0, 0)))
    assert found.placed is not None
    assert found.placed.names() == ["a:0", "b:0", "b:7"]
    assert found.name == "t.top"
    assert any("carriage" in one for one in found.warnings)


def test_a_specification_is_read(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("b:2x3\n")
    assert read_tree(tmp_path / "s").tree.back_ends == 6
    assert read_tree(tmp_path / "s").name == "b:2x3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t: there is no tree in it. Give what `placewise study trees --json` printed"),
        ("hello", "there is no tree in it"),
        ("{}", "t: there is no tree in it"),
        ('{"tree": 3}', "there is no tree in it"),
        ('{"tree": {}}', "t: tree: spec is missing"),
        ('{"tree": {"spec": 4}}', "t: tree: spec must be a text"),
        ('{"tree": {"spec": "g:2:9,9,9"}}', "t: tree: spec, level 2: 3 entries for 2"),
        ('{"tree":', "t: "),
        ("g:2:x", "t, level 2, entry 1: this is no number"),
        ("a:0 => b ;", "t: line 1, column 8: a process needs its index"),
        ("a:0 ;", "t: a front-end alone is no tree"),
    ],
)
def test_what_holds_no_tree_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t").write_text(text)
    with pytest.raises(InputError, match=message):
        read_tree(tmp_path / "t")
