"""The project file: everything comes back, and every defect is told with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import resources
from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project import project_file
from advisor.project.examples import load_example
from advisor.project.project import Pin, Project
from advisor.project.project_file import (
    ProjectTexts,
    dump_project,
    parse_project,
    read_project,
    write_project,
)
from machines import Contender, Direction, InputError, Link, Machine, Platform
from tests.advisor.export.decided import decided
from tests.choosing import choosing

Json = dict[str, object]


def project() -> Project:
    line = Direction(0.001, 1e6)
    platform = Platform(
        "p",
        (Machine("M1", contenders=(Contender("c", 0.5),)), Machine("M2", 2, 1.5)),
        (Link("M1", "M2", line, Direction(0.002, 1e6)),),
    )
    tasks = (Task("A", 1.0), Task("B", seconds=(("M1", 2.0), ("M2", 3.0))), Task('é, "C"', 3.0))
    workload = Workload("w", tasks, (Flow("A", "B", ((2, 10.0),)), Flow("A", tasks[2].name)))
    plan = Plan((0, 1, 1), (0, 2, 1), "heft")
    return Project(platform, workload, plan, "total", "published", (Pin("kept", Plan((0, 0, 0))),))


def test_a_project_is_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.placewise"
    write_project(project(), path)
    assert read_project(path) == project()


def test_the_same_project_gives_the_same_text() -> None:
    text = dump_project(project())
    assert dump_project(parse_project(text)) == text


@pytest.mark.parametrize("name", [one.name for one in resources.examples()])
def test_where_nothing_is_chosen_the_file_is_as_before_there_were_choices(name: str) -> None:
    """Neither key is in a file of version 1, and reading and writing it changes no byte."""
    example = load_example(name)
    text = dump_project(example)
    document = json.loads(text)
    assert set(document["plan"]) <= {"allocation", "order", "strategy", "processors"}
    assert ("overlay" in document["workload"]) is bool(example.workload.overlays)
    assert dump_project(parse_project(text)) == text


def test_a_plan_that_decides_is_written_and_read_back(tmp_path: Path) -> None:
    planned = decided()
    deciding = replace(choosing(), plan=planned.plan, pins=(Pin("kept", planned.plan),))
    write_project(deciding, tmp_path / "a.placewise")
    assert read_project(tmp_path / "a.placewise") == deciding
    document = json.loads((tmp_path / "a.placewise").read_text())
    assert document["plan"]["overlays"] == {"monitor": {"tree": "8x8", "placement": {"svc": 8}}}
    assert document["pins"][0]["choices"]["align"] == {"block": 16, "mapping": "snake"}


def test_what_follows_each_other_is_written_as_if_alone_and_what_is_shared_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = project()
    moved = replace(first, plan=first.plan.moved([0], 1))
    renamed = replace(moved, platform=replace(first.platform, name="other"))
    larger = replace(renamed, workload=replace(first.workload, name="other"))
    expected = [dump_project(one) for one in (first, moved, renamed, larger)]
    written: list[str] = []
    for name in ("platform_table", "workload_table"):
        table = getattr(project_file, name)

        def counted(value: Any, name: str = name, table: Any = table) -> object:
            written.append(name)
            return table(value)

        monkeypatch.setattr(project_file, name, counted)
    texts = ProjectTexts()
    assert [texts.text(one) for one in (first, moved, renamed, larger)] == expected
    assert sorted(written) == ["platform_table"] * 2 + ["workload_table"] * 2


def test_objective_reading_and_pins_may_be_left_out() -> None:
    document = json.loads(dump_project(project()))
    for key in ("objective", "reading", "pins"):
        del document[key]
    found = parse_project(json.dumps(document))
    assert (found.objective, found.reading, found.pins) == ("makespan", "exact", ())


def _put(value: object, *keys: str | int) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        inner: object = document
        for key in keys[:-1]:
            inner = inner[key]  # type: ignore[index]
        inner[keys[-1]] = value  # type: ignore[index]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_put(1, "plans"), 'unknown key "plans".*Did you mean "plan"'),
        (_put("placewise-workload", "format"), "another kind of file"),
        (_put(2, "version"), "a newer Placewise wrote this file.*update it"),
        (_put("speed", "objective"), "unknown objective.*makespan, total"),
        (_put([], "reading"), "unknown reading"),
        (_put(3, "platform"), "platform: this must be a table"),
        (_put(-1, "platform", "machine", 0, "speed"), 'platform: machine "M1": speed is out'),
        (_put(-1, "workload", "task", 0, "work"), 'workload: task "A": work is out of range'),
        (_put(3, "plan"), "plan: this must be a table"),
        (_put([], "plan", "allocation"), "plan: allocation must be a table"),
        (_put("M9", "plan", "allocation", "A"), 'plan: task "A": unknown machine.*M1, M2'),
        (_put({}, "plan", "allocation"), "plan: task .*leaves a task out"),
        (_put(["A"], "plan", "order"), "plan: order: .*every task once"),
        (_put(3, "plan", "order"), "order must be a list of names"),
        (_put(3, "plan", "strategy"), "strategy must be a text"),
        (_put([{"allocation": {}}], "pins"), "pin 1: name must be a text"),
        (_put(3, "pins"), "pins must be a list"),
        (_put("x", "pins", 0, "colour"), 'pin "kept": unknown key "colour"'),
    ],
)
def test_every_defect_is_refused_with_its_place(
    change: Callable[[Json], None], message: str
) -> None:
    document = json.loads(dump_project(project()))
    change(document)
    with pytest.raises(InputError, match=message) as caught:
        parse_project(json.dumps(document), "a.placewise")
    assert str(caught.value).startswith("a.placewise: ")


def test_a_missing_part_is_named() -> None:
    document = json.loads(dump_project(project()))
    del document["workload"]
    with pytest.raises(InputError, match="workload is missing"):
        parse_project(json.dumps(document))


def test_a_file_that_is_no_json_is_no_project(tmp_path: Path) -> None:
    (tmp_path / "a.placewise").write_text("format = 1")
    with pytest.raises(InputError, match="not a Placewise project"):
        read_project(tmp_path / "a.placewise")
