"""LoGPC: message costs, and the wavefront against a schedule followed block by block."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models import logpc
from machines import InputError, LogGP

LONG = LogGP(8, 25, 129, G=0.5, G_m=0.3625, a=8)
times = st.floats(0, 1e3)
costs = st.builds(
    LogGP, times, times, times, g=times, G=st.floats(0.01, 2), G_m=times, a=st.floats(0, 16)
)


def makespan_by_schedule(P, b, steps):
    """Finish of the last block: every stripe receives, computes and sends, one thing at a time."""
    arrived = [0.0] * b
    for stripe in range(P):
        free, sent = 0.0, []
        for block in range(b):
            if stripe > 0:
                free = max(free, arrived[block]) + steps.receiving
            free += steps.work
            # a message's head is on its way while the sender is still busy with the rest
            sent.append(free + steps.delay)
            if stripe < P - 1:
                free += steps.sending
        arrived = sent
    return free


@given(st.integers(3, 9), st.integers(1, 20), st.floats(8.001, 1e4), st.floats(0.1, 50), costs)
def test_the_diamond_s_makespan_is_that_of_a_schedule_from_three_processors_on(
    P, b, length, task, p
):
    B = max(length, 1 + p.a)
    steps = logpc.diamond_steps(64, P, b, task, p, B)
    exact = makespan_by_schedule(P, b, steps)
    stated = logpc.diamond_makespan(64, P, b, task, p, B)
    assert stated == pytest.approx(exact)


def test_with_two_processors_the_makespan_is_an_upper_bound():
    steps = logpc.diamond_steps(64, 2, 8, 2.0, LONG, 100.0)
    assert steps.makespan(2, 8) > makespan_by_schedule(2, 8, steps)


@given(st.integers(2, 9), st.integers(1, 20), costs)
def test_the_two_forms_of_the_makespan_agree(P, b, p):
    steps = logpc.diamond_steps(64, P, b, 2.0, p, 100.0, alpha=3.0)
    expanded = (
        (P + b - 1) * steps.work
        + (P - 1) * steps.delay
        + (P + b - 2) * steps.receiving
        + (b - 1) * steps.sending
    )
    assert logpc.diamond_makespan(64, P, b, 2.0, p, 100.0, alpha=3.0) == pytest.approx(expanded)


@given(
    st.integers(4, 200),
    st.integers(2, 9),
    st.floats(0.01, 100),
    costs,
    st.floats(5, 20),
    st.floats(0, 10),
    st.booleans(),
)
def test_the_best_number_of_blocks_is_the_least_of_all_admissible_ones(
    n, P, task, p, value, alpha, overhead
):
    possible = [b for b in range(1, n + 1) if value * n / b >= 1 + p.a]
    makespans = [
        logpc.diamond_makespan(n, P, b, task, p, value * n / b, alpha, overhead) for b in possible
    ]
    b, least = logpc.diamond_best_blocks(n, P, task, p, value, alpha, overhead)
    assert b in possible
    assert least == pytest.approx(min(makespans), rel=1e-12)


def test_the_closed_form_stands_beside_the_integer_optimum():
    p, n, P = LONG, 1024, 32
    assert logpc.diamond_optimum(n, P, 1.0, p, 8.0) == pytest.approx(238.18, abs=5e-3)
    assert logpc.diamond_best_blocks(n, P, 1.0, p, 8.0)[0] == 238
    assert logpc.diamond_optimum(n, P, 100.0, p) == pytest.approx(2253.8, abs=0.05)
    assert logpc.diamond_best_blocks(n, P, 100.0, p)[0] == 113  # messages of 9 bytes
    assert logpc.diamond_best_blocks(n, P, 100.0, p, 8.0)[0] == 910
    with_o_r = logpc.diamond_optimum(n, P, 100.0, p, 8.0, receive_overhead=True)
    assert with_o_r == pytest.approx(826.16, abs=0.05)


def test_without_two_opposing_costs_there_is_no_optimum_between_the_ends():
    cheap = LogGP(8, 1, 0, G=0.5, a=8)  # sending costs less than the bytes it saves
    assert logpc.diamond_optimum(64, 8, 1.0, cheap) is None
    assert logpc.diamond_best_blocks(64, 8, 1.0, cheap, 9.0)[0] == 64


def test_contention_is_added_to_every_message_on_the_critical_path():
    added, total = logpc.diamond_contention(1024, 32, 64, 100.0, LONG, 32_000, 2.0)
    bare = logpc.diamond_makespan(1024, 32, 64, 100.0, LONG, 32_000)
    assert total - bare == pytest.approx((31 + 2 * 63) * added)


def test_the_receive_overhead_that_the_paper_leaves_out_can_be_counted():
    bare = logpc.diamond_makespan(1024, 32, 64, 100.0, LONG, 32_000)
    counted = logpc.diamond_makespan(1024, 32, 64, 100.0, LONG, 32_000, receive_overhead=True)
    assert counted - bare == pytest.approx((32 + 64 - 2) * LONG.o_r)


@given(costs.filter(lambda p: p.G_m < 0.9 * p.G), st.floats(0.1, 5))
def test_from_the_crossover_on_the_network_rules(p, share):
    size = max(logpc.pipeline_crossover(p) * share, 1.0)
    network = logpc.long_message_time(p, size)
    got = logpc.pipelined_message_time(p, size)
    if share < 0.999 and size > 1.0:
        assert got > network
    elif share > 1.001:
        assert got == pytest.approx(network)


def test_at_the_crossover_memory_and_network_take_the_same():
    size = logpc.pipeline_crossover(LONG)
    memory = LONG.o_s + LONG.L + LONG.o_r + LONG.a * LONG.G + size * LONG.G_m
    assert logpc.pipelined_message_time(LONG, size) == pytest.approx(memory)
    assert logpc.long_message_time(LONG, size) == pytest.approx(memory)


@given(costs, times)
def test_the_styles_differ_by_what_a_sender_waits_for(p, C_n):
    waiting = logpc.synchronous_cost(p, C_n) - 2 * logpc.asynchronous_cost(p)
    assert waiting == pytest.approx(2 * (p.L + C_n) + p.o_s + p.o_r, abs=1e-9)


def test_messages_of_em3d_shrink_with_processors_and_values_sent_together():
    assert logpc.em3d_messages(3200, 32, 1.0, 32) == 320.0
    assert logpc.em3d_messages(3200, 32, 0.5, 64, 5) == 160.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: logpc.long_message_time(LogGP(8, 25, 129), 10), "G is out of range"),
        (lambda: logpc.long_message_time(LONG, math.inf), "B is out of range"),
        (lambda: logpc.pipeline_crossover(LogGP(1, 1, 1, G=1, G_m=1)), "memory must be faster"),
        (lambda: logpc.diamond_makespan(8, 4, 9, 1, LONG, 9), "more blocks than columns.*b ≤ n"),
        (lambda: logpc.diamond_makespan(8, 4, 2, 1, LONG, 8), r"B is too small.*≥ 1 \+ a = 9"),
        (lambda: logpc.diamond_best_blocks(8, 4, 1, LONG), "no number of blocks is possible"),
        (lambda: logpc.diamond_makespan(8.5, 4, 2, 1, LONG, 9), "n must be a whole number"),
        (lambda: logpc.diamond_contention(8, 4, 2, 1, LONG, 9, 2, occupancy="B"), "bytes or phys"),
    ],
)
def test_what_lies_outside_the_domain_is_named_with_the_remedy(call, message):
    with pytest.raises(InputError, match=message):
        call()
