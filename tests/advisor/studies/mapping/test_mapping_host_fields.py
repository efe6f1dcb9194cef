"""Nodes of several cores and networks of switches in the mapping study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.messages.mapping.mapping_file import mapping_of, mapping_report
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.studies.mapping.check import check
from advisor.studies.mapping.mapping_host_fields import memory_of
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from advisor.studies.parameters import parse_settings
from machines import InputError
from machines.catalogue import interconnect


def test_what_goes_between_nodes_is_told_against_row_major():
    # hosts of 8 in rows of 16: 512 flows cross in row-major order, 320 in blocks of 2 x 4
    parameters = MappingParameters(
        network="infiniband", dims="32 crossbar", cores=8, pattern="stencil-2d", grid="16x16",
        objective="hop-bytes", seconds=0.01,
    )  # fmt: skip
    result = run(parameters)
    assert result.reasons[0] == (
        "328 kB of 983 kB go between nodes instead of 524 kB in row-major order, 38 % less; "
        "the rest stays in memory."
    )
    (table,) = result.tables
    assert table.columns[-1] == ("between nodes", "B")
    assert [table.rows[0][-1], table.rows[-1][-1]] == [512 * 1024.0, 320 * 1024.0]
    gap = [name for name, _ in table.columns].index("gap")
    assert table.rows[-1][gap] is None  # a bound of nothing proves nothing


def test_that_memory_is_assumed_is_said_until_numbers_are_given():
    assumed, given = (
        next(
            note
            for note in run(
                MappingParameters(dims="4x2", cores=2, memory=memory, seconds=0.001)
            ).notes
            if "Between cores" in note.text
        )
        for memory in ("", "0.3, 0.2, 0.05")
    )
    assert not assumed.inside_domain
    assert "assumed, not measured" in assumed.text
    assert given.inside_domain
    assert "L = 0.3 µs, o = 0.2 µs, G = 0.05 ns per byte, as set" in given.text


def test_costs_of_memory_are_in_the_unit_of_the_network():
    net = interconnect("alewife")  # in cycles
    memory = memory_of(MappingParameters(cores=2, memory="1 2 3"), net)
    assert memory.L * net.unit_s == pytest.approx(1e-6)
    assert memory.o_s * net.unit_s == memory.o_r * net.unit_s == pytest.approx(2e-6)
    assert memory.G * net.unit_s == pytest.approx(3e-9)


@pytest.mark.parametrize("memory", ["1, 2", "fast", "1, 2, -3", "1, nan, 2"])
def test_costs_of_memory_that_can_t_be_are_refused(memory: str):
    with pytest.raises(InputError, match="setting memory"):
        run(MappingParameters(cores=2, memory=memory, seconds=0.001))


def test_fifty_processes_on_thirty_two_nodes_share_them():
    ring = MappingParameters(network="alewife", processes=50, pattern="ring", seconds=0.001)
    with pytest.raises(InputError, match="cores=2"):
        run(ring)
    shared = MappingParameters(
        network="alewife", processes=50, pattern="ring", cores=2, seconds=0.001
    )
    result = run(shared)
    assert any(text.startswith("14 cores stay free: ") for text in result.reasons)


@pytest.mark.parametrize("dims", ["4x4 fat tree", "4x4 fat tree 2:1", "2x2x4 dragonfly"])
def test_networks_of_switches_are_mapped_and_checked_by_simulation(dims: str):
    parameters = MappingParameters(
        network="infiniband", dims=dims, pattern="random", messages=100, seconds=0.01
    )
    result = run(parameters)
    assert any("D-mod-k in a fat tree" in note.text for note in result.notes)
    assert check(parameters, runs=2).sentence.startswith("Simulated")


def test_too_many_cores_are_refused_before_anything_is_made():
    with pytest.raises(
        InputError, match=r"262,144 places of processes are too many.*up to 131,072"
    ):
        run(MappingParameters(dims="16x16", cores=1024, pattern="all-to-all", seconds=0.001))


def test_nodes_of_several_cores_are_not_simulated():
    with pytest.raises(InputError, match="nodes of one core only"):
        check(MappingParameters(cores=2, seconds=0.001))


def test_threads_take_cores_of_their_process():
    asked = MappingParameters(
        network="infiniband", dims="4 crossbar", cores=9, threads=4, pattern="ring", seconds=0.001
    )
    result = run(asked)
    plain = run(replace(asked, cores=2, threads=1))
    assert (result.headline, result.answer) == (plain.headline, plain.answer)
    (told,) = [note for note in result.notes if "threads" in note.text]
    assert told.text.startswith("2 processes of 4 threads on each node of 9 cores, of which 1")
    assert not told.inside_domain
    with pytest.raises(InputError, match=r"setting threads: no node has 10 cores.*got 10"):
        run(replace(asked, threads=10))


def test_nodes_of_unequal_cores_are_a_list_or_a_file_of_hosts(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("a slots=2\nb slots=4 # big\nc:4\n")
    asked = MappingParameters(dims="3 crossbar", cores=[2, 4, 4], pattern="ring", seconds=0.01)
    result = run(asked)
    assert len(result.answer) == 10
    assert any("3 crossbar of 2 to 4 cores a node" in note.text for note in result.notes)
    for text in (f"cores={hosts}", "cores=2, 2x4", "cores=[2, 4, 4]"):
        settings = ["dims=3 crossbar", "pattern=ring", "seconds=0.01", text]
        assert run(parse_settings(MappingParameters, settings)).answer == result.answer
    with pytest.raises(InputError, match=r"setting cores.*2 nodes have cores.*has 3.*2 crossbar"):
        run(replace(asked, cores="2, 4"))
    with pytest.raises(InputError, match="cores must be a whole number"):
        run(replace(asked, cores="2, 4, 0.5"))
    threaded = run(replace(asked, threads=2))
    assert len(threaded.answer) == 5
    text = "1 process of 2 threads on each node of 2 cores; 2 processes"
    assert any(text in note.text for note in threaded.notes)


def test_sockets_are_a_level_between_core_and_node(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"  # in row-major order each crosses the sockets of its node
    pairs.write_text("".join(f"{i},{i + 4},1000\n" for i in (0, 1, 2, 3, 8, 9, 10, 11)))
    asked = MappingParameters(
        dims="2 crossbar", cores=8, pattern="file", file=str(pairs), sockets=2, seconds=0.02
    )
    result = run(asked)
    (table,) = [one for one in result.tables if one.title == "Orders"]
    column = [name for name, _ in table.columns].index("between sockets")
    by_order = {row[0]: row[column] for row in table.rows}
    assert (by_order["row-major"], by_order["optimised"]) == (8000.0, 0.0)
    assert any(note.text.startswith("Between sockets of a node: L = 0.2") for note in result.notes)
    picture = result.picture(MappingPicture)
    assert mapping_of(mapping_report(picture)).mapping == picture.chosen.mapping
    with pytest.raises(InputError, match="a node takes 8 processes, fewer"):
        run(replace(asked, sockets=9))
