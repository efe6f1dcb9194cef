"""The table of a task's scaling: exact round trips, one clear refusal for every defect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.workload import Task, Workload
from advisor.basics.json_text import parse
from advisor.project.workload_file import dump_json, dump_workload, parse_workload, workload_from
from advisor.scaling.law import Scaling, scaling_from, scaling_table
from machines import InputError

HEAD = 'format = "placewise-workload"\nversion = 1\nname = "w"\n'

ranges = st.fixed_dictionaries(
    {"least": st.integers(1, 9), "most": st.none() | st.integers(9, 100_000)}
)
laws = st.one_of(
    st.fixed_dictionaries({"sigma": st.floats(0, 1), "kappa": st.floats(0, 1)}),
    st.fixed_dictionaries({"sigma": st.floats(0, 1), "completion": st.just("asynchronous")}),
    st.fixed_dictionaries(
        {
            "think_time_s": st.floats(0, 1e9),
            "demands_s": st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=5).map(tuple),
            "completion": st.sampled_from(["synchronous", "asynchronous"]),
        }
    ),
)
scalings = st.builds(lambda law, span: Scaling(**law, **span), laws, ranges)


@given(scalings)
def test_what_is_written_is_read_back(scaling: Scaling) -> None:
    assert scaling_from(scaling_table(scaling), "task") == scaling
    task = Task("a", work=3.0, cores=scaling.least, scaling=scaling)
    workload = Workload("w", (task, Task("b", seconds=(("M", 2.0),), cores=9, scaling=scaling)))
    assert parse_workload(dump_workload(workload)) == workload
    assert workload_from(parse(dump_json(workload).encode(), "")) == workload


def test_the_documented_task_is_read() -> None:
    text = HEAD + (
        '[[task]]\nname = "solve"\nwork = 3600.0\ncores = 8\n'
        "  [task.scaling]\n  sigma = 0.02\n  kappa = 1e-4\n  least = 4\n  most = 64\n"
        '[[task]]\nname = "exchange"\nwork = 600\n'
        "scaling = { think_time_s = 0.0128, demands_s = [40e-6, 160e-6], "
        'completion = "asynchronous", least = 2 }\n'
    )
    solve, exchange = parse_workload(text).tasks
    assert solve.scaling == Scaling(sigma=0.02, kappa=1e-4, least=4, most=64)
    assert solve.cores == 8
    assert exchange.scaling is not None
    assert exchange.scaling.demands_s == (40e-6, 160e-6)
    assert exchange.cores == 2  # the fewest, unless stated


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("scaling = 3", "table of keys"),
        ("scaling = { sigma = 0.1, speed = 3 }", 'unknown key "speed"'),
        ('scaling = { sigma = "x" }', "sigma must be a number"),
        ("scaling = { sigma = 2 }", "sigma is out of range"),
        ("scaling = { kappa = 0.1 }", "either sigma or a think time"),
        ("scaling = { sigma = 0.1, most = 2.5 }", "most must be a whole number"),
        ("scaling = { sigma = 0.1, completion = 1 }", "completion must be"),
        ("scaling = { think_time_s = 1, demands_s = 2 }", "must be a list"),
        ("cores = 9\nscaling = { sigma = 0.1, most = 8 }", "out of the range of its scaling"),
    ],
)
def test_a_defect_is_refused_with_its_task(text: str, match: str) -> None:
    with pytest.raises(InputError, match=match) as caught:
        parse_workload(f'{HEAD}[[task]]\nname = "A"\nwork = 1\n{text}\n')
    assert 'task "A"' in str(caught.value)


def test_a_program_says_itself_how_it_scales() -> None:
    text = (
        f'{HEAD}[[task]]\nname = "A"\nscaling = {{ sigma = 0.1 }}\n'
        'program = { kind = "remap", messages = 1, message_bytes = 8 }\n'
    )
    with pytest.raises(InputError, match="says itself how it scales"):
        parse_workload(text)
