"""Routes by the levels of a fat tree: the same as by tables, and of trees that have no tables."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from machines import FatTree, InputError
from machines.multicore import with_cores
from machines.traffic import routes_of, ways_of
from machines.ways import tree_routes

TREES = [FatTree((4,)), FatTree((4, 3)), FatTree((4, 2, 3), 2), FatTree((2, 2, 2, 2)),
         FatTree((1, 3)), FatTree((3, 1, 2)), FatTree((6, 5, 4), 3), FatTree((1,))]  # fmt: skip


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("cores", [1, 2, (3, 0, 1)])
def test_levels_say_the_same_as_tables(tree: FatTree, cores: int | tuple[int, ...]):
    counts = cores if isinstance(cores, int) else (cores * tree.size)[: tree.size]
    network = with_cores(tree, counts)
    tables, levels = routes_of(network), tree_routes(network)
    i, j = (each.reshape(-1) for each in np.mgrid[: network.size, : network.size])
    assert (levels.between(i, j) == tables.between(i, j)).all()
    for one, other in zip(levels.taken(i, j), tables.taken(i, j), strict=True):
        assert one.tolist() == other.tolist()
    again = pickle.loads(pickle.dumps(levels))
    assert again.of(0, network.size - 1).tolist() == tables.of(0, network.size - 1).tolist()


def test_a_hundred_thousand_hosts_have_routes_without_a_table():
    tree = FatTree((46, 46, 48))
    routes = ways_of(tree)
    rng = np.random.default_rng(1)
    i, j = rng.integers(tree.size, size=(2, 50))
    for source, target in zip(i.tolist(), j.tolist(), strict=True):
        ends = [tree.channels[channel] for channel in routes.of(source, target)]
        assert ends == tree.route(source, target)
    with pytest.raises(InputError, match="nodes need tables"):
        routes_of(tree)
    with pytest.raises(InputError, match=r"132,096 nodes are too many.*up to 131,072"):
        ways_of(FatTree((129, 1024)))
