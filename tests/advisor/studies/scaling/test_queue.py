"""What the scaling study says of known times, against the same network solved another way."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from advisor.basics.quantities import number, percent
from advisor.studies import StudyProgress, StudyResult
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from advisor.studies.study import EQUATION
from machines import InputError
from tests.advisor.studies.scaling.networks import burst, curve, queue, rate, table

SEVERAL = ScalingParameters(demands="1, 3, 2x2", think_time=20.0)
D, Z = [1.0, 3.0, 2.0, 2.0], 20.0
BARRIER = replace(SEVERAL, style="synchronous")
ONE = ScalingParameters(demands="10", think_time=990.0)
EITHER = pytest.mark.parametrize("asked", [SEVERAL, BARRIER], ids=["asynchronous", "synchronous"])


def rates(asked: ScalingParameters, P: int, demands: list[float] = D) -> float:
    """Throughput of the network, by the messaging that was asked for."""
    return (burst if asked.style == "synchronous" else rate)(P, demands, Z)


def reason(result: StudyResult, start: str) -> str:
    (found,) = [text for text in result.reasons if text.startswith(start)]
    return found


def highest(values: dict[int, float]) -> int:
    return max(values, key=values.__getitem__)


@EITHER
def test_a_chosen_number_has_the_values_of_the_network_solved_another_way(
    asked: ScalingParameters,
) -> None:
    for row in table(run(replace(asked, price=2.5)), "Processors to use"):
        P = row["P"]
        X = rates(asked, P)
        assert row["throughput"] == pytest.approx(X)
        assert row["speedup"] == pytest.approx(X / rates(asked, 1))
        assert row["efficiency"] == pytest.approx(100.0 * X / rates(asked, 1) / P)
        assert row["latency R"] == pytest.approx(P / X - Z)  # Little's law
        assert row["bottleneck busy"] == pytest.approx(100.0 * X * 3.0)
        assert row["cost"] == 2.5 * P


@EITHER
def test_the_numbers_are_the_best_of_all_that_were_looked_at(asked: ScalingParameters) -> None:
    result = run(replace(asked, processors=40, budget=7.0))
    X = {P: rates(asked, P) for P in range(1, 41)}
    time, power, budget = table(result, "Processors to use")
    assert time["P"] == min(P for P in X if X[P] >= 0.99 * max(X.values()))
    assert power["P"] == max(X, key=lambda P: X[P] ** 2 / P)
    assert budget["P"] == min(P for P in range(1, 8) if X[P] >= 0.99 * X[7])


@EITHER
def test_a_stage_is_as_busy_and_as_full_as_the_network_solved_another_way(
    asked: ScalingParameters,
) -> None:
    result = run(asked)
    P = table(result, "Processors to use")[0]["P"]
    rows = {str(row["stage"]): row for row in table(result, "Stages")}
    assert list(rows) == ["2", "3 (2 alike)", "1"]  # the busiest first
    for name, stage in (("2", 1), ("3 (2 alike)", 2), ("1", 0)):
        row, halved = rows[name], list(D)
        halved[stage] /= 2.0
        assert row["D_k"] == D[stage]
        assert row[f"busy with {P}"] == pytest.approx(100.0 * rates(asked, P) * D[stage])
        assert row["queue, asynchronous"] == pytest.approx(queue(P, D, Z, stage))
        faster = rates(asked, P, halved) / rates(asked, 1)
        assert row[f"speed with {P} if halved"] == pytest.approx(faster)
        assert row["knee if halved"] == pytest.approx((sum(halved) + Z) / max(halved))


def test_messages_that_do_not_queue_are_computing() -> None:
    result = run(SEVERAL)
    P = table(result, "Processors to use")[0]["P"]
    one, alike, other = (row["queue, asynchronous"] for row in table(result, "Stages"))
    X = table(result, "Processors to use")[0]["throughput"]
    assert one + 2.0 * alike + other + Z * X == pytest.approx(P)


@EITHER
def test_the_headline_says_the_numbers_of_the_tables(asked: ScalingParameters) -> None:
    result = run(replace(asked, budget=6.0))
    time, power, budget = table(result, "Processors to use")
    among = (
        ", the best time up to 38" if asked.style == "synchronous" else ""
    )  # 4 knees, and still rising
    halved = table(result, "Stages")[0][f"speed with {budget['P']} if halved"]
    gain = halved / budget["speedup"] - 1.0
    assert result.headline == (
        f"Use {budget['P']} processors within the budget: {number(budget['speedup'])} times as "
        "fast as one."
    )
    assert result.alternative == (
        f"{time['P']} for the best time, {power['P']} for the best efficiency × speed; halving the "
        f"bottleneck, stage 2, would make {budget['P']} of them {percent(gain)} faster."
    )
    free = run(asked).headline
    assert free.startswith(f"Use {time['P']} processors: {number(time['speedup'])} times as fast")
    assert free.endswith(f" as one{among}.")


def test_a_bottleneck_that_nobody_waits_for_brings_nothing() -> None:
    asked = ScalingParameters(demands="0.001", think_time=1e6, processors=8)
    assert run(asked).sentence.endswith("halving the bottleneck, stage 1, brings nothing.")
    busy = run(replace(asked, demands="1e6"))
    assert "brings nothing" not in busy.sentence
    assert "would make" in busy.sentence


def test_relief_of_the_bottleneck_is_told_as_it_is() -> None:
    said = reason(run(SEVERAL), "With 1.50 cycles there")
    P = table(run(SEVERAL), "Processors to use")[0]["P"]
    eased = [1.0, 1.5, 2.0, 2.0]
    knee = (sum(eased) + Z) / 2.0
    X = [rate(p, eased, Z) for p in range(1, math.ceil(2.0 * knee) + 1)]
    best = next(p for p, one in enumerate(X, 1) if one >= 0.99 * max(X))
    speedup = run(SEVERAL).facts[1]
    assert f"{P} processors would be {speedup.said(X[P - 1] / rate(1, D, Z))} times" in said
    assert f"the knee would move to {number(knee)}, the best time to {best}, " in said
    assert said.endswith("and stage 3 would rule.")


def test_one_processor_alone_is_written_as_one() -> None:
    result = run(replace(ONE, budget=1.0))
    assert "1 processors" not in " ".join((result.sentence, *result.reasons))


def test_scaling_all_times_scales_the_times_alone() -> None:
    slow = run(ScalingParameters(demands="7, 21, 2x14", think_time=140.0))
    fast = run(SEVERAL)
    for title, times in (("Processors to use", {"latency R"}), ("Stages", {"D_k"})):
        for one, other in zip(table(fast, title), table(slow, title), strict=True):
            for column, value in one.items():
                factor = 7.0 if column in times else 1.0 / 7.0 if column == "throughput" else 1.0
                if isinstance(value, str):
                    assert other[column] == value
                else:
                    assert other[column] == pytest.approx(factor * value)
    assert [re.sub(r"[\d.]+ cycles", "t", text) for text in fast.reasons[1:]] == [
        re.sub(r"[\d.]+ cycles", "t", text) for text in slow.reasons[1:]
    ]


def test_the_order_of_the_stages_changes_their_names_alone() -> None:
    one, other = run(SEVERAL), run(replace(SEVERAL, demands="2, 2, 1, 3"))
    for title in ("Processors to use", "Stages"):
        for mine, theirs in zip(table(one, title), table(other, title), strict=True):
            for column in mine.keys() - {"stage", "purpose"}:
                assert theirs[column] == pytest.approx(mine[column]), column
    assert "stage 2," in one.sentence
    assert "stage 4," in other.sentence


def test_a_stage_that_takes_no_time_is_not_told_of() -> None:
    plain, padded = run(SEVERAL), run(replace(SEVERAL, demands="1, 3, 0, 2x2, 0"))
    assert table(padded, "Processors to use") == table(plain, "Processors to use")
    assert [row["D_k"] for row in table(padded, "Stages")] == [3.0, 2.0, 1.0]


@pytest.mark.parametrize("style", ["asynchronous", "synchronous"])
@pytest.mark.parametrize("coherency", [0.0, 0.02])
def test_a_stage_beside_one_that_takes_no_time_is_the_only_one(
    style: str, coherency: float
) -> None:
    alone = replace(ONE, style=style, coherency=coherency, processors=40)
    one, padded = run(alone), run(replace(alone, demands="10, 0"))
    assert padded.sentence == one.sentence
    assert padded.reasons == one.reasons
    assert padded.notes == one.notes
    assert [(line.name, line.y_label) for line in padded.series] == [
        (line.name, line.y_label) for line in one.series
    ]
    with pytest.raises(InputError, match="2 to 2048"):
        run(replace(alone, demands="0, 10", coherency=0.1, style="asynchronous", processors=4000))


def test_of_many_stages_the_busiest_twelve_are_listed() -> None:
    demands = ", ".join(str(k) for k in range(1, 20))
    rows = table(run(ScalingParameters(demands=demands, think_time=500.0)), "Stages")
    assert [row["D_k"] for row in rows] == [float(k) for k in range(19, 7, -1)]
    assert [row["stage"] for row in rows] == [str(k) for k in range(19, 7, -1)]


def test_the_band_of_the_knee_is_where_the_curve_leaves_its_asymptotes() -> None:
    X = {P: rate(P, D, Z) / rate(1, D, Z) for P in range(1, 41)}
    low = max(P for P in X if X[P] >= 0.9 * P)
    high = min(P for P in X if X[P] >= 0.9 * (sum(D) + Z) / 3.0)
    assert f"= 9.33 (band {low} to {high}:" in run(replace(SEVERAL, processors=40)).reasons[0]
    near = run(replace(SEVERAL, processors=low + 2)).reasons[0]
    assert f"(its band begins at {low}: an efficiency of 90 %)" in near
    far = run(replace(SEVERAL, processors=2)).reasons[0]
    assert "= 9.33; no number of processors" in far


def test_the_ends_of_the_band_are_named_in_the_order_in_which_they_come() -> None:
    # a long time between messages: the speed nears its limit before the efficiency falls
    X = {P: rate(P, [1.0], 99.0) / rate(1, [1.0], 99.0) for P in range(1, 121)}
    free, full = max(P for P in X if X[P] >= 0.9 * P), min(P for P in X if X[P] >= 90.0)
    assert full < free
    asked = ScalingParameters(demands="1", think_time=99.0, processors=120)
    words = "speed reaches 90 % of its limit, efficiency falls to 90 %"
    assert f"(band {full} to {free}: {words})" in run(asked).reasons[0]
    near = run(replace(asked, processors=full + 3)).reasons[0]
    assert f"(its band begins at {full}: 90 % of its limit)" in near


@pytest.mark.parametrize(
    ("demands", "formula", "root"),
    [
        ("10", "Z/(c D)", 3000.0 / (0.02 * 10.0)),
        ("5x40, 160", "(D + Z − D_max)/(c D_max)", (360.0 + 3000.0 - 160.0) / (0.02 * 160.0)),
        ("30, 30, 10", "(D + Z − D_max)/(c D_max)", (70.0 + 3000.0 - 30.0) / (0.02 * 30.0)),
    ],
)
def test_the_peak_that_the_formula_gives_is_that_of_the_curve(
    demands: str, formula: str, root: float
) -> None:
    asked = ScalingParameters(
        demands=demands, think_time=3000.0, style="synchronous", coherency=0.02, processors=150
    )
    result = run(asked)
    text = reason(result, "Messages slow each other by c = 0.0200")
    assert text.endswith(f"highest at P = √({formula}) = {number(math.sqrt(root))}.")
    assert abs(math.sqrt(root) - highest(curve(result, "USL, c = 0.02", "speedup"))) <= 1.0


def test_a_speed_that_falls_from_the_start_has_no_peak_below_one_processor() -> None:
    asked = ScalingParameters(
        demands="100", think_time=1.0, style="synchronous", coherency=1.0, processors=16
    )
    result = run(asked)
    speeds = curve(result, "USL, c = 1", "speedup")
    assert highest(speeds) == 1
    text = reason(result, "Messages slow each other by c = 1.00")
    assert text.endswith("the speed falls from the first processor on.")


def test_independent_messages_that_slow_each_other_peak_where_they_do() -> None:
    asked = replace(ONE, coherency=0.02)
    speeds = curve(run(replace(asked, processors=120)), "exact with coherency (asynchronous)",
                   "speedup")  # fmt: skip
    best = highest(speeds)
    assert 1 < best < 120
    text = reason(run(replace(asked, processors=120)), "Messages slow each other")
    assert text.endswith(f"the speed is highest at P = {best} and falls beyond.")
    short = reason(run(replace(asked, processors=best - 5)), "Messages slow each other")
    assert short.endswith(f"up to {best - 5} processors the speed still grows.")


@pytest.mark.parametrize("Z", [3.0, 40.0, 990.0])
def test_the_harmonic_bound_is_said_to_pass_amdahl_where_it_does(Z: float) -> None:
    sigma, harmonic, passes = 10.0 / (10.0 + Z), 0.0, 0
    for P in range(1, 1200):
        harmonic += 1.0 / P
        if P > 1 and P / harmonic > P / (1.0 + sigma * (P - 1)):
            passes = P
            break
    for up_to, warned in ((passes, True), (max(passes - 1, 2), passes == 2)):
        notes = [note.text for note in run(replace(ONE, think_time=Z, processors=up_to)).notes]
        expected = f"S_H is no lower bound: it passes S_A at P = {passes}"
        assert (expected in notes) == warned, up_to


def test_more_would_help_is_said_only_short_of_the_limit() -> None:
    short, whole = run(replace(SEVERAL, processors=6)), run(replace(SEVERAL, processors=60))
    assert "the best time up to 6." in short.sentence
    assert reason(short, "Best time").endswith("; more than these would still help.")
    assert "up to" not in whole.sentence
    assert "would still help" not in " ".join(whole.reasons)


def test_a_budget_is_told_with_what_it_buys_and_costs() -> None:
    rich = reason(run(replace(SEVERAL, budget=1000.0, price=2.0)), "Within the budget")
    assert "of the 500 that it buys; more bring less than 1 %:" in rich
    P = int(re.findall(r"P = (\d+)", rich)[0])
    assert rich.endswith(f"cost {number(2.0 * P)}.")
    tight = reason(run(replace(SEVERAL, budget=4.0)), "Within the budget")
    assert tight.startswith("Within the budget, P = 4: ")
    assert "cost" not in tight


@pytest.mark.parametrize(
    ("asked", "inside", "outside"),
    [
        (ONE, "Exact for independent messages", ""),
        (replace(ONE, style="synchronous"), "Exact for equal computing times and a barrier", ""),
        (SEVERAL, "Exact for independent messages", "S_A and S_E take all stages as one"),
        (replace(SEVERAL, coherency=0.1), "Exact for independent", "is not solved: left out"),
    ],
)
def test_notes_are_of_the_case_that_was_asked(
    asked: ScalingParameters, inside: str, outside: str
) -> None:
    notes = [note for note in run(replace(asked, processors=8)).notes if "S_H" not in note.text]
    said = [note for note in notes if note.inside_domain and note.kind != EQUATION]
    assert [note.text.startswith(inside) for note in said] == [True]
    doubts = [note.text for note in notes if not note.inside_domain]
    assert any(outside in text for text in doubts) if outside else not doubts


def test_coherency_that_is_left_out_changes_no_number() -> None:
    plain, asked = run(SEVERAL), run(replace(SEVERAL, coherency=0.1))
    assert table(asked, "Processors to use") == table(plain, "Processors to use")
    assert table(asked, "Stages") == table(plain, "Stages")


def test_stages_that_slow_as_they_queue_have_no_share_of_time() -> None:
    result = run(replace(ONE, coherency=0.02, processors=40))
    assert [row["bottleneck busy"] for row in table(result, "Processors to use")] == [None, None]
    (stage,) = table(result, "Stages")
    busy = [value for name, value in stage.items() if name.startswith(("busy", "queue"))]
    assert busy == [None, None]


def test_progress_names_each_part_once() -> None:
    told: list[StudyProgress] = []
    run(SEVERAL, told.append)
    assert [one.sentence for one in told] == ["Speedup", "Latency", "Efficiency and throughput"]
    assert [one.fraction for one in told] == [0.0, 1 / 3, 2 / 3]


def test_thousands_of_processors_have_commas_wherever_they_are_told() -> None:
    result = run(ScalingParameters(demands="0, 5, 3"))
    assert result.headline.startswith("Use 2,587 processors")
    assert result.sentence.count("2,590") == 1
    assert result.against.startswith("P = 2,590,")
    told = " ".join((result.sentence, result.against, *result.reasons))
    assert not re.search(r"\b[0-9]{4,}\b", told)
