"""The rules of the exported script, carried out where nothing is shared: times by hand.

`carry_out` stands in for SimGrid: every transfer takes 10 s, every task its seconds.
"""

from __future__ import annotations

import heapq
import itertools
from typing import Any

import pytest

from advisor.export.simgrid.simgrid_runtime import Runtime, Transfer

TRANSFER_S = 10.0


def plan(
    tasks: list[tuple[int, float, list[int]]], items: list[dict[str, Any]], **rules: Any
) -> Any:
    """Tasks as (machine, seconds, tasks before); machine 0 has one core, machine 1 two."""
    runtime = {"fetch": "ahead", "copies": "once", "order": "plan", "task_overhead_s": 0.0}
    return {
        "runtime": runtime | rules,
        "hosts": [{"cores": cores, "groups": []} for cores in (1, 2, 1)],
        "room": [],
        "tasks": [
            {"machine": machine, "cores": 1, "seconds": seconds, "after": after, "held": []}
            for machine, seconds, after in tasks
        ],
        "sequence": list(range(len(tasks))),
        "items": items,
    }


def item(host: int, writer: int | None, *readers: int) -> dict[str, Any]:
    return {"host": host, "writer": writer, "readers": list(readers)}


def carry_out(described: Any) -> tuple[list[float], int]:
    """End of every task, and how many transfers there were."""
    runtime, number = Runtime(described), itertools.count()
    ends = [float("nan")] * len(described["tasks"])
    events: list[tuple[float, int, int | Transfer]] = []
    transfers, now = 0, 0.0
    runtime.begin()
    while True:
        for task in runtime.ready():
            runtime.let_start(task)
        for one in runtime.due():
            lasts = TRANSFER_S
            if isinstance(one, int):
                lasts = described["tasks"][one]["seconds"]
            heapq.heappush(events, (now + lasts, next(number), one))
            transfers += not isinstance(one, int)
        if not events:
            return ends, transfers
        now = events[0][0]
        while events and events[0][0] == now:
            one = heapq.heappop(events)[2]
            if isinstance(one, Transfer):
                runtime.arrived(one)
            else:
                ends[one] = now
                runtime.ended(one)
                runtime.freed(one)


READERS = [(0, 1.0, []), (1, 5.0, [0]), (1, 5.0, [0]), (1, 5.0, [0])]


@pytest.mark.parametrize(
    ("rules", "ends", "transfers"),
    [
        ({}, [1.0, 16.0, 16.0, 21.0], 1),
        ({"copies": "each"}, [1.0, 16.0, 16.0, 21.0], 3),
        ({"fetch": "slot"}, [1.0, 16.0, 16.0, 21.0], 1),
        ({"fetch": "slot", "copies": "each"}, [1.0, 16.0, 16.0, 31.0], 3),
    ],
)
def test_one_item_read_by_three(rules: dict[str, str], ends: list[float], transfers: int) -> None:
    assert carry_out(plan(READERS, [item(0, 0, 1, 2, 3)], **rules)) == (ends, transfers)


def test_an_outside_item_moves_from_the_start_or_in_the_slot() -> None:
    tasks = [(0, 4.0, []), (0, 1.0, [])]
    items = [item(2, None, 1)]
    assert carry_out(plan(tasks, items)) == ([4.0, 11.0], 1)
    assert carry_out(plan(tasks, items, fetch="slot")) == ([4.0, 15.0], 1)


def test_what_is_made_where_it_is_read_does_not_move() -> None:
    tasks = [(1, 4.0, []), (1, 1.0, [0])]
    assert carry_out(plan(tasks, [item(1, 0, 1), item(1, None, 0)])) == ([4.0, 5.0], 0)


@pytest.mark.parametrize(
    ("order", "ends"), [("plan", [4.0, 15.0, 17.0]), ("ready", [4.0, 15.0, 6.0])]
)
def test_a_task_overtakes_one_that_waits_for_data_only_if_it_may(
    order: str, ends: list[float]
) -> None:
    tasks = [(1, 4.0, []), (0, 1.0, [0]), (0, 6.0 if order == "ready" else 2.0, [])]
    assert carry_out(plan(tasks, [item(1, 0, 1)], order=order)) == (ends, 1)


def test_a_later_task_runs_beside_an_earlier_one_but_never_before_it() -> None:
    tasks = [(0, 3.0, []), (1, 2.0, [0]), (1, 9.0, []), (1, 1.0, [])]
    assert carry_out(plan(tasks, []))[0] == [3.0, 5.0, 12.0, 6.0]


def test_a_wide_task_that_is_ready_keeps_the_others_behind_it() -> None:
    described = plan([(1, 2.0, []), (1, 3.0, []), (1, 1.0, [])], [], order="ready")
    described["tasks"][1]["cores"] = 2
    assert carry_out(described)[0] == [2.0, 5.0, 6.0]


def test_the_rule_of_what_moves_where_names_the_routes_that_are_needed() -> None:
    runtime = Runtime(plan(READERS, [item(0, 0, 1, 2, 3), item(2, None, 0), item(1, None, 1)]))
    assert runtime.pairs() == {(0, 1), (2, 0)}
