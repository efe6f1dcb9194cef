"""Runtimes that ship: each with its source, none of them twice."""

from __future__ import annotations

import pytest

from machines import InputError, Runtime
from machines.catalogue.runtimes import RUNTIMES, preset_from, preset_of


def test_the_ideal_runtime_is_that_of_a_platform_that_says_nothing_of_it() -> None:
    assert RUNTIMES.names()[0] == "ideal"
    assert RUNTIMES.load("ideal").runtime == Runtime()


def test_every_preset_says_where_it_is_known_from_and_is_another_one() -> None:
    presets = [RUNTIMES.load(name) for name in RUNTIMES.names()]
    assert {"dask", "slurm", "snakemake", "parsl"} < set(RUNTIMES.names())
    assert all(len(one.source) > 30 and one.title for one in presets)
    assert len({one.runtime for one in presets}) == len(presets)


def test_a_runtime_is_known_by_its_values() -> None:
    assert preset_of(RUNTIMES.load("slurm").runtime) == "slurm"
    assert preset_of(Runtime(task_overhead_s=0.123)) == ""


def test_a_wrong_name_and_a_wrong_key_are_told() -> None:
    with pytest.raises(InputError, match="unknown runtime"):
        RUNTIMES.load("dusk")
    table = {"format": "placewise-runtime", "version": 1, "title": "t", "source": "s"}
    assert preset_from(table).runtime == Runtime()
    with pytest.raises(InputError, match="overhead"):
        preset_from({**table, "runtime": {"overhead": 1}})
