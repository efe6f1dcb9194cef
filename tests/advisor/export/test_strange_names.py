"""No character that a name may have breaks an export of a plan.

Control characters and what turns the direction of text never get so far: names refuse them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import pytest
import yaml
from defusedxml.ElementTree import fromstring

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.export.export_record import PLAN, Planned
from advisor.export.registry import export, exports_of
from machines import Direction, Link, Machine, Platform

SIGNS = ("<&>\"'", "]]>", "a;b,c", "\\", "{}%s$x`", "=1+1", "é", "😀", "ﷺ")


def planned(sign: str) -> Planned:
    both = Direction(0.1, 1e6)
    first, second = Machine(f"M{sign}1"), Machine(f"M{sign}2")
    platform = Platform(f"p{sign}", (first, second), (Link(first.name, second.name, both, both),))
    tasks = (Task(f"A{sign}x", work=1.0), Task(f"B{sign}x", work=2.0))
    workload = Workload(f"w{sign}", tasks, (Flow(tasks[0].name, tasks[1].name, ((1, 1e6),)),))
    problem, plan = Problem.of(platform, workload), Plan((0, 1))
    return Planned(problem, plan, predict(problem, plan))


def rows(text: str) -> object:
    found = list(csv.reader(io.StringIO(text, newline="")))
    assert len({len(row) for row in found}) == 1
    return found


READS: dict[str, Callable[[str], object]] = {
    ".json": json.loads,
    ".csv": rows,
    ".xml": lambda text: len(fromstring(text)),
    ".py": lambda text: compile(text, "plan.py", "exec"),
    ".dot": lambda text: text.startswith("digraph") and text.rstrip().endswith("}"),
    ".sh": lambda text: not run(["bash", "-n"], input=text.encode(), check=True).returncode,
    ".mk": lambda text: text.endswith("'\n"),
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
    ".config": lambda text: text.startswith("// ") and text.endswith("}\n"),
    ".smk": lambda text: compile(text.partition("\nrule _all:")[0], "Snakefile", "exec"),
}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("name", exports_of(PLAN))
def test_every_export_is_written_and_can_be_read(tmp_path: Path, name: str, sign: str) -> None:
    suffix = exports_of(PLAN)[name].suffix
    file = tmp_path / f"plan{suffix}"
    export(name, planned(sign), file)
    assert READS[suffix](file.read_bytes().decode())


@pytest.mark.parametrize("sign", SIGNS)
def test_names_come_back_from_the_schedule_as_they_are(tmp_path: Path, sign: str) -> None:
    export("csv", planned(sign), tmp_path / "plan.csv")
    text = (tmp_path / "plan.csv").read_bytes().decode()
    found = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["task"] for row in found] == [f"A{sign}x", f"B{sign}x"]
    assert [row["machine"] for row in found] == [f"M{sign}1", f"M{sign}2"]
