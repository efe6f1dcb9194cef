"""Every value of every file replaced by one of another kind: told as an InputError, never else."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.commands.inputs import plan_from, read_planned
from advisor.messages.mapping.mapping_file import mapping_of
from advisor.project.project_file import dump_project, project_from
from advisor.project.wfformat.wfformat_reader import machines_from
from advisor.project.wfformat.wfformat_reader import workload_from as wfformat_from
from advisor.project.workload_file import workload_from
from advisor.scaling.extrap_file import recorded_by_extrap
from advisor.shared_memory.application_file import application_from
from advisor.trees.tree_file import tree_of
from machines import PlacewiseError
from machines.catalogue import interconnect
from machines.formats.network_table import interconnect_from, interconnect_table
from machines.formats.platform_toml import platform_from
from tests.advisor.commands.asking import PLATFORM, WORKLOAD
from tests.conftest import two_machines

OTHERS: tuple[object, ...] = (None, True, -1.5, "", "elsewhere", [], [[]], {}, {"a": [None]})
PLAN = {
    "format": "placewise-plan", "version": 1, "allocation": {"A": "M1", "B": "M2"},
    "order": ["A", "B"], "strategy": "heft", "processors": {}, "model": "exact",
    "sharing": "fair", "sources": {"workload": "w.toml", "platform": "p.toml"},
}  # fmt: skip
OLD_LOG = {
    "name": "w", "schemaVersion": "1.4", "workflow": {
        "tasks": [
            {"name": "a", "id": "1", "category": "c", "runtimeInSeconds": 3, "cores": 1,
             "children": ["b"], "command": {"program": "a"},
             "files": [{"name": "f", "link": "output", "sizeInBytes": 3, "path": "/x"}]},
            {"name": "b", "parents": ["1"], "files": [{"name": "f", "link": "input"}]},
        ],
        "machines": [{"nodeName": "n", "memory": 3, "cpu": {"speed": 3, "count": 2}}],
    },
}  # fmt: skip
LOG = {
    "name": "w", "schemaVersion": "1.5", "workflow": {
        "specification": {
            "tasks": [
                {"name": "a", "id": "1", "children": ["2"], "outputFiles": ["f"]},
                {"name": "b", "id": "2", "parents": ["1"], "inputFiles": ["f"]},
            ],
            "files": [{"id": "f", "sizeInBytes": 3}],
        },
        "execution": {
            "tasks": [{"id": "1", "runtimeInSeconds": 3, "coreCount": 1, "machines": ["n"]}],
            "machines": [{"nodeName": "n", "cpu": {"coreCount": 2, "speedInMHz": 3}}],
        },
    },
}  # fmt: skip
APPLICATION = tomllib.loads("""
name = "heat"
sequential_us = 2.4e6
networks = ["lan"]
[[operation]]
name = "diff"
kind = "fault"
parts = 1
request = 12
reply = 4120
[operation.measured.lan]
parts = 2
[[phase]]
name = "step"
repeat = 10
load = [{ processors = [0], busy_us = 11_000, counts = { diff = 2 } }]
""")
MAPPING = {
    "format": "placewise-mapping", "version": 1, "order": "x", "nodes": [0, 1],
    "network": {"kind": "mesh", "dims": [2], "cores": 1}, "labels": ["a", "b"],
    "flows": {"from": [0], "to": [1], "bytes": [3]},
}  # fmt: skip
EXTRAP = {
    "parameters": ["p"],
    "measurements": {"main": {"time": [{"point": [2], "values": [51.9, 52]}]}},
}
OLD_EXTRAP = {
    "parameters": [{"id": 1, "name": "p"}], "callpaths": [{"id": 1, "name": "main"}],
    "metrics": [{"id": 1, "name": "time"}],
    "coordinates": [
        {"id": 1, "parameter_value_pairs": [{"parameter_id": 1, "parameter_value": 2.0}]}
    ],
    "measurements": [
        {"id": 1, "callpath_id": 1, "metric_id": 1, "coordinate_id": 1, "value": 3.0}
    ],
}  # fmt: skip


def _project() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(dump_project(two_machines(1)))
    document["pins"] = [{"name": "before", **document["plan"]}]
    document["plan"] |= {"order": ["A", "B"], "processors": {}}
    return document


def _problem_plan(document: object) -> object:
    return plan_from(document, "plan.json", two_machines().problem())


def _wfformat(document: object) -> object:
    return wfformat_from(document), machines_from(document)


DOCUMENTS: dict[str, tuple[object, Callable[[Any], object]]] = {
    "platform": (tomllib.loads(PLATFORM), platform_from),
    "workload": (tomllib.loads(WORKLOAD), workload_from),
    "project": (_project(), project_from),
    "plan": (PLAN, _problem_plan),
    "old log": (OLD_LOG, _wfformat),
    "log": (LOG, _wfformat),
    "application": (APPLICATION, application_from),
    "mapping": (MAPPING, mapping_of),
    "network": (interconnect_table(interconnect("alewife-0")), interconnect_from),
    "Extra-P": (EXTRAP, lambda document: recorded_by_extrap(json.dumps(document), None, "x")),
    "old Extra-P": (
        OLD_EXTRAP,
        lambda document: recorded_by_extrap(json.dumps(document), None, "x"),
    ),
    "tree": ({"tree": {"name": "t", "spec": "b:2^2"}}, tree_of),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The keys on the way to every value inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from places(each, (*path, key))


def changed(document: object, path: tuple[Any, ...], change: Callable[[Any, Any], None]) -> object:
    """A copy in which `change(container, key)` was made at the end of a path."""
    made: Any = copy.deepcopy(document)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return made


def variants(document: object) -> Iterator[tuple[tuple[Any, ...], object, object]]:
    """Every place with each other value, and without any."""
    for path in places(document):
        for other in OTHERS:
            yield path, other, changed(document, path, lambda at, key, v=other: _put(at, key, v))
        yield path, "left out", changed(document, path, lambda at, key: at.pop(key))


def _put(container: Any, key: Any, value: object) -> None:
    container[key] = value


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_value_of_another_kind_is_told_and_raises_nothing_else(name: str) -> None:
    document, read = DOCUMENTS[name]
    read(document)  # as it is, it can be read
    refused = 0
    for path, other, made in variants(document):
        try:
            read(made)
        except PlacewiseError:
            refused += 1
        except Exception as error:  # noqa: BLE001 - there must be none
            pytest.fail(f"{path} = {other!r}: {error!r}")
    assert refused > len(OTHERS)


@pytest.mark.parametrize("source", [["w.toml"], {}, 3, True, "x" * 5000, "a\0b"])
@pytest.mark.parametrize("key", ["workload", "platform"])
def test_a_source_that_is_no_name_of_a_file_is_told(
    tmp_path: Path, key: str, source: object
) -> None:
    (tmp_path / "w.toml").write_text(WORKLOAD, encoding="utf-8")
    (tmp_path / "p.toml").write_text(PLATFORM, encoding="utf-8")
    path = tmp_path / "plan.json"
    sources = {"workload": "w.toml", "platform": "p.toml"}
    path.write_text(json.dumps(PLAN | {"sources": sources}), encoding="utf-8")
    assert read_planned(str(path), None, None)[1].allocation == (0, 1)
    path.write_text(json.dumps(PLAN | {"sources": sources | {key: source}}), encoding="utf-8")
    with pytest.raises(PlacewiseError):
        read_planned(str(path), None, None)
