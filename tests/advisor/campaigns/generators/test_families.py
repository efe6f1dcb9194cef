"""Each family has the structure that its source says: counted by closed forms and on its graph."""

from __future__ import annotations

from itertools import pairwise, product
from math import comb, sqrt

import networkx as nx
import numpy as np
import pytest

from advisor.campaigns.generators.layered import Layered, levels
from advisor.campaigns.generators.registry import GENERATORS
from tests.advisor.campaigns.generators.making import count, depth, graph, graph_of, kinds, made


@pytest.mark.parametrize("family", GENERATORS)
def test_a_family_has_no_cycle_no_lone_task_and_kinds(family: str) -> None:
    found = graph(family)
    assert nx.is_directed_acyclic_graph(found)
    assert not list(nx.isolates(found))
    assert all(kind for _, kind in found.nodes(data="kind"))
    assert GENERATORS[family].name == family
    assert GENERATORS[family].help


@pytest.mark.parametrize(("tasks", "alpha", "degree"), [(2, 1.0, 3), (50, 0.5, 1), (200, 2.0, 4)])
def test_layered_tasks_feed_the_next_level(tasks: int, alpha: float, degree: int) -> None:
    for seed in range(5):
        found = graph("layered", tasks=tasks, alpha=alpha, out_degree=degree, seed=seed)
        level = {name: int(kind.split()[1]) for name, kind in found.nodes(data="kind")}
        widths = list(kinds(found).values())
        assert len(found) == tasks
        assert all(level[b] == level[a] + 1 for a, b in found.edges)
        assert depth(found) == len(widths)
        for name in found:
            if level[name] < len(widths):
                assert found.out_degree(name) >= min(degree, widths[level[name]])
            if level[name] > 1:
                assert found.in_degree(name) >= 1


def test_layered_graphs_are_as_high_on_average_as_the_paper_says() -> None:
    for alpha in (0.5, 1.0, 2.0):
        settings = Layered(tasks=400, alpha=alpha, machines=2)
        rng = np.random.default_rng(1)
        drawn = [levels(settings, rng) for _ in range(500)]
        assert {sum(widths) for widths in drawn} == {400}
        # uniform from 0 to twice the mean, rounded up: half more, deviation mean/√3
        mean = 20.0 / alpha
        heights = np.mean([len(widths) for widths in drawn])
        assert heights == pytest.approx(mean + 0.5, abs=3 * mean / sqrt(3 * 500))


def test_all_of_the_next_level_is_the_most_that_a_task_feeds() -> None:
    found = graph("layered", tasks=30, out_degree=30)
    widths = list(kinds(found).values())
    assert found.number_of_edges() == sum(a * b for a, b in pairwise(widths))


@pytest.mark.parametrize(("tasks", "branching"), [(2, 2), (15, 2), (50, 3), (40, 1000)])
def test_trees_are_complete(tasks: int, branching: int) -> None:
    out, inside = (graph(f, tasks=tasks, branching=branching) for f in ("out-tree", "in-tree"))
    assert count(out) == count(inside) == (tasks, tasks - 1)
    assert nx.is_arborescence(out)
    assert nx.is_arborescence(inside.reverse())
    full, levels = 1, 1
    while full < tasks:
        full, levels = full + branching**levels, levels + 1
    assert depth(out) == depth(inside) == levels
    assert max(degree for _, degree in out.out_degree()) == min(branching, tasks - 1)
    for name, kind in out.nodes(data="kind"):
        assert kind == f"depth {nx.shortest_path_length(out, 't1', name)}"


def test_chains_are_of_equal_length() -> None:
    found = graph("chains", tasks=14, chains=4)
    lengths = sorted(len(chain) for chain in nx.weakly_connected_components(found))
    assert lengths == [3, 3, 4, 4]
    assert count(found) == (14, 10)
    assert all(nx.is_path(found, sorted(c, key=lambda n: int(n.split("-")[1])))
               for c in nx.weakly_connected_components(found))  # fmt: skip


def test_a_join_collects_all_that_its_fork_feeds() -> None:
    found = graph("fork-join", width=5, stages=3)
    assert count(found) == (3 * 6 + 1, 3 * 10)
    assert depth(found) == 7
    assert kinds(found) == {"fork": 1, "work": 15, "join": 3}
    assert found.out_degree("join-1") == found.in_degree("join-1") == 5


@pytest.mark.parametrize("m", [3, 5, 12])
def test_gaussian_elimination_counts_as_published(m: int) -> None:
    found = graph("gaussian", m=m)
    assert count(found) == ((m * m + m - 2) // 2, m * m - m - 1)
    assert kinds(found) == {"pivot": m - 1, "update": comb(m, 2)}
    assert depth(found) == 2 * (m - 1)
    assert list(found.successors("update-1-2")) == ["pivot-2"]
    assert sorted(found.predecessors("update-2-3")) == ["pivot-2", "update-1-3"]


def test_gaussian_times_and_volumes_are_its_operations() -> None:
    workload, _ = made("gaussian", m=6, ccr=2.0)
    work = {task.name: task.work or 0.0 for task in workload.tasks}
    unit = work["pivot-5"]
    assert work["pivot-1"] == pytest.approx(5 * unit)
    assert work["update-2-4"] == pytest.approx(2 * 4 * unit)
    size = {(flow.source, flow.target): flow.size_bytes for flow in workload.flows}
    number = size["pivot-5", "update-5-6"]
    assert size["pivot-1", "update-1-4"] == pytest.approx(5 * number)
    assert size["update-1-2", "pivot-2"] == pytest.approx(5 * number)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_fft_counts_as_published(k: int) -> None:
    m = 2**k
    workload, _ = made("fft", m=m)
    found = graph_of(workload)
    assert count(found) == (2 * m - 1 + m * k, 2 * m - 2 + 2 * m * k)
    assert depth(found) == 2 * k + 1
    ends = [name for name in found if found.out_degree(name) == 0]
    assert len(ends) == m
    calls = {name for name, kind in found.nodes(data="kind") if kind == "call"}
    assert nx.is_arborescence(found.subgraph(calls))
    leaves = [name for name in calls if not calls & set(found.successors(name))]
    # a transform: every result needs every point
    assert all(nx.has_path(found, leaf, end) for leaf, end in product(leaves, ends))
    # every path is critical: the tasks of a level take the same time
    for task in workload.tasks:
        alike = task.name.rpartition("-")[0]
        first = next(t for t in workload.tasks if t.name.rpartition("-")[0] == alike)
        assert task.work == first.work


@pytest.mark.parametrize("n", [2, 3, 6])
def test_cholesky_counts_its_kernels(n: int) -> None:
    workload, _ = made("cholesky", tiles=n)
    found = graph_of(workload)
    assert count(found) == (n * (n + 1) * (n + 2) // 6, (n**3 - n) // 2)
    expected = {"potrf": n, "trsm": comb(n, 2), "syrk": comb(n, 2), "gemm": comb(n, 3)}
    assert kinds(found) == {kind: many for kind, many in expected.items() if many}
    assert depth(found) == 3 * n - 2
    assert len({flow.size_bytes for flow in workload.flows}) == 1
    # operations of all tiles: (n b)³/3 as of the whole matrix, in thirds of b³
    unit = next(task.work or 0.0 for task in workload.tasks)
    assert sum((task.work or 0.0) / unit for task in workload.tasks) == pytest.approx(n**3)


@pytest.mark.parametrize(("images", "rows", "columns"), [(12, 3, 4), (16, 4, 4), (6, 2, 3)])
def test_a_mosaic_compares_all_neighbours(images: int, rows: int, columns: int) -> None:
    found = graph("mosaic", images=images)
    places = list(product(range(rows), range(columns)))
    pairs = sum(max(abs(a - c), abs(b - d)) == 1 for a, b in places for c, d in places) // 2
    assert kinds(found)["difference"] == pairs
    assert len(found) == 2 * images + pairs + 6
    assert depth(found) == 9
    assert all(found.in_degree(f"difference-{n}") == 2 for n in range(1, pairs + 1))
    assert found.in_degree("fit") == pairs
    assert found.in_degree("table") == images


def test_a_mosaic_of_two_has_one_pair() -> None:
    assert kinds(graph("mosaic", images=2))["difference"] == 1


def test_a_genome_has_a_pipe_for_each_chunk_of_each_lane() -> None:
    found = graph("genome", lanes=3, chunks=5)
    assert count(found) == (3 * (4 * 5 + 2) + 3, 3 * (4 * 5 + 5) + 3 + 2)
    assert depth(found) == 9
    assert found.in_degree("merge-2") == found.out_degree("split-2") == 5
    assert [name for name in found if found.out_degree(name) == 0] == ["pile-up"]
