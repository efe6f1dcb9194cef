"""Failures that differ in names and numbers alone are one line, with how many and an example."""

from __future__ import annotations

from advisor.campaigns.findings.leaders import MOST, failure_table, failures, warnings
from tests.advisor.campaigns.made_rows import results, row


def failed(error: str, **changes: object) -> object:
    return row(None, **{"error": error, **changes})


def test_failures_are_counted_by_message_the_most_frequent_first() -> None:
    rows = [
        row(1.0),
        failed("out of memory", workload="big"),
        failed('task "A" fits nowhere (needs 12.5 GB)', workload="x", strategy="peft"),
        failed('task "B" fits nowhere (needs 3 GB)', workload="y"),
        failed("task 'C' fits nowhere (needs 1,000 GB)", workload="z"),
    ]
    found = failures(results(rows))
    assert [(one.many, one.case, one.workload) for one in found] == [(3, 2, "x"), (1, 1, "big")]
    assert found[0].message == 'task "A" fits nowhere (needs 12.5 GB)'
    assert found[0].strategies == ("peft", "heft")
    assert failure_table(found).rows[0][1:3] == (3, "peft, heft")


def test_answers_are_no_failures_and_a_failure_may_be_silent() -> None:
    assert failures(results([row(1.0)])) == ()
    assert failures(results([])) == ()
    (silent,) = failures(results([failed("")]))
    assert silent.message == "no answer, and no reason"


def test_of_very_many_messages_the_most_frequent_are_listed() -> None:
    letters = "abcdefghij"
    rows = [failed(f"{a}{b} broke") for a in letters for b in letters for _ in range(2)]
    rows += [failed("rare"), *[failed("common") for _ in range(5)]]
    found = failures(results(rows))
    assert len(found) == MOST
    assert found[0].message == "common"
    assert "rare" not in {one.message for one in found}


def test_warnings_are_grouped_the_same_way() -> None:
    rows = [row(1.0, warnings=("task 1 is odd",)), row(1.0, warnings=("task 2 is odd",)), row(1.0)]
    (found,) = warnings(results(rows))
    assert (found.many, found.message) == (2, "task 1 is odd")
