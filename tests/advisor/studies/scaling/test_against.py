"""Two sets laid over each other: differences are claimed where they are, and only there."""

from __future__ import annotations

import re

import numpy as np
import pytest

from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from advisor.studies.study import StudyResult
from machines import InputError

AT = (1, 2, 4, 8, 16, 32, 64)


def usl(sigma: float, kappa: float, one: float, P: int) -> float:
    return one * (1.0 + sigma * (P - 1) + kappa * P * (P - 1)) / P


def text(
    sigma: float, one: float, seed: int, at: tuple[int, ...] = AT, noise: float = 0.015
) -> str:
    """Three times at each P by the USL with relative noise."""
    rng = np.random.default_rng(seed)
    lines = [f"{P},{usl(sigma, 1e-4, one, P) * (1.0 + noise * rng.standard_normal()):.6g}"
             for P in at for _ in range(3)]  # fmt: skip
    return "\n".join(("P,time (s)", *lines))


def asked(data: str, against: str, replicates: int = 40) -> StudyResult:
    return run(ScalingParameters(source="data", data=data, against=against, replicates=replicates))


def claims(result: StudyResult) -> dict[int, str]:
    table = next(one for one in result.tables if one.title == "Side by side")
    return {int(str(row[0])): str(row[-2]) for row in table.rows}


def test_each_is_said_to_be_faster_where_it_is() -> None:
    # in truth: 25 % at 1, 0.8 % at 8, 76 % at 64
    result = asked(text(0.01, 100.0, 1), text(0.05, 80.0, 2))
    first, second = "the first set", "the second set"
    assert claims(result) == {1: second, 2: second, 4: second, 8: "no difference",
                              16: first, 32: first, 64: first}  # fmt: skip
    assert result.sentence.startswith("The second set is faster at P = 1 to 4, by 12 % to 26 % (")
    assert "; the first set is faster at P = 16 to 64, by 21 % to 80 % (3.16 s beside 5.69 s at " \
        "64); no difference beyond noise at P = 8. The first set: " in result.sentence  # fmt: skip
    assert result.reasons[0].startswith(
        "The second set: Use 60 processors, the fewest within 1 % of the best time"
    )


def test_both_sets_are_drawn_with_their_own_mean() -> None:
    result = asked(text(0.01, 100.0, 1), text(0.05, 80.0, 2), replicates=0)
    times = {one.name: one for one in result.series if one.y_label == "time"}
    points, mean = (times[f"{what}, the second set"] for what in ("measured", "mean of the laws"))
    assert (points.kind, mean.kind) == ("points", "line")
    assert points.y[0] == pytest.approx(80.0, rel=0.05)
    expected = [usl(0.05, 1e-4, 80.0, int(P)) for P in mean.x]
    assert mean.y == pytest.approx(expected, rel=0.03)


def test_no_difference_is_claimed_between_runs_of_one_program() -> None:
    found = [claims(asked(text(0.01, 100.0, 1000 + seed), text(0.01, 100.0, 2000 + seed)))
             for seed in range(3)]  # fmt: skip
    wrong = sum(said != "no difference" for one in found for said in one.values())
    assert sum(map(len, found)) == 21
    assert wrong <= 1
    result = asked(text(0.01, 100.0, 1), text(0.01, 100.0, 2))
    said = "No difference beyond noise between the first set and the second set at P = 1 to 64. "
    assert result.sentence.startswith(said)


def test_a_point_that_contradicts_its_law_widens_what_is_not_known() -> None:
    # at 8 the second set is measured as fast as the first, at 4 and 16 it is 20 % slower
    lines = [f"{P},{1.2 * usl(0.01, 1e-4, 100.0, P):.6g}" for P in AT for _ in range(3)]
    lines[9:12] = [f"8,{usl(0.01, 1e-4, 100.0, 8):.6g}"] * 3
    result = asked(text(0.01, 100.0, 1, noise=0.002), "P,time (s)\n" + "\n".join(lines))
    assert claims(result)[8] == "no difference"


def test_sets_measured_at_different_numbers_are_compared_where_both_reach() -> None:
    other = text(0.1, 150.0, 2, at=(2, 3, 6, 12, 24, 48))
    found = claims(asked(text(0.01, 100.0, 1), other))
    assert sorted(found) == [2, 3, 4, 6, 8, 12, 16, 24, 32, 48]
    assert set(found.values()) == {"the first set"}
    unsampled = asked(text(0.01, 100.0, 1), other, replicates=0)
    assert claims(unsampled)[3] == "not known"
    assert any("Without samples of the bootstrap" in note.text for note in unsampled.notes)
    apart = asked(text(0.01, 100.0, 1), text(0.01, 100.0, 2, at=(100, 128, 256)))
    assert "share no range of P: nothing says which is faster" in apart.sentence


@pytest.mark.parametrize(("against", "message"), [
    ("P,speedup\n1,1\n2,1.9\n4,3.5", r"speedup can't be laid over time \(s\)"),
    ("P,time (cycles)\n1,100\n2,52\n4,28", r"time \(cycles\) can't be laid over time \(s\)"),
    ("P,time (s)\n4,3\n4,2.9\n4,3.1", "only one number of processors was measured"),
    ("P,time (s)\n1,3\n2,3\n4,3", "all times are equal from P = 1 to 4"),
])  # fmt: skip
def test_what_can_not_be_compared_is_refused(against: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        asked(text(0.01, 100.0, 1), against, replicates=0)


def test_two_that_are_close_are_told_with_digits_that_differ() -> None:
    one, other = ("\n".join(f"{P},{X / (1 + 0.02 * (P - 1)) * P * w:.9g}" for P in AT
                            for w in (0.9999, 1.0, 1.0001)) for X in (1000.0, 1002.0))  # fmt: skip
    result = asked(f"P,throughput\n{one}", f"P,throughput\n{other}", replicates=40)
    said = re.search(r"\(([\d,.]+) beside ([\d,.]+)", result.sentence)
    assert said is not None, result.sentence
    assert float(said[1].replace(",", "")) > float(said[2].replace(",", ""))


def test_speedups_say_what_scales_and_files_lend_their_names(tmp_path) -> None:
    for name, sigma in (("old", 0.1), ("new", 0.01)):
        lines = [f"{P},{P / (1.0 + sigma * (P - 1)):.6g}" for P in AT]
        (tmp_path / f"{name}.csv").write_text("P,speedup\n" + "\n".join(lines))
    result = asked(str(tmp_path / "old.csv"), str(tmp_path / "new.csv"))
    assert result.sentence.startswith("new scales better at P = 2 to 64, by 8.9 % to 348 % (")


def test_a_column_of_spreads_is_said_to_have_no_say() -> None:
    data = "P;time (s);sd\n1;100,5;2\n2;52;1\n4;28,5;1\n8;17;1\n"
    result = run(ScalingParameters(source="data", data=data, replicates=0))
    assert any('The column "sd" is ignored' in note.text for note in result.notes)
