"""The script is complete: it compiles, holds what it simulates, and says how it is used."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.export.export_record import PLAN, Planned
from advisor.export.registry import export, exports_of
from advisor.export.simgrid.script import carried, script
from advisor.export.simgrid.simgrid_document import Simulated, simulated
from tests.network_cases import cases

NASTY = '\'\'\'"""\\ {}%s\n\r\x00\x85\u2028\ud800 é 😀 PLAN = ""\n#'


@pytest.fixture
def planned() -> Planned:
    case = cases()[4]
    problem = Problem.of(case.platform, case.workload)
    return Planned(problem, case.plan, predict(problem, case.plan))


def test_a_script_holds_platform_and_plan(planned: Planned) -> None:
    found = simulated(planned.problem, planned.plan)
    text = script(found)
    assert carried(text) == (found.platform, found.plan)
    compile(text, "simulation.py", "exec")


def test_nothing_in_a_name_leaves_its_text() -> None:
    found = Simulated(NASTY, {"name": NASTY, NASTY: [1, None]}, ())
    text = script(found)
    assert carried(text) == (NASTY, found.plan)
    names = [
        statement.targets[0].id
        for statement in ast.parse(text).body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    ]
    assert names.count("PLAN") == names.count("PLATFORM") == 1


def test_no_list_of_objects_is_encoded_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    encode, asked = json.dumps, []

    def noted(value: object, **how: bool) -> str:
        asked.append(value)
        return encode(value, **how)  # type: ignore[arg-type]

    monkeypatch.setattr("advisor.export.simgrid.script.json.dumps", noted)
    tasks = [{"name": f"t{i}"} for i in range(50)]
    text = script(Simulated("<xml/>", {"name": "p", "tasks": tasks}, ()))
    assert tasks not in asked
    assert all(asked.count(task) == 1 for task in tasks)
    assert carried(text).plan["tasks"] == tasks


def test_the_script_says_how_it_is_used_without_simgrid(tmp_path: Path, planned: Planned) -> None:
    file = tmp_path / "plan.py"
    (command,) = export("simgrid", planned, file)
    assert command == f"SimGrid ≥ 3.32: python3 {file} --output RESULT.json"
    asked = subprocess.run(
        [sys.executable, file, "--help"], capture_output=True, text=True, check=True
    )
    assert "--platform" in asked.stdout


def test_the_platform_alone_is_an_export_of_its_own(planned: Planned, tmp_path: Path) -> None:
    file = tmp_path / "p.xml"
    assert export("simgrid-platform", planned, file) == ()
    text = file.read_text(encoding="utf-8")
    assert text == carried(exports_of(PLAN)["simgrid"].text(planned)).platform
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE platform')


def test_the_script_needs_nothing_of_placewise(planned: Planned) -> None:
    text = exports_of(PLAN)["simgrid"].text(planned)
    used = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert used - set(sys.stdlib_module_names) == {"simgrid"}
