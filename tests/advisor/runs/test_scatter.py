"""Predicted against actual seconds of tasks: factors that are known by construction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.runs.scatter import scatter
from tests.advisor.runs.carrying import layers


def test_every_task_is_a_point_with_its_machine_and_kind() -> None:
    world = layers(0)
    found = scatter(world.problem(), world.plan(), replace(world, factor={"M2": 1.2}).actual())
    slow = [world.where[name] == "M2" for name in world.seconds]
    assert found.predicted_s == pytest.approx(
        [s / world.speed[world.where[name]] for name, s in world.seconds.items()]
    )
    assert found.factor == pytest.approx(np.where(slow, 1.2, 1.0))
    assert (found.machine == np.array(slow, int)).all()


def test_factors_are_told_by_machine_and_kind_with_their_quartiles_and_number() -> None:
    world = layers(0)
    happened = replace(world, factor={"M1": 1.1, "M2": 1.2}, gap_s=0.3, fetch="slot")
    rows = scatter(world.problem(), world.plan(), happened.actual()).rows
    whole = {row.machine: row for row in rows if not row.kind}
    assert [whole[name].median for name in ("M1", "M2")] == pytest.approx([1.1, 1.2])
    assert [whole[name].tasks for name in ("M1", "M2")] == [11, 5]
    assert whole["M2"].low == pytest.approx(whole["M2"].high)
    kinds = [row for row in rows if row.kind]
    assert sum(row.tasks for row in kinds) == 16
    assert {row.kind for row in kinds} == {"t0", "t1", "t2", "t3"}


def test_a_run_that_does_not_tell_when_tasks_began_has_points_all_the_same() -> None:
    world = layers(1)
    actual = replace(world, factor={"M2": 1.5}).actual()
    untimed = replace(actual, run=replace(actual.run, timed=False))
    rows = scatter(world.problem(), world.plan(), untimed).rows
    assert next(row for row in rows if row.machine == "M2").median == pytest.approx(1.5)


def test_tasks_that_were_predicted_to_take_no_time_have_no_factor() -> None:
    world = layers(1)
    none = replace(world, seconds={**world.seconds, "t0_0": 0.0})
    found = scatter(none.problem(), none.plan(), world.actual())
    assert np.isnan(found.factor[0])
    assert found.rows[0].tasks == sum(where == "M1" for where in world.where.values()) - 1
