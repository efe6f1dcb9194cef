"""Which transfers cross a link, a switch or a store: counted by hand on a star."""

from __future__ import annotations

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import crossing_links, links_of
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from machines import Direction, Link, Machine, Platform, Store, Switch

WIRE = Direction(0.1, 100.0)


def test_transfers_are_found_at_each_link_of_their_route() -> None:
    """f goes from the store to M1, g from M1 to M2, over one switch; free links count, too."""
    ends = ("M1", "M2", "nfs")
    platform = Platform(
        "star",
        (Machine("M1"), Machine("M2")),
        tuple(Link(end, "sw", WIRE, WIRE, sharing="free") for end in ends),
        switches=(Switch("sw"),),
        stores=(Store("nfs"),),
    )
    tasks = (Task("a", 1.0, reads=("f",), writes=("g",)), Task("b", 1.0, reads=("g",)))
    files = (DataFile("f", 100.0), DataFile("g", 100.0))
    problem = Problem.of(platform, Workload("w", tasks, files=files))
    moved = predict(problem, Plan((0, 1))).transfers
    assert moved is not None
    names = [moved.name(problem.workload, row) for row in range(moved.source.size)]
    assert names == ["f", "g"]

    def over(*links: int) -> list[str]:
        return [names[row] for row in crossing_links(problem, moved, links).tolist()]

    assert (over(0), over(1), over(2)) == (["f", "g"], ["g"], ["f"])
    assert links_of(problem, "sw") == (0, 1, 2)
    assert over(*links_of(problem, "nfs")) == ["f"]
