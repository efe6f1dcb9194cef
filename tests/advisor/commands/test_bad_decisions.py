"""Decisions that can't be carried out: one readable line with place, value and remedy, status 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.advisor.commands.asking import Capture, answer
from tests.advisor.commands.open_question import OPEN, write_open

HERE = {"spectra": "alewife", "align": "direct", "report": "login"}
TREE = {"tree": "8x8", "placement": {"svc": 8}}


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_open(tmp_path)


def refused(capsys: Capture, *arguments: str) -> str:
    """The one line of what is refused; nothing is on standard output."""
    status, out, err = answer(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err.removeprefix("placewise: ").rstrip()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"repor": {"style": "synchronous-short"}},
         "choices: unknown task (got 'repor'). Did you mean \"report\"?"),
        ({"report": {"style": "synchronous-short"}},
         'choices, task "report": the task has no program (got \'style\'). Only'),
        ({"spectra": {"block": 3}},
         'task "spectra": its program has no such choice (got \'block\'). Known: style, mapping'),
        ({"spectra": {"style": "fast"}},
         "style: unknown message style (got 'fast'). Known: synchronous-short, synchronous-lo"),
        ({"align": {"block": 257}},
         'task "align": diamond: a stripe has no more blocks than columns (got 257). Allowed: 1 '
         "to n = 256"),
        ({"spectra": {"mapping": [0, 1, 2]}},
         'choices, task "spectra": mapping on alewife: mapping: the mapping has 3 nodes, not one '
         "for each of 32 processes. Give one node for each process"),
        ({"spectra": {"mapping": [0, *range(31)]}},
         'choices, task "spectra": mapping: two processes are on one node (got 0). Give every'),
        ({"spectra": {"mapping": list(range(1, 33))}},
         "mapping, process 31: no such node (got 32). Allowed: 0 to 31"),
        ({"spectra": {"mapping": "snak"}}, 'unknown order (got \'snak\'). Did you mean "snake"?'),
        ([1], "choices: choices must be a table task → choices (got [1])"),
    ],
)  # fmt: skip
def test_choices_that_a_program_does_not_have_are_refused(
    choices: object, said: str, capsys: Capture
) -> None:
    Path("a.json").write_text(json.dumps({"allocation": HERE, "choices": choices}))
    found = refused(capsys, "predict", *OPEN, "--allocation", "a.json")
    assert found.startswith("a.json: ")
    assert said in found


@pytest.mark.parametrize(
    ("overlays", "said"),
    [
        ({"monitr": TREE}, "overlays: unknown overlay (got 'monitr'). Did you mean \"monitor\"?"),
        ({"monitor": {"tree": "8x4"}},
         'overlays, "monitor": tree: this tree holds fewer than 64 back-ends (got \'8x4\'). The '
         "product of the fan-outs must be at least 64"),
        ({"monitor": {"tree": "16x16x16"}}, "64 back-ends do not need this tree (got '16x16x16')"),
        ({"monitor": TREE | {"placement": {"svc": 3}}},
         "placement: the tree has 8 internal processes, and 3 are placed (got {'svc': 3}). Give"),
        ({"monitor": TREE | {"placement": {"nowhere": 8}}},
         'overlay "monitor": placement: unknown machine (got \'nowhere\'). Machines: alewife, di'),
        ({"monitor": {"tree": "svc:0 => login:0;"}}, "the tree has 1 leaves for 64 back-ends"),
    ],
)  # fmt: skip
def test_trees_that_an_overlay_can_not_have_are_refused(
    overlays: object, said: str, capsys: Capture
) -> None:
    Path("a.json").write_text(json.dumps({"allocation": HERE, "overlays": overlays}))
    found = refused(capsys, "predict", *OPEN, "--allocation", "a.json")
    assert found.startswith("a.json: ")
    assert said in found


def test_internal_processes_need_cores_on_their_machines(capsys: Capture) -> None:
    change_overlay(rate_hz=1500.0)
    flat_out = {"monitor": TREE | {"placement": {"login": 8}}}
    Path("a.json").write_text(json.dumps({"allocation": HERE, "overlays": flat_out}))
    found = refused(capsys, "predict", *OPEN, "--allocation", "a.json")
    assert found == (
        'a.json: overlay "monitor": its processes on login need 4.085 processors, and it has 1 '
        "(got 4.0853). At most 367.2 operations a second, or fewer processes there"
    )


def change_overlay(**fields: Any) -> None:
    workload = json.loads(Path("open.json").read_text())
    workload["overlay"][0] |= fields
    Path("open.json").write_text(json.dumps(workload))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"front_end": "nowhere"},
         'overlay "monitor": front_end: unknown machine (got \'nowhere\'). Machines: alewife, d'),
        ({"internal_on": ["nowhere"]}, "internal_on: unknown machine (got 'nowhere'). Machines: "),
        ({"back_ends": {"nowhere": 3}}, "back_ends: unknown machine (got 'nowhere')"),
        ({"rate_hz": 1e6},
         "internal 1 on alewife needs more than a processor to keep up (got 585.0976). At most "),
        ({"internal_on": [], "rate_hz": 3000.0},
         "front-end on login needs more than a processor to keep up (got 6.7305). At most 445.7 "),
        ({"operation": "sum"}, "unknown operation (got 'sum'). Allowed: broadcast, reduction, r"),
    ],
)  # fmt: skip
def test_overlays_that_can_not_run_are_refused(
    fields: dict[str, object], said: str, capsys: Capture
) -> None:
    change_overlay(**fields)
    assert said in refused(capsys, "advise", *OPEN)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"style": "fast"}, "program: style: unknown message style (got 'fast'). Known: sync"),
        ({"style": "choose", "transport": "short"}, "style says these, too. Leave completion"),
        ({"mapping": [0, 0]}, "two processes are on one node (got 0). Give every process a node"),
        ({"mapping": [0, 1], "processes": 3}, "not of 3 processes (got 2). Give one node for e"),
    ],
)
def test_programs_that_can_run_nowhere_are_refused_as_they_are_read(
    fields: dict[str, object], said: str, capsys: Capture
) -> None:
    workload = json.loads(Path("open.json").read_text())
    workload["task"][0]["program"] |= fields
    Path("open.json").write_text(json.dumps(workload))
    found = refused(capsys, "advise", *OPEN)
    assert found.startswith('open.json: task "spectra"')
    assert said in found


def test_open_choices_do_not_help_a_task_that_fits_nowhere(capsys: Capture) -> None:
    workload = json.loads(Path("open.json").read_text())
    workload["task"][0]["program"]["processes"] = 33
    Path("open.json").write_text(json.dumps(workload))
    status, out, err = answer(capsys, "advise", *OPEN)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert 'task "spectra": the task fits on no machine' in err
    assert "33 processes do not fit on 32 nodes" in err
