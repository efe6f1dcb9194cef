"""Mappings on hosts that they were not made for: what then goes between hosts is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.basics.host_list import slots_on
from advisor.export.openmpi import rankfile
from advisor.export.process_placement import MAPPING, Placement, place
from advisor.export.registry import exports_of
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.mapping_file import NamedMapping, mapping_report, read_mapping
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from machines import Crossbar, InputError, Mesh, MultiCore
from machines.network import Network

RING = patterns.ring(256, 1024.0)
EIGHTS = slots_on((f"h{number:02}", 8) for number in range(32))


def columns() -> tuple[int, ...]:
    """Down the first column of a 16 x 16 mesh, up the second: every step of a ring is one hop."""
    rows = range(16)
    return tuple(
        column + 16 * row
        for column in range(16)
        for row in (rows if column % 2 == 0 else reversed(rows))
    )


def placed(network: Network, mapping: tuple[int, ...], flows: bool = True) -> Placement:
    return place(NamedMapping(network, mapping, (), RING if flows else None), EIGHTS)


def test_a_mapping_for_single_cores_tells_what_it_sends_between_hosts_of_eight():
    # half a row of the mesh is a host: every step along a column changes it (16 x 15), so do the
    # step from column 7 to 8 and the one that closes the ring, from host 1 to 0; in row-major order
    # one of eight does
    (said,) = placed(Mesh((16, 16)), columns()).advice
    between, plain = (16 * 15 + 2) * 1024, 32 * 1024
    assert said == (
        "The mapping was made for nodes of 1 core, your hosts have 8: "
        f"{between:,} B go between hosts, in row-major order {plain:,} B. "
        "Map with cores=8 for these hosts."
    )


def test_every_export_of_a_mapping_says_it():
    placement = placed(Mesh((16, 16)), columns())
    for export in exports_of(MAPPING).values():
        assert placement.advice[0] in export.said(placement)


def test_without_its_flows_a_mapping_warns_without_numbers():
    (said,) = placed(Mesh((16, 16)), columns(), flows=False).advice
    assert "may send more between hosts" in said
    assert "cores=8" in said


def test_hosts_that_the_mapping_was_made_for_need_no_warning():
    assert placed(MultiCore(Crossbar(32), 8), tuple(range(256))).advice == ()
    single = slots_on((f"h{number}", 1) for number in range(300))
    assert place(NamedMapping(Mesh((16, 16)), columns(), (), RING), single).advice == ()


def test_hosts_of_fewer_cores_than_the_nodes_are_told_and_too_few_are_refused():
    network = MultiCore(Crossbar(32), 8)
    named = NamedMapping(network, tuple(range(256)), (), RING)
    fours = slots_on((f"h{number}", 4) for number in range(64))
    assert "nodes of 8 cores, your hosts have 4: 65,536 B go" in place(named, fours).advice[0]
    with pytest.raises(InputError, match=r"248 cores on 31 hosts.*8 processes more than cores"):
        place(named, EIGHTS[:-8])


def test_places_become_the_cores_of_their_host():
    network = MultiCore(Mesh((2,)), 2)
    placement = place(NamedMapping(network, (2, 0, 3)), slots_on([("a", 2), ("b", 2)]))
    assert placement.nodes == (1, 0, 1)
    assert rankfile(placement) == "rank 0=b slot=0\nrank 1=a slot=0\nrank 2=b slot=1\n"


def test_a_mapping_to_cores_is_written_and_read_with_its_flows(tmp_path: Path):
    parameters = MappingParameters(dims="4 crossbar", cores=2, pattern="ring", seconds=0.01)
    picture = run(parameters).picture(MappingPicture)
    assert picture is not None
    report = mapping_report(picture)
    assert report["network"] == {"kind": "crossbar", "dims": [4], "cores": 2}
    (tmp_path / "m.json").write_text(json.dumps(report))
    again = read_mapping(str(tmp_path / "m.json"))
    assert again.network == picture.network
    assert again.communication is not None
    assert again.communication.size_bytes.tolist() == [1024.0] * 8
    between = picture.problem.between_nodes
    assert between(again.mapping) == between(picture.chosen.mapping) == 4 * 1024.0


@pytest.mark.parametrize(
    ("flows", "message"),
    [
        ({"from": [0], "to": [1], "bytes": []}, "one entry for each flow"),
        ({"from": [0], "to": [9], "bytes": [1]}, "flows"),
        ({"from": [0], "to": [1]}, "bytes"),
    ],
)
def test_wrong_flows_are_refused(flows: dict[str, object], message: str, tmp_path: Path):
    document = {
        "format": "placewise-mapping", "version": 1, "network": {"kind": "mesh", "dims": [2, 2]},
        "order": "own", "nodes": [3, 0], "flows": flows,
    }  # fmt: skip
    (tmp_path / "m.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=message):
        read_mapping(str(tmp_path / "m.json"))
