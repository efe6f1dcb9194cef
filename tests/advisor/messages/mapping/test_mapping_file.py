"""A mapping in JSON and back; node positions of the picture."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from advisor.messages.mapping.mapping_file import mapping_report, read_mapping
from advisor.messages.mapping.mapping_picture import MappingPicture, node_positions
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from machines import InputError
from machines.network import Crossbar, Hypercube, Mesh, Network

GOOD = {
    "format": "placewise-mapping",
    "version": 1,
    "network": {"kind": "mesh", "dims": [2, 2]},
    "order": "own",
    "nodes": [3, 0],
}


def test_a_written_mapping_is_read_again(tmp_path: Path) -> None:
    asked = MappingParameters(dims="4x2", cores=2, threads=2, seconds=0.01)
    picture = run(asked).picture(MappingPicture)
    assert picture is not None
    for document in (
        mapping_report(picture),
        {"study": "mapping", "mapping": mapping_report(picture)},
    ):
        (tmp_path / "m.json").write_text(json.dumps(document))
        again = read_mapping(str(tmp_path / "m.json"))
        assert again.network == picture.network
        assert again.mapping == picture.chosen.mapping
        assert again.threads == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "there is no mapping in it"),
        ({"version": 2}, "newer Placewise"),
        ({"colour": 1}, 'unknown key "colour"'),
        ({"nodes": [0, 0]}, "process 1: this node has process 0 already"),
        ({"nodes": [0, 4]}, "no such node"),
        ({"nodes": [0.5]}, "whole number"),
        ({"nodes": [0, 1, 2, 3, 3]}, "do not fit"),
        ({"network": {"kind": "bus", "dims": [4]}}, "unknown kind"),
        ({"network": {"kind": "mesh"}}, "dims"),
        ({"labels": ["a"]}, "one name for each process"),
    ],
)
def test_a_wrong_mapping_is_refused(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    (tmp_path / "m.json").write_text(json.dumps(GOOD | change))
    with pytest.raises(InputError, match=message):
        read_mapping(str(tmp_path / "m.json"))


@pytest.mark.parametrize(
    "network",
    [Mesh((8, 4)), Mesh((3, 3, 3), wrap=True), Hypercube(5), Crossbar(7), Mesh((4,)), Crossbar(1)],
    ids=lambda one: f"{one.kind}{one.dims}",
)
def test_nodes_are_drawn_apart(network: Network) -> None:
    places = node_positions(network)
    assert places.shape == (network.size, 2)
    apart = np.hypot(*(places[:, None] - places[None]).T)
    assert network.size == 1 or apart[~np.eye(network.size, dtype=bool)].min() > 0.8


def test_neighbours_along_the_first_dimensions_are_one_apart() -> None:
    places = node_positions(Mesh((3, 2, 2)))
    assert (places[1] - places[0]).tolist() == [1.0, 0.0]
    assert (places[3] - places[0]).tolist() == [0.0, 1.0]
    assert places[6][0] > places[2][0] + 1.0
