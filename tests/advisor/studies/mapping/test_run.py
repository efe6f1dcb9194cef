"""The mapping study, as the window and the command line run it."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from advisor.messages.mapping.measures import OBJECTIVES
from advisor.messages.mapping.picture import MappingPicture
from advisor.studies import STUDIES, StudyProgress, StudyResult, parse_settings
from advisor.studies.mapping.parameters import PATTERNS, MappingParameters, communication_of
from advisor.studies.mapping.run import run
from machines import InputError
from machines.parameters import properties_of
from machines.spoken import spoken
from tests.advisor.commands.asking import Capture, answer

BRIEF = 0.001


def picture(result: StudyResult) -> MappingPicture:
    found = result.picture(MappingPicture)
    assert found is not None
    return found


def test_stripes_are_told_to_snake() -> None:
    result = run(MappingParameters(seconds=BRIEF))
    assert result.sentence == (
        "Use the snake order: the exchange takes 674 cycles at least. As much time with 40 % fewer "
        "hop-bytes than row-major, no channel shared."
    )
    assert result.reasons[1] == "Proved: no mapping has fewer hop-bytes."
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
    result = run(MappingParameters(dims="4x4", pattern="all-to-all", seconds=BRIEF))
    assert "above the bound of hop-bytes, which may not be reachable" in result.reasons[1]
    assert not any("Proved" in reason for reason in result.reasons)
    assert result.headline.startswith("Keep row-major order: the exchange takes ")
    assert result.alternative.startswith("Nothing better was found; ")


def test_the_users_own_mapping_is_a_start_of_the_search() -> None:
    best = picture(run(MappingParameters(dims="4x4", pattern="random", seconds=0.01))).chosen
    own = ",".join(map(str, best.mapping))
    again = run(MappingParameters(dims="4x4", pattern="random", seconds=0.0101 / 20, own=own))
    assert picture(again).orders[-1].measures.hop_bytes <= best.measures.hop_bytes


def test_fewer_processes_leave_nodes_and_a_note_and_more_are_refused() -> None:
    result = run(MappingParameters(dims="4x2", processes=5, seconds=BRIEF))
    assert any("3 nodes of the 4 × 2 mesh" in note.text for note in result.notes)
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
