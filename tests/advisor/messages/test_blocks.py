"""The Gantt programme of a Diamond DAG agrees with the closed form and fills every row."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.causes import COMPUTING, IDLE, MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.messages.diamond_blocks import GANTT_CAUSES, gantt, wavefront
from advisor.models.logpc import (
    DiamondSteps,
    diamond_best_blocks,
    diamond_contention,
    diamond_makespan,
    diamond_steps,
)
from machines import InputError, LogGP

ALEWIFE = LogGP(L=8, o_s=25, o_r=129, G=0.5, G_m=0.3625, a=8)
times = st.floats(0.0, 1e4)
diamonds = st.tuples(
    st.builds(
        LogGP,
        L=st.floats(0, 100),
        o_s=st.floats(0, 1000),
        o_r=st.just(0.0),
        G=st.floats(0.01, 10),
        a=st.integers(0, 16),
    ),
    st.integers(1, 64),  # n
    st.floats(0.01, 1000),  # task time
    st.floats(0, 100),  # alpha
    st.floats(20, 5000),  # bytes of a message
)


@given(diamonds, st.integers(3, 12), st.data())
def test_the_gantt_programme_and_the_closed_form_agree(
    diamond: tuple[LogGP, int, float, float, float], P: int, data: st.DataObject
) -> None:
    p, n, task_time, alpha, B = diamond
    b = data.draw(st.integers(1, n))
    run = wavefront(diamond_steps(n, P, b, task_time, p, B, alpha), P, b)
    assert run.makespan == pytest.approx(diamond_makespan(n, P, b, task_time, p, B, alpha))


@given(diamonds, st.integers(3, 12), st.floats(1, 4), st.data())
def test_they_agree_under_contention_too(
    diamond: tuple[LogGP, int, float, float, float], P: int, k_d: float, data: st.DataObject
) -> None:
    p, n, task_time, alpha, B = diamond
    b = data.draw(st.integers(1, n))
    steps = diamond_steps(n, P, b, task_time, p, B, alpha)
    C_n, makespan = diamond_contention(n, P, b, task_time, p, B, k_d, alpha=alpha)
    assert wavefront(steps, P, b, C_n).makespan == pytest.approx(makespan)


@given(diamonds, st.data())
def test_two_processors_need_at_most_the_closed_form(
    diamond: tuple[LogGP, int, float, float, float], data: st.DataObject
) -> None:
    p, n, task_time, alpha, B = diamond
    b = data.draw(st.integers(1, n))
    run = wavefront(diamond_steps(n, 2, b, task_time, p, B, alpha), 2, b)
    assert run.makespan <= diamond_makespan(n, 2, b, task_time, p, B, alpha) * (1 + 1e-12)


def test_two_processors_can_beat_the_closed_form() -> None:
    steps = DiamondSteps(work=10.0, delay=1.0, sending=4.0, receiving=3.0)
    assert wavefront(steps, 2, 5).makespan == 10 + 1 + 4 * 14 + 3 + 10
    assert steps.makespan(2, 5) == 10 + 1 + 4 * 17 + 3 + 10


@given(times, times, times, times, times, st.integers(2, 6), st.integers(1, 8))
def test_no_event_comes_before_what_it_needs(
    W: float, d: float, O_s: float, O_r: float, C_n: float, P: int, b: int
) -> None:
    run = wavefront(DiamondSteps(W, d, O_s, O_r), P, b, C_n)
    slack = 1e-9 * run.makespan
    told = run.computed[:-1] + d + C_n
    assert (run.computed[1:] >= told + O_r + W - slack).all()
    gaps = np.diff(run.computed, axis=1)
    assert (gaps[:-1] >= W + run.hold - slack).all()
    assert (gaps[-1:] >= W + O_r - slack).all()


@given(st.floats(0.1, 1e3), times, times, times, st.floats(0, 50), st.integers(2, 5))
def test_the_chart_of_every_processor_has_no_hole_and_no_overlap(
    W: float, d: float, O_s: float, O_r: float, C_n: float, P: int
) -> None:
    chart = gantt(wavefront(DiamondSteps(W, d, O_s, O_r), P, 4, C_n), "cycle", "four blocks")
    for row in range(P):
        mine = chart.row == row
        start, end = chart.start[mine], chart.end[mine]
        assert start[0] == pytest.approx(0.0, abs=1e-6 * chart.makespan)
        assert start[1:] == pytest.approx(end[:-1], abs=1e-6 * chart.makespan)
        assert end[-1] >= chart.makespan * (1 - 1e-9)
        computing = mine & (chart.cause == GANTT_CAUSES.index(COMPUTING))
        assert (chart.end - chart.start)[computing].sum() == pytest.approx(4 * W)


def test_the_chart_of_the_best_blocks_shows_its_makespan() -> None:
    b, makespan = diamond_best_blocks(1024, 32, 1.0, ALEWIFE, 8.0)
    assert b == 238
    steps = diamond_steps(1024, 32, b, 1.0, ALEWIFE, 8 * 1024 / b)
    chart = gantt(wavefront(steps, 32, b), "cycle")
    assert chart.makespan == pytest.approx(makespan)
    assert chart.makespan == pytest.approx(50_699.693277)
    assert chart.end.max() == pytest.approx(makespan)
    assert chart.share(NETWORK_CONTENTION) == 0
    shares = [chart.share(cause) for cause in (COMPUTING, MESSAGE_OVERHEAD, IDLE)]
    assert sum(shares) == pytest.approx(1.0)
    assert shares[0] == pytest.approx(1024**2 / 32 / makespan)
    assert pickle.loads(pickle.dumps(chart)).end.tolist() == chart.end.tolist()


def test_what_can_not_run_is_refused() -> None:
    steps = DiamondSteps(1.0, 1.0, 1.0, 1.0)
    for P, b, C_n in ((1, 1, 0.0), (2, 0, 0.0), (2, 1, -1.0)):
        with pytest.raises(InputError):
            wavefront(steps, P, b, C_n)
