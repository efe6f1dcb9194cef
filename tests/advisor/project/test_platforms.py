"""Machines from any file that describes some, told by its content; a new kind is one line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from advisor.project import kinds, opening, platforms
from advisor.project.project_file import write_project
from advisor.project.workload_file import write_workload
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run as mapping
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run as scaling
from advisor.studies.trees.candidates import own_tree
from advisor.studies.trees.parameters import TreesParameters
from machines import InputError, Machine, catalogue
from machines.formats.platform_toml import write_platform
from tests.advisor.commands.asking import Capture, answer
from tests.advisor.project.sources.small_files import GRAPHML
from tests.conftest import cluster, two_machines
from tests.dummies.importer.hosts_text import READER

WORKFLOW = {
    "name": "w",
    "schemaVersion": "1.4",
    "workflow": {
        "machines": [{"nodeName": "n1", "cpu": {"coreCount": 4}}, {"nodeName": "n2"}],
        "tasks": [{"name": "a", "runtimeInSeconds": 1.0}],
    },
}


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file for the made-up importer, and its one line."""
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, READER))
    Path("site").write_text("#hosts\nM1 2\nM2 1\n")
    return Path("site")


def test_a_platform_a_project_and_a_workflow_describe_machines() -> None:
    project = cluster()
    write_platform(project.platform, "p.toml")
    write_project(project, "any.name")
    Path("w.json").write_text(json.dumps(WORKFLOW))
    Path("w.json.gz").write_bytes(gzip.compress(json.dumps(WORKFLOW).encode()))
    assert platforms.read_machines("p.toml").platform == project.platform
    assert platforms.read_machines("any.name").platform == project.platform
    for name in ("w.json", "w.json.gz"):
        found = platforms.read_machines(name)
        assert found.platform.machines == (Machine("n1", 4), Machine("n2"))
        assert "can't exchange data" in found.warnings[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", r"x: this looks like text of no known kind"),
        ("hello = \n", r"x: not valid TOML"),
        (
            'format = "placewise-workload"\nversion = 1\n',
            "is Placewise workload",
        ),
        ('{"workflow": {"tasks": []}, "schemaVersion": "9"}', "x: WfFormat: unknown schemaVersion"),
        ('{"workflow": {"tasks": [{"name": "a"}]}, "schemaVersion": "1.4"}', "lists no machines"),
        ("a: 1\nb:\n- 2\n", "x: this looks like YAML of no known kind"),
        ("%PDF-1.4 a", "x: this looks like a PDF"),
    ],
)
def test_what_describes_none_is_told_with_its_file(text: str, message: str) -> None:
    Path("x").write_text(text)
    with pytest.raises(InputError, match=message):
        platforms.read_machines("x")


def test_a_name_of_the_catalogue_stands_for_its_machines() -> None:
    found = platforms.find_machines("cluster", Path("cluster"))
    assert found.platform == catalogue.load("cluster")
    write_platform(two_machines().platform, "cluster")
    assert len(platforms.find_machines("cluster", Path("cluster")).platform.machines) == 2


def test_machines_of_a_project_take_the_place_of_others() -> None:
    write_project(cluster(), "c.placewise")
    Path("w.json").write_text(json.dumps(WORKFLOW))
    made = opening.with_platform(cluster(2), "c.placewise")
    assert (made.project.platform, made.notes) == (cluster().platform, ())
    assert opening.with_platform(opening.first_project(), "w.json").notes


def test_a_new_importer_is_asked_when_a_file_is_opened(hosts: Path) -> None:
    opened = opening.open_file(hosts)
    assert opened.kind == opening.PLATFORM
    assert [machine.cores for machine in opened.project.platform.machines] == [2, 1]
    assert opened.notes[0] == "A text of hosts says no speeds."
    assert "machines only" in opened.notes[1]


def test_a_new_importer_is_asked_when_machines_are_imported(hosts: Path) -> None:
    made = opening.with_platform(two_machines(), hosts)
    assert [machine.name for machine in made.project.platform.machines] == ["M1", "M2"]
    assert made.notes == ("A text of hosts says no speeds.",)
    assert ".hosts" in kinds.suffixes()


def test_a_new_importer_is_asked_by_the_command_line(hosts: Path, capsys: Capture) -> None:
    write_workload(two_machines().workload, "w.toml")
    Path("a.json").write_text('{"A": "M1", "B": "M1"}')
    asked = ("predict", "w.toml", "--platform", "site", "--allocation", "a.json")
    status, out, err = answer(capsys, *asked)
    assert status == 0
    assert "A text of hosts says no speeds." in err
    hosts.write_text("#hosts\nM1 many\n")
    status, out, err = answer(capsys, *asked)
    assert (status, out) == (2, "")
    assert "site: line 2: expected NAME CORES (got 'M1 many')" in err


def test_a_file_of_another_kind_is_named_by_its_content(tmp_path: Path) -> None:
    file = tmp_path / "graph"
    file.write_text(GRAPHML)
    said = r"graph: the content is GraphML \(tasks\), not "
    with pytest.raises(InputError, match=said + "machines. File › Import"):
        platforms.read_machines(file)
    with pytest.raises(InputError, match=said + "measurements by processors"):
        scaling(ScalingParameters(source="data", data=str(file)))
    with pytest.raises(InputError, match=said + "bytes between processes"):
        mapping(MappingParameters(pattern="file", file=str(file)))
    with pytest.raises(InputError, match=said + "a tree of processes"):
        own_tree(TreesParameters(own=str(file)))
