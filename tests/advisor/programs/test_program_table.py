"""Programs in workload files: exact round trips, and clear refusals."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.workload import Task, Workload
from advisor.messages.patterns import KINDS as PATTERNS
from advisor.messages.styles import COMPLETIONS, TRANSPORTS
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.em3d import Em3d
from advisor.programs.remap import Remap
from advisor.project.workload_file import (
    dump_json,
    dump_workload,
    parse_workload,
    workload_from,
    workload_table,
)
from machines import InputError

HEAD = 'format = "placewise-workload"\nversion = 1\nname = "w"\n[[task]]\nname = "A"\n'
DOCUMENTED = (
    HEAD
    + """
[task.program]
kind = "remap"
messages = 100
message_bytes = 1024
computation_s = 1e-4
pattern = "hotspot"
share = 0.1
completion = "synchronous"
transport = "long blocking"
mapping = "snake"
"""
)
small = st.integers(1, 50)
placement = {
    "mapping": st.sampled_from(["row-major", "snake", "random"]),
    "seed": st.integers(0, 9),
    "processes": st.none() | st.integers(2, 64),
    "threads": st.integers(1, 9),
}
style = {"completion": st.sampled_from(COMPLETIONS), "transport": st.sampled_from(TRANSPORTS)}
programs = st.one_of(
    st.builds(
        Remap,
        messages=small,
        message_bytes=st.floats(1, 1e9),
        computation_s=st.floats(0, 10),
        pattern=st.sampled_from(PATTERNS),
        reach=small,
        share=st.floats(0, 1),
        node=st.integers(0, 9),
        **placement,
        **style,
    ),
    st.builds(Em3d, nodes=small, degree=small, span=small, **placement, **style),
    st.builds(
        DiamondDag,
        n=st.integers(50, 100),
        element_s=st.floats(1e-9, 1),
        blocks=st.none() | small,
        **placement,
    ),
)


def test_every_documented_key_is_read() -> None:
    (task,) = parse_workload(DOCUMENTED).tasks
    assert task.program == Remap(
        100, 1024.0, 1e-4, "hotspot", share=0.1, completion="synchronous",
        transport="long blocking", mapping="snake",
    )  # fmt: skip


@given(programs)
def test_a_program_survives_either_syntax(program: Remap | Em3d | DiamondDag) -> None:
    workload = Workload("w", (Task("A", program=program), Task("B", work=1.0)))
    assert parse_workload(dump_workload(workload)) == workload
    assert workload_from(json.loads(dump_json(workload))) == workload


def test_tasks_without_a_program_are_written_as_before() -> None:
    table = workload_table(Workload("w", (Task("A", work=1.0),)))
    assert table["task"] == [{"name": "A", "work": 1.0}]


def test_defaults_are_left_out() -> None:
    table = workload_table(Workload("w", (Task("A", program=DiamondDag(8, 0.5)),)))
    program = {"kind": "diamond", "n": 8, "element_s": 0.5}
    assert table["task"] == [{"name": "A", "program": program}]


@pytest.mark.parametrize(
    ("program", "word"),
    [
        ("3", "must be a table"),
        ("{}", "kind is missing"),
        ('{ kind = "remapp" }', 'Did you mean "remap"'),
        ("{ kind = 7 }", "unknown kind"),
        ('{ kind = "remap", messages = 1 }', "message_bytes is missing"),
        ('{ kind = "remap", messages = 1, message_bytes = 1, colour = 2 }', "colour"),
        ('{ kind = "remap", messages = 1, message_bytes = 1, n = 2 }', 'unknown key "n"'),
        ('{ kind = "remap", messages = "many", message_bytes = 1 }', "whole number"),
        ('{ kind = "remap", messages = 1, message_bytes = true }', "must be a number"),
        ('{ kind = "remap", messages = 1, message_bytes = 1, pattern = 3 }', "text"),
        ('{ kind = "remap", messages = 1, message_bytes = 1, pattern = "x" }', "all-to-all"),
        ('{ kind = "diamond", n = 8, element_s = 1, blocks = 9 }', "1 to n = 8"),
    ],
)
def test_a_defect_is_one_message_that_names_the_task(program: str, word: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_workload(HEAD + f"program = {program}\n")
    assert word in str(caught.value)
    assert 'task "A", program' in str(caught.value)
