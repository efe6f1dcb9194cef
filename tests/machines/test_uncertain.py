"""Numbers with a spread: what files say, quantiles of every kind, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from machines import InputError
from machines.checks import number
from machines.default_spreads import EXACT, FIELD, Spreads
from machines.formats.platform_toml import dump_platform, parse_platform
from machines.uncertain import KINDS, Spread, Uncertain, plain, uncertain_from

NORMAL = np.random.default_rng(0).standard_normal(200_000)
PLATFORM = """
format = "placewise-platform"
version = 1
name = "p"
[spread]
link_cv = 0.2
[[machine]]
name = "a"
speed = { value = 1.2, low = 1.0, high = 1.4, source = "measured" }
[[machine.contender]]
name = "u"
compute = { value = 0.5, low = 0.4, high = 0.8 }
[[machine]]
name = "b"
[[link]]
between = ["a", "b"]
startup_s = 0.001
bandwidth = { value = 1e6, cv = 0.3, kind = "uniform" }
"""


@pytest.mark.parametrize("kind", ["", *KINDS])
@pytest.mark.parametrize("value", [1.0, 1.2, 1.5])
def test_nine_of_ten_values_lie_in_a_range(kind: str, value: float) -> None:
    found = Spread(1.0, 1.5, kind=kind).at(value, NORMAL)
    assert (found < 1.0).mean() == pytest.approx(0.05, abs=0.005)
    assert (found > 1.5).mean() == pytest.approx(0.05, abs=0.005)


@pytest.mark.parametrize("kind", ["", "normal", "lognormal", "uniform"])
def test_a_cv_is_the_standard_deviation_over_the_mean(kind: str) -> None:
    found = Spread(cv=0.15, kind=kind).at(10.0, NORMAL)
    assert found.mean() == pytest.approx(10.0, rel=0.003)
    assert found.std() == pytest.approx(1.5, rel=0.01)


def test_quantiles_rise_and_a_normal_stays_above_nothing() -> None:
    rising = np.linspace(-5.0, 5.0, 101)
    for spread in (Spread(0.1, 9.0), Spread(cv=2.0, kind="normal"), Spread(cv=1.5)):
        found = spread.at(1.0, rising)
        assert (np.diff(found) >= 0.0).all()
        assert (found >= 0.0).all()


def test_it_is_a_float_with_a_spread() -> None:
    found = uncertain_from("speed", {"value": 1.2, "cv": 0.1}, "")
    assert found + 1 == 2.2
    assert type(found * 2) is float
    assert pickle.loads(pickle.dumps(found)) == found
    assert found != 1.2
    assert found == Uncertain(1.2, Spread(cv=0.1))
    assert {found: 1}[Uncertain(1.2, Spread(cv=0.1))] == 1
    assert found.times(2.0).range_90[0] == pytest.approx(2.0 * found.range_90[0])
    assert plain(found) == {"value": 1.2, "cv": 0.1}


def test_a_file_keeps_spreads() -> None:
    platform = parse_platform(PLATFORM)
    assert parse_platform(dump_platform(platform)) == platform
    assert platform.machines[0].speed.spread == Spread(1.0, 1.4, source="measured")  # type: ignore[attr-defined]
    assert platform.spread == Spreads(link_cv=0.2)


def test_defaults_fill_what_is_not_stated() -> None:
    assert Spreads(link_cv=0.0).over(FIELD) == Spreads(FIELD.task_cv, FIELD.machine_cv, 0.0)
    assert Spreads(task_cv=0.1).over(EXACT) == Spreads(0.1, 0.0, 0.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"value": 1.0, "low": 2.0, "high": 1.0}, "low is not below high"),
        ({"value": 3.0, "low": 1.0, "high": 2.0}, "the value lies outside its range"),
        ({"value": 1.0, "low": 0.5}, "needs both ends"),
        ({"value": 1.0, "cv": 0.0}, "cv is out of range"),
        ({"value": 1.0, "cv": 3.0}, "cv is out of range"),
        ({"value": 0.0, "cv": 0.1}, "needs a value above 0"),
        ({"value": 1.0, "cv": 0.1, "low": 0.5, "high": 2.0}, "both a range and a cv"),
        ({"value": 1.0, "cv": 0.1, "kind": "triangular"}, "unknown kind"),
        ({"value": 1.0, "cv": 0.1, "kind": "cauchy"}, "unknown kind"),
        ({"value": 1.0, "low": 0.0, "high": 2.0, "kind": "lognormal"}, "begins above 0"),
        ({"value": 1.0, "width": 0.1}, "unknown key"),
        ({"value": "1", "cv": 0.1}, "must be a number"),
        ({"value": float("nan"), "cv": 0.1}, "finite"),
        ({"value": 10**400, "cv": 0.1}, "finite"),
        ({"value": 1.0, "source": 3}, "source must be a text"),
        ({"value": 1.0, "low": -1.0, "high": 2.0}, "out of range"),
        ({"cv": 0.1, "low": 1.0}, "must be a number"),
    ],
)
def test_what_is_no_spread_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        number("speed", given, above=True, where="machine a")


def test_defaults_out_of_range_are_refused() -> None:
    for text in ("task_cv = 3.0", "task_cv = -0.1", 'task_cv = "x"', "disk_cv = 0.1"):
        with pytest.raises(InputError, match="spread"):
            parse_platform(PLATFORM.replace("link_cv = 0.2", text))
