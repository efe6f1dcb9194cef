"""What is said of campaigns whose truth is known, and of those that contradict all hopes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from advisor.campaigns.findings import findings
from advisor.campaigns.results import Results
from advisor.studies.facts import MOST_FACTS
from advisor.studies.study import StudyResult
from advisor.studies.study_json import result_report
from machines import InputError
from machines.stopping import Stopped, stoppable
from tests.advisor.campaigns.made_rows import results, row, table

Effect = Callable[[float, int], float | None]


def campaign(
    effects: Mapping[str, float | Effect],
    many: int = 30,
    ccrs: tuple[float, ...] = (1.0,),
    noise: float = 0.005,
    bound: float | None = 0.9,
) -> Results:
    """Layered graphs of 20, 50 and 100 tasks; each strategy takes its effect times the same."""
    draw = np.random.default_rng(1)
    rows = []
    for k in range(many):
        tasks, base = (20, 50, 100)[k % 3], float(draw.lognormal(3.0, 1.0))
        for ccr in ccrs:
            for name, effect in effects.items():
                factor = effect(ccr, tasks) if callable(effect) else effect
                luck = float(np.exp(draw.normal(0.0, noise)))
                rows.append(
                    row(
                        None if factor is None else base * factor * luck,
                        workload=f"layered {tasks} {ccr}", generator="layered", tasks=tasks,
                        seed=k, ccr=ccr, strategy=name,
                        bound=None if bound is None else base * bound,
                    )
                )  # fmt: skip
    return results(rows, [0.01] * len(rows))


def said(result: StudyResult) -> str:
    return " ".join((result.headline, result.alternative, *result.reasons))


def noted(result: StudyResult) -> str:
    return " ".join(one.text for one in result.notes)


def test_the_best_strategy_is_named_with_its_lead_and_how_sure_that_is() -> None:
    found = findings(campaign({"heft": 1.02, "peft": 1.0, "min-min": 1.1}))
    assert found.headline.startswith("peft is the best of 3 strategies: 2.0 % below heft in the")
    assert (
        "with 95 % confidence, p < 0.001 (signed rank test over 30 workloads" in found.alternative
    )
    assert found.against == "heft"
    names = [one.name for one in found.facts]
    assert names == ["best on", "mean value / best", "value / bound on 90 %", "median time"]
    assert len(names) <= MOST_FACTS


def test_people_read_of_strategies_by_their_titles_and_programs_by_their_names() -> None:
    given = campaign({"heft": 1.02, "refine": 0.8, "one-machine": 1.1, "gone": 1.5})
    found = findings(given, "one-machine", titles=True)
    assert found.headline.startswith("Refinement is the best of 4 strategies: 27 % below One mach")
    assert "of the 3 that make one plan" in found.headline  # its role is known by its title, too
    titles = ["Refinement", "HEFT", "One machine", "gone"]
    assert [row_[0] for row_ in found.tables[0].rows] == titles
    assert list(dict.fromkeys(one.name for one in found.series))[:4] == titles
    assert [row_[0] for row_ in findings(given).tables[0].rows][:2] == ["refine", "heft"]


def test_people_read_of_timelines_in_words() -> None:
    lower = [1.0 + 0.01 * k for k in range(20)]
    given = table(
        {"heft": [*lower, *[2.0] * 20], "one-machine": [*[1.5] * 20, *[1.6] * 20]},
        workload=[f"w{k}" for k in (*range(20), *range(20))],
        sharing=["none"] * 20 + ["fair"] * 20,
    )
    for titles, names in (
        (True, ["contention-free schedule", "contention-aware schedule"]),
        (False, ["none", "fair"]),
    ):
        found = findings(given, titles=titles)
        told = next(one for one in found.tables if one.title == "Best by condition")
        assert [row_[:2] for row_ in told.rows] == [("timeline", name) for name in names]
        assert f"on the timeline “{names[1]}” " in said(found)


def test_people_read_of_generators_by_their_titles() -> None:
    draw = np.random.default_rng(2).uniform(1.0, 1.1, (2, 24)).tolist()
    given = table(
        {"heft": draw[0], "peft": draw[1]},
        seed=[k // 2 for k in range(24)],
        generator=["fft", "cholesky"] * 12,
    )
    for titles, names in ((True, ["Fast Fourier transform", "Tiled Cholesky"]),
                          (False, ["fft", "cholesky"])):  # fmt: skip
        found = findings(given, titles=titles)
        told = next(one for one in found.tables if one.title == "Best by condition")
        assert [row_[:2] for row_ in told.rows] == [("generator", name) for name in names]


def test_nothing_is_made_of_chance() -> None:
    found = findings(campaign({"heft": 1.0, "peft": 1.0, "min-min": 1.0}, many=20, noise=0.05))
    assert found.headline.startswith("No difference between")
    assert "that 20 instances could show" in found.headline
    alike = findings(campaign({"heft": 1.0, "peft": 1.0}, noise=0.0))
    assert alike.headline.startswith("Both strategies reach the same value on all 30 instances")
    assert alike.alternative == ""


def test_ranks_that_tell_more_than_the_mean_are_said_to() -> None:
    found = findings(table({"a": [0.9 + 0.001 * k for k in range(29)] + [3.0], "b": [1.0] * 30}))
    assert found.headline.startswith("a is better: ")
    assert found.alternative.endswith("Ranks tell them apart; the mean may be either way.")
    (pair,) = next(one for one in found.tables if one.title == "Pairs").rows
    assert pair[8] < 1.0 < pair[9]
    assert pair[-1] == "by ranks"
    clear = findings(campaign({"heft": 1.0, "peft": 1.5}))
    assert next(one for one in clear.tables if one.title == "Pairs").rows[0][-1] == "yes"


def test_some_may_be_told_apart_and_others_not() -> None:
    found = findings(campaign({"heft": 1.0, "peft": 1.0, "min-min": 1.2, "etf": 1.3}))
    assert "can't be told apart by 30 instances" in found.headline
    assert "is better than min-min and etf, 17 % below min-min" in found.headline


def test_few_workloads_are_too_few_however_many_conditions_they_have() -> None:
    found = findings(campaign({"heft": 1.0, "peft": 1.5}, many=5, ccrs=(0.1, 1.0, 10.0)))
    assert found.headline.startswith("5 workloads are too few to tell heft and peft apart")
    assert found.alternative == ""
    assert "signed rank tests of 1 pair need 6: more seeds" in noted(found)


def test_many_strategies_need_more_workloads() -> None:
    effects = {f"s{k}": 1.0 + 0.1 * k for k in range(5)}
    few = findings(campaign(effects, many=8))
    assert few.headline.startswith("8 workloads are too few to tell s0, s1, s2, s3 and 1 more")
    assert "signed rank tests of 10 pairs need 9" in noted(few)
    assert "s0 is the best of 5" in findings(campaign(effects, many=9)).headline


def test_that_the_best_depends_on_ccr_is_said() -> None:
    effects: dict[str, float | Effect] = {
        "heft": 1.0, "peft": 1.05, "one-machine": lambda ccr, _: 0.7 if ccr > 5 else 1.5,
    }  # fmt: skip
    found = findings(campaign(effects, ccrs=(0.1, 1.0, 10.0)))
    assert (
        "one-machine is 30 % below heft at communication to computation ratio (CCR) 10 and best on "
        "all 30 instances"
    ) in found.headline
    assert "at CCR 1 " not in said(found)
    table_ = next(one for one in found.tables if one.title == "Best by condition")
    assert table_.columns[3][0] == "best in the mean"
    best = {row_[1]: row_[3] for row_ in table_.rows if row_[0] == "CCR"}
    assert best == {"0.1": "heft", "1": "heft", "10": "one-machine"}
    assert "are of 30 workloads" in noted(found)


def test_conditions_are_not_found_where_there_are_none() -> None:
    draw = np.random.default_rng(8)
    names = list("abcdefgh") * 12
    kinds = {kind: draw.permutation(names).tolist() for kind in ("platform", "load", "sharing")}
    wrong = 0
    for _ in range(40):
        values = np.exp(draw.normal(0.0, 0.05, (96, 2)))
        given = {name: values[:, k].tolist() for k, name in enumerate(("heft", "peft"))}
        wrong += "and best on" in said(findings(table(given, **kinds)))
    assert wrong <= 4  # of 24 levels some would differ by chance in every other campaign


def test_where_a_search_leads_those_that_make_one_plan_are_told_of_too() -> None:
    effects: dict[str, float | Effect] = {
        "refine": 0.6, "heft": 1.0, "one-machine": lambda ccr, _: 0.7 if ccr > 5 else 1.5,
    }  # fmt: skip
    found = findings(campaign(effects, ccrs=(0.1, 10.0)))
    assert found.headline.startswith("refine is the best of 3 strategies")
    assert (
        "of the 2 that make one plan, one-machine is 30 % below heft at communication to "
        "computation ratio (CCR) 10"
    ) in found.headline
    table_ = next(one for one in found.tables if one.title == "Best by condition")
    assert table_.columns[3][0] == "best of the 2 that make one plan"
    assert "what it gains costs time" in noted(found)


def test_who_fails_on_hard_instances_is_not_called_the_best() -> None:
    effects: dict[str, float | Effect] = {
        "heft": 1.0, "exact": lambda _, tasks: 0.97 if tasks < 100 else None,
    }  # fmt: skip
    found = findings(campaign(effects))
    assert (
        "exact fails on 10 of 30 instances and is 3.0 % below heft on the others" in found.headline
    )
    assert "best of" not in found.headline
    assert "Failed: exact on 10 of 30 instances." in found.reasons
    assert any(one.name == "failed" and one.against == 10.0 for one in found.facts)
    assert "A failure is an infinite ratio" in noted(found)
    profile = next(one for one in found.series if one.name == "exact")
    assert max(profile.y) == pytest.approx(100.0 * 2.0 / 3.0)


def test_who_answers_nothing_is_said_to() -> None:
    found = findings(campaign({"heft": 1.0, "exact": lambda *_: None}))
    assert found.headline.startswith("heft is better: exact answers none of 30 instances")
    assert "Failed: exact on all 30 instances." in found.reasons


def test_bounds_that_say_nothing_are_said_to() -> None:
    found = findings(campaign({"heft": 1.0, "peft": 1.1}, noise=0.0, bound=0.1))
    assert "which says little: even the best plan of all strategies is 900 % above" in said(found)
    none = findings(campaign({"heft": 1.0, "peft": 1.1}, bound=None))
    assert "has no bound to be measured by" in said(none)
    assert "from the optimum is unknown" in noted(none)
    wrong = findings(campaign({"heft": 1.0, "peft": 1.1}, bound=1.2))
    assert "60 values below the bound" in noted(wrong)
    assert any("below the bound" in one.text and not one.inside_domain for one in wrong.notes)


def test_lists_that_are_near_their_bounds_are_said_to_be() -> None:
    found = findings(campaign({"heft": 1.0, "peft": 1.1}, many=60, noise=0.01, bound=0.985))
    assert "heft is within 1.03 of a bound on " in found.headline
    alone = findings(campaign({"heft": 1.0}, many=60, noise=0.01, bound=0.985))
    assert alone.headline.startswith("heft is within 1.03 of a bound on ")
    held = float(alone.headline.partition(" bound on ")[2].partition(" %")[0])
    assert held >= 90.0


def test_only_instances_in_common_are_compared_and_that_is_said() -> None:
    rows = list(campaign({"heft": 1.0, "peft": 1.1}).rows)
    less = [one for one in rows if one.strategy == "heft" or one.seed < 20]
    found = findings(results(less))
    assert "in the mean of 20 instances" in found.headline
    assert "20 of 30 instances are common to all and compared" in noted(found)
    few = [one for one in rows if one.strategy == "heft" or one.seed < 10]
    assert "peft left out" in noted(findings(results(few)))


def test_failures_alone_nothing_at_all_and_studies_alone_are_told() -> None:
    lost = findings(campaign({"heft": lambda *_: None, "peft": lambda *_: None}, many=3))
    assert lost.headline == "All 6 cases failed: it failed."
    assert [one.title for one in lost.tables] == ["Failures"]
    assert findings(results([])).headline == "Nothing is answered yet."
    asked = {"study": "mapping", "workload": "pattern=random", "strategy": "", "unit": "s"}
    studies = findings(results([*(row(2.0 + k, seed=k, **asked) for k in range(3)),
                                row(None, seed=3, **asked)]))  # fmt: skip
    assert studies.headline == "3 answers of studies, 1 failed."
    assert studies.tables[0].rows == (("mapping", "pattern=random", 4, 1, "s", 2.0, 3.0, 4.0),)
    apart = results([row(None), row(None, strategy="peft"), row(1.0, strategy="", study="x")])
    assert findings(apart).headline == "No instance that strategies have in common is answered."


def test_a_baseline_is_what_the_best_is_set_against() -> None:
    answers = campaign({"heft": 1.02, "peft": 1.0, "min-min": 1.1}, noise=0.001)
    found = findings(answers, "min-min")
    assert found.headline.startswith("peft is the best of 3 strategies: 9.1 % below min-min")
    assert found.against == "min-min"
    assert findings(answers, "peft").against == "heft"
    with pytest.raises(InputError, match="no case has this strategy") as caught:
        findings(answers, "hefd")
    assert "heft, peft, min-min" in str(caught.value)


def test_a_campaign_that_still_runs_is_told_as_far_as_it_is() -> None:
    found = findings(campaign({"heft": 1.02, "peft": 1.0}), planned=500)
    assert not found.complete
    assert found.notes[0].text.startswith("60 of 500 cases are answered so far")
    assert found.tables
    assert findings(campaign({"heft": 1.02, "peft": 1.0}), planned=60).complete


def test_the_order_of_the_rows_changes_nothing_but_the_order_of_strategies() -> None:
    answers = campaign({"heft": 1.02, "peft": 1.0, "min-min": 1.1}, ccrs=(0.1, 10.0))
    mixed = answers.where(np.random.default_rng(2).permutation(len(answers.took_s)).tolist())
    one, other = findings(answers), findings(mixed)
    assert (one.headline, one.reasons) == (other.headline, other.reasons)
    assert [fact.value for fact in one.facts] == pytest.approx([fact.value for fact in other.facts])


def test_all_of_it_is_json_without_what_is_no_number() -> None:
    effects: dict[str, float | Effect] = {
        "refine": 1.0, "exact": lambda _, tasks: 0.97 if tasks < 100 else None,
        "never": lambda *_: None,
    }  # fmt: skip
    rows = [*campaign(effects, ccrs=(0.1, 10.0)).rows, row(1.0, strategy="late")]
    found = findings(results(rows))
    told = json.loads(json.dumps(result_report(found), allow_nan=False))
    assert told["headline"] == found.headline
    assert [one["title"] for one in told["tables"]] == [
        "Strategies", "Wins, ties, losses", "Pairs", "Best by condition", "Gap and time by size",
        "Failures",
    ]  # fmt: skip
    for one in found.tables:
        assert all(len(row_) == len(one.columns) for row_ in one.rows)


def test_every_number_of_strategies_and_rows_has_an_answer() -> None:
    for strategies, many, bound in product((1, 2, 5), (1, 2, 7), (None, 0.9)):
        effects = {f"s{k}": 1.0 + 0.1 * k for k in range(strategies)}
        found = findings(campaign(effects, many=many, bound=bound))
        assert found.headline.endswith(".")
        assert "nan" not in said(found) + noted(found)
        assert len(found.facts) <= MOST_FACTS


def test_values_of_nothing_and_immense_ones_are_compared() -> None:
    found = findings(table({"a": [0.0] * 8, "b": [0.0] * 4 + [1.0] * 4}))
    assert "nan" not in said(found)
    huge = findings(table({"a": [1e-300] * 8, "b": [1e300] * 8}))
    assert huge.headline.startswith("a is better")
    later = findings(table({"a": [1e300] * 8, "b": [1e-300] * 8}))
    assert later.headline.startswith("b is better")
    assert "nan" not in said(later)


def test_warnings_of_answers_are_told() -> None:
    rows = [replace(one, warnings=("outside the model",))
            for one in campaign({"heft": 1.0, "peft": 1.1}).rows]  # fmt: skip
    assert "60 answers with warnings, most often (60): outside the model" in noted(
        findings(results(rows))
    )


def test_it_can_be_stopped() -> None:
    answers = campaign({"heft": 1.02, "peft": 1.0})
    with stoppable(lambda: True), pytest.raises(Stopped):
        findings(answers)
