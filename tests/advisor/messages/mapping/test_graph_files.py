"""Graphs of Matrix Market, METIS and Scotch are communication; what is no whole one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.messages.mapping.communication_file import read_communication
from machines import InputError

RING = {(0, 1): 5.0, (1, 0): 5.0, (1, 2): 7.0, (2, 1): 7.0, (2, 0): 9.0, (0, 2): 9.0}


def edges(folder: Path, text: str, each: float = 1.0) -> dict[tuple[int, int], float]:
    path = folder / "graph"
    path.write_text(text, encoding="utf-8")
    found = read_communication(path, each=each)
    ends = zip(found.sources.tolist(), found.targets.tolist(), strict=True)
    return dict(zip(ends, found.size_bytes.tolist(), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "%%MatrixMarket matrix coordinate integer symmetric\n% bytes\n3 3 3\n2 1 5\n3 2 7\n3 1 9\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 6\n1 2 5\n2 1 5\n2 3 7\n3 2 7\n"
        "3 1 9\n1 3 9\n",
        "%%MatrixMarket matrix array real general\n3 3\n0\n5\n9\n5\n0\n7\n9\n7\n0\n",
        "% a ring\n3 3 001\n2 5 3 9\n1 5 3 7\n2 7 1 9\n",
        "3 3 11 2\n1 1 2 5 3 9\n1 1 1 5 3 7\n1 1 2 7 1 9\n",
        "0\n3 6\n0 010\n2 5 1 9 2\n2 5 0 7 2\n2 7 1 9 0\n",
        "0\n3\t6\n1\t011\n4\t2\t5\t2\t9\t3\n4 2 5 1 7 3\n4 2 7 2 9 1\n",
    ],
)
def test_every_format_says_the_same_ring(tmp_path: Path, text: str) -> None:
    assert edges(tmp_path, text) == RING


@pytest.mark.parametrize(
    "text",
    [
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 2\n3 1\n",
        "3 3\n2 3\n1 3\n1 2\n",
        "0\n3 6\n0 000\n2 1 2\n2 0 2\n2 1 0\n",
    ],
)
def test_edges_without_weights_carry_the_message_size(tmp_path: Path, text: str) -> None:
    assert edges(tmp_path, text, 64.0) == dict.fromkeys(RING, 64.0)


def test_a_vertex_without_neighbours_keeps_its_number(tmp_path: Path) -> None:
    path = tmp_path / "g.graph"
    path.write_text("4 1\n2\n1\n\n\n", encoding="utf-8")
    assert read_communication(path).processes == 4
    with pytest.raises(InputError, match="the graph has 4 vertices, not one for each of 5"):
        read_communication(path, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 2 5\n", "must be square.*2 x 3"),
        (
            "%%MatrixMarket matrix coordinate real general\n200000 200000 1\n1 2 5\n",
            "Allowed: up to",
        ),
        ("%%MatrixMarket matrix coordinate real general\n3 3 99999999\n1 2 5\n", "pairs of proc"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 5\n", "no whole Matrix"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 9 5\n", "no whole Matrix"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 -5\n", "finite and ≥ 0"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 5\n", "to another one"),
        ("%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 5 0\n", "complex"),
        ("%%MatrixMarket matrix coordinate real general\n", "no line of sizes"),
    ],
)
def test_a_graph_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        edges(tmp_path, text)


def test_edges_and_matrices_of_numbers_are_no_graphs(tmp_path: Path) -> None:
    assert edges(tmp_path, "3 2\n2 1\n1 3\n") == {(2, 1): 1.0, (1, 0): 1.0, (0, 2): 1.0}
    assert edges(tmp_path, "0 2\n3 0\n") == {(0, 1): 2.0, (1, 0): 3.0}
