"""Weak scaling and growth with another parameter: efficiency, its fall, Gustafson, the next P."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.scaling.data import parse_measurements
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from advisor.studies.scaling.weak import gustafson_fit, next_weak, weak_of
from tests.advisor.studies.scaling.networks import table

WEAK = ScalingParameters(source="data", replicates=0, scaling="weak")
TIMES = "nodes,time (ms)\n1,200\n2,215\n4,310\n8,390\n16,410\n"


def test_efficiency_is_that_of_the_smallest_run_and_its_fall_is_named() -> None:
    result = run(replace(WEAK, data=TIMES))
    assert result.headline == (
        "Weak scaling: efficiency 48.8 % at 16 nodes against 1; it falls below 50 % at 16 nodes."
    )
    assert "8 nodes keep 51.3 %" in result.alternative
    shown = {one.name: one.value for one in result.facts}
    assert shown["efficiency"] == pytest.approx(100.0 * 200 / 410)
    assert shown["scaled speedup"] == pytest.approx(16 * 200 / 410)
    assert [row["efficiency"] for row in table(result, "Weak scaling")][:2] == pytest.approx(
        [100.0, 100.0 * 200 / 215]
    )


def test_rates_give_the_same_efficiency_as_times() -> None:
    rates = "".join(f"{P},{P / T!r}\n" for P, T in ((1, 200), (2, 215), (4, 310), (16, 410)))
    result = run(replace(WEAK, data=f"nodes,throughput (FOM)\n{rates}"))
    assert result.facts[0].value == pytest.approx(100.0 * 200 / 410)


def test_gustafsons_law_is_found_where_it_holds_and_contradicted_where_not() -> None:
    sigma = 0.2
    rows = [(P, 1.0 / (1.0 - sigma + sigma / P)) for P in (1, 2, 4, 8, 16, 64)]
    text = "P,time (s)\n" + "".join(f"{P},{T!r}\n" for P, T in rows)
    found, missed = gustafson_fit(weak_of(WEAK, parse_measurements(text)))
    assert found == pytest.approx(sigma, abs=1e-3)
    assert missed < 1e-3
    (said,) = [one for one in run(replace(WEAK, data=text)).reasons if "stays above" in one]
    assert "80 %" in said
    assert any("is contradicted" in one for one in run(replace(WEAK, data=TIMES)).reasons)


def test_the_next_number_halves_the_doubt_about_the_fall() -> None:
    text = "P,time (s)\n1,10\n4,12\n64,30\n"
    assert next_weak(weak_of(WEAK, parse_measurements(text))) == 16
    kept = "P,time (s)\n1,10\n4,12\n64,15\n"
    assert next_weak(weak_of(WEAK, parse_measurements(kept))) == 128
    assert "stays at" in run(replace(WEAK, data=kept)).headline


def test_the_title_of_a_table_says_that_it_is_weak() -> None:
    result = run(replace(WEAK, scaling=None, data=f"# Weak scaling, 100 cells a node\n{TIMES}"))
    assert result.headline.startswith("Weak scaling: ")


GROWTH = "PARAMETER x\nPOINTS 20 30 40 50 60\nREGION r\nMETRIC time\n" + "".join(
    f"DATA {0.2 * x**2:.6g}\n" for x in (20, 30, 40, 50, 60)
)


def test_another_parameter_is_no_number_of_processors() -> None:
    result = run(replace(WEAK, scaling=None, data=GROWTH))
    assert result.headline.startswith("The time grows 9 times from x = 20 to x = 60: time = ")
    assert "0.200 · x^2" in result.headline
    assert "X is no number of processors" in result.alternative


TWO = "PARAMETER p\nPARAMETER n\nPOINTS " + " ".join(
    f"({p} {n})" for p in (2, 4, 8, 16) for n in (100, 200, 400)
)
TWO += "\nREGION r\nMETRIC time\n" + "".join(
    f"DATA {1 + n / p:.6g}\n" for p in (2, 4, 8, 16) for n in (100, 200, 400)
)


def test_of_two_parameters_one_is_held_or_both_are_fitted() -> None:
    with pytest.raises(ValueError, match=r"hold all but one fixed, or none.*n=100, n=200, n=400"):
        run(replace(WEAK, scaling=None, data=TWO))
    held = run(replace(WEAK, scaling="strong", data=TWO, hold="n=400"))
    assert held.facts[0].value == 16
    both = run(replace(WEAK, scaling=None, data=TWO, hold="none"))
    assert both.headline.startswith("The time depends on p, n: time = 1.00 + 1.00 · p^-1 · n")
