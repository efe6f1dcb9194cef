"""The blocks study: the optimum three ways, mappings, the chart, and honest notes."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from advisor.messages.diamond_blocks import Gantt
from advisor.models.logpc import diamond_best_blocks, diamond_makespan
from advisor.studies import STUDIES, Series, StudyResult, parse_settings
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run
from machines import InputError
from machines.catalogue import interconnect, interconnect_names
from machines.stopping import Stopped

OWN = BlocksParameters(task_time=1.0, mapping="snake")
QUICK = replace(OWN, receiving="printed")
PUBLISHED = replace(QUICK, mapping="random", contention="published")


def curve(result: StudyResult, name: str) -> Series:
    (found,) = [one for one in result.series if one.name == name]
    return found


def chart_of(result: StudyResult) -> Gantt:
    found = result.picture(Gantt)
    assert found is not None
    return found


def test_the_closed_form_the_search_and_the_chart_agree() -> None:
    result = run(QUICK)
    p = interconnect("alewife").long
    best, makespan = diamond_best_blocks(1024, 32, 1.0, p, 8.0)
    assert best == 238
    assert curve(result, "best").x == (238.0,)
    assert curve(result, "best").y == pytest.approx((makespan,))
    assert chart_of(result).makespan == pytest.approx(makespan)
    slower = diamond_makespan(1024, 32, 16, 1.0, p, 512.0) / makespan
    assert f"{slower:.1f} times faster than 16 blocks" in result.sentence
    assert result.headline.startswith(
        "Cut each stripe into 238 blocks (receiving overhead O_r as printed): "
    )
    assert any("238.1" in text for text in result.reasons)


def test_the_networks_own_overhead_is_charged_and_the_printed_optimum_told() -> None:
    result = run(OWN)
    assert result.headline == "Cut each stripe into 87 blocks: 71,047 cycles."
    assert result.alternative == "1.7 times faster than 16 blocks."
    assert any("costs 20 % more than 87" in text for text in result.reasons)
    p = interconnect("alewife").long
    best, makespan = diamond_best_blocks(1024, 32, 1.0, p, 8.0, receive_overhead=True)
    assert (curve(result, "best").x, best) == ((87.0,), 87)
    assert chart_of(result).makespan == pytest.approx(makespan)
    (note,) = [one for one in run(QUICK).notes if "o_r" in one.text]
    assert not note.inside_domain
    assert "advises 238 blocks, which costs 20 % more than 87" in note.text


def test_a_network_without_receive_overhead_has_one_reading() -> None:
    results = [run(BlocksParameters(network=name)) for name in interconnect_names()]
    told = [any("o_r" in text for text in one.reasons) for one in results]
    assert told == [interconnect(name).long.o_r > 0 for name in interconnect_names()]


def test_the_curve_without_contention_is_the_closed_form() -> None:
    points = curve(run(QUICK), "without contention")
    p = interconnect("alewife").long
    for x, y in list(zip(points.x, points.y, strict=True))[::25]:
        b = int(x)
        assert y == pytest.approx(diamond_makespan(1024, 32, b, 1.0, p, 8192 / b))


def test_both_occupancies_are_drawn_and_contention_moves_the_optimum() -> None:
    result = run(PUBLISHED)
    alone = curve(result, "without contention")
    physical = curve(result, "with contention, physical")
    as_bytes = curve(result, "with contention, bytes")
    for low, middle, high in zip(alone.y, physical.y, as_bytes.y, strict=True):
        assert low < middle < high
    assert curve(result, "best").x[0] > 238


def test_equal_blocks_are_marked_and_listed() -> None:
    result = run(PUBLISHED)
    whole = curve(result, "equal blocks")
    assert whole.x == (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)  # 1024: less than 1 + a bytes
    listed = [cells[0] for cells in result.tables[0].rows if cells[1] == "equal blocks"]
    assert listed == list(whole.x)
    assert any("Equal blocks: the best, 256 blocks, takes" in text for text in result.reasons)


def test_mappings_are_compared() -> None:
    paper = BlocksParameters(bytes_per_value=20_000.0, blocks=64, contention="published")
    rows = {cells[0]: cells for cells in run(paper).tables[1].rows}
    assert rows["random"][1] == pytest.approx(2.0)
    assert rows["random"][5] == pytest.approx(1.5, abs=1e-3)
    for order in ("row-major", "snake"):
        assert rows[order][3:6:2] == (0.0, 1.0)
        assert "fewer hops than 1" in str(rows[order][6])
    aware = {
        cells[0]: cells for cells in run(replace(paper, contention="route-aware")).tables[1].rows
    }
    assert aware["snake"][2] == 1.0
    assert aware["snake"][5] == pytest.approx(1.0)
    assert aware["random"][5] > 1.1  # type: ignore[operator]


def test_the_chosen_blocks_are_drawn() -> None:
    result = run(replace(PUBLISHED, blocks=10, processors=4))
    chart = chart_of(result)
    assert chart.processors == 4
    assert "4 stripes in 10 blocks" in chart.title
    (chosen,) = [cells for cells in result.tables[0].rows if cells[0] == 10]
    assert chosen[1] == "chosen"
    assert chart.makespan == pytest.approx(chosen[5])
    assert any("do not divide" in note.text for note in result.notes)


def test_seconds_are_shown_where_the_network_counts_in_them() -> None:
    result = run(BlocksParameters(network="myrinet-now", blocks=8, n=64))
    assert curve(result, "best").y_unit == "s"
    chart = chart_of(result)
    assert chart.unit == "s"
    (row,) = [cells for cells in result.tables[0].rows if cells[0] == 8]
    assert chart.makespan == pytest.approx(row[5])
    assert 0 < chart.makespan < 1


@pytest.mark.parametrize("name", interconnect_names())
def test_every_preset_gets_an_answer(name: str) -> None:
    result = run(BlocksParameters(network=name, n=64, processors=4))
    assert result.complete
    assert result.headline.startswith("Cut each stripe into ")


def test_two_processors_and_huge_charts_are_noted() -> None:
    notes = [note.text for note in run(replace(QUICK, processors=2)).notes]
    assert any("upper bound" in text for text in notes)
    large = run(replace(QUICK, n=10**6, blocks=5000))
    assert large.pictures == ()
    assert any("too many to draw" in note.text for note in large.notes)


def test_the_published_model_says_where_it_does_not_apply() -> None:
    result = run(replace(PUBLISHED, mapping="row-major"))
    assert any("not applicable" in note.text for note in result.notes)
    assert not [one for one in result.series if one.name.startswith("with contention")]


def test_a_stopped_study_hands_over_what_it_has() -> None:
    asked = iter([False] * 9)
    result = run(QUICK, None, lambda: next(asked, True))
    assert not result.complete
    assert curve(result, "best").x == (9.0,)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        (["blocks=2000"], "setting blocks.*Allowed: 1 to 910"),
        (["n=4", "bytes_per_value=1"], "setting n: messages.*1 \\+ a bytes"),
        (["processors=40"], "setting processors.*up to 32"),
        (["task_time=0"], "range"),
        (["mapping=gray", "dims=5x3"], "powers of two"),
        (["occupancy=bits"], "physical"),
    ],
)
def test_what_can_not_be_is_refused(settings: list[str], word: str) -> None:
    with pytest.raises(InputError, match=word):
        run(parse_settings(BlocksParameters, settings))


def test_the_study_is_registered() -> None:
    assert STUDIES["blocks"].run is run


WIDE = parse_settings(BlocksParameters, ["dims=9x9 torus", "n=200", "mapping=snake"])


def test_a_large_network_is_not_priced_to_its_end_when_stopped() -> None:
    asked = count()
    with pytest.raises(Stopped):
        run(WIDE, None, lambda: next(asked) >= 30)
    assert next(asked) == 31


def test_a_study_stopped_while_it_prices_other_mappings_keeps_those_before() -> None:
    asked = count()
    whole = run(WIDE, None, lambda: next(asked) < 0)
    (every,) = [one for one in whole.tables if one.title == "Mappings"]
    most, again = next(asked) - 10, count()
    result = run(WIDE, None, lambda: next(again) >= most)
    (some,) = [one for one in result.tables if one.title == "Mappings"]
    assert whole.complete
    assert not result.complete
    assert some.rows == every.rows[: len(some.rows)]
    assert 0 < len(some.rows) < len(every.rows)
    assert next(again) == most + 1
