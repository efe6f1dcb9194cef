"""Exporting what a plan decides on the command line: mappings, trees, and everything at once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.commands.inputs import plan_from
from advisor.export.export_record import PLAN
from advisor.export.plan_json import EXPORT as PLAN_JSON
from advisor.export.process_placement import MAPPING
from advisor.export.registry import exports_of
from advisor.export.tree_on_hosts import TREE
from advisor.project.project_file import write_project
from advisor.trees.topology_file import read_topology
from machines import PlacewiseError
from tests.advisor.commands.asking import Capture, answer
from tests.advisor.export.decided import decided
from tests.choosing import choosing
from tests.conftest import two_machines


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_project(replace(choosing(), plan=decided().plan), "p.placewise")
    write_project(two_machines(), "plain.placewise")
    Path("h").write_text("node[01-32]\n")


def export(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    return answer(capsys, "export", "p.placewise", *arguments)


def test_a_tasks_mapping_is_exported_on_hosts_of_the_user(capsys: Capture) -> None:
    to = ("--to", "openmpi-rankfile", "--task", "spectra", "--output", "r")
    status, out, err = export(capsys, *to, "--hosts", "h")
    assert (status, err) == (0, "")
    assert "-rf r PROGRAM" in out
    lines = Path("r").read_text().splitlines()
    assert (lines[0], lines[31]) == ("rank 0=node32 slot=0", "rank 31=node01 slot=0")


def test_without_hosts_they_are_called_after_the_machine_and_that_is_said(capsys: Capture) -> None:
    to = ("--to", "slurm-hostlist", "--task", "align", "--output", "s")
    status, _, err = export(capsys, *to)
    assert status == 0
    assert "The hosts direct-0, … are made up" in err
    assert Path("s").read_text().startswith("direct-0\ndirect-1\n")


def test_the_only_overlay_needs_no_name(capsys: Capture) -> None:
    for more in ((), ("--overlay", "monitor")):
        assert export(capsys, "--to", "mrnet", "--output", "o.top", *more)[0] == 0
        names = read_topology("o.top").names
        assert names[:3] == (("login", 0), ("svc", 0), ("svc", 1))
        assert len(names) == 1 + 8 + 64


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "mpich-hostfile"), "the plan has several tasks with a mapping (got 2). Give "
         "--task NAME: spectra, align"),
        (("--to", "mpich-hostfile", "--task", "report"), "--task: the plan has no task of that "
         "name with a mapping (got 'report')"),
        (("--to", "mrnet", "--overlay", "monitr"), 'Did you mean "monitor"?'),
        (("--to", "mrnet", "--task", "spectra"), "--task: this names the task whose mapping is "
         "exported (got 'spectra'). Formats of a mapping: openmpi-rankfile"),
        (("--to", "csv", "--overlay", "monitor"), "--overlay: this names the overlay whose tree"),
        (("--to", "all", "--task", "spectra"), "--task: this names the task"),
        (("--to", "all", "--hosts", "h"), "--hosts: all names the nodes of every machine itself"),
    ],
)  # fmt: skip
def test_what_is_meant_must_be_clear(
    arguments: tuple[str, ...], message: str, capsys: Capture
) -> None:
    status, out, err = export(capsys, *arguments, "--output", "o")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not Path("o").exists()


def test_a_plan_without_programs_or_overlays_says_what_would_have_them(capsys: Capture) -> None:
    for name, message in (("mrnet", "Give the workload an [[overlay]]"),
                          ("mapping-csv", "Only programs of messages")):  # fmt: skip
        status, _, err = answer(capsys, "export", "plain.placewise", "--to", name, "--output", "o")
        assert status == 2
        assert message in err


def test_everything_goes_into_a_new_folder_with_a_list(capsys: Capture) -> None:
    status, out, err = export(capsys, "--to", "all", "--output", "new/all")
    assert (status, err) == (0, "")
    assert out == Path("new/all/contents.txt").read_text(encoding="utf-8")
    assert json.loads(Path("new/all/plan.json").read_text())["choices"]["align"] == {
        "block": 16, "mapping": "snake",
    }  # fmt: skip
    each = {kind: len(exports_of(kind)) for kind in (PLAN, MAPPING, TREE)}
    # the list, two tasks, one overlay whose processes share hosts, which Flux can't
    expected = 1 + each[PLAN] + 2 * each[MAPPING] + each[TREE] - 1
    assert len(list(Path("new/all").iterdir())) == expected
    assert sorted(path.name for path in Path().iterdir()) == ["h", "new", "p.placewise",
                                                              "plain.placewise"]  # fmt: skip


def test_a_folder_that_is_in_use_is_refused_and_stays(capsys: Capture) -> None:
    Path("used").mkdir()
    Path("used/mine").write_text("mine")
    status, out, err = export(capsys, "--to", "all", "--output", "used")
    assert (status, out) == (2, "")
    assert "used: this folder is not empty. Name a new folder" in err
    assert [path.name for path in Path("used").iterdir()] == ["mine"]


def test_a_mapping_has_no_everything(capsys: Capture) -> None:
    Path("t").write_text("b:2^2\n")
    status, _, err = answer(capsys, "export", "t", "--to", "all", "--output", "o")
    assert status == 2
    assert "it holds a tree, and all is for a plan" in err


def test_the_plan_in_json_keeps_all_decisions_and_is_predicted_alike(capsys: Capture) -> None:
    assert export(capsys, "--to", "json", "--output", "plan.json")[0] == 0
    planned = decided()
    project = choosing()
    again = plan_from(json.loads(Path("plan.json").read_text()), "plan.json", project.problem())
    assert again == replace(planned.plan, order=again.order)


def test_a_plan_whose_decisions_were_lost_is_not_written() -> None:
    planned = decided()
    text = PLAN_JSON.text(planned)
    lost = json.loads(text)
    del lost["overlays"]
    broken = replace(PLAN_JSON, render=lambda _planned: json.dumps(lost))
    with pytest.raises(PlacewiseError, match="does not hold this plan"):
        broken.text(planned)
