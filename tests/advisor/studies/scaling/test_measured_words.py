"""What the study says of measurements: the same in any unit and order, the opposite on others."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from advisor.basics.quantities import number, percent
from advisor.studies import StudyProgress, StudyResult
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from machines import InputError
from tests.advisor.studies.scaling.networks import curve, series, table

QUICK = ScalingParameters(source="data", replicates=0)
AT = (1, 2, 4, 8, 12, 20, 32)


def usl(P: int, sigma: float, kappa: float) -> float:
    return P / (1.0 + sigma * (P - 1) + kappa * P * (P - 1))


def erlang(P: int, sigma: float) -> float:
    blocked, A = 1.0, (1.0 - sigma) / sigma
    for k in range(1, P + 1):
        blocked = A * blocked / (A * blocked + k)
    return (1.0 - blocked) / sigma


def lines(sigma: float = 0.02, kappa: float = 0.0, unit: str = "s", one: float = 60.0) -> list[str]:
    """Times by the USL, one a line, with a ripple of half a percent."""
    rows = [
        f"{P},{one / usl(P, sigma, kappa) * (1.0 + 0.005 * (-1) ** k):.9g}"
        for k, P in enumerate(AT)
    ]
    return [f"P,time ({unit})", *rows]


def asked(rows: list[str], **changes: object) -> StudyResult:
    return run(replace(QUICK, data="\n".join(rows), **changes))  # type: ignore[arg-type]


@cache
def plain() -> StudyResult:
    return asked(lines())


def reason(result: StudyResult, start: str) -> str:
    (found,) = [text for text in result.reasons if text.startswith(start)]
    return found


def test_the_order_of_the_lines_changes_nothing() -> None:
    head, *rows = lines()
    one, other = plain(), asked([head, *reversed(rows)])
    assert other.sentence == one.sentence
    assert other.reasons == one.reasons
    assert other.series == one.series


def test_minutes_are_sixty_seconds() -> None:
    seconds, minutes = plain(), asked(lines(unit="min", one=1.0))
    assert minutes.sentence == seconds.sentence
    for one, other in zip(seconds.series, minutes.series, strict=True):
        assert one.y_unit == other.y_unit
        assert one.y == pytest.approx(other.y, rel=1e-6, abs=1e-9)


def test_a_program_ten_times_as_long_wants_as_many_processors() -> None:
    short, long = asked(lines(kappa=1e-3)), asked(lines(kappa=1e-3, one=600.0))
    for one, other in zip(
        table(short, "Processors to use"), table(long, "Processors to use"), strict=True
    ):
        assert (one["purpose"], one["P"]) == (other["purpose"], other["P"])
        assert other["time"] == pytest.approx(10.0 * one["time"], rel=1e-4)


def test_that_it_still_grows_is_said_of_a_curve_that_grows_and_not_of_one_that_falls() -> None:
    rising, falling = plain(), asked(lines(kappa=5e-3))
    assert re.match(r"Use 32 processors, the best measured up to 32: ", rising.sentence)
    assert reason(rising, "Best time").endswith("; it still grows there.")
    named = re.match(
        r"Use (\d+) processors, the fewest within 1 % of the best time: ", falling.sentence
    )
    assert named is not None
    # the peak of the truth is at √(0.98/0.005) = 14; none may be slower than 12, as measured
    assert 12 <= int(named[1]) <= 14
    assert "still grows" not in " ".join(falling.reasons)
    assert any("Retrograde" in note.text for note in falling.notes)


def test_without_the_best_run_the_laws_are_believed() -> None:
    rates = {P: 4.0 + 0.05 * P for P in (1, 2, 4, 8, 16)} | {24: 20.0, 48: 20.1}
    head, wobble = "P,throughput", (0.998, 1.0, 1.002)

    def rows(kept: set[int]) -> list[str]:
        return [head, *(f"{P},{X * w:.6g}" for P, X in rates.items() if P in kept for w in wobble)]

    step = asked(rows(set(rates)))
    assert "processors, the best measured up to 48: " in step.sentence
    assert "No law here describes the measurements" in step.sentence
    smooth = asked(rows({1, 2, 4, 8, 16}))
    assert "No law" not in smooth.sentence


def test_half_the_demand_is_worth_what_erlangs_formula_says() -> None:
    rows = [f"{P},{erlang(P, 0.05):.12g}" for P in AT]
    result = asked(["P,speedup", *rows])
    P = table(result, "Processors to use")[0]["P"]
    # D/2 = 0.025 beside Z = 0.95, in times of one processor as it was
    after = erlang(P, 0.025 / 0.975) / 0.975
    said = reason(result, "The interconnect's demand is D = 0.05")
    assert (
        f"halved, {P} processors would be {percent(after / erlang(P, 0.05) - 1.0)} faster" in said
    )


def test_one_processor_alone_is_written_as_one() -> None:
    falling = asked(lines(sigma=0.9, kappa=0.2))
    assert table(falling, "Processors to use")[0]["P"] == 1
    assert "1 processors" not in " ".join((falling.sentence, *falling.reasons))
    assert ", 1 processor would be" in reason(falling, "The interconnect's demand")


def test_a_program_that_loses_nothing_has_no_demand_to_halve() -> None:
    result = asked(["P,speedup", *(f"{P},{P}" for P in AT)])
    assert not any("halved" in text for text in result.reasons)
    assert table(result, "Processors to use")[0]["P"] == 32


def test_the_best_measured_is_that_of_the_tables() -> None:
    result = plain()
    said = re.match(
        r"Use (\d+) processors, the best measured up to 32: ([\d.]+) s", result.sentence
    )
    assert said is not None
    least = min(table(result, "Measurements"), key=lambda row: row["measured time"])
    row = table(result, "Processors to use")[0]
    where, measured = said.groups()
    assert f"{measured} s" == result.facts[1].text  # with the digits of its card
    assert float(measured) == pytest.approx(row["time"], abs=6e-4)
    assert float(measured) == pytest.approx(least["measured time"], abs=6e-4)
    assert where == str(least["P"])


def test_numbers_of_a_sentence_differ_where_the_values_do() -> None:
    result = run(replace(QUICK, data="specsdm91"))
    assert result.facts[1].text == "1,855.7 scripts/h"
    assert result.headline.endswith(": 1,855.7 scripts/h predicted.")
    assert result.alternative.startswith("Best measured: 1,853.2 scripts/h, with 72; ")
    assert ": 1,855.7 scripts/h" in reason(result, "Best throughput")


def test_a_sentence_begins_with_a_capital_whatever_the_law_is_called() -> None:
    result = run(replace(QUICK, data="specsdm91"))
    assert ". Repairman with coherency describes the measurements best" in result.sentence
    assert all(text[0].isupper() for text in result.reasons)
    stepped = run(replace(QUICK, data="raytracer"))
    contradicted = [note.text for note in stepped.notes if "is contradicted" in note.text]
    assert any(text.startswith("Repairman with coherency is") for text in contradicted)


def test_repetitions_count_by_their_mean() -> None:
    head, *rows = lines()
    slow = [f"{P},{40.0 / usl(P, 0.02, 0.0):.9g}" for P in (32,)]
    result = asked([head, *rows, *slow, *slow])
    # the mean rate of 32 is then no more that of the fastest single run
    best = min(row["measured time"] for row in table(result, "Measurements"))
    assert f"Best measured: {number(best)} s" not in result.sentence


def test_budgets_choose_among_what_they_buy() -> None:
    result = asked(lines(), budget=50.0, price=10.0)
    row = table(result, "Processors to use")[-1]
    assert (row["purpose"], row["P"], row["cost"]) == ("best within the budget", 5, 50.0)
    assert result.alternative.partition(". ")[0].endswith("; 5 within the budget")
    assert "buys more" not in " ".join(result.reasons)
    rich = asked(lines(), budget=5000.0, price=10.0)
    assert "the budget buys more than the numbers looked at" in reason(rich, "Best within")


def test_money_and_energy_of_a_run_are_told_where_they_are_known() -> None:
    rows = ["P,time (s)", "1,3600", "2,1800", "4,900", "8,450", "16,440"]
    result = asked(rows, watts=10.0, watts_beside=20.0, hourly=2.0, runnable="powers of 2")
    row = table(result, "Processors to use")[0]
    hours = row["time"] / 3600.0
    assert row["money of a run"] == pytest.approx(row["P"] * 2.0 * hours)
    assert row["energy of a run"] == pytest.approx((20.0 + row["P"] * 10.0) * hours)
    # half of 16 takes 450 s: 8 · 2 / 8 in money for 3.91, (20 + 80) / 8 in energy for 22.0
    assert "49 % less money (2.00 for 3.91), 43 % less energy (12.5 Wh for 22.0 Wh)" in (
        result.alternative
    )
    assert "energy" not in asked(rows).sentence


def test_numbers_beyond_what_was_measured_are_looked_at_on_request() -> None:
    far = asked(lines(), processors=200)
    assert max(curve(far, "mean of the laws", "throughput")) == 200
    assert table(far, "Processors to use")[0]["P"] > 32
    assert any("Measured up to P = 32: what is drawn beyond" in note.text for note in far.notes)
    near = asked(lines(), processors=12)
    assert max(curve(near, "mean of the laws", "throughput")) == 12
    assert not any("extrapolated" in note.text for note in near.notes)


def test_a_great_range_is_looked_at_in_equal_ratios() -> None:
    rows = [f"{P},{usl(P, 1e-5, 0.0):.9g}" for P in (1, 100, 10_000, 100_000)]
    result = asked(["P,speedup", *rows], processors=100_000)
    time, power = table(result, "Processors to use")
    assert time["speedup"] >= 0.989 * usl(100_000, 1e-5, 0.0)
    assert power["P"] == pytest.approx(1e5, rel=1e-3)  # (1 − sigma)/sigma


def test_laws_that_were_not_fitted_are_named_with_the_reason() -> None:
    head, *rows = lines()
    notes = [note.text for note in asked([head, *rows[1:]]).notes if "left out" in note.text]
    assert [text.partition(", ")[0] for text in notes] == ["USL", "USL"]
    assert all("nothing was measured at P = 1" in text for text in notes)
    long = asked([head, *rows, "1200,1.9"])
    said = "its chain is followed up to P = 1000 only"
    assert any(said in note.text for note in long.notes)


def test_the_best_law_is_noted_with_its_source() -> None:
    result = plain()
    first = table(result, "Laws")[0]
    note = result.notes[0]
    assert note.inside_domain
    sources = {row["law"]: row["source"] for row in table(result, "Sources of the laws")}
    assert (note.text, note.source) == (
        f"{first['law']}, {first['recipe']}",
        sources[first["law"]],
    )


def test_progress_of_two_sets_is_one_after_the_other() -> None:
    told: list[StudyProgress] = []
    text = "\n".join(lines())
    run(replace(QUICK, data=text, against="\n".join(lines(sigma=0.1))), told.append)
    shares = [one.fraction for one in told]
    assert shares == sorted(shares)
    names = [one.sentence for one in told]
    assert names[0] == names[shares.index(0.5)]  # the laws begin anew


def test_the_second_set_is_drawn_beside_the_first_and_changes_none_of_its_numbers() -> None:
    alone, both = plain(), asked(lines(), against="\n".join(lines(sigma=0.1)))
    assert both.series[: len(alone.series)] == alone.series
    assert both.tables[0].title == "Side by side"
    assert [one.rows for one in both.tables[1:]] == [one.rows for one in alone.tables]
    assert both.sentence.endswith(f"The first set: {alone.sentence}")
    mine, other = (series(both, name, "time") for name in ("measured", "measured, the second set"))
    assert all(one < two for one, two in zip(mine.y[1:], other.y[1:], strict=True))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data": " "}, r"setting data: there is nothing to fit.*raytracer, specsdm91"),
        ({"data": "P,time (s)\n1,9\n2,5\n4,3\n", "budget": 0.5}, r"setting budget.*One costs 1"),
        ({"data": "nowhere.csv"}, r"nowhere\.csv"),
        ({"data": "P,time (s)\n1,9\n2,5\n4,3\n", "against": "nobody"}, r"nobody"),
        ({"data": "P,time (s)\n8,9\n8,5\n8,3\n"}, r"only one number of processors"),
    ],
)
def test_what_can_not_be_fitted_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        run(replace(QUICK, **changes))  # type: ignore[arg-type]
