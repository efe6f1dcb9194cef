"""The workload file: exact round trips in both syntaxes, one clear refusal for every defect."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.data_files import DataFile
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.workload_file import (
    WorkloadFile,
    dump_json,
    dump_workload,
    parse_workload,
    read_workload,
    workload_from,
    workload_table,
    write_workload,
)
from machines import InputError
from tests.plain_names import plain_names

HEAD = 'format = "placewise-workload"\nversion = 1\nname = "w"\n'
TWO = HEAD + '[[task]]\nname = "A"\nwork = 1\n[[task]]\nname = "B"\nwork = 2\n'
FLOW = TWO + '[[flow]]\nfrom = "A"\nto = "B"\n'

DOCUMENTED = """
format = "placewise-workload"
version = 1
name = "A then B"
[[task]]
name = "A"
seconds = { M1 = 12.0, M2 = 18.0 }
[[task]]
name = "B"
work = 4
cores = 2
memory_bytes = 1_000_000
allowed = ["M1", "M2"]
kind = "second"
[[flow]]
from = "A"
to = "B"
data_sets = [[100, 2048], [1, 65536]]
seconds = { "M1>M2" = 7.0, "M2>M1" = 8.0 }
"""


def _documented() -> Workload:
    return Workload(
        "A then B",
        (
            Task("A", seconds=(("M1", 12.0), ("M2", 18.0))),
            Task("B", 4.0, (), 2, 1_000_000, ("M1", "M2"), "second"),
        ),
        (
            Flow(
                "A",
                "B",
                ((100, 2048.0), (1, 65536.0)),
                ((("M1", "M2"), 7.0), (("M2", "M1"), 8.0)),
            ),
        ),
    )


def test_every_documented_key_is_read() -> None:
    assert parse_workload(DOCUMENTED) == _documented()


@pytest.mark.parametrize("name", ["w.toml", "w.json"])
def test_a_file_is_written_and_read_back_in_either_syntax(tmp_path: Path, name: str) -> None:
    write_workload(_documented(), tmp_path / name)
    assert read_workload(tmp_path / name) == WorkloadFile(_documented())
    assert (tmp_path / name).read_bytes().startswith(b"{") == (name == "w.json")


def test_a_gzipped_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(gzip.compress(dump_json(_documented()).encode()))
    assert read_workload(tmp_path / "w").workload == _documented()


_machine_names = plain_names.filter(lambda name: ">" not in name)
_seconds = st.floats(0, 1e9)
_tables = st.dictionaries(_machine_names, _seconds, min_size=1, max_size=3)


@st.composite
def _tasks(draw: st.DrawFn) -> Task:
    work = draw(st.none() | _seconds)
    return Task(
        draw(plain_names),
        work,
        tuple(draw(_tables).items()) if work is None else (),
        draw(st.integers(1, 64)),
        draw(st.none() | st.integers(0, 2**50)),
        draw(st.none() | st.lists(_machine_names, max_size=2).map(tuple)),
        draw(st.just("") | plain_names),
    )


@st.composite
def _workloads(draw: st.DrawFn) -> Workload:
    tasks = draw(st.lists(_tasks(), min_size=1, max_size=4, unique_by=lambda one: one.name))
    data_sets = st.lists(st.tuples(st.integers(0, 99), st.floats(1e-3, 1e12)), max_size=2)
    directions = st.dictionaries(st.tuples(_machine_names, _machine_names), _seconds, max_size=2)
    flows = [
        Flow(first.name, second.name, tuple(draw(data_sets)), tuple(draw(directions).items()))
        for first, second in pairwise(tasks)
    ]
    return Workload(draw(plain_names), tuple(tasks), tuple(flows))


@pytest.mark.parametrize("size", ['"2 GB"', '["2 GB"]', '[[1, "2 GB"]]', "[[1, 2e9]]"])
def test_a_size_alone_is_one_data_set(size: str) -> None:
    (flow,) = parse_workload(FLOW + f"data_sets = {size}").flows
    assert flow.data_sets == ((1, 2e9),)


@given(_workloads())
def test_any_workload_survives_both_files_exactly(workload: Workload) -> None:
    assert parse_workload(dump_workload(workload)) == workload
    assert workload_from(json.loads(dump_json(workload))) == workload


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, "at least one task"),
        (TWO.replace('name = "w"\n', ""), "workload: name is missing"),
        (TWO.replace('name = "w"', "name = 1"), "workload: name must be a text"),
        (TWO.replace("workload", "platform", 1), "another kind of file.*placewise-workload"),
        (TWO.replace("version = 1", "version = 9"), "newer Placewise"),
        ("tasks = 1\n" + HEAD, 'unknown key "tasks".*Did you mean "task"'),
        (TWO + "memory = 1", 'task "B": unknown key "memory".*Did you mean "memory_bytes"'),
        (TWO + "seconds = { M1 = 1 }", 'task "B": give either work or seconds'),
        (HEAD + '[[task]]\nname = "A"', 'task "A": give either work or seconds'),
        (HEAD + "[[task]]\nwork = 1", "task 1: name is missing"),
        (HEAD + "[[task]]\nname = 3\nwork = 1", "task 1: name and kind must be texts"),
        (HEAD + '[[task]]\nname = "A"\nwork = -1', r'task "A": work is out of range \(got -1\)'),
        (HEAD + '[[task]]\nname = "A"\nwork = inf', 'task "A": work is out of range'),
        (HEAD + '[[task]]\nname = "A"\nwork = 1e99', 'task "A": work is out of range'),
        (HEAD + '[[task]]\nname = "A"\nwork = "1"', 'task "A": work must be a number'),
        (HEAD + '[[task]]\nname = "A"\nseconds = { M1 = nan }', "seconds on M1 is out of range"),
        (HEAD + '[[task]]\nname = "A"\nseconds = 3', 'task "A": seconds must be a table'),
        (TWO + "cores = 0", 'task "B": cores must be a whole number'),
        (TWO + "memory_bandwidth = -1", 'task "B": memory_bandwidth is out of range'),
        (TWO + "memory_bytes = -1", 'task "B": memory_bytes must be a whole number'),
        (TWO + "allowed = 3", 'task "B": allowed must be a list of names'),
        (TWO + '[[task]]\nname = "A"\nwork = 1', "two tasks have one name.*'A'"),
        ("task = [1]\n" + HEAD, "task 1: this must be a table"),
        (TWO + '[[flow]]\nfrom = "A"', "flow 1: to is missing"),
        (TWO + '[[flow]]\nfrom = "A"\nto = 3', "from and to must be names"),
        (TWO + '[[flow]]\nfrom = "A"\nto = "C"', "flow A → C: unknown task.*'C'"),
        (TWO + '[[flow]]\nfrom = "A"\nto = "A"', "flow A → A: a task can't feed itself"),
        (FLOW + "data_sets = 3", "flow A → B: data_sets must be a list"),
        (FLOW + 'data_sets = "2 furlongs"', "flow A → B: bytes"),
        (FLOW + "data_sets = [[1]]", r"flow A → B: a data set is a pair.*\[count, bytes\]"),
        (FLOW + "data_sets = [[1.5, 2]]", "flow A → B: count must be a whole number"),
        (FLOW + "data_sets = [[1, 0]]", "flow A → B: bytes is out of range"),
        (FLOW + 'seconds = { "M1" = 1 }', "flow A → B: seconds of a flow are by direction"),
        (FLOW + 'seconds = { "M1>M2>M3" = 1 }', "by direction"),
        (FLOW + 'seconds = { "M1>M2" = -1 }', "seconds M1>M2 is out of range"),
        (FLOW + '[[flow]]\nfrom = "A"\nto = "B"', "flow A → B: two flows join this pair"),
        (FLOW + '[[flow]]\nfrom = "B"\nto = "A"', "→ .*the flows form a cycle"),
    ],
)
def test_every_defect_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_workload(text, "f.toml")
    assert str(caught.value).startswith("f.toml: ")


def test_a_json_defect_names_the_file_and_the_place(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    table = workload_table(_documented())
    path.write_text(json.dumps(table | {"flow": [{"from": "A", "to": "C"}]}))
    with pytest.raises(InputError, match=r"w\.json: flow A → C: unknown task"):
        read_workload(path)
    path.write_text('{"format": "placewise-workload", "version": 1, "version": 1}')
    with pytest.raises(InputError, match=r"w\.json: a key is given twice"):
        read_workload(path)
    path.write_text('{"format": "placewise-project", "version": 1}')
    with pytest.raises(InputError, match=r"w\.json.*another kind of file"):
        read_workload(path)


def test_a_name_with_an_arrow_in_a_flow_is_not_written() -> None:
    flow = Flow("A", "B", seconds=((("M>1", "M2"), 1.0),))
    workload = Workload("w", (Task("A", 1.0), Task("B", 1.0)), (flow,))
    with pytest.raises(InputError, match="may not contain"):
        dump_workload(workload)


def test_bytes_that_are_no_text_are_told_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_bytes(TWO.encode() + b"#" + b" " * 70_000 + b"\xff")
    with pytest.raises(InputError, match=r"w\.toml"):
        read_workload(path)


FILES = (
    HEAD
    + """
[[task]]
name = "A"
work = 1
writes = ["out", "log"]
command = "run a > out"
[[task]]
name = "B"
work = 2
reads = ["in", "out"]
[[file]]
name = "in"
bytes = 1_000
at = "nfs"
[[file]]
name = "out"
bytes = 20.5
[[file]]
name = "log"
bytes = 0
"""
)


def test_files_are_read() -> None:
    assert parse_workload(FILES) == Workload(
        "w",
        (
            Task("A", 1.0, writes=("out", "log"), command="run a > out"),
            Task("B", 2.0, reads=("in", "out")),
        ),
        (),
        (DataFile("in", 1000.0, "nfs"), DataFile("out", 20.5), DataFile("log", 0.0)),
    )


def test_files_survive_both_syntaxes() -> None:
    workload = parse_workload(FILES)
    assert parse_workload(dump_workload(workload)) == workload
    assert workload_from(json.loads(dump_json(workload))) == workload


def test_a_workload_without_files_is_written_as_before() -> None:
    assert "file" not in workload_table(parse_workload(FLOW))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('reads = ["in", "out"]', 'reads = ["in", "oat"]', ('task "B"', "'oat'")),
        ('reads = ["in", "out"]', 'reads = "in"', ('task "B"', "list of names")),
        ('reads = ["in", "out"]', 'writes = ["out"]', ('file "out"', "A and B")),
        ('writes = ["out", "log"]', 'writes = ["out", "log", "in"]', ("at = nfs", "A writes")),
        ("bytes = 1_000", "bytes = -1", ('file "in"', "-1")),
        ("bytes = 1_000", 'bytes = "many"', ('file "in"', "number")),
        ("bytes = 1_000\n", "", ('file "in"', "bytes is missing")),
        ("bytes = 1_000", "size = 1", ('file "in"', 'unknown key "size"')),
        ('at = "nfs"', "at = 3", ('file "in"', "at must be a text")),
        ('at = "nfs"', 'at = ""', ('file "in"', "at")),
        ('name = "log"', 'name = "out"', ("two files have one name", "'out'")),
        ('command = "run a > out"', "command = 1", ('task "A"', "command must be a text")),
        ("work = 1\n", 'work = 1\nreads = ["out"]\n', ('task "A"', "writes a file that it reads")),
    ],
)
def test_what_is_wrong_about_files_is_said_with_its_place(old, new, words) -> None:
    assert FILES.count(old) == 1
    with pytest.raises(InputError) as caught:
        parse_workload(FILES.replace(old, new), "w.toml")
    for word in ("w.toml", *words):
        assert word in str(caught.value)
