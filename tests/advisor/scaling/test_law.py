"""Scalable tasks: every law as its model gives it, one clear refusal for each defect."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.styles import ASYNCHRONOUS
from advisor.models import mrm
from advisor.scaling.law import MOST_TASK_PROCESSORS, Scaling, speedups

NCUBE = (40.0,) * 5 + (160.0,)  # Gunther 2005, sec. 7: five hops and a message

laws = st.one_of(
    st.builds(Scaling, sigma=st.floats(0, 1), kappa=st.floats(0, 1)),
    st.builds(Scaling, sigma=st.floats(0, 1), completion=st.just(ASYNCHRONOUS)),
    st.builds(
        Scaling,
        think_time_s=st.floats(0, 100),
        demands_s=st.lists(st.floats(0.01, 10), min_size=1, max_size=4).map(tuple),
        completion=st.sampled_from(["synchronous", "asynchronous"]),
    ),
)


def test_a_serial_fraction_follows_amdahl_and_with_coherency_the_universal_law() -> None:
    P = range(1, 200, 7)
    plain = speedups(Scaling(sigma=1 / 7), P)
    assert plain == pytest.approx([mrm.amdahl(p, 1 / 7) for p in P])
    assert speedups(Scaling(sigma=1 / 7), [4])[0] == pytest.approx(2.8)  # Eq. (10)
    retrograde = speedups(Scaling(sigma=0.02, kappa=1e-3), P)
    assert retrograde == pytest.approx([mrm.usl(p, 0.02, 1e-3) for p in P])


def test_independent_messages_follow_erlang_and_on_several_stages_the_queueing_network() -> None:
    P = [1, 7, 64, 100]
    one = speedups(Scaling(sigma=0.01, completion=ASYNCHRONOUS), P)
    assert one == pytest.approx([mrm.erlang_speedup(p, 0.01) for p in P])
    assert one[3] == pytest.approx(92.9971925, rel=1e-8)
    stages = Scaling(think_time_s=12800.0, demands_s=NCUBE, completion=ASYNCHRONOUS)
    alone = mrm.mva(1, NCUBE, 12800.0).throughput
    expected = [mrm.mva(p, NCUBE, 12800.0).throughput / alone for p in P]
    assert speedups(stages, P) == pytest.approx(expected)


def test_a_barrier_over_one_stage_is_equation_5() -> None:
    scaling = Scaling(think_time_s=9.0, demands_s=(1.0,))
    alone = mrm.synchronous_throughput(1, 1.0, 9.0)
    expected = [mrm.synchronous_throughput(p, 1.0, 9.0) / alone for p in (1, 5, 50)]
    assert speedups(scaling, [1, 5, 50]) == pytest.approx(expected)


def test_the_knee_is_the_published_optimal_number_of_processors() -> None:
    published = Scaling(think_time_s=12800.0, demands_s=(160.0,))
    assert published.knee == pytest.approx(81.0)  # Eq. (30)
    assert Scaling(sigma=0.01).knee == pytest.approx(100.0)
    assert math.isinf(Scaling(sigma=0.0).knee)
    assert Scaling(sigma=0.02, kappa=0.01).knee == pytest.approx(math.sqrt(98))


@given(laws)
def test_speedup_starts_at_1_never_exceeds_p_and_rises_up_to_its_peak(scaling: Scaling) -> None:
    P = np.arange(1, 65)
    S = speedups(scaling, P)
    assert S[0] == 1.0
    assert (P * (1 + 1e-12) >= S).all()
    step = np.diff(S)
    assert (step[P[1:] <= scaling.peak] >= -1e-9).all()
    assert (step[P[:-1] >= scaling.peak] <= 1e-9).all()
    assert (np.diff(P / S) >= -1e-9 * P[1:]).all()  # efficiency never rises
    assert 1.0 <= scaling.knee <= scaling.peak or scaling.peak == 1.0


def test_values_compare_hash_and_pickle() -> None:
    scaling = Scaling(think_time_s=1.0, demands_s=(0.1, 0.2), least=2, most=9)
    assert pickle.loads(pickle.dumps(scaling)) == scaling
    assert hash(scaling) == hash(Scaling(think_time_s=1.0, demands_s=(0.1, 0.2), least=2, most=9))


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({}, "either sigma or a think time"),
        ({"sigma": 0.1, "think_time_s": 1.0, "demands_s": (1.0,)}, "either sigma or a think time"),
        ({"sigma": 1.1}, "sigma is out of range"),
        ({"sigma": 0.1, "kappa": -1.0}, "kappa is out of range"),
        ({"sigma": 0.1, "demands_s": (1.0,)}, "demands_s go with think_time_s"),
        ({"sigma": 0.1, "kappa": 0.1, "completion": "asynchronous"}, "synchronous programs only"),
        ({"sigma": 0.1, "completion": "sometimes"}, "unknown completion"),
        ({"think_time_s": 1.0}, "demand above 0"),
        ({"think_time_s": 1.0, "demands_s": (0.0,)}, "demand above 0"),
        ({"think_time_s": -1.0, "demands_s": (1.0,)}, "think_time_s is out of range"),
        ({"think_time_s": 1.0, "demands_s": (1.0, math.inf)}, r"demands_s\[1\] is out of range"),
        ({"think_time_s": 1.0, "demands_s": (1.0,), "kappa": 0.1}, "kappa goes with sigma"),
        ({"sigma": 0.1, "least": 0}, "least must be a whole number"),
        ({"sigma": 0.1, "least": 5, "most": 4}, "no such range"),
        ({"sigma": 0.1, "most": MOST_TASK_PROCESSORS + 1}, "no such range"),
    ],
)
def test_what_makes_no_sense_is_refused(values: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        Scaling(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, -1, MOST_TASK_PROCESSORS + 1])
def test_a_number_of_processors_out_of_range_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="no such number of processors"):
        speedups(Scaling(sigma=0.1), [count])
