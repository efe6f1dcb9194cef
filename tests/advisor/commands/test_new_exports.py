"""An export of any kind is a file and a line: the command line finds it by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.export.registry import EXPORTS
from advisor.messages.mapping.mapping_file import FORMAT, VERSION
from advisor.project.project_file import write_project
from tests.advisor.commands.asking import Capture, answer
from tests.conftest import two_machines
from tests.dummies.export import mapping_text, plan_text, tree_text

MAPPING = {
    "format": FORMAT,
    "version": VERSION,
    "network": {"kind": "mesh", "dims": [2]},
    "nodes": [1, 0],
}


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file of each kind, and the three lines."""
    monkeypatch.chdir(tmp_path)
    write_project(two_machines(), "p.placewise")
    Path("m.json").write_text(json.dumps({"mapping": MAPPING}))
    Path("t").write_text("b:2^2\n")
    Path("h").write_text("a:4\nb:4\n")
    for dummy in (plan_text, mapping_text, tree_text):
        monkeypatch.setitem(EXPORTS, dummy.EXPORT.name, dummy.EXPORT)


def export(capsys: Capture, file: str, name: str, *more: str) -> tuple[int, str, str]:
    return answer(capsys, "export", file, "--to", name, "--output", "o", *more)


def test_a_plan_is_exported(capsys: Capture) -> None:
    assert export(capsys, "p.placewise", "plan-text") == (0, "", "")
    assert Path("o").read_text() == "16.0\n"


def test_a_mapping_is_exported_and_its_use_told(capsys: Capture) -> None:
    status, out, err = export(capsys, "m.json", "mapping-text", "--hosts", "h", "--cores", "2")
    assert (status, out) == (0, "dummyrun --line o\n")
    assert "dummyrun knows 2 ranks." in err
    assert Path("o").read_text() == "a a\n"


def test_a_tree_is_exported(capsys: Capture) -> None:
    assert export(capsys, "t", "tree-text") == (0, "", "")
    assert Path("o").read_text() == "2 2 2 0 0 0 0\n"


def test_what_reads_back_differently_is_not_written(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lying = replace(mapping_text.EXPORT, render=lambda placement: "c d\n")
    monkeypatch.setitem(EXPORTS, lying.name, lying)
    status, out, err = export(capsys, "m.json", "mapping-text", "--hosts", "h")
    assert (status, out) == (2, "")
    assert "the Hosts on one line does not hold this mapping" in err
    assert not Path("o").exists()


@pytest.mark.parametrize(
    ("file", "first", "others"),
    [
        (
            "p.placewise",
            "Formats of a plan: json, ",
            "; of a tree: mrnet, stat, flux, prrte, tree-text",
        ),
        (
            "m.json",
            "Formats of a mapping: openmpi-rankfile, ",
            "simgrid-platform, plan-text; of a tree",
        ),
        (
            "t",
            "Formats of a tree: mrnet, stat, flux, prrte, tree-text; of a plan",
            "mapping-csv, mapping-text",
        ),
        ("h", "Formats of a plan: json, ", "; of a mapping: "),
        ("nowhere", "Formats of a plan: json, ", "; of a mapping: "),
    ],
)
def test_an_unknown_format_lists_all_by_kind_that_of_the_file_first(
    file: str, first: str, others: str, capsys: Capture
) -> None:
    status, _, err = export(capsys, file, "plan-txt")
    assert status == 2
    assert "unknown format (got 'plan-txt'). " + first in err
    assert others in err


@pytest.mark.parametrize(
    ("file", "name", "message"),
    [
        ("m.json", "plan-text", "it holds a mapping, and plan-text is a format of a plan"),
        ("p.placewise", "tree-text", "export tree-text: the plan has no overlay with a tree"),
        ("t", "mapping-text", "Formats of a tree: mrnet, stat, flux, prrte, tree-text"),
        ("m.json", "mapping-text", "export mapping-text: a mapping needs the hosts"),
        ("h", "tree-text", "there is no tree in it"),
    ],
)
def test_a_format_of_another_kind_is_refused_with_those_that_fit(
    file: str, name: str, message: str, capsys: Capture
) -> None:
    status, out, err = export(capsys, file, name)
    assert (status, out) == (2, "")
    assert message in err
    assert not Path("o").exists()


def test_ranks_keep_the_order_of_the_tree_with_even_indices(capsys: Capture) -> None:
    Path("t").write_text("b:12\n")
    Path("h").write_text("a:20\n")
    assert "another rank" in export(capsys, "t", "mrnet", "--hosts", "h")[2]
    assert (
        "another rank"
        not in export(capsys, "t", "mrnet", "--hosts", "h", "--first-index", "even")[2]
    )
    assert Path("o").read_text().splitlines()[1] == "a:10 =>"
    assert "no whole number" in export(capsys, "t", "mrnet", "--first-index", "odd")[2]
