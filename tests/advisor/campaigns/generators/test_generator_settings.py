"""Settings that are out of range or contradict each other are refused before anything is made."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.campaigns.generators.registry import GENERATORS
from machines import InputError
from machines.catalogue import PLATFORMS
from tests.advisor.campaigns.generators.making import made


@pytest.mark.parametrize(
    ("family", "settings", "message"),
    [
        ("layered", {"tasks": 1}, "generate layered: tasks must be a whole number"),
        ("layered", {"alpha": 0.0}, "alpha is out of range"),
        ("layered", {"out_degree": 0}, "out_degree must be"),
        ("layered", {"ccr": -1.0}, "ccr is out of range"),
        ("layered", {"ccr": float("nan")}, "ccr is out of range"),
        ("layered", {"ccr": "much"}, "ccr must be a number"),
        ("layered", {"machines": 1}, "Allowed: 2 to 1,000"),
        ("layered", {"machines": 4, "heterogeneity": 0.6}, "Allowed: finite, ≥ 0 and ≤ 0.5"),
        ("layered", {"heterogeneity": 0.1}, "platforms have their speeds already"),
        ("layered", {"cores": 2}, "cores is that of machines of its own"),
        ("layered", {"bandwidth": 1e6}, "bandwidth is that of machines of its own"),
        ("layered", {"machines": 2, "bandwidth": 0.0}, "bandwidth is out of range"),
        ("layered", {"task_seconds": 0.0}, "task_seconds is out of range"),
        ("layered", {"consistent": 1}, "consistent must be true or false"),
        ("chains", {"tasks": 10, "chains": 6}, "At most 5 of 10 tasks"),
        ("fft", {"m": 12}, "generate fft: the points must be a power of two .* Nearest: 8 and 16"),
        ("fork-join", {"width": 50_000, "stages": 3}, "too many tasks: 150,004"),
        ("genome", {"lanes": 1000, "chunks": 100}, "too many tasks: 402,003"),
        ("mosaic", {"images": 1}, "images must be"),
        ("gaussian", {"m": 2}, "m must be"),
        ("cholesky", {"tiles": 81}, "tiles must be"),
        ("in-tree", {"branching": 1}, "branching must be"),
    ],
)
def test_a_bad_setting_is_refused(family: str, settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GENERATORS[family].record(**settings)


def test_there_must_be_machines_and_only_one_set_of_them() -> None:
    layered, rng = GENERATORS["layered"], np.random.default_rng(0)
    with pytest.raises(InputError, match=r"no machines.*State platforms, or machines = N"):
        layered.make(layered.record(), rng, None)
    with pytest.raises(InputError, match="two sets of machines"):
        made("layered", machines=3, on=PLATFORMS.load("lab"))


def test_more_flows_than_anybody_would_wait_for_are_refused() -> None:
    with pytest.raises(InputError, match=r"generate layered: too many flows.*out_degree"):
        made("layered", tasks=20_000, out_degree=20_000)
