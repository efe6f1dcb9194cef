"""Rows as columns: nothing is lost, filters say which rows, instances are told apart."""

from __future__ import annotations

import pickle
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from advisor.campaigns.results import INSTANCE, Filters, Results
from advisor.campaigns.row_columns import COLUMNS, Row
from machines.stopping import Stopped, stoppable
from tests.advisor.campaigns.made_rows import PLAIN, results, row

ODD = [
    row(3.25, workload="wf/a.json", seed=2**40, warnings=("slow", "old")),
    row(None, ccr=None, heterogeneity=None, error='task "Ä" fits nowhere', strategy="peft"),
    row(1e-300, proved=True, bound=1e-300, gap=0.0, load="desk-1 2"),
    row(7.0, sharing="none", tasks=2000, strategy="peft"),
]


def test_rows_come_back_as_they_were_whatever_is_in_them() -> None:
    kept = Results(ODD, np.arange(4.0))
    assert list(kept.rows) == ODD
    assert [kept.rows[place] for place in (-1, 0)] == [ODD[-1], ODD[0]]
    assert list(kept.rows[1:3]) == ODD[1:3]
    assert all(type(kept.rows[0].__dict__[name]) is type(ODD[0].__dict__[name]) for name in COLUMNS)
    with pytest.raises(IndexError):
        kept.rows[4]


def test_columns_are_those_of_the_rows() -> None:
    kept = Results(ODD, np.arange(4.0))
    assert kept.texts("strategy").tolist() == ["heft", "peft", "heft", "peft"]
    assert kept.texts("warnings").tolist() == [("slow", "old"), (), (), ()]
    assert kept.numbers("tasks").tolist() == [10.0, 10.0, 10.0, 2000.0]
    assert np.isnan(kept.numbers("ccr")).tolist() == [False, True, False, False]
    assert kept.answered.tolist() == [True, False, True, True]
    assert kept.distinct("strategy") == ("heft", "peft")
    assert kept.distinct("tasks") == (10, 2000)


def test_results_grow_without_changing_those_before() -> None:
    first = Results(ODD[:1], np.array([0.5]))
    then = first.extended(ODD[1:3], [1.0, 2.0]).extended([], []).extended(ODD[3:], [3.0])
    assert list(then.rows) == ODD
    assert then.took_s.tolist() == [0.5, 1.0, 2.0, 3.0]
    assert list(first.rows) == ODD[:1]
    assert list(pickle.loads(pickle.dumps(then)).rows) == ODD


def test_no_rows_are_results_too() -> None:
    none = Results([], np.zeros(0))
    assert (len(none), list(none.rows), none.instances[1]) == (0, [], 0)
    assert none.matching(Filters(words="x")).tolist() == []


def test_rows_of_one_question_are_one_instance_whatever_the_strategy() -> None:
    changed = [replace(PLAIN, **{name: _other(PLAIN, name)}) for name in INSTANCE]
    kept = Results([PLAIN, replace(PLAIN, strategy="peft"), *changed], np.zeros(9))
    numbers, many = kept.instances
    assert numbers.tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7]
    assert many == 8


def test_a_filter_takes_rows_by_values_ranges_and_words() -> None:
    kept = results([*ODD, *ODD], [float(k) for k in range(8)])

    def places(**filters: object) -> list[int]:
        return np.flatnonzero(kept.matching(Filters(**filters))).tolist()  # type: ignore[arg-type]

    assert places() == list(range(8))
    assert places(among=(("strategy", ("peft",)), ("sharing", ("none", "odd")))) == [3, 7]
    assert places(among=(("tasks", (2000,)),)) == [3, 7]
    assert places(among=(("proved", (True,)),)) == [2, 6]
    assert places(between=(("ccr", -np.inf, np.inf),)) == [0, 2, 3, 4, 6, 7]
    assert places(between=(("took_s", 2.0, 4.0),)) == [2, 3, 4]
    assert places(words="SLOW wf/A") == [0, 4]
    assert places(words="slow peft") == []
    assert places(words="ä") == [1, 5]
    assert places(answered=False) == [1, 5]
    assert list(kept.where(kept.matching(Filters(words="none"))).rows) == [
        replace(ODD[3], case=3),
        replace(ODD[3], case=7),
    ]


def test_some_of_the_rows_keep_their_times_and_what_differs_among_them() -> None:
    kept = Results(ODD, np.arange(4.0)).where([3, 1])
    assert list(kept.rows) == [ODD[3], ODD[1]]
    assert kept.took_s.tolist() == [3.0, 1.0]
    assert kept.distinct("strategy") == ("peft",)


def test_ten_thousand_rows_take_less_than_four_megabytes() -> None:
    rows = (replace(PLAIN, case=k, seed=k // 10, strategy=f"s{k % 10}") for k in range(10_000))
    given = list(rows)
    tracemalloc.start()
    kept = Results(given, np.zeros(10_000))
    del given
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept) == 10_000
    assert size < 4e6


def test_looking_through_rows_can_be_stopped() -> None:
    kept = results(ODD)
    with stoppable(lambda: True), pytest.raises(Stopped):
        kept.instances  # noqa: B018 - computed when it is asked for


def _other(of: Row, name: str) -> object:
    value = getattr(of, name)
    return value + 1 if isinstance(value, int) else f"other {value}"
