"""How time grows with size: what shall be done in a blink for large inputs grows in proportion.

``python -m tests.benchmarks.bench_growth`` prints the time for an input, that for one ten times as
large, and by what factor it grew against the most that it may; the same on any machine.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from advisor.basics import json_text
from advisor.models.mrm import mva_curve
from advisor.models.process_tree import balanced, knomial
from advisor.project.workload_file import workload_from
from advisor.trees.topgen_spec import parse_spec, spec_text
from advisor.trees.topology_file import parse_topology
from advisor.trees.tree_edits import merge_level, move_subtree, refan, refan_level, split_level
from advisor.trees.tree_hosts import Hosts, place_tree
from machines import Direction, InputError, Link, Machine, Mesh, Platform, fit_piecewise
from machines.formats.platform_toml import dump_platform, parse_platform
from machines.formats.text_table import text_table
from machines.traffic import routes_of
from tests.advisor.random_trees import large_tree
from tests.benchmarks.table import least_seconds

_TIMES = 10  # the larger input, in smaller ones
_LINEAR = 30.0  # the most that ten times as much may take: in proportion, and caches that overflow


@dataclass(frozen=True)
class Growth:
    """A job for an input of any size, and the sizes that were promised to be quick."""

    name: str
    job: Callable[[int], Callable[[], object]]
    size: int
    most: float = _LINEAR


def _edits(size: int) -> Callable[[], object]:
    tree = balanced(size, 16)
    return lambda: (
        move_subtree(tree, 20, 1),
        refan(tree, 0, 8),
        refan_level(tree, 1, 7),
        split_level(tree, 2, 4),
        merge_level(tree, 2),
    )


def _specification(size: int) -> Callable[[], object]:
    tree = large_tree(size)
    return lambda: parse_spec(spec_text(tree))


def _placement(size: int) -> Callable[[], object]:
    hosts = Hosts("fe", tuple((f"n{number:05}", 32) for number in range(size // 28)))
    tree = knomial(size)
    return lambda: place_tree(tree, hosts)


def _children(size: int) -> Callable[[], object]:
    text = "a:0 =>" + "".join(f"\n\tn{i}:0" for i in range(size)) + " ;\n"
    return lambda: parse_topology(text)


def _no_topology(size: int) -> Callable[[], object]:
    text = "a:0 => b:0 ; " + "k" * size

    def refused() -> None:
        with contextlib.suppress(InputError):
            parse_topology(text)

    return refused


def _repairman(size: int) -> Callable[[], object]:
    return lambda: mva_curve(size, (40.0,) * 5 + (160.0,), 12_800)


def _routes(size: int) -> Callable[[], object]:
    torus = Mesh([8, 8, size // 64], wrap=True)
    return lambda: routes_of(torus)


def _pingpong(size: int) -> Callable[[], object]:
    sizes = tuple(float(number) for number in range(1, size + 1))
    times = [1e-5 + s / 1e8 if s < size / 2 else 3e-4 + s / 4e8 for s in sizes]
    return lambda: fit_piecewise(sizes, times, "relative")


def _repeated_key(size: int) -> Callable[[], object]:
    keys = ", ".join(f'"k{number}": 1' for number in (*range(size), size - 1))
    content = f"{{{keys}}}".encode()

    def refused() -> None:
        with contextlib.suppress(InputError):
            json_text.parse(content, "")

    return refused


def _chain(size: int) -> Callable[[], object]:
    way = Direction(1e-4, 1e9)
    names = [f"m{number}" for number in range(size)]
    links = tuple(Link(*pair, way, way) for pair in pairwise(names))
    text = dump_platform(Platform("chain", tuple(map(Machine, names)), links))
    return lambda: parse_platform(text)


def _tasks(size: int) -> Callable[[], object]:
    flows = [{"from": f"t{number // 2}", "to": f"t{number}"} for number in range(1, size)]
    tasks = [{"name": f"t{number}", "work": 1.5} for number in range(size)]
    head = {"format": "placewise-workload", "version": 1, "name": "w"}
    content = json_text.dump({**head, "task": tasks, "flow": flows}).encode()

    def read() -> object:
        with json_text.collector_paused():
            return workload_from(json_text.parse(content, "")).topological_order

    return read


def _quoted(size: int) -> Callable[[], object]:
    text = ";".join(f'"{number};"' for number in range(size))
    return lambda: text_table(text, "")


def _walk(size: int) -> Callable[[], object]:
    from gui.studies.tree.tree_geometry import fitted, scene_of
    from tests.gui.studies.tree.test_tree_geometry import AREA, LINE, layout_of

    layout = layout_of(balanced(size, 16))
    sight = fitted(layout, AREA, LINE)
    closer = [sight.zoomed(zoom, 500.0, size, 800.0) for zoom in (1.0, 10.0, 1e3, 1e5)]
    return lambda: [scene_of(layout, one, AREA) for one in closer]


def _rows(size: int) -> Callable[[], object]:
    from gui.tables.table_columns import Column, ColumnsModel, Texts
    from tests.gui.tables.test_tables import ASCENDING, DESCENDING

    names = [f"task_{(7919 * place) % size:06d}" for place in range(size)]
    times = np.random.default_rng(1).random(size)
    model = ColumnsModel([Column("name", "", Texts(names)), Column("time", "", times)])

    def sort_and_filter() -> None:
        model.set_filter("")
        model.sort(0, ASCENDING)
        model.sort(1, DESCENDING)
        model.set_filter("99")

    return sort_and_filter


# every pair of nodes has a route: a hundred times as many pairs, each a little longer
CASES = (
    Growth("five edits of a tree, back-ends", _edits, 100_000),
    Growth("a tree's specification, there and back, back-ends", _specification, 200_000),
    Growth("a tree put on hosts, back-ends", _placement, 200_000),
    Growth("children of one process, read", _children, 20_000),
    Growth("letters that are no process, refused", _no_topology, 200_000),
    Growth("two lines through ping-pongs, sizes", _pingpong, 20_000),
    Growth("a key that comes twice, keys", _repeated_key, 100_000),
    Growth("a chain of machines, read", _chain, 3_000),
    Growth("tasks and flows from text to arrays, tasks", _tasks, 100_000),
    Growth("a line of cells in quotes, cells", _quoted, 50_000),
    Growth("the repairman's curve, processors", _repairman, 100_000),
    Growth("the routes of a torus, nodes", _routes, 640, most=400.0),
    Growth("what is seen of a tree at four zooms, back-ends", _walk, 100_000),
    Growth("a table sorted twice and filtered, rows", _rows, 30_000),
)


def main() -> None:
    """Measure and print."""
    print(f"\nGrowth\n{'':52}{'size':>9}{'tenth':>12}{'whole':>12}{'factor':>9}{'most':>7}")
    for case in CASES:
        small, large = (least_seconds(case.job(n)) for n in (case.size // _TIMES, case.size))
        mark = "" if large / small <= case.most else "  missed"
        print(
            f"{case.name:52}{case.size:9,}{1e3 * small:9.1f} ms{1e3 * large:9.1f} ms"
            f"{large / small:9.1f}{case.most:7.0f}{mark}"
        )


if __name__ == "__main__":
    main()
