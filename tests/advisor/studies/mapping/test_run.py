"""The mapping study, as the window and the command line run it."""

from __future__ import annotations

import itertools
import json
import pickle
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.basics.quantities import percent, size
from advisor.messages.mapping.mapping_measures import OBJECTIVES
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.studies import STUDIES, StudyProgress, StudyResult, parse_settings
from advisor.studies.mapping.parameters import PATTERNS, MappingParameters, communication_of
from advisor.studies.mapping.run import run
from advisor.studies.mapping.study import chosen as mapping_json
from machines import InputError
from machines.catalogue import interconnect
from machines.errors import capital
from machines.parameters import properties_of, spoken
from tests.advisor.commands.asking import Capture, answer

BRIEF = 0.001


def picture(result: StudyResult) -> MappingPicture:
    found = result.picture(MappingPicture)
    assert found is not None
    return found


def test_stripes_are_told_to_snake() -> None:
    result = run(MappingParameters(seconds=BRIEF))
    assert result.sentence == (
        "Use the snake order: the exchange takes 674 cycles at least. The same time with 40 % "
        "fewer hop-bytes than row-major, no channel shared."
    )
    assert result.reasons[1] == "Proved: no mapping has less LoGPC time."
    assert "takes that long by itself, under any mapping" in result.reasons[2]
    found = picture(result)
    names = ["row-major", "snake", "gray", "hilbert", "random", "optimised"]
    assert [one.name for one in found.orders] == names
    assert found.chosen.measures.shared_channels == 0
    assert found.positions.shape == (32, 2)
    assert len(found.chosen.measures.loads) == len(found.network.channels)
    assert result.complete
    assert pickle.loads(pickle.dumps(result)).sentence == result.sentence


def test_the_table_holds_every_order_with_its_gap() -> None:
    result = run(MappingParameters(dims="4x2", pattern="random", messages=30, seconds=BRIEF))
    (table,) = result.tables
    found = picture(result)
    assert [row[0] for row in table.rows] == [one.name for one in found.orders]
    gaps = [row[-1] for row in table.rows]
    assert min(gaps) == gaps[found.best] >= 0.0
    assert found.chosen.name == "optimised"
    for series in result.series:
        assert series.x == tuple(row[0] for row in table.rows)
        assert series.kind == "bars"


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_chosen_order_is_the_best_of_all(objective: str) -> None:
    parameters = MappingParameters(
        dims="4x4", pattern="transpose", objective=objective, seconds=BRIEF
    )
    result = run(parameters)
    found = picture(result)
    values = [one.measures.value(objective) for one in found.orders]
    assert found.chosen.measures.value(objective) == min(values) < values[0]


def test_the_users_own_mapping_is_measured_and_checked() -> None:
    own = MappingParameters(dims="2x2", pattern="ring", own="0, 1 3,2", seconds=BRIEF)
    found = picture(run(own))
    assert [one.name for one in found.orders][-2:] == ["own", "optimised"]
    assert found.orders[-2].measures.mean_hops == 1.0
    for text, message in [("0,1,3", "3 nodes, not one"), ("0,1,3,x", "no node numbers")]:
        with pytest.raises(InputError, match=message) as wrong:
            run(MappingParameters(dims="2x2", pattern="ring", own=text))
        assert spoken(wrong.value, properties_of(MappingParameters)).field == "own"
        assert wrong.value.remedy


def test_time_leads_the_headline_and_the_table_bears_it_out() -> None:
    parameters = MappingParameters(
        dims="8x8", pattern="transpose", size_bytes=65536.0, seconds=BRIEF
    )
    result = run(parameters)
    before, after = picture(result).orders[0].measures, picture(result).chosen.measures
    saved = 1.0 - after.logpc_time / before.logpc_time
    assert 0.8 < saved < 0.9
    time, share = f"takes {after.logpc_time:.0f}"[:8], f"{100 * saved:.0f} % less time with"
    assert result.sentence.index(time) < result.sentence.index(share)
    assert result.sentence.index(share) < result.sentence.index("fewer hop-bytes")


def test_a_longer_exchange_is_said_and_so_is_who_is_faster() -> None:
    # a pair far apart costs most hop-bytes, but the crowd on one channel costs most time
    heavy = MappingParameters(dims="4x2", pattern="random", messages=40, seconds=0.01)
    chosen = run(heavy)
    orders = picture(chosen).orders
    least = min(orders, key=lambda one: one.measures.logpc_time)
    mine = picture(chosen).chosen
    slower = mine.measures.logpc_time > least.measures.logpc_time * (1 + 1e-9)
    told = any(f"less in {least.name} order" in reason for reason in chosen.reasons)
    assert told == slower


def test_a_bound_is_called_a_bound() -> None:
    asked = MappingParameters(
        dims="4x4", pattern="all-to-all", objective="hop-bytes", seconds=BRIEF
    )
    result = run(asked)
    assert "above the bound of hop-bytes, which may not be reachable" in result.reasons[1]
    assert not any("Proved" in reason for reason in result.reasons)
    assert result.headline.startswith("Keep row-major order: ")
    assert result.headline.endswith(" of hop-bytes.")  # of the objective, as more effort is
    assert result.alternative.startswith("Nothing better was found; ")


def test_the_users_own_mapping_is_a_start_of_the_search() -> None:
    best = picture(run(MappingParameters(dims="4x4", pattern="random", seconds=0.01))).chosen
    own = ",".join(map(str, best.mapping))
    again = run(MappingParameters(dims="4x4", pattern="random", seconds=0.0101 / 20, own=own))
    assert picture(again).orders[-1].measures.hop_bytes <= best.measures.hop_bytes


def test_fewer_processes_leave_nodes_and_a_note_and_more_are_refused() -> None:
    result = run(MappingParameters(dims="4x2", processes=5, seconds=BRIEF))
    assert "3 nodes stay free: 4–6." in result.reasons  # in snake order
    with pytest.raises(InputError, match="9 processes do not fit on 8 nodes"):
        run(MappingParameters(dims="4x2", processes=9))


@pytest.mark.parametrize("pattern", sorted(set(PATTERNS) - {"file", "workload", "task"}))
def test_every_pattern_fills_the_network(pattern: str) -> None:
    flows = communication_of(MappingParameters(pattern=pattern), 16)
    assert flows.processes == 16
    assert flows.total_bytes > 0


def test_grids_can_be_given() -> None:
    flows = communication_of(MappingParameters(pattern="stencil-3d", grid="4 x 2×2"), 99)
    assert flows.processes == 16
    periodic = MappingParameters(pattern="stencil-2d", grid="4x4", periodic=True)
    assert len(communication_of(periodic, 16).sources) == 64
    with pytest.raises(InputError, match=r"setting grid: the grid needs 2 sides.*16x8"):
        communication_of(MappingParameters(pattern="stencil-2d", grid="4x"), 16)


def test_files_give_matrices_edges_and_workloads(folder: Path) -> None:
    (folder / "m.csv").write_text("0,1\n2,0\n")
    matrix = communication_of(MappingParameters(pattern="file", file="m.csv"), 4)
    assert matrix.size_bytes.tolist() == [1.0, 2.0]
    (folder / "f.toml").write_text(
        'format = "placewise-workload"\nversion = 1\nname = "w"\n'
        '[[task]]\nname = "A"\nwork = 1.0\n[[task]]\nname = "B"\nwork = 1.0\n'
        '[[flow]]\nfrom = "A"\nto = "B"\ndata_sets = [[3, 10]]\n'
    )
    tasks = communication_of(MappingParameters(pattern="workload", file="f.toml"), 4)
    assert (tasks.labels, tasks.total_bytes) == (("A", "B"), 30.0)
    with pytest.raises(InputError, match="needs a file"):
        communication_of(MappingParameters(pattern="file"), 4)


def test_orders_come_first_and_stopping_keeps_the_best() -> None:
    seen: list[StudyProgress] = []
    parameters = MappingParameters(dims="4x4", pattern="random", messages=60, seconds=BRIEF)
    result = run(parameters, seen.append, lambda: True)
    assert not result.complete
    assert seen[0].partial is not None
    assert len(picture(seen[0].partial).orders) == 5
    assert picture(result).chosen.measures.hop_bytes <= min(
        one.measures.hop_bytes for one in picture(seen[0].partial).orders
    )


def test_the_command_line_runs_it_and_exports_its_mapping(folder: Path, capsys: Capture) -> None:
    ask = (
        "study",
        "mapping",
        "--set",
        "dims=4x2",
        "--set",
        "pattern=ring",
        "--set",
        "seconds=0.01",
    )
    status, out, _ = answer(capsys, *ask)
    assert status == 0
    assert "no channel shared" in out
    assert "optimised" in out
    status, out, _ = answer(capsys, *ask, "--json")
    (folder / "m.json").write_text(out)
    nodes = json.loads(out)["mapping"]["nodes"]
    (folder / "hosts").write_text("a\nb\n")
    export = ("export", "m.json", "--to", "openmpi-rankfile", "--output", "rf", "--hosts", "hosts")
    status, out, _ = answer(capsys, *export, "--cores", "4")
    assert (status, out.count("mpirun")) == (0, 2)
    lines = (folder / "rf").read_text().splitlines()
    assert lines == [
        f"rank {rank}={'ab'[node // 4]} slot={node % 4}" for rank, node in enumerate(nodes)
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "under Hosts, or with --hosts FILE"),
        (("--hosts", "hosts"), "too short: 2 cores on 2 hosts for 8 nodes"),
        (("--hosts", "hosts", "--cores", "0"), "no whole number between 1 and 4096"),
    ],
)
def test_a_wrong_export_writes_nothing(
    words: tuple[str, ...], message: str, folder: Path, capsys: Capture
) -> None:
    (folder / "hosts").write_text("a\nb\n")
    network = {"kind": "mesh", "dims": [4, 2]}
    mapping = {"format": "placewise-mapping", "version": 1, "network": network, "nodes": [0, 1]}
    (folder / "m.json").write_text(json.dumps(mapping))
    export = ("export", "m.json", "--to", "mpich-hostfile", "--output", "out", *words)
    status, _, err = answer(capsys, *export)
    assert status == 2
    assert message in err
    assert not (folder / "out").exists()


def test_the_study_is_registered_with_its_settings() -> None:
    study = STUDIES["mapping"]
    assert not study.needs_problem
    found = parse_settings(study.record, ["objective=busiest", "periodic=yes", "processes=auto"])
    assert isinstance(found, MappingParameters)
    assert (found.objective, found.periodic, found.processes) == ("busiest", True, None)


SMALL = MappingParameters(dims="3x2", pattern="random", messages=14, seconds=0.01)
ALEWIFE = interconnect("alewife").long


def rows(result: StudyResult) -> dict[str, dict[str, Any]]:
    (found,) = result.tables
    names = [name for name, _ in found.columns]
    return {str(cells[0]): dict(zip(names, cells, strict=True)) for cells in found.rows}


def walked(
    sides: Sequence[int], start: int, end: int, wrap: bool = False
) -> Iterator[tuple[int, int]]:
    """The channels from node to node, one dimension after the other, the shorter way round."""
    stride = 1
    for k in sides:
        at, to = start // stride % k, end // stride % k
        ahead = (to - at) % k
        step = 1 if (ahead <= k // 2 if wrap else to > at) else -1
        while at != to:
            nearer = (at + step) % k
            yield start, (start := start + (nearer - at) * stride)
            at = nearer
        stride *= k


def by_hand(found: MappingPicture, mapping: Sequence[int], wrap: bool = False) -> dict[str, float]:
    """All measures of a mapping, from its flows and their ways."""
    flows, p = found.communication, found.net.long
    carried: Counter[tuple[int, int]] = Counter()
    users: Counter[tuple[int, int]] = Counter()
    busy: Counter[int] = Counter()
    hop_bytes = 0.0
    each = zip(flows.sources.tolist(), flows.targets.tolist(), flows.size_bytes.tolist(),
               flows.messages.tolist(), strict=True)  # fmt: skip
    for source, target, total, count in each:
        way = [*walked(found.network.dims, mapping[source], mapping[target], wrap)]
        hop_bytes += total * len(way)
        carried.update(dict.fromkeys(way, total))
        users.update(way)
        busy[source] += count * max(p.g, p.o_s + (total / count - 1) * p.G)
        busy[target] += count * p.o_r
    most = max(carried.values())
    return {
        "hop-bytes": hop_bytes,
        "mean hops": hop_bytes / flows.total_bytes,
        "busiest channel": most,
        "shared channels": sum(number > 1 for number in users.values()),
        "LoGPC time": p.L + max(*busy.values(), p.G * most),
    }


@pytest.mark.parametrize(("dims", "wrap"), [("3x2", False), ("4x3", False), ("5x3 torus", True)])
@pytest.mark.parametrize("pattern", ["random", "all-to-all", "transpose"])
def test_every_order_is_measured_along_its_ways(dims: str, wrap: bool, pattern: str) -> None:
    result = run(replace(SMALL, dims=dims, pattern=pattern, messages=40))
    found = picture(result)
    table = rows(result)
    assert list(table) == [one.name for one in found.orders]
    for one in found.orders:
        assert sorted(one.mapping) == [*range(found.network.size)]
        for column, value in by_hand(found, one.mapping, wrap).items():
            assert table[one.name][column] == pytest.approx(value), (one.name, column)


COLUMN = {"hop-bytes": "hop-bytes", "busiest": "busiest channel", "logpc": "LoGPC time"}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", [0, 1])
def test_no_mapping_of_all_is_below_the_bound_and_proved_is_the_best(
    objective: str, seed: int
) -> None:
    result = run(replace(SMALL, objective=objective, seed=seed))
    found, column = picture(result), COLUMN[objective]
    least = min(by_hand(found, mapping)[column] for mapping in itertools.permutations(range(6)))
    chosen = rows(result)[found.chosen.name]
    assert chosen[column] >= least * (1 - 1e-9)
    bound = chosen[column] / (1.0 + chosen["gap"] / 100.0)
    assert bound <= least * (1 + 1e-9)
    if any(text.startswith("Proved: no mapping has ") for text in result.reasons):
        assert chosen[column] == pytest.approx(least)
    else:
        said = f"At most {percent(chosen['gap'] / 100.0)} above the bound of {objective}"
        assert any(text.startswith(said) for text in result.reasons)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_gap_is_that_of_the_objective(objective: str) -> None:
    result = run(replace(SMALL, dims="4x3", messages=40, objective=objective))
    table, column = rows(result), COLUMN[objective]
    bound = table["row-major"][column] / (1.0 + table["row-major"]["gap"] / 100.0)
    for row in table.values():
        assert row["gap"] == pytest.approx(100.0 * (row[column] / bound - 1.0), abs=1e-9)


def test_no_change_is_told_that_is_not_seen() -> None:
    # every process sends to every other one: each mapping is as good
    result = run(replace(SMALL, dims="4x4", pattern="all-to-all"))
    assert not any("hops instead" in reason for reason in result.reasons)
    (said,) = [text for text in result.reasons if "busiest channel carries" in text]
    assert said.startswith("The busiest channel carries")
    assert said.endswith("as before.")


@pytest.mark.parametrize("pattern", ["random", "transpose", "ring", "stencil-2d", "all-to-all"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_reasons_are_told_with_the_numbers_of_the_table(pattern: str, objective: str) -> None:
    asked = replace(SMALL, dims="4x4", pattern=pattern, messages=60, objective=objective)
    result = run(asked)
    table, name = rows(result), picture(result).chosen.name
    before, after = table["row-major"], table[name]
    (said,) = [text for text in result.reasons if "busiest channel carries" in text]
    loads = [size(row["busiest channel"]) for row in (after, before)]
    load = f"{loads[0]} instead of {loads[1]}"
    if loads[0] == loads[1]:
        load = f"{loads[0]} as before"
    hops, were = f"{after['mean hops']:.2f}", f"{before['mean hops']:.2f}"
    told = f"the busiest channel carries {load}."
    if hops == were:
        assert said == capital(told)
    else:
        assert said == f"A byte travels {hops} hops instead of {were}; {told}"
    quickest = min(table.values(), key=lambda row: row["LoGPC time"])
    saved = 1.0 - quickest["LoGPC time"] / after["LoGPC time"]
    faster = [text for text in result.reasons if "searches for the least time" in text]
    if saved > 1e-9:
        assert faster == [
            f"The exchange takes {percent(saved)} less in {quickest['order']} order, which has "
            f"more {objective}: objective logpc searches for the least time."
        ]
    else:
        assert not faster


@pytest.mark.parametrize("pattern", ["transpose", "ring", "stencil-2d", "diamond"])
def test_the_headline_says_what_the_table_says_of_time_and_channels(pattern: str) -> None:
    result = run(replace(SMALL, dims="4x4", pattern=pattern, size_bytes=65536.0))
    table, name = rows(result), picture(result).chosen.name
    before, after = table["row-major"], table[name]
    shared = after["shared channels"]
    tail = f"{shared} channel{'s' if shared != 1 else ''} shared" if shared else "no channel shared"
    assert result.sentence.endswith(f"{tail}.")
    if name == "row-major":
        assert result.headline.startswith("Keep row-major order: ")
        assert result.alternative.startswith("Nothing better was found; ")
        return
    kind = "mapping" if name in {"optimised", "own"} else "order"
    assert result.headline.startswith(f"Use the {name} {kind}: the exchange takes ")
    saved = 1.0 - after["LoGPC time"] / before["LoGPC time"]
    if abs(saved) > 1e-9:
        change = f"{percent(abs(saved))} {'less' if saved > 0 else 'more'} time "
        assert result.alternative.startswith(change)
    else:
        assert result.alternative.startswith("The same time with ")


def test_a_ring_that_fits_the_mesh_is_kept_and_one_that_does_not_is_moved() -> None:
    kept = run(replace(SMALL, pattern="stencil-2d", grid="3x2"))
    assert kept.sentence.startswith("Keep row-major order")
    assert "Proved: no mapping has less LoGPC time." in kept.reasons
    moved = run(replace(SMALL, pattern="stencil-2d", grid="2x3"))
    assert not moved.sentence.startswith("Keep")
    assert rows(moved)[picture(moved).chosen.name]["mean hops"] == 1.0


def test_ones_own_copy_of_an_order_costs_what_it_does() -> None:
    result = run(replace(SMALL, own="[0, 1; 2 3,4 , 5]"))
    table = rows(result)
    own, default = ({**table[name], "order": ""} for name in ("own", "row-major"))
    assert own == default
    with pytest.raises(InputError, match=r"setting own: these are no node numbers.*0,1,two"):
        run(replace(SMALL, own="0,1,two"))


@pytest.mark.parametrize(
    ("dims", "pattern", "cores", "known"),
    [
        ("3x2", "all-to-all", 1, True),
        ("3x3", "ring", 1, False),  # one message each is no steady traffic
        ("3x2", "random", 1, False),  # nor are unequal numbers
        ("3x2", "all-to-all", 2, False),  # the model knows no cores
        ("129 crossbar", "stencil-2d", 1, False),  # too large to solve
        ("128 crossbar", "stencil-2d", 1, True),
    ],
)
def test_the_route_aware_time_is_told_where_the_model_says_something(
    dims: str, pattern: str, cores: int, known: bool
) -> None:
    side = dims.partition(" ")[0]
    asked = replace(
        SMALL, dims=dims, pattern=pattern, cores=cores, periodic=True, seconds=0.01,
        grid={"129": "43x3", "128": "32x4"}.get(side, ""),
    )  # fmt: skip
    table = rows(run(asked))
    assert ("route-aware time" in table["row-major"]) == known
    if known:
        for row in table.values():
            assert row["route-aware time"] >= row["LoGPC time"] * (1 - 1e-9)


def test_channels_that_cost_nothing_are_noted_and_have_no_waits() -> None:
    free = replace(
        SMALL, network="own numbers", pattern="all-to-all", latency=5.0, overhead=1.0,
        gap_per_byte=0.0, gap=2.0,
    )  # fmt: skip
    result = run(free)
    assert any("channels cost no time" in note.text for note in result.notes)
    assert "route-aware time" not in rows(result)["row-major"]
    priced = run(replace(free, gap_per_byte=0.1))
    assert not any("channels cost no time" in note.text for note in priced.notes)
    assert "route-aware time" in rows(priced)["row-major"]


@pytest.mark.parametrize(("unit", "factor"), [("ns", 1e3), ("s", 1e-6), ("cycle", 1.0)])
def test_the_unit_of_the_numbers_changes_no_time(unit: str, factor: float) -> None:
    def table(unit: str, factor: float) -> dict[str, dict[str, Any]]:
        own = replace(
            SMALL, network="own numbers", pattern="all-to-all", unit=unit, latency=5.0 * factor,
            overhead=factor, gap=2.0 * factor, gap_per_byte=0.1 * factor,
        )  # fmt: skip
        return rows(run(own))

    micro, other = table("µs", 1.0), table(unit, factor)
    seconds = 1e-6 if unit == "cycle" else 1.0
    for name, row in micro.items():
        for column in ("hop-bytes", "busiest channel", "gap"):
            assert other[name][column] == pytest.approx(row[column])
        for column in ("LoGPC time", "route-aware time"):
            assert other[name][column] * seconds == pytest.approx(row[column])


def test_bars_are_the_columns_of_the_table() -> None:
    result = run(SMALL)
    table = rows(result)
    assert [one.name for one in result.series] == ["hop-bytes", "busiest channel", "LoGPC time"]
    for one in result.series:
        assert one.y == tuple(table[str(name)][one.name] for name in one.x)
        assert (one.y_label, one.y_unit) == (one.name, "cycle" if "time" in one.name else "B")


def test_its_json_is_the_mapping_that_was_chosen() -> None:
    result = run(SMALL)
    report: Any = mapping_json(result, None)["mapping"]
    assert tuple(report["nodes"]) == picture(result).chosen.mapping
    assert mapping_json(StudyResult("Nothing."), None) == {}


def pairs(asked: MappingParameters, nodes: int) -> set[tuple[int, int]]:
    flows = communication_of(asked, nodes)
    return {*zip(flows.sources.tolist(), flows.targets.tolist(), strict=True)}


def test_a_transpose_sends_each_place_to_its_mirror() -> None:
    # a matrix of 2 rows and 3 columns, number = row · 3 + column, becomes one of 3 rows
    expected = {(r * 3 + c, c * 2 + r) for r in range(2) for c in range(3)}
    found = pairs(replace(SMALL, pattern="transpose", grid="3x2"), 6)
    assert found == {(one, other) for one, other in expected if one != other}


@pytest.mark.parametrize("periodic", [False, True])
def test_a_stencil_joins_neighbours_and_closes_if_it_shall(periodic: bool) -> None:
    expected = set()
    for x, y in itertools.product(range(4), range(3)):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            to = (x + dx, y + dy)
            if periodic or (to[0] in range(4) and to[1] in range(3)):
                expected.add((x + 4 * y, to[0] % 4 + 4 * (to[1] % 3)))
    asked = replace(SMALL, pattern="stencil-2d", grid="4 × 3", periodic=periodic)
    assert pairs(asked, 12) == expected


@pytest.mark.parametrize(
    ("pattern", "grid", "words"),
    [
        ("stencil-2d", "4x4x4", r"the grid needs 2 sides \(got '4x4x4'\).*16x8"),
        ("stencil-3d", "4x4", r"the grid needs 3 sides.*16x8x4"),
        ("transpose", "0x4", r"the grid needs 2 sides.*0x4"),
        ("stencil-2d", "12345x2", r"the grid needs 2 sides"),
    ],
)
def test_a_grid_of_other_sides_is_refused(pattern: str, grid: str, words: str) -> None:
    with pytest.raises(InputError, match=f"setting grid: {words}"):
        communication_of(replace(SMALL, pattern=pattern, grid=grid), 16)


@pytest.mark.parametrize("pattern", ["file", "workload"])
def test_a_pattern_from_a_file_says_that_it_needs_one(pattern: str) -> None:
    with pytest.raises(InputError, match=f"setting file: pattern {pattern} needs a file.*file="):
        run(replace(SMALL, pattern=pattern))


def test_idle_nodes_are_counted() -> None:
    for processes, words in ((5, "1 node stays free: "), (2, "4 nodes stay free: "), (6, "")):
        reasons = run(replace(SMALL, processes=processes)).reasons
        told = [text for text in reasons if " free: " in text]
        assert bool(told) == bool(words)
        assert all(re.match(words, text) for text in told)
