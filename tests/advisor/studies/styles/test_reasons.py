"""The reasons of the styles study add up, and its headline is what a simulation finds, too."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from advisor.messages.styles import ROUTE_AWARE_ERROR
from advisor.studies import StudyResult
from advisor.studies.styles.check import BLOCKED, OVERLAPPED
from advisor.studies.styles.check import check as check_styles
from advisor.studies.styles.parameters import StylesParameters
from advisor.studies.styles.run import run
from tests.advisor.studies.checking import rows

CASES = {
    "uniform": StylesParameters(largest_bytes=2000),
    "hotspot": StylesParameters(largest_bytes=2000, pattern="hotspot", hotspot_share=0.02),
    "small": StylesParameters(largest_bytes=2000, message_bytes=200),
    "few bytes": StylesParameters(largest_bytes=100, message_bytes=16),
    "published": StylesParameters(largest_bytes=2000, contention="published"),
    "shift": StylesParameters(largest_bytes=2000, pattern="shift"),
}


def reason_against(result: StudyResult) -> str:
    (found,) = [text for text in result.reasons if text.startswith("Against ")]
    return found


@pytest.mark.parametrize("case", CASES)
def test_the_reasons_add_up_to_the_gain_as_they_are_printed(case: str) -> None:
    text = reason_against(run(CASES[case]))
    whole = re.search(r"it (saves|costs) ([\d.]+) cycles", text)
    assert whole is not None
    gain = float(whole[2]) * (1 if whole[1] == "saves" else -1)
    parts = re.findall(r"([\d.]+) cycles of [a-z ]+? (saved|added)", text)
    assert parts
    told = [float(value) * (1 if sign == "saved" else -1) for value, sign in parts]
    # three digits of each
    assert sum(told) == pytest.approx(gain, abs=0.005 * sum(map(abs, told)))


def test_gap_saved_and_contention_added_are_both_told() -> None:
    text = reason_against(run(CASES["small"]))
    assert "of gap saved and" in text
    assert "of network contention added" in text


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("case", "alike"), [("uniform", True), ("hotspot", True), ("small", False)]
)
def test_what_is_called_alike_or_best_is_so_in_the_simulation(case: str, alike: bool) -> None:
    asked = CASES[case]
    sentence = run(asked).sentence
    assert ("tie within the model's error of 6.0 %" in sentence) == alike
    found = {one["style"]: one for one in rows(check_styles(asked, messages=60_000))[:2]}
    blocked, overlapped = (float(found[one.name]["simulated"]) for one in (BLOCKED, OVERLAPPED))  # type: ignore[arg-type]
    apart = abs(overlapped / blocked - 1.0)
    if alike:
        assert apart < 1.5 * ROUTE_AWARE_ERROR
        assert sentence.startswith(f"Send {BLOCKED.name} messages: ")
        assert sentence.endswith(f"{BLOCKED.name} has the fewest messages under way.")
    else:
        assert overlapped < blocked and apart > 1.5 * ROUTE_AWARE_ERROR
        assert sentence.startswith(f"Send {OVERLAPPED.name} messages: ")


@pytest.mark.usefixtures("compiled")
def test_the_check_tells_whether_the_other_style_differs() -> None:
    found = check_styles(replace(CASES["small"], dims="4x2"), messages=4000)
    assert "Non-blocking ones take" in found.sentence
    same = check_styles(replace(CASES["shift"], dims="4x2"), messages=500).sentence
    assert "Non-blocking ones" in same


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (
            replace(CASES["shift"], contention="published"),
            "k_d = 0.969 hops per dim",
        ),
        (CASES["published"], "optimistic by 8 to 35 %"),
        (
            replace(CASES["hotspot"], contention="published", hotspot_share=0.4),
            "more reasons in the notes",
        ),
    ],
)
def test_the_headline_says_where_the_model_does_not_hold(asked: StylesParameters, why: str) -> None:
    sentence = run(asked).sentence
    assert "The model does not hold here: " in sentence
    assert why in sentence


def test_where_the_model_holds_the_headline_does_not_doubt() -> None:
    assert "does not hold" not in run(CASES["uniform"]).sentence


def test_styles_that_take_the_same_time_are_said_to() -> None:
    sentence = run(StylesParameters(network="infiniband", largest_bytes=2000)).sentence
    assert " messages: 5.50 µs for 1.00 kB. " in sentence
    assert " take the same time; " in sentence
