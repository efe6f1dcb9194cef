"""Matrices and lists of edges from files, and the errors that name file, line and value."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from advisor.messages.mapping import process_communication
from advisor.messages.mapping.communication_file import read_communication
from advisor.messages.mapping.program_patterns import all_to_all
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
        ("0,1,2,4\n1,0,3,3\n", "line 1: the matrix must be square: 2 rows, but 4 columns"),
        ("0,1\n-4,0\n", r"line 2: column 1 must be finite and ≥ 0 \(got '-4'\)"),
        ("0,nan\n1,0\n", "line 1: column 2 must be finite"),
        ("0,inf\n1,0\n", "line 1: column 2 must be finite"),
        ("0,x\n1,0\n", r"line 1: column 2 is no number \(got 'x'\)"),
        ("0,0\n0,0\n", "no process sends anything"),
        ("source,target,bytes\n", "no process sends anything"),
        ("source,target,bytes\n0,1\n", "line 2: expected 3 values"),
        ("source,target,bytes\n0,1.5,3\n", "line 2: the target is not a process"),
        ("source,target,bytes\n0,-1,3\n", "line 2: the target is not a process"),
        ("source,target,bytes\n0,131072,3\n", "Allowed: 0 to 131071"),
        ("source,target,bytes\n0,99999999999,3\n", "the target is not a process"),
        ("source,target,bytes\n0,1,-3\n", r"line 2: bytes must be finite and ≥ 0 \(got '-3'\)"),
        ("source,target,bytes,colour\n0,1,3,2\n", "unknown column.*colour"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_communication(write(tmp_path, text))


MATRIX = (
    (0.0, 5.0, 0.0, 0.5),
    (1.0, 0.0, 2000.25, 0.0),
    (0.0, 0.0, 0.0, 8.0),
    (3.0, 0.0, 0.0, 0.0),
)
NAMES = ("ocean", "ice", "land 1", "air")


def told(separator: str, comma: bool, names: tuple[str, ...], above: bool, beside: bool) -> str:
    """The matrix in one of its spellings."""
    lines = [[("" if beside else None), *names]] if above else []
    for name, row in zip(names, MATRIX, strict=True):
        cells = [repr(cell).replace(".", ",") if comma else repr(cell) for cell in row]
        lines.append([name if beside else None, *cells])
    return "\n".join(separator.join(c for c in line if c is not None) for line in lines)


@pytest.mark.parametrize("names", [NAMES, ("0", "1", "2", "3"), ("1", "2", "3", "4")])
@pytest.mark.parametrize(("above", "beside"), [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize(("separator", "comma"), [
    (",", False), (";", False), (";", True), ("\t", False), ("\t", True), (" ; ", True),
])  # fmt: skip
def test_a_matrix_with_names_is_the_matrix_without(
    tmp_path: Path, separator: str, comma: bool, names: tuple[str, ...], above: bool, beside: bool
) -> None:
    flows = read_communication(write(tmp_path, told(separator, comma, names, above, beside)))
    assert np.array_equal(flows.traffic(range(4), 4), MATRIX)
    assert flows.labels == (() if names[0] == "0" else names)


def test_blanks_separate_a_matrix_with_names_but_no_corner(tmp_path: Path) -> None:
    text = "   a  b  c\na  0  1  2\nb  3  0  4\nc  5  6  0\n"
    flows = read_communication(write(tmp_path, text))
    assert (flows.labels, flows.size_bytes.tolist()) == (("a", "b", "c"), [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("text", [
    "source,target,bytes\n0,1,5.5\n0,1,2\n2,0,7",
    "0,1,5.5\n0,1,2\n2,0,7\n1,1,9\n",
    "0 1 5.5\n0 1 2\n2 0 7\n1 1 9\n",
    "0;1;5,5\n0;1;2\n2;0;7\n1;1;9\n",
    "0\t1\t5,5\n0\t1\t2\n2\t0\t7\n1\t1\t9\n",
    '0,1,"5,5"\n0,1,2\n2,0,7\n1,1,9\n',
    "from to size\n0 1 5.5\n0 1 2\n2 0 7",
    "rank0,rank1,5.5\nrank0,rank1,2\nrank2,rank0,7\n",
    "source;target;bytes\nrank2;rank0;7\nrank0;rank1;7,5\n",
])  # fmt: skip
def test_edges_are_read_with_a_header_or_without_it(tmp_path: Path, text: str) -> None:
    flows = read_communication(write(tmp_path, text))
    assert flows.processes == 3
    assert flows.traffic(range(3), 3).tolist() == [[0, 7.5, 0], [0, 0, 0], [7, 0, 0]]


def test_edges_without_bytes_have_those_that_are_said(tmp_path: Path) -> None:
    for text in ("0,1\n1,2\n2,0\n", "source,target\n0,1\n1,2\n2,0\n"):
        flows = read_communication(write(tmp_path, text), each=64.0)
        assert (flows.processes, flows.size_bytes.tolist()) == (3, [64.0] * 3)


def test_names_are_numbered_as_their_numbers_say(tmp_path: Path) -> None:
    text = "r10,r2,1\nr2,r1,1\nr1,r10,1\nr1,r3,1\n"
    flows = read_communication(write(tmp_path, text), processes=6)
    assert flows.labels == ("r1", "r2", "r3", "r10", "4", "5")
    assert flows.sources.tolist() == [0, 0, 1, 3]


@pytest.mark.parametrize(("text", "message"), [
    ("0,1,5\n1,2,5\n2,0,5\n", "line 1: this may be a matrix of 3 processes or 3 edges"),
    ("0,1\n1,2\n", "may be a matrix of 2 processes or 2 edges"),
    ("0,1,2\n0,5,1\n1,0,4\n2,1,0\n", "may be a matrix of 3 processes or 4 edges"),
    ("5,0,0\n0,7,0\n0,0,9\n", "all bytes are on the diagonal"),
    ("source,target,bytes\n3,3,9\n", "no process sends anything to another one"),
    (";a;b\na;0;1\nc;1;0\n", 'line 3: row "c" stands where column "b" does'),
    (";a;b\nb;0;1\na;1;0\n", 'line 2: row "b" stands where column "a" does'),
    ("a,a\n0,1\n1,0\n", "a process is named twice"),
    ("a,1,5\n0,1,5\n1,0,5\n0,2,5\n", "column 1 is no number.*'a'|not a process|square"),
    ("source,target,bytes\na,1,5\n", r"the source is not a process.*names alone"),
    ("0,5 0\n1,5 0\n", "line 1: blanks and commas both stand between digits"),
    ("0;1,5\n1.5;0\n", "line 2: decimal points and commas are mixed"),
    ("0\t1,500\n1,500\t0\n", r"line 1: this may be 1.500 or 1500"),
    ("0;1.000,5\n1;0\n", "line 1: this number has a sign for thousands"),
    ("0;1,000,5\n1;0\n", "line 1: this number has several commas"),
    ("0,1,0,5\n1,0,1,5\n", "Write decimals with a point, or separate values by semicolons"),
    ("source,target,bytes\n0,1,1,5\n", "line 2: expected 3 values.*Write decimals with a point"),
    ("0,1_0\n1,0\n", "line 1: column 2 is no number"),
    ("0,٣\n1,0\n", "line 1: column 2 is no number"),
    ('0,"1\n1,0\n', "line 1: a quote is not closed"),
])  # fmt: skip
def test_what_may_be_two_things_is_refused(tmp_path: Path, text: str, message: str) -> None:
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


@pytest.mark.parametrize(
    "text",
    [
        "rank,peer,bytes,count\n0,1,5,2\n1,0,1,1\n1,2,2000,2\n",
        "sending rank | receiving rank | count | bytes sent\n0 | 1 | 2 | 5\n1|0|1|1\n1|2|2|2000\n",
        "| Source_Rank | bytes | Dest_Rank | calls |\n|---|--:|---|---|\n| 0 | 5 | 1 | 2 |\n"
        "| 1 | 1 | 0 | 1 |\n| 1 | 2000 | 2 | 2 |\n",
    ],
)
def test_lists_of_profilers_are_edges(tmp_path: Path, text: str) -> None:
    flows = read_communication(write(tmp_path, text))
    assert (flows.sources.tolist(), flows.targets.tolist()) == ([0, 1, 1], [1, 0, 2])
    assert flows.size_bytes.tolist() == [5.0, 1.0, 2000.0]
    assert flows.messages.tolist() == [2.0, 1.0, 2.0]
    assert flows.doubts == ()


def test_edges_that_count_from_one_are_numbered_from_zero_and_that_is_said(tmp_path: Path) -> None:
    path = write(tmp_path, "source,target,bytes\n1,2,7\n2,3,8\n3,1,9\n")
    for given in (None, 3):
        flows = read_communication(path, given)
        assert flows.processes == 3
        assert flows.targets.tolist() == [1, 2, 0]
        assert "count from 1" in flows.doubts[0]
    more = read_communication(path, 4)  # who says four means that process 0 sends nothing
    assert (more.processes, more.targets.tolist(), more.doubts) == (4, [2, 3, 1], ())


def test_more_pairs_than_can_be_mapped_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_communication, "MOST_FLOWS", 5)
    for text in ("0,1,2\n3,0,4\n5,6,0\n", "source,target\n" + "0,1\n" * 6):
        with pytest.raises(InputError, match=r"pairs of processes.*got 6.*up to 5"):
            read_communication(write(tmp_path, text))
    with pytest.raises(InputError, match=r"all-to-all.*got 9"):
        all_to_all(3, 1.0)


def test_three_thousand_processes_that_all_send_are_refused_with_the_number() -> None:
    with pytest.raises(InputError, match=r"got 9000000.*up to 2,000,000"):
        all_to_all(3000, 1.0)
