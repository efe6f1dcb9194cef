"""Matrices and lists of edges from files, and the errors that name file, line and value."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.messages.mapping.communication_file import read_communication
from machines import InputError


def write(folder: Path, text: str) -> Path:
    path = folder / "c.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "0,5,0\n1,0,2e3\n0,0,9\n",
        "# bytes\n0 5 0\n\n1\t0\t2000  # both ways\n0 0 0\n",
        "0;5;0\r\n1;0;2000\r\n0;0;0",
        "source,target,bytes\n0,1,5\n1,0,1\n1,2,1500\n1,2,500\n",
        "Source,Target,Bytes,Messages\n0,1,5,1\n1,0,1,1\n1,2,2000,2\n",
    ],
)
def test_a_matrix_and_its_edges_say_the_same(tmp_path: Path, text: str) -> None:
    flows = read_communication(write(tmp_path, text))
    assert flows.processes == 3
    assert flows.sources.tolist() == [0, 1, 1]
    assert flows.targets.tolist() == [1, 0, 2]
    assert flows.size_bytes.tolist() == [5.0, 1.0, 2000.0]


def test_edges_keep_their_messages_and_a_stated_number_of_processes(tmp_path: Path) -> None:
    path = write(tmp_path, "source,target,bytes,messages\n0,1,100,4\n")
    flows = read_communication(path, processes=6)
    assert (flows.processes, flows.messages.tolist(), flows.name) == (6, [4.0], "c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "c.csv: the file is empty"),
        ("# nothing\n", "the file is empty"),
        ("0,1\n1,0,3\n", "c.csv: line 2: the matrix must be square: 2 rows, but 3 columns"),
        ("0,1,2\n1,0,3\n", "line 1: the matrix must be square"),
        ("0,1\n-4,0\n", r"line 2: column 1 must be finite and ≥ 0 \(got '-4'\)"),
        ("0,nan\n1,0\n", "line 1: column 2 must be finite"),
        ("0,inf\n1,0\n", "line 1: column 2 must be finite"),
        ("0,x\n1,0\n", r"line 1: column 2 is no number \(got 'x'\)"),
        ("0,0\n0,0\n", "nobody sends anything"),
        ("source,target,bytes\n", "nobody sends anything"),
        ("source,target,bytes\n0,1\n", "line 2: expected 3 values"),
        ("source,target,bytes\n0,1.5,3\n", "line 2: the target is not a process"),
        ("source,target,bytes\n0,-1,3\n", "line 2: the target is not a process"),
        ("source,target,bytes\n0,4096,3\n", "Allowed: 0 to 4095"),
        ("source,target,bytes\n0,99999999999,3\n", "the target is not a process"),
        ("source,target,bytes\n0,1,-3\n", r"line 2: bytes must be finite and ≥ 0 \(got '-3'\)"),
        ("source,target,bytes,colour\n0,1,3,2\n", "unknown column.*colour"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_communication(write(tmp_path, text))


def test_a_stated_number_of_processes_binds(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Allowed: 0 to 3"):
        read_communication(write(tmp_path, "source,target,bytes\n0,4,3\n"), processes=4)
    with pytest.raises(InputError, match="2 rows, not one for each of 3"):
        read_communication(write(tmp_path, "0,1\n1,0\n"), processes=3)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read"):
        read_communication(tmp_path / "gone.csv")
