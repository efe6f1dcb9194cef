"""Nodes of several cores by hand: what stays in memory, what it costs, and how that is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.basics.quantities import percent, size
from advisor.studies import StudyResult
from advisor.studies.mapping.mapping_host_fields import USUAL, memory_of
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from machines import InputError
from machines.catalogue import interconnect

PAIRS = MappingParameters(
    network="own numbers", unit="µs", latency=5.0, overhead=1.0, gap=2.0, gap_per_byte=0.01,
    dims="2x1", cores=2, pattern="ring", processes=4, size_bytes=1000.0, memory="0.5, 0.25, 1",
    own="0, 0, 1, 1", seconds=0.001,
)  # fmt: skip


def rows(result: StudyResult) -> dict[str, dict[str, Any]]:
    found = result.tables[0]
    names = [name for name, _ in found.columns]
    return {str(cells[0]): dict(zip(names, cells, strict=True)) for cells in found.rows}


def test_a_message_inside_a_node_costs_what_its_memory_does() -> None:
    # a ring of four on two nodes of two cores: 0 → 1 and 2 → 3 stay, 1 → 2 and 3 → 0 leave
    row = rows(run(PAIRS))["own"]
    assert (row["hop-bytes"], row["between nodes"]) == (2000.0, 2000.0)
    assert row["mean hops"] == 0.5
    # 1 µs to send 1000 bytes over the network: o + 999 G = 10.99, and o to take one from memory
    leaving = 1.0 + 999 * 0.01 + 0.25
    # from memory: o + 999 · 1 ns = 1.249, and o to take one from the network
    staying = 0.25 + 0.999 + 1.0
    assert leaving > staying
    assert row["LoGPC time"] == pytest.approx((5.0 + leaving) * 1e-6)


def test_processes_of_one_node_never_touch_the_network() -> None:
    alone = replace(PAIRS, cores=4, processes=4, own="0, 0, 0, 0")
    row = rows(run(alone))["own"]
    assert (row["hop-bytes"], row["between nodes"], row["busiest channel"]) == (0.0, 0.0, 0.0)
    # L + o + 999 G + o, all of the memory
    assert row["LoGPC time"] == pytest.approx((0.5 + 0.25 + 0.999 + 0.25) * 1e-6)


def test_the_cores_of_a_node_share_its_way_out() -> None:
    # all four of node 0 send to node 1 at once: 4000 bytes over one way
    crowd = replace(
        PAIRS, cores=4, processes=8, pattern="diamond", own="0, 1, 0, 1, 0, 1, 0, 1",
        gap_per_byte=0.1,
    )  # fmt: skip
    row = rows(run(crowd))["own"]
    # 0→1, 2→3, 4→5, 6→7 go one way, 1→2, 3→4, 5→6 the other
    assert row["busiest channel"] == 4000.0
    assert row["LoGPC time"] == pytest.approx((5.0 + 0.1 * 4000.0) * 1e-6)


def test_memory_as_slow_as_the_network_makes_cores_nodes() -> None:
    slow = replace(PAIRS, memory="5, 1, 10")
    row = rows(run(slow))["own"]
    # o + 999 G and o, whoever it is for; on the network no sooner than the gap, which is less
    assert row["LoGPC time"] == pytest.approx((5.0 + 1.0 + 9.99 + 1.0) * 1e-6)


def test_what_stays_in_memory_is_told_with_the_bytes_of_the_table() -> None:
    result = run(replace(PAIRS, own="", dims="4x1", cores=2, processes=8, pattern="transpose",
                         grid="4x2"))  # fmt: skip
    table = rows(result)
    before = table["row-major"]["between nodes"]
    said = next(text for text in result.reasons if "go between nodes" in text)
    name = result.headline.partition(":")[0].split()[-2]
    after = table[name if name in table else "row-major"]["between nodes"]
    total = 6 * 1000.0  # two of eight stay where they are
    if after < before:
        less = percent(1.0 - after / before)
        assert said == (
            f"{size(after)} of {size(total)} go between nodes instead of {size(before)} in "
            f"row-major order, {less} less; the rest stays in memory."
        )
    else:
        assert said == (f"{size(after)} of {size(total)} go between nodes, as in row-major order.")


def test_nothing_is_told_of_memory_where_a_node_has_one_core() -> None:
    result = run(replace(PAIRS, cores=1, dims="4x1", own=""))
    assert "between nodes" not in rows(result)["row-major"]
    assert not any("between nodes" in text for text in result.reasons)
    assert not any("Between cores" in note.text for note in result.notes)


def test_memory_that_nobody_gave_is_the_assumed_one() -> None:
    given = replace(PAIRS, memory=", ".join(map(str, USUAL)))
    assumed = replace(PAIRS, memory=" ")
    assert rows(run(given)) == rows(run(assumed))
    (doubt,) = [one for one in run(assumed).notes if "Between cores" in one.text]
    assert not doubt.inside_domain
    assert doubt.text.startswith("Between cores of a node: L = 0.1 µs, o = 0.1 µs, G = 0.1 ns")


@pytest.mark.parametrize("name", ["alewife", "infiniband", "ncube2"])
def test_costs_of_memory_are_the_same_seconds_on_any_network(name: str) -> None:
    net = interconnect(name)
    memory = memory_of(MappingParameters(cores=2, memory="1; 2; 3"), net)
    seconds = [one * net.unit_s for one in (memory.L, memory.o_s, memory.o_r, memory.G)]
    assert seconds == pytest.approx([1e-6, 2e-6, 2e-6, 3e-9])
    assert memory.g == 0.0


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        (
            "1, 2",
            r"three numbers: L and o in µs, G in ns per byte \(got '1, 2'\).*0\.1, 0\.1, 0\.1",
        ),
        ("1, 2, 3, 4", r"three numbers.*got '1, 2, 3, 4'"),
        ("1, two, 3", r"three numbers.*got '1, two, 3'"),
        ("1, -2, 3", r"setting memory: .*o.*-2"),
        ("1, 2, inf", r"setting memory: .*G.*inf"),
    ],
)
def test_costs_that_are_none_are_refused_with_the_number(memory: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as refused:
        run(replace(PAIRS, memory=memory))
    assert refused.value.where == "setting memory"


@pytest.mark.parametrize(
    ("processes", "words"), [(3, "1 core stays free: "), (2, "2 cores stay free: ")]
)
def test_idle_cores_are_counted(processes: int, words: str) -> None:
    reasons = run(replace(PAIRS, processes=processes, own="", seconds=0.001)).reasons
    assert any(text.startswith(words) for text in reasons)
