"""One contention case both ways: the numbers of either reading and the reason of the difference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrm import mva
from advisor.models.processor_sharing import sharing_slowdown
from advisor.models.slowdown import communication_slowdown, computation_slowdown
from advisor.studies import STUDIES, StudyProgress, StudyResult, parameters_of, parse_settings
from advisor.studies.sharing.parameters import SharingCase, SharingParameters
from advisor.studies.sharing.run import run
from machines import InputError


def curve(result: StudyResult, name: str, x_label: str) -> dict[float, float]:
    (one,) = [s for s in result.series if s.name == name and s.x_label == x_label]
    return dict(zip(one.x, one.y, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("contenders", "formula", "queue"),
    [
        ("2x0.5", 2.0, 2.2),
        ("2x0.25", 1.5, 1.588),
        ("0.5, 0.25", 1.75, 1.889),
        ("3x0.5", 2.5, 3.0625),
    ],
)
def test_both_ways_give_the_slowdowns_of_the_measured_cases(
    contenders: str, formula: float, queue: float
) -> None:
    result = run(SharingParameters(contenders))
    p = float(len(SharingCase.of(SharingParameters(contenders)).shares))
    assert curve(result, "published formula", "contenders p")[p] == pytest.approx(formula)
    assert curve(result, "1 + mean queue", "contenders p")[p] == pytest.approx(queue, abs=5e-4)


@given(st.integers(1, 8), st.floats(0.01, 0.99))
def test_the_queue_of_equal_sleepers_is_the_machine_repairman(p: int, share: float) -> None:
    case = SharingCase.of(SharingParameters(f"{p}x{share!r}"))
    expected = 1.0 + float(mva(p, [share], 1.0 - share).queues[0])
    assert case.queue(case.shares) == pytest.approx(expected, rel=1e-9)


@given(
    st.lists(st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 0.5)), min_size=1, max_size=6),
    st.sampled_from(["cpu", "link"]),
    st.sampled_from(["shared", "private"]),
)
def test_the_numbers_present_are_distributions_with_the_means_of_both_ways(
    shares: list[tuple[float, float]], resource: str, link: str
) -> None:
    text = ", ".join(f"{one!r}/{other!r}" for one, other in shares)
    case = SharingCase.of(SharingParameters(text, resource, link))
    formula, queue = case.present(case.shares)
    counts = np.arange(len(shares) + 1)
    assert formula.sum() == pytest.approx(1.0)
    assert queue.sum() == pytest.approx(1.0)
    assert counts @ formula == pytest.approx(sum(case.own(pair) for pair in shares))
    if (resource, link) != ("link", "private"):
        assert 1.0 + counts @ queue == pytest.approx(case.queue(case.shares), rel=1e-9)


def test_the_published_pairs_of_the_paper_are_given_both_ways() -> None:
    asked = SharingParameters("0.25/0.75, 0.76/0.24", resource="cpu")
    case = SharingCase.of(asked)
    assert case.formula(case.shares) == pytest.approx(2.01, abs=5e-3)
    assert case.queue(case.shares) == pytest.approx(sharing_slowdown([(1, 3), (76, 24)]))
    assert case.queue(case.shares) == pytest.approx(2.0146, abs=5e-5)


def test_measured_delays_enter_the_formula_as_published() -> None:
    fcomp, fcomm, delays = [0.34, 0.67], [0.66, 0.33], [0.8, 1.3]
    text = "0.34/0.66, 0.67/0.33"
    at_cpu = SharingCase.of(SharingParameters(text, delays="0.8, 1.3"))
    expected = computation_slowdown(fcomp, fcomm, {1000: delays}, 1200)
    assert at_cpu.formula(at_cpu.shares) == pytest.approx(expected)
    on_link = SharingCase.of(SharingParameters(text, resource="link", delays="0.8, 1.3"))
    expected = communication_slowdown(fcomp, fcomm, [0.0, 0.0], delays)
    assert on_link.formula(on_link.shares) == pytest.approx(expected)


def test_piling_up_is_the_reason_where_contenders_sleep() -> None:
    result = run(SharingParameters("3x0.5"))
    assert "a slowdown of ×3.06 beside 3 contenders" in result.headline
    assert "23 % more than by the published formula, ×2.50" in result.alternative
    assert any("69 % of its time instead of 50 %" in text for text in result.reasons)
    rows = {row[0]: row for row in result.tables[0].rows}
    assert rows[3][5] == pytest.approx(68.75)
    (warned,) = [note for note in result.notes if not note.inside_domain]
    assert "measured on one core of a Linux machine" in warned.text
    assert warned.source == "Figueira & Berman 1996, sec. 3.2"


def test_waiting_elsewhere_is_the_reason_where_contenders_share_the_link() -> None:
    result = run(SharingParameters("2x0.25/0.75"))
    assert "7.7 % less than by the published" in result.alternative
    assert any("wait for each other at the link" in text for text in result.reasons)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (SharingParameters("0.4"), "a single contender"),
        (SharingParameters("3x1"), "can't be present more often"),
        (SharingParameters("2x0.5/0.5"), "balance"),
        (SharingParameters("2x0/0.5", resource="link", link="private"), "its own link"),
    ],
)
def test_agreement_has_a_reason_too(asked: SharingParameters, why: str) -> None:
    result = run(asked)
    assert result.alternative.endswith(" agree.")
    assert any(why in text for text in result.reasons)


def test_the_share_is_varied_with_the_phases_elsewhere_kept() -> None:
    case = SharingCase.of(SharingParameters("0.2/0.4, 1"))
    assert case.at_share(0.5) == ((0.5, pytest.approx(0.25)), (0.5, 0.0))
    result = run(SharingParameters("2x0.5"))
    by_share = curve(result, "1 + mean queue", "share computing")
    assert by_share[0.5] == pytest.approx(2.2)
    assert by_share[1.0] == pytest.approx(3.0)


def test_delays_are_not_extrapolated() -> None:
    result = run(SharingParameters("0.5/0.5", delays="0.3, 0.7", most=8))
    assert len(result.tables[0].rows) == 2


def test_a_stopped_study_hands_over_what_it_has() -> None:
    asked, told = iter([False] * 12), list[StudyProgress]()
    result = run(SharingParameters("0.5"), told.append, lambda: next(asked, True))
    assert not result.complete
    assert len(curve(result, "1 + mean queue", "contenders p")) == 8
    assert len(curve(result, "1 + mean queue", "share computing")) == 4
    assert told


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        ("contenders=", "empty"),
        ("contenders=half", "no number"),
        ("contenders=1.5", "Together at most 1"),
        ("contenders=0.6/0.5", "Together at most 1"),
        ("contenders=-0.5", "no number ≥ 0"),
        ("contenders=31x0.5", "1 to 30"),
        ("delays=0.3", "Give 2"),
        ("delays=0.9, 0.3", "falls from 0.9 to 0.3"),
        ("resource=disk", "cpu, link"),
    ],
)
def test_what_can_not_be_is_refused(setting: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        run(parse_settings(SharingParameters, [setting]))


def test_its_choices_have_titles() -> None:
    for one in parameters_of(SharingParameters):
        titles = [one.titled(choice) for choice in one.choices if one.titled is not None]
        assert len(set(titles)) == len(one.choices)
        assert all(title[0].isupper() for title in titles)


def test_the_study_is_registered() -> None:
    assert STUDIES["sharing"].run is run
    assert not STUDIES["sharing"].needs_problem
